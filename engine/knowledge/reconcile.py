"""What the facts of a text do to the facts that are known: code decides by dates, inside a guard.

The model only nominates: its verdict on a pair counts when both facts have the same source and
relation, or the same two ends, and when their dates allow it. Two facts whose dates may be equal
never end one another; what cannot be told apart is a conflict and changes no status. Nothing is
deleted here. Pure.

    the same triple, periods not certainly apart -> confirmed
    newer by its start -> the older one superseded     older by its start -> history, superseded
    an end is told     -> ended                        never true         -> invalidated
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from engine.domain.decisions import (
    Confirm,
    Conflict,
    Create,
    Decision,
    End,
    Invalidate,
    KnownFact,
    NewFact,
    Origin,
    Supersede,
    Verdict,
)
from engine.domain.facts import UNDATED, Period, Stated, narrowed, order
from engine.domain.keys import Triple, fact_key
from engine.domain.time_words import says_now
from engine.knowledge.pairs import (
    apart,
    begun,
    closest,
    may_update,
    one_at_a_time,
    same_ends,
    same_relation,
    same_triple,
)

Verdicts = Mapping["Pair", Verdict]


@dataclass(frozen=True, slots=True)
class Pair:
    """A new fact and a known one that the reconciling call is to judge."""

    new: int
    """Place of the new fact in what was given."""
    known: str
    """Key of the known fact."""


def undecided(
    new: Sequence[NewFact], known: Sequence[KnownFact], origin: Origin
) -> tuple[Pair, ...]:
    """The pairs that only a reader of both can judge. `known` holds facts of the same source or
    target; without any verdict `decide` goes by structure and dates alone."""
    return tuple(
        Pair(place, other.key)
        for place, fact in enumerate(map(_in_order, new))
        if _restated(fact, known, origin) is None
        for other in closest(fact, known)
    )


def decide(
    new: Sequence[NewFact], known: Sequence[KnownFact], verdicts: Verdicts, *, origin: Origin
) -> tuple[Decision, ...]:
    """What the new facts come to, in the order to apply it. A pair without a verdict is judged by
    its structure: one-at-a-time facts of one relation, and a fact and its negation."""
    facts = {fact.key: fact for fact in known}
    decisions: list[Decision] = []
    for place, fact in sorted(enumerate(map(_in_order, new)), key=_history_first):
        said = {pair.known: verdict for pair, verdict in verdicts.items() if pair.new == place}
        more = _decided(fact, list(facts.values()), said, origin=origin)
        decisions += [decision for decision in more if decision not in decisions]
        facts |= _after(more, facts)
    return tuple(decisions)


def _decided(
    fact: NewFact, known: Sequence[KnownFact], said: Mapping[str, Verdict], *, origin: Origin
) -> list[Decision]:
    again = _restated(fact, known, origin) or _said_same(fact, known, said)
    if again is not None:
        return _confirmed(fact, again, known)
    key = _key(fact, known, origin)
    if any(other.key == key for other in known):
        return [Confirm(key, fact)]
    judged = [
        decision
        for other in known
        for decision in _judged(_Pairing(fact, key, other, origin), said.get(other.key))
    ]
    return [Create(key, fact), *_nearest(judged)]


# The same fact again ---------------------------------------------------------------------------


def _restated(fact: NewFact, known: Sequence[KnownFact], origin: Origin) -> KnownFact | None:
    """The known fact that this one states again: the same triple, the periods not certainly
    apart."""
    same = [
        other
        for other in known
        if same_triple(fact, other)
        and fact.negated == other.negated
        and not apart(fact.period, other.period)
        and not _true_again(fact, other, origin)
    ]
    same.sort(key=lambda other: (other.period.start != fact.period.start, _dormant(other)))
    return same[0] if same else None


def _true_again(fact: NewFact, other: KnownFact, origin: Origin) -> bool:
    """The text says that it holds now, and the known one had ended by the source's date."""
    dated = fact.period.start is not None or origin.reference_basis != "reference"
    ended = order(other.period.end, origin.reference) == "before"
    return ended and not dated and says_now(fact.time_words)


def _dormant(known: KnownFact) -> bool:
    return known.status != "active"


def _said_same(
    fact: NewFact, known: Sequence[KnownFact], said: Mapping[str, Verdict]
) -> KnownFact | None:
    """The first known fact that the verdicts call the same, where that can be: the same ends, or
    values of one relation worded differently."""
    for other in known:
        if said.get(other.key) == "same" and fact.negated == other.negated:
            values = fact.target_is_value and other.target_is_value
            alike = same_ends(fact, other) or (same_relation(fact, other) and values)
            if alike and not apart(fact.period, other.period):
                return other
    return None


