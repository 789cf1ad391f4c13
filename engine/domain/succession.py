"""What follows a fact once the one that had taken its place is gone: the next of its kind.

Only facts that are one at a time, of one source and relation, whose dates are certainly in order:
a fact must not become true again beside one that comes later in the same chain. Pure.
"""

from collections.abc import Collection, Sequence

from engine.domain.decisions import KnownFact, Supersede
from engine.domain.facts import order


def succession(changed: Collection[str], facts: Sequence[KnownFact]) -> tuple[Supersede, ...]:
    """For each active fact that a remaining fact certainly follows, that it is superseded by the
    first that does. Of two facts one must be `changed` (keys of facts whose status or dates are
    others than before): what was told apart from each other stays so.

    `facts` holds all facts of the sources and relations in question, as they are now. The event
    belongs to the text that states the start of the fact `by`, and goes with that text.
    """
    found = []
    for fact in facts:
        later = [other for other in facts if _follows(other, fact)]
        judged = fact.key in changed or any(other.key in changed for other in later)
        if later and judged and fact.status == "active":
            found.append(_superseded(fact, min(later, key=_begins)))
    return tuple(found)


def _follows(other: KnownFact, fact: KnownFact) -> bool:
    if other.status == "invalidated" or not _one_at_a_time(other, fact):
        return False
    begun = fact.period.start or fact.seen
    return order(begun, other.period.start) == "before"


def _one_at_a_time(one: KnownFact, other: KnownFact) -> bool:
    kind = (one.source, one.relation_key, one.is_exclusive, one.negated)
    same_kind = kind == (other.source, other.relation_key, True, False)
    return same_kind and other.is_exclusive and not other.negated and one.target != other.target


def _begins(fact: KnownFact) -> tuple[int, int]:
    start = fact.period.start
    assert start is not None, "what certainly follows has a start"
    return start.span.lo, start.span.hi


def _superseded(fact: KnownFact, later: KnownFact) -> Supersede:
    start = later.period.start
    assert start is not None, "what certainly follows has a start"
    reason = "the next that remains"
    return Supersede(fact.key, later.key, start, "inferred", "person", reason)
