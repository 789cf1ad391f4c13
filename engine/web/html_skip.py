"""Which elements of a page are not its content: navigation, tables of contents, what is hidden.

Judged by general rules of HTML and common class names, never by the site. Cost is bounded: a page
of a million nested menus is read as quickly as any other.
"""

import re
from itertools import islice
from typing import NamedTuple

from lxml.etree import _Element as Element

from engine.web.structure import words

SILENT_TAGS = words(
    "title script style noscript template nav footer s del strike svg canvas iframe object embed "
    "audio video select textarea button dialog head rt rp annotation annotation-xml frameset "
    "noframes"
)
_SECTIONS = frozenset({"article", "section", "main"})
_HIDING_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_ALWAYS = re.compile(
    r"(?:^|\s)(?:nav(?:header|footer)|headerlink|copiable-(?:anchor|link)|indexterm|"
    r"sphinxsidebar(?:wrapper)?|skip-?(?:link|nav|to-content)|mw-editsection|"
    r"anchorjs-link|noprint)(?=\s|$)",
    re.IGNORECASE,
)
_WHEN_LINKS = re.compile(
    r"(?:^|[\s_-])(?:toc\d?|tableofcontents|table-of-contents|toctree-wrapper|contents|breadcrumbs?|"
    r"header|footer|nav|navbar|navigation|menu|sidebar|related|pager|pagination)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_LINKS_FROM = 0.5
_BUDGET_NODES = 60_000
_MOST_NODES = 2_000
_MOST_PAGE_NODES = 100_000
_PAGE_SHARE_MOST = 0.5
"""What holds more of the page's text is its content, whatever it is called."""
_WORDLESS = frozenset({"script", "style", "noscript", "template"})
_NAVIGATION_ROLES = frozenset({"navigation", "search", "contentinfo", "doc-toc", "menu"})
_NEVER = frozenset({"html", "body", "main", "article", "h1", "h2", "h3", "h4", "h5", "h6", "a"})


class Skipping:
    """Answers for one page which elements are left out; counts what the answers cost."""

    def __init__(self, root: Element, *, keep_contents: bool = False) -> None:
        self._root = root
        self._keep_contents = keep_contents
        self._nodes_left = _BUDGET_NODES
        self._whole: int | None = None

    def leaves_out(self, element: Element) -> bool:
        tag = element.tag
        if tag in SILENT_TAGS or _is_hidden(element):
            return True
        named = f"{element.get('class') or ''} {element.get('id') or ''}".strip()
        if named and _ALWAYS.search(named):
            return True
        if tag in _NEVER:
            return False
        if tag == "header":
            return not _is_inside_section(element)
        if element.get("role") in _NAVIGATION_ROLES:
            return True
        return bool(named and _WHEN_LINKS.search(named)) and self._is_mostly_links(element)

    def _is_mostly_links(self, element: Element) -> bool:
        if self._keep_contents or self._nodes_left <= 0:
            return False
        links = link_text(element)
        self._nodes_left -= links.nodes
        return links.share > _LINKS_FROM and links.whole < self._page_chars() * _PAGE_SHARE_MOST

    def _page_chars(self) -> int:
        if self._whole is None:
            self._whole = link_text(self._root, most_nodes=_MOST_PAGE_NODES).whole
        return self._whole


class LinkText(NamedTuple):
    linked: int
    whole: int
    """Characters of the element's text without scripts and styles."""
    nodes: int
    """How many were looked at."""

    @property
    def share(self) -> float:
        return self.linked / self.whole if self.whole else 0.0


def link_text(element: Element, most_nodes: int = _MOST_NODES) -> LinkText:
    """How much of an element's text stands in links, judged by its first nodes."""
    linked = whole = nodes = 0
    for node in islice(element.iter(), most_nodes):
        nodes += 1
        size = _size(node.text) if node.tag not in _WORDLESS else 0
        whole += size + (_size(node.tail) if node is not element else 0)
        linked += size if _is_in_link(node, element) else 0
    return LinkText(linked, whole, nodes)


def _size(text: str | None) -> int:
    return len(text.strip()) if text else 0


def _is_in_link(node: Element, top: Element) -> bool:
    """Links hold at most a few levels of inline elements: four are looked at."""
    at: Element | None = node
    for _ in range(4):
        if at is None or at is top:
            return False
        if at.tag == "a":
            return True
        at = at.getparent()
    return False


def _is_hidden(element: Element) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    return bool(style and _HIDING_STYLE.search(style))


def _is_inside_section(element: Element) -> bool:
    at = element.getparent()
    for _ in range(8):
        if at is None:
            return False
        if at.tag in _SECTIONS:
            return True
        at = at.getparent()
    return False
