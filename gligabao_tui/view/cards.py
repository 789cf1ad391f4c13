"""The blocks of the dock: a run in a few lines, its state, topic, time, steps and cost."""

from datetime import datetime

from engine.api import Run
from gligabao_tui.view import formatting
from gligabao_tui.view.early_end import cut_words, is_capped, mark_of, tone_of, word_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, Tone, between, fit, flat, line, pad, spread, wrap

TOPIC_ROWS = 2


def card(run: Run, width: int, *, now: datetime, glyphs: Glyphs) -> tuple[Line, ...]:
    """A block of the dock on a wide screen."""
    topic = tuple(line(Span(row)) for row in _topic(run, width))
    head, figures = _head(run, width, now=now, glyphs=glyphs), _figures(run, now)
    return (head, *topic, figures, *_early(run, width), *_why(run))


def strip_card(run: Run, width: int, *, now: datetime, glyphs: Glyphs) -> tuple[Line, ...]:
    """A block of the dock where there is only a strip of two rows for all of them."""
    figures = f"{run.steps}/{run.max_steps} " + flat(run.topic)
    tone: Tone = "bad" if run.status in ("failed", "stopped") else "muted"
    return (
        _head(run, width, now=now, glyphs=glyphs),
        line(Span(pad(figures, width), tone)),
    )


def _head(run: Run, width: int, *, now: datetime, glyphs: Glyphs) -> Line:
    state = line(Span(f"{mark_of(run, glyphs)} {word_of(run)}", tone_of(run)))
    if run.status == "running":
        return spread(state, line(Span(_running_time(run, now), "strong")), width)
    since = formatting.ago(formatting.seconds_between(run.finished_at or "", None, now))
    dismiss = Span(f" {glyphs.dismiss} ", "quiet", "dismiss")
    return spread(state, line(Span(since, "muted"), dismiss), width)


def _topic(run: Run, width: int) -> list[str]:
    rows = wrap(flat(run.topic), width)
    if len(rows) <= TOPIC_ROWS:
        return rows
    return [*rows[: TOPIC_ROWS - 1], pad(" ".join(rows[TOPIC_ROWS - 1 :]), width)]


def _figures(run: Run, now: datetime) -> Line:
    parts = [
        Span(f"#{run.id}", "quiet"),
        Span(f"step {run.steps}/{run.max_steps}", "muted"),
        Span(formatting.money(run.cost_usd), "muted"),
        Span("" if run.status == "running" else _running_time(run, now), "muted"),
    ]
    return between(parts, Span("  "))


def _early(run: Run, width: int) -> tuple[Line, ...]:
    told = cut_words(run)
    return (line(Span(fit(told, width), "warn" if is_capped(run) else "muted")),) if told else ()


def _why(run: Run) -> tuple[Line, ...]:
    if run.status != "failed":
        return ()
    return (line(Span(" why it failed ", "pill-bad", "error")),)


def _running_time(run: Run, now: datetime) -> str:
    return formatting.duration(formatting.seconds_between(run.created_at, run.finished_at, now))
