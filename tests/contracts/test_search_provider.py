"""What every search provider keeps to: three outcomes, no error, cancellation, clean text."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

from engine.domain.errors import CannotStart
from engine.domain.run import DocsFolder
from engine.domain.text_safety import one_line
from engine.domain.timing import Timing
from engine.settings import SearchSettings, Settings
from engine.web.providers.choose import provider_named
from engine.web.providers.ddgs import DdgsSearch
from engine.web.providers.docs import DocsLibrary, DocsSearch
from engine.web.search import Found, Hit, NothingFound, Query, SearchFailed, SearchProvider
from tests.fakes.search_api import HOSTILE_RESULTS, KEY, RESULTS, Behaviour, SearchApi, search_api

HTTP_PROVIDERS = ("searxng", "brave", "tavily")
FAILURES: tuple[Behaviour, ...] = (
    *("limited", "broken", "not json", "strange", "huge", "cut", "moved"),
)
WAL = Query("how does the wal work")
LONG = Timing()
SHORT = Timing(search=0.05)

pytestmark = pytest.mark.req("R540")


class FakeDdgs:
    """The library's client as its source shows it: a list of results, or one of its errors."""

    def __init__(self) -> None:
        self.behaviour: Behaviour = "found"
        self.started = threading.Event()
        self.released = threading.Event()

    def text(self, query: str, *, max_results: int) -> Sequence[Mapping[str, object]]:
        assert query
        match self.behaviour:
            case "found" | "hostile" as kind:
                results = RESULTS if kind == "found" else HOSTILE_RESULTS
                return [{"href": url, "title": title, "body": told} for url, title, told in results]
            case "hang" | "hang in body":
                self.started.set()
                self.released.wait()
                return []
            case other:
                raise DDGS_ERRORS[other]


DDGS_ERRORS: Mapping[Behaviour, Exception] = {
    "nothing": DDGSException("No results found."),
    "limited": RatelimitException("202 Ratelimit"),
    "broken": DDGSException("ConnectError: \x1b[31mrefused"),
    "not json": ValueError("Expecting value"),
    "strange": AttributeError("'NoneType' object has no attribute 'xpath'"),
    "huge": RuntimeError("body too large"),
    "cut": TimeoutException("operation timed out"),
    "moved": KeyError("location"),
}


@dataclass(frozen=True)
class Subject:
    """A provider over its fake, made anew with other deadlines by `provider`."""

    name: str
    provider: Callable[[Timing], SearchProvider]
    behave: Callable[[Behaviour], None]
    taken: Callable[[], Awaitable[object]]
    """Waits until a request is being left without an answer."""


@pytest.fixture(params=[*HTTP_PROVIDERS, "ddgs"])
async def subject(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Subject]:
    making = _over_ddgs() if request.param == "ddgs" else _over_http(request.param, tmp_path)
    async with making as made:
        yield made


@asynccontextmanager
async def _over_http(name: str, folder: Path) -> AsyncIterator[Subject]:
    async with search_api() as api:
        settings = settings_for(api, folder)

        def behave(behaviour: Behaviour) -> None:
            api.behaviour = behaviour

        yield Subject(
            name,
            lambda timing: provider_named(settings, timing, name=name),
            behave,
            api.hanging.wait,
        )


@asynccontextmanager
async def _over_ddgs() -> AsyncIterator[Subject]:
    fake = FakeDdgs()

    def behave(behaviour: Behaviour) -> None:
        fake.behaviour = behaviour

    try:
        yield Subject(
            "ddgs",
            lambda timing: DdgsSearch(timing, lambda: fake),
            behave,
            lambda: asyncio.to_thread(fake.started.wait),
        )
    finally:
        fake.released.set()


def settings_for(api: SearchApi, folder: Path, *, key: str = KEY) -> Settings:
    addresses = dict.fromkeys(("brave", "tavily"), api.base_url)
    search = SearchSettings(
        searxng_url=api.base_url, brave_api_key=key, tavily_api_key=key, base_urls=addresses
    )
    return Settings(data_dir=folder, search=search)


async def test_hits_come_in_the_order_of_the_service(subject: Subject) -> None:
    found = await subject.provider(LONG).search(WAL)
    assert found == Found(tuple(Hit(*result) for result in RESULTS))


async def test_no_more_hits_than_wanted(subject: Subject) -> None:
    found = await subject.provider(LONG).search(replace(WAL, most_hits=1))
    assert found == Found((Hit(*RESULTS[0]),))


async def test_an_empty_answer_is_nothing_found(subject: Subject) -> None:
    subject.behave("nothing")
    assert await subject.provider(LONG).search(WAL) == NothingFound()


