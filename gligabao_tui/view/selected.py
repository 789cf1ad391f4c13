"""The text of rows that a person selected, as it would be written: without the layout's breaks."""

from collections.abc import Sequence

from engine.api import clean
from gligabao_tui.view.text import AFTER_CUT, AFTER_SPACE, Line, Span


def selected_text(rows: Sequence[Line], first: int = 0, last: int | None = None) -> str:
    """These rows, from character `first` of the first to before `last` of the last (None: all).

    Rows that the layout broke are put together again; no row ends in spaces.
    """
    text = ""
    for at, row in enumerate(rows):
        joint, start = _joint(row) if at else ("", first)
        end = last if at == len(rows) - 1 else None
        text = f"{text.rstrip(' ')}{joint}{row_text(row)[start:end]}"
    return text.rstrip(" ")


def row_text(row: Line) -> str:
    """A row as it is drawn."""
    return "".join(clean(span.text) for span in row)


def cut(row: Line, first: int | None, last: int | None) -> Line:
    """The drawn characters from `first` (None: past the end) to before `last` (None: the end)."""
    kept: list[Span] = []
    at = 0
    for span in row:
        text = clean(span.text)
        end = len(text) if last is None else max(0, last - at)
        start = len(text) if first is None else max(0, first - at)
        kept.append(span._replace(text=text[start:end]))
        at += len(text)
    return tuple(span for span in kept if span.text)


def _joint(row: Line) -> tuple[str, int]:
    """What lies between the row before and this one, and where the text of this one begins."""
    for at, span in enumerate(row):
        if span in (AFTER_SPACE, AFTER_CUT):
            return (" " if span == AFTER_SPACE else ""), len(row_text(row[:at]))
    return "\n", 0
