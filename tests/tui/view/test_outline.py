"""The outline of a report: one row for each heading, indented, fitted, one of them marked."""

from gligabao_tui.view.blocks import Place
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.outline import outline_lines, reading_of
from gligabao_tui.view.report_layout import Entry
from gligabao_tui.view.text import line_width, plain, target_at

ENTRIES = [
    Entry(Place(0, 0), 2, "Rivers and what they carry to the sea"),
    Entry(Place(2, 0), 3, "Gauges"),
    Entry(Place(3, 4), 6, "Deep"),
    Entry(Place(5, 0), 2, ""),
]


def test_headings_are_indented_from_the_highest_and_fitted() -> None:
    rows = [plain(line) for line in outline_lines(ENTRIES, 1, 24, glyphs=DRAWN)]
    assert rows == ["  Rivers and what they …", "▌   Gauges", "        Deep", "  ·"]


def test_every_row_leads_to_its_heading_all_over() -> None:
    for at, line in enumerate(outline_lines(ENTRIES, 1, 24, glyphs=DRAWN)):
        assert {target_at(line, x) for x in range(line_width(line))} == {f"heading:{at}"}


def test_symbols_are_plain_where_they_must_be() -> None:
    rows = [plain(line) for line in outline_lines(ENTRIES, 0, 20, glyphs=ASCII)]
    assert rows[0] == "> Rivers and what..."
    assert all(row.isascii() for row in rows)
    assert all(len(row) <= 20 for row in rows)


def test_the_heading_above_the_row_is_the_one_being_read() -> None:
    places = [Place(0, 0), Place(1, 9), Place(3, 3), Place(3, 4), Place(9, 0)]
    assert [reading_of(ENTRIES, place) for place in places] == [0, 0, 1, 2, 3]
    assert reading_of(ENTRIES[1:], Place(1, 0)) == -1
