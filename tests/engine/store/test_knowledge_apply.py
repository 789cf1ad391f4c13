"""What was decided about a text is applied whole and once; rows are what their events come to."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.domain.decisions import Conflict, End, Invalidate, Supersede
from engine.store import knowledge_apply, knowledge_projection, knowledge_queue
from engine.store.database import Transaction
from engine.store.knowledge_entities import Into
from engine.store.knowledge_queue import Counts
from tests.engine.store.knowledge_support import (
    LEASE,
    Said,
    confirm,
    create,
    date,
    differences,
    dump,
    entity,
    findings,
    key_of,
    moment,
    new_text,
    origin_of,
    queue,
    remember,
)
from tests.engine.store.support import memory

EARLIER = Said("Ada", "works at", "Babbage Ltd", start="1840", description="as a programmer")
LATER = Said("Ada", "works at", "Engine Works", start="1843-05")


@pytest.fixture
def tx() -> Iterator[Transaction]:
    with memory() as opened:
        yield opened


def moved(at: str = "1843-05") -> Supersede:
    return Supersede(key_of(EARLIER), key_of(LATER), date(at), "stated", "model")


def test_a_text_brings_entities_facts_supports_events_and_postings(tx: Transaction) -> None:
    found = findings(
        create(replace(EARLIER, quote="works")),
        entities=[entity("Ada", type="person", aliases=("Ada Lovelace",), description="Ada.")],
    )
    _, counts = remember(tx, new_text("Ada works at Babbage Ltd."), found)
    assert counts == Counts(entities=2, entities_new=2, facts=1, facts_new=1)
    (fact,) = tx.rows("SELECT * FROM gb_edges")
    assert [fact[each] for each in ("status", "valid_from", "vf_lo", "vt_lo", "support")] == [
        *("active", "1840", -4102444800, None, 1)
    ]
    (event,) = tx.rows("SELECT * FROM gb_edge_events")
    assert [event[each] for each in ("kind", "event_time", "time_basis", "remember_run_id")] == [
        *("created", "1840", "stated", 1)
    ]
    (support,) = tx.rows("SELECT role, quote FROM gb_edge_sessions")
    assert support == {"role": "created", "quote": "works"}
    terms = tx.rows("SELECT term FROM gb_terms WHERE kind = 'fact' ORDER BY term")
    assert [row["term"] for row in terms] == ["ada", "babbag", "ltd", "programm", "work"]
    aliases = tx.rows("SELECT alias_key, how FROM gb_entity_aliases ORDER BY alias_key")
    assert [tuple(row.values()) for row in aliases] == [
        *(("ada", "name"), ("ada lovelace", "text"), ("babbage ltd", "name"))
    ]
    assert differences(tx) == []


@pytest.mark.req("R183", "R185")
def test_a_fact_that_is_found_again_is_restated_by_the_later_session(tx: Transaction) -> None:
    remember(tx, new_text("First."), findings(create(EARLIER)))
    later = new_text("Second.", session="research-7", day="1850")
    _, counts = remember(tx, later, findings(confirm(EARLIER)), at=2)
    assert counts == Counts(entities=2, facts=1)
    supports = tx.rows("SELECT session_id, role FROM gb_edge_sessions ORDER BY artifact_id")
    assert [tuple(row.values()) for row in supports] == [
        *(("", "created"), ("research-7", "restated"))
    ]
    roles = tx.rows("SELECT role FROM gb_entity_sessions WHERE session_id = 'research-7'")
    assert [row["role"] for row in roles] == ["restated", "restated"]
    assert tx.rows("SELECT support, valid_from FROM gb_edges") == [
        {"support": 2, "valid_from": "1840"}
    ]
    kinds = tx.rows("SELECT kind, event_time FROM gb_edge_events ORDER BY id")
    assert [tuple(row.values()) for row in kinds] == [
        *(("created", "1840"), ("confirmed", "1850"), ("confirmed", "1840"))
    ]


def test_a_newer_fact_supersedes_the_older_one(tx: Transaction) -> None:
    remember(tx, new_text("First."), findings(create(EARLIER)))
    _, counts = remember(tx, new_text("Second."), findings(create(LATER), moved()), at=2)
    assert (counts.facts_new, counts.superseded) == (1, 1)
    old, new = tx.rows("SELECT * FROM gb_edges ORDER BY id")
    assert (old["status"], old["superseded_by"], old["valid_to"]) == (
        *("superseded", new["id"], "1843-05"),
    )
    assert (new["status"], new["superseded_by"]) == ("active", None)
    assert differences(tx) == []


def test_facts_end_and_turn_out_never_to_have_been_true(tx: Transaction) -> None:
    remember(tx, new_text("First."), findings(create(EARLIER), create(LATER)))
    end = End(key_of(EARLIER), date("1842"), "stated", "model")
    never = Invalidate(key_of(LATER), date("2026"), "reference", "model")
    _, counts = remember(tx, new_text("Second."), findings(end, never), at=2)
    assert (counts.ended, counts.invalidated, counts.facts) == (1, 1, 0)
    facts = tx.rows("SELECT status, valid_to FROM gb_edges ORDER BY id")
    assert [tuple(row.values()) for row in facts] == [("ended", "1842"), ("invalidated", None)]


def test_applying_the_same_again_changes_nothing(tx: Transaction) -> None:
    remember(tx, new_text("First."), findings(create(EARLIER)))
    conflict = Conflict(key_of(LATER), key_of(EARLIER), "both are of one year")
    found = findings(
        *(create(LATER), confirm(EARLIER), moved(), conflict),
        entities=[entity("Ada", aliases=("Countess",))],
    )
    artifact_id, _ = remember(tx, new_text("Second."), found, at=2)
    before = dump(tx)
    knowledge_apply.apply(tx, Into(1, origin_of(tx, artifact_id, at=2)), found)
    assert dump(tx) == before
    knowledge_apply.apply(tx, Into(1, origin_of(tx, artifact_id, at=9)), found)
    assert dump(tx) == before


def test_a_worker_that_lost_its_lease_applies_nothing(tx: Transaction) -> None:
    queued = queue(tx, new_text("First."))
    lost = knowledge_queue.claim(tx, at=moment(1), lease_until=moment(2))
    assert lost is not None
    assert knowledge_queue.claim(tx, at=moment(3), lease_until=LEASE) is not None
    before = dump(tx)
    origin = origin_of(tx, queued.artifact_id, at=4)
    assert knowledge_apply.settle_with(tx, lost.held, findings(create(EARLIER)), origin) is None
    assert dump(tx) == before


def test_a_text_that_has_a_fact_twice_does_not_confirm_itself(tx: Transaction) -> None:
    _, counts = remember(tx, new_text("Twice."), findings(create(EARLIER), confirm(EARLIER)))
    assert (counts.facts, counts.facts_new) == (1, 1)
    assert tx.rows("SELECT kind FROM gb_edge_events") == [{"kind": "created"}]


def test_what_was_forgotten_while_it_was_decided_is_stated_anew_or_left_out(
    tx: Transaction,
) -> None:
    gone = End(key_of(LATER), date("1850"), "stated", "model")
    found = findings(confirm(EARLIER), moved(), gone, Conflict(key_of(LATER), key_of(EARLIER), "?"))
    _, counts = remember(tx, new_text("Second."), found)
    assert (counts.facts, counts.facts_new, counts.superseded, counts.ended) == (1, 1, 0, 0)
    assert tx.rows("SELECT kind, event_time FROM gb_edge_events") == [
        {"kind": "created", "event_time": "1840"}
    ]
    assert tx.rows("SELECT * FROM gb_edge_conflicts") == []
    assert differences(tx) == []


@pytest.mark.parametrize(
    "name",
    ["北京大学", "東京", "القاهرة", "Москва", "C++", "O'Brien", "a:b", 'x"; DROP TABLE', "%_"],
)
def test_names_of_every_script_and_sign_are_stored_and_found(tx: Transaction, name: str) -> None:
    said = Said(name, "is called", name + " 2")
    remember(tx, new_text(f"{name} is called {name} 2."), findings(create(said)))
    assert tx.rows("SELECT name_key FROM gb_entities WHERE id = 1")[0]["name_key"]
    assert differences(tx) == []


def test_values_are_ends_of_facts_and_no_entities_of_the_text(tx: Transaction) -> None:
    said = Said("Cell X", "reached", "450 Wh/kg")
    found = findings(create(said), entities=[entity("450 Wh/kg", type="value", is_value=True)])
    _, counts = remember(tx, new_text("Cell X reached 450 Wh/kg."), found)
    assert (counts.entities, counts.facts) == (1, 1)
    assert tx.rows("SELECT ref_id FROM gb_term_lengths WHERE kind = 'entity'") == [{"ref_id": 2}]


def test_rebuilding_finds_and_mends_what_was_changed_by_hand(tx: Transaction) -> None:
    remember(tx, new_text("First."), findings(create(EARLIER), create(LATER)))
    assert knowledge_projection.rebuild(tx, 1, at=moment(9)) == 0
    tx.execute("UPDATE gb_edges SET status = 'ended', support = 7 WHERE id = 1")
    tx.execute("UPDATE gb_edges SET valid_from = '1900', vf_lo = 0, vf_hi = 1 WHERE id = 2")
    assert len(differences(tx)) == 2
    assert knowledge_projection.rebuild(tx, 1, at=moment(9)) == 2
    assert differences(tx) == []
    assert knowledge_projection.rebuild(tx, 1, at=moment(9)) == 0
