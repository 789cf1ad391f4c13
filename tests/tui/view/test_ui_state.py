"""What is remembered between two starts: it comes back whole, and nothing broken does any harm."""

import json

from hypothesis import example, given
from hypothesis import strategies as st

from engine.api import RunId, one_line
from gligabao_tui.view.bookmarks import Bookmark, bookmark_of, bookmark_told
from gligabao_tui.view.listing import FILTERS, SORTS
from gligabao_tui.view.tabs import TABS
from gligabao_tui.view.ui_state import (
    MOST_BOOKMARKS,
    ListState,
    UiState,
    ui_state_of,
    ui_state_text,
)

SEQS = st.integers(0, 10_000)
IDS = st.integers(1, 2**63 - 1).map(RunId)
BOOKMARKS = st.builds(
    Bookmark,
    tab=st.sampled_from(TABS),
    follows=st.booleans(),
    top=st.none() | st.tuples(SEQS, SEQS),
    cursor=st.none() | SEQS,
    opened=st.dictionaries(SEQS, st.booleans(), max_size=20),
    report=st.sampled_from([0.0, 0.25, 1.0]),
)
STATES = st.builds(
    UiState,
    docked=st.lists(IDS, max_size=5).map(tuple),
    selected=st.none() | IDS,
    opened=st.none() | IDS,
    listed=st.builds(
        ListState,
        status=st.sampled_from(FILTERS),
        text=st.text(max_size=40).map(one_line),
        sort=st.sampled_from(SORTS),
    ),
    bookmarks=st.dictionaries(IDS, BOOKMARKS, max_size=4),
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
FIELDS = ("docked", "selected", "opened", "draft", "list", "bookmarks")


@given(STATES)
def test_everything_that_is_remembered_is_read_back(state: UiState) -> None:
    assert ui_state_of(ui_state_text(state)) == state


@given(st.dictionaries(st.sampled_from(FIELDS), ANY_JSON))
def test_whatever_the_file_says_the_app_can_begin_with_it(told: dict[str, object]) -> None:
    state = ui_state_of(json.dumps(told))
    assert ui_state_of(ui_state_text(state)) == state


@example({"report": 0.0078125})
@given(st.dictionaries(st.sampled_from([*bookmark_told(Bookmark())]), ANY_JSON) | ANY_JSON)
def test_a_broken_bookmark_is_a_bookmark_all_the_same(told: object) -> None:
    assert bookmark_of(bookmark_told(bookmark_of(told))) == bookmark_of(told)


def test_only_the_latest_bookmarks_are_kept() -> None:
    marks = {RunId(number): Bookmark(cursor=number) for number in range(1, 200)}
    kept = ui_state_of(ui_state_text(UiState(bookmarks=marks))).bookmarks
    assert len(kept) == MOST_BOOKMARKS
    assert kept[RunId(199)] == marks[RunId(199)]
