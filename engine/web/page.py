"""A page as it was read, and the protocol of whatever reads pages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Page:
    """What a page or document says, as cleaned text that keeps its structure (D24).

    Headings are `## heading` lines, list items `- item`, definition terms `term :: text`, table
    rows `| a | b |`, with a blank line between blocks. `text` is whole: cutting is the tool's.
    """

    url: str
    """As asked for, without fragment."""
    final_url: str
    media_type: str
    title: str
    text: str
    anchors: Mapping[str, int] = field(default_factory=dict)
    """Fragment -> the character of `text` where it starts; `page=N` for PDF pages."""
    note: str = ""
    """What a reader must know: `cut at 1,048,576 bytes of 5,000,000`, `no text layer`."""


class PageReader(Protocol):
    """Reads pages for one agent; closed when the agent ends.

    `read` raises ToolError with the seeds' text (`example.com/x: status 404`) when it cannot,
    AddressRefused where the address itself is not accepted.
    """

    async def read(self, url: str) -> Page: ...

    async def aclose(self) -> None: ...
