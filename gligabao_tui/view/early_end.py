"""Runs that completed before their agent was done: cut by a cost cap, or wrapped up by a person.

Said by a mark and by words wherever a run is shown, never by a colour alone.
"""

import re
from typing import Literal

from engine.api import Run
from gligabao_tui.view.formatting import money
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Tone, flat
from gligabao_tui.view.words import STATUS_TONES, doing

EarlyEnd = Literal["cap:agent", "cap:research", "wrap_up"]
WORDS: dict[EarlyEnd, str] = {"cap:agent": "capped", "cap:research": "capped", "wrap_up": "wrapped"}
"""In place of the word for a run that is done."""
CAPS: dict[EarlyEnd, str] = {
    "cap:agent": "its cost cap",
    "cap:research": "the research's cost cap",
}
_SENTENCE = re.compile(r"\*Stopped early: [^($]{1,60}\(\$(\d{1,9}\.\d\d)\) was reached\b")


def early_end(run: Run) -> EarlyEnd | None:
    """Why it ended early; None of one that did not, or that has no report."""
    if run.status != "completed":
        return None
    return next((known for known in WORDS if known == run.stop_reason), None)


def is_capped(run: Run) -> bool:
    return early_end(run) in CAPS


def mark_of(run: Run, glyphs: Glyphs) -> str:
    return glyphs.of(run.status) if early_end(run) is None else glyphs.cut


def word_of(run: Run) -> str:
    """What it is doing, or how it ended."""
    early = early_end(run)
    return doing(run) if early is None else WORDS[early]


def tone_of(run: Run) -> Tone:
    return "warn" if is_capped(run) else STATUS_TONES[run.status]


def cut_words(run: Run) -> str:
    """`cut by its cost cap`, `wrapped up by the admin UI`; empty when nothing ended it early."""
    early = early_end(run)
    if early is None:
        return ""
    if early in CAPS:
        return f"cut by {CAPS[early]}"
    return f"wrapped up by {flat(run.wrap_up_by or 'a person')}"


def early_note(run: Run, report: str) -> str:
    """Above a report that was written before its time; empty above any other."""
    early = early_end(run)
    if early is None:
        return ""
    if early in CAPS:
        return f"Stopped early by {CAPS[early]}{_of(report)}: it may be incomplete."
    who = flat(run.wrap_up_by or "a person")
    return f"Wrapped up early by {who}: it is written from what was there by then."


def cap_told(run: Run) -> str:
    """Beside the costs: the cap that cut the report."""
    early = early_end(run)
    return f"{CAPS[early]}{_of(run.report)} cut the report" if early in CAPS else ""


def _of(report: str) -> str:
    """` of $5.00`, as the last paragraph of the report tells it."""
    found = _SENTENCE.match(report.rstrip().rsplit("\n\n", 1)[-1])
    return f" of {money(float(found[1]))}" if found else ""
