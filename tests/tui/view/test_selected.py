"""Selected rows as the text they were laid out from."""

from hypothesis import given
from hypothesis import strategies as st

from gligabao_tui.view.markdown_lines import markdown_lines
from gligabao_tui.view.selected import cut, row_text, selected_text
from gligabao_tui.view.text import Span, flow_spans, line, paragraph

WORDS = st.lists(st.text("abcdefgh漢字é", min_size=1, max_size=14), min_size=1, max_size=30)


@given(paragraphs=st.lists(WORDS, min_size=1, max_size=3), cells=st.integers(3, 40))
def test_a_wrapped_text_is_put_together_again(paragraphs: list[list[str]], cells: int) -> None:
    text = "\n\n".join(" ".join(words) for words in paragraphs)
    assert selected_text(paragraph(text, cells)) == text


def test_what_stands_before_a_continued_row_is_no_part_of_the_text() -> None:
    rows = markdown_lines("> one two three four five\n\n- a b c d e f g h i j k l m", 14)
    text = selected_text(rows)
    assert "one two three four five" in text
    assert "a b c d e f g h i j k l m" in text


def test_rows_of_a_table_stay_rows() -> None:
    rows = markdown_lines("| a | b |\n| - | - |\n| long words here | x |", 20)
    assert len(selected_text(rows).split("\n")) == len(rows)


def test_only_the_selected_characters_are_taken() -> None:
    rows = flow_spans([Span("one two three four")], 9)
    assert [row_text(row) for row in rows] == ["one two", "three", "four"]
    assert selected_text(rows[:2], 4, 3) == "two thr"
    assert selected_text(rows[:1], 4, 6) == "tw"


def test_control_bytes_are_never_taken() -> None:
    assert selected_text([line("a\x1b]52;c;x\x07b")]).isprintable()


@given(parts=st.lists(st.text("ab漢 ", max_size=6), max_size=5), at=st.integers(0, 20))
def test_a_row_cut_in_two_is_the_row(parts: list[str], at: int) -> None:
    row = line(*parts)
    assert row_text(cut(row, 0, at)) + row_text(cut(row, at, None)) == row_text(row)
    assert cut(row, None, None) == ()
