"""The lines around a report: whether it is finished and what became of its quotations above it,
the marked link and what is being written below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gligabao_tui.keymap import DEFAULT_KEYMAP, Keymap
from gligabao_tui.view.details import Details
from gligabao_tui.view.early_end import early_note, is_capped
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.link import link_status
from gligabao_tui.view.text import EMPTY, Line, Span, Tone, line, line_width, paragraph, spread


@dataclass(frozen=True, slots=True)
class Below:
    """`target` is where the marked link leads; `has_new`: text was written below the view."""

    target: str = ""
    follows: bool = False
    has_new: bool = False
    key: str = "f"
    """What follows what is written."""


Note: TypeAlias = tuple[str, Tone]


def report_notes(details: Details, keymap: Keymap = DEFAULT_KEYMAP) -> tuple[Note, ...]:
    """What is said above a report, each with its tone: that it was written early, and the rest."""
    early = early_note(details.run, details.report)
    told: tuple[Note, Note] = (
        (early, "warn" if is_capped(details.run) else "muted"),
        report_note(details, keymap),
    )
    return tuple((text, tone) for text, tone in told if text)


def note_lines(notes: Sequence[Note], width: int) -> tuple[Line, ...]:
    return tuple(row for text, tone in notes for row in paragraph(text, width, tone))


def report_note(
    details: Details, keymap: Keymap = DEFAULT_KEYMAP
) -> tuple[str, Literal["muted", "warn", "bad", "good"]]:
    """The text, empty when there is nothing to say, and its tone."""
    run = details.run
    if details.report:
        return _checked(details)
    if details.writing:
        return "Being written: the report once the agent is done.", "warn"
    if run.status == "running":
        told = f"{keymap.word('main.wrap_up')} lets it write its report now."
        return f"No report yet: the agent is still working. {told}", "muted"
    if run.status == "completed":
        return "The report is being read.", "muted"
    return f"There is no report: the run {run.status}. {run.error}".strip(), "bad"


def below_report(below: Below, width: int, glyphs: Glyphs) -> Line:
    """The marked link on the left, what is being written on the right."""
    right = _following(below, glyphs)
    room = width - line_width(right) - 1
    left = link_status(below.target, room, glyphs.ellipsis) if below.target else EMPTY
    return spread(left, right, width)


def _following(below: Below, glyphs: Glyphs) -> Line:
    if below.follows:
        return (Span(f"{glyphs.below} following ", "quiet"),)
    if not below.has_new:
        return EMPTY
    told = Span(f"{glyphs.below} new text below ", "accent", "follow")
    return line(told, Span(f" {below.key} ", "key", "follow"), Span(" follow ", "muted", "follow"))


def _checked(details: Details) -> tuple[str, Literal["muted", "warn", "bad", "good"]]:
    """How many quotations were found again in what was read."""
    told = details.quotations
    total = sum(told.values())
    if not total:
        return "", "muted"
    missing = told.get("missing", 0)
    if missing:
        return f"{missing} of {count_of(total, 'quotation', 'quotations')} not found again", "bad"
    return f"{count_of(total, 'quotation', 'quotations')} checked against what was read", "good"
