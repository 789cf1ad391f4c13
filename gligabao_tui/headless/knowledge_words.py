"""What the commands about the knowledge base tell a person: facts with their dates, texts on their
way, what a question was answered with. Dates stand as they were stated."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from engine.api import (
    ArtifactInfo,
    DatasetInfo,
    EntityInfo,
    EntityPage,
    FactEventInfo,
    FactHistory,
    FactInfo,
    Forgotten,
    PassageInfo,
    QueryAnswer,
    RememberRun,
    Support,
)
from gligabao_tui.headless.words import table
from gligabao_tui.view.formatting import ago, count_of, money, seconds_between
from gligabao_tui.view.text import flat, wrap

MOST_WIDTH = 100
"""In cells, of running text on a wide terminal."""
_SHOWN_TEXTS = 20


def run_words(run: RememberRun) -> str:
    """`remember run 12 completed: 3 entities and 5 facts (2 new) in main`, or why not."""
    name = f"remember run {run.id}"
    match run.status:
        case "queued" | "running" if run.next_attempt_at and run.error:
            return f"{name} is tried again at {run.next_attempt_at}: {flat(run.error)}"
        case "queued" | "running":
            return f"{name} is {run.status}: {run.chars:,} characters for {run.dataset}"
        case "failed":
            return f"{name} failed: {flat(run.error)}; the text is kept and can be searched"
        case "stored_only":
            why = flat(run.error or "; ".join(run.notes) or "no facts were extracted")
            found = f"{_found(run)}; " if run.facts else ""
            return f"{name} is stored only: {why}; {found}the text can be searched"
    return f"{name} completed: {_found(run)} in {run.dataset}{_spent(run)}"


def answer_words(answer: QueryAnswer, *, cells: int | None) -> Iterator[str]:
    """The answer, what it rests on, and the passages."""
    yield answer.answer
    if answer.facts:
        yield from ("", "Facts it is based on:" if answer.is_grounded else "Stored facts:")
        yield from (f"- {fact_words(fact)}" for fact in answer.facts)
    if answer.also and answer.is_grounded:
        yield from ("", "Found and not used:")
        yield from (f"- {fact_words(fact)}" for fact in answer.also)
    if answer.passages:
        yield from ("", "Passages:")
        for passage in answer.passages:
            yield from _passage(passage, cells=cells)


def fact_words(fact: FactInfo) -> str:
    """`[88] Cell X reached 450 Wh/kg: in a pilot line (since 2025-Q1; 3 texts)`."""
    notes = (dates_of(fact), _standing(fact), fact.certainty, _texts(fact.support))
    return f"[{fact.id}] {said(fact)} ({'; '.join(note for note in notes if note)})"


def said(fact: FactInfo) -> str:
    """`source relation target: description`, in one line."""
    no = "not so: " if fact.negated else ""
    triple = f"{no}{fact.source} {fact.relation} {fact.target}"
    return flat(f"{triple}: {fact.description}" if fact.description.strip() else triple)


def dates_of(fact: FactInfo) -> str:
    """As stated: `2024-03 to 2025`, `since 2024`, `until 2025`; empty when none is."""
    if fact.valid_from and fact.valid_to:
        return f"{fact.valid_from} to {fact.valid_to}"
    if fact.valid_from:
        return f"since {fact.valid_from}"
    return f"until {fact.valid_to}" if fact.valid_to else ""


def facts_table(
    facts: Sequence[FactInfo], *, cells: int | None, with_certainty: bool = False
) -> Iterator[str]:
    """A header and a line a fact, as many columns as fit: the fact is always among them."""
    head = ("id", "dates", *(["held"] if with_certainty else []), "status", "texts", "fact")
    rows = [_fact_row(fact, with_certainty=with_certainty) for fact in facts]
    return table(head, rows, cells=cells)


def history_words(history: FactHistory, *, cells: int | None) -> Iterator[str]:
    """A fact with what happened to it, and the texts it is in."""
    fact = history.fact
    yield f"fact {fact.id}: {said(fact)}"
    notes = (dates_of(fact), _standing(fact) or "active", f"dataset {fact.dataset}", _by(fact))
    yield "; ".join(note for note in notes if note)
    yield ""
    yield from table(_EVENTS, [_event_row(event) for event in history.events], cells=cells)
    for support in history.supports:
        yield from _support(support, cells=cells)
    if history.conflicts:
        yield from ("", "May contradict it:")
        yield from (f"- {fact_words(other)}" for other in history.conflicts)


def entities_table(entities: Sequence[EntityInfo], *, cells: int | None) -> Iterator[str]:
    rows = [
        (str(one.id), one.type, str(one.facts), ", ".join(one.datasets), one.name)
        for one in entities
    ]
    return table(("id", "type", "facts", "dataset", "name"), rows, cells=cells)


def entity_words(page: EntityPage, *, cells: int | None) -> Iterator[str]:
    entity = page.entity
    yield f"{flat(entity.name)} ({entity.type or 'thing'}, in {', '.join(entity.datasets)})"
    if page.aliases:
        yield f"also called {', '.join(map(flat, page.aliases))}"
    if entity.description:
        yield from wrap(flat(entity.description), _width(cells))
    if page.also_in:
        yield f"also in {', '.join(page.also_in)}"
    if page.facts:
        yield ""
        yield from facts_table(page.facts, cells=cells)


def datasets_table(datasets: Sequence[DatasetInfo], *, cells: int | None) -> Iterator[str]:
    head = ("texts", "entities", "facts", "waiting", "failed", "dataset")
    rows = [
        (*map(str, (one.artifacts, one.entities, one.facts, one.queued, one.failed)), one.name)
        for one in datasets
    ]
    return table(head, rows, cells=cells)


def queue_table(runs: Sequence[RememberRun], now: datetime, *, cells: int | None) -> Iterator[str]:
    head = ("id", "status", "queued", "text", "facts", "dataset", "what")
    return table(head, [_run_row(run, now) for run in runs], cells=cells)


def forgotten_words(gone: Forgotten, *, is_trial: bool) -> Iterator[str]:
    """What goes, or has gone: each text, then how much goes with it."""
    texts = count_of(len(gone.artifacts), "text", "texts")
    yield f"{'would forget' if is_trial else 'forgotten'}: {texts}"
    yield from (f"- {_text_words(text)}" for text in gone.artifacts[:_SHOWN_TEXTS])
    if len(gone.artifacts) > _SHOWN_TEXTS:
        yield f"- and {len(gone.artifacts) - _SHOWN_TEXTS} more"
    yield f"with {'it' if len(gone.artifacts) == 1 else 'them'}: {', '.join(_with_them(gone))}"
    if gone.facts_changed:
        changed = count_of(gone.facts_changed, "other fact", "other facts")
        yield f"changed by it: {changed}"


def _with_them(gone: Forgotten) -> Iterator[str]:
    yield f"{count_of(gone.facts_gone, 'fact', 'facts')} that nothing else supports"
    yield count_of(gone.entities_gone, "entity", "entities")
    if gone.answers_emptied:
        yield count_of(gone.answers_emptied, "stored answer", "stored answers")


def _text_words(text: ArtifactInfo) -> str:
    named = flat(text.title or text.source)
    return f"text {text.id} ({text.chars:,} characters, {text.dataset}): {named}"


def _found(run: RememberRun) -> str:
    entities = count_of(run.entities, "entity", "entities")
    facts = count_of(run.facts, "fact", "facts")
    if not run.facts and not run.entities:
        return "no facts found"
    return f"{entities} and {facts} ({run.facts_new} new)"


def _spent(run: RememberRun) -> str:
    dropped = f"; {run.dropped} of the model's items dropped" if run.dropped else ""
    return dropped + (f"; {money(run.cost_usd)}" if run.cost_usd else "")


def _fact_row(fact: FactInfo, *, with_certainty: bool) -> Sequence[str]:
    held = [fact.certainty] if with_certainty else []
    return (str(fact.id), dates_of(fact), *held, fact.status, str(fact.support), said(fact))


def _standing(fact: FactInfo) -> str:
    if fact.status == "superseded" and fact.superseded_by is not None:
        return f"superseded by {fact.superseded_by}"
    return "" if fact.status == "active" else fact.status


def _by(fact: FactInfo) -> str:
    return {
        "model": "",
        "pattern": "found by a pattern",
        "import": "imported",
        "person": "stated by a person",
    }[fact.actor]


def _texts(support: int) -> str:
    return count_of(support, "text", "texts")


_EVENTS = ("when", "what", "known by", "recorded", "text", "why")


def _event_row(event: FactEventInfo) -> Sequence[str]:
    by_then = "by " if event.basis in ("reference", "recorded") and event.at else ""
    cause = f"fact {event.cause_fact_id}" if event.cause_fact_id is not None else ""
    why = "; ".join(part for part in (cause, event.reason) if part)
    text = "" if event.artifact_id is None else str(event.artifact_id)
    when = f"{by_then}{event.at or '?'}"
    return (when, event.kind, event.basis, event.recorded_at[:10], text, why)


def _support(support: Support, *, cells: int | None) -> Iterator[str]:
    run = f", run {support.run_id}" if support.run_id is not None else ""
    yield ""
    yield f"text {support.artifact_id}, {support.role}{run}: {flat(support.source)}".rstrip(": ")
    words = flat(f"{support.before}{support.quote}{support.after}")
    yield from (f"  {line}" for line in wrap(words, _width(cells) - 2) if words)


def _passage(passage: PassageInfo, *, cells: int | None) -> Iterator[str]:
    yield from wrap(f"- {flat(passage.text)}", _width(cells))
    source = "" if _is_its_own_title(passage) else f", {flat(passage.source)}"
    yield f"  (text {passage.artifact_id}{source})"


def _is_its_own_title(passage: PassageInfo) -> bool:
    """A text without a source is called by its first words."""
    source, words = flat(passage.source), flat(passage.text)
    return source in words or source.startswith(words)


def _run_row(run: RememberRun, now: datetime) -> Sequence[str]:
    queued = ago(seconds_between(run.queued_at, None, now)) if run.queued_at else ""
    what = "; ".join(part for part in (flat(run.source or run.title), run.session_id) if part)
    status = "waits" if run.status == "queued" and run.error else run.status
    number = str(run.artifact_id)
    return (
        str(run.id),
        status,
        queued,
        number,
        str(run.facts),
        run.dataset,
        "; ".join(filter(None, (what, flat(run.error)))),
    )


def _width(cells: int | None) -> int:
    return min(cells or MOST_WIDTH, MOST_WIDTH)
