"""How many of the passages that a question needs are found, beside plain BM25.

    python -m tests.benchmarks.bench_retrieval FOLDER [--minilm]

FOLDER holds `questions.json` and `triples.json` of a part of MuSiQue with ready-made triples. Every
passage is a text of its own. `--minilm` needs the extra `vectors` and embeds everything first,
which takes minutes; with a second run the vectors are made again. What is printed: recall@5, @10
and @20 of supporting passages, and the share of questions with all of them among the first ten.

Measured, never judged, and not to be tuned to: these are few questions.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from engine.knowledge.embedders import minilm
from engine.knowledge.embedding import Embedding
from engine.knowledge.index import Indexes
from engine.knowledge.retrieve import Retrieval, Scope
from engine.knowledge.vectors import Matrices
from engine.retrieval.bm25 import top_of
from engine.retrieval.tokens import terms
from engine.store.database import Database
from engine.store.sqlite import open_sqlite
from tests.benchmarks.knowledge_rows import StatedText, store
from tests.fakes.clock import FakeClock

DEPTHS = (5, 10, 20)
DATASET_ID = 1


@dataclass(frozen=True)
class Question:
    text: str
    needed: frozenset[int]
    """Ids of the texts that support its answer."""


async def main(folder: Path, *, with_minilm: bool) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "gligabao.db"
        async with open_sqlite(path, clock=FakeClock(), synchronous="NORMAL") as database:
            questions = await _stored(database, folder)
            indexes = Indexes(database)
            await _plain(indexes, questions)
            retrieval = Retrieval(database, indexes)
            await _asked("words and graph", retrieval, questions)
            if with_minilm:
                embedder, matrices = minilm(), Matrices(database)
                begin = time.process_time()
                made = await Embedding(database, indexes, matrices, embedder).fill(DATASET_ID)
                print(f"{made} vectors in {time.process_time() - begin:.0f} s CPU")
                retrieval.use_vectors(embedder, matrices)
                await _asked("with minilm", retrieval, questions)


async def _stored(database: Database, folder: Path) -> list[Question]:
    documents = _read(folder / "triples.json")["docs"]
    texts = [_text(document) for document in documents]
    ids: list[int] = await database.write(partial(store, texts=texts, known=set()))
    by_text = {text.text: number for text, number in zip(texts, ids, strict=True)}
    return [
        Question(asked["question"], frozenset(by_text[_whole(p)] for p in _supporting(asked)))
        for asked in _read(folder / "questions.json")
    ]


def _text(document: dict[str, Any]) -> StatedText:
    triples = [tuple(part for part in triple) for triple in document["extracted_triples"]]
    sound = [t for t in triples if len(t) == 3 and all(isinstance(p, str) and p.strip() for p in t)]
    text = f"{document['title']}\n{document['text']}"
    return StatedText(document["title"], text, [(s, r, t, "") for s, r, t in sound])


def _supporting(asked: dict[str, Any]) -> list[dict[str, Any]]:
    return [paragraph for paragraph in asked["paragraphs"] if paragraph["is_supporting"]]


def _whole(paragraph: dict[str, Any]) -> str:
    return f"{paragraph['title']}\n{paragraph['paragraph_text']}"


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


async def _plain(indexes: Indexes, questions: Sequence[Question]) -> None:
    """BM25 over the passages and nothing else."""
    corpus = await indexes.corpus(DATASET_ID)

    def found(question: Question) -> list[int]:
        scores = corpus.passages.scores(dict.fromkeys(terms(question.text), 1.0))
        artifacts = [int(corpus.windows.artifacts[one.document]) for one in top_of(scores, 60)]
        return list(dict.fromkeys(artifacts))

    print(f"{len(corpus.facts)} facts, {len(corpus.passages)} passages, {len(questions)} questions")
    _tell("plain BM25", questions, found)


async def _asked(name: str, retrieval: Retrieval, questions: Sequence[Question]) -> None:
    found: dict[str, list[int]] = {}
    took = []
    for question in questions:
        begin = time.perf_counter()
        retrieved = await retrieval.retrieve(question.text, Scope(DATASET_ID))
        took.append((time.perf_counter() - begin) * 1000)
        passages = [passage.info.artifact_id for passage in retrieved.passages]
        found[question.text] = list(dict.fromkeys(passages))
    _tell(name, questions, lambda question: found[question.text])
    print(f"{'':20} {np.median(took):.0f} ms a question, the slowest {max(took):.0f} ms")


def _tell(name: str, questions: Sequence[Question], found: Callable[[Question], list[int]]) -> None:
    recalls = {
        depth: [len(q.needed & set(found(q)[:depth])) / len(q.needed) for q in questions]
        for depth in DEPTHS
    }
    told = "  ".join(f"@{depth} {np.mean(recalls[depth]):.3f}" for depth in DEPTHS)
    whole = np.mean([share == 1 for share in recalls[10]])
    print(f"{name:20} recall {told}  all@10 {whole:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minilm", action="store_true")
    given = parser.parse_args()
    asyncio.run(main(given.folder, with_minilm=given.minilm))
