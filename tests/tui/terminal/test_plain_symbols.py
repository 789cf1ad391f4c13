"""Plain symbols instead of drawn ones, each in the same room."""

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from gligabao_tui.terminal.plain_symbols import PLAIN, PlainSymbols, plain


def test_every_symbol_keeps_its_room() -> None:
    assert all(cell_len(chr(drawn)) == cell_len(written) == 1 for drawn, written in PLAIN.items())
    assert all(written.isascii() for written in PLAIN.values())


def test_letters_of_every_script_stay() -> None:
    assert plain("Übersicht… 日本 │ x") == "Übersicht~ 日本 | x"


def test_a_plain_line_is_the_same_line() -> None:
    line = [Segment("plain "), Segment("text")]
    assert PlainSymbols().apply(line, Color(0, 0, 0)) is line
