"""Markdown as lines: every kind of block, at every width, and never more than text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gligabao_tui.view.glyphs import ASCII
from gligabao_tui.view.markdown_lines import LINK, markdown_lines
from gligabao_tui.view.text import Span, line_width, plain


def rows(markdown: str, cells: int = 40) -> list[str]:
    return [plain(line).rstrip() for line in markdown_lines(markdown, cells)]


def spans(markdown: str) -> list[Span]:
    return [span for line in markdown_lines(markdown, 60) for span in line if span.text.strip()]


def test_blocks_are_apart_by_an_empty_line() -> None:
    assert rows("# Rivers\ntext\nmore\n\n---\nend") == [
        *("Rivers", "", "text more", "", "─" * 40, "", "end")
    ]


def test_headings_have_a_tone_by_their_level() -> None:
    assert [span.tone for span in spans("# a\n## b\n### c")] == ["title", "heading", "strong"]


def test_emphasis_and_code_have_tones() -> None:
    found = [(span.text, span.tone) for span in spans("a **b** *c* `d` ***e***")]
    assert found == [
        *[("a ", ""), ("b", "strong"), ("c", "em"), ("d", "code"), ("e", "strong")],
    ]


def test_lists_are_indented_and_numbered() -> None:
    assert rows("- one\n  - inner\n- two") == ["• one", "  • inner", "• two"]
    assert rows("3. three\n4. four") == ["3. three", "4. four"]
    assert rows("- one\n\n- two") == ["• one", "", "• two"]
    assert rows("1. one\n\n   more\n\n2. two") == ["1. one", "", "   more", "", "2. two"]


def test_long_items_hang_below_their_text() -> None:
    assert rows("- a long item of many words", 16) == ["• a long item of", "  many words"]


def test_quotations_have_a_bar() -> None:
    assert rows("> said\n>\n> again") == ["│ said", "│", "│ again"]


def test_code_keeps_its_spaces_and_its_background() -> None:
    lines = markdown_lines("```py\ndef f():\n    return 1\n```", 20)
    assert [plain(line) for line in lines] == [
        " def f():           ",
        "     return 1       ",
    ]
    assert {span.tone for line in lines for span in line} == {"code"}


def test_a_table_has_a_rule_below_its_head_and_columns_that_fit() -> None:
    table = "| name | what it is |\n| --- | --- |\n| wal | a log of pages that are new |"
    assert rows(table, 60)[:2] == ["name   what it is", "─" * 34]
    narrow = rows(table, 24)
    assert narrow[2:] == ["wal    a log of pages", "       that are new"]


def test_a_citation_is_a_number_in_brackets_that_leads_to_its_address() -> None:
    link = next(span for span in spans('"said" [1](docs://a/b.md#chars=3-9)') if span.target)
    assert link == Span("[1]", "link", LINK + "docs://a/b.md#chars=3-9")


def test_a_link_that_breaks_over_rows_leads_to_its_address_everywhere() -> None:
    lines = markdown_lines("see [a link of several words](https://example.org) here", 16)
    targets = {span.target for line in lines for span in line if "link" in span.tone}
    assert targets == {LINK + "https://example.org"}


def test_images_and_html_are_told_as_text() -> None:
    assert rows("![a map](https://example.org/map.png)") == ["[image: a map]"]
    assert rows("<script>x</script>") == ["<script>x</script>"]
    assert rows("a <b>bold</b>") == ["a <b>bold</b>"]


@pytest.mark.parametrize("entity", ["&#27;", "&#x202E;", "&#x9b;", "&#0;", "&#xD800;"])
def test_entities_are_no_way_round_the_cleaning(entity: str) -> None:
    (row,) = rows(f"a{entity}]52;b")
    assert not set(row) & {"\x1b", "\u202e", "\x9b", "\x00", "\ud800"}


def test_a_hard_break_begins_a_row() -> None:
    assert rows("one  \ntwo") == ["one", "two"]


def test_ascii_symbols_are_used_where_they_are_asked_for() -> None:
    lines = markdown_lines("- a\n\n> b\n\n---", 20, glyphs=ASCII)
    assert [plain(line).rstrip() for line in lines] == ["- a", "", "| b", "", "-" * 20]


@given(
    st.text("ab c#*_`|-\n>1.[]()!&;<~\\\u202e\x1b漢", max_size=120),
    st.integers(12, 50),
)
def test_any_text_is_laid_out_within_the_width(markdown: str, cells: int) -> None:
    for line in markdown_lines(markdown, cells):
        assert line_width(line) <= cells + 24  # deep lists keep a smallest room of their own
        assert not set(plain(line)) & {"\x1b", "\u202e", "\n"}


@given(st.lists(st.text("abc ", min_size=1, max_size=30).filter(str.strip), min_size=1))
def test_no_word_of_plain_paragraphs_is_lost(paragraphs: list[str]) -> None:
    found = " ".join(rows("\n\n".join(text.strip() for text in paragraphs), 14)).split()
    assert "".join(found) == "".join("".join(paragraphs).split())
