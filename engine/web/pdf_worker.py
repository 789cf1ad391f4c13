"""`python -m engine.web.pdf_worker SECONDS`: a PDF on stdin, its pages as JSON on stdout.

A process of its own because pdfium is not thread-safe, and because a hostile file may only cost
this process: its time, memory and files are limited before a byte of it is looked at.
"""

import json
import sys
from contextlib import closing, suppress
from typing import Any

from pypdfium2 import (  # type: ignore[import-untyped]  # it has no types
    PdfDocument,
    PdfiumError,
)

MEMORY_BYTES = 1 << 30
MOST_CHARS = 20_000_000
MOST_PAGES = 20_000
_MOST_BOOKMARKS = 5_000
_TITLE_MOST_CHARS = 300


def main() -> None:
    """Writes one object: `{"title", "pages", "outline"}`, or `{"error": why}`.

    `left_out` counts the pages that were too many or too long, when there are some.
    """
    limit(int(sys.argv[1]))
    body = sys.stdin.buffer.read()
    try:
        told = read(body)
    except MemoryError:
        told = {"error": "it needs too much memory"}
    sys.stdout.buffer.write(json.dumps(told, ensure_ascii=False).encode(errors="replace"))


def limit(seconds: int) -> None:
    """CPU seconds, 1 GB of address space, no files written, no core; as far as the system can."""
    try:
        import resource
    except ImportError:  # Windows has none of these
        return
    for what, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def read(body: bytes) -> dict[str, Any]:
    """Every page's text as pdfium orders it, the title and the bookmarks `[level, page, title]`."""
    try:
        with closing(PdfDocument(body)) as document:
            pages, left_out = _pages(document)
            told = {
                "title": document.get_metadata_value("Title")[:_TITLE_MOST_CHARS],
                "pages": pages,
                "outline": _outline(document),
            }
            return {**told, "left_out": left_out} if left_out else told
    except PdfiumError as error:
        if "password" in str(error).lower():
            return {"error": "it is encrypted and needs a password"}
        return {"error": "it is broken or no PDF"}


def _pages(document: PdfDocument) -> tuple[list[str], int]:
    """The texts of the pages, and how many of those that follow there was no room for."""
    pages: list[str] = []
    left = MOST_CHARS
    for number in range(min(len(document), MOST_PAGES)):
        try:
            text = _page(document, number)
        except PdfiumError:
            text = ""
        left -= len(text)
        if left < 0:
            break
        pages.append(text)
    return pages, len(document) - len(pages)


def _page(document: PdfDocument, number: int) -> str:
    with closing(document[number]) as page, closing(page.get_textpage()) as text:
        return str(text.get_text_bounded())


def _outline(document: PdfDocument) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for bookmark in document.get_toc(max_depth=6):
        place = bookmark.get_dest()
        page = place.get_index() if place is not None else None
        if page is not None:
            found.append((bookmark.level, page, bookmark.get_title()[:_TITLE_MOST_CHARS]))
        if len(found) >= _MOST_BOOKMARKS:
            break
    return found


if __name__ == "__main__":
    main()
