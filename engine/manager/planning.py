"""From a request to what will run: its problems, its spec, and the outfit of its agent."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from engine.agent.agent import Agent
from engine.agent.research import PROMPT_VERSION
from engine.domain.answers import AgentInfo
from engine.domain.errors import CannotStart, Problem, problems_of
from engine.domain.run import DEFAULT_MAX_STEPS, DocsFolder, RunId, StartRequest
from engine.domain.text_safety import clean
from engine.limits.caps import closing_sentence, lowest
from engine.llm.model import Answering
from engine.llm.price_table import PriceTable
from engine.manager import admission
from engine.manager.outfit import Books, Workshop, ready_agent
from engine.manager.recording import Recording, load_recording, replaying_agent, topic_of
from engine.manager.runner import Outfit
from engine.manager.spec import RunSpec
from engine.resources import prompt
from engine.store.database import Database

AGENT_VERSION = "1.0.0"
TOOL_NAMES = ("web_search", "fetch_url")


@dataclass(frozen=True, slots=True)
class Plan:
    """A run that may start. `note` is what must be known of it from the start, `closing` what its
    report ends with beside the agent's words."""

    spec: RunSpec
    outfit: Outfit
    note: str = ""
    closing: str = ""


class Planner:
    """Judges requests against the configuration. `replaying` makes a model of a recording."""

    def __init__(
        self,
        workshop: Workshop,
        database: Database,
        replaying: Callable[[Recording], Answering],
    ) -> None:
        self._workshop = workshop
        self._database = database
        self._replaying = replaying

    @property
    def prices(self) -> PriceTable:
        return self._workshop.prices

    @property
    def default_agent(self) -> AgentInfo:
        return AgentInfo(
            name=admission.DEFAULT_AGENT,
            version=AGENT_VERSION,
            description="Searches, reads pages and writes a report with its sources",
            max_steps=DEFAULT_MAX_STEPS,
        )

    async def plan(self, request: StartRequest) -> Plan:
        """Raises UserError with every problem, CannotStart without a needed key."""
        cleaned = replace(request, topic=clean(request.topic).strip())
        problems_of([*admission.problems(cleaned), *_missing_folders(cleaned.docs)])
        terms = self._terms()
        model = admission.model_of(cleaned, terms)
        if admission.lacks_key(model, terms):
            raise CannotStart(admission.NEEDS_KEY)
        recorded = admission.recorded_run(model)
        if recorded is not None:
            return await self._replay(cleaned, RunId(recorded))
        return replace(self._fresh(cleaned, model, terms), note=await self._note(model))

    async def _note(self, model: str) -> str:
        prices = self._workshop.prices
        await prices.prepare(model)
        return "" if prices.is_known(model) else f"no price is known for {model}: it counts as $0"

    def _terms(self) -> admission.Terms:
        settings = self._workshop.settings
        return admission.Terms(
            default_model=settings.model,
            has_key=bool(settings.anthropic_api_key),
            max_cost_usd=settings.research_max_cost_usd,
        )

    def _fresh(self, request: StartRequest, model: str, terms: admission.Terms) -> Plan:
        spec = RunSpec(
            topic=request.topic,
            user=request.user,
            model=model,
            max_steps=admission.max_steps_of(request),
            max_cost_usd=lowest(request.max_cost_usd, terms.max_cost_usd),
            agent_name=admission.DEFAULT_AGENT,
            agent_version=AGENT_VERSION,
            system=_system(request),
            tools=(*TOOL_NAMES, *(tool.name for tool in self._workshop.extra_tools)),
            prompt_version=PROMPT_VERSION,
            docs=tuple(_absolute(folder) for folder in request.docs),
            web=request.web or not request.docs,
        )

        def outfit(books: Books) -> AbstractAsyncContextManager[Agent]:
            return ready_agent(spec, self._workshop, books)

        return Plan(spec, outfit)

    async def _replay(self, request: StartRequest, run_id: RunId) -> Plan:
        recording = await load_recording(self._database, run_id, user=request.user)
        topic = topic_of(recording, request.topic)
        spec = replace(recording.spec, topic=topic, model=request.model, max_cost_usd=0.0)
        played = replace(recording, spec=spec)

        def outfit(_: Books) -> AbstractAsyncContextManager[Agent]:
            model = self._replaying(played)
            return replaying_agent(played, model, self._workshop.extra_tools)

        return Plan(spec, outfit, closing=closing_sentence(recording.report))


def _system(request: StartRequest) -> str:
    only_documents = request.docs and not request.web
    parts = [prompt("research"), prompt("documents")] if only_documents else [prompt("research")]
    return "\n\n".join(parts)


def _missing_folders(folders: tuple[DocsFolder, ...]) -> list[Problem]:
    return [
        Problem("docs", f"{folder.path!r} is not a folder that can be read")
        for folder in folders
        if not Path(folder.path).is_dir()
    ]


def _absolute(folder: DocsFolder) -> DocsFolder:
    return replace(folder, path=str(Path(folder.path).resolve()))
