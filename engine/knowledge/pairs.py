"""What a new fact and a known one have to do with each other, by their ends, relation and dates.

Only facts that share the subject, or both ends, are ever held against each other. Pure.
"""

from collections.abc import Sequence

from engine.domain.decisions import KnownFact, NewFact
from engine.domain.facts import Period, Stated, order

MOST_PAIRS = 12
"""Pairs that are asked about for one new fact, the closest first."""


def closest(fact: NewFact, known: Sequence[KnownFact]) -> list[KnownFact]:
    """The known facts that a reader of both should judge, the closest first."""
    beside = [other for other in known if _worth_asking(fact, other)]
    beside.sort(key=lambda other: _distance(fact, other))
    return beside[:MOST_PAIRS]


def _worth_asking(fact: NewFact, other: KnownFact) -> bool:
    if other.status == "invalidated" or apart(fact.period, other.period):
        return False
    near = fact.source == other.source or same_ends(fact, other)
    return near and (other.status == "active" or one_at_a_time(fact, other))


def _distance(fact: NewFact, other: KnownFact) -> tuple[bool, bool, bool]:
    pair = same_ends(fact, other)
    opposed = pair and same_relation(fact, other)
    return (not opposed, not one_at_a_time(fact, other), not pair)


def same_relation(fact: NewFact, other: KnownFact) -> bool:
    """The same subject in the same relation."""
    return fact.source == other.source and fact.relation_key == other.relation_key


def same_triple(fact: NewFact, other: KnownFact) -> bool:
    """The same subject, relation and object."""
    return same_relation(fact, other) and fact.target == other.target


def same_ends(fact: NewFact, other: KnownFact) -> bool:
    """The same two ends, in either direction and any relation."""
    return {fact.source, fact.target} == {other.source, other.target}


def one_at_a_time(fact: NewFact, other: KnownFact) -> bool:
    """Two objects of one relation that holds one at a time, both affirmed."""
    exclusive = fact.is_exclusive and other.is_exclusive
    affirmed = not fact.negated and not other.negated
    return exclusive and affirmed and same_relation(fact, other) and fact.target != other.target


def may_update(fact: NewFact, other: KnownFact) -> bool:
    """The guard: only a fact of the same relation or the same ends, both one at a time."""
    related = same_relation(fact, other) or same_ends(fact, other)
    return related and fact.is_exclusive and other.is_exclusive and fact.negated == other.negated


def apart(one: Period, other: Period) -> bool:
    """Whether the two periods certainly have no moment in common."""
    return order(one.end, other.start) == "before" or order(other.end, one.start) == "before"


def begun(known: KnownFact) -> Stated | None:
    """A time by which it had begun: its start, or the first source's date."""
    return known.period.start or known.seen
