"""Remembered texts, the latest first: what became of each, and why, when it went wrong. Pure.

A text is a line; what must not be missed stands below it, and all about it when it is opened.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.api import RememberRun, RememberStatus
from gligabao_tui.view import formatting
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    Line,
    Span,
    Tone,
    fit,
    flat,
    line,
    pad,
    pad_left,
    paragraph,
    spread,
    width_of,
)

HINT = "waiting, working, done, failed or stored"
STATUS_CELLS, NUMBER_CELLS, AGE_CELLS, INDENT = 10, 7, 6, 3
COUNTS_FROM, NUMBER_FROM, READING_CELLS = 72, 60, 100
WORDS: dict[RememberStatus, str] = {
    "queued": "waiting",
    "running": "working",
    "completed": "done",
    "failed": "failed",
    "stored_only": "stored",
}
TONES: dict[RememberStatus, Tone] = {
    "queued": "muted",
    "running": "good",
    "completed": "good",
    "failed": "bad",
    "stored_only": "warn",
}
PHASES = {
    "extracting": "facts are read out of it",
    "reconciling": "its facts are compared with those that are known",
    "applying": "its facts are stored",
}
_PREFIX = re.compile(r"^https?://(www\.)?", re.IGNORECASE)
STORED_ONLY = "Only stored: its words can be found, but no model has read facts out of it."
UNDER_WAY: frozenset[RememberStatus] = frozenset({"queued", "running"})
AGAIN: frozenset[RememberStatus] = frozenset({"failed", "stored_only"})
"""Those that can be tried again."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How texts are drawn: the moment, and the symbols."""

    now: datetime
    glyphs: Glyphs


@dataclass(frozen=True, slots=True)
class TextRow:
    run: RememberRun

    @property
    def key(self) -> int:
        return self.run.id

    @property
    def is_live(self) -> bool:
        """Of more than one line, and of an age that changes."""
        return True


def status_wanted(typed: str) -> tuple[RememberStatus | None, str]:
    """Which texts are meant by what was typed, or what is wrong with it."""
    word = typed.strip().lower().removeprefix("status:")
    if not word:
        return None, ""
    found = [status for status, name in WORDS.items() if name.startswith(word)]
    found += [status for status in WORDS if status.startswith(word) and status not in found]
    if found:
        return found[0], ""
    return None, f'"{flat(typed)}" is none of: {HINT}'


def is_under_way(runs: Iterable[RememberRun]) -> bool:
    return any(run.status in UNDER_WAY for run in runs)


def text_block(
    run: RememberRun, width: int, frame: Frame, *, is_open: bool | None
) -> tuple[Line, ...]:
    """The head, and below it what must be seen, or everything."""
    cells = min(width - INDENT - 1, READING_CELLS)
    body = _everything(run, cells, frame.now) if is_open else _must_be_seen(run, width - INDENT - 1)
    return (_head(run, width, frame), *((Span(" " * INDENT), *row) for row in body))


def texts_header(width: int) -> Line:
    """The names of the columns, above rows of this width."""
    number = pad("", NUMBER_CELLS) if width >= NUMBER_FROM else ""
    left = f"   {pad('', STATUS_CELLS)}{number}text"
    right = pad_left("age ", AGE_CELLS)
    return line(Span(pad(left, max(0, width - AGE_CELLS)) + right, "quiet"))


def text_words(run: RememberRun, now: datetime) -> str:
    """All about it as plain text: for the clipboard."""
    rows = [f"#{run.id} {WORDS[run.status]}: {name_of(run)}"]
    rows += ["".join(span.text for span in row) for row in _everything(run, 10_000, now)]
    return "\n".join(rows)


def name_of(run: RememberRun) -> str:
    """Where the text is from, else its first words, else what kind it is."""
    return _PREFIX.sub("", flat(run.source or run.title)) or f"{run.kind}, {_characters(run)}"


def failed_title(count: int) -> str:
    return f"Try {count_of(count, 'failed text', 'failed texts')} again?"


def failed_words(width: int) -> tuple[Line, ...]:
    told = "Each is read by the model again, which may cost something. What a text has brought so"
    return paragraph(f"{told} far is kept, and nothing comes twice.", width)


def retried_words(count: int, refused: Sequence[str]) -> str:
    """What came of trying all failed texts again."""
    waits = count - len(refused)
    told = f"{count_of(waits, 'text waits', 'texts wait')} for a turn again."
    return f"{told} Not tried again: {'; '.join(refused[:3])}" if refused else told


