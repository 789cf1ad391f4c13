"""A knowledge base in memory that tests drive by hand: it holds what they script."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from engine.api import (
    ArtifactInfo,
    DatasetInfo,
    EntitiesPage,
    EntityFilter,
    EntityInfo,
    EntityPage,
    FactFilter,
    FactHistory,
    FactInfo,
    FactsPage,
    ForgetRequest,
    Forgotten,
    GligabaoError,
    ImportRequest,
    NotFound,
    Problem,
    Provenance,
    QueryAnswer,
    QueryRequest,
    Rebuilt,
    Refused,
    RememberFilter,
    RememberPage,
    RememberRequest,
    RememberRun,
    RememberStatus,
    RunId,
    Temporal,
    UserError,
    timestamp,
)
from engine.domain.dates import stated
from engine.domain.facts import Period, Span, certain, possible
from tests.fakes.clock import FakeClock

Item = TypeVar("Item")


@dataclass
class _Waiting:
    """Somebody who waits for a text to be absorbed."""

    number: int
    loop: asyncio.AbstractEventLoop
    settled: asyncio.Event = field(default_factory=asyncio.Event)


class FakeKnowledge:
    """Fulfils the KnowledgeBase protocol; its scripting methods may be called from any thread."""

    def __init__(self, clock: FakeClock | None = None) -> None:
        self.clock = clock or FakeClock()
        self.known_datasets: dict[str, DatasetInfo] = {}
        self.mended = 0
        """How many facts of each dataset a rebuilding finds to have stood otherwise."""
        self.histories: dict[int, FactHistory] = {}
        """Every fact there is, with its events and texts."""
        self.pages: dict[int, EntityPage] = {}
        """Every entity there is."""
        self.artifacts: dict[int, ArtifactInfo] = {}
        self.runs: dict[int, RememberRun] = {}
        self.provenances: dict[tuple[RunId, bool], Provenance] = {}
        """By run, and whether its sub-agents are included; else one of nothing."""
        self.temporals: dict[tuple[RunId, bool], Temporal] = {}
        self.remember_temporals: dict[int, Temporal] = {}
        self.answers: dict[str, QueryAnswer] = {}
        """By question; any other has the answer that the knowledge base is empty."""
        self.known_then: dict[str, tuple[int, ...]] = {}
        """Which facts `known_at` leaves; of a time that is not here, all."""
        self.would_go: Forgotten | None = None
        """What `forget` tells, instead of what follows from the texts."""
        self.settles: RememberStatus | None = "completed"
        """How a text that is waited for ends; None: when `settle` is called."""
        self.may_answer = asyncio.Event()
        """Cleared: questions wait for it, as for a slow model."""
        self.may_answer.set()
        self.refuses: GligabaoError | None = None
        """What every call that changes or costs something raises."""
        self.remembered: list[RememberRequest] = []
        self.imported: list[ImportRequest] = []
        self.questions: list[QueryRequest] = []
        self.forgotten: list[ForgetRequest] = []
        self.asked: list[str] = []
        self.was_asked = asyncio.Event()
        """Set by every call; for whoever waits for one on the engine's loop."""
        self._waiting: list[_Waiting] = []

    # The KnowledgeBase protocol

    async def remember(self, request: RememberRequest, *, wait: bool = False) -> RememberRun:
        self._may("remember")
        if not request.text.strip():
            raise UserError(Problem("text", "is empty: give the text to remember"))
        self.remembered.append(request)
        run = self.queue(request.text, source=request.source, dataset=request.dataset)
        run = self.change(
            run.id,
            user_id=request.user,
            kind=request.kind,
            session_id=request.session_id,
        )
        return await self._settled(run.id) if wait else run

    async def remember_run(self, number: int, *, user: str | None = None) -> RememberRun:
        self._note(f"remember_run {number}")
        run = self.runs.get(number)
        if run is None or user not in (None, run.user_id):
            raise NotFound(f"there is no remember run {number}")
        return run

    async def remember_settled(self, number: int, *, user: str | None = None) -> RememberRun:
        run = await self.remember_run(number, user=user)
        return await self._settled(number) if run.status in ("queued", "running") else run

    async def remember_runs(self, which: RememberFilter) -> RememberPage:
        self._note(f"remember_runs {which.status} {which.dataset} {which.cursor}".strip())
        found = [run for run in self.runs.values() if _is_wanted(run, which)]
        found.sort(key=lambda run: -run.id)
        page, cursor = _page(found, which.limit, which.cursor)
        return RememberPage(page, cursor)

    async def retry_remember(self, number: int, *, user: str | None = None) -> RememberRun:
        self._may(f"retry_remember {number}")
        run = await self.remember_run(number, user=user)
        if run.status not in ("failed", "stored_only"):
            raise Refused(f"remember run {number} is {run.status}")
        return self.change(number, status="queued", error="", finished_at=None)

    async def query(self, request: QueryRequest) -> QueryAnswer:
        self._may(f"query {request.question}")
        self.questions.append(request)
        await self.may_answer.wait()
        nothing = QueryAnswer(len(self.questions), "The knowledge base is empty.", empty=True)
        return self.answers.get(request.question, nothing)

    async def rebuild(self, *, user: str | None = None) -> tuple[Rebuilt, ...]:
        self._note("rebuild")
        found = await self.datasets(user=user)
        return tuple(Rebuilt(one.name, one.facts, self.mended) for one in found)

    async def datasets(self, *, user: str | None = None) -> tuple[DatasetInfo, ...]:
        self._note("datasets")
        found = (info for info in self.known_datasets.values() if user in (None, info.user_id))
        return tuple(sorted(found, key=lambda info: info.name))

    async def facts(self, which: FactFilter) -> FactsPage:
        self._note(f"facts {which.about} {which.text} {which.cursor}".strip())
        page, cursor = _page(self._facts(which), which.limit, which.cursor)
        return FactsPage(page, cursor)

    async def fact(self, number: int, *, user: str | None = None) -> FactHistory:
        self._note(f"fact {number}")
        history = self.histories.get(number)
        if history is None or not self._owns(user, [history.fact.dataset]):
            raise NotFound(f"there is no fact {number}")
        return history

    async def entities(self, which: EntityFilter) -> EntitiesPage:
        self._note(f"entities {which.text} {which.cursor}".strip())
        found = [page for page in self.pages.values() if self._is_wanted_entity(page, which)]
        infos = sorted((page.entity for page in found), key=lambda info: info.name.casefold())
        page, cursor = _page(infos, which.limit, which.cursor)
        return EntitiesPage(page, cursor)

    async def entity(self, number: int, *, user: str | None = None) -> EntityPage:
        self._note(f"entity {number}")
        page = self.pages.get(number)
        if page is None or not self._owns(user, page.entity.datasets):
            raise NotFound(f"there is no entity {number}")
        return page

    async def import_facts(self, request: ImportRequest) -> RememberRun:
        self._may("import_facts")
        self.imported.append(request)
        run = self.queue(request.text, source=request.source, dataset=request.dataset)
        count = len(request.facts)
        self.change(run.id, user_id=request.user, kind="import")
        return self.settle(run.id, facts=count, facts_new=count)

    async def forget(self, request: ForgetRequest) -> Forgotten:
        self._may(f"forget {request.artifact_id} {request.source} {request.is_trial}")
        gone = self.would_go or Forgotten(tuple(self._texts_of(request)))
        if not gone.artifacts:
            raise NotFound("there is no such text")
        self.forgotten.append(request)
        if not request.is_trial:
            for artifact in gone.artifacts:
                self.artifacts.pop(artifact.id, None)
        return gone

    async def provenance(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Provenance:
        self._note(f"provenance {run_id} {include_subagents}")
        return self.provenances.get((run_id, include_subagents), Provenance(run_id))

    async def temporal(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Temporal:
        self._note(f"temporal {run_id} {include_subagents}")
        return self.temporals.get((run_id, include_subagents), Temporal(run_id))

    async def remember_temporal(self, number: int, *, user: str | None = None) -> Temporal:
        self._note(f"remember_temporal {number}")
        await self.remember_run(number, user=user)
        return self.remember_temporals.get(number, Temporal(None))

    # The script

    def add_dataset(self, name: str = "main", *, user: str = "admin") -> DatasetInfo:
        found = self.known_datasets.get(name)
        made = found or DatasetInfo(len(self.known_datasets) + 1, name, user)
        self.known_datasets[name] = made
        return made

    def add_fact(self, fact: FactInfo | FactHistory) -> FactHistory:
        """With its dataset, if that is not there yet."""
        history = fact if isinstance(fact, FactHistory) else FactHistory(fact, (), ())
        self.histories[history.fact.id] = history
        dataset = self.add_dataset(history.fact.dataset)
        self.known_datasets[dataset.name] = replace(dataset, facts=dataset.facts + 1)
        return history

    def add_entity(self, entity: EntityInfo | EntityPage) -> EntityPage:
        """With the facts that have its name at one end, if it comes without a page."""
        page = entity if isinstance(entity, EntityPage) else self._page_of(entity)
        self.pages[page.entity.id] = page
        for name in page.entity.datasets:
            dataset = self.add_dataset(name)
            self.known_datasets[name] = replace(dataset, entities=dataset.entities + 1)
        return page

    def add_artifact(self, artifact: ArtifactInfo) -> ArtifactInfo:
        self.artifacts[artifact.id] = artifact
        dataset = self.add_dataset(artifact.dataset)
        self.known_datasets[dataset.name] = replace(dataset, artifacts=dataset.artifacts + 1)
        return artifact

    def queue(self, text: str, *, source: str = "", dataset: str = "main") -> RememberRun:
        """A text that waits to be absorbed."""
        number = max(self.runs, default=0) + 1
        title = source or text[:80]
        artifact = ArtifactInfo(
            max(self.artifacts, default=0) + 1,
            "text",
            title,
            source,
            len(text),
            self._now(),
            dataset,
        )
        self.add_artifact(artifact)
        self.runs[number] = RememberRun(
            id=number,
            user_id=self.known_datasets[dataset].user_id,
            dataset=dataset,
            kind="knowledge",
            session_id="",
            status="queued",
            artifact_id=artifact.id,
            source=source,
            chars=len(text),
            title=title,
            artifacts=1,
            queued_at=self._now(),
        )
        return self.runs[number]

    def change(self, number: int, **fields: object) -> RememberRun:
        self.runs[number] = replace(self.runs[number], **fields)  # type: ignore[arg-type]  # a script
        return self.runs[number]

    def settle(
        self, number: int, status: RememberStatus = "completed", **fields: object
    ) -> RememberRun:
        """End a text, and tell whoever waits for it."""
        now = self._now()
        run = self.change(number, status=status, started_at=now, finished_at=now, **fields)
        for waiting in [found for found in self._waiting if found.number == number]:
            self._waiting.remove(waiting)
            waiting.loop.call_soon_threadsafe(waiting.settled.set)
        return run

    async def _settled(self, number: int) -> RememberRun:
        if self.settles is not None:
            return self.settle(number, self.settles)
        waiting = _Waiting(number, asyncio.get_running_loop())
        self._waiting.append(waiting)
        await waiting.settled.wait()
        return self.runs[number]

    def _note(self, call: str) -> None:
        self.asked.append(call)
        self.was_asked.set()

    def _may(self, call: str) -> None:
        self._note(call)
        if self.refuses is not None:
            raise self.refuses

    def _owns(self, user: str | None, datasets: Iterable[str]) -> bool:
        owners = [self.known_datasets[name].user_id for name in datasets]
        return user is None or user in owners

    def _facts(self, which: FactFilter) -> list[FactInfo]:
        facts = (history.fact for history in self.histories.values())
        found = [fact for fact in facts if self._is_wanted_fact(fact, which)]
        if not which.as_of:
            return found
        date = stated(which.as_of)
        if date is None:
            raise UserError(Problem("as_of", f'"{which.as_of}" is no date'))
        return [held for fact in found if (held := _at(fact, date.span)) is not None]

    def _is_wanted_fact(self, fact: FactInfo, which: FactFilter) -> bool:
        words = f"{fact.source} {fact.relation} {fact.target} {fact.description}".casefold()
        ends = (fact.source.casefold(), fact.target.casefold())
        return (
            self._owns(which.user, [fact.dataset])
            and which.dataset in ("", fact.dataset)
            and (not which.about or which.about.casefold() in ends)
            and which.relation.casefold() in ("", fact.relation.casefold())
            and all(word in words for word in which.text.casefold().split())
            and (not which.statuses or fact.status in which.statuses)
            and fact.id in self.known_then.get(which.known_at, (fact.id,))
            and (which.run_id is None or fact.id in self._facts_of(which.run_id))
        )

    def _facts_of(self, run_id: RunId) -> tuple[int, ...]:
        provenance = self.provenances.get((run_id, False), Provenance(run_id))
        return tuple(edge.fact.id for edge in provenance.edges)

    def _is_wanted_entity(self, page: EntityPage, which: EntityFilter) -> bool:
        names = " ".join((page.entity.name, *page.aliases)).casefold()
        return (
            self._owns(which.user, page.entity.datasets)
            and (not which.dataset or which.dataset in page.entity.datasets)
            and which.text.casefold() in names
        )

    def _page_of(self, entity: EntityInfo) -> EntityPage:
        facts = [history.fact for history in self.histories.values()]
        own = tuple(fact for fact in facts if entity.name in (fact.source, fact.target))
        return EntityPage(replace(entity, facts=len(own)), (), own)

    def _texts_of(self, request: ForgetRequest) -> list[ArtifactInfo]:
        mine = (
            text for text in self.artifacts.values() if self._owns(request.user, [text.dataset])
        )
        if request.artifact_id is not None:
            return [text for text in mine if text.id == request.artifact_id]
        return [text for text in mine if text.source == request.source]

    def _now(self) -> str:
        return timestamp(self.clock.now())


def _is_wanted(run: RememberRun, which: RememberFilter) -> bool:
    return (
        which.user in (None, run.user_id)
        and which.dataset in ("", run.dataset)
        and which.status in (None, run.status)
        and (which.run_id is None or run.session_id == f"research-{which.run_id}")
    )


def _at(fact: FactInfo, window: Span) -> FactInfo | None:
    period = Period(stated(fact.valid_from or ""), stated(fact.valid_to or ""))
    if not possible(period, fact.status, window):
        return None
    held = certain(period, fact.status, window)
    return replace(fact, certainty="certain" if held else "possible")


def _page(found: Sequence[Item], limit: int, cursor: str) -> tuple[tuple[Item, ...], str]:
    first = int(cursor or 0)
    end = first + limit
    return tuple(found[first:end]), str(end) if end < len(found) else ""
