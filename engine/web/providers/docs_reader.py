"""Reads `docs://NAME/path` addresses: the text of the index, so that places in it agree.

It must never read anything outside a folder of the library, or any other scheme.
"""

import asyncio

from engine.domain.errors import ToolError
from engine.web.page import Page
from engine.web.providers.docs import DocsLibrary
from engine.web.providers.docs_address import DocsAddress, address, parsed


class DocsReader:
    """The page reader of a run with documents. Keeps nothing open."""

    def __init__(self, library: DocsLibrary) -> None:
        self._library = library

    async def read(self, url: str) -> Page:
        """The whole document. Raises ToolError for another scheme and for what is not there."""
        asked = parsed(url)
        folder = self._library.folder(asked.name)
        if folder is None:
            names = ", ".join(f"docs://{name}/" for name in self._library.names)
            raise ToolError(f"{_told(asked)}: no such folder of documents (there is {names})")
        try:
            return await asyncio.to_thread(folder.read, asked.path)
        except ToolError as exc:
            raise ToolError(f"{_told(asked)}: {exc}") from exc

    async def aclose(self) -> None:
        """Nothing to give back."""


def _told(asked: DocsAddress) -> str:
    """The address without its scheme, as the seeds' errors have it."""
    return address(asked.name, asked.path).partition("://")[2]
