"""Everything the workspace shows at one moment, and how news and reads change it.

While something is being read from the engine, what is announced meanwhile is kept and told again
when the answer is there: the answer may be older than the news.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.api import (
    Event,
    ReplyDelta,
    ReplyDiscarded,
    Run,
    RunCosts,
    RunCounts,
    RunDetails,
    RunId,
    RunPage,
)
from gligabao_tui.view.board import Board, dismissed, fold, taken_in
from gligabao_tui.view.details import Details, details_of, fold_details, read_again
from gligabao_tui.view.known import Dated, Known
from gligabao_tui.view.listing import Listing, first_page_read, fold_listing, page_read
from gligabao_tui.view.speech import UNHEARD, Speech, fold_speech, spoken

EMPTY_BOARD = Board()
UNREAD = Listing()


@dataclass(frozen=True, slots=True)
class Desk:
    """`reading` counts the reads under way; `meanwhile` is what was announced since the first."""

    board: Board = EMPTY_BOARD
    listing: Listing = UNREAD
    details: Details | None = None
    reading: int = 0
    meanwhile: tuple[Event, ...] = ()
    speech: Mapping[RunId, Speech] = field(default_factory=dict)
    """What working runs have said in the state they are in."""


def told(desk: Desk, events: Sequence[Event]) -> Desk:
    """The desk after these events."""
    kept = desk.meanwhile + tuple(events) if desk.reading else ()
    speech = fold_speech(desk.speech, events)
    return replace(_folded(desk, events), meanwhile=kept, speech=speech)


def read_begun(desk: Desk) -> Desk:
    return replace(desk, reading=desk.reading + 1)


def read_ended(desk: Desk) -> Desk:
    """Also when the read failed: then nothing was taken in."""
    reading = desk.reading - 1
    return replace(desk, reading=reading, meanwhile=desk.meanwhile if reading else ())


def page_taken(desk: Desk, page: RunPage, *, is_first: bool) -> Desk:
    listing = (first_page_read if is_first else page_read)(desk.listing, page)
    return runs_taken(replace(desk, listing=listing), page.runs)


def runs_taken(desk: Desk, runs: Sequence[Run]) -> Desk:
    return _caught_up(replace(desk, board=taken_in(desk.board, runs)))


def run_taken(desk: Desk, run: Run) -> Desk:
    """A run as an action on it gave it back."""
    desk = runs_taken(desk, [run])
    if desk.details is None or desk.details.id != run.id:
        return desk
    known = desk.details.run
    wrapping = replace(known, wrap_up_at=run.wrap_up_at, wrap_up_by=run.wrap_up_by)
    return replace(desk, details=replace(desk.details, run=wrapping))


def counts_taken(desk: Desk, counts: RunCounts) -> Desk:
    return replace(desk, board=replace(desk.board, counts=counts))


def details_taken(desk: Desk, read: RunDetails) -> Desk:
    """The details of a run as they were read, for the first time or again."""
    known = desk.details
    details = read_again(known, read) if known and known.id == read.run.id else details_of(read)
    board = taken_in(desk.board, [replace(read.run, report="")])
    caught_up = _caught_up(replace(desk, board=board, details=details))
    assert caught_up.details is not None
    heard = desk.speech.get(read.run.id, UNHEARD)
    return replace(caught_up, details=spoken(caught_up.details, heard))


def costs_taken(desk: Desk, costs: RunCosts) -> Desk:
    """What the run of the details costs; of another run than that, nothing is kept."""
    if desk.details is None or desk.details.id != costs.run_id:
        return desk
    return replace(desk, details=replace(desk.details, costs=costs))


def known_taken(desk: Desk, known: Known) -> Desk:
    """What the run of the details brought into the knowledge base; of another run, nothing."""
    if desk.details is None or desk.details.id != known.run_id:
        return desk
    return replace(desk, details=replace(desk.details, known=known))


def dated_taken(desk: Desk, dated: Dated) -> Desk:
    """What happened to the facts of the run of the details; of another run, nothing."""
    if desk.details is None or desk.details.id != dated.run_id:
        return desk
    return replace(desk, details=replace(desk.details, dated=dated))


def listing_asked(desk: Desk, listing: Listing) -> Desk:
    """Another list, which has not been read yet."""
    return replace(desk, listing=listing)


def docked(desk: Desk, run_ids: Sequence[RunId]) -> Desk:
    """With blocks for runs that were kept from an earlier time, as far as they are known."""
    known = {run_id for run_id in run_ids if run_id in desk.board.runs}
    kept = tuple(sorted({*desk.board.docked, *known}, reverse=True))
    return replace(desk, board=replace(desk.board, docked=kept))


def dismissed_from(desk: Desk, *run_ids: RunId) -> Desk:
    return replace(desk, board=dismissed(desk.board, *run_ids))


def details_closed(desk: Desk) -> Desk:
    return replace(desk, details=None)


def _caught_up(desk: Desk) -> Desk:
    """What streamed meanwhile has been heard already; the rest may be told twice."""
    streamed = ReplyDelta | ReplyDiscarded
    return _folded(desk, [event for event in desk.meanwhile if not isinstance(event, streamed)])


def _folded(desk: Desk, events: Sequence[Event]) -> Desk:
    details = fold_details(desk.details, events) if desk.details else None
    return replace(
        desk,
        board=fold(desk.board, events),
        listing=fold_listing(desk.listing, events),
        details=details,
    )
