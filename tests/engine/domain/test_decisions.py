"""The events that a decision comes to: dated by the text, else by its source, never by both."""

from dataclasses import replace

from engine.domain.dates import stated
from engine.domain.decisions import (
    Confirm,
    Conflict,
    Create,
    Decision,
    End,
    EntityRef,
    Invalidate,
    NewFact,
    Origin,
    Supersede,
    changes,
)
from engine.domain.facts import Period, Stated


def date(text: str) -> Stated:
    found = stated(text)
    assert found is not None
    return found


SOURCE = Origin(date("2024-05-01"), "reference", "2026-01-01T00:00:00.000Z", artifact_id=4)
FACT = NewFact(EntityRef("acme"), "head", "head", EntityRef("ann"), actor="pattern")
DATED = replace(FACT, period=Period(date("2010"), date("2015")))


def told(decision: Decision, origin: Origin = SOURCE) -> list[tuple[str, str, str]]:
    found = changes(decision, origin)
    assert all(change.key == "key" for change in found)
    return [(change.kind, change.at.text, change.basis) for change in found]


def test_a_new_fact_is_created_at_its_start_and_ended_at_its_end() -> None:
    assert told(Create("key", DATED)) == [
        ("created", "2010", "stated"),
        ("ended", "2015", "stated"),
    ]


def test_a_new_fact_without_a_start_is_created_by_the_date_of_its_source() -> None:
    assert told(Create("key", FACT)) == [("created", "2024-05-01", "reference")]
    stored = replace(SOURCE, reference_basis="recorded")
    assert told(Create("key", FACT), stored) == [("created", "2024-05-01", "recorded")]


def test_dates_read_from_relative_words_are_inferred() -> None:
    assert told(Create("key", replace(DATED, basis="inferred")))[0] == (
        *("created", "2010", "inferred"),
    )


def test_a_confirmation_is_by_the_date_of_its_source_and_keeps_the_start_it_states() -> None:
    assert told(Confirm("key", FACT)) == [("confirmed", "2024-05-01", "reference")]
    assert told(Confirm("key", DATED)) == [
        ("confirmed", "2024-05-01", "reference"),
        ("confirmed", "2010", "stated"),
    ]


def test_what_closes_a_fact_names_its_cause() -> None:
    at = date("2019")
    closing = (
        End("key", at, "stated", "model", "cause", "left"),
        Supersede("key", "cause", at, "stated", "model", "left"),
        Invalidate("key", at, "stated", "model", "cause", "left"),
    )
    found = [changes(decision, SOURCE)[0] for decision in closing]
    assert [change.kind for change in found] == ["ended", "superseded", "invalidated"]
    assert {(change.at, change.cause, change.reason) for change in found} == {(at, "cause", "left")}


def test_a_conflict_is_no_event() -> None:
    assert told(Conflict("key", "other", "not known which")) == []


def test_the_key_of_an_entity_keeps_homonyms_apart() -> None:
    keys = {EntityRef(*parts).key for parts in (("li wei",), ("li wei", "poet"), ("li wei poet",))}
    assert len(keys) == 3
