"""What each service is asked, and what its own errors become."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.domain.timing import Timing
from engine.settings import SearchSettings, Settings
from engine.web.providers.brave import brave
from engine.web.providers.choose import provider_named
from engine.web.providers.searxng import searxng
from engine.web.providers.tavily import tavily
from engine.web.search import Found, Query, SearchFailed
from tests.fakes.search_api import KEY, SearchApi, search_api

TIMING = Timing()


@pytest.fixture
async def api() -> AsyncIterator[SearchApi]:
    async with search_api() as running:
        yield running


async def test_brave_is_asked_with_the_key_in_its_header_alone(api: SearchApi) -> None:
    await brave(KEY, TIMING, base_url=api.base_url).search(Query("wal mode", 5))
    (asked,) = api.asked
    assert asked.query == {"q": "wal mode", "count": "5", "text_decorations": "false"}
    assert asked.headers["x-subscription-token"] == KEY
    assert asked.headers["accept"] == "application/json"


async def test_brave_gets_no_more_words_and_hits_than_it_takes(api: SearchApi) -> None:
    query = Query(" ".join(["word"] * 80), 100)
    found = await brave(KEY, TIMING, base_url=api.base_url).search(query)
    assert isinstance(found, Found)
    assert len(api.asked[0].query["q"].split()) == 50


async def test_tavily_is_asked_for_hits_and_not_for_an_answer(api: SearchApi) -> None:
    await tavily(KEY, TIMING, base_url=f"{api.base_url}/").search(Query("wal mode", 50))
    (asked,) = api.asked
    assert (asked.method, asked.path) == ("POST", "/search")
    assert asked.body == {"query": "wal mode", "max_results": 20}


@pytest.mark.parametrize("end", ["", "/", "/search", "/search/"])
async def test_searxng_is_found_however_its_address_ends(api: SearchApi, end: str) -> None:
    found = await searxng(api.base_url + end, TIMING).search(Query("wal & log"))
    assert isinstance(found, Found)
    assert api.asked[0].query == {"q": "wal & log", "format": "json"}


@pytest.mark.parametrize(
    ("status", "answer", "why"),
    [
        (403, b"Forbidden", "must list json under search.formats (status 403)"),
        (404, b"", "check [search.searxng] url (status 404)"),
        (502, b"<html>", "searxng: status 502"),
        (
            200,
            {"results": [], "unresponsive_engines": [["brave", "too many requests"], ["x", "y"]]},
            "no engine answered: brave (too many requests), x (y)",
        ),
    ],
)
async def test_searxng_says_what_to_change(
    api: SearchApi, status: int, answer: object, why: str
) -> None:
    api.says = (status, answer)
    failed = await searxng(api.base_url, TIMING).search(Query("wal"))
    assert isinstance(failed, SearchFailed)
    assert failed.reason.endswith(why)


@pytest.mark.parametrize(
    ("status", "answer", "why"),
    [
        (432, {"detail": {"error": "over"}}, "the plan's credits are used up (status 432)"),
        (433, {}, "the limit for paying as you go is reached (status 433)"),
        (400, {"detail": {"error": "Query is too long."}}, "status 400: Query is too long."),
        (400, {"detail": "plain"}, "status 400: plain"),
        (400, [1], "tavily: status 400"),
    ],
)
async def test_tavily_errors_are_told_in_words(
    api: SearchApi, status: int, answer: object, why: str
) -> None:
    api.says = (status, answer)
    failed = await tavily(KEY, TIMING, base_url=api.base_url).search(Query("wal"))
    assert isinstance(failed, SearchFailed)
    assert failed.reason.endswith(why)


async def test_a_query_that_brave_refuses_is_not_called_a_refused_key(api: SearchApi) -> None:
    error = {"status": 422, "code": "VALIDATION", "detail": "Unable to validate"}
    api.says = (422, {"type": "ErrorResponse", "error": error})
    failed = await brave(KEY, TIMING, base_url=api.base_url).search(Query("wal"))
    assert failed == SearchFailed("brave: status 422: Unable to validate")


async def test_a_redirect_is_told_and_the_key_does_not_travel(api: SearchApi) -> None:
    api.behaviour = "moved"
    failed = await brave(KEY, TIMING, base_url=api.base_url).search(Query("wal"))
    assert failed == SearchFailed("brave: status 301: it has moved to https://elsewhere.example/")
    assert len(api.asked) == 1


def test_a_key_shows_in_no_text_of_the_provider(tmp_path: Path) -> None:
    settings = Settings(tmp_path, search=SearchSettings(brave_api_key=KEY, tavily_api_key=KEY))
    for name in ("brave", "tavily"):
        assert KEY not in repr(provider_named(settings, TIMING, name=name))


async def test_packed_answers_are_inflated_within_bounds(api: SearchApi) -> None:
    api.packs = "gzip"
    provider = searxng(api.base_url, TIMING)
    assert isinstance(await provider.search(Query("wal")), Found)
    assert api.asked[0].headers["accept-encoding"] == "gzip, identity"
    api.behaviour = "huge"
    failed = await provider.search(Query("wal"))
    assert isinstance(failed, SearchFailed)
    assert "larger than 1,048,576 bytes" in failed.reason


async def test_an_encoding_that_was_not_asked_for_is_told(api: SearchApi) -> None:
    api.packs = "br"
    failed = await searxng(api.base_url, TIMING).search(Query("wal"))
    assert isinstance(failed, SearchFailed)
    assert "unsupported encoding br" in failed.reason
