"""What reads a page for one agent: fetched within bounds, judged by its bytes, given as text.

Parsing happens in threads (HTML) or a process (PDF), never in the loop. Every failure is a
ToolError that names the address or the file first.
"""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from engine.domain.errors import ToolError
from engine.domain.text_safety import one_line
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.addresses import allowed_entries
from engine.web.charset import decoded
from engine.web.page import Page
from engine.web.sites import ANY_SITE, Sites
from engine.web.sniff import SNIFF_BYTES, Kind, size_of, sniffed
from engine.web.structure import HtmlText

if TYPE_CHECKING:  # httpx is imported when the first page is read
    from engine.web.fetch import Fetcher
    from engine.web.guard import Resolver

FILE_MOST_BYTES = 64 * 1_048_576
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown"})
_HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})


@dataclass(frozen=True, slots=True)
class Wire:
    """What tests put in the place of the network's own: names and trusted certificates."""

    resolver: "Resolver | None" = None
    tls: ssl.SSLContext | None = None


class WebReader:
    """Reads http and https pages over connections of its own. One agent has one; `aclose` it."""

    def __init__(
        self,
        settings: FetchSettings,
        timing: Timing,
        *,
        wire: Wire | None = None,
        sites: Sites = ANY_SITE,
    ) -> None:
        """Raises UserError when `settings.allow` has entries that cannot be read."""
        allowed_entries(settings.allow)
        self._settings = settings
        self._timing = timing
        self._wire = wire or Wire()
        self._sites = sites
        self._fetcher: Fetcher | None = None
        self._opening = asyncio.Lock()
        """Keeps it to one fetcher."""

    async def read(self, url: str) -> Page:
        """The page behind `url`, whole up to the cap. Raises ToolError, AddressRefused."""
        fetched = await (await self._opened()).fetch(url, sites=self._sites)
        source = _Source(fetched.sniffed.kind, fetched.body, fetched.charset)
        shown = one_line(urldefrag(url).url.partition("://")[2])
        told, note = await _told(source, shown, cpu_seconds=self._timing.pdf_cpu)
        return Page(
            url=urldefrag(url).url,
            final_url=fetched.final_url,
            media_type=fetched.sniffed.media_type,
            title=told.title,
            text=told.text,
            anchors=told.anchors,
            note="; ".join(part for part in (fetched.note, note) if part),
        )

    async def aclose(self) -> None:
        if self._fetcher is not None:
            await self._fetcher.aclose()

    async def _opened(self) -> "Fetcher":
        async with self._opening:
            if self._fetcher is None:
                self._fetcher = await asyncio.to_thread(self._open)
            return self._fetcher

    def _open(self) -> "Fetcher":
        from engine.web.fetch import Fetcher

        return Fetcher(
            self._settings, self._timing, resolver=self._wire.resolver, tls=self._wire.tls
        )


async def read_file(path: Path, *, cpu_seconds: int = Timing().pdf_cpu) -> Page:
    """A file of this machine as a page: HTML, Markdown, text, JSON, XML or PDF.

    `url` is the path as given. Raises ToolError when it is missing, too large or of another kind.
    """
    shown = one_line(str(path))
    body = await asyncio.to_thread(_file_bytes, path, shown)
    told_type = sniffed(body[:SNIFF_BYTES], _type_of(path))
    if told_type.kind == "other":
        raise ToolError(f"{shown}: unsupported type {told_type.media_type}, {size_of(len(body))}")
    source = _Source(told_type.kind, body, is_document=True)
    told, note = await _told(source, shown, cpu_seconds=cpu_seconds)
    return Page(
        url=str(path),
        final_url=str(path),
        media_type=told_type.media_type,
        title=told.title or one_line(path.name),
        text=told.text,
        anchors=told.anchors,
        note=note,
    )


@dataclass(frozen=True, slots=True)
class _Source:
    kind: Kind
    body: bytes
    charset: str = ""
    is_document: bool = False
    """HTML is read whole, without looking for an article in it."""


async def _told(source: _Source, shown: str, *, cpu_seconds: int) -> tuple[HtmlText, str]:
    if source.kind != "pdf":
        return await asyncio.to_thread(_parsed, source), ""
    from engine.web.pdf import read_pdf

    try:
        return await read_pdf(source.body, cpu_seconds=cpu_seconds)
    except ToolError as error:
        raise ToolError(f"{shown}: {error}") from error


def _parsed(source: _Source) -> HtmlText:
    return _parser(source)(decoded(source.body, declared=source.charset))


def _parser(source: _Source) -> Callable[[str], HtmlText]:
    """What makes text of a source; imported when it is needed, in a thread."""
    if source.kind == "html":
        from engine.web.html import article_text, document_text

        return document_text if source.is_document else article_text
    if source.kind == "xml":
        from engine.web.xml_text import xml_text

        return xml_text
    from engine.web.markdown import markdown_text, plain_text

    return markdown_text if source.kind == "markdown" else plain_text


def _file_bytes(path: Path, shown: str) -> bytes:
    try:
        if not path.is_file():
            raise ToolError(f"{shown}: {'is a folder' if path.is_dir() else 'no such file'}")
        with path.open("rb") as file:
            body = file.read(FILE_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ToolError(f"{shown}: {getattr(error, 'strerror', None) or error}") from error
    if len(body) > FILE_MOST_BYTES:
        raise ToolError(f"{shown}: is larger than {FILE_MOST_BYTES // 1_048_576} MiB")
    return body


def _type_of(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix in _MARKDOWN_SUFFIXES:
        return "text/markdown"
    return "text/html" if suffix in _HTML_SUFFIXES else ""
