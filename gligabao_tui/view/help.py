"""Help: what has the focus and its keys, then what works everywhere, in one column or in two."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gligabao_tui.keymap import Keymap
from gligabao_tui.keys import SCOPE_TELLS, SCOPE_TITLES, Action, Scope, actions_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    line,
    line_width,
    paragraph,
    width_of,
    wrap,
)

TWO_COLUMNS_CELLS = 96
GAP_CELLS = 3
MOST_KEYS_CELLS = 14
MOUSE = (
    "Click what you see; the bottom line too. Drag to select text, and {copy} copies it. To select "
    "as your terminal does it, hold Shift while dragging (Option or Fn in some)."
)
FILTER = (
    "{filter} finds runs whose topic has all words you type; {next} and {previous} choose a status."
)
FOCUS = "tab and shift+tab go from one part of the screen to the next."


@dataclass(frozen=True, slots=True)
class _Room:
    """The columns of one part of the help: all of it, and what the keys take of that."""

    cells: int
    keys: int
    keymap: Keymap
    glyphs: Glyphs


Section: TypeAlias = tuple[Line, ...]


def help_lines(
    scopes: Sequence[Scope], width: int, *, keymap: Keymap, glyphs: Glyphs
) -> tuple[Line, ...]:
    """`scopes` are those of the focused thing, the nearest first; what works everywhere is told
    where `app` is among them."""
    is_wide = width >= TWO_COLUMNS_CELLS
    cells = (width - GAP_CELLS) // 2 if is_wide else width
    near = [scope for scope in scopes if scope not in ("app", "moves")]
    wide: tuple[Scope, ...] = ("app", "moves") if "app" in scopes else ("moves",)
    told = [action for scope in (*near, *wide) for action in actions_of(scope)]
    keys = max(width_of(_keys(action, keymap, glyphs)) for action in told)
    room = _Room(cells, min(keys, MOST_KEYS_CELLS), keymap, glyphs)
    sections = (
        *_faults(keymap, cells),
        *(_keys_of(scope, room) for scope in (*near, *wide)),
        _words(_hints(keymap, is_workspace="app" in scopes), cells),
    )
    return _beside(*_halves(sections), cells) if is_wide else _below(sections)


def _keys_of(scope: Scope, room: _Room) -> Section:
    told = SCOPE_TELLS.get(scope, "")
    lines: list[Line] = [line(Span(SCOPE_TITLES[scope], "accent"))]
    lines.extend(paragraph(told, room.cells, "muted") if told else ())
    for action in actions_of(scope):
        if keys := _keys(action, room.keymap, room.glyphs):
            lines.extend(_row(keys, action.tells, room))
    return tuple(lines)


def _keys(action: Action, keymap: Keymap, glyphs: Glyphs) -> str:
    """The arrows as symbols, where there are any."""
    up, down = glyphs.arrows.split()
    shown = {"down": down, "up": up}
    return " ".join(shown.get(word, word) for word in keymap.words(action.id))


def _row(keys: str, tells: str, room: _Room) -> Iterable[Line]:
    """What an action does beside its keys, on as many rows as it takes."""
    blank = " " * room.keys
    rows = wrap(tells, max(8, room.cells - room.keys - 2))
    head = keys + blank[width_of(keys) :]
    if width_of(keys) > room.keys:
        yield line(Span(keys, "key"))
        head = blank
    for at, row in enumerate(rows):
        yield line(Span(blank if at else head, "key"), Span(f"  {row}"))


def _faults(keymap: Keymap, cells: int) -> Iterable[Section]:
    """What of the user's keys is not used, before anything else."""
    if not keymap.faults:
        return
    lines: list[Line] = [line(Span("Entries of [app.keymap] that are not used", "warn"))]
    for fault in keymap.faults:
        lines.extend(paragraph(fault.words, cells))
    yield (*lines, *paragraph("The keys below are those that work.", cells, "muted"))


def _hints(keymap: Keymap, *, is_workspace: bool) -> Iterable[str]:
    """The title first."""
    yield "Mouse, selecting, filtering" if is_workspace else "Mouse, selecting"
    yield FOCUS
    yield MOUSE.format(copy=keymap.spelled("app.interrupt"))
    if not is_workspace:
        return
    yield FILTER.format(
        filter=keymap.word("runs.search"),
        next=keymap.word("main.next_tab"),
        previous=keymap.word("main.previous_tab"),
    )


def _words(told: Iterable[str], cells: int) -> Section:
    title, *paragraphs = told
    rows = [row for text in paragraphs for row in paragraph(text, cells, "muted")]
    return (line(Span(title, "accent")), *rows)


def _below(sections: Iterable[Section]) -> tuple[Line, ...]:
    lines: list[Line] = []
    for section in sections:
        lines.extend((EMPTY, *section) if lines else section)
    return tuple(lines)


def _halves(sections: Sequence[Section]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Cut between two sections, so that the longer column is as short as it can be."""
    cuts = [(_below(sections[:at]), _below(sections[at:])) for at in range(1, len(sections) + 1)]
    return min(cuts, key=lambda cut: max(len(cut[0]), len(cut[1])))


def _beside(left: tuple[Line, ...], right: tuple[Line, ...], cells: int) -> tuple[Line, ...]:
    rows = max(len(left), len(right))
    lefts = (*left, *((EMPTY,) * (rows - len(left))))
    rights = (*right, *((EMPTY,) * (rows - len(right))))
    return tuple(
        (*one, Span(" " * (cells + GAP_CELLS - line_width(one))), *other)
        for one, other in zip(lefts, rights, strict=True)
    )
