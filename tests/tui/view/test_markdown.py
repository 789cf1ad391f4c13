"""Markdown cut into pieces: nothing is lost, and nothing closed is changed by what follows."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gligabao_tui.view.markdown import LONGEST, NOTHING, Piece, pieces, split_open

ROWS = [
    *("# Title\n", "text\n", "more text\n", "- item\n", "  inner\n", "\n", "```\n", "~~~~\n"),
    *("| a | b |\n", "| --- | --- |\n", "| 1 | 2 |\n", "1. one\n", "2. two\n", "[^1]: note\n"),
    *("> said\n", "---\n", "    code\n", "x" * 2_500 + "\n", "many words " * 500 + "\n", "\r\n"),
]


def texts(markdown: str) -> list[str]:
    return [piece.text for piece in pieces(markdown)]


@given(st.lists(st.sampled_from(ROWS), max_size=25), st.data())
def test_a_text_that_grows_is_cut_as_the_whole_is(rows: list[str], data: st.DataObject) -> None:
    text = "".join(rows)
    ends = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    split = NOTHING
    for end in sorted([*ends, len(text)]):
        known = split
        split = split_open(text[:end], known)
        assert split.text() == text[:end]
        assert split.closed[: len(known.closed)] == known.closed
    assert split == split_open(text)


@given(st.text("ab`~|\n #-1.[]^:>", max_size=150))
def test_pieces_put_together_are_the_whole_text(text: str) -> None:
    assert "".join(texts(text)) == text
    assert split_open(text).text() == text


def test_a_heading_is_closed_by_its_own_end_and_a_paragraph_by_what_follows() -> None:
    split = split_open("# Title\n\nSome words.\n\nMore of them")
    assert [piece.text for piece in split.closed] == ["# Title\n", "\nSome words.\n\n"]
    assert split.tail.text == "More of them"


def test_an_unfinished_row_that_may_become_an_item_closes_nothing() -> None:
    assert split_open("- a\n\n1").closed == ()
    assert split_open("text\n\n- b").closed == ()
    assert [piece.text for piece in split_open("text\n\nmore than a mark").closed] == ["text\n\n"]


def test_a_fence_stays_open_until_it_is_closed() -> None:
    text = "Text\n\n```sql\nselect 1\n\nfrom t\n"
    assert split_open(text).tail.text.startswith("```sql")
    assert split_open(text + "```\nmore").tail.text == "more"
    assert split_open("````\n```\n").closed == ()


def test_a_table_stays_open_until_another_block_begins() -> None:
    text = "Text\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"
    assert [piece.text for piece in split_open(text).closed] == ["Text\n\n"]
    assert len(split_open(text + "\nAnd then it goes on").closed) == 2


def test_a_list_goes_on_over_empty_lines() -> None:
    assert texts("- one\n\n- two\n\n  more of two\n\nend\n") == [
        *("- one\n\n- two\n\n  more of two\n\n", "end\n"),
    ]


def test_a_footnote_is_a_piece_of_its_own() -> None:
    found = pieces("text[^a]\n\n[^a]: first\n    second\n[^b]: other\n")
    assert [piece.note for piece in found] == ["", "a", "b"]
    assert found[1].text == "[^a]: first\n    second\n"


def test_what_stands_below_the_heading_of_the_sources_is_known() -> None:
    found = pieces("# Report\ntext\n## Sources\n1. A\n## More\n1. B\n")
    assert [piece.text for piece in found if piece.in_sources] == ["1. A\n", "## More\n"]


@pytest.mark.parametrize(
    ("row", "count"),
    [
        ("- an item with [1](https://example.org) and words\n", 900),
        ("1. an item with words\n\n", 900),
        ("| a | cell | with words |\n", 900),
        ("a line of one long paragraph\n", 900),
        ("> a line of one long quotation\n", 900),
        ("words in one single row ", 900),
        ("x" * 1_000, 30),
        ("  - an inner item with words\n", 900),
    ],
)
def test_no_piece_is_much_longer_than_the_longest(row: str, count: int) -> None:
    head = (
        "| a | b | c |\n| - | - | - |\n" if row.startswith("|") else "- outer\n" * (row[0] == " ")
    )
    found = pieces(head + row * count)
    assert len(found) > 4
    assert max(len(piece.text) for piece in found) <= LONGEST + len(row) + len(head)


def test_the_parts_of_a_long_list_go_on_with_its_numbers() -> None:
    found = pieces("1. one of many items of a list\n" * 200)
    assert found[0].number == 0
    assert found[1].number == 1 + found[0].text.count("\n")
    assert found[2].number == found[1].number + found[1].text.count("\n")


def test_the_parts_of_a_long_table_have_its_head() -> None:
    head = "| a | b |\n| --- | --- |\n"
    found = pieces(head + "| some | cells |\n" * 400)
    assert {piece.before for piece in found[1:]} == {head}


def test_the_parts_of_long_code_begin_with_its_fence() -> None:
    found = pieces("```py\n" + "a = 1  # and a comment\n" * 400 + "```\nend\n")
    assert {piece.before for piece in found[1:-1]} == {"```py\n"}
    assert found[-1] == Piece("end\n")


@pytest.mark.parametrize("begin", ["# sources", "# sources#", "text\n-", "text\n|-|", "# a", "[^"])
def test_a_row_of_white_space_without_end_is_read_once(begin: str) -> None:
    began = time.thread_time()
    pieces(begin + " \t" * 20_000 + "x\n")
    assert time.thread_time() - began < 1
