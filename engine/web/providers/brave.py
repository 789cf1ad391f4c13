"""Brave Search: `GET /res/v1/web/search` with the key in `X-Subscription-Token`.

A refused key is answered with 422 and the code SUBSCRIPTION_TOKEN_INVALID, not with 401. A query
may have at most 400 characters and 50 words.
"""

from typing import TYPE_CHECKING

from engine.domain.timing import Timing
from engine.web.providers.http_search import HttpSearch, Lenient, Service, text_at
from engine.web.providers.results import RawHit, outcome
from engine.web.search import Query, SearchOutcome

if TYPE_CHECKING:  # for annotations alone: it loads httpx
    from engine.web.providers.http_call import ApiRequest

NAME = "brave"
BASE_URL = "https://api.search.brave.com"
_PATH = "/res/v1/web/search"
_MOST_HITS = 20
_MOST_CHARS = 400
_MOST_WORDS = 50
_KEY_CODES = ("SUBSCRIPTION_TOKEN_INVALID", "SUBSCRIPTION_NOT_FOUND")
_PAYMENT = 402
_UNPROCESSABLE = 422


def brave(api_key: str, timing: Timing, *, base_url: str = "") -> HttpSearch:
    """`base_url` is another address of the same API, without its path."""
    address = (base_url or BASE_URL).rstrip("/") + _PATH

    def request(query: Query) -> "ApiRequest":
        from engine.web.providers.http_call import ApiRequest

        params = {
            "q": _shortened(query.text),
            "count": str(min(query.most_hits, _MOST_HITS)),
            "text_decorations": "false",
        }
        return ApiRequest(address, params=params, headers={"X-Subscription-Token": api_key})

    return HttpSearch(Service(NAME, request, _read, _refused, _detail, secret=api_key), timing)


class _Result(Lenient):
    url: str | None = None
    title: str | None = None
    description: str | None = None


class _Web(Lenient):
    results: list[_Result] = []  # noqa: RUF012  # pydantic copies it


class _Answer(Lenient):
    """Without web results the part `web` is left out."""

    type: str
    web: _Web | None = None


def _shortened(text: str) -> str:
    return " ".join(text.split()[:_MOST_WORDS])[:_MOST_CHARS]


def _read(content: object, query: Query) -> SearchOutcome:
    web = _Answer.model_validate(content).web or _Web()
    return outcome(
        (RawHit(hit.url or "", hit.title or "", hit.description or "") for hit in web.results),
        query,
    )


def _refused(status: int, content: object) -> str:
    token_refused = status == _UNPROCESSABLE and text_at(content, "error", "code") in _KEY_CODES
    if status in (401, 403) or token_refused:
        return "the key was refused: set [search.brave] api_key"
    return "the plan's quota is used up" if status == _PAYMENT else ""


def _detail(content: object) -> str:
    return text_at(content, "error", "detail")
