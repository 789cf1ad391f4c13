"""Takes one text of the queue through its phases; whatever ends it, the text itself stays.

    claimed -> extracting -> (checkpoint) -> reconciling -> (checkpoint) -> applying -> done
                  `- no model: exact patterns, and the text is stored only

After a checkpoint no model is asked the same again, also by another process. Everything that is
written counts only as long as this attempt holds the run.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass

from engine.domain.clock import Clock, timestamp
from engine.domain.dates import stated
from engine.domain.decisions import EntityRef, Findings, KnownFact, Origin
from engine.domain.keys import name_key
from engine.knowledge import comparing
from engine.knowledge.comparing import NO_ANSWERS, Answers, Known, Read
from engine.knowledge.extract import LONG_TEXT_CHARS, Extracting, extract
from engine.knowledge.extracted import Extraction, from_json, to_json
from engine.knowledge.judging import Judging, judge
from engine.knowledge.names import keys_in
from engine.knowledge.patterns import pattern_facts
from engine.knowledge.resolve import KnownEntity, lookup_keys
from engine.llm.model import Answering, Attempts
from engine.store import knowledge_apply, knowledge_entities, knowledge_facts, knowledge_queue
from engine.store.database import Database, Transaction
from engine.store.knowledge_entities import Into
from engine.store.knowledge_queue import Claimed, Held
from engine.store.knowledge_texts import StoredText

NO_MODEL = "no model is set: its sentences are stored, and what exact patterns find in them"
ONLY_QUOTED = (
    "quoted without a language model: its sentences are stored, and what exact patterns find in "
    "them; try it again to have it read by the model"
)
NOT_READ = "the model's answers could not be read: its sentences are stored"
NOTHING_READ = "the model found no facts in it: its sentences are stored"
UNREAD_KINDS = ("import", "quoted")
_NAMES_LOOKED_FOR = 2_000
"""Characters of a text in which names of stored entities are looked for."""


class LeaseLost(Exception):
    """Somebody else has the run now: what was being done counts for nothing."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The model that reads texts."""

    answer: Answering
    model_name: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What texts are absorbed with. `attempts` books the calls for a run of that number."""

    database: Database
    clock: Clock
    attempts: Callable[[int], AbstractAsyncContextManager[Attempts]]
    reader: Reader | None = None
    """None: only exact patterns read the texts."""


class Absorber:
    """One value works through any number of texts, one after the other."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    @property
    def unread_kinds(self) -> tuple[str, ...] | None:
        """The kinds of texts that no model reads; None: it reads none at all."""
        return UNREAD_KINDS if self._around.reader else None

    async def absorb(self, claimed: Claimed, text: StoredText) -> None:
        """The run is settled when this returns. Raises ProviderError, StoreError, LeaseLost."""
        async with self._around.attempts(claimed.held.run_id) as attempts:
            work = _Work(self._around, claimed, text, attempts)
            extraction = await work.extraction()
            read = Read(text.text, extraction, work.origin())
            known = await work.known(read)
            given = await work.answers(read, known)
        await work.settle(read, comparing.findings(read, known, given))


