"""A report laid out piece by piece: rows, headings, links are right whatever comes first."""

import random
from collections.abc import Callable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from gligabao_tui.view.blocks import Place
from gligabao_tui.view.glyphs import ASCII
from gligabao_tui.view.markdown import pieces, split_open
from gligabao_tui.view.markdown_inline import NO_MARKS
from gligabao_tui.view.markdown_lines import markdown_lines
from gligabao_tui.view.report_layout import (
    SLICE_CHARS,
    Cursor,
    ReportLayout,
    marks_of,
    notes_last,
)
from gligabao_tui.view.text import plain

BLOCKS = [
    *("# One\n\n", "## Two words\n\n", "### Three\n\n", "Some prose of a paragraph.\n\n"),
    *("- item\n- item [a](https://a.example)\n\n", "> said [b](https://b.example)\n\n"),
    *("```\n# not a heading [x](y)\n```\n\n", "text\n# Right below\n\n", "Under\n=====\n\n"),
    *("| a | b |\n|---|---|\n| [c](https://c.example) | 2 |\n\n", "see https://d.example/x.\n\n"),
    *("1. one\n\n2. two [a long link of many words to break](https://e.example)\n\n", "---\n\n"),
]
some_markdown = st.lists(st.sampled_from(BLOCKS), max_size=20).map("".join)


def laid_out(markdown: str, cells: int = 40, rows: int = 10_000) -> ReportLayout:
    layout = ReportLayout()
    layout.set_width(cells)
    found = pieces(markdown)
    layout.show(notes_last(found), marks_of(markdown, found, frozenset({1, 2})))
    layout.lay_out_from(0, rows)
    return layout


def rows_of(layout: ReportLayout) -> list[str]:
    return [plain(layout.row(y)).rstrip() for y in range(layout.height)]


def all_stops(layout: ReportLayout) -> list[Cursor]:
    found: list[Cursor] = []
    at = layout.stop_after(Cursor(0, -1)) if layout.count else None
    while at is not None:
        found.append(at)
        at = layout.stop_after(at)
    return found


@given(some_markdown, st.integers(14, 60))
def test_the_rows_are_those_of_the_whole_text(markdown: str, cells: int) -> None:
    layout = laid_out(markdown, cells)
    whole = [plain(line).rstrip() for line in markdown_lines(markdown, cells)]
    assert rows_of(layout) == whole


@given(some_markdown, st.integers(14, 60))
def test_every_heading_of_the_outline_points_at_its_row(markdown: str, cells: int) -> None:
    layout = laid_out(markdown, cells)
    for entry in layout.entries:
        row = plain(layout.row(layout.y(entry.place)))
        assert row.strip() == entry.title[: len(row.strip())] != ""
    headings = [row for row in markdown.split("\n") if row.startswith("# Right")]
    assert len([one for one in layout.entries if one.title == "Right below"]) == len(headings)
    assert not any("not a heading" in entry.title for entry in layout.entries)


@given(some_markdown, st.integers(14, 60))
def test_the_link_cursor_goes_in_the_order_of_the_text(markdown: str, cells: int) -> None:
    layout = laid_out(markdown, cells)
    stops = all_stops(layout)
    places = [(layout.y(layout.place_of(one)), layout.stop(one).spots[0]) for one in stops]
    assert places == sorted(places)
    linked = sum(markdown.count(f"https://{name}.example") for name in "abcde")
    assert len(stops) >= linked
    back = []
    at = layout.stop_before(Cursor(layout.count, 0))
    while at is not None:
        back.append(at)
        at = layout.stop_before(at)
    assert back[::-1] == stops


@given(some_markdown, st.randoms(use_true_random=False))
def test_what_is_laid_out_first_changes_nothing(markdown: str, chance: random.Random) -> None:
    layout = laid_out(markdown, rows=0)
    acts: list[Callable[[], object]] = [
        lambda: layout.lay_out_from(chance.randrange(20), 5),
        lambda: layout.lay_out_end(5),
        layout.lay_out_more,
        lambda: layout.stop_after(Cursor(0, -1)),
    ]
    for _ in range(4):
        chance.choice(acts)()
    while not layout.is_whole:
        layout.lay_out_more()
    whole = laid_out(markdown)
    assert rows_of(layout) == rows_of(whole)
    assert layout.entries == whole.entries


@given(some_markdown, st.integers(0, 200), st.integers(14, 60))
def test_a_place_keeps_its_row_at_any_width(markdown: str, y: int, cells: int) -> None:
    layout = laid_out(markdown)
    place = layout.place(y)
    if y < layout.height:
        assert layout.y(place) == y
    layout.set_width(cells)
    layout.lay_out_from(0, 10_000)
    assert 0 <= layout.y(place) <= layout.height


def test_a_link_that_breaks_over_rows_is_one_stop() -> None:
    layout = laid_out("see [a link of several words](https://example.org) here", 12)
    (stop,) = all_stops(layout)
    assert len(layout.stop(stop).spots) == 3


