"""What stands above and below the temporal plot: kinds, the time that is seen, the chosen event."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.api import ArtifactInfo
from gligabao_tui.keymap import Keymap
from gligabao_tui.view.calendar import DAY, date_of, day_words, month_words, year_words
from gligabao_tui.view.fact_words import KIND_WORDS, date_words, sentence, when_words
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    between,
    crop,
    flat,
    line_width,
    paragraph,
    spread,
)
from gligabao_tui.view.time_axis import YEAR
from gligabao_tui.view.time_lines import KIND_TONES, kind_glyph
from gligabao_tui.view.time_places import Placed
from gligabao_tui.view.timeline import Look, Mark, Timeline, seen_span

KIND = "kind:"


@dataclass(frozen=True, slots=True)
class Plotted:
    """What the plot shows, and of whom."""

    timeline: Timeline
    look: Look
    places: Placed
    glyphs: Glyphs
    with_agents: bool = False


def kinds_line(plotted: Plotted, width: int, keymap: Keymap) -> Line:
    """Every kind with its key, its shape and how many there are; words where they fit."""
    full = _kinds(plotted, keymap, has_words=True)
    if line_width(full) <= width:
        return full
    return crop(_kinds(plotted, keymap, has_words=False), width)


def seen_line(plotted: Plotted, width: int) -> Line:
    """The time that is seen, and what is not on the screen of all events."""
    timeline = plotted.timeline
    lo, hi = seen_span(timeline, plotted.look)
    told = [
        Span(span_words(max(lo, timeline.lo), min(hi, timeline.hi)), "strong"),
        Span(count_of(len(timeline.lanes), "subject", "subjects"), "muted"),
        Span(", ".join(timeline.datasets) if len(timeline.datasets) > 1 else "", "muted"),
        Span("with sub-agents" if plotted.with_agents else "", "muted"),
    ]
    dot = Span(f" {plotted.glyphs.dot} ", "quiet")
    return spread((Span(" "), *between(told, dot)), _outside(plotted, has_words=True), width)


def short_line(plotted: Plotted, width: int, keymap: Keymap) -> Line:
    """The kinds and what is not on the screen, where there is one row for both."""
    kinds = _kinds(plotted, keymap, has_words=False)
    return spread(kinds, _outside(plotted, has_words=False), width)


def event_lines(
    mark: Mark, artifacts: Sequence[ArtifactInfo], plotted: Plotted, width: int
) -> tuple[Line, ...]:
    """The chosen event in words: what, when and how that is known, and from which text."""
    event, fact, glyphs = mark.told.event, mark.told.fact, plotted.glyphs
    has_dataset = len(plotted.timeline.datasets) > 1
    glyph = kind_glyph(event.kind, glyphs, is_hollow=mark.is_hollow)
    text = next((one for one in artifacts if one.id == event.artifact_id), None)
    source = flat(text.source or text.title) if text is not None else ""
    dot = Span(f" {glyphs.dot} ", "quiet")
    what = (
        Span(f" {glyph} {KIND_WORDS[event.kind]}", KIND_TONES[event.kind]),
        Span("  "),
        Span(sentence(fact), "strong", "open"),
    )
    when = [Span(when_words(event)), Span(flat(event.reason), "muted")]
    where = [
        Span(f"from {source}" if source else "", "link"),
        Span("found by a pattern" if event.actor == "pattern" else "", "warn"),
        Span(flat(event.dataset) if has_dataset else "", "muted"),
        Span(f"#{event.run_id}" if event.run_id is not None else "", "accent"),
    ]
    return (
        crop(what, width),
        crop((Span("   "), *between(when, dot)), width),
        crop((Span("   "), *between(where, dot)), width),
    )


def event_line(mark: Mark, plotted: Plotted, width: int) -> Line:
    """The chosen event on one row: when it was comes first, for the rest can be opened."""
    event = mark.told.event
    glyph = kind_glyph(event.kind, plotted.glyphs, is_hollow=mark.is_hollow)
    when = date_words(event.at) or "no date"
    head = f" {glyph} {KIND_WORDS[event.kind]} "
    return crop(
        (
            Span(head, KIND_TONES[event.kind]),
            Span(f"{when}  ", "muted"),
            Span(sentence(mark.told.fact), "strong", "open"),
        ),
        width,
    )


def span_words(lo: int, hi: int) -> str:
    """`2019 to 2024`, as exact as the length of the time makes sense."""
    first, last = date_of(lo), date_of(hi - 1)
    if hi - lo > 6 * YEAR:
        return f"{year_words(first.year)} to {year_words(last.year)}"
    words = month_words if hi - lo > 90 * DAY else day_words
    return f"{words(first)} to {words(last)}"


def no_events_lines(reason: str, width: int) -> tuple[Line, ...]:
    rows = paragraph(reason, max(1, width - 2), "muted")
    return (
        EMPTY,
        (Span(" Nothing to see over time yet", "title"),),
        EMPTY,
        *((Span(" "), *row) for row in rows),
    )


def _outside(plotted: Plotted, *, has_words: bool) -> Line:
    timeline, places, glyphs = plotted.timeline, plotted.places, plotted.glyphs
    earlier, later = (" earlier", " later") if has_words else ("", "")
    undated = " without a date" if has_words else " ?"
    told = [
        Span(f"{glyphs.earlier} {places.earlier}{earlier}" if places.earlier else "", "accent"),
        Span(f"{places.later}{later} {glyphs.later}" if places.later else "", "accent"),
        Span(f"{timeline.undated}{undated}" if timeline.undated else "", "muted"),
        Span(f"{timeline.hidden} hidden" if timeline.hidden else "", "warn"),
    ]
    return (*between(told, Span("  ")), Span(" "))


def _kinds(plotted: Plotted, keymap: Keymap, *, has_words: bool) -> Line:
    spans: list[Span] = []
    for kind, count in plotted.timeline.counts:
        is_off, target = kind in plotted.look.off, f"{KIND}{kind}"
        glyph = plotted.glyphs.other if is_off else kind_glyph(kind, plotted.glyphs)
        word = f" {KIND_WORDS[kind]}" if has_words else ""
        off = " off" if is_off else ""
        spans += (
            Span(f" {keymap.word(f'time.{kind}')} ", "key", target),
            Span(f"{glyph}", "quiet" if is_off else KIND_TONES[kind], target),
            Span(f"{word} {count}{off}  ", "quiet" if is_off else "muted", target),
        )
    return tuple(spans)
