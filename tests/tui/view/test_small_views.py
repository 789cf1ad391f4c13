"""What is remembered, what streams, what failed, where blocks lie: the smaller views."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import RunId
from gligabao_tui.view.blocks import Place, first_difference, into_view, stacked
from gligabao_tui.view.empty import nothing_found, welcome
from gligabao_tui.view.failure import failure_lines, failure_text, failure_title
from gligabao_tui.view.markdown import split_open
from gligabao_tui.view.questions import leave_question, leave_title
from gligabao_tui.view.report_notes import report_note
from gligabao_tui.view.start_form import StartForm
from gligabao_tui.view.text import plain
from gligabao_tui.view.ui_state import UiState, ui_state_of, ui_state_text
from tests.tui.view.samples import a_run, a_state, some_details


def test_what_is_remembered_is_read_back() -> None:
    state = UiState((RunId(9), RunId(4)), RunId(4), StartForm("Rivers\nand lakes", "offline"))
    assert ui_state_of(ui_state_text(state)) == state


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"docked": "all", "selected": "x", "draft": []}',
        '{"docked": [true]}',
    ],
)
def test_a_broken_memory_is_an_empty_one(text: str) -> None:
    assert ui_state_of(text) == UiState()


def test_what_can_be_read_of_a_broken_memory_is_kept() -> None:
    kept = ui_state_of('{"docked": [3, -1, "x"], "draft": {"topic": "Rivers", "model": 4}}')
    assert kept == UiState(docked=(RunId(3),), draft=StartForm(topic="Rivers"))


@given(st.text("ab`~|\n #", max_size=120))
def test_a_split_loses_nothing(text: str) -> None:
    closed, tail = split_open(text)
    assert closed + tail == text


def test_a_paragraph_is_closed_by_a_blank_line() -> None:
    assert split_open("# Title\n\nSome wo") == ("# Title\n\n", "Some wo")


def test_a_fence_stays_plain_until_it_is_closed() -> None:
    text = "Text\n\n```sql\nselect 1\n\nfrom t\n"
    assert split_open(text).tail.startswith("```sql")
    assert split_open(text + "```\nmore").tail == "more"
    assert split_open("````\n```\n").closed == ""


def test_a_table_stays_plain_until_a_blank_line_follows() -> None:
    text = "Text\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"
    assert split_open(text).closed == "Text\n\n"
    assert split_open(text + "\n").tail == ""


@pytest.mark.req("R156")
def test_a_failure_tells_the_error_and_the_state_it_happened_in() -> None:
    details = some_details(
        a_state(1, "starting"),
        a_state(2, "reading", error="it broke"),
        a_state(3, "failed", error="it broke"),
        status="failed",
    )
    rows = [plain(row) for row in failure_lines(details, 60)]
    assert failure_title(details.run) == "#1 failed"
    assert "it broke" in rows
    assert "in state 2 reading" in rows
    assert "ran 0:05" in rows[-1]
    assert failure_text(details).splitlines()[0] == "#1 failed"


def test_a_run_without_states_still_has_a_failure() -> None:
    assert failure_lines(some_details(status="failed"), 60)


def test_notes_above_a_report_say_what_it_is() -> None:
    assert "still working" in report_note(some_details())[0]
    assert report_note(some_details(status="failed"))[1] == "bad"


def test_leaving_names_the_agents_that_would_be_stopped() -> None:
    runs = [a_run(n, topic=f"Topic {n}") for n in range(1, 7)]
    assert leave_title(runs[:1]) == "1 agent is still working"
    rows = [plain(row) for row in leave_question(runs, 60)]
    assert rows[:5] == ["#1 Topic 1", "#2 Topic 2", "#3 Topic 3", "#4 Topic 4", "and 2 more"]


def test_empty_screens_say_what_to_do_next() -> None:
    keyed = "\n".join(plain(row) for row in welcome(80, has_key=True))
    assert " n   start a research" in keyed
    assert "offline" not in keyed
    assert "offline" in "\n".join(plain(row) for row in welcome(80, has_key=False))
    assert any("next filter" in plain(row) for row in nothing_found(80))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_every_line_of_a_stack_belongs_to_one_block(heights: list[int]) -> None:
    stack = stacked(heights)
    found = [stack.at(y) for y in range(stack.height)]
    assert found == [Place(n, row) for n, height in enumerate(heights) for row in range(height)]
    assert stack.at(stack.height) is None
    assert stack.at(-1) is None


def test_scrolling_moves_as_little_as_possible() -> None:
    stack = stacked([2] * 10)
    assert into_view(stack, 3, scroll=4, rows=6) == 4
    assert into_view(stack, 0, scroll=4, rows=6) == 0
    assert into_view(stack, 8, scroll=4, rows=6) == 12
    assert into_view(stacked([2, 40]), 1, scroll=0, rows=6) == 2


def test_lists_are_compared_up_to_their_first_difference() -> None:
    kept = object()
    assert first_difference([kept, 1, 2], [kept, 1, 3]) == 2
    assert first_difference([kept], [kept, kept]) == 1


def test_a_nest_without_end_and_numbers_beyond_any_row_are_as_if_never_kept() -> None:
    assert ui_state_of("[" * 100_000) == UiState()
    assert ui_state_of(f'{{"docked": [{2**63}, 3], "selected": {2**63}}}') == UiState((RunId(3),))
    assert len(ui_state_of(f'{{"docked": {[*range(1, 1001)]}}}').docked) == 200
