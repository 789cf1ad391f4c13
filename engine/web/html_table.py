"""Tables: which of them hold data, and their rows as text. Layout tables are read as prose."""

import re
from dataclasses import dataclass

from lxml.etree import _Element as Element
from lxml.etree import iterwalk

from engine.web.structure import words

_LAYOUT_TAGS = words("table h1 h2 h3 h4 h5 h6 pre form textarea article section")
_CELL_MOST_CHARS = 1_500
_MOST_SPAN = 50
_MOST_NODES = 60_000
_BREAKING = words("br p div li ul ol dl dt dd tr hr blockquote")
_POWER = re.compile(r"[-−+]?\d+")
_SILENT = words("script style noscript template s del strike svg select button")


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[str, ...]
    anchors: tuple[str, ...]

    @property
    def text(self) -> str:
        """`| a | b |`; a bar inside a cell is told apart by a backslash."""
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in self.cells)} |"


def data_rows(table: Element) -> tuple[Row, ...]:
    """The rows of a table that holds data; none when it only arranges prose on the page."""
    if table.get("role") in ("presentation", "none") or _arranges(table):
        return ()
    rows = _filled([row for row in table.iter("tr") if len(row)])
    wide = [row for row in rows if sum(1 for cell in row.cells if cell) > 1]
    if len(wide) < 2 or any(len(cell) > _CELL_MOST_CHARS for row in rows for cell in row.cells):
        return ()
    return tuple(rows)


def caption(table: Element) -> str:
    found = table.find("caption")
    return inline_text(found) if found is not None else ""


def inline_text(element: Element) -> str:
    """The words of an element on one line; blocks in it are parted by a space."""
    pieces: list[str] = []
    _collect(element, pieces)
    return " ".join("".join(pieces).split())


def anchors_of(element: Element) -> tuple[str, ...]:
    """Ids and names of links in an element, itself included, in their order."""
    names = (
        node.get("id") or (node.get("name") if node.tag == "a" else None) for node in element.iter()
    )
    return tuple(name for name in names if name)


def _arranges(table: Element) -> bool:
    for at, node in enumerate(table.iter()):
        if at > _MOST_NODES or (node is not table and node.tag in _LAYOUT_TAGS):
            return True
    return False


def _filled(rows: list[Element]) -> list[Row]:
    """Cells in their columns: what spans several rows stands in each of them."""
    spanning: dict[int, tuple[str, int]] = {}
    filled: list[Row] = []
    for row in rows:
        cells: list[str] = []
        for cell in (node for node in row if node.tag in ("td", "th")):
            _repeat(cells, spanning)
            text = inline_text(cell)
            if (down := _span(cell.get("rowspan"))) > 1:
                spanning[len(cells)] = (text, down - 1)
            cells.append(text)
        _repeat(cells, spanning)
        if any(cells):
            filled.append(Row(tuple(cells), anchors_of(row)))
    return filled


def _repeat(cells: list[str], spanning: dict[int, tuple[str, int]]) -> None:
    while (column := len(cells)) in spanning and column < _MOST_SPAN * 4:
        text, left = spanning.pop(column)
        if left > 1:
            spanning[column] = (text, left - 1)
        cells.append(text)


def _span(value: str | None) -> int:
    found = re.match(r"\s*(\d{1,4})", value or "")
    return min(int(found[1]), _MOST_SPAN) if found else 1


def _collect(element: Element, pieces: list[str]) -> None:
    steps = iterwalk(element, events=("start", "end"))
    for event, node in steps:
        if node.tag in _BREAKING:
            pieces.append(" ")
        if event == "start" and node.tag in _SILENT:
            steps.skip_subtree()
        elif event == "start" and node.text:
            pieces.append(_raised(node))
        if event == "end" and node is not element and node.tail:
            pieces.append(node.tail)


def _raised(node: Element) -> str:
    text = node.text or ""
    return f"^{text.strip()}" if node.tag == "sup" and is_power(text) else text


def is_power(text: str) -> bool:
    """Whether a raised text is an exponent, as in 2^64."""
    return _POWER.fullmatch(text.strip()) is not None
