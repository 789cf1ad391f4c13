"""What is asked of the knowledge base, checked and made ready for the store. Pure.

Every problem of a request is told at once, each with its field.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.domain.dates import stated
from engine.domain.errors import Problem, problems_of
from engine.domain.facts import Stated, order
from engine.domain.keys import content_hash
from engine.domain.knowledge import (
    REMEMBER_MOST_CHARS,
    GivenFact,
    ImportRequest,
    RememberRequest,
)
from engine.domain.text_safety import clean, one_line
from engine.knowledge.chunks import Part, chunks, sentences
from engine.knowledge.extracted import ExtractedEntity, ExtractedFact, Extraction, to_json
from engine.store.knowledge_queue import NewRemember
from engine.store.knowledge_texts import NewText

SOURCE_MOST_CHARS = 2_000
SESSION_MOST_CHARS = 120
NAME_MOST_CHARS = 300
FACTS_MOST = 500
_A_VALUE = re.compile(r"[<>~≈±+−-]?\s*[$€£¥]?\s*\d")
"""A target that begins as a figure or a date does is a value, and no entity of its own."""
_DATASET = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII)
A_DATASET = "must be 1 to 64 lowercase letters, digits, - or _, and begin with a letter or a digit"
A_DATE = "is no date: say 2024, 2024-03, 2024-03-15 or 2024-Q1"


def text_to_remember(request: RememberRequest) -> NewRemember:
    """Raises UserError with every problem."""
    problems_of(list(_problems(request)))
    text = clean(request.text).strip()
    return NewRemember(request.user, request.dataset, _new_text(request, text), request.kind)


def facts_to_remember(request: ImportRequest) -> NewRemember:
    """The same for facts that somebody states: nothing is extracted from their passage. Raises
    UserError with every problem."""
    around = RememberRequest(
        user=request.user,
        text=request.text,
        source=request.source,
        dataset=request.dataset,
        date=request.date,
        kind="import",
    )
    problems_of([*_problems(around), *_fact_problems(request.facts)])
    text = clean(request.text).strip()
    stated_facts = to_json(_extraction(request.facts, text))
    # Other facts of the same passage are another text: else they would be lost with the second one.
    new = replace(_new_text(around, text), content_hash=content_hash(f"{text}\n\n{stated_facts}"))
    return NewRemember(request.user, request.dataset, new, "import", stated_facts)


def dataset_problem(name: str) -> str:
    """What is wrong with the name of a dataset; empty when nothing is."""
    return "" if _DATASET.fullmatch(name) else f'"{one_line(name, 80)}" {A_DATASET}'


def date_of(written: str) -> Stated | None:
    return stated(written.strip()) if written.strip() else None


def _problems(request: RememberRequest) -> Iterator[Problem]:
    text = clean(request.text).strip()
    if not text:
        yield Problem("text", "is empty: give the text to remember")
    if len(text) > REMEMBER_MOST_CHARS:
        most = f"{REMEMBER_MOST_CHARS} at most"
        yield Problem("text", f"{len(text)} characters are too many ({most}): split it")
    if wrong := dataset_problem(request.dataset):
        yield Problem("dataset", wrong)
    if request.date.strip() and date_of(request.date) is None:
        yield Problem("date", f'"{one_line(request.date, 40)}" {A_DATE}')
    for where, given, most_chars in (
        ("source", request.source, SOURCE_MOST_CHARS),
        ("session_id", request.session_id, SESSION_MOST_CHARS),
    ):
        if len(given) > most_chars:
            yield Problem(where, f"{len(given)} characters are too many ({most_chars} at most)")


def _fact_problems(facts: Sequence[GivenFact]) -> Iterator[Problem]:
    if not facts:
        yield Problem("facts", "there is none: give at least one")
    if len(facts) > FACTS_MOST:
        yield Problem("facts", f"{len(facts)} are too many for one passage ({FACTS_MOST} at most)")
    for place, fact in enumerate(facts[:FACTS_MOST]):
        yield from _problems_of_fact(fact, f"facts[{place}]")


def _problems_of_fact(fact: GivenFact, where: str) -> Iterator[Problem]:
    for name, given in (
        ("source", fact.source),
        ("relation", fact.relation),
        ("target", fact.target),
    ):
        if not clean(given).strip():
            yield Problem(f"{where}.{name}", "is missing")
        elif len(given) > NAME_MOST_CHARS:
            told = f"{len(given)} characters are too many ({NAME_MOST_CHARS} at most)"
            yield Problem(f"{where}.{name}", told)
    for name, date in (("from", fact.start), ("to", fact.end)):
        if date.strip() and date_of(date) is None:
            yield Problem(f"{where}.{name}", f'"{one_line(date, 40)}" {A_DATE}')
    if order(date_of(fact.end), date_of(fact.start)) == "before":
        # Left alone, both dates would be dropped without a word.
        yield Problem(
            f"{where}.to", f"{fact.end.strip()} is before {fact.start.strip()}, its start"
        )


def _new_text(request: RememberRequest, text: str) -> NewText:
    source = one_line(request.source, SOURCE_MOST_CHARS)
    return NewText(
        text=text,
        content_hash=content_hash(text),
        sentences=_said(text, source),
        chunks=chunks(text),
        source=source,
        session_id=one_line(request.session_id, SESSION_MOST_CHARS),
        kind="report" if request.kind == "report" else "text",
        title=source or one_line(text, 80),
        date=date_of(request.date),
    )


def _said(text: str, source: str) -> tuple[Part, ...]:
    """The sentences without the line that the tool puts before a text: it answers no question."""
    line = f"Source: {source}\n"
    begin = len(line) if source and text.startswith(line) else 0
    return tuple(part for part in sentences(text) if part.start >= begin)


def _extraction(facts: Sequence[GivenFact], text: str) -> Extraction:
    found = tuple(_fact(fact, text) for fact in facts)
    names = dict.fromkeys(name for fact in found for name in _ends(fact))
    entities = (
        ExtractedEntity(name, "thing", mention=name if name in text else "") for name in names
    )
    return Extraction(tuple(entities), found)


def _ends(fact: ExtractedFact) -> tuple[str, ...]:
    return (fact.source,) if fact.target_is_value else (fact.source, fact.target)


def _fact(fact: GivenFact, text: str) -> ExtractedFact:
    """Where the passage has the description in so many words, that is its quotation."""
    description = one_line(fact.description, 1_000)
    at = text.find(description) if description else -1
    return ExtractedFact(
        source=one_line(fact.source, NAME_MOST_CHARS),
        relation=one_line(fact.relation, NAME_MOST_CHARS),
        target=one_line(fact.target, NAME_MOST_CHARS),
        description=description,
        quote=description if at >= 0 else "",
        target_is_value=bool(_A_VALUE.match(fact.target.strip())),
        exclusive=fact.exclusive,
        negated=fact.negated,
        start=fact.start.strip(),
        end=fact.end.strip(),
        quote_start=at if at >= 0 else None,
        quote_end=at + len(description) if at >= 0 else None,
        actor="import",
    )
