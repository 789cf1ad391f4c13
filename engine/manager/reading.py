"""Reads one source for a person: what an agent would get from an address or a file."""

import asyncio
from pathlib import Path

from engine.domain.answers import SourceText
from engine.domain.errors import AddressRefused, ToolError
from engine.domain.text_safety import one_line
from engine.domain.timing import Timing
from engine.settings import Settings
from engine.tools.fetch_page import MAX_PAGE_CHARS
from engine.web.page import Page


async def read_source(source: str, settings: Settings, *, timing: Timing, full: bool) -> SourceText:
    """The page's first 15,000 characters, or all of it. A source that cannot be read says why."""
    try:
        page = await _page(source, settings, timing)
    except ToolError as error:
        refused = isinstance(error, AddressRefused)
        return SourceText(source=one_line(source), error=str(error), refused=refused)
    text = page.text if full else page.text[:MAX_PAGE_CHARS]
    return SourceText(
        source=one_line(source, 2_048),
        url=page.final_url,
        media_type=page.media_type,
        title=page.title,
        text=text,
        chars=len(page.text),
        truncated=len(text) < len(page.text),
    )


async def _page(source: str, settings: Settings, timing: Timing) -> Page:
    if source.casefold().startswith("file:"):
        raise AddressRefused("file: addresses are not read: give the plain path")
    if "://" not in source:
        return await _file(source)
    from engine.web.reader import WebReader

    reader = WebReader(settings.fetch, timing)
    try:
        return await reader.read(source)
    finally:
        await reader.aclose()


async def _file(source: str) -> Page:
    from engine.web.reader import read_file

    path = Path(source)
    if await asyncio.to_thread(_is_missing, path):
        told = "no such file; an address begins with http:// or https://"
        raise ToolError(f"{one_line(str(path))}: {told}")
    return await read_file(path)


def _is_missing(path: Path) -> bool:
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except (OSError, ValueError):  # whoever reads it says what is wrong
        return False
    return False
