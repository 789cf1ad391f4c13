"""How a fact is told: its status, its dates as far as they are known, who found it. Pure.

A date that is not a day lies somewhere in a longer time, which `~` says; nothing is made exact.
"""

from engine.api import (
    Actor,
    EventKind,
    FactEventInfo,
    FactInfo,
    FactStatus,
    moment,
    shown,
    stated,
)
from gligabao_tui.view.calendar import DAY
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, Tone, flat

STATUS_WORDS: dict[FactStatus, str] = {
    "active": "active",
    "ended": "ended",
    "superseded": "superseded",
    "invalidated": "never true",
}
_STATUS_TONES: dict[FactStatus, Tone] = {
    "active": "good",
    "ended": "muted",
    "superseded": "warn",
    "invalidated": "bad",
}
_STATUS_PLACES: dict[FactStatus, int] = {"active": 0, "ended": 2, "invalidated": 3, "superseded": 4}
KIND_WORDS: dict[EventKind, str] = {
    "created": "created",
    "confirmed": "confirmed",
    "ended": "ended",
    "invalidated": "never true",
    "superseded": "superseded",
}
ACTOR_WORDS: dict[Actor, str] = {
    "model": "found by the model",
    "pattern": "found by a pattern",
    "import": "given as a fact",
    "person": "said by a person",
}
PATTERN = "p"
"""The mark of a fact that a pattern found."""


def status_span(fact: FactInfo, glyphs: Glyphs) -> Span:
    """The shapes are those of the events on the time plot."""
    return Span(glyphs.events[_STATUS_PLACES[fact.status]], _STATUS_TONES[fact.status])


def statement(fact: FactInfo, glyphs: Glyphs, *, has_source: bool = True) -> Line:
    """`Cell X reached = 450 Wh/kg`: a value stands after `=`, an entity after an arrow."""
    sign = "=" if fact.target_is_value else glyphs.to
    relation = f"not {flat(fact.relation)}" if fact.negated else flat(fact.relation)
    target = Span(flat(fact.target), "em" if fact.target_is_value else "strong")
    rest = (Span(f"{relation} ", ""), Span(f"{sign} ", "quiet"), target)
    return (Span(f"{flat(fact.source)} ", "strong"), *rest) if has_source else rest


def sentence(fact: FactInfo) -> str:
    """`Cell X reached 450 Wh/kg`."""
    relation = f"not {fact.relation}" if fact.negated else fact.relation
    return flat(f"{fact.source} {relation} {fact.target}")


def date_words(text: str | None) -> str:
    """`2024-03-15`, `~2024`, `~44 BCE`; empty where there is none."""
    date = stated(text or "")
    if date is None:
        return flat(text or "")
    return f"{'~' if date.span.hi - date.span.lo > DAY else ''}{shown(date)}"


def period_words(fact: FactInfo) -> str:
    """`since ~2019`, `~2019 to 2021-05-01`, `until ~2021`; empty where nothing is known."""
    start, end = date_words(fact.valid_from), date_words(fact.valid_to)
    if start and end:
        return f"{start} to {end}"
    return f"since {start}" if start else f"until {end}" if end else ""


def role_words(*, created: bool) -> str:
    return "created" if created else "restated"


def when_words(event: FactEventInfo) -> str:
    """When an event was, and how that is known."""
    if event.at is None:
        return "no text says when"
    date = date_words(event.at)
    match event.basis:
        case "stated":
            return f"{date}, as the text says"
        case "inferred":
            return f"{date}, from the words of the text and its date"
        case "reference":
            return f"by {date}, the date of the text"
        case _:
            return f"by {date}, when it was stored: no text says when"


def stored_words(stored: str) -> str:
    """`2026-11-01 10:00 UTC`."""
    try:
        return f"{moment(stored):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return flat(stored)
