"""From HTML to cleaned text that keeps its structure (D24). Pure; slow on big pages: use a thread.
Import it where it is used: lxml is not free.

`document_text` reads everything that is structured (documentation, references); `article_text`
finds the article among the rest of a page first. Neither may fail on any input.
"""

import re

from lxml import etree
from lxml.etree import _Element as Element

from engine.web.charset import decoded
from engine.web.html_soup import rescued
from engine.web.html_title import title_of
from engine.web.html_walk import blocks_of
from engine.web.structure import HtmlText, text_of_blocks

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_LEAST_CHARS = 200
_TAG = re.compile(
    r"<!--(?s:.*?)(?:-->|\Z)"
    r"|<(?P<raw>script|style|textarea|title)\b(?s:.*?)(?=</(?P=raw)|\Z)"
    r"|<(?P<name>[a-z][\w:-]*+)(?>(?:[^>\"']++|\"[^\"]*+\"|'[^']*+'|[\"'])*)",
    re.IGNORECASE,
)
"""Comments, what is read raw, and start tags. Nothing is tried twice. A
group that is repeated stands in an atomic one: Python before 3.11.5 reads `(...)*+` wrongly."""
_TAG_MOST_CHARS = 8_192
_HEAD = re.compile(
    r"(?>(?:\s++|<!--(?s:.*?)-->|<[!?][a-z][^>]*+>"
    r"|</?(?:html|head|meta|link|base)\b[^>]*+>"
    r"|<(?P<raw>title|script|style|noscript)\b(?>(?s:.*?)</(?P=raw))[^>]*+>)*)",
    re.IGNORECASE,
)
_BODY = re.compile(r"<(?:body|frameset)[\s>]", re.IGNORECASE)


def document_text(html: str | bytes) -> HtmlText:
    """The whole page as blocks, without navigation, scripts, and what is hidden or struck out.

    The title has no heading number and names the chapter where the page tells it. Bytes are
    decoded by byte order mark, `meta` or UTF-8.
    """
    root = parsed(html)
    if root is None:
        return HtmlText("", "")
    title = title_of(root)
    read = text_of_blocks(blocks_of(root), title=title)
    if len(read.text) >= _LEAST_CHARS:
        return read
    whole = text_of_blocks(blocks_of(root, keep_contents=True), title=title)
    return whole if len(whole.text) > 2 * len(read.text) else read


def parsed(html: str | bytes) -> Element | None:
    """The tree of a page; None when there is nothing in it. Comments are gone, depth is bounded."""
    return _tree(_prepared(html))


def inline_words(html: str) -> str:
    """The words of a piece of HTML on one line."""
    root = parsed(html)
    return "" if root is None else " ".join(text_of_blocks(blocks_of(root)).text.split())


def article_text(html: str | bytes) -> HtmlText:
    """The article of a page in the same structure; the whole page where it has none of its own."""
    from engine.web.html_article import article_blocks

    body = _prepared(html)
    root = _tree(body)
    if root is None:
        return HtmlText("", "")
    return text_of_blocks(article_blocks(body, root), title=title_of(root))


def _prepared(html: str | bytes) -> str:
    """Text without what stops or stalls a parser."""
    text = decoded(html) if isinstance(html, bytes) else html
    return _with_body(_without_swollen_tags(_CONTROLS.sub("", text).strip()))


def _with_body(page: str) -> str:
    """Pages may leave out `body`; without it libxml2 takes HTML5's tags for parts of the head."""
    if not page or _BODY.search(page):
        return page
    head = _HEAD.match(page)
    end = head.end() if head else 0
    return f"{page[:end]}<body>{page[end:]}"


def _without_swollen_tags(body: str) -> str:
    """Tags of thousands of attributes without them: libxml2 takes quadratic time over those."""
    if len(body) < _TAG_MOST_CHARS * 4:
        return body
    return _TAG.sub(_slim, body)


def _slim(tag: re.Match[str]) -> str:
    is_swollen = tag["name"] is not None and tag.end() - tag.start() > _TAG_MOST_CHARS
    return f"<{tag['name']}" if is_swollen else tag[0]


def _tree(body: str) -> Element | None:
    if not body:
        return None
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        root = etree.fromstring(body.encode(), parser)
    except etree.XMLSyntaxError:  # nothing but comments
        root = None
    return rescued(body, root)
