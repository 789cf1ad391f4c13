"""The tabs of the details, and the line that says what lies below the view."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from gligabao_tui.keymap import DEFAULT_KEYMAP, Keymap
from gligabao_tui.view.details import Details
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, line, spread

TabName: TypeAlias = Literal["states", "report", "cost"]
TABS: tuple[TabName, ...] = get_args(TabName)


@dataclass(frozen=True, slots=True)
class Below:
    """How many states lie below the view, whether the newest stays in it, and the key for that."""

    states: int
    follows: bool
    key: str = "f"


def tab_line(
    details: Details, chosen: TabName, width: int, *, keymap: Keymap = DEFAULT_KEYMAP
) -> Line:
    """`1 States 12   2 Report`: each is a target of its own."""
    counts = {"states": str(len(details.moments)), "report": _report_word(details), "cost": ""}
    spans: list[Span] = []
    for tab in TABS:
        count = f" {counts[tab]}" if counts[tab] else ""
        label = f" {keymap.word(f'details.show_{tab}')} {tab.capitalize()}{count} "
        spans.append(Span(label, "pill-on" if tab == chosen else "muted", f"tab:{tab}"))
        spans.append(Span(" "))
    return spread(tuple(spans), _error(details), width)


def report_line(width: int, glyphs: Glyphs, key: str = "2") -> Line:
    """The way to a report that has become ready while the states were read."""
    told = Span(f"{glyphs.done} the report is ready ", "good", "tab:report")
    hint = line(
        told, Span(f" {key} ", "key", "tab:report"), Span(" read it ", "muted", "tab:report")
    )
    return spread((), hint, width)


def below_line(below: Below, width: int, glyphs: Glyphs) -> Line:
    if below.follows:
        return spread((), line(Span(f"{glyphs.below} following ", "quiet")), width)
    if not below.states:
        return ()
    told = f"{glyphs.below} {count_of(below.states, 'state', 'states')} below "
    hint = line(
        Span(told, "accent", "follow"),
        Span(f" {below.key} ", "key", "follow"),
        Span(" follow ", "muted"),
    )
    return spread((), hint, width)


def _report_word(details: Details) -> str:
    return "" if details.report else "writing" if details.writing else ""


def _error(details: Details) -> Line:
    if details.run.status not in ("failed", "stopped"):
        return ()
    return line(
        Span(
            f" why it {'failed' if details.run.status == 'failed' else 'stopped'} ",
            "pill-bad",
            "error",
        )
    )