async def test_only_addresses_of_pages_each_once_and_clean_text(subject: Subject) -> None:
    subject.behave("hostile")
    found = await subject.provider(LONG).search(WAL)
    page = Hit("https://example.org/page", "A bold & red title", "x y")
    untitled = Hit("https://example.org/untitled", "example.org", "")
    assert found == Found((page, untitled))


@pytest.mark.parametrize("behaviour", FAILURES)
async def test_every_failure_is_an_outcome_with_a_readable_reason(
    subject: Subject, behaviour: Behaviour
) -> None:
    subject.behave(behaviour)
    failed = await subject.provider(LONG).search(WAL)
    assert isinstance(failed, SearchFailed)
    assert failed.reason.startswith(f"{subject.name}: ")
    assert failed.reason == one_line(failed.reason, 300)
    assert KEY not in failed.reason


async def test_a_rate_limit_is_called_one(subject: Subject) -> None:
    subject.behave("limited")
    failed = await subject.provider(LONG).search(WAL)
    assert isinstance(failed, SearchFailed)
    assert "its rate limit is reached: search again later" in failed.reason


@pytest.mark.parametrize("behaviour", ["hang", "hang in body"])
async def test_a_service_that_hangs_is_given_up_at_the_deadline(
    subject: Subject, behaviour: Behaviour
) -> None:
    subject.behave(behaviour)
    failed = await subject.provider(SHORT).search(WAL)
    assert failed == SearchFailed(f"{subject.name}: no answer within 0.05 s")


async def test_cancellation_passes_at_once(subject: Subject) -> None:
    subject.behave("hang")
    provider = subject.provider(LONG)
    async with asyncio.TaskGroup() as group:
        searching = group.create_task(provider.search(WAL))
        await subject.taken()
        searching.cancel()
    assert searching.cancelled()


async def test_one_provider_serves_many_searches_at_once(subject: Subject) -> None:
    provider = subject.provider(LONG)
    async with asyncio.TaskGroup() as group:
        searches = [group.create_task(provider.search(WAL)) for _ in range(5)]
    assert {type(search.result()) for search in searches} == {Found}


async def test_documents_give_the_same_three_outcomes_but_cannot_fail(tmp_path: Path) -> None:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "wal.md").write_text("# The WAL\n\nReaders do not block\x1b[31m writers.\n")
    library = await DocsLibrary.open([DocsFolder("book", str(folder))], tmp_path / "index")
    provider: SearchProvider = DocsSearch(library)
    assert provider.name == "docs"
    assert await provider.search(WAL) == Found(
        (Hit("docs://book/wal.md", "The WAL", "The WAL: Readers do not block writers."),)
    )
    assert await provider.search(Query("kubernetes")) == NothingFound()


@pytest.mark.parametrize("name", ["brave", "tavily"])
async def test_a_refused_key_is_named_with_the_setting_to_change(name: str, tmp_path: Path) -> None:
    async with search_api() as api:
        settings = settings_for(api, tmp_path, key="not-the-key-0815")
        failed = await provider_named(settings, LONG, name=name).search(WAL)
    assert isinstance(failed, SearchFailed)
    assert f"the key was refused: set [search.{name}] api_key" in failed.reason
    assert "not-the-key-0815" not in failed.reason


@pytest.mark.parametrize("name", HTTP_PROVIDERS)
async def test_a_service_that_is_not_there_is_a_failure(name: str, tmp_path: Path) -> None:
    async with search_api() as api:
        settings = settings_for(api, tmp_path)
    failed = await provider_named(settings, LONG, name=name).search(WAL)
    assert isinstance(failed, SearchFailed)
    assert "cannot be reached" in failed.reason


@pytest.mark.parametrize("name", HTTP_PROVIDERS)
async def test_a_cancelled_search_closes_its_connection(name: str, tmp_path: Path) -> None:
    async with search_api() as api:
        api.behaviour = "hang"
        provider = provider_named(settings_for(api, tmp_path), LONG, name=name)
        async with asyncio.TaskGroup() as group:
            searching = group.create_task(provider.search(WAL))
            await api.hanging.wait()
            searching.cancel()
        await api.left.wait()


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("searxng", "search.searxng.url"),
        ("brave", "search.brave.api_key"),
        ("tavily", "search.tavily.api_key"),
        ("bing", "search.provider"),
    ],
)
def test_a_provider_without_what_it_needs_cannot_start(name: str, key: str, tmp_path: Path) -> None:
    with pytest.raises(CannotStart) as refused:
        provider_named(Settings(data_dir=tmp_path), LONG, name=name)
    assert [problem.where for problem in refused.value.problems] == [key]


def test_without_a_choice_it_is_the_one_that_needs_no_key(tmp_path: Path) -> None:
    assert provider_named(Settings(data_dir=tmp_path), LONG).name == "ddgs"
