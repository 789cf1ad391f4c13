"""The reconciling call: how new names and facts relate to stored ones, in a model's opinion.

It only nominates. A number that was not asked about, a verdict that does not exist and two verdicts
for one pair count for nothing, and are said in the notes. Raises ProviderError.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from engine.domain.decisions import Verdict
from engine.domain.exchange import Reply, Request
from engine.domain.text_safety import one_line
from engine.knowledge.answer_json import Lists, lists_in
from engine.knowledge.asking import Question, marked, once_more, request
from engine.knowledge.ladder import counted
from engine.llm.model import Answering, Attempts, no_delta

PROMPT_VERSION = "remember-reconcile-1"
MOST_PAIRS = 60
"""In one call; more of them are asked in further calls."""
EntityVerdict: TypeAlias = Literal["same", "different"]

REFUSED = "the model refused to compare new facts with stored ones"
UNREADABLE = "the model's comparison of new facts with stored ones could not be read"
OUT_OF_RANGE = "a verdict for a pair that was not asked about was dropped"
UNKNOWN = "a verdict that is none was dropped"
TWICE = "two different verdicts for one pair were dropped"
UNANSWERED = "a pair was left without a verdict"

_ENTITY_KINDS: tuple[EntityVerdict, ...] = ("same", "different")
_FACT_KINDS: tuple[Verdict, ...] = ("same", "updates", "ends", "corrects", "unrelated")
V = TypeVar("V", bound=str)

_MARKS = {"entities": "entity_pair", "facts": "fact_pair"}
"""Different keys, so that an item of broken JSON still shows of which list it is."""
_LINE_CHARS = 600


@dataclass(frozen=True, slots=True)
class Compared:
    """Something new and something stored, each in words: names and aliases and types for entities;
    the fact with its dates and its passage for facts."""

    new: str
    known: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict for each pair in the order asked; None: the model gave none that counts."""

    entities: tuple[EntityVerdict | None, ...] = ()
    facts: tuple[Verdict | None, ...] = ()
    dropped: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judging:
    """What the call is made with."""

    answer: Answering
    model_name: str
    attempts: Attempts


async def judge(entities: Sequence[Compared], facts: Sequence[Compared], around: Judging) -> Judged:
    """The verdicts on all pairs; no call when there are none. Raises ProviderError."""
    found = Judged()
    for some, others in _batches(entities, facts):
        found = _joined(found, await _judge(some, others, around))
    return Judged(found.entities, found.facts, found.dropped, counted(found.notes))


def asked(entities: Sequence[Compared], facts: Sequence[Compared], model_name: str) -> Request:
    """The request for at most MOST_PAIRS pairs."""
    lists = {
        name: _numbered(pairs, mark)
        for pairs, (name, mark) in zip((entities, facts), _MARKS.items(), strict=True)
    }
    material = "\n".join(
        f"{name}:\n" + "\n".join(json.dumps(pair, ensure_ascii=False) for pair in pairs)
        for name, pairs in lists.items()
        if pairs
    )
    matter = f"Pairs of new and stored statements.\n{marked(material)}"
    question = Question("remember_reconcile", PROMPT_VERSION, _schema(), matter)
    return request(question, model_name)


def read(answer: str, *, entities: int, facts: int) -> Judged:
    """The verdicts of an answer on so many pairs, numbered from 1 in each list."""
    lists = lists_in(answer, _MARKS)
    of_entities, some = _verdicts(lists, "entities", _ENTITY_KINDS, pairs=entities)
    of_facts, others = _verdicts(lists, "facts", _FACT_KINDS, pairs=facts)
    missing = [UNANSWERED for verdict in (*of_entities, *of_facts) if verdict is None]
    return Judged(
        of_entities,
        of_facts,
        len(some) + len(others) + lists.lost,
        (*lists.problems, *lists.notes, *some, *others, *missing),
    )


