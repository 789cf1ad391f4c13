"""The rows of the Knowledge tab as lines, its head, and what it says where there is nothing. Pure.

What tells two facts apart is always a word or a shape: status, created or restated, a pattern's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.api import ProvenanceFact, RememberRun
from gligabao_tui.view.fact_words import (
    PATTERN,
    STATUS_WORDS,
    date_words,
    period_words,
    role_words,
    statement,
    status_span,
)
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.known import Known
from gligabao_tui.view.provenance import Counts, Item, Section, Shelf
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    Tone,
    between,
    crop,
    fit,
    flat,
    flow_spans,
    line_width,
    pad,
    paragraph,
    spread,
    width_of,
)

TITLES: dict[Section, str] = {"facts": "Facts", "entities": "Entities", "texts": "Texts"}
ROLE_CELLS, STATUS_CELLS, DATASET_CELLS, MOST_DATE_CELLS = 8, 10, 12, 26
WHOSE_FROM, DATASET_FROM, STATUS_FROM = 82, 96, 108
GAP = "  "


@dataclass(frozen=True, slots=True)
class Columns:
    """What stands to the right of every fact, and how wide; 0: nothing has it, or no room."""

    dates: int = 0
    status: int = 0
    whose: int = 0
    dataset: int = 0
    has_patterns: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """`columns` are those of all facts, so that they stand below each other."""

    width: int
    columns: Columns
    glyphs: Glyphs


def columns_of(edges: Sequence[ProvenanceFact], known: Known, width: int) -> Columns:
    facts = [edge.fact for edge in edges]
    whose = max((width_of(_whose(edge)) for edge in edges), default=0)
    has_datasets = len({fact.dataset for fact in facts}) > 1
    is_other = any(fact.status != "active" for fact in facts)
    dates = max((width_of(period_words(fact)) for fact in facts), default=0)
    return Columns(
        dates=min(dates, MOST_DATE_CELLS, width * 3 // 10),
        status=STATUS_CELLS if is_other and width >= STATUS_FROM else 0,
        whose=whose if known.with_agents and width >= WHOSE_FROM else 0,
        dataset=DATASET_CELLS if has_datasets and width >= DATASET_FROM else 0,
        has_patterns=any(fact.actor == "pattern" for fact in facts),
    )


def item_line(item: Item, frame: Frame) -> Line:
    match item.kind:
        case "section":
            return _section(item, frame)
        case "group":
            return _group(item, frame)
        case "fact":
            assert item.fact is not None
            return _fact(item.fact, frame, is_below=item.is_below)
        case "entity":
            return _entity(item, frame)
        case "text":
            return _text(item, frame)


def head_lines(counts: Counts, known: Known, width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    """What there is in all, and what is still to come or went wrong."""
    facts = [f"{counts.created} created", f"{counts.restated} restated"]
    if counts.by_pattern:
        facts.append(f"{counts.by_pattern} by a pattern ({PATTERN})")
    told = [
        ", ".join(counts.datasets),
        count_of(counts.texts, "text", "texts"),
        count_of(counts.entities, "entity", "entities"),
        f"{count_of(counts.facts, 'fact', 'facts')}: {', '.join(facts)}",
        "with sub-agents" if known.with_agents else "",
    ]
    dot = Span(f" {glyphs.dot} ", "quiet")
    rows = flow_spans(between([Span(part, "muted") for part in told], dot), max(1, width - 2))
    return (*((Span(" "), *row) for row in rows), *_troubles(counts, width, glyphs))


def empty_lines(known: Known, width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    """Why there is nothing, and what would change that."""
    title = (Span(" Nothing in the knowledge base yet", "title"),)
    reason = reason_words(known.queue)
    return (EMPTY, title, EMPTY, *_indented(reason, width), *_failures(known.queue, width, glyphs))


def no_match_lines(shelf: Shelf, width: int) -> tuple[Line, ...]:
    return (EMPTY, *_indented(f'Nothing has the words "{flat(shelf.words)}".', width))


def facts_missing(known: Known) -> str:
    """Why there are texts and no facts; empty where there are facts."""
    if known.provenance.edges:
        return ""
    return reason_words(known.queue)


def reason_words(queue: Sequence[RememberRun]) -> str:
    """Why there are no facts."""
    states = {text.status for text in queue}
    if not queue:
        return "The agent has remembered nothing: it stores what it finds when it sees fit."
    if states & {"queued", "running"}:
        waits = sum(text.status in ("queued", "running") for text in queue)
        verb = "is" if waits == 1 else "are"
        words = count_of(waits, "text", "texts")
        return f"{words} {verb} still to be read. What is found appears here by itself."
    if "stored_only" in states:
        return (
            "The texts are stored and can be searched. No model has read them, and no pattern fits "
            "them, so that there are no facts."
        )
    if states == {"failed"}:
        return "No text could be read."
    return "The texts were read, and no facts were found in them."


def _troubles(counts: Counts, width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    told: list[Span] = []
    if counts.waiting:
        words = count_of(counts.waiting, "text", "texts")
        told.append(Span(f"{glyphs.cut} {words} still to be read", "warn"))
    if counts.failed:
        words = count_of(len(counts.failed), "text", "texts")
        told.append(Span(f"{glyphs.failed} {words} failed: {flat(counts.failed[-1].error)}", "bad"))
    return ((Span(" "), *crop(between(told, Span(GAP)), width - 2)),) if told else ()


def _failures(queue: Iterable[RememberRun], width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    failed = [text for text in queue if text.status == "failed"]
    return tuple(
        (Span(f" {glyphs.failed} ", "bad"), Span(fit(flat(text.error), width - 4), "bad"))
        for text in failed[:5]
    )


def _indented(text: str, width: int) -> tuple[Line, ...]:
    return tuple((Span(" "), *row) for row in paragraph(text, max(1, width - 2), "muted"))


def _section(item: Item, frame: Frame) -> Line:
    fold = frame.glyphs.closed if item.is_folded else frame.glyphs.opened
    count = str(item.of) if item.shown == item.of else f"{item.shown} of {item.of}"
    return (
        Span(f"{fold} ", "accent"),
        Span(TITLES[item.section], "title"),
        Span(f"  {count}", "muted"),
    )


def _group(item: Item, frame: Frame) -> Line:
    kind = flat(item.entity.type) if item.entity is not None else ""
    count = count_of(item.shown, "fact", "facts")
    left = (Span(GAP), Span(item.name, "strong"), Span(f"  {kind}" if kind else "", "muted"))
    return spread(left, (Span(count, "quiet"), Span(" ")), frame.width)


def _fact(edge: ProvenanceFact, frame: Frame, *, is_below: bool) -> Line:
    fact, columns = edge.fact, frame.columns
    pattern = PATTERN if fact.actor == "pattern" else " "
    marks: Line = (Span("    " if is_below else GAP), status_span(fact, frame.glyphs))
    if columns.has_patterns:
        marks = (*marks, Span(f" {pattern}", "warn"))
    words = statement(fact, frame.glyphs, has_source=not is_below)
    right = _beside(edge, frame)
    room = frame.width - line_width(right) - line_width(marks) - 2
    return spread((*marks, Span(" "), *crop(words, room)), right, frame.width)


def _beside(edge: ProvenanceFact, frame: Frame) -> Line:
    """The columns at the right edge."""
    fact, columns = edge.fact, frame.columns
    status = "" if fact.status == "active" else STATUS_WORDS[fact.status]
    role = role_words(created=edge.created)
    cells: tuple[tuple[str, int, Tone], ...] = (
        (period_words(fact), columns.dates, "muted"),
        (status, columns.status, "muted"),
        (role, ROLE_CELLS, "" if edge.created else "muted"),
        (_whose(edge), columns.whose, "accent"),
        (flat(fact.dataset), columns.dataset, "quiet"),
    )
    spans = [Span(f"{GAP}{pad(text, cells)}", tone) for text, cells, tone in cells if cells]
    return (*spans, Span(" "))


def _entity(item: Item, frame: Frame) -> Line:
    entity = item.entity
    assert entity is not None
    role = pad(role_words(created=entity.created), ROLE_CELLS)
    facts = count_of(entity.facts, "fact", "facts").rjust(STATUS_CELLS)
    right = (Span(facts, "muted"), Span(f"{GAP}{role}", "" if entity.created else "muted"))
    left: Line = (Span(GAP), Span(item.name, "strong"), Span(f"  {flat(entity.type)}", "muted"))
    if entity.description and frame.width >= WHOSE_FROM:
        left = (*left, Span(f"  {flat(entity.description)}", "quiet"))
    room = frame.width - line_width(right) - 3
    return spread(crop(left, room), (*right, Span(" ")), frame.width)


def _text(item: Item, frame: Frame) -> Line:
    text = item.text
    assert text is not None
    whose = f"#{text.run_id}" if frame.columns.whose and text.run_id is not None else ""
    told = (
        _progress(item.run, frame.glyphs),
        Span(date_words(text.date), "muted"),
        Span(f"{text.chars:,} characters" if frame.width >= WHOSE_FROM else "", "quiet"),
        Span(whose, "accent"),
    )
    right = (*between(told, Span(GAP)), Span(" "))
    left = (Span(GAP), Span(item.name, "link"))
    room = frame.width - line_width(right) - 2
    return spread(crop(left, room), right, frame.width)


def _progress(run: RememberRun | None, glyphs: Glyphs) -> Span:
    """What became of a text, where that is not that it was read."""
    if run is None or run.status == "completed":
        return Span("")
    match run.status:
        case "queued":
            return Span(f"{glyphs.other} queued", "warn")
        case "running":
            return Span(f"{glyphs.cut} being read", "warn")
        case "failed":
            return Span(f"{glyphs.failed} failed", "bad")
        case _:
            return Span("stored only", "muted")


def _whose(edge: ProvenanceFact) -> str:
    return " ".join(f"#{run_id}" for run_id in edge.run_ids[:2]) + (
        "+" if len(edge.run_ids) > 2 else ""
    )
