"""Rescues pages of which libxml2 loses a part: content after `</html>`, an open quote or comment,
thousands of nested elements. BeautifulSoup reads them slowly but whole. Pure.
"""

import re
from html import unescape

from lxml import etree
from lxml.etree import _Element as Element

_MARKUP = re.compile(
    r"<!--(?:[^-]++|-(?!->))*+(?:-->)?+"
    r"|<(?P<raw>script|style|noscript|template)\b(?:[^<]++|<(?!/(?P=raw)))*+"
    r"|<[!/?a-z][^>]*+>?+",
    re.IGNORECASE,
)
"""What a reader does not see of a page. Every quantifier is possessive, so it takes linear time."""
_RAW = ("script", "style", "noscript", "template")
_LEAST_CHARS = 200
_KEPT_SHARE = 0.5
_MOST_TAGS = 40_000
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")
"""What a tree does not take; entities may have brought it."""


def rescued(page: str, root: Element | None) -> Element | None:
    """`root` as libxml2 read it; a tree by BeautifulSoup where half of the text is missing."""
    there = _chars(_MARKUP.sub(" ", page))
    if there < _LEAST_CHARS or _chars_of(root) >= _KEPT_SHARE * there:
        return root
    return _soup_tree(page)


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
    from lxml.html import soupparser

    if page.count("<") > _MOST_TAGS:
        return _flat(page)
    try:
        root = soupparser.fromstring(page, features="html.parser")
    except RecursionError:  # its conversion goes as deep as the page does
        return _flat(page)
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    return root


def _flat(page: str) -> Element:
    """A paragraph for each piece between tags: all that a page beyond reason has to say."""
    root = etree.Element("html")
    body = etree.SubElement(root, "body")
    for line in unescape(_MARKUP.sub("\n", page)).splitlines():
        if line.strip():
            etree.SubElement(body, "p").text = _CONTROLS.sub("", line)
    return root
