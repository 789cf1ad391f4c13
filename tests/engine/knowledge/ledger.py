"""A knowledge base in a few values, for tests: it applies decisions exactly as a store must."""

from collections.abc import Callable, Sequence
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
from engine.domain.succession import succession
from engine.knowledge.reconcile import Verdicts, decide


@dataclass
class Ledger:
    """Facts by their key, and every event under the key that keeps it from being written twice."""

    facts: dict[str, tuple[int, NewFact]] = field(default_factory=dict)
    events: dict[str, FactEvent] = field(default_factory=dict)
    conflicts: set[tuple[str, str]] = field(default_factory=set)
    made: int = 0
    written: int = 0
    """How many facts and events there ever were: a number is not used twice."""

    def remember(
        self, facts: Sequence[NewFact], origin: Origin, verdicts: Verdicts | None = None
    ) -> tuple[Decision, ...]:
        decisions = decide(facts, self.known(), verdicts or {}, origin=origin)
        self.apply(decisions, origin)
        return decisions

    def apply(self, decisions: Sequence[Decision], origin: Origin) -> None:
        for decision in decisions:
            if isinstance(decision, Create) and decision.key not in self.facts:
                self.made += 1
                self.facts[decision.key] = (self.made, decision.fact)
            if isinstance(decision, Conflict):
                self.conflicts.add((decision.key, decision.other))
        for decision in decisions:
            for change in changes(decision, origin):
                self._write(change, origin)

    def forget(self, artifact_id: int) -> None:
        """Its events go, then the facts without support and what these had caused; facts that are
        others because of it may have another one to follow them."""
        before = {known.key: (known.status, known.period) for known in self.known()}
        self._keep(lambda event: event.artifact_id != artifact_id)
        gone = {key for key in self.facts if self.state(key) is None}
        lost = {self.facts.pop(key)[0] for key in gone}
        self._keep(lambda event: not {event.fact_id, event.cause_fact_id} & lost)
        now = self.known()
        changed = {each.key for each in now if (each.status, each.period) != before[each.key]}
        for decision in succession(changed, now):
            source = self._dated_by(decision.by)
            for change in changes(decision, source):
                self._write(change, source)

    def _keep(self, stays: Callable[[FactEvent], bool]) -> None:
        self.events = {key: event for key, event in self.events.items() if stays(event)}

    def _dated_by(self, key: str) -> Origin:
        """The text that states when the fact began."""
        number = self.facts[key][0]
        dating = next(
            event
            for event in self.events.values()
            if event.fact_id == number
            and event.kind in ("created", "confirmed")
            and event.basis in ("stated", "inferred")
        )
        assert dating.at is not None
        return Origin(dating.at, "recorded", dating.recorded_at, dating.artifact_id)

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
        self.written += 1
        event = FactEvent(
            change.kind,
            *(change.at, change.basis, origin.recorded_at, change.actor),
            id=self.written,
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
