"""The page of a fact, of an entity, or of a remembered text, as lines with links. Pure.

A fact's page answers where it is from: the words of each text, what happened to it and why, and
what it stands against. Links are the targets `fact:ID`, `entity:ID` and `text:ID`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.api import (
    ArtifactInfo,
    EntityPage,
    FactEventInfo,
    FactHistory,
    FactInfo,
    RememberRun,
    Support,
)
from gligabao_tui.view.fact_words import (
    ACTOR_WORDS,
    KIND_WORDS,
    STATUS_WORDS,
    date_words,
    period_words,
    sentence,
    statement,
    status_span,
    stored_words,
    when_words,
)
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    Tone,
    between,
    flat,
    flow_spans,
    line,
    paragraph,
    plain,
)
from gligabao_tui.view.time_lines import KIND_TONES, kind_glyph

INDENT = 2
DATE_CELLS = 12


@dataclass(frozen=True, slots=True)
class TextPage:
    """A remembered text, with the facts it has and what became of it."""

    text: ArtifactInfo
    facts: tuple[FactInfo, ...] = ()
    run: RememberRun | None = None


Subject: TypeAlias = FactHistory | EntityPage | TextPage


@dataclass(frozen=True, slots=True)
class Sheet:
    """`marked` is the link that is marked; `named` are facts by their ids, so that others can be
    told by what they say; `texts` are those that have pages."""

    width: int
    glyphs: Glyphs
    marked: str = ""
    named: Mapping[int, FactInfo] = field(default_factory=dict)
    texts: frozenset[int] = frozenset()


def title_of(subject: Subject) -> str:
    match subject:
        case FactHistory():
            return f"Fact {subject.fact.id}"
        case EntityPage():
            return flat(subject.entity.name)
        case TextPage():
            return flat(f"Text {subject.text.id}: {subject.text.title or subject.text.source}")


def page_lines(subject: Subject, sheet: Sheet) -> tuple[Line, ...]:
    match subject:
        case FactHistory():
            return _marked(_fact_page(subject, sheet), sheet.marked)
        case EntityPage():
            return _marked(_entity_page(subject, sheet), sheet.marked)
        case TextPage():
            return _marked(_text_page(subject, sheet), sheet.marked)


def links_of(lines: Iterable[Line]) -> tuple[str, ...]:
    """The targets in the order in which they stand, each once."""
    found = (span.target for spans in lines for span in spans if ":" in span.target)
    return tuple(dict.fromkeys(found))


def page_text(subject: Subject, glyphs: Glyphs, cells: int) -> str:
    """The page as plain text."""
    lines = (plain(spans).rstrip() for spans in page_lines(subject, Sheet(cells, glyphs)))
    return "\n".join((title_of(subject), *lines))


def _fact_page(history: FactHistory, sheet: Sheet) -> tuple[Line, ...]:
    fact = history.fact
    rows: list[Line] = [*_statement(fact, sheet), *_standing(fact, sheet)]
    if fact.description and flat(fact.description) != sentence(fact):
        rows += [EMPTY, *_inset(paragraph(flat(fact.description), _room(sheet), "muted"))]
    rows += _next_one(history, sheet)
    rows += _supports(history.supports, sheet)
    rows += _events(history.events, sheet)
    if history.conflicts:
        rows += [EMPTY, _heading("May contradict")]
        rows += [_fact_row(other, sheet) for other in history.conflicts]
    return tuple(rows)


def _entity_page(page: EntityPage, sheet: Sheet) -> tuple[Line, ...]:
    entity = page.entity
    told = [
        Span(flat(entity.type), "accent"),
        Span(", ".join(map(flat, entity.datasets)), "muted"),
        Span(count_of(len(page.facts), "fact", "facts"), "muted"),
    ]
    rows: list[Line] = list(_inset(flow_spans(_dotted(told, sheet), _room(sheet))))
    if page.aliases:
        names = ", ".join(map(flat, page.aliases))
        rows += _inset(paragraph(f"also called {names}", _room(sheet), "muted"))
    if page.also_in:
        names = ", ".join(map(flat, page.also_in))
        rows += _inset(paragraph(f"a name also in {names}", _room(sheet), "muted"))
    if entity.description:
        rows += [EMPTY, *_inset(paragraph(flat(entity.description), _room(sheet)))]
    rows += [EMPTY, _heading("Facts")]
    rows += [_fact_row(fact, sheet) for fact in page.facts]
    return tuple(rows)


def _text_page(page: TextPage, sheet: Sheet) -> tuple[Line, ...]:
    text = page.text
    told = [
        Span(f"from {date_words(text.date)}" if text.date else "", "muted"),
        Span(f"stored {stored_words(text.created_at)}", "muted"),
        Span(f"{text.chars:,} characters", "muted"),
        Span(flat(text.dataset), "muted"),
        Span(f"#{text.run_id}" if text.run_id is not None else "", "accent"),
    ]
    rows: list[Line] = [*_inset(paragraph(flat(text.source), _room(sheet), "link"))]
    rows += _inset(flow_spans(_dotted(told, sheet), _room(sheet)))
    if page.run is not None:
        rows += _inset(_fate(page.run, sheet))
    rows += [EMPTY, _heading("Facts")]
    rows += [_fact_row(fact, sheet) for fact in page.facts]
    if not page.facts:
        rows += _inset(paragraph("No facts are from this text.", _room(sheet), "muted"))
    return tuple(rows)


def _fate(run: RememberRun, sheet: Sheet) -> Sequence[Line]:
    if run.status == "failed":
        return paragraph(f"It could not be read: {flat(run.error)}", _room(sheet), "bad")
    if run.status in ("queued", "running"):
        return paragraph("It is still to be read.", _room(sheet), "warn")
    notes = "; ".join(map(flat, run.notes))
    dropped = count_of(run.dropped, "item was", "items were")
    words = f"{dropped} left out of what the model said. {notes}" if run.dropped else notes
    if run.status == "stored_only":
        words = f"Stored without a model. {words}"
    return paragraph(words, _room(sheet), "warn") if words.strip() else ()


def _statement(fact: FactInfo, sheet: Sheet) -> Sequence[Line]:
    words = list(statement(fact, sheet.glyphs))
    if fact.source_id:
        words[0] = words[0]._replace(target=f"entity:{fact.source_id}")
    if fact.target_id and not fact.target_is_value:
        words[-1] = words[-1]._replace(target=f"entity:{fact.target_id}")
    return _inset(flow_spans(words, _room(sheet)))


def _standing(fact: FactInfo, sheet: Sheet) -> Sequence[Line]:
    mark = status_span(fact, sheet.glyphs)
    told = [
        mark._replace(text=f"{mark.text} {STATUS_WORDS[fact.status]}"),
        Span(period_words(fact)),
        Span(ACTOR_WORDS[fact.actor], "warn" if fact.actor == "pattern" else "muted"),
        Span(f"in {count_of(fact.support, 'text', 'texts')}", "muted"),
        Span(flat(fact.dataset), "muted"),
    ]
    return _inset(flow_spans(_dotted(told, sheet), _room(sheet)))


def _next_one(history: FactHistory, sheet: Sheet) -> Sequence[Line]:
    """What stands in its place."""
    number = history.fact.superseded_by
    if number is None:
        return []
    known = sheet.named.get(number)
    words = sentence(known) if known is not None else f"fact {number}"
    spans = (Span("Superseded by ", "warn"), Span(words, "link", f"fact:{number}"))
    return [EMPTY, *_inset(flow_spans(spans, _room(sheet)))]


def _supports(supports: Sequence[Support], sheet: Sheet) -> Sequence[Line]:
    rows: list[Line] = []
    for support in supports:
        whose = f"#{support.run_id}" if support.run_id is not None else ""
        told = [
            _source(support, sheet),
            Span(support.role),
            Span(whose, "accent"),
            Span(stored_words(support.recorded_at), "quiet"),
        ]
        rows += [EMPTY, *_inset(flow_spans(_dotted(told, sheet), _room(sheet)))]
        rows += _passage(support, sheet)
    return [EMPTY, _heading("Said in"), *rows[1:]] if rows else []


def _source(support: Support, sheet: Sheet) -> Span:
    number = support.artifact_id
    words = flat(support.source) or f"text {number}"
    if number not in sheet.texts:
        return Span(words, "strong")
    return Span(words, "link", f"text:{number}")


def _passage(support: Support, sheet: Sheet) -> Sequence[Line]:
    """The words of the text, a heavy bar before each row that has the quoted ones."""
    if not support.quote.strip():
        return _inset(paragraph("Its words cannot be shown.", _room(sheet), "muted"))
    cut, glyphs = sheet.glyphs.ellipsis, sheet.glyphs
    spans = (
        Span(f"{cut}{_run(support.before)}" if support.before else "", "muted"),
        Span(flat(support.quote), "mark"),
        Span(f"{_run(support.after)}{cut}" if support.after else "", "muted"),
    )
    rows: list[Line] = []
    for row in flow_spans(spans, max(1, _room(sheet) - INDENT)):
        is_quoted = any(span.tone == "mark" for span in row)
        bar = Span(f"{glyphs.cursor} ", "accent") if is_quoted else Span(f"{glyphs.bar} ", "quiet")
        rows.append((Span(" " * INDENT), bar, *row))
    return rows


def _events(events: Sequence[FactEventInfo], sheet: Sheet) -> Sequence[Line]:
    rows = [row for event in events for row in _event(event, sheet)]
    return [EMPTY, _heading("What happened to it"), *rows] if rows else []


def _event(event: FactEventInfo, sheet: Sheet) -> Sequence[Line]:
    hollow = event.basis in ("recorded", "reference")
    glyph = kind_glyph(event.kind, sheet.glyphs, is_hollow=hollow)
    told: list[Span] = [
        Span(f"{glyph} {KIND_WORDS[event.kind]}", KIND_TONES[event.kind]),
        Span(when_words(event)),
        Span(f"#{event.run_id}" if event.run_id is not None else "", "accent"),
        Span("by a pattern" if event.actor == "pattern" else "", "warn"),
        Span(f"stored {stored_words(event.recorded_at)}", "quiet"),
    ]
    rows = list(_inset(flow_spans(_dotted(told, sheet), _room(sheet))))
    because: list[Span] = []
    if event.reason:
        because.append(Span(flat(event.reason), "muted"))
    if event.cause_fact_id is not None:
        known = sheet.named.get(event.cause_fact_id)
        words = sentence(known) if known is not None else f"fact {event.cause_fact_id}"
        because.append(Span(words, "link", f"fact:{event.cause_fact_id}"))
    if because:
        flowed = flow_spans(between(because, Span(": ", "muted")), _room(sheet) - INDENT)
        rows += [(Span(" " * 2 * INDENT), *row) for row in flowed]
    return rows


def _fact_row(fact: FactInfo, sheet: Sheet) -> Line:
    target = f"fact:{fact.id}"
    dates, dot = period_words(fact), sheet.glyphs.dot
    spans = (
        Span(" " * INDENT),
        status_span(fact, sheet.glyphs),
        Span(" "),
        *(span._replace(target=target) for span in statement(fact, sheet.glyphs)),
        Span(f" {dot} {dates}" if dates else "", "muted", target),
        Span(f" {dot} by a pattern" if fact.actor == "pattern" else "", "warn"),
    )
    (first, *_) = flow_spans(spans[1:], max(1, sheet.width - INDENT)) or [EMPTY]
    return (Span(" " * INDENT), *first)


def _heading(words: str) -> Line:
    return line(Span(words, "title"))


def _dotted(parts: Iterable[Span], sheet: Sheet) -> Line:
    return between(parts, Span(f" {sheet.glyphs.dot} ", "quiet"))


def _inset(rows: Iterable[Line]) -> Sequence[Line]:
    return [(Span(" " * INDENT), *row) for row in rows]


def _room(sheet: Sheet) -> int:
    return max(1, sheet.width - INDENT)


def _run(text: str) -> str:
    """On one line; white space at either end stays a space."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() else ""
    return f"{before}{flat(text)}{after}"


def _marked(rows: Iterable[Line], marked: str) -> tuple[Line, ...]:
    """With the marked link in its own tone."""
    tone: Tone = "link-on"
    return tuple(
        tuple(
            span._replace(tone=tone) if marked and span.target == marked else span for span in row
        )
        for row in rows
    )
