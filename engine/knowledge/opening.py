"""Puts the knowledge base of an owned engine together.

What needs numpy is imported when the first question is asked.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.domain.clock import Clock
from engine.domain.errors import CannotStart, GligabaoError
from engine.knowledge.absorbing import Absorber, Reader, Surroundings
from engine.knowledge.base import Asks, Base, Parts
from engine.knowledge.booking import Books
from engine.knowledge.remember import RememberQueue
from engine.llm.model import Attempts
from engine.settings import KnowledgeSettings
from engine.store import knowledge_index
from engine.store.database import Database

if TYPE_CHECKING:  # they bring numpy
    from engine.knowledge.embedding import Embedding
    from engine.knowledge.index import Indexes
    from engine.knowledge.query import Queries
    from engine.knowledge.vectors import Embedder

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Given:
    """`reader` is the model that reads and answers; None: there is none."""

    database: Database
    clock: Clock
    books: Books
    settings: KnowledgeSettings
    reader: Reader | None = None


def knowledge_base(given: Given) -> Base:
    """Raises nothing: what is missing for vectors is told when they are needed, in the log."""
    library = _Library(given)
    around = Surroundings(
        given.database, given.clock, lambda number: _booked(given.books, number), given.reader
    )
    at_rest = library.embed if given.settings.embedder != "none" else None
    queue = RememberQueue(given.database, Absorber(around), given.clock, at_rest=at_rest)
    parts = Parts(given.database, given.clock, queue, library.asks, library.forgotten)
    return Base(parts)


def _booked(books: Books, number: int) -> AbstractAsyncContextManager[Attempts]:
    return _attempts(books, number)


@asynccontextmanager
async def _attempts(books: Books, number: int) -> AsyncIterator[Attempts]:
    async with books.of("remember", number) as booking:
        yield booking


class _Library:
    """What questions are answered with, made when the first one is asked."""

    def __init__(self, given: Given) -> None:
        self._given = given
        self._indexes: Indexes | None = None
        self._queries: Queries | None = None
        self._embedding: Embedding | None = None

    async def asks(self) -> Asks:
        if self._queries is None:
            self._queries = self._made()
        return self._queries

    def forgotten(self) -> None:
        """The next question loads its dataset anew."""
        self._indexes = self._queries = self._embedding = None

    async def embed(self) -> None:
        """Give what has none its vectors; what fails is told, and tried after the next text."""
        await self.asks()
        if self._embedding is None:
            return
        try:
            async with self._given.database.reading() as reader:
                datasets = await knowledge_index.dataset_ids(reader)
            for dataset in datasets:
                await self._embedding.fill(dataset)
        except GligabaoError as error:
            _log.warning("what was remembered has no vectors yet: %s", error)

    def _made(self) -> "Queries":
        from engine.knowledge import query
        from engine.knowledge.answer import Answerer
        from engine.knowledge.index import Indexes
        from engine.knowledge.retrieve import Retrieval

        given = self._given
        self._indexes = Indexes(given.database)
        retrieval = Retrieval(given.database, self._indexes)
        embedder = self._embedder()
        if embedder is not None:
            from engine.knowledge.embedding import Embedding
            from engine.knowledge.vectors import Matrices

            matrices = Matrices(given.database)
            retrieval.use_vectors(embedder, matrices)
            self._embedding = Embedding(given.database, self._indexes, matrices, embedder)
        reader = given.reader
        around = query.Surroundings(
            database=given.database,
            retrieval=retrieval,
            clock=given.clock,
            attempts=lambda number: given.books.of("query", number),
            answerer=Answerer(reader.answer, reader.model_name) if reader else None,
        )
        return query.Queries(around)

    def _embedder(self) -> "Embedder | None":
        settings = self._given.settings
        if settings.embedder == "none":
            return None
        from engine.knowledge import embedders

        try:
            if settings.embedder == "minilm":
                return embedders.minilm()
        except CannotStart as error:
            _log.warning("texts are compared by words alone: %s", error)
            return None
        place = embedders.ApiPlace(
            settings.embedding_url, settings.embedding_model, settings.embedding_api_key
        )
        return embedders.ApiEmbedder(place)
