"""What is remembered, what streams, what failed, where blocks lie: the smaller views."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import RunId
from gligabao_tui.view.blocks import Place, first_difference, into_view, stacked
from gligabao_tui.view.empty import nothing_found
from gligabao_tui.view.report_notes import report_note
from gligabao_tui.view.start_form import StartForm
from gligabao_tui.view.text import plain
from gligabao_tui.view.ui_state import UiState, ui_state_of, ui_state_text
from tests.tui.view.samples import some_details


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


def test_notes_above_a_report_say_what_it_is() -> None:
    assert "still working" in report_note(some_details())[0]
    assert report_note(some_details(status="failed"))[1] == "bad"


def test_an_empty_list_says_what_to_do_next() -> None:
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