def test_a_slice_lays_out_about_as_much_as_it_says() -> None:
    layout = laid_out("Some prose [1](https://example.org) of a report.\n\n" * 2_000, rows=0)
    left = layout.chars_left
    slices = 0
    while not layout.is_whole:
        layout.lay_out_more()
        slices += 1
        assert left - layout.chars_left <= SLICE_CHARS + 60
        left = layout.chars_left
    assert slices >= 20


def test_only_what_follows_the_same_start_is_laid_out_again() -> None:
    layout = ReportLayout()
    layout.set_width(40)
    text = "".join(f"Paragraph {number} of many.\n\n" for number in range(50))
    split = split_open(text)
    layout.show(split.closed, NO_MARKS, split.tail.text)
    layout.lay_out_from(0, 1_000)
    rows = [layout.row(y) for y in range(layout.height)]
    split = split_open(text + "One more that is being written", split)
    layout.show(split.closed, NO_MARKS, split.tail.text)
    assert layout.chars_left == len(split.closed[-1].text)
    assert all(layout.row(y) is row for y, row in enumerate(rows[:-2]) if row)
    assert plain(layout.row(layout.height - 1)) == "One more that is being written"


def test_the_tail_is_shown_as_it_is_written() -> None:
    layout = ReportLayout()
    layout.set_width(20)
    for text in ("| a", "| a | b |\n", "| a | b |\n|---|---|\n| 1", "| a | b |\nother"):
        split = split_open(text)
        layout.show(split.closed, NO_MARKS, split.tail.text)
        assert rows_of(layout) == text.rstrip("\n").split("\n")


@given(st.lists(st.text("ab \n", max_size=30), max_size=10), st.integers(5, 30))
def test_a_tail_that_grows_is_wrapped_as_if_it_came_at_once(parts: list[str], cells: int) -> None:
    grown, whole = ReportLayout(), ReportLayout()
    text = ""
    for layout in (grown, whole):
        layout.set_width(cells)
    for part in parts:
        text += part
        grown.show((), NO_MARKS, text)
    whole.show((), NO_MARKS, text)
    assert rows_of(grown) == rows_of(whole)


NOTES = "# A\n\nOne[^x] two[^2].\n\n[^2]: second\n\nThree[^none].\n\n[^x]: first\n    goes on\n"


def test_footnotes_stand_at_the_end_and_lead_both_ways() -> None:
    layout = laid_out(NOTES)
    assert rows_of(layout) == [
        *("A", "", "One² two¹.", "", "Three[^none].", ""),
        *("─" * 24, "¹ second ↩", "² first goes on ↩"),
    ]
    targets = [layout.stop(stop).target for stop in all_stops(layout)]
    assert targets == ["note:x", "note:2", "back:2", "back:x"]
    mark, back = layout.find("note:x"), layout.find("back:x")
    assert mark is not None
    assert back is not None
    assert layout.stop(mark).target == "note:x"
    assert layout.y(layout.place_of(back)) == 8
    assert layout.find("note:none") is None


def test_marks_of_footnotes_are_plain_where_symbols_must_be() -> None:
    layout = ReportLayout(ASCII)
    layout.set_width(40)
    found = pieces(NOTES)
    layout.show(notes_last(found), marks_of(NOTES, found, frozenset()))
    layout.lay_out_from(0, 100)
    assert rows_of(layout)[2] == "One[^2] two[^1]."
    assert rows_of(layout)[-2:] == ["[^1] second (back)", "[^2] first goes on (back)"]


def test_an_address_that_is_named_elsewhere_is_found_in_every_piece() -> None:
    text = "See [the page][p].\n\n# A\n\nAnd [it][p] again.\n\n[p]: https://example.org/p\n"
    layout = laid_out(text)
    targets = [layout.stop(stop).target for stop in all_stops(layout)]
    assert targets == ["link:https://example.org/p"] * 2


def test_the_first_link_in_view_is_found_from_a_place() -> None:
    layout = laid_out("[a](https://a.example)\n\ntext\n\n[b](https://b.example)\n")
    assert layout.stop_from(Place(0, 0)) == Cursor(0, 0)
    assert layout.stop_from(Place(1, 0)) == Cursor(2, 0)
    assert layout.stop_from(Place(3, 0)) is None


def test_nothing_is_laid_out_of_an_empty_report() -> None:
    layout = laid_out("")
    assert (layout.height, layout.entries, layout.is_whole) == (0, (), True)
    assert layout.stop_before(Cursor(0, 0)) is None
    assert layout.text() == ""


def entries_text(layout: ReportLayout) -> Sequence[str]:
    return [entry.title for entry in layout.entries]


def test_the_text_is_told_as_it_is_laid_out() -> None:
    layout = laid_out("# A\n\n- one\n- two\n", rows=0)
    assert layout.text() == "A\n\n• one\n• two\n"
    assert entries_text(layout) == ["A"]
