"""SearXNG, a metasearch that people host themselves: `GET /search?format=json`.

The instance must offer the JSON form (`search.formats` in its settings.yml), else it answers 403.
"""

from typing import TYPE_CHECKING

from engine.domain.timing import Timing
from engine.web.providers.http_search import HttpSearch, Lenient, Service
from engine.web.providers.results import RawHit, outcome, plain
from engine.web.search import NothingFound, Query, SearchFailed, SearchOutcome

if TYPE_CHECKING:  # for annotations alone: it loads httpx
    from engine.web.providers.http_call import ApiRequest

NAME = "searxng"
_FORBIDDEN = 403
_NOT_FOUND = 404
_REASON_MOST_CHARS = 60
_MOST_ENGINES_NAMED = 5


def searxng(base_url: str, timing: Timing) -> HttpSearch:
    """`base_url` as people open it, such as `https://search.example.org`."""
    address = base_url.rstrip("/").removesuffix("/search") + "/search"

    def request(query: Query) -> "ApiRequest":
        from engine.web.providers.http_call import ApiRequest

        return ApiRequest(address, params={"q": query.text, "format": "json"})

    return HttpSearch(Service(NAME, request, _read, _refused, lambda _: ""), timing)


class _Result(Lenient):
    url: str | None = None
    title: str | None = None
    content: str | None = None


class _Answer(Lenient):
    results: list[_Result]
    unresponsive_engines: list[object] = []  # noqa: RUF012  # pydantic copies it


def _read(content: object, query: Query) -> SearchOutcome:
    answer = _Answer.model_validate(content)
    found = outcome(
        (RawHit(hit.url or "", hit.title or "", hit.content or "") for hit in answer.results),
        query,
    )
    if isinstance(found, NothingFound) and answer.unresponsive_engines:
        return SearchFailed(f"{NAME}: no engine answered: {_engines(answer.unresponsive_engines)}")
    return found


def _engines(told: list[object]) -> str:
    """`brave (timeout), google (CAPTCHA)` of its pairs of names and errors."""
    return ", ".join(_engine(engine) for engine in told[:_MOST_ENGINES_NAMED])


def _engine(told: object) -> str:
    if isinstance(told, list) and len(told) > 1:
        return plain(f"{told[0]} ({told[1]})", _REASON_MOST_CHARS)
    return plain(str(told), _REASON_MOST_CHARS)


def _refused(status: int, _: object) -> str:
    if status == _FORBIDDEN:
        return "refused: its settings.yml must list json under search.formats"
    if status == _NOT_FOUND:
        return "nothing is there: check [search.searxng] url"
    return ""
