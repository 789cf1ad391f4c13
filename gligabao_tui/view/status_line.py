"""The top line: how many runs there are by status, what today has cost, whose engine it is."""

from dataclasses import dataclass
from typing import Literal

from engine.api import STATUSES, RunCounts, Status
from gligabao_tui.view.formatting import count_of, money
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, Tone, line, line_width, spread
from gligabao_tui.view.words import STATUS_TONES, STATUS_WORDS

EngineState = Literal["opening", "owned", "joined", "lost", "closing"]
ENGINE_WORDS: dict[EngineState, str] = {
    "opening": "opening",
    "owned": "engine here",
    "joined": "engine joined",
    "lost": "engine unreachable",
    "closing": "closing",
}
ENGINE_TONES: dict[EngineState, Tone] = {"lost": "bad", "opening": "warn", "closing": "warn"}


NOTHING_COUNTED = RunCounts()


@dataclass(frozen=True, slots=True)
class Still:
    """The screen stands still: how much has changed since, and the key that goes on."""

    missed: int
    key: str


@dataclass(frozen=True, slots=True)
class Top:
    counts: RunCounts = NOTHING_COUNTED
    engine: EngineState = "opening"
    still: Still | None = None


def status_line(top: Top, width: int, glyphs: Glyphs) -> Line:
    """Words where there is room for them, else glyphs and numbers."""
    if top.still is not None:
        return spread(_paused(top.still), _right(top, with_words=False), width)
    right = _right(top, with_words=True)
    long = line(Span(" gligabao ", "title"), Span("  "), *_counts(top.counts, glyphs, words=True))
    if line_width(long) + line_width(right) < width:
        return spread(long, right, width)
    short = line(Span(" "), *_counts(top.counts, glyphs, words=False))
    return spread(short, _right(top, with_words=False), width)


def window_title(counts: RunCounts, glyphs: Glyphs) -> str:
    """`gligabao ●2 ✗1`: what the terminal's title says."""
    told = [
        f"{glyphs.of(status)}{counts.by_status[status]}"
        for status in STATUSES
        if status in ("running", "failed") and counts.by_status.get(status)
    ]
    return " ".join(["gligabao", *told])


def _paused(still: Still) -> Line:
    missed = count_of(still.missed, "change", "changes") if still.missed else "nothing new"
    told = Span(f" paused: {missed} ", "pill-on")
    return line(told, Span(f"  {still.key} ", "key"), Span("goes on", "muted"))


def _counts(counts: RunCounts, glyphs: Glyphs, *, words: bool) -> Line:
    spans: list[Span] = []
    for status in STATUSES:
        number = counts.by_status.get(status, 0)
        tone: Tone = STATUS_TONES[status] if number else "quiet"
        word = f" {STATUS_WORDS[status]}" if words else ""
        spans.append(Span(f"{glyphs.of(status)} {number}{word}", tone, _target(status)))
        spans.append(Span("   " if words else "  "))
    return tuple(spans)


def _right(top: Top, *, with_words: bool) -> Line:
    word = ENGINE_WORDS[top.engine]
    if not with_words:
        word = word.removeprefix("engine ")
    return line(
        Span("today ", "quiet"),
        Span(money(top.counts.cost_today_usd), "strong"),
        Span("   "),
        Span(word, ENGINE_TONES.get(top.engine, "muted")),
        Span(" "),
    )


def _target(status: Status) -> str:
    return f"filter:{status}"