def _confirmed(fact: NewFact, again: KnownFact, known: Sequence[KnownFact]) -> list[Decision]:
    """One source more; its end, if it tells one; and what the known fact superseded is superseded
    by this source's word too, so that it stays so when the first source is forgotten. A text
    that says one thing twice is one source."""
    start, end = fact.period.start, fact.period.end
    twice = again.id == 0 and start in (None, again.period.start)
    decisions: list[Decision] = [] if twice else [Confirm(again.key, fact)]
    if end is not None and order(end, again.period.start) != "before":
        decisions.append(End(again.key, end, fact.basis, fact.actor, reason="stated with it"))
    for older in known:
        given_way = again.id != 0 and older.superseded_by == again.id
        if start is not None and given_way and order(begun(older), start) == "before":
            decisions.append(Supersede(older.key, again.key, start, fact.basis, fact.actor))
    return decisions


# One new fact beside one known fact ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pairing:
    new: NewFact
    key: str
    known: KnownFact
    origin: Origin

    def conflict(self, why: str) -> list[Decision]:
        return [Conflict(self.known.key, self.key, why)]

    def closed(self, at: Stated) -> list[Decision]:
        return [self.ended(at, stated=True)]

    def ended(self, at: Stated, *, stated: bool) -> End:
        basis = self.new.basis if stated else "reference"
        return End(self.known.key, at, basis, self.new.actor, self.key, self.new.time_words)

    def superseded(self, at: Stated, *, stated: bool = True) -> list[Decision]:
        basis = self.new.basis if stated else "reference"
        words = self.new.time_words
        return [Supersede(self.known.key, self.key, at, basis, self.new.actor, words)]


def _judged(pairing: _Pairing, verdict: Verdict | None) -> list[Decision]:
    new, known = pairing.new, pairing.known
    if known.status == "invalidated":
        return []
    if verdict != "corrects" and apart(new.period, known.period):
        return []
    match verdict or _by_structure(new, known):
        case "updates":
            return _updated(pairing) if may_update(new, known) else _possible_conflict(pairing)
        case "ends":
            return _ends(pairing, told=verdict is not None)
        case "corrects":
            return _corrected(pairing)
        case "same" | "unrelated":
            return []
        case never:
            assert_never(never)


def _by_structure(new: NewFact, known: KnownFact) -> Verdict:
    if same_triple(new, known):
        return "unrelated" if new.negated == known.negated else "ends"
    return "updates" if one_at_a_time(new, known) else "unrelated"


def _updated(pairing: _Pairing) -> list[Decision]:
    """By the dates; when they do not tell, by words such as "now" and the source's date."""
    new, known = pairing.new, pairing.known
    start = new.period.start
    if start is not None and order(begun(known), start) == "before":
        return _gives_way(pairing, start)
    if known.period.start is not None and order(known.period.start, start) == "after":
        return _history(pairing, known.period.start)
    if known.status != "active":
        return []
    reference = pairing.origin.reference
    if says_now(new.time_words) and _by_then(pairing) and start is None:
        return pairing.superseded(reference, stated=False)
    return pairing.conflict("which of them is newer is not known")


def _gives_way(pairing: _Pairing, start: Stated) -> list[Decision]:
    known = pairing.known
    if known.status == "active":
        return pairing.superseded(start)
    if order(start, known.period.end) != "before":
        return []
    if known.status == "superseded":
        return pairing.superseded(start)
    return pairing.conflict("both were true at one time")


def _history(pairing: _Pairing, since: Stated) -> list[Decision]:
    """The new fact is the older one: it gave way to the known fact."""
    new, known = pairing.new, pairing.known
    if new.period.end is None:
        return [Supersede(pairing.key, known.key, since, "stated", new.actor, "older by its start")]
    if order(since, new.period.end) == "before":
        return pairing.conflict("both were true at one time")
    return []


def _ends(pairing: _Pairing, *, told: bool) -> list[Decision]:
    """`told`: a reader of both said so, and an end within the year of the start is one."""
    new, known = pairing.new, pairing.known
    if not (same_relation(new, known) or same_ends(new, known)):
        return _possible_conflict(pairing)
    if known.status != "active":
        return []
    at = new.period.start or new.period.end
    if at is None:
        if told and _by_then(pairing):
            return [pairing.ended(pairing.origin.reference, stated=False)]
        return pairing.conflict("whether it has ended, and when, is not known")
    after = order(begun(known), at)
    if after == "before" or (told and order(known.period.start, at) != "after"):
        return pairing.closed(at)
    return pairing.conflict("its end would be before its start, or on the same date")


