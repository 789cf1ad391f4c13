"""The title of a page, with the chapter it stands in where the page says so."""

import re

from lxml.etree import _Element as Element

from engine.web.html_walk import is_numbered
from engine.web.structure import without_number

_BREADCRUMBS = re.compile(r"(?:^|[\s_-])breadcrumbs?(?:[\s_-]|$)", re.IGNORECASE)
_PLACES = "link[@rel='up']", "a[@rel='up']", "a[@accesskey='u']"
_EMPTY_NAMES = frozenset({"up", "top", "home", "index", "contents", "table of contents", "docs"})
_CRUMBS_MOST = 3
_TOLD_MOST_CHARS = 4_000


def title_of(root: Element) -> str:
    """The page's `title`, else its first heading, then ` - ` and the chapter."""
    told = _flat(_first(root, "title", "h1", "h2"))
    own = without_number(without_number(told, bare=_has_numbered_headings(root)))
    above = [name for name in _above(root) if name and name.lower() not in own.lower()]
    return " - ".join([own, *above]) if own else " - ".join(above)


def _above(root: Element) -> list[str]:
    """Chapter of DocBook and texinfo pages, or the breadcrumb line, innermost first."""
    for place in _PLACES:
        for link in root.iterfind(f".//{place}"):
            name = without_number(_flat(link.get("title") or "".join(link.itertext())))
            if name and name.lower() not in _EMPTY_NAMES:
                return [name]
    for element in root.iter("nav", "div", "ul", "ol", "p"):
        named = f"{element.get('class') or ''} {element.get('aria-label') or ''}"
        if _BREADCRUMBS.search(named):
            return _crumbs(element)
    return []


def _crumbs(element: Element) -> list[str]:
    names = [_flat("".join(link.itertext())) for link in element.iter("a")]
    told = [without_number(name) for name in names if name.lower() not in _EMPTY_NAMES]
    return [name for name in reversed(told) if len(name) > 1][:_CRUMBS_MOST]


def _has_numbered_headings(root: Element) -> bool:
    headings = root.iter("h1", "h2", "h3", "h4")
    return any(is_numbered(heading) for heading in headings)


def _first(root: Element, *tags: str) -> str:
    for tag in tags:
        found = root.find(f".//{tag}")
        if found is not None and (told := "".join(found.itertext()).strip()):
            return told[:_TOLD_MOST_CHARS]
    return ""


def _flat(text: str) -> str:
    return " ".join(text.split())
