"""The tabs of the details, and the line that says what lies below the view."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from gligabao_tui.keymap import DEFAULT_KEYMAP, Keymap
from gligabao_tui.view.details import Details
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, line, line_width, spread

TabName: TypeAlias = Literal["states", "report", "knowledge", "time", "cost"]
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
    """`1 States 12   2 Report`: each is a target of its own. Where room is scarce the counts go
    first, then the words of all tabs but the chosen one."""
    error = _error(details)
    room = width - line_width(error) - 1
    counts = _counts(details)
    for has_counts, has_words in ((True, True), (False, True), (False, False)):
        spans = [
            span
            for tab in TABS
            for span in _tab(
                _label(
                    tab, counts if has_counts else {}, keymap, has_word=has_words or tab == chosen
                ),
                tab,
                is_chosen=tab == chosen,
            )
        ]
        if line_width(tuple(spans)) <= room:
            break
    return spread(tuple(spans), error, width)


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


def _label(tab: TabName, counts: Mapping[TabName, str], keymap: Keymap, *, has_word: bool) -> str:
    word = f" {tab.capitalize()}" if has_word else ""
    count = f" {counts[tab]}" if counts.get(tab) else ""
    return f" {keymap.word(f'details.show_{tab}')}{word}{count} "


def _tab(label: str, tab: TabName, *, is_chosen: bool) -> Line:
    return (Span(label, "pill-on" if is_chosen else "muted", f"tab:{tab}"), Span(" "))


def _counts(details: Details) -> Mapping[TabName, str]:
    """What was read; of the knowledge base nothing is known before somebody wants to see it."""
    facts = len(details.known.provenance.edges) if details.known else 0
    events = len(details.dated.temporal.events) if details.dated else 0
    return {
        "states": str(len(details.moments)),
        "report": _report_word(details),
        "knowledge": str(facts or ""),
        "time": str(events or ""),
    }


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
