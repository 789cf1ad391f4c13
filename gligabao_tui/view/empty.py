"""What is said where there is nothing to show yet, and what to do about it."""

from gligabao_tui.keymap import DEFAULT_KEYMAP, Keymap
from gligabao_tui.view.text import Line, Span, line, line_width


def nothing_found(width: int, keymap: Keymap = DEFAULT_KEYMAP) -> tuple[Line, ...]:
    rows = (
        line(Span("No run matches", "title")),
        (),
        line(Span(f" {keymap.word('main.next_tab')} ", "key"), Span("  next filter  ")),
        line(Span(f" {keymap.word('runs.search')} ", "key"), Span("  other words  ")),
    )
    return tuple(_centred(row, width) for row in rows)


def too_small(width: int, height: int) -> str:
    """The one line of a terminal that is too small for the app."""
    return f"gligabao needs 60x15, this is {width}x{height}"


def _centred(row: Line, width: int) -> Line:
    return (Span(" " * max(0, (width - line_width(row)) // 2)), *row) if row else row
