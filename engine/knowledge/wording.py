"""The words of answers: how facts and passages are written down, for models and for people.

Each fact and each passage is one line, whatever is in it: nothing stored can look like a line of
its own. Pure.
"""

from collections.abc import Iterator, Sequence

from engine.domain.knowledge import FactInfo, PassageInfo, QueryAnswer
from engine.domain.text_safety import one_line

EMPTY = "The knowledge base is empty."
NOTHING_FOUND = "The knowledge base holds nothing about this."
NO_MODEL = "No model is set: these are stored passages, not an answer"
NOT_GROUNDED = "(not based on stored facts)"
TOOL_MOST_FACTS = 15
"""Seed 000."""
_MOST_FACT_CHARS = 500
_MOST_PASSAGE_CHARS = 600
_MOST_SOURCE_CHARS = 200


def fact_line(fact: FactInfo) -> str:
    """`[F7] source relation target: description (2024-03 -> 2025-01-15, superseded by F2; 3
    sources)`: what is not known is left out."""
    notes = "; ".join(note for note in _notes(fact) if note)
    return f"[F{fact.id}] {fact_text(fact)} ({notes})"


def fact_text(fact: FactInfo) -> str:
    """`source relation target: description`, in one line."""
    said = f"{fact.source} {fact.relation} {fact.target}"
    whole = f"{said}: {fact.description}" if fact.description.strip() else said
    return one_line(whole, _MOST_FACT_CHARS)


def passage_line(number: int, passage: PassageInfo) -> str:
    """`[P1] words (source)`."""
    return f"[P{number}] {passage_text(passage)}"


def passage_text(passage: PassageInfo) -> str:
    words = one_line(passage.text, _MOST_PASSAGE_CHARS)
    source = one_line(passage.source, _MOST_SOURCE_CHARS)
    return f"{words} ({source})" if source else words


def tool_text(answer: QueryAnswer) -> str:
    """What the tool `query` gives an agent (seed 000): the answer, and the facts it is based on."""
    if answer.answer == NO_MODEL:
        return "\n".join(_without_model(answer))
    if not answer.facts:
        return answer.answer
    return "\n".join((answer.answer, "", "Facts it is based on:", *_listed(answer.facts)))


def _without_model(answer: QueryAnswer) -> Iterator[str]:
    yield f"{answer.answer}."
    if answer.facts:
        yield from ("", "Stored facts:", *_listed(answer.facts))
    if answer.passages:
        passages = [f"- {passage_text(passage)}" for passage in answer.passages]
        yield from ("", "Stored passages:", *passages)


def _listed(facts: Sequence[FactInfo]) -> Iterator[str]:
    yield from (f"- {fact_text(fact)}" for fact in facts[:TOOL_MOST_FACTS])
    if len(facts) > TOOL_MOST_FACTS:
        yield f"... and {len(facts) - TOOL_MOST_FACTS} more"


def _notes(fact: FactInfo) -> Iterator[str]:
    yield ", ".join(part for part in (_period(fact), _state(fact)) if part)
    yield "said not to be so" if fact.negated else ""
    yield {"": "", "certain": "certainly then", "possible": "possibly then"}[fact.certainty]
    yield "1 source" if fact.support == 1 else f"{fact.support} sources"


def _period(fact: FactInfo) -> str:
    if fact.valid_from is None and fact.valid_to is None:
        return ""
    return f"{fact.valid_from or '?'} -> {fact.valid_to or ''}".rstrip()


def _state(fact: FactInfo) -> str:
    if fact.status == "superseded" and fact.superseded_by is not None:
        return f"superseded by F{fact.superseded_by}"
    return "" if fact.status == "active" else fact.status
