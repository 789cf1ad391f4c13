"""What is quoted from a source: verdicts in words, the passage around, the quoted words in it."""

from hypothesis import given
from hypothesis import strategies as st

from engine.api import CitedSource, Passage, RunId
from gligabao_tui.view.glyphs import ASCII, DRAWN, Glyphs
from gligabao_tui.view.passage import (
    Quoted,
    moved,
    passage_lines,
    passage_title,
    quoted_from,
    source_lines,
)
from gligabao_tui.view.text import Line, line_width, plain

EXACT = Passage(4, "said here", "exact", "Before it is ", "said here", " and after.")
ALMOST = Passage(7, "said  here", "normalised", "It is ", "said\nhere", "")
MISSING = Passage(9, "never said", "missing")


def a_source(*passages: Passage, read_at: str = "2026-11-01T10:00:00.000Z") -> CitedSource:
    kind = "text/html" if read_at else ""
    return CitedSource(RunId(1), 2, "docs://a.html", "A page", kind, read_at, 1_200, passages)


def told(quoted: Quoted, width: int = 60, glyphs: Glyphs = DRAWN) -> list[str]:
    return [plain(line).rstrip() for line in passage_lines(quoted, width, glyphs=glyphs)[0]]


def test_a_quotation_that_was_found_is_shown_where_it_stands() -> None:
    assert told(Quoted(a_source(EXACT))) == [
        "▸ ✓ found word for word",
        "  In the source:",
        "  ▌ … Before it is said here and after. …",
    ]


def test_paragraphs_and_lists_of_the_source_stay_apart() -> None:
    before = "Kept whole.\n\n## How it is\nchecked\n\n"
    after = ":\n- exact\n- normalised: but\nfor spaces"
    shown = Passage(1, "Each is compared", "exact", before, "Each is\ncompared", after)
    assert told(Quoted(a_source(shown)))[2:] == [
        *("  │ … Kept whole.", "  │ ## How it is checked", "  ▌ Each is compared:"),
        *("  │ - exact", "  │ - normalised: but for spaces …"),
    ]


def test_the_quoted_words_are_marked_and_so_is_their_row() -> None:
    lines, _ = passage_lines(Quoted(a_source(EXACT)), 18, glyphs=DRAWN)
    marked = [line for line in lines if any(span.tone == "mark" for span in line)]
    assert "".join(
        span.text for line in marked for span in line if span.tone == "mark"
    ).split() == [
        *("said", "here"),
    ]
    assert all(plain(line).startswith("  ▌ ") for line in marked)


def test_both_texts_are_shown_where_they_differ() -> None:
    assert told(Quoted(a_source(ALMOST))) == [
        *("▸ ✓ found apart from spaces and quotes", "  In the report:", "  │ said here"),
        *("  In the source:", "  ▌ … It is said here"),
    ]


def test_a_quotation_that_is_missing_says_so_in_words() -> None:
    assert told(Quoted(a_source(MISSING)), glyphs=ASCII) == [
        *("> x not found in what was read", "  In the report:", "  | never said"),
    ]


def test_several_quotations_are_numbered_and_one_is_chosen() -> None:
    quoted = quoted_from(a_source(EXACT, MISSING), 9)
    lines, tops = passage_lines(quoted, 60, glyphs=DRAWN, hint=())
    assert [plain(lines[top]).rstrip() for top in tops] == [
        *("  1 of 2  ✓ found word for word", "▸ 2 of 2  ✗ not found in what was read"),
    ]
    assert quoted.passage == MISSING
    assert moved(quoted, -1).passage == EXACT
    assert moved(quoted, 1).passage == MISSING
    assert quoted_from(a_source(EXACT), 99).chosen == 0


def test_the_source_says_when_it_was_read_or_that_it_never_was() -> None:
    source = a_source(EXACT)
    assert passage_title(source) == "Source 2: A page"
    assert [plain(line) for line in source_lines(source, 80)] == [
        *("docs://a.html", "read 2026-11-01 10:00 UTC, text/html, 1,200 characters"),
    ]
    unread = [plain(line) for line in source_lines(a_source(read_at=""), 80)]
    assert unread == ["docs://a.html", "This run never read it."]
    assert told(Quoted(a_source())) == ["The report quotes nothing from it."]
    assert Quoted(a_source()).passage is None


def test_a_time_that_is_none_is_told_as_it_is() -> None:
    assert "read yesterday" in plain(source_lines(a_source(read_at="yesterday"), 80)[1])


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60), st.integers(20, 60))
def test_any_passage_fits_and_nothing_of_it_is_more_than_text(
    before: str, quoted: str, after: str, width: int
) -> None:
    source = a_source(Passage(1, quoted, "exact", before, quoted, after))
    lines: tuple[Line, ...] = passage_lines(Quoted(source), width, glyphs=DRAWN)[0]
    for line in lines:
        assert line_width(line) <= max(width, len("▸ ✓ found word for word"))
        assert not set(plain(line)) & set("\x1b\x07\x9b\n\u202e")
