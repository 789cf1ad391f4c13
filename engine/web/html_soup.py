"""Rescues pages of which libxml2 loses a part: content after `</html>`, an open quote or comment,
thousands of nested elements. BeautifulSoup reads them slowly but whole. Pure.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING

from lxml import etree
from lxml.etree import _Element as Element

if TYPE_CHECKING:  # for annotations alone: it is loaded when a page needs it
    from bs4 import Tag

_MARKUP = re.compile(
    r"<!--(?s:.*?)(?:-->|\Z)"
    r"|<(?P<raw>script|style|noscript|template)\b(?s:.*?)(?=</(?P=raw)|\Z)"
    r"|<[!/?a-z][^>]*+>?+",
    re.IGNORECASE,
)
"""What a reader does not see of a page. Nothing is tried twice, so it takes linear time.
No group is repeated possessively: Python before 3.11.5 reads `(...)*+` wrongly."""
_UNREAD = re.compile(r"<!--(?s:.*?)(?:-->|\Z)|<[?!][^>]*+>?+")
"""Comments, declarations, instructions: html.parser takes quadratic time over them, or refuses."""
_RAW = ("script", "style", "noscript", "template")
_NAME = re.compile(r"[a-z][a-z0-9_.-]{0,40}\Z")
_LEAST_CHARS = 200
_KEPT_SHARE = 0.5
_MOST_TAGS = 40_000
_MOST_DEPTH = 400
_END = object()
"""Stands for the end of the element whose contents stood before it."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")
"""What a tree does not take; entities may have brought it."""


def rescued(page: str, root: Element | None) -> Element | None:
    """`root` as libxml2 read it; a tree by BeautifulSoup where half of the text is missing."""
    there = sum(_chars(piece) for piece in _between_markup(page))
    if there < _LEAST_CHARS or _chars_of(root) >= _KEPT_SHARE * there:
        return root
    return _soup_tree(page)


def _between_markup(page: str) -> Iterator[str]:
    """Piece by piece: a single call over the whole page would keep every other thread waiting."""
    at = 0
    for found in _MARKUP.finditer(page):
        yield page[at : found.start()]
        at = found.end()
    yield page[at:]


def _chars_of(root: Element | None) -> int:
    if root is None:
        return 0
    return sum(
        _chars(element.tail or "") + (0 if element.tag in _RAW else _chars(element.text or ""))
        for element in root.iter()
    )


def _chars(text: str) -> int:
    return sum(map(len, text.split()))


def _soup_tree(page: str) -> Element:
    from bs4 import BeautifulSoup
    from bs4.exceptions import ParserRejectedMarkup

    if page.count("<") > _MOST_TAGS:
        return _flat(page)
    try:
        soup = BeautifulSoup(_without_open_tags(_UNREAD.sub(" ", page)), "html.parser")
    except ParserRejectedMarkup:
        return _flat(page)
    tree = _converted(soup)
    return _flat(page) if tree is None else tree


def _without_open_tags(page: str) -> str:
    """Tags behind the last `>` never end: html.parser takes quadratic time to see that."""
    end = page.rfind(">") + 1
    return page[:end] + page[end:].replace("<", " ")


def _converted(soup: "Tag") -> Element | None:
    """The soup's elements and words under one `html`; None when they are nested beyond reason."""
    from bs4 import Tag
    from bs4.element import PreformattedString

    builder: etree.TreeBuilder = etree.TreeBuilder()
    builder.start("html", {})
    open_names = ["html"]
    waiting: list[object] = [_END, *reversed(soup.contents)]
    while waiting:
        node = waiting.pop()
        if node is _END:
            builder.end(open_names.pop())
        elif isinstance(node, Tag):
            if len(open_names) > _MOST_DEPTH:
                return None
            open_names.append(_tag(node.name))
            builder.start(open_names[-1], _attributes(node))
            waiting += [_END, *reversed(node.contents)]
        elif not isinstance(node, PreformattedString):  # comments and the like
            builder.data(_CONTROLS.sub("", str(node)))
    return builder.close()


def _tag(name: str) -> str:
    return name if _NAME.match(name) else "span"


def _attributes(tag: "Tag") -> dict[str, str]:
    """Those that a tree takes; a list of classes as it was written."""
    return {
        name: _CONTROLS.sub("", " ".join(told) if isinstance(told, list) else str(told or ""))
        for name, told in tag.attrs.items()
        if _NAME.match(name)
    }


def _flat(page: str) -> Element:
    """A paragraph for each piece between tags: all that a page beyond reason has to say."""
    root = etree.Element("html")
    body = etree.SubElement(root, "body")
    for line in unescape(_MARKUP.sub("\n", page)).splitlines():
        if line.strip():
            etree.SubElement(body, "p").text = _CONTROLS.sub("", line)
    return root
