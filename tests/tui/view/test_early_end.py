"""Reports that were ended early: by a cap or a person, said by a mark and by words everywhere."""

from dataclasses import replace

import pytest

from engine.api import Run, RunCosts, RunEnded, RunId
from gligabao_tui.view.board import updated
from gligabao_tui.view.cards import card, strip_card
from gligabao_tui.view.cost import cost_head
from gligabao_tui.view.details import Details
from gligabao_tui.view.early_end import cap_told, cut_words, early_end, early_note, mark_of, word_of
from gligabao_tui.view.glyphs import ASCII, DRAWN, Glyphs
from gligabao_tui.view.report_notes import note_lines, report_notes
from gligabao_tui.view.run_rows import Table, run_row
from gligabao_tui.view.state_rows import details_head
from gligabao_tui.view.text import Line, line_width, plain
from tests.fakes.clock import START
from tests.tui.early_scenes import SENTENCE

DONE = Run(
    id=RunId(7),
    user_id="admin",
    topic="Who owns the wind farms of the Baltic Sea?",
    status="completed",
    state="completed",
    model="claude-sonnet-5-5",
    max_steps=20,
    created_at="2026-11-01T09:00:00.000Z",
    finished_at="2026-11-01T09:01:00.000Z",
    cost_usd=5.02,
)
REPORT = "# Owners\n\nTwo.\n\n" + SENTENCE.format(whose="the cost cap of this research", usd="5.00")
CAPPED = replace(DONE, stop_reason="cap:research", report=REPORT)
OWN = replace(
    DONE,
    stop_reason="cap:agent",
    report="Two.\n\n" + SENTENCE.format(whose="this agent's cost cap", usd="1.50"),
)
WRAPPED = replace(DONE, stop_reason="wrap_up", wrap_up_by="the admin UI", report="Two.")
EARLY = {"capped": CAPPED, "own": OWN, "wrapped": WRAPPED}


def text(rows: tuple[Line, ...]) -> str:
    return "\n".join(plain(row) for row in rows)


def test_a_run_that_was_done_is_not_said_to_have_ended_early() -> None:
    assert early_end(DONE) is None
    assert (cut_words(DONE), early_note(DONE, REPORT), cap_told(DONE)) == ("", "", "")
    assert word_of(DONE) == "done"


@pytest.mark.parametrize("reason", ["gates", "max_steps", "cap:other"])
def test_other_reasons_are_no_early_ends(reason: str) -> None:
    assert early_end(replace(DONE, stop_reason=reason)) is None


def test_a_run_that_failed_after_a_cap_was_reached_has_no_report_that_was_cut() -> None:
    assert early_end(replace(CAPPED, status="failed")) is None


def test_the_cap_that_cut_a_report_is_named_with_its_amount() -> None:
    assert cut_words(CAPPED) == "cut by the research's cost cap"
    assert early_note(CAPPED, CAPPED.report) == (
        "Stopped early by the research's cost cap of $5.00: it may be incomplete."
    )
    assert cap_told(OWN) == "its cost cap of $1.50 cut the report"


def test_a_report_that_tells_no_amount_is_said_to_be_cut_all_the_same() -> None:
    assert early_note(CAPPED, "Two.") == (
        "Stopped early by the research's cost cap: it may be incomplete."
    )
    assert "$9.00" not in early_note(CAPPED, REPORT.replace("\n\nTwo", " ($9.00)\n\nTwo"))


def test_who_wrapped_a_run_up_is_named() -> None:
    assert cut_words(WRAPPED) == "wrapped up by the admin UI"
    assert early_note(WRAPPED, "Two.").startswith("Wrapped up early by the admin UI: ")
    assert cap_told(WRAPPED) == ""


@pytest.mark.parametrize("glyphs", [DRAWN, ASCII])
@pytest.mark.parametrize("name", EARLY)
def test_the_mark_takes_one_cell_and_is_none_of_the_other_statuses(
    name: str, glyphs: Glyphs
) -> None:
    mark = mark_of(EARLY[name], glyphs)
    assert len(mark) == 1
    assert mark not in (glyphs.working, glyphs.done, glyphs.failed, glyphs.stopped)
    assert mark.isascii() or glyphs is DRAWN


@pytest.mark.parametrize("width", [56, 76, 116])
@pytest.mark.parametrize("name", EARLY)
def test_the_list_says_it_in_every_width(name: str, width: int) -> None:
    row = run_row(EARLY[name], Table(width), now=START, glyphs=DRAWN)
    assert line_width(row) == width
    assert f"{DRAWN.cut} {word_of(EARLY[name])}" in plain(row)
    assert (cut_words(EARLY[name]) in plain(row)) is (width > 100)


@pytest.mark.parametrize("name", EARLY)
def test_the_dock_says_it(name: str) -> None:
    run = EARLY[name]
    assert f"{ASCII.cut} {word_of(run)}" in text(strip_card(run, 30, now=START, glyphs=ASCII))
    assert cut_words(run) in text(card(run, 34, now=START, glyphs=DRAWN))
    assert all(line_width(row) <= 20 for row in card(run, 20, now=START, glyphs=DRAWN)[-1:])


@pytest.mark.parametrize("name", EARLY)
def test_the_head_of_the_details_says_it(name: str) -> None:
    run = EARLY[name]
    told = text(details_head(Details(run), 76, now=START, glyphs=DRAWN))
    assert f"{DRAWN.cut} {word_of(run)}" in told
    assert cut_words(run) in told


def test_a_note_stands_above_a_report_that_was_cut_and_before_what_is_said_of_its_quotations() -> (
    None
):
    details = Details(CAPPED, report=REPORT, quotations={"missing": 1})
    told = text(note_lines(report_notes(details), 120)).splitlines()
    assert [told[0][:13], told[1][:6]] == ["Stopped early", "1 of 1"]
    assert report_notes(Details(DONE, report="Two.")) == ()


def test_the_costs_say_which_cap_cut_the_report() -> None:
    capped = text(cost_head(RunCosts(RunId(7), (), 5.0), CAPPED, 76, glyphs=DRAWN))
    assert "the research's cost cap of $5.00 cut the report" in capped
    own = text(cost_head(RunCosts(RunId(7)), OWN, 76, glyphs=ASCII))
    assert f"{ASCII.cut} its cost cap of $1.50 cut the report" in own
    assert "no cap" not in own


def test_what_ended_a_run_early_is_known_as_soon_as_it_ends() -> None:
    ended = RunEnded(RunId(7), 9, "completed", "", "2026-11-01T09:01:00.000Z", "cap:research")
    working = replace(DONE, status="running", finished_at=None)
    assert early_end(updated(working, ended)) == "cap:research"
