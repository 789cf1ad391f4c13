"""Gives what is stored its vectors, in the background and in the order of the ids.

It must never run while a text is being stored or a question answered: it takes a processor for
seconds. What was made stays when the rest fails. Needs numpy: import it where it is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from engine.knowledge.index import WINDOW_CHARS, Corpus, Indexes
from engine.knowledge.vectors import Embedder, Matrices
from engine.knowledge.wording import fact_text
from engine.store import knowledge_index, knowledge_vectors
from engine.store.database import Database
from engine.store.knowledge_vectors import Vector, Which

BATCH_TEXTS = 32


@dataclass(frozen=True, slots=True)
class Embedding:
    """Where texts come from and vectors go."""

    database: Database
    indexes: Indexes
    matrices: Matrices
    embedder: Embedder

    async def fill(self, dataset_id: int) -> int:
        """How many vectors were made: one for each fact and passage that had none.

        Raises ProviderError and StoreError.
        """
        corpus = await self.indexes.corpus(dataset_id)
        facts = Which(dataset_id, "fact", self.embedder.name)
        passages = Which(dataset_id, "sentence", self.embedder.name)
        made = 0
        for batch in _batches(await self._new_facts(corpus, facts)):
            made += await self._embed(facts, await self._fact_texts(batch))
        for places in _batches(await self._new_passages(corpus, passages)):
            made += await self._embed(passages, await self._passage_texts(corpus, places))
        return made

    async def _new_facts(self, corpus: Corpus, which: Which) -> list[int]:
        known = (await self.matrices.matrix(which)).refs
        return [int(fact) for fact in corpus.fact_ids if not len(known) or fact > known[-1]]

    async def _new_passages(self, corpus: Corpus, which: Which) -> list[int]:
        known = (await self.matrices.matrix(which)).refs
        firsts = corpus.spans[corpus.windows.firsts, 0]
        return [n for n, first in enumerate(firsts) if not len(known) or first > known[-1]]

    async def _fact_texts(self, ids: Sequence[int]) -> list["_Text"]:
        async with self.database.reading() as reader:
            found = await knowledge_index.facts(reader, ids)
        return [_Text(number, fact_text(fact.info)) for number, fact in sorted(found.items())]

    async def _passage_texts(self, corpus: Corpus, numbers: Sequence[int]) -> list["_Text"]:
        windows = corpus.windows
        places = [(int(windows.artifacts[n]), int(windows.begins[n])) for n in numbers]
        async with self.database.reading() as reader:
            texts = await knowledge_index.excerpts(reader, places, WINDOW_CHARS)
        firsts = corpus.spans[windows.firsts[list(numbers)], 0].tolist()
        return [_Text(first, text) for first, text in zip(firsts, texts, strict=True) if text]

    async def _embed(self, which: Which, texts: Sequence["_Text"]) -> int:
        if not texts:
            return 0
        rows = await self.embedder.embed([one.text for one in texts])
        vectors = [
            Vector(one.ref_id, row.astype("<f4").tobytes())
            for one, row in zip(texts, rows, strict=True)
        ]
        await self.database.write(partial(knowledge_vectors.put, which=which, vectors=vectors))
        return len(vectors)


class _Text(NamedTuple):
    ref_id: int
    text: str


def _batches(numbers: Sequence[int]) -> list[Sequence[int]]:
    return [numbers[at : at + BATCH_TEXTS] for at in range(0, len(numbers), BATCH_TEXTS)]
