"""Which of the facts and passages found are told: by their dates, without repeating, within bounds.

Pure: it takes what retrieval found in its order, and never adds to it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.domain.facts import Span, certain, possible
from engine.domain.knowledge import Certainty, FactInfo, PassageInfo
from engine.knowledge.wording import fact_line, passage_line
from engine.limits.prices import estimated_tokens
from engine.retrieval.similarity import jaccard
from engine.retrieval.tokens import terms
from engine.store.knowledge_index import FoundFact

MOST_TOKENS = 3_000
"""Of everything that a model is shown to answer from."""
MOST_PASSAGES = 5
TOO_ALIKE = 0.85


class When(NamedTuple):
    """The time that is asked about, or whether the past is."""

    window: Span | None = None
    wants_history: bool = False


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A sentence with its id in the store."""

    id: int
    info: PassageInfo


def at_time(facts: Sequence[FoundFact], when: When) -> list[FoundFact]:
    """What was never true goes. With a window: what may have been true in it, of each matter
    first what certainly was. Without one: what is true now; what no longer is only when the
    question asks for the past, or when nothing tells how the same matter stands now."""
    held = [fact for fact in facts if fact.info.status != "invalidated"]
    if when.window is not None:
        return _within(held, when.window)
    if when.wants_history:
        return held
    active = [fact for fact in held if fact.info.status == "active"]
    told = {_matter(fact.info) for fact in active}
    past = [fact for fact in held if fact.info.status != "active"]
    return active + [fact for fact in past if _matter(fact.info) not in told]


def distinct_facts(facts: Iterable[FoundFact], most: int) -> list[FoundFact]:
    """Without those that say what an earlier one says, of the same things and the same time."""
    kept: list[FoundFact] = []
    about: dict[int, list[_Said]] = {}
    for fact in facts:
        said = _Said(_state(fact), frozenset(terms(_words(fact.info))))
        ends = {fact.info.source_id, fact.info.target_id}
        if not any(said.repeats(other) for end in ends for other in about.get(end, ())):
            kept.append(fact)
            for end in ends:
                about.setdefault(end, []).append(said)
        if len(kept) == most:
            break
    return kept


def distinct_passages(passages: Iterable[FoundPassage], most: int) -> list[FoundPassage]:
    """Without those that an earlier one nearly is."""
    kept: list[tuple[FoundPassage, frozenset[str]]] = []
    for passage in passages:
        words = frozenset(terms(passage.info.text))
        if not any(jaccard(words, other) >= TOO_ALIKE for _, other in kept):
            kept.append((passage, words))
        if len(kept) == most:
            break
    return [passage for passage, _ in kept]


class Shown(NamedTuple):
    """What fits into a question to a model."""

    facts: tuple[FactInfo, ...]
    passages: tuple[FoundPassage, ...]


def within_budget(facts: Sequence[FactInfo], passages: Sequence[FoundPassage]) -> Shown:
    """Passages first, for there are few; then facts in their order until one does not fit."""
    left = MOST_TOKENS
    shown_passages: list[FoundPassage] = []
    for number, passage in enumerate(passages[:MOST_PASSAGES], 1):
        left -= _tokens(passage_line(number, passage.info))
        shown_passages.append(passage)
    shown_facts: list[FactInfo] = []
    for fact in facts:
        left -= _tokens(fact_line(fact))
        if left < 0:
            break
        shown_facts.append(fact)
    return Shown(tuple(shown_facts), tuple(shown_passages))


def _within(facts: Sequence[FoundFact], window: Span) -> list[FoundFact]:
    """In the order of the ranking, but of one matter what is certain stands before the rest: a
    certain fact about something else is no better answer than a possible one about this."""
    held = [
        fact._replace(info=replace(fact.info, certainty=_certainty(fact, window)))
        for fact in facts
        if possible(fact.period, fact.info.status, window)
    ]
    by_matter: dict[tuple[int, str], list[FoundFact]] = {}
    for fact in sorted(held, key=lambda fact: fact.info.certainty != "certain"):
        by_matter.setdefault(_matter(fact.info), []).append(fact)
    following = {matter: iter(group) for matter, group in by_matter.items()}
    return [next(following[_matter(fact.info)]) for fact in held]


def _certainty(fact: FoundFact, window: Span) -> Certainty:
    return "certain" if certain(fact.period, fact.info.status, window) else "possible"


def _matter(fact: FactInfo) -> tuple[int, str]:
    """What a fact is about: its subject and its relation."""
    return (fact.source_id, fact.relation.casefold())


def _words(fact: FactInfo) -> str:
    return f"{fact.source} {fact.relation} {fact.target} {fact.description}"


class _Said(NamedTuple):
    state: tuple[object, ...]
    words: frozenset[str]

    def repeats(self, other: "_Said") -> bool:
        """Facts of other times, or of which one denies the other, say different things."""
        return self.state == other.state and jaccard(self.words, other.words) >= TOO_ALIKE


def _state(fact: FoundFact) -> tuple[object, ...]:
    return (fact.info.valid_from, fact.info.valid_to, fact.info.negated, fact.info.status)


def _tokens(line: str) -> int:
    return estimated_tokens(len(line))
