"""From what a search service sent to clean hits: http(s) addresses, each once, text only. Pure."""

import html
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urldefrag, urlsplit

from engine.domain.text_safety import one_line
from engine.web.addresses import URL_MOST_CHARS
from engine.web.search import Found, Hit, NothingFound, Query

TITLE_MOST_CHARS = 200
SNIPPET_MOST_CHARS = 500
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_UNFIT_IN_URLS = re.compile(r"[\s\x00-\x20\x7f-\x9f<>\"\\^`{|}]")


class RawHit(NamedTuple):
    """One result as a service wrote it."""

    url: str
    title: str
    snippet: str


def outcome(results: Iterable[RawHit], query: Query) -> Found | NothingFound:
    """The hits in the service's order, at most as many as are wanted."""
    hits: dict[str, Hit] = {}
    for result in results:
        if len(hits) >= query.most_hits:
            break
        url = result.url.strip()
        if _is_address(url):
            title = plain(result.title, TITLE_MOST_CHARS) or urlsplit(url).netloc
            hit = Hit(url, title, plain(result.snippet, SNIPPET_MOST_CHARS))
            hits.setdefault(urldefrag(url).url.rstrip("/"), hit)
    return Found(tuple(hits.values())) if hits else NothingFound()


def plain(text: str, most: int) -> str:
    """One cleaned line without HTML tags and entities."""
    return one_line(html.unescape(_TAG.sub("", text)), most)


def _is_address(url: str) -> bool:
    if len(url) > URL_MOST_CHARS or _UNFIT_IN_URLS.search(url):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
