"""The knowledge base as every surface sees it: the part of the Engine protocol about it.

`user` None: anybody's. Who asks for what belongs to another user gets NotFound.
"""

from typing import Protocol

from engine.domain.knowledge import (
    DatasetInfo,
    EntitiesPage,
    EntityFilter,
    EntityPage,
    FactFilter,
    FactHistory,
    FactsPage,
    ForgetRequest,
    Forgotten,
    ImportRequest,
    QueryAnswer,
    QueryRequest,
    Rebuilt,
    RememberFilter,
    RememberPage,
    RememberRequest,
    RememberRun,
)
from engine.domain.provenance import Provenance, Temporal
from engine.domain.run import RunId


class KnowledgeBase(Protocol):
    """Texts, the facts in them, and what is asked of them."""

    async def remember(self, request: RememberRequest, *, wait: bool = False) -> RememberRun:
        """Store a text and queue it; it is on the disk when this returns. `wait`: until its facts
        are there, or could not be had; one that is to be tried again later is then still queued,
        with its error. The same text of the same session is the same run.
        Raises UserError with every problem of the request."""
        ...

    async def remember_run(self, number: int, *, user: str | None = None) -> RememberRun:
        """Raises NotFound."""
        ...

    async def remember_settled(self, number: int, *, user: str | None = None) -> RememberRun:
        """Wait as `remember` does, for a text that is there. Raises NotFound, also when it is
        forgotten meanwhile."""
        ...

    async def remember_runs(self, which: RememberFilter) -> RememberPage: ...

    async def retry_remember(self, number: int, *, user: str | None = None) -> RememberRun:
        """Queue a failed text again, or one that was only stored. Raises NotFound, or Refused when
        it waits, is being worked on or is done."""
        ...

    async def query(self, request: QueryRequest) -> QueryAnswer:
        """Answer from the stored facts. A dataset that does not exist is an empty one, and no
        error. Raises UserError for a bad request, ProviderError when the model fails."""
        ...

    async def datasets(self, *, user: str | None = None) -> tuple[DatasetInfo, ...]: ...

    async def rebuild(self, *, user: str | None = None) -> tuple[Rebuilt, ...]:
        """Work out every fact anew from its events, and say how many had stood otherwise."""
        ...

    async def facts(self, which: FactFilter) -> FactsPage:
        """Raises UserError for a date that cannot be read."""
        ...

    async def fact(self, number: int, *, user: str | None = None) -> FactHistory:
        """A fact with everything that happened to it and every text it is in. Raises NotFound."""
        ...

    async def entities(self, which: EntityFilter) -> EntitiesPage: ...

    async def entity(self, number: int, *, user: str | None = None) -> EntityPage:
        """Raises NotFound."""
        ...

    async def import_facts(self, request: ImportRequest) -> RememberRun:
        """Facts that a person states, with their passage: by the same rules, without a model.
        Raises UserError with every problem."""
        ...

    async def forget(self, request: ForgetRequest) -> Forgotten:
        """Take texts back, with all that only they support. Raises NotFound."""
        ...

    async def provenance(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Provenance:
        """What a run brought into the knowledge base; empty when nothing. Raises NotFound."""
        ...

    async def temporal(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Temporal:
        """What a run did to facts, over event time. Raises NotFound."""
        ...

    async def remember_temporal(self, number: int, *, user: str | None = None) -> Temporal:
        """The same of one remembered text. Raises NotFound."""
        ...
