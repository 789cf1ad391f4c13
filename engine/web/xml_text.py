"""The words of an XML document (feeds, DocBook, SVG). No entity is expanded, nothing loaded."""

from typing import cast

from lxml import etree
from lxml.etree import _Element as Element

from engine.web.html import inline_words
from engine.web.structure import Block, HtmlText, text_of_blocks

_TITLE_TAGS = frozenset({"title", "name"})


def xml_text(source: str) -> HtmlText:
    """Each element's own words as a paragraph, in order; HTML inside (as in feeds) without tags.

    A document that is no XML at all is given back as it is.
    """
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, recover=True, huge_tree=False
    )
    try:
        root = cast("Element | None", etree.fromstring(source.encode(errors="replace"), parser))
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        return text_of_blocks([Block("p", source)])
    blocks: list[Block] = []
    title = ""
    for element in root.iter():
        is_element = isinstance(element.tag, str)
        words = _words(element.text) if is_element else ""
        if words:
            blocks.append(Block("p", words))
        if is_element and not title and etree.QName(element).localname in _TITLE_TAGS:
            title = words
        if tail := _words(element.tail):
            blocks.append(Block("p", tail))
    return text_of_blocks(blocks, title=title)


def _words(text: str | None) -> str:
    if not text or not text.strip():
        return ""
    return inline_words(text) if "<" in text and ">" in text else " ".join(text.split())
