"""The tabs of the details, and the line that says what lies below the view."""

from typing import Literal, TypeAlias, get_args

from gligabao_tui.view.details import Details
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, line, spread

TabName: TypeAlias = Literal["states", "report", "cost"]
TABS: tuple[TabName, ...] = get_args(TabName)
TAB_KEYS: dict[TabName, str] = {"states": "1", "report": "2", "cost": "7"}
"""The numbers between are those of tabs that do not exist here."""


def tab_line(details: Details, chosen: TabName, width: int) -> Line:
    """`1 States 12   2 Report`: each is a target of its own."""
    counts = {"states": str(len(details.moments)), "report": _report_word(details), "cost": ""}
    spans: list[Span] = []
    for tab in TABS:
        count = f" {counts[tab]}" if counts[tab] else ""
        label = f" {TAB_KEYS[tab]} {tab.capitalize()}{count} "
        spans.append(Span(label, "pill-on" if tab == chosen else "muted", f"tab:{tab}"))
        spans.append(Span(" "))
    return spread(tuple(spans), _error(details), width)


def report_line(width: int, glyphs: Glyphs) -> Line:
    """The way to a report that has become ready while the states were read."""
    told = Span(f"{glyphs.done} the report is ready ", "good", "tab:report")
    hint = line(told, Span(" 2 ", "key", "tab:report"), Span(" read it ", "muted", "tab:report"))
    return spread((), hint, width)


def below_line(below: int, width: int, *, follows: bool, glyphs: Glyphs) -> Line:
    if follows:
        return spread((), line(Span(f"{glyphs.below} following ", "quiet")), width)
    if not below:
        return ()
    told = f"{glyphs.below} {count_of(below, 'state', 'states')} below "
    hint = line(
        Span(told, "accent", "follow"), Span(" f ", "key", "follow"), Span(" follow ", "muted")
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
