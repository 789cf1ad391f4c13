"""What the views of the knowledge screen are written to files as: JSON whole, CSV as tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.api import (
    EntityInfo,
    FactInfo,
    RememberRun,
    entity_document,
    fact_document,
    query_document,
    remember_document,
)
from gligabao_tui.view.answers import Asked
from gligabao_tui.view.knowledge_files import FACT_COLUMNS, csv_text, json_text

ENTITY_COLUMNS = ("id", "name", "type", "facts", "description", "datasets")
REMEMBER_COLUMNS = (
    *("id", "status", "source", "kind", "session_id", "chars", "facts", "facts_new", "entities"),
    *("entities_new", "ended", "superseded", "invalidated", "dropped", "attempt", "cost_usd"),
    *("queued_at", "finished_at", "error", "dataset"),
)
ANSWER_COLUMNS = ("question", "as_of", "dataset", "state", "answer", "grounded", "cost_usd", "fact")


@dataclass(frozen=True, slots=True)
class Export:
    """`what` names it in file names and words: `facts`; `count` says how many there are."""

    what: str
    count: int
    json: str
    csv: str


def facts_export(facts: Sequence[FactInfo]) -> Export:
    return _export("facts", [fact_document(fact) for fact in facts], FACT_COLUMNS)


def entities_export(entities: Sequence[EntityInfo]) -> Export:
    return _export("entities", [entity_document(one) for one in entities], ENTITY_COLUMNS)


def texts_export(runs: Sequence[RememberRun]) -> Export:
    return _export("texts", [remember_document(run) for run in runs], REMEMBER_COLUMNS)


def answers_export(history: Sequence[Asked]) -> Export:
    """JSON with everything that was found; in CSV a row for each fact an answer is based on."""
    documents = [
        {
            "question": asked.question,
            "as_of": asked.as_of,
            "dataset": asked.dataset,
            "state": asked.state,
            "error": asked.fault,
            "answer": query_document(asked.answer) if asked.answer else None,
        }
        for asked in history
    ]
    rows = [row for asked in history for row in _answer_rows(asked)]
    return Export("answers", len(documents), json_text(documents), csv_text(rows, ANSWER_COLUMNS))


def file_name(dataset: str, what: str) -> str:
    """Without its ending."""
    return f"gligabao-{dataset}-{what}"


def _answer_rows(asked: Asked) -> list[dict[str, Any]]:
    row: dict[str, Any] = {
        "question": asked.question,
        "as_of": asked.as_of,
        "dataset": asked.dataset,
        "state": asked.state,
    }
    if asked.answer is None:
        return [row]
    found = asked.answer
    row |= {"answer": found.answer, "grounded": found.is_grounded, "cost_usd": found.cost_usd}
    return [
        row | {"fact": f"[F{fact.id}] {fact.source} {fact.relation} {fact.target}"}
        for fact in found.facts
    ] or [row]


def _export(what: str, documents: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Export:
    return Export(what, len(documents), json_text(documents), csv_text(documents, columns))
