"""The list of runs: filters, order, pages, and runs that come while it is shown."""

from datetime import UTC, datetime

import pytest

from engine.api import RunId, RunPage, RunStarted
from gligabao_tui.view.listing import (
    PAGE_RUNS,
    Ask,
    Listing,
    after,
    asked,
    first_page_read,
    fold_listing,
    next_page,
    page_read,
    shown,
    sort_after,
)
from tests.tui.view.samples import a_run, run_ended

NOW = datetime(2026, 11, 30, tzinfo=UTC)
RUNS = {RunId(n): a_run(n) for n in range(1, 8)}


def test_a_page_is_two_hundred_runs() -> None:
    assert (Listing().which.limit, PAGE_RUNS) == (200, 200)


def test_the_same_question_is_not_asked_twice() -> None:
    listing = Listing()
    assert asked(listing, Ask(None, "  ", "started"), NOW) is listing
    other = asked(listing, Ask("failed", " river ", "cost"), NOW)
    assert (other.which.status, other.which.text, other.which.sort) == ("failed", "river", "cost")
    assert not other.is_read


def test_pages_are_joined_without_repeating_a_run() -> None:
    listing = first_page_read(Listing(), RunPage((RUNS[RunId(7)], RUNS[RunId(6)]), "2"))
    assert next_page(listing).cursor == "2"
    listing = page_read(listing, RunPage((RUNS[RunId(6)], RUNS[RunId(5)])))
    assert (listing.order, listing.next_cursor) == ((7, 6, 5), "")


def test_a_run_that_starts_is_put_where_its_age_says() -> None:
    listing = Listing(order=(RunId(6), RunId(3)), is_read=True)
    listing = fold_listing(listing, [RunStarted(a_run(7)), RunStarted(a_run(5))])
    assert listing.order == (7, 6, 5, 3)
    assert fold_listing(listing, [RunStarted(a_run(5))]) is listing


@pytest.mark.req("R153")
def test_a_filtered_list_shows_what_matches_now() -> None:
    runs = {RunId(1): a_run(1, "failed"), RunId(2): a_run(2, "completed", "Lakes")}
    listing = asked(Listing(), Ask("failed", "", "started"), NOW)
    listing = fold_listing(listing, [run_ended("failed"), run_ended("completed", run_id=2)])
    assert [run.id for run in shown(listing, runs)] == [1]
    words = fold_listing(asked(Listing(), Ask(None, "LAKE", "started"), NOW), [])
    assert shown(first_page_read(words, RunPage(tuple(runs.values()))), runs) == (runs[RunId(2)],)


def test_filters_and_orders_go_round() -> None:
    assert (after(None, 1), after(None, -1), after("stopped", 1)) == ("running", "stopped", None)
    assert (sort_after("started"), sort_after("status")) == ("cost", "started")
