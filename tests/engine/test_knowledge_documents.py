"""The knowledge base as JSON: the shapes that programs know, and nothing lost on the way back."""

import json

import pytest

from engine.domain.errors import UserError
from engine.domain.knowledge import (
    ArtifactInfo,
    DatasetInfo,
    EntityInfo,
    FactEventInfo,
    FactInfo,
    GivenFact,
    PassageInfo,
    QueryAnswer,
    RememberRun,
)
from engine.domain.provenance import (
    KnowledgeSession,
    Provenance,
    ProvenanceFact,
    Temporal,
    TemporalEvent,
)
from engine.domain.run import RunId
from engine.knowledge_documents import (
    import_from,
    provenance_document,
    provenance_from,
    query_answer_from,
    query_document,
    query_from,
    remember_document,
    remember_from,
    remember_run_from,
    temporal_document,
    temporal_from,
)

AT = "2026-11-01T10:00:00.000Z"
FACT = FactInfo(88, "Cell X", "reached", "450 Wh/kg", "in 2025", "main", valid_from="2025-Q1")
EVENT = FactEventInfo(
    *(301, "superseded", "2025", 1_735_689_600, 1_767_225_600, "stated", AT, "model", "main"),
    artifact_id=40,
    session_id="research-7",
    run_id=RunId(7),
    cause_fact_id=91,
)
TEXT = ArtifactInfo(
    *(40, "text", "電池", "https://a.example", 812, AT, "main", None, RunId(7), "2025")
)
ENTITY = EntityInfo(5, "Cell X", "product", "a cell", ("main",), (RunId(7),))
RUN = RememberRun(
    *(12, "u1", "main", "knowledge", "research-7", "completed", 40, "https://a.example", 812),
    facts=5,
    notes=("a note",),
    queued_at=AT,
)


def test_a_remember_run_has_the_fields_that_programs_know_first() -> None:
    document = json.loads(json.dumps(remember_document(RUN)))
    assert list(document)[:16] == [
        *("id", "user_id", "dataset", "kind", "session_id", "status", "chars", "artifacts"),
        *("entities", "facts", "entities_new", "facts_new", "error", "queued_at", "started_at"),
        "finished_at",
    ]
    assert remember_run_from(document) == RUN


def test_an_answer_has_its_facts_and_passages_with_their_fields_in_order() -> None:
    passage = PassageInfo(40, "https://a.example", "Cell X reached 450 Wh/kg.", 0.5, 3, 28)
    answer = QueryAnswer(31, "450 Wh/kg [F88].", False, (FACT,), (FACT,), (passage,), True, 0.01)
    document = json.loads(json.dumps(query_document(answer)))
    assert list(document)[:5] == ["id", "answer", "empty", "facts", "passages"]
    assert list(document["facts"][0])[:10] == [
        *("id", "source", "relation", "target", "description", "dataset", "valid_from"),
        *("valid_to", "certainty", "score"),
    ]
    assert list(document["passages"][0])[:4] == ["artifact_id", "source", "text", "score"]
    assert (document["facts"][0]["valid_from"], document["facts"][0]["valid_to"]) == (
        "2025-Q1",
        None,
    )
    assert query_answer_from(document) == answer


@pytest.mark.req("R184", "R185")
def test_a_provenance_says_of_each_item_where_it_is_and_of_each_fact_who_brought_it() -> None:
    found = Provenance(
        RunId(7),
        (KnowledgeSession("research-7", RunId(7), "", "cells"),),
        (DatasetInfo(1, "main", "u1", 4, 9, 12),),
        (TEXT,),
        (ENTITY,),
        (ProvenanceFact(FACT, False, ("main",), (RunId(7), RunId(9))),),
    )
    document = json.loads(json.dumps(provenance_document(found)))
    assert list(document) == [*("run_id", "sessions", "datasets", "artifacts", "entities", "edges")]
    assert document["datasets"][0]["edges"] == 12
    assert document["artifacts"][0]["datasets"] == ["main"]
    edge = document["edges"][0]
    assert (edge["source"], edge["created"], edge["run_ids"]) == ("Cell X", False, [7, 9])
    assert provenance_from(document) == found


@pytest.mark.req("R187")
def test_an_event_has_its_fact_and_what_superseded_it() -> None:
    found = Temporal(RunId(7), (TEXT,), (TemporalEvent(EVENT, FACT),))
    document = json.loads(json.dumps(temporal_document(found)))
    (event,) = document["events"]
    assert list(event)[:5] == ["id", "kind", "at", "recorded_at", "dataset"]
    assert (event["edge"]["id"], event["superseded_by"], event["at"]) == (88, 91, "2025")
    assert temporal_from(document) == found


def test_a_body_to_remember_may_wait_and_say_when_its_facts_hold() -> None:
    body = {"user_id": "u1", "text": "A text.", "sync": True, "event_time": "2026-10-30"}
    given = remember_from({**body, "options": {"vectors": True, "geo": False}})
    assert (given.sync, given.request.user, given.request.date) == (True, "u1", "2026-10-30")
    assert (given.request.dataset, given.request.kind) == ("main", "knowledge")


def test_every_problem_of_a_body_is_told_at_once() -> None:
    with pytest.raises(UserError) as caught:
        remember_from({"kind": "report", "sync": 1, "options": {"speed": True}, "colour": "red"})
    where = {problem.where for problem in caught.value.problems}
    assert where == {"user_id", "text", "kind", "sync", "options.speed", "colour"}
    with pytest.raises(UserError) as caught:
        query_from({"user_id": "u1", "options": [], "top": "many"})
    where = {problem.where for problem in caught.value.problems}
    assert where == {"question", "options", "top"}


def test_facts_are_given_with_the_names_that_people_use() -> None:
    line = {"source": "Cell X", "relation": "is", "target": "new", "from": "2024", "to": "2025-03"}
    request = import_from({"text": "A text.", "facts": [line]}, user="u1", dataset="lab")
    assert request.facts == (GivenFact("Cell X", "is", "new", start="2024", end="2025-03"),)
    assert (request.user, request.dataset) == ("u1", "lab")


def test_what_is_wrong_with_given_facts_is_told_by_the_names_that_were_given() -> None:
    line = {"source": "Cell X", "relation": "is", "from": 2024, "since": "2020"}
    with pytest.raises(UserError) as caught:
        import_from({"facts": [line, "no fact"]}, user="u1", dataset="lab")
    where = {problem.where for problem in caught.value.problems}
    assert where == {"text", "facts[0].target", "facts[0].from", "facts[0].since", "facts[1]"}