def _head(run: RememberRun, width: int, frame: Frame) -> Line:
    tone = TONES[run.status]
    since = formatting.seconds_between(run.finished_at or run.queued_at, None, frame.now)
    number = pad(f"#{run.id}", NUMBER_CELLS) if width >= NUMBER_FROM else ""
    counts = _counts(run) if width >= COUNTS_FROM else _short_counts(run)
    right = line(
        Span(counts, "muted"), Span(pad_left(f"{formatting.age(since)} ", AGE_CELLS), "quiet")
    )
    left_cells = STATUS_CELLS + 3 + width_of(number)
    name = fit(name_of(run), max(8, width - left_cells - sum(width_of(s.text) for s in right) - 2))
    left = line(
        Span(f" {_mark(run, frame.glyphs)} {pad(WORDS[run.status], STATUS_CELLS)}", tone),
        Span(number, "quiet"),
        Span(name, "strong" if run.status in UNDER_WAY else ""),
    )
    return spread(left, right, width)


def _mark(run: RememberRun, glyphs: Glyphs) -> str:
    return {
        "queued": glyphs.other[0] if len(glyphs.other) == 1 else ".",
        "running": glyphs.working,
        "completed": glyphs.done,
        "failed": glyphs.failed,
        "stored_only": glyphs.cut,
    }[run.status]


def _counts(run: RememberRun) -> str:
    """`7 facts, 3 new`; what it changed of others comes when it is opened."""
    if not run.facts:
        return "no facts" if run.status == "completed" else ""
    new = f", {run.facts_new:,} new" if run.facts_new != run.facts else ""
    return f"{count_of(run.facts, 'fact', 'facts')}{new}"


def _short_counts(run: RememberRun) -> str:
    return count_of(run.facts, "fact", "facts") if run.facts else ""


def _must_be_seen(run: RememberRun, width: int) -> list[Line]:
    """What went wrong, in one row."""
    match run.status:
        case "failed":
            return [line(Span(fit(flat(run.error) or "no reason was given", width), "bad"))]
        case "running":
            return [line(Span(fit(_phase(run), width), "muted"))]
        case "queued" if run.error:
            return [line(Span(fit(f"tried before: {flat(run.error)}", width), "warn"))]
    if run.dropped:
        told = count_of(run.dropped, "item", "items") + " of the model's answers not kept"
        return [line(Span(fit(told, width), "warn"))]
    return []


def _everything(run: RememberRun, width: int, now: datetime) -> list[Line]:
    rows: list[Line] = []
    if run.error:
        rows += paragraph(run.error, width, "bad" if run.status == "failed" else "warn")
    if run.status == "stored_only" and not run.error:
        rows += paragraph(STORED_ONLY, width, "warn")
    if run.status == "running":
        rows.append(line(Span(_phase(run), "muted")))
    for told in _told(run, now):
        rows += paragraph(told, width, "muted")
    if run.dropped:
        told = f"{count_of(run.dropped, 'item', 'items')} of the model's answers could not be kept"
        rows += paragraph(f"{told}{':' if run.notes else '.'}", width, "warn")
    for note in run.notes:
        first, *more = paragraph(flat(note), max(8, width - 2), "muted")
        rows.append((Span("- ", "quiet"), *first))
        rows += [(Span("  "), *row) for row in more]
    return [*rows, ()]


def _told(run: RememberRun, now: datetime) -> list[str]:
    """Counts, times, cost and whose it is, as sentences of their own."""
    rows = []
    if run.status == "completed" or run.facts:
        facts = f"{count_of(run.facts, 'fact', 'facts')}, {run.facts_new:,} new"
        rows.append(f"{facts}; {_entities(run)}")
        changed = [
            f"{number:,} {word}"
            for number, word in (
                (run.ended, "ended"),
                (run.superseded, "superseded"),
                (run.invalidated, "invalidated"),
            )
            if number
        ]
        rows += [f"of the facts that were there: {', '.join(changed)}"] if changed else []
    ago = formatting.ago(formatting.seconds_between(run.queued_at, None, now))
    size = (
        f"{run.chars:,} {'character' if run.chars == 1 else 'characters'}, {run.kind}, given {ago}"
    )
    rows.append(f"{size}{_attempt(run)}, {formatting.money(run.cost_usd)}")
    if run.session_id:
        rows.append(f"by {flat(run.session_id).replace('research-', 'run #')}")
    if run.next_attempt_at and run.status == "queued":
        rows.append(f"the next attempt is at {formatting.time_of_day(run.next_attempt_at)} UTC")
    return rows


def _entities(run: RememberRun) -> str:
    return f"{count_of(run.entities, 'entity', 'entities')}, {run.entities_new:,} new"


def _characters(run: RememberRun) -> str:
    return f"{run.chars:,} {'character' if run.chars == 1 else 'characters'}"


def _phase(run: RememberRun) -> str:
    """How far it is, in words."""
    return f"{PHASES.get(run.phase) or flat(run.phase) or 'beginning'}{_attempt(run)}"


def _attempt(run: RememberRun) -> str:
    return f", attempt {run.attempt}" if run.attempt > 1 else ""
