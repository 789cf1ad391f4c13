"""Lines of toned text: measured in cells, cut and wrapped without losing any."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gligabao_tui.view.text import (
    Span,
    between,
    chop,
    crop,
    fit,
    flat,
    line,
    line_width,
    pad,
    pad_left,
    plain,
    spread,
    target_at,
    width_of,
    wrap,
)

SAMPLES = (
    "plain",
    "zażółć gęślą",
    "日本語の文",
    "한국어",
    "a\u0301e\u0308",
    "\U0001f469\u200d\U0001f680 flies",
    "\u2764\ufe0f\U0001f44d\U0001f3fd\U0001f1f5\U0001f1f1",
    "\u0928\u092e\u0938\u094d\u0924\u0947",
    "\u1112\u1161\u11ab",
    "✓●✗■▌",
    "😀 ok",
    "عربى",
)


@pytest.mark.parametrize("sample", SAMPLES)
def test_cells_are_counted_as_the_terminal_counts_them(sample: str) -> None:
    assert width_of(sample) == cell_len(sample)


@given(st.text(max_size=80), st.integers(1, 40))
def test_a_fitted_text_never_takes_more_cells_than_there_are(text: str, cells: int) -> None:
    assert width_of(fit(text, cells)) <= cells


def test_a_cut_text_says_so_with_an_ellipsis() -> None:
    assert fit("water under the bridge", 8) == "water u…"
    assert fit("short", 8) == "short"
    assert fit("anything", 0) == ""


def test_padding_fills_to_exactly_the_cells() -> None:
    assert (pad("日本", 6), pad_left("$1", 5)) == ("日本  ", "   $1")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=200))
def test_wrapping_loses_nothing_but_spaces(text: str) -> None:
    rows = wrap(text, 12)
    assert "".join("".join(rows).split()) == "".join(text.split())


@given(st.text(max_size=120), st.integers(2, 30))
def test_no_wrapped_row_is_wider_than_asked(text: str, cells: int) -> None:
    assert all(width_of(row) <= cells for row in wrap(text, cells))


def test_wrapping_breaks_at_spaces_and_a_long_word_where_it_must() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrap("first\n\nsecond", 20) == ["first", "", "second"]


def test_a_line_is_spread_between_its_edges_and_the_left_gives_way() -> None:
    wide = spread(line("left"), line("right"), 20)
    assert plain(wide) == "left           right"
    narrow = spread(line("a long left side"), line("right"), 12)
    assert (plain(narrow), line_width(narrow)) == ("a lon… right", 12)


def test_a_cropped_line_keeps_its_tones() -> None:
    assert crop(line(Span("good", "good"), Span("bad", "bad")), 6) == (
        Span("good", "good"),
        Span("b…", "bad"),
    )


def test_empty_parts_leave_no_separator() -> None:
    parts = between([Span("a"), Span(""), Span("b")], Span("  "))
    assert plain(parts) == "a  b"


def test_a_click_finds_the_target_it_lies_on() -> None:
    spans = line("日本", Span(" stop ", "pill", "stop"))
    assert [target_at(spans, x) for x in (3, 4, 9, 10)] == ["", "stop", "stop", ""]


def test_text_is_flattened_and_cleaned() -> None:
    assert flat("a\n b\x1b]0;evil\x07\tc ") == "a b c"


def test_a_joined_emoji_is_never_cut_in_two() -> None:
    crew = "\U0001f469\u200d\U0001f680"
    assert chop(crew * 3, 4) == [crew * 2, crew]
    assert fit(crew * 3, 5) == f"{crew * 2}…"
    assert chop("", 4) == [""]


def test_a_long_text_without_spaces_is_wrapped_in_time() -> None:
    """Twice the text takes about twice the time: the loop of the screen waits for it."""
    rows = wrap("漢" * 400_000, 80)
    assert {width_of(row) for row in rows} == {80}
