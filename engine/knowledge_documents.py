"""The JSON shapes of the knowledge base for programs: the command line, REST and MCP.

What others know of a shape comes first and in its order; what came later stands after it. Nothing
is lost: every answer can be read back. Bodies from outside are read with all their problems. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.domain.errors import Problem, UserError, problems_of
from engine.domain.json_values import Document, object_of, plain, read, read_part, written
from engine.domain.knowledge import (
    ArtifactInfo,
    DatasetInfo,
    EntityInfo,
    EntityPage,
    FactHistory,
    FactInfo,
    Forgotten,
    ImportRequest,
    QueryAnswer,
    QueryRequest,
    RememberRequest,
    RememberRun,
)
from engine.domain.provenance import Provenance, ProvenanceFact, Temporal, TemporalEvent

REMEMBER_FIELDS = (
    *("id", "user_id", "dataset", "kind", "session_id", "status", "chars", "artifacts"),
    *("entities", "facts", "entities_new", "facts_new", "error", "queued_at", "started_at"),
    "finished_at",
)
FACT_FIELDS = (
    *("id", "source", "relation", "target", "description", "dataset", "valid_from", "valid_to"),
    *("certainty", "score"),
)
ANSWER_FIELDS = ("id", "answer", "empty", "facts", "passages")
PASSAGE_FIELDS = ("artifact_id", "source", "text", "score")
ARTIFACT_FIELDS = ("id", "kind", "title", "chars", "parent_id", "created_at")
EVENT_FIELDS = ("id", "kind", "at", "recorded_at", "dataset")
KINDS_GIVEN = ("knowledge", "chat")
_OPTIONS = ("vectors", "geo")


@dataclass(frozen=True, slots=True)
class RememberBody:
    """A text to remember, and whether the answer waits until it is absorbed."""

    request: RememberRequest
    sync: bool = False


def remember_document(run: RememberRun) -> Document:
    """`{id, user_id, dataset, kind, session_id, status, chars, artifacts, entities, ...}`."""
    return _in_order(written(run), REMEMBER_FIELDS)


def remember_run_from(document: object) -> RememberRun:
    return read(RememberRun, document)


def remember_from(document: object) -> RememberBody:
    """The body of `POST /v1/gb/remember`. Raises UserError with every problem of its shape; what
    the values may be is judged where it is remembered."""
    given, found = _body(document, required=("user_id", "text"))
    sync = read_part(bool, given.pop("sync", False), "sync", problems=found)
    kind = given.get("kind", "knowledge")
    if kind not in KINDS_GIVEN:
        found.append(Problem("kind", f"must be one of {', '.join(KINDS_GIVEN)}"))
        given.pop("kind")
    given = _renamed(given, {"user_id": "user", "event_time": "date"})
    empty = {"user": "", "text": ""}
    request: RememberRequest = read_part(RememberRequest, empty | given, "", problems=found)
    problems_of(found)
    return RememberBody(request, sync)


def query_from(document: object) -> QueryRequest:
    """The body of `POST /v1/gb/query`. Raises UserError with every problem of its shape."""
    given, found = _body(document, required=("user_id", "question"))
    given = _renamed(given, {"user_id": "user"})
    empty = {"user": "", "question": ""}
    request: QueryRequest = read_part(QueryRequest, empty | given, "", problems=found)
    problems_of(found)
    return request


def query_document(answer: QueryAnswer) -> Document:
    """`{id, answer, empty, facts: [...], passages: [{artifact_id, source, text, score}]}`."""
    rest = written(answer)
    rest["facts"] = [fact_document(fact) for fact in answer.facts]
    rest["also"] = [fact_document(fact) for fact in answer.also]
    rest["passages"] = [_in_order(passage, PASSAGE_FIELDS) for passage in rest["passages"]]
    return _in_order(rest, ANSWER_FIELDS)


def query_answer_from(document: object) -> QueryAnswer:
    return read(QueryAnswer, document)


def fact_document(fact: FactInfo) -> Document:
    return _in_order(written(fact), FACT_FIELDS)


def fact_from(document: object) -> FactInfo:
    return read(FactInfo, document)


def history_document(history: FactHistory) -> Document:
    """`{fact, events: [{id, kind, at, ...}], supports: [{artifact_id, ...}], conflicts}`."""
    return written(history)


def dataset_document(dataset: DatasetInfo) -> Document:
    return written(dataset)


def entity_document(entity: EntityInfo) -> Document:
    return written(entity)


def entity_page_document(page: EntityPage) -> Document:
    """`{entity, aliases, facts, also_in}`."""
    return {**written(page), "facts": [fact_document(fact) for fact in page.facts]}


def forgotten_document(gone: Forgotten) -> Document:
    """`{artifacts, facts_gone, facts_changed, entities_gone, answers_emptied}`."""
    return written(gone)


def import_from(document: object, *, user: str, dataset: str) -> ImportRequest:
    """`{"text", "source", "date", "facts": [{"source", "relation", "target", "from", "to"}]}`.
    Raises UserError with every problem of its shape."""
    given, found = object_of(document), list[Problem]()
    found += [Problem(name, "is required") for name in ("text", "facts") if name not in given]
    if isinstance(given.get("facts"), list):
        given["facts"] = [_given_fact(fact) for fact in given["facts"]]
    whole = {"text": "", "facts": [], **given, "user": user, "dataset": dataset}
    request: ImportRequest = read_part(ImportRequest, whole, "", problems=found)
    problems_of([Problem(_as_written(problem.where), problem.what) for problem in found])
    return request


def provenance_document(found: Provenance) -> Document:
    """`{run_id, sessions, datasets, artifacts, entities, edges}`; each fact of `edges` says whether
    the run created it, and which runs and datasets it is in."""
    return {
        **written(found),
        "datasets": [_dataset_part(dataset) for dataset in found.datasets],
        "artifacts": [_artifact_part(artifact) for artifact in found.artifacts],
        "edges": [_edge_part(edge) for edge in found.edges],
    }


def provenance_from(document: object) -> Provenance:
    given = object_of(document)
    for name, part in (
        ("datasets", _dataset_read),
        ("artifacts", _artifact_read),
        ("edges", _edge_read),
    ):
        given[name] = [part(object_of(one)) for one in given.get(name, [])]
    return read(Provenance, given)


def temporal_document(found: Temporal) -> Document:
    """`{run_id, artifacts, events: [{id, kind, at, recorded_at, dataset, edge, ...}]}`."""
    return {
        "run_id": found.run_id,
        "artifacts": [_artifact_part(artifact) for artifact in found.artifacts],
        "events": [_event_part(event) for event in found.events],
    }


def temporal_from(document: object) -> Temporal:
    given = object_of(document)
    given["artifacts"] = [_artifact_read(object_of(one)) for one in given.get("artifacts", [])]
    given["events"] = [_event_read(object_of(one)) for one in given.get("events", [])]
    return read(Temporal, given)


def _in_order(rest: Document, first: Sequence[str]) -> Document:
    return {name: rest.pop(name) for name in first} | rest


def _body(document: object, *, required: Sequence[str]) -> tuple[Document, list[Problem]]:
    """What a body gives besides its options, and the problems so far."""
    given = object_of(document)
    found = [Problem(name, "is required") for name in required if not given.get(name)]
    options = given.pop("options", {})
    if not isinstance(options, dict):
        found.append(Problem("options", "must be a JSON object"))
        return given, found
    for name, value in options.items():
        if name not in _OPTIONS:
            found.append(Problem(f"options.{name}", "is not a known field"))
        elif not isinstance(value, bool):
            found.append(Problem(f"options.{name}", "must be true or false"))
    return given, found


def _renamed(given: Document, names: dict[str, str]) -> Document:
    return {names.get(name, name): value for name, value in given.items()}


def _given_fact(document: object) -> object:
    """`from` and `to` are no names that a value may have."""
    if not isinstance(document, dict):
        return document
    return _renamed(document, {"from": "start", "to": "end"})


def _as_written(where: str) -> str:
    head, dot, name = where.rpartition(".")
    names = {"start": "from", "end": "to"}
    return f"{head}{dot}{names.get(name, name)}" if dot else where


def _dataset_part(dataset: DatasetInfo) -> Document:
    rest = written(dataset)
    rest["edges"] = rest.pop("facts")
    return _in_order(rest, ("id", "name", "user_id", "artifacts", "entities", "edges"))


def _dataset_read(given: Document) -> Document:
    return _renamed(given, {"edges": "facts"})


def _artifact_part(artifact: ArtifactInfo) -> Document:
    rest = _in_order(written(artifact), ARTIFACT_FIELDS)
    return {**rest, "datasets": [artifact.dataset]}


def _artifact_read(given: Document) -> Document:
    given.pop("datasets", None)
    return given


def _edge_part(edge: ProvenanceFact) -> Document:
    own = {
        "created": edge.created,
        "datasets": plain(edge.datasets),
        "run_ids": plain(edge.run_ids),
    }
    return fact_document(edge.fact) | own


def _edge_read(given: Document) -> Document:
    own = {name: given.pop(name, []) for name in ("created", "datasets", "run_ids")}
    return {"fact": given, **own}


def _event_part(told: TemporalEvent) -> Document:
    rest = _in_order(written(told.event), EVENT_FIELDS)
    cause = told.event.cause_fact_id if told.event.kind == "superseded" else None
    return {**rest, "edge": fact_document(told.fact), "superseded_by": cause}


def _event_read(given: Document) -> Document:
    given.pop("superseded_by", None)
    fact: Any = given.pop("edge", None)
    if fact is None:
        raise UserError(Problem("events", "each needs the fact that it happened to, as `edge`"))
    return {"event": given, "fact": fact}
