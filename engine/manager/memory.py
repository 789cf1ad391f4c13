"""What one run's agent has of the knowledge base: its user, its dataset, its session (seed 001)."""

from dataclasses import dataclass

from engine.domain.definition import Definition
from engine.domain.knowledge import (
    DEFAULT_DATASET,
    QueryAnswer,
    QueryRequest,
    RememberKind,
    RememberRequest,
    RememberRun,
    session_of,
)
from engine.domain.run import RunId
from engine.knowledge_contract import KnowledgeBase
from engine.settings import OFFLINE_MODEL, Settings


@dataclass(frozen=True, slots=True)
class RunMemory:
    """Fulfils `engine.agent.knowledge.Knowledge`. `kind` says who reads what is remembered."""

    base: KnowledgeBase
    user: str
    dataset: str
    run_id: RunId
    kind: RememberKind = "knowledge"

    async def remember(self, text: str, *, source: str = "", wait: bool = False) -> RememberRun:
        request = RememberRequest(
            user=self.user,
            text=text,
            source=source,
            dataset=self.dataset,
            kind=self.kind,
            session_id=session_of(self.run_id),
        )
        return await self.base.remember(request, wait=wait)

    async def query(self, question: str) -> QueryAnswer:
        request = QueryRequest(
            self.user, question, dataset=self.dataset, session_id=session_of(self.run_id)
        )
        return await self.base.query(request)


def knowledge_tools(definition: Definition) -> tuple[str, ...]:
    """The tools that `[knowledge] access` gives (seed 004)."""
    match definition.knowledge.access:
        case "read_write":
            return ("query", "remember")
        case "read_only":
            return ("query",)
        case "none":
            return ()


def dataset_of(definition: Definition, wanted: str) -> str:
    """The locked one of the definition, the request's, the definition's, `main` (seed 004)."""
    rules = definition.knowledge
    if rules.dataset_locked:
        return rules.dataset
    return wanted or rules.dataset or DEFAULT_DATASET


def knowledge_model(settings: Settings) -> str | None:
    """The model that reads texts and answers; None without a key, and where it is the offline
    one."""
    name = settings.knowledge.model or settings.model
    return None if not settings.anthropic_api_key or name == OFFLINE_MODEL else name


def kind_of(model: str) -> RememberKind:
    """What the offline model quotes costs nothing, also where there is a language model."""
    return "quoted" if model == OFFLINE_MODEL else "knowledge"
