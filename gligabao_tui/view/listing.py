"""The list of runs: which ones, in which order, and how far it has been read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine.api import Event, Run, RunEnded, RunFilter, RunId, RunPage, RunStarted, Status

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


@dataclass(frozen=True, slots=True)
class Listing:
    """`order` are the runs in the order they were read; `next_cursor` is empty at the end."""

    which: RunFilter = EVERYTHING
    order: tuple[RunId, ...] = ()
    next_cursor: str = ""
    is_read: bool = False

    @property
    def is_filtered(self) -> bool:
        return self.which.status is not None or bool(self.which.text)


def asked(listing: Listing, *, status: Status | None, text: str, sort: Sort) -> Listing:
    """A listing that has not been read yet."""
    which = RunFilter(status=status, text=text.strip(), sort=sort, limit=PAGE_RUNS)
    return listing if which == listing.which else Listing(which)


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
    status, words = listing.which.status, listing.which.text.lower().split()
    return tuple(run for run in found if _matches(run, status, words))


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


def _matches(run: Run, status: Status | None, words: Sequence[str]) -> bool:
    if status not in (None, run.status):
        return False
    topic = run.topic.lower() if words else ""
    return all(word in topic for word in words)
