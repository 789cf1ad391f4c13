"""Documents and the web as one source, for a run that was given both."""

from engine.web.page import Page, PageReader
from engine.web.providers.docs_address import is_of_docs
from engine.web.search import (
    Found,
    Hit,
    NothingFound,
    Query,
    SearchFailed,
    SearchOutcome,
    SearchProvider,
)


class BothSearches:
    """Asks the documents, then the web; one that fails leaves what the other found."""

    name = "docs and web"

    def __init__(self, docs: SearchProvider, web: SearchProvider) -> None:
        self._docs = docs
        self._web = web

    async def search(self, query: Query) -> SearchOutcome:
        return joined(await self._docs.search(query), await self._web.search(query))


class BothReaders:
    """`docs://` addresses are read from the documents, everything else from the web."""

    def __init__(self, docs: PageReader, web: PageReader) -> None:
        self._docs = docs
        self._web = web

    async def read(self, url: str) -> Page:
        reader = self._docs if is_of_docs(url) else self._web
        return await reader.read(url)

    async def aclose(self) -> None:
        await self._docs.aclose()
        await self._web.aclose()


def joined(first: SearchOutcome, second: SearchOutcome) -> SearchOutcome:
    """Everything that was found; a failure only where nothing else was found."""
    usage = first.usage + second.usage
    found = [outcome for outcome in (first, second) if isinstance(outcome, Found)]
    if found:
        hits = tuple(hit for outcome in found for hit in outcome.hits)
        return Found(hits, "\n\n".join(_told(outcome) for outcome in found), usage)
    failed = [outcome for outcome in (first, second) if isinstance(outcome, SearchFailed)]
    if failed:
        return SearchFailed("; ".join(outcome.reason for outcome in failed), usage)
    return NothingFound(usage)


def _told(found: Found) -> str:
    return found.summary or "\n".join(_line(hit) for hit in found.hits)


def _line(hit: Hit) -> str:
    return f"{hit.title}: {hit.snippet}"
