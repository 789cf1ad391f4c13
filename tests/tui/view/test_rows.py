"""Rows, blocks and heads: what is said of a run, at every width."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.api import STATUSES, Run, RunCounts, RunId, Status
from gligabao_tui.view.cards import card, strip_card
from gligabao_tui.view.details import Moment, Said
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.listing import Listing
from gligabao_tui.view.run_rows import Table, filter_tabs, header_row, run_row
from gligabao_tui.view.state_rows import PEEK_ROWS, Frame, details_head, state_lines
from gligabao_tui.view.status_line import Top, status_line, window_title
from gligabao_tui.view.tabs import Below, below_line, tab_line
from gligabao_tui.view.text import Line, line_width, plain, target_at, width_of
from tests.tui.view.samples import a_run, a_state, some_details

NOW = datetime(2026, 11, 1, 10, 5, tzinfo=UTC)
WIDTHS = (40, 57, 64, 80, 110)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("status", STATUSES)
def test_a_row_is_exactly_as_wide_as_the_list(width: int, status: Status) -> None:
    run = a_run(7, status, "A topic that goes on and on " * 5)
    assert line_width(run_row(run, Table(width), now=NOW, glyphs=DRAWN)) == width
    assert line_width(header_row(Table(width))) == width


@pytest.mark.req("R154")
def test_a_row_tells_running_time_and_how_long_ago_it_started() -> None:
    words = plain(run_row(a_run(7, "completed"), Table(110), now=NOW, glyphs=DRAWN)).split()
    assert words == ["✓", "done", "#7", "Rivers", "0/20", "1:10", "$0.00", "5m"]


@pytest.mark.req("R152", "R156")
def test_working_rows_have_a_stop_button_and_failed_ones_a_red_failed_button() -> None:
    working = run_row(a_run(), Table(80), now=NOW, glyphs=DRAWN)
    assert target_at(working, 75) == "stop"
    failed = run_row(a_run(status="failed"), Table(80), now=NOW, glyphs=DRAWN)
    assert (target_at(failed, 2), failed[0].tone) == ("error", "pill-bad")
    assert "stop" not in plain(run_row(a_run(status="completed"), Table(80), now=NOW, glyphs=DRAWN))


def test_columns_go_from_the_list_where_it_is_narrow() -> None:
    shown = [plain(header_row(Table(width))).split() for width in (110, 80, 50, 40)]
    assert shown == [
        ["status", "topic", "steps", "time", "cost", "age"],
        ["status", "topic", "steps", "time", "cost", "age"],
        ["status", "topic", "time", "age"],
        ["status", "topic", "age"],
    ]


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("glyphs", [DRAWN, ASCII])
def test_a_status_is_told_by_a_word_beside_its_colour(status: Status, glyphs: object) -> None:
    words = {"running": "working", "completed": "done", "failed": "failed", "stopped": "stopped"}
    assert glyphs in (DRAWN, ASCII)
    row = plain(run_row(a_run(status=status), Table(80), now=NOW, glyphs=DRAWN))
    assert words[status] in row


def test_every_ascii_symbol_is_ascii() -> None:
    assert all(getattr(ASCII, name).isascii() for name in ASCII.__slots__)


@pytest.mark.req("R161")
def test_a_block_tells_state_topic_running_time_and_steps() -> None:
    run = replace(a_run(7, topic="How do rivers change their beds over time?"), steps=4)
    rows = [plain(row) for row in card(run, 28, now=NOW, glyphs=DRAWN)]
    assert rows == [
        "● thinking              5:00",
        "How do rivers change their",
        "beds over time?",
        "#7  step 4/20  $0.00",
    ]


def test_an_ended_block_tells_how_long_ago_and_can_be_dismissed() -> None:
    head = card(a_run(status="stopped"), 28, now=NOW, glyphs=DRAWN)[0]
    assert plain(head) == "■ stopped          3m ago × "
    assert target_at(head, 26) == "dismiss"


@pytest.mark.req("R156", "R162")
def test_a_failed_block_leads_to_its_error() -> None:
    rows = card(a_run(status="failed"), 28, now=NOW, glyphs=DRAWN)
    assert (rows[0][0].tone, rows[-1][0].target, rows[-1][0].tone) == ("bad", "error", "pill-bad")


def test_a_long_topic_takes_two_rows_of_a_block_and_one_of_the_strip() -> None:
    run = a_run(topic="word " * 60)
    assert len(card(run, 28, now=NOW, glyphs=DRAWN)) == 4
    strip = strip_card(run, 24, now=NOW, glyphs=DRAWN)
    assert [line_width(row) for row in strip] == [24, 24]


def lines_of(moment: Moment, *, is_open: bool | None = None) -> list[str]:
    frame = Frame(80, NOW, DRAWN, is_open)
    return [plain(row).rstrip() for row in state_lines(moment, frame)]


def test_a_state_is_one_line_until_it_is_opened() -> None:
    moment = Moment(replace(a_state(2, "reading"), detail="a long address " * 9))
    (head,) = lines_of(moment)
    assert head.split()[:4] + head.split()[-1:] == ["▸", "2", "✓", "reading", "5.0s"]
    opened = lines_of(moment, is_open=True)
    assert opened[0].startswith("▾")
    assert " ".join(opened[1:-1]).split() == ["a", "long", "address"] * 9
    assert opened[-1].strip() == "began 10:00:00 UTC, step 2"


def test_the_first_state_tells_the_whole_topic() -> None:
    frame = Frame(80, NOW, DRAWN, is_open=True, topic="A long question " * 40)
    rows = [plain(row) for row in state_lines(Moment(a_state(1, "starting")), frame)]
    assert " ".join(rows[1:-1]).split() == ["A", "long", "question"] * 40


def test_a_long_topic_takes_at_most_two_rows_of_the_head() -> None:
    details = replace(some_details(), run=a_run(topic="A long question " * 40))
    rows = [plain(row) for row in details_head(details, 60, now=NOW, glyphs=DRAWN)]
    assert len(rows) == 3
    assert rows[1].endswith("…")


def test_a_failed_state_is_red_with_the_error_in_its_row() -> None:
    moment = Moment(a_state(2, "reading", error="example.org: status 404"))
    head = state_lines(moment, Frame(80, NOW, DRAWN))[0]
    assert "example.org: status 404" in plain(head)
    assert {span.tone for span in head if "404" in span.text or "reading" in span.text} == {"bad"}


def test_what_streams_shows_its_end_below_the_live_state() -> None:
    said = Said(text="\n".join(f"row {n}" for n in range(30)))
    rows = lines_of(Moment(a_state(2, ended=None), said))
    assert len(rows) == 1 + PEEK_ROWS
    assert rows[-1].strip() == "row 29"
    assert len(lines_of(Moment(a_state(2, ended=None), said), is_open=True)) > 30
    assert len(lines_of(Moment(a_state(2, ended=None), said), is_open=False)) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_heads_never_take_more_than_the_width(width: int) -> None:
    details = some_details(a_state(1), status="failed")
    rows: list[Line] = [
        *details_head(details, width, now=NOW, glyphs=DRAWN),
        tab_line(details, "states", width),
        below_line(Below(4, follows=False), width, DRAWN),
        status_line(Top(RunCounts({"running": 120, "failed": 7})), width, DRAWN),
    ]
    assert all(line_width(row) <= max(width, 62) for row in rows)


@pytest.mark.req("R151")
def test_the_top_line_counts_by_status_in_words_or_in_glyphs() -> None:
    top = Top(RunCounts({"running": 2, "failed": 1}, 3.0, 0.62), "joined")
    assert plain(status_line(top, 110, DRAWN)).split("  ")[0].strip() == "gligabao"
    assert "● 2 working   ✓ 0 done   ✗ 1 failed   ■ 0 stopped" in plain(
        status_line(top, 110, DRAWN)
    )
    assert "today $0.62   engine joined" in plain(status_line(top, 110, DRAWN))
    assert "● 2  ✓ 0  ✗ 1  ■ 0" in plain(status_line(top, 70, DRAWN))
    assert window_title(top.counts, DRAWN) == "gligabao ●2 ✗1"


def test_the_chosen_filter_is_marked_and_every_filter_can_be_clicked() -> None:
    tabs = filter_tabs(Listing(), DRAWN)
    assert [span.tone for span in tabs if span.target] == ["pill-on", *["muted"] * 4]
    assert [span.target for span in tabs if span.target][3] == "filter:failed"
    assert plain(filter_tabs(Listing(), ASCII)).startswith("[all]")


def test_the_line_below_says_how_many_states_are_out_of_view_and_leads_there() -> None:
    row = below_line(Below(3, follows=False), 60, DRAWN)
    assert plain(row).strip() == "▼ 3 states below  f  follow"
    assert {span.target for span in row if span.text.strip()} >= {"follow"}


def test_hostile_topics_take_no_control_characters_into_a_row() -> None:
    run = a_run(topic="\x1b]52;c;aGk=\x07[red]x[/red]\u202e[/]\x9b31m")
    row = plain(run_row(run, Table(80), now=NOW, glyphs=DRAWN))
    assert "\x1b" not in row
    assert "\u202e" not in row
    assert "[red]x[/red][/]" in row
    assert width_of(row) == 80


def wide(run: Run) -> str:
    return plain(run_row(run, Table(110), now=NOW, glyphs=DRAWN))


def test_a_run_number_is_shown_where_there_is_room() -> None:
    assert "#7" in wide(a_run(RunId(7)))
