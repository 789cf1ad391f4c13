"""Fills a knowledge base for benchmarks: texts with facts that are stated of them, as remembering
them would, without a model."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.dates import stated
from engine.domain.decisions import (
    Confirm,
    Create,
    EntityRef,
    Findings,
    FoundEntity,
    NewFact,
    Origin,
)
from engine.domain.facts import Period
from engine.domain.keys import Triple, content_hash, fact_key, name_key, relation_key
from engine.knowledge.chunks import chunks, sentences
from engine.store import knowledge_apply, knowledge_texts
from engine.store.database import Transaction
from engine.store.knowledge_entities import Into

NOW = "2026-11-01T10:00:00.000Z"
USER, DATASET = "admin", "main"


@dataclass(frozen=True, slots=True)
class StatedText:
    """A text with the triples that are in it: source, relation, target, since when."""

    title: str
    text: str
    facts: Sequence[tuple[str, str, str, str]]


def store(tx: Transaction, texts: Sequence[StatedText], known: set[str]) -> list[int]:
    """The ids of the texts. `known`: keys of the facts that were stored before; it grows."""
    dataset = knowledge_texts.ensure_dataset(tx, USER, DATASET, at=NOW)
    return [_store(tx, dataset, text, known) for text in texts]


def _store(tx: Transaction, dataset: int, stated_text: StatedText, known: set[str]) -> int:
    new = knowledge_texts.NewText(
        text=stated_text.text,
        content_hash=content_hash(stated_text.text),
        sentences=sentences(stated_text.text),
        chunks=chunks(stated_text.text),
        title=stated_text.title,
    )
    artifact = knowledge_texts.add(tx, dataset, new, at=NOW)
    today = stated("2026-11-01")
    assert today is not None
    origin = Origin(today, "reference", NOW, artifact)
    knowledge_apply.apply(tx, Into(dataset, origin), _findings(stated_text.facts, known))
    return artifact


def _findings(facts: Sequence[tuple[str, str, str, str]], known: set[str]) -> Findings:
    entities: dict[EntityRef, FoundEntity] = {}
    decisions: list[Create | Confirm] = []
    for source, relation, target, since in facts:
        ends = (EntityRef(name_key(source)), EntityRef(name_key(target)))
        for ref, name in zip(ends, (source, target), strict=True):
            entities.setdefault(ref, FoundEntity(ref, name))
        start = stated(since) if since else None
        key = fact_key(Triple(ends[0].key, relation, ends[1].key), start=start)
        fact = NewFact(
            ends[0], relation, relation_key(relation), ends[1], period=Period(start, None)
        )
        decisions.append(Confirm(key, fact) if key in known else Create(key, fact))
        known.add(key)
    return Findings(tuple(entities.values()), tuple(decisions))