def _corrected(pairing: _Pairing) -> list[Decision]:
    new, known, origin = pairing.new, pairing.known, pairing.origin
    if not (same_relation(new, known) or same_ends(new, known)):
        return _possible_conflict(pairing)
    at, basis = origin.reference, origin.reference_basis
    return [Invalidate(known.key, at, basis, new.actor, pairing.key, "corrected")]


def _possible_conflict(pairing: _Pairing) -> list[Decision]:
    return pairing.conflict("said to change it, but of another relation or not one at a time")


def _by_then(pairing: _Pairing) -> bool:
    """Whether the known fact had certainly begun before the source's own date, and no later source
    still states it."""
    origin, known = pairing.origin, pairing.known
    if (
        origin.reference_basis != "reference"
        or order(origin.reference, known.last_seen) == "before"
    ):
        return False
    return _may_have_begun(known, origin.reference)


def _may_have_begun(known: KnownFact, by: Stated) -> bool:
    since = begun(known)
    return since is not None and since.span != by.span and order(since, by) != "after"


def _nearest(decisions: Sequence[Decision]) -> list[Decision]:
    """Of several facts that superseded one fact only the first in time is told."""
    first: dict[str, Supersede] = {}
    for decision in decisions:
        if isinstance(decision, Supersede):
            best = first.get(decision.key)
            if best is None or decision.at.span.lo < best.at.span.lo:
                first[decision.key] = decision
    return [
        decision
        for decision in decisions
        if not isinstance(decision, Supersede) or first[decision.key] == decision
    ]


# Keys, and what is known afterwards ------------------------------------------------------------


def _in_order(fact: NewFact) -> NewFact:
    """Of an end that is before its start one of the two is wrong, and which is not known: it has no
    dates then."""
    backwards = order(fact.period.end, fact.period.start) == "before"
    return replace(fact, period=UNDATED) if backwards else fact


def _history_first(placed: tuple[int, NewFact]) -> tuple[bool, int]:
    """What has ended is told before what has not, so that a text that tells both of one triple
    comes to the same in either order."""
    end = placed[1].period.end
    return (end is None, 0 if end is None else end.span.hi)


def _key(fact: NewFact, known: Iterable[KnownFact], origin: Origin) -> str:
    """The start is part of a fact's key; a fact that is true again, with no start told, has the
    date of its source for it."""
    again = any(same_triple(fact, other) and fact.negated == other.negated for other in known)
    start = fact.period.start or (origin.reference if again else None)
    triple = Triple(fact.source.key, fact.relation_key, fact.target.key)
    return fact_key(triple, negated=fact.negated, start=start)


def _after(decisions: Iterable[Decision], facts: Mapping[str, KnownFact]) -> dict[str, KnownFact]:
    """The facts that the decisions made or changed, as the next fact of the text finds them."""
    changed: dict[str, KnownFact] = {}
    for decision in decisions:
        before = changed.get(decision.key) or facts.get(decision.key)
        match decision:
            case Create(key, fact):
                changed[key] = _known(key, fact)
            case Confirm(_, fact) if before is not None:
                changed[before.key] = replace(before, period=_since(before, fact))
            case End(key, at) if before is not None:
                changed[key] = replace(before, status="ended", period=_until(before, at))
            case Supersede(key, _, at) if before is not None:
                changed[key] = replace(before, status="superseded", period=_until(before, at))
            case Invalidate(key) if before is not None:
                changed[key] = replace(before, status="invalidated")
            case _:
                pass
    return changed


def _since(known: KnownFact, fact: NewFact) -> Period:
    dates = [date for date in (known.period.start, fact.period.start) if date is not None]
    return replace(known.period, start=narrowed(dates))


def _until(fact: KnownFact, at: Stated) -> Period:
    return replace(fact.period, end=at)


def _known(key: str, fact: NewFact) -> KnownFact:
    return KnownFact(
        *(0, key, fact.source, fact.relation, fact.relation_key, fact.target),
        target_is_value=fact.target_is_value,
        description=fact.description,
        is_exclusive=fact.is_exclusive,
        negated=fact.negated,
        period=fact.period,
        status="active" if fact.period.end is None else "ended",
    )