@dataclass(frozen=True, slots=True)
class _Work:
    around: Surroundings
    claimed: Claimed
    text: StoredText
    attempts: Attempts

    @property
    def held(self) -> Held:
        return self.claimed.held

    @property
    def reader(self) -> Reader | None:
        """Facts that somebody states need none, and what no language model quoted gets none."""
        return None if self.claimed.kind in UNREAD_KINDS else self.around.reader

    def origin(self) -> Origin:
        """By the source's date; without one by the day on which the text was stored."""
        day = stated(self.text.created_at[:10])
        assert day is not None
        return Origin(
            reference=self.text.date or day,
            reference_basis="reference" if self.text.date else "recorded",
            recorded_at=timestamp(self.around.clock.now()),
            artifact_id=self.text.id,
            session_id=self.text.session_id,
            remember_run_id=self.held.run_id,
        )

    async def extraction(self) -> Extraction:
        if self.claimed.extraction is not None:
            try:
                return from_json(self.claimed.extraction)
            except ValueError:
                if self.claimed.kind == "import":
                    raise
        found = await self._extracted()
        await self._held(lambda tx: knowledge_queue.keep_extraction(tx, self.held, to_json(found)))
        return found

    async def _extracted(self) -> Extraction:
        reader = self.reader
        if reader is None:
            return pattern_facts(self.text.text, self.text.date)
        around = Extracting(
            answer=reader.answer,
            model_name=reader.model_name,
            attempts=self.attempts,
            reference=self.text.date,
            source=self.text.source,
            known=await self._names_in_use(),
        )
        return await extract(self.text.text, around)

    async def _names_in_use(self) -> tuple[str, ...]:
        keys = keys_in(self.text.text[:_NAMES_LOOKED_FOR])
        async with self.around.database.reading() as reader:
            found = await knowledge_entities.with_keys(reader, self.text.dataset_id, keys)
        return tuple(one.name for one in found if not one.is_value)

    async def known(self, read: Read) -> Known:
        """What is stored that the text may mean or touch."""
        async with self.around.database.reading() as reader:
            dataset = self.text.dataset_id
            keys = lookup_keys(comparing.complete(read.extraction))
            found = await knowledge_entities.with_keys(reader, dataset, keys)
            exact = {key for one in found for key in one.alias_keys}
            for one in comparing.complete(read.extraction).entities:
                if name_key(one.name) not in exact:
                    found += await knowledge_entities.alike(reader, dataset, one.name)
            entities = _once(found)
            refs = comparing.touched(read, entities)
            facts = await knowledge_facts.known_facts(reader, dataset, refs)
            named = await knowledge_entities.with_keys(reader, dataset, _ends(facts))
        return Known(_once((*found, *named)) if facts else entities, facts)

    async def answers(self, read: Read, known: Known) -> Answers:
        """The verdicts of a reader on what code cannot decide; kept before anything follows."""
        if self.claimed.reconciling is not None:
            with suppress(ValueError):  # a checkpoint that cannot be read is none
                return comparing.from_json(self.claimed.reconciling)
        reader, asked = self.reader, comparing.asking(read, known)
        if reader is None or not (asked.entities or asked.facts):
            return NO_ANSWERS
        judging = Judging(reader.answer, reader.model_name, self.attempts)
        judged = await judge(asked.entity_words, asked.fact_words, judging)
        given = comparing.answers(asked, judged)
        kept = comparing.to_json(given)
        await self._held(lambda tx: knowledge_queue.keep_reconciling(tx, self.held, kept))
        return given

    async def settle(self, read: Read, found: Findings) -> None:
        """Apply and end the run, in one transaction."""
        status, why = self._verdict(read.extraction)

        def work(tx: Transaction) -> bool:
            if not knowledge_queue.is_held(tx, self.held):
                return False
            into = Into(self.text.dataset_id, read.origin)
            counts = knowledge_apply.apply(tx, into, found)
            end = knowledge_queue.End(status, read.origin.recorded_at, why)
            return knowledge_queue.settle(tx, self.held, counts, end)

        await self._held(work)

    def _verdict(self, extraction: Extraction) -> tuple[knowledge_queue.EndStatus, str]:
        is_given = any(fact.actor != "pattern" for fact in extraction.facts)
        if self.reader is None and not is_given:
            return "stored_only", ONLY_QUOTED if self.around.reader else NO_MODEL
        if extraction.facts:
            return "completed", ""
        if extraction.unread_chunks:
            return "stored_only", NOT_READ
        is_long = len(self.text.text) >= LONG_TEXT_CHARS
        return ("stored_only", NOTHING_READ) if is_long else ("completed", "")

    async def _held(self, work: Callable[[Transaction], bool]) -> None:
        if not await self.around.database.write(work):
            raise LeaseLost


def _once(found: Sequence[knowledge_entities.KnownEntity]) -> tuple[KnownEntity, ...]:
    by_id = {one.id: one for one in found}
    return tuple(_known(by_id[number]) for number in sorted(by_id))


def _known(one: knowledge_entities.KnownEntity) -> KnownEntity:
    return KnownEntity(
        ref=one.ref,
        name=one.name,
        type=one.type,
        is_value=one.is_value,
        alias_keys=tuple(sorted(one.alias_keys)),
    )


def _ends(facts: Sequence[KnownFact]) -> tuple[str, ...]:
    refs: dict[EntityRef, None] = {}
    for fact in facts:
        refs |= {fact.source: None, fact.target: None}
    return tuple(ref.name_key for ref in refs)
