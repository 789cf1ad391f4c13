"""Keeps a search to the sites of an agent, for providers that search everywhere."""

from collections.abc import Sequence
from dataclasses import replace

from engine.web.addresses import Allowed, Refusal, check_url
from engine.web.search import Found, Hit, NothingFound, Query, SearchOutcome, SearchProvider
from engine.web.sites import ANY_SITE, Sites

_MORE = 2
"""How many times as many hits are asked for, since some are left out."""


class FilteredSearch:
    """Shows what `inner` finds on `sites`, and nothing of what it says of other pages."""

    def __init__(
        self, inner: SearchProvider, sites: Sites, *, allow: Sequence[Allowed] = ()
    ) -> None:
        """`allow` are the private places that may be read, and so may be shown."""
        self._inner = inner
        self._sites = sites
        self._allow = allow

    @property
    def name(self) -> str:
        return self._inner.name

    async def search(self, query: Query) -> SearchOutcome:
        if self._sites == ANY_SITE:
            return await self._inner.search(query)
        outcome = await self._inner.search(replace(query, most_hits=query.most_hits * _MORE))
        if not isinstance(outcome, Found):
            return outcome
        hits = tuple(hit for hit in outcome.hits if self._shows(hit))
        summary = outcome.summary if len(hits) == len(outcome.hits) else ""
        if not hits and not summary:
            return NothingFound(outcome.usage)
        return Found(hits[: query.most_hits], summary, outcome.usage)

    def _shows(self, hit: Hit) -> bool:
        return not isinstance(self._sites.checked(check_url(hit.url, self._allow)), Refusal)
