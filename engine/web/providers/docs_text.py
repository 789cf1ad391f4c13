"""From the bytes of one document to its text, title and anchors: the same for index and reader.

The text is the snapshot that quotations are checked against: it must be the same every time.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.domain.text_safety import one_line
from engine.retrieval.blocks import TextBlock
from engine.web.providers.docs_files import suffix_of
from engine.web.structure import TITLE_MOST_CHARS, slug_of

_HTML = (".html", ".htm", ".xhtml")
_MARKDOWN = (".md", ".markdown")
_MEDIA_TYPES = {
    **dict.fromkeys(_HTML, "text/html"),
    **dict.fromkeys(_MARKDOWN, "text/markdown"),
    **{".txt": "text/plain", ".rst": "text/x-rst", ".pdf": "application/pdf"},
}
_UNDERLINE = re.compile(r"(?m)^(?P<title>(?! )[^\n]*\S)\n(?P<line>([=\-~^\"'#*+`:.])\3{2,})[ \t]*$")
_SKIPPED_NAMES = re.compile(
    r"(?:gen|book|keyword_?)index|(?:py-)?modindex|\w*crossref|sitemap|search|toc|syntax(?:diagrams)?",
    re.IGNORECASE,
)
_CONTENTS_NAMES = re.compile(r"index|contents|default", re.IGNORECASE)
_CONTENTS_LEAST_WORDS = 150


@dataclass(frozen=True, slots=True)
class DocumentText:
    """What a document says; `anchors` lead from a fragment to a character of `text`."""

    title: str
    text: str
    media_type: str
    anchors: Mapping[str, int] = field(default_factory=dict)
    note: str = ""


ReadPdf = Callable[[bytes], DocumentText]


def media_type_of(path: str) -> str:
    return _MEDIA_TYPES.get(suffix_of(path), "application/octet-stream")


def document(path: str, body: bytes, *, read_pdf: ReadPdf) -> DocumentText:
    """The document at a relative path, by its suffix. Without a title it gets its file name."""
    suffix = suffix_of(path)
    if suffix == ".pdf":
        read = read_pdf(body)
    elif suffix in _HTML:
        read = _html(body)
    else:
        read = _plain(body, suffix=suffix)
    name = path.rpartition("/")[2]
    return DocumentText(
        one_line(read.title, TITLE_MOST_CHARS) or one_line(name, TITLE_MOST_CHARS),
        read.text,
        media_type_of(path),
        read.anchors,
        read.note,
    )


def is_directory_page(path: str, text: str, blocks: list[TextBlock]) -> bool:
    """Whether a page only says where other pages are: an index, a map of the site, contents."""
    folders, _, name = path.rpartition("/")
    stem = name.split(".")[0]
    if suffix_of(path) not in _HTML:
        return False
    if _SKIPPED_NAMES.fullmatch(stem) or folders.rpartition("/")[2] == "syntax":
        return True
    prose = sum(len(text[at.start : at.end].split()) for at in blocks if at.kind in ("p", "dd"))
    return _CONTENTS_NAMES.fullmatch(stem) is not None and prose < _CONTENTS_LEAST_WORDS


def with_heading_anchors(
    text: str, blocks: list[TextBlock], anchors: Mapping[str, int]
) -> dict[str, int]:
    """`anchors` and, for each heading without one, the one that Markdown viewers give it."""
    found = dict(anchors)
    places = set(found.values())
    times: Counter[str] = Counter()
    for block in blocks:
        start = text.rfind("\n", 0, block.start) + 1
        if block.kind == "heading" and not places & {start, block.start}:
            slug = slug_of(text[block.start : block.end]) or "section"
            found[_unused(slug, found, times)] = start
    return found


def _html(body: bytes) -> DocumentText:
    from engine.web.html import document_text

    read = document_text(body)
    return DocumentText(read.title, read.text, "", read.anchors)


def _plain(body: bytes, *, suffix: str) -> DocumentText:
    from engine.web.charset import decoded
    from engine.web.markdown import markdown_text, plain_text

    if suffix in _MARKDOWN:
        read = markdown_text(decoded(body))
        return DocumentText(read.title, read.text, "", read.anchors)
    read = plain_text(decoded(body))
    text = _with_marked_headings(read.text)
    heading = re.match(r"#{2,6} (.+)", text)
    return DocumentText(heading[1] if heading else read.title, text, "")


def _with_marked_headings(text: str) -> str:
    """Underlined titles as `## title`; each sign's level is the order in which it came first."""
    signs: dict[str, int] = {}

    def marked(found: re.Match[str]) -> str:
        title, line = found["title"], found["line"]
        if title.startswith(("|", "-", "#", "=", ">")) or len(line) < len(title.strip()) - 1:
            return found[0]
        level = signs.setdefault(line[0], min(len(signs), 4) + 1)
        return f"{'#' * (level + 1)} {title.strip()}"

    return _UNDERLINE.sub(marked, text)


def _unused(slug: str, taken: Mapping[str, int], times: Counter[str]) -> str:
    """`slug`, `slug-1` and so on; `times` keeps many equal headings from being counted again."""
    told = slug
    while told in taken:
        times[slug] += 1
        told = f"{slug}-{times[slug]}"
    return told