async def _judge(
    entities: Sequence[Compared], facts: Sequence[Compared], around: Judging
) -> Judged:
    first = asked(entities, facts, around.model_name)
    reply = await _reply(first, around)
    judged = _read(reply, entities, facts)
    problems = lists_in(reply.text, _MARKS).problems
    if reply.stop_reason == "refusal" or not problems:
        return judged
    again = await _reply(once_more(first, reply.text, problems), around)
    return _filled(_read(again, entities, facts), judged)


async def _reply(question: Request, around: Judging) -> Reply:
    return await around.answer.reply(question, no_delta, attempts=around.attempts)


def _read(reply: Reply, entities: Sequence[Compared], facts: Sequence[Compared]) -> Judged:
    nothing = Judged((None,) * len(entities), (None,) * len(facts))
    if reply.stop_reason == "refusal":
        return _joined(Judged(notes=(REFUSED,)), nothing)
    judged = read(reply.text, entities=len(entities), facts=len(facts))
    if not any((*judged.entities, *judged.facts)):
        return _joined(Judged(notes=(UNREADABLE,)), judged)
    return judged


def _filled(second: Judged, first: Judged) -> Judged:
    """The second answer, and the first where that says nothing."""
    return Judged(
        tuple(b or a for a, b in zip(first.entities, second.entities, strict=True)),
        tuple(b or a for a, b in zip(first.facts, second.facts, strict=True)),
        second.dropped,
        (*first.notes, *second.notes),
    )


def _joined(one: Judged, other: Judged) -> Judged:
    return Judged(
        one.entities + other.entities,
        one.facts + other.facts,
        one.dropped + other.dropped,
        one.notes + other.notes,
    )


def _batches(
    entities: Sequence[Compared], facts: Sequence[Compared]
) -> Iterator[tuple[Sequence[Compared], Sequence[Compared]]]:
    """All pairs in as few batches as can be; none for no pairs."""
    for start in range(0, len(entities) + len(facts), MOST_PAIRS):
        end = start + MOST_PAIRS
        shift = len(entities)
        yield entities[start:end], facts[max(0, start - shift) : max(0, end - shift)]


def _numbered(pairs: Sequence[Compared], mark: str) -> list[dict[str, object]]:
    return [
        {
            mark: number,
            "new": one_line(pair.new, _LINE_CHARS),
            "stored": one_line(pair.known, _LINE_CHARS),
        }
        for number, pair in enumerate(pairs, start=1)
    ]


def _schema() -> Mapping[str, object]:
    return {
        "type": "object",
        "properties": {
            "entities": _list_of(_MARKS["entities"], _ENTITY_KINDS),
            "facts": _list_of(_MARKS["facts"], _FACT_KINDS),
        },
        "required": ["entities", "facts"],
        "additionalProperties": False,
    }


def _list_of(mark: str, verdicts: Sequence[str]) -> dict[str, object]:
    item = {
        "type": "object",
        "properties": {
            mark: {"type": "integer"},
            "verdict": {"type": "string", "enum": list(verdicts)},
        },
        "required": [mark, "verdict"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": item}


def _verdicts(
    lists: Lists, name: str, kinds: tuple[V, ...], *, pairs: int
) -> tuple[tuple[V | None, ...], list[str]]:
    """A verdict for each of so many pairs, and a note for everything that counts for nothing."""
    given: dict[int, V] = {}
    spoiled: set[int] = set()
    notes: list[str] = []
    for item in lists.items.get(name, ()):
        number, verdict = _number(item, _MARKS[name]), _kind(item, kinds)
        if number is None or not 1 <= number <= pairs:
            notes.append(OUT_OF_RANGE)
        elif verdict is None:
            notes.append(UNKNOWN)
        elif given.setdefault(number, verdict) != verdict:
            spoiled.add(number)
    notes += [TWICE] * len(spoiled)
    return tuple(
        None if number in spoiled else given.get(number) for number in range(1, pairs + 1)
    ), notes


def _number(item: object, mark: str) -> int | None:
    number = item.get(mark) if isinstance(item, Mapping) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _kind(item: object, kinds: tuple[V, ...]) -> V | None:
    verdict = item.get("verdict") if isinstance(item, Mapping) else None
    return next((kind for kind in kinds if kind == verdict), None)
