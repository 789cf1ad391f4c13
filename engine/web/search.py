"""Search as a protocol with a three-valued result: found, truly nothing, or failed and why."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from engine.domain.usage import Usage


@dataclass(frozen=True, slots=True)
class Hit:
    """One page that a search found. `url` may carry a `#anchor` of the section that matched."""

    url: str
    title: str
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first, without repeated addresses; `summary` where the provider writes one."""

    hits: tuple[Hit, ...]
    summary: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class NothingFound:
    """The provider answered, and there is nothing."""

    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class SearchFailed:
    """The provider did not answer properly; `reason` is for the model and the person."""

    reason: str
    usage: Usage = Usage()


SearchOutcome: TypeAlias = Found | NothingFound | SearchFailed


@dataclass(frozen=True, slots=True)
class Query:
    """One search: 1 to 400 characters after trimming; at most `most_hits` hits are wanted."""

    text: str
    most_hits: int = 10


class SearchProvider(Protocol):
    """Searches for one run. Raises only CancelledError: what goes wrong is a SearchFailed."""

    @property
    def name(self) -> str: ...

    async def search(self, query: Query) -> SearchOutcome: ...
