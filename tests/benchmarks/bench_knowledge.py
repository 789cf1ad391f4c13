"""How long a question takes over many facts, how long it takes to load them, and how soon a
remembered text is acknowledged.

    python -m tests.benchmarks.bench_knowledge [--facts 100000] [--questions 200] [--texts 200]

Facts are made up: people, companies, places and products by a fixed rule, with dates; each is in a
sentence of a text. Questions name one or two of them, as people do. Without vectors and without a
model: what is timed is everything from the text of the question to ranked facts and passages read
from the database. Processor time is that of the whole process.

Measured, never judged: machines differ.
"""

import argparse
import asyncio
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from engine.domain.keys import content_hash
from engine.knowledge.chunks import chunks, sentences
from engine.knowledge.index import Indexes
from engine.knowledge.retrieve import Retrieval, Scope
from engine.store import knowledge_queue
from engine.store.database import Database
from engine.store.knowledge_queue import NewRemember
from engine.store.knowledge_texts import NewText
from engine.store.sqlite import open_sqlite
from tests.benchmarks.knowledge_rows import DATASET, NOW, USER, StatedText, store
from tests.fakes.clock import FakeClock

DATASET_ID = 1
FACTS_A_TEXT = 20
TEXTS_AT_ONCE = 50
SYLLABLES = (
    *("ba", "ko", "ri", "ta", "mu", "ne", "lo", "vi", "sha", "den"),
    *("gor", "pel", "quin", "zar", "thu", "fa", "wes", "mir", "jol", "cas"),
)
RELATIONS = (
    ("works at", "person", "company"),
    ("is the chief executive of", "person", "company"),
    ("was born in", "person", "place"),
    ("lives in", "person", "place"),
    ("is based in", "company", "place"),
    ("released", "company", "product"),
    ("acquired", "company", "company"),
    ("was designed by", "product", "person"),
    ("is the capital of", "place", "place"),
    ("has a market share of", "company", "share"),
)
ASKED = (
    "Where does {0} work?",
    "Who is the chief executive of {1}?",
    "Where was {0} born, and where is {1} based?",
    "Which products did {1} release since 2015?",
    "Who designed the products of {1}?",
    "What did {1} acquire before 2010?",
    "Where did {0} live in 2012?",
)


class World:
    """Names by kind, and facts about them; the same for the same size."""

    def __init__(self, facts: int) -> None:
        self.chance = random.Random(facts)
        kinds = {"person": facts // 8, "company": facts // 20, "place": 400, "product": facts // 10}
        self.names = {
            kind: [self._name(kind) for _ in range(max(5, n))] for kind, n in kinds.items()
        }
        self.names["share"] = [f"{n / 10} percent" for n in range(1, 400)]

    def text(self, number: int) -> StatedText:
        facts = [self._fact() for _ in range(FACTS_A_TEXT)]
        said = " ".join(f"Since {since}, {s} {r} {t}." for s, r, t, since in facts)
        return StatedText(f"Report {number}", f"Report {number}\n{said}", facts)

    def question(self) -> str:
        asked = self.chance.choice(ASKED)
        return asked.format(self._one("person"), self._one("company"))

    def _fact(self) -> tuple[str, str, str, str]:
        relation, source, target = self.chance.choice(RELATIONS)
        since = f"{self.chance.randint(1970, 2026)}-{self.chance.randint(1, 12):02d}"
        return self._one(source), relation, self._one(target), since

    def _one(self, kind: str) -> str:
        """Some are spoken of much more than others."""
        names = self.names[kind]
        return names[int(len(names) * self.chance.random() ** 2)]

    def _name(self, kind: str) -> str:
        words = [
            "".join(self.chance.choices(SYLLABLES, k=self.chance.randint(2, 3))).capitalize()
            for _ in range(2)
        ]
        return " ".join(words) + {"company": " Ltd", "product": " 3"}.get(kind, "")


async def main(facts: int, *, questions: int, texts: int) -> None:
    world = World(facts)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "gligabao.db"
        async with open_sqlite(path, clock=FakeClock(), synchronous="NORMAL") as database:
            await _filled(database, world, facts)
            print(f"database {path.stat().st_size / 1e6:.0f} MB")
            retrieval = await _loaded(database)
            await _asked(retrieval, [world.question() for _ in range(questions)])
            await _appended(database, retrieval, world)
        async with open_sqlite(path, clock=FakeClock(), synchronous="FULL") as database:
            await _acknowledged(database, world, texts)


async def _filled(database: Database, world: World, facts: int) -> None:
    begin = time.perf_counter()
    known: set[str] = set()
    number = 0
    while len(known) < facts:
        batch = [world.text(number + n) for n in range(TEXTS_AT_ONCE)]
        await database.write(partial(store, texts=batch, known=known))
        number += TEXTS_AT_ONCE
    print(f"{len(known)} facts of {number} texts stored in {time.perf_counter() - begin:.0f} s")


async def _loaded(database: Database) -> Retrieval:
    indexes = Indexes(database)
    begin, cpu = time.perf_counter(), time.process_time()
    corpus = await indexes.corpus(DATASET_ID)
    print(
        f"loaded {len(corpus.facts)} facts and {len(corpus.passages)} passages in"
        f" {time.perf_counter() - begin:.2f} s, {time.process_time() - cpu:.2f} s CPU;"
        f" the process holds {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
    )
    return Retrieval(database, indexes)


async def _asked(retrieval: Retrieval, questions: Sequence[str]) -> None:
    await retrieval.retrieve("the first question loads what is loaded late", Scope(DATASET_ID))
    wall, cpu, found = [], [], 0
    for question in questions:
        begin, begin_cpu = time.perf_counter(), time.process_time()
        retrieved = await retrieval.retrieve(question, Scope(DATASET_ID))
        wall.append((time.perf_counter() - begin) * 1000)
        cpu.append((time.process_time() - begin_cpu) * 1000)
        found += len(retrieved.facts)
    print(f"{len(questions)} questions, {found / len(questions):.0f} facts each")
    _tell("a question, CPU", cpu)
    _tell("a question, wall", wall)


async def _appended(database: Database, retrieval: Retrieval, world: World) -> None:
    """A question right after a text was stored: the index takes it in first."""
    took = []
    for number in range(10):
        await database.write(partial(store, texts=[world.text(-number - 1)], known=set()))
        begin = time.process_time()
        await retrieval.retrieve(world.question(), Scope(DATASET_ID))
        took.append((time.process_time() - begin) * 1000)
    _tell("a question after a new text, CPU", took)


async def _acknowledged(database: Database, world: World, texts: int) -> None:
    wall, cpu = [], []
    for number in range(texts):
        text = world.text(1_000_000 + number).text
        new = NewText(text, content_hash(text), sentences(text), chunks(text))
        begin, begin_cpu = time.perf_counter(), time.process_time()
        await database.write(
            partial(knowledge_queue.enqueue, new=NewRemember(USER, DATASET, new), at=NOW)
        )
        wall.append((time.perf_counter() - begin) * 1000)
        cpu.append((time.process_time() - begin_cpu) * 1000)
    _tell("a text queued for good (synchronous=FULL), CPU", cpu)
    _tell("a text queued for good (synchronous=FULL), wall", wall)


def _tell(what: str, milliseconds: Sequence[float]) -> None:
    p50, p95 = np.percentile(milliseconds, [50, 95])
    print(f"{what}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, most {max(milliseconds):.1f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--texts", type=int, default=200)
    given = parser.parse_args()
    asyncio.run(main(given.facts, questions=given.questions, texts=given.texts))
