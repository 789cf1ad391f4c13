"""The library `ddgs`, which asks public search engines without a key. It works in a thread.

Its engines change their pages and refuse callers often: what it raises is told, never guessed.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from engine.domain.text_safety import one_line
from engine.domain.timing import Timing
from engine.web.providers.results import RawHit, outcome
from engine.web.search import NothingFound, Query, SearchFailed, SearchOutcome

NAME = "ddgs"
_ENGINE_SECONDS = 8
_NO_RESULTS = "no results found"
_REASON_MOST_CHARS = 160
_UNPROMISED = (
    ImportError,
    OSError,
    RuntimeError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
)
"""What its parsers and its HTTP client may raise beside the library's own errors."""


class DdgsClient(Protocol):
    """The one method of `ddgs.DDGS` that is used. Results have `href`, `title` and `body`."""

    def text(self, query: str, *, max_results: int) -> Sequence[Mapping[str, object]]: ...


def library_client() -> DdgsClient:
    """A client of the library. Loads it: call it in a thread."""
    from ddgs import DDGS

    return DDGS(timeout=_ENGINE_SECONDS)


class DdgsSearch:
    """The provider `ddgs`; `client` is called once a search, in the search's thread."""

    name = NAME

    def __init__(self, timing: Timing, client: Callable[[], DdgsClient] = library_client) -> None:
        self._deadline_seconds = timing.search
        self._client = client

    async def search(self, query: Query) -> SearchOutcome:
        """A thread that outlives the deadline ends by its own timeouts; nobody waits for it."""
        try:
            async with asyncio.timeout(self._deadline_seconds):
                return await asyncio.to_thread(self._search, query)
        except TimeoutError:
            return SearchFailed(f"{NAME}: no answer within {self._deadline_seconds:g} s")

    def _search(self, query: Query) -> SearchOutcome:
        try:
            client = self._client()
        except ImportError as exc:
            return SearchFailed(f"{NAME}: the library cannot be loaded ({exc})")
        from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

        try:
            results = client.text(query.text, max_results=query.most_hits)
        except RatelimitException:
            return SearchFailed(f"{NAME}: its rate limit is reached: search again later")
        except TimeoutException:
            return SearchFailed(f"{NAME}: the search engines took too long")
        except DDGSException as exc:
            return _unfound(str(exc))
        except _UNPROMISED as exc:
            return SearchFailed(f"{NAME}: {type(exc).__name__}: {_short(exc)}")
        return outcome((_raw(result) for result in results), query)


def _unfound(said: str) -> SearchOutcome:
    """It raises one error for an empty answer and for engines that all failed."""
    if said.strip().rstrip(".").lower() == _NO_RESULTS:
        return NothingFound()
    return SearchFailed(f"{NAME}: {one_line(said, _REASON_MOST_CHARS)}")


def _short(exc: BaseException) -> str:
    return one_line(str(exc), _REASON_MOST_CHARS)


def _raw(result: Mapping[str, object]) -> RawHit:
    return RawHit(*(str(result.get(key) or "") for key in ("href", "title", "body")))
