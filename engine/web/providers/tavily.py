"""Tavily: `POST /search` with the key as a bearer token.

Its own written answer is not asked for: a summary that nobody can check is no source.
"""

from typing import TYPE_CHECKING

from engine.domain.timing import Timing
from engine.web.providers.http_search import HttpSearch, Lenient, Service, text_at
from engine.web.providers.results import RawHit, outcome
from engine.web.search import Query, SearchOutcome

if TYPE_CHECKING:  # for annotations alone: it loads httpx
    from engine.web.providers.http_call import ApiRequest

NAME = "tavily"
BASE_URL = "https://api.tavily.com"
_MOST_HITS = 20
_KEY_REFUSED = (401, 403)
_USED_UP = {
    402: "the plan's credits are used up",
    432: "the plan's credits are used up",
    433: "the limit for paying as you go is reached",
}


def tavily(api_key: str, timing: Timing, *, base_url: str = "") -> HttpSearch:
    """`base_url` is another address of the same API, without its path."""
    address = (base_url or BASE_URL).rstrip("/") + "/search"

    def request(query: Query) -> "ApiRequest":
        from engine.web.providers.http_call import ApiRequest

        body = {"query": query.text, "max_results": min(query.most_hits, _MOST_HITS)}
        return ApiRequest(address, headers={"Authorization": f"Bearer {api_key}"}, body=body)

    return HttpSearch(Service(NAME, request, _read, _refused, _detail, secret=api_key), timing)


class _Result(Lenient):
    url: str | None = None
    title: str | None = None
    content: str | None = None


class _Answer(Lenient):
    results: list[_Result]


def _read(content: object, query: Query) -> SearchOutcome:
    results = _Answer.model_validate(content).results
    return outcome(
        (RawHit(hit.url or "", hit.title or "", hit.content or "") for hit in results), query
    )


def _refused(status: int, _: object) -> str:
    if status in _KEY_REFUSED:
        return "the key was refused: set [search.tavily] api_key"
    return _USED_UP.get(status, "")


def _detail(content: object) -> str:
    return text_at(content, "detail", "error") or text_at(content, "detail")
