"""Keeps the desk: reads from the engine what is shown, and keeps it in step with what is told."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime

from engine.api import (
    Event,
    GligabaoError,
    NotFound,
    RememberFilter,
    RememberRun,
    Resync,
    Run,
    RunEnded,
    RunId,
    RunPage,
    Status,
)
from gligabao_tui.bridge import EngineCalls
from gligabao_tui.view import desk as desks
from gligabao_tui.view.desk import Desk
from gligabao_tui.view.known import Dated, Known
from gligabao_tui.view.listing import Ask, Listing, Sort, asked, next_page

MOST_QUEUES, MOST_TEXTS = 20, 200
"""Runs whose texts are looked for, and the latest of each."""


class InOrder:
    """Answers may come in another order than they were asked for: an older one than what was
    taken last is not taken."""

    def __init__(self) -> None:
        self._asked = self._taken = 0

    def ask(self) -> int:
        self._asked += 1
        return self._asked

    def may_take(self, ticket: int) -> bool:
        is_newer = ticket > self._taken
        self._taken = max(self._taken, ticket)
        return is_newer


class Reader:
    """`changed` is called after every change of `desk`. Reads raise GligabaoError."""

    def __init__(
        self, calls: EngineCalls, changed: Callable[[], None], *, now: Callable[[], datetime]
    ) -> None:
        self._calls = calls
        self._now = now
        self._changed = changed
        self._is_paging = False
        self._wanted: RunId | None = None
        self._asked = self._answered = 0
        self._counts_in_order, self._costs_in_order = InOrder(), InOrder()
        self._known_in_order, self._dated_in_order = InOrder(), InOrder()
        self.desk = Desk()

    def told(self, events: Sequence[Event]) -> None:
        self._become(desks.told(self.desk, events))

    async def read_everything(self) -> None:
        """At the start and when events were lost: counts, first page, dock and details."""
        await self.read_counts()
        await self.read_first_page()
        await self._read_runs(self.desk.board.docked)
        if self._wanted is not None:
            await self.open(self._wanted)

    async def dock(self, run_ids: Sequence[RunId]) -> None:
        """Give blocks to runs that had one at an earlier time, if they still exist."""
        await self._read_runs(run_ids)
        self._become(desks.docked(self.desk, run_ids))

    async def read_counts(self) -> None:
        ticket = self._counts_in_order.ask()
        counts = await self._calls.counts()
        if self._counts_in_order.may_take(ticket):
            self._become(desks.counts_taken(self.desk, counts))

    async def read_first_page(self) -> None:
        """Of a list that was read already: as far as it was read."""
        which, known = self.desk.listing.which, len(self.desk.listing.order)
        with self._reading():
            page = await self._calls.list(which)
            runs = list(page.runs)
            while len(runs) < known and page.next_cursor and self.desk.listing.which == which:
                page = await self._calls.list(replace(which, cursor=page.next_cursor))
                runs.extend(page.runs)
            if self.desk.listing.which == which:
                read = RunPage(tuple(runs), page.next_cursor)
                self._become(desks.page_taken(self.desk, read, is_first=True))

    async def read_next_page(self) -> None:
        """One more page, if there is one and it is not being read already."""
        if self._is_paging or not self.desk.listing.next_cursor:
            return
        self._is_paging = True
        listing = self.desk.listing
        try:
            with self._reading():
                page = await self._calls.list(next_page(listing))
                if _continues(self.desk.listing, listing):
                    self._become(desks.page_taken(self.desk, page, is_first=False))
        finally:
            self._is_paging = False

    def ask(self, status: Status | None, text: str, *, sort: Sort) -> bool:
        """Whether that is another list than the one that is shown; if so it must be read."""
        ask = Ask(status, text, sort)
        listing = asked(self.desk.listing, ask, self._now())
        if listing is self.desk.listing:
            return False
        self._become(desks.listing_asked(self.desk, listing))
        return True

    async def open(self, run_id: RunId) -> bool:
        """Whether its details are shown now: not when something else was wanted meanwhile."""
        self._wanted = run_id
        self._asked += 1
        asked = self._asked
        with self._reading():
            try:
                read = await self._calls.get(run_id)
            except GligabaoError:
                self._give_up(run_id)
                raise
            if self._wanted == run_id and asked > self._answered:
                self._answered = asked
                self._become(desks.details_taken(self.desk, read))
        shown = self.desk.details
        return self._wanted == run_id and shown is not None and shown.id == run_id

    async def read_costs(self) -> None:
        """What the run of the details costs."""
        if self.desk.details is None:
            return
        run_id, ticket = self.desk.details.id, self._costs_in_order.ask()
        costs = await self._calls.costs(run_id)
        if self._costs_in_order.may_take(ticket):
            self._become(desks.costs_taken(self.desk, costs))

    async def read_known(self, *, with_agents: bool) -> None:
        """What the run of the details brought into the knowledge base."""
        if self.desk.details is None:
            return
        run_id, ticket = self.desk.details.id, self._known_in_order.ask()
        calls = self._calls.knowledge
        provenance = await calls.provenance(run_id, include_subagents=with_agents)
        queue = await self._queue([run_id, *(one.run_id for one in provenance.sessions)])
        if self._known_in_order.may_take(ticket):
            known = Known(run_id, provenance, queue, with_agents)
            self._become(desks.known_taken(self.desk, known))

    async def read_dated(self, *, with_agents: bool) -> None:
        """What happened to the facts of the run of the details."""
        if self.desk.details is None:
            return
        run_id, ticket = self.desk.details.id, self._dated_in_order.ask()
        temporal = await self._calls.knowledge.temporal(run_id, include_subagents=with_agents)
        queue = await self._queue([run_id])
        if self._dated_in_order.may_take(ticket):
            dated = Dated(run_id, temporal, queue, with_agents)
            self._become(desks.dated_taken(self.desk, dated))

    async def _queue(self, run_ids: Sequence[RunId]) -> tuple[RememberRun, ...]:
        """What became of the texts of these runs."""
        found: list[RememberRun] = []
        for run_id in list(dict.fromkeys(run_ids))[:MOST_QUEUES]:
            which = RememberFilter(run_id=run_id, limit=MOST_TEXTS)
            found.extend((await self._calls.knowledge.remember_runs(which)).runs)
        return tuple(found)

    def close_details(self) -> None:
        self._wanted = None
        self._become(desks.details_closed(self.desk))

    def dismiss(self, *run_ids: RunId) -> None:
        self._become(desks.dismissed_from(self.desk, *run_ids))

    def take(self, run: Run) -> None:
        """A run that was started, stopped or asked to wrap up."""
        self._become(desks.run_taken(self.desk, run))

    async def catch_up(self, events: Sequence[Event]) -> None:
        """Read what these events only point at: reports, ends, and what was lost."""
        if any(isinstance(event, Resync) and event.run_id is None for event in events):
            await self.read_everything()
            return
        wanted = self._wanted
        if wanted is not None and any(_must_read(event, wanted) for event in events):
            await self.open(wanted)

    async def _read_runs(self, run_ids: Sequence[RunId]) -> None:
        """The runs that the page just read does not have; one that is gone is passed over."""
        runs: list[Run] = []
        with self._reading():
            for run_id in set(run_ids).difference(self.desk.listing.order):
                with suppress(NotFound):
                    runs.append((await self._calls.get(run_id)).run)
            self._become(desks.runs_taken(self.desk, runs))

    def _give_up(self, run_id: RunId) -> None:
        """Those details cannot be read: what is shown stays."""
        if self._wanted == run_id:
            self._wanted = self.desk.details.id if self.desk.details else None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        self.desk = desks.read_begun(self.desk)
        try:
            yield
        finally:
            self.desk = desks.read_ended(self.desk)

    def _become(self, desk: Desk) -> None:
        self.desk = desk
        self._changed()


def _continues(listing: Listing, before: Listing) -> bool:
    """Whether the page after `before` is still the next one."""
    return (listing.which, listing.next_cursor) == (before.which, before.next_cursor)


def _must_read(event: Event, run_id: RunId) -> bool:
    return isinstance(event, RunEnded | Resync) and event.run_id == run_id
