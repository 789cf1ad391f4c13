"""The list of runs: which ones, in which order, and how far it has been read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from string import ascii_lowercase, ascii_uppercase
from typing import Literal, TypeAlias
from unicodedata import normalize

from engine.api import (
    STATUSES,
    Event,
    Run,
    RunEnded,
    RunFilter,
    RunId,
    RunPage,
    RunStarted,
    Status,
)
from gligabao_tui.view.query import Query, query_of

PAGE_RUNS = 200
Sort: TypeAlias = Literal["started", "cost", "steps", "status"]
SORTS: tuple[Sort, ...] = ("started", "cost", "steps", "status")
SORT_WORDS: dict[Sort, str] = {
    "started": "newest first",
    "cost": "dearest first",
    "steps": "most steps first",
    "status": "by status",
}
FILTERS: tuple[Status | None, ...] = (None, "running", "completed", "failed", "stopped")


EVERYTHING = RunFilter(limit=PAGE_RUNS)
NOTHING_TYPED = Query()
SEARCHED = ("topic", "name", "agent_name")
_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


@dataclass(frozen=True, slots=True)
class Ask:
    """What somebody wants to see: the status of the chosen tab, what was typed, and the order."""

    status: Status | None = None
    text: str = ""
    sort: Sort = "started"


EVERYTHING_ASKED = Ask()


@dataclass(frozen=True, slots=True)
class Listing:
    """`order` are the runs in the order they were read; `next_cursor` is empty at the end."""

    which: RunFilter = EVERYTHING
    order: tuple[RunId, ...] = ()
    next_cursor: str = ""
    is_read: bool = False
    ask: Ask = EVERYTHING_ASKED
    query: Query = NOTHING_TYPED
    """What was typed, understood; `which` is that part of it which the engine is asked for."""

    @property
    def is_filtered(self) -> bool:
        return self.ask.status is not None or bool(self.ask.text)


def asked(listing: Listing, ask: Ask, now: datetime) -> Listing:
    """A listing that has not been read yet, unless it is the one that there is."""
    ask = replace(ask, text=ask.text.strip())
    if ask == listing.ask:
        return listing
    query = query_of(ask.text, now)
    statuses = set(query.statuses)
    only = next(iter(statuses)) if len(statuses) == 1 else None
    status = ask.status or only
    which = RunFilter(
        status=status,
        finished=status is None and bool(statuses) and "running" not in statuses,
        text=query.words,
        sort=ask.sort,
        limit=PAGE_RUNS,
        agent=query.agent,
        model=query.model,
        since=query.since,
        cost_above=query.cost_above,
    )
    return Listing(which, ask=ask, query=query)


def next_page(listing: Listing) -> RunFilter:
    return replace(listing.which, cursor=listing.next_cursor)


def first_page_read(listing: Listing, page: RunPage) -> Listing:
    order = tuple(run.id for run in page.runs)
    return replace(listing, order=order, next_cursor=page.next_cursor, is_read=True)


def page_read(listing: Listing, page: RunPage) -> Listing:
    """With one more page at its end, each run once."""
    known = set(listing.order)
    more = tuple(run.id for run in page.runs if run.id not in known)
    return replace(listing, order=listing.order + more, next_cursor=page.next_cursor)


def fold_listing(listing: Listing, events: Iterable[Event]) -> Listing:
    """With the runs that these events have brought: what does not match is left out when shown."""
    order = listing.order
    for event in events:
        brought = _brought(event)
        if brought is not None and brought not in order:
            order = _inserted(order, brought, by_age=listing.which.sort == "started")
    return listing if order is listing.order else replace(listing, order=order)


def shown(listing: Listing, runs: Mapping[RunId, Run]) -> tuple[Run, ...]:
    """The runs of the list, as they are now. Called for every change: quick without a filter."""
    found = [run for run in map(runs.get, listing.order) if run is not None]
    if not listing.is_filtered:
        return tuple(found)
    match = _matcher(listing)
    return tuple(run for run in found if match(run))


def after(status: Status | None, by: int) -> Status | None:
    """The filter `by` places to the right of this one, round the end."""
    return FILTERS[(FILTERS.index(status) + by) % len(FILTERS)]


def sort_after(sort: Sort) -> Sort:
    return SORTS[(SORTS.index(sort) + 1) % len(SORTS)]


def _brought(event: Event) -> RunId | None:
    if isinstance(event, RunStarted):
        return event.run.id
    return event.run_id if isinstance(event, RunEnded) else None


def _inserted(order: tuple[RunId, ...], run_id: RunId, *, by_age: bool) -> tuple[RunId, ...]:
    if not by_age:
        return (run_id, *order)
    place = next((index for index, known in enumerate(order) if known < run_id), len(order))
    return (*order[:place], run_id, *order[place:])


def _matcher(listing: Listing) -> Callable[[Run], bool]:
    """Whether a run is one that the engine would list; it may have changed since it did."""
    which, query = listing.which, listing.query
    words = _key(which.text).split()
    agent, model = which.agent.translate(_ASCII_LOWER), which.model.translate(_ASCII_LOWER)
    since = which.since.removesuffix("Z")
    statuses = query.statuses or STATUSES

    def matches(run: Run) -> bool:
        return (
            which.status in (None, run.status)
            and run.status in statuses
            and run.cost_usd > which.cost_above - (not which.cost_above)
            and run.created_at >= since
            and agent in run.agent_name.translate(_ASCII_LOWER)
            and model in run.model.translate(_ASCII_LOWER)
            and (not words or _has_all(run, words))
        )

    return matches


def _has_all(run: Run, words: Sequence[str]) -> bool:
    key = _key("\n".join(getattr(run, field) for field in SEARCHED))
    return all(word in key for word in words)


def _key(written: str) -> str:
    """What two texts share when a person would call them the same: as the store compares them."""
    return normalize("NFKC", normalize("NFKC", written).casefold())
