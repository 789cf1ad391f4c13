"""A knowledge base in a few values, for tests: it applies decisions exactly as a store must."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.domain.dates import stated
from engine.domain.decisions import (
    Conflict,
    Create,
    Decision,
    EntityRef,
    FactChange,
    KnownFact,
    NewFact,
    Origin,
    changes,
)
from engine.domain.facts import FactEvent, FactState, Period, Stated, fold
from engine.domain.keys import dedup_key, name_key, relation_key
from engine.knowledge.reconcile import Verdicts, decide


@dataclass
class Ledger:
    """Facts by their key, and every event under the key that keeps it from being written twice."""

    facts: dict[str, tuple[int, NewFact]] = field(default_factory=dict)
    events: dict[str, FactEvent] = field(default_factory=dict)
    conflicts: set[tuple[str, str]] = field(default_factory=set)

    def remember(
        self, facts: Sequence[NewFact], origin: Origin, verdicts: Verdicts | None = None
    ) -> tuple[Decision, ...]:
        decisions = decide(facts, self.known(), verdicts or {}, origin=origin)
        self.apply(decisions, origin)
        return decisions

    def apply(self, decisions: Sequence[Decision], origin: Origin) -> None:
        for decision in decisions:
            if isinstance(decision, Create):
                self.facts.setdefault(decision.key, (len(self.facts) + 1, decision.fact))
            if isinstance(decision, Conflict):
                self.conflicts.add((decision.key, decision.other))
        for decision in decisions:
            for change in changes(decision, origin):
                self._write(change, origin)

    def forget(self, artifact_id: int) -> None:
        self.events = {
            key: event for key, event in self.events.items() if event.artifact_id != artifact_id
        }
        gone = {key for key in self.facts if self.state(key) is None}
        lost = {self.facts.pop(key)[0] for key in gone}
        self.events = {
            key: event
            for key, event in self.events.items()
            if not {event.fact_id, event.cause_fact_id} & lost
        }

    def state(self, key: str) -> FactState | None:
        number = self.facts[key][0]
        return fold([event for event in self.events.values() if event.fact_id == number])

    def states(self) -> dict[str, FactState]:
        """Under `subject relation object @ start as it was given`."""
        return {
            named(fact): state
            for key, (_, fact) in self.facts.items()
            if (state := self.state(key)) is not None
        }

    def known(self) -> list[KnownFact]:
        return [self._known(key) for key in self.facts]

    def _known(self, key: str) -> KnownFact:
        number, fact = self.facts[key]
        state = self.state(key)
        assert state is not None
        seen = [
            event.at
            for event in self.events.values()
            if event.fact_id == number and event.basis == "reference" and event.at is not None
            if event.kind in ("created", "confirmed")
        ]
        seen.sort(key=lambda at: at.span.lo)
        return KnownFact(
            *(number, key, fact.source, fact.relation, fact.relation_key, fact.target),
            target_is_value=fact.target_is_value,
            is_exclusive=fact.is_exclusive,
            negated=fact.negated,
            period=state.period,
            status=state.status,
            superseded_by=state.superseded_by,
            seen=seen[0] if seen else None,
            last_seen=seen[-1] if seen else None,
        )

    def _write(self, change: FactChange, origin: Origin) -> None:
        number = self.facts[change.key][0]
        key = dedup_key(number, change.kind, origin=str(origin.artifact_id), at=change.at)
        event = FactEvent(
            change.kind,
            *(change.at, change.basis, origin.recorded_at, change.actor),
            id=len(self.events) + 1,
            fact_id=number,
            artifact_id=origin.artifact_id,
            cause_fact_id=None if change.cause is None else self.facts[change.cause][0],
            reason=change.reason,
        )
        self.events.setdefault(key, event)


def date(text: str) -> Stated:
    found = stated(text)
    assert found is not None, text
    return found


def fact(line: str, start: str = "", end: str = "", *, one: bool = True) -> NewFact:
    """Of `subject | relation | object`; a subject after `not ` is denied the object."""
    source, relation, target = (part.strip() for part in line.split("|"))
    negated = source.startswith("not ")
    return NewFact(
        source=EntityRef(name_key(source.removeprefix("not "))),
        relation=relation,
        relation_key=relation_key(relation),
        target=EntityRef(name_key(target)),
        is_exclusive=one,
        negated=negated,
        period=Period(date(start) if start else None, date(end) if end else None),
        actor="import",
    )


def saying(new: NewFact, words: str) -> NewFact:
    return replace(new, time_words=words)


def origin(artifact: int, reference: str = "2026-01-01", *, dated: bool = True) -> Origin:
    return Origin(
        reference=date(reference),
        reference_basis="reference" if dated else "recorded",
        recorded_at=f"2026-01-01T00:00:{artifact:02}.000Z",
        artifact_id=artifact,
    )


def named(new: NewFact) -> str:
    start = new.period.start
    polarity = "not " if new.negated else ""
    triple = f"{polarity}{new.source.key} {new.relation_key} {new.target.key}"
    return triple if start is None else f"{triple} @ {start.text}"
