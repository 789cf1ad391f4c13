"""Documents and the web as one source: who reads what, and what is left when one side fails."""

from dataclasses import dataclass, field

import pytest

from engine.domain.usage import Usage
from engine.web.both import BothReaders, BothSearches
from engine.web.page import Page
from engine.web.search import Found, Hit, NothingFound, Query, SearchFailed, SearchOutcome


@dataclass
class Reader:
    asked: list[str] = field(default_factory=list)
    is_closed: bool = False

    async def read(self, url: str) -> Page:
        self.asked.append(url)
        return Page(url, url, "text/plain", "", "")

    async def aclose(self) -> None:
        self.is_closed = True


@dataclass
class Search:
    outcome: SearchOutcome
    name: str = "fixed"

    async def search(self, query: Query) -> SearchOutcome:
        return self.outcome


async def found_by(docs: SearchOutcome, web: SearchOutcome) -> SearchOutcome:
    return await BothSearches(Search(docs), Search(web)).search(Query("x"))


@pytest.mark.parametrize("url", ["docs://book/a.md", "DOCS://book/a.md", "docs:a", "docs://[::1"])
async def test_addresses_of_documents_go_to_the_documents(url: str) -> None:
    docs, web = Reader(), Reader()
    await BothReaders(docs, web).read(url)
    assert (docs.asked, web.asked) == ([url], [])


@pytest.mark.parametrize("url", ["https://example.com/", "", "docs", "http://[::1", "http://a＃b/"])
async def test_everything_else_goes_to_the_web(url: str) -> None:
    docs, web = Reader(), Reader()
    await BothReaders(docs, web).read(url)
    assert (docs.asked, web.asked) == ([], [url])


async def test_both_readers_are_closed() -> None:
    docs, web = Reader(), Reader()
    await BothReaders(docs, web).aclose()
    assert docs.is_closed
    assert web.is_closed


async def test_what_both_find_stands_together_documents_first() -> None:
    docs = Found((Hit("docs://a/b", "B", "of b"),), usage=Usage(input_tokens=1))
    web = Found((Hit("http://c.org/", "C"),), "a summary", Usage(input_tokens=2))
    found = await found_by(docs, web)
    assert found == Found((*docs.hits, *web.hits), "B: of b\n\na summary", Usage(input_tokens=3))


async def test_a_side_that_fails_leaves_what_the_other_found() -> None:
    docs = Found((Hit("docs://a/b", "B"),))
    found = await found_by(docs, SearchFailed("no answer"))
    assert isinstance(found, Found)
    assert found.hits == docs.hits


async def test_a_failure_is_told_only_when_nothing_was_found() -> None:
    assert await found_by(NothingFound(), SearchFailed("why")) == SearchFailed("why")
    both = await found_by(SearchFailed("one"), SearchFailed("two"))
    assert both == SearchFailed("one; two")
    assert await found_by(NothingFound(), NothingFound()) == NothingFound()
