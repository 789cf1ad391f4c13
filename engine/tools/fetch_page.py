"""The tool fetch_url (elsewhere fetch_page): a part of a page, its place said exactly (D24)."""

from typing import Literal
from urllib.parse import unquote, urldefrag

from pydantic import BaseModel, ConfigDict, Field

from engine.agent.tool import StateDetail, Tool, ToolContext
from engine.domain.errors import ToolError
from engine.domain.exchange import Reading, ToolResult
from engine.domain.text_safety import one_line
from engine.web.addresses import URL_MOST_CHARS
from engine.web.page import Page, PageReader

MAX_PAGE_CHARS = 15_000


class FetchInput(BaseModel):
    """`{"url": "...", "from": 0}`: an address, with `#anchor` to begin at a section, or `from`."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(description="http(s):// or docs:// address; #anchor begins at that section")
    start: int | None = Field(
        default=None, alias="from", ge=0, description="the character of the page to begin at"
    )


def fetch_tool(
    reader: PageReader,
    *,
    name: Literal["fetch_url", "fetch_page"] = "fetch_url",
    max_chars: int = MAX_PAGE_CHARS,
) -> Tool[FetchInput]:
    """Reads through `reader`, which belongs to one agent; at most `max_chars` a call."""

    async def run(_: ToolContext, given: FetchInput) -> ToolResult:
        page = await reader.read(given.url)
        begin = _begin(page, given)
        return ToolResult(part(page, begin=begin, max_chars=max_chars), read=_reading(page))

    return Tool(
        name=name,
        description=(
            "Read a page or document as text. A long one comes in parts: the result says which "
            "characters it holds and how to read on."
        ),
        input_model=FetchInput,
        state=lambda given: StateDetail("reading", one_line(given.url, URL_MOST_CHARS)),
        run=run,
    )


def part(page: Page, *, begin: int, max_chars: int) -> str:
    """The first line says the place; from the next on it is the page's text, to the character."""
    total = len(page.text)
    end = min(total, begin + max_chars)
    lines = [f"[characters {begin} to {end} of {total}, {page.final_url}]", page.text[begin:end]]
    if end < total:
        lines.append(f"[cut at character {end} of {total}: call again with from={end} to read on]")
    if page.note:
        lines.append(f"[{page.note}]")
    return "\n".join(lines)


def _begin(page: Page, given: FetchInput) -> int:
    """Where to begin: `from`, else the anchor, else the start; an unknown anchor is the start."""
    if given.start is None:
        fragment = urldefrag(given.url).fragment
        return page.anchors.get(fragment, page.anchors.get(unquote(fragment), 0))
    if given.start >= max(len(page.text), 1):
        raise ToolError(f"from={given.start}: the page has {len(page.text)} characters")
    return given.start


def _reading(page: Page) -> Reading:
    return Reading(page.url, page.final_url, page.media_type, page.title, page.text)
