"""From a request to what will run: its problems, its spec, and the outfit of its agent."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from engine.agent.agent import Agent
from engine.agent.research import PROMPT_VERSION
from engine.definitions.assembly import Surroundings, system_prompt
from engine.definitions.canonical import hash_of
from engine.definitions.catalog import Catalog
from engine.domain.definition import DEFAULT_AGENT, Definition
from engine.domain.errors import CannotStart, Problem, problems_of
from engine.domain.run import DocsFolder, RunId, StartRequest
from engine.domain.text_safety import clean
from engine.limits.caps import lowest
from engine.llm.model import Answering
from engine.llm.price_table import PriceTable
from engine.manager import admission
from engine.manager.memory import dataset_of, knowledge_tools
from engine.manager.outfit import Books, Workshop, ready_agent
from engine.manager.recording import Recording, load_recording, replaying_agent, topic_of
from engine.manager.runner import Outfit
from engine.manager.spec import RunSpec
from engine.manager.steering import NOT_EARLY, Closing
from engine.store.database import Database


@dataclass(frozen=True, slots=True)
class Plan:
    """A run that may start. `note` is what must be known of it from the start, `closing` what is
    said of the early end of the run that it plays back."""

    spec: RunSpec
    outfit: Outfit
    note: str = ""
    closing: Closing = NOT_EARLY


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
    def catalog(self) -> Catalog:
        """The agents that can be started now."""
        return self._workshop.catalog()

    async def plan(self, request: StartRequest) -> Plan:
        """Raises UserError with every problem, CannotStart without a needed key."""
        cleaned = replace(request, topic=clean(request.topic).strip())
        catalog, terms = self.catalog, self._terms()
        problems_of(
            [
                *admission.problems(cleaned),
                *admission.problems_of_choice(cleaned, catalog),
                *_missing_folders(cleaned.docs),
            ]
        )
        definition = catalog.get(cleaned.agent)
        model = admission.model_of(cleaned, definition, terms)
        if admission.lacks_key(model, terms):
            raise CannotStart(admission.NEEDS_KEY)
        recorded = admission.recorded_run(cleaned.model)
        if recorded is not None:
            return await self._replay(cleaned, RunId(recorded))
        spec = _spec(cleaned, definition, terms)
        return replace(self._fresh(spec), note=await self._note(model))

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

    def _fresh(self, given: RunSpec) -> Plan:
        extra = tuple(tool.name for tool in self._workshop.extra_tools)
        spec = replace(given, tools=(*given.tools, *extra))

        def outfit(books: Books) -> AbstractAsyncContextManager[Agent]:
            return ready_agent(spec, self._workshop, books)

        return Plan(spec, outfit)

    async def _replay(self, request: StartRequest, run_id: RunId) -> Plan:
        recording = await load_recording(self._database, run_id, user=request.user)
        topic = topic_of(recording, request.topic)
        spec = replace(
            recording.spec, topic=topic, model=request.model, max_cost_usd=0.0, own_max_cost_usd=0.0
        )
        played = replace(recording, spec=spec)

        def outfit(_: Books) -> AbstractAsyncContextManager[Agent]:
            model = self._replaying(played)
            return replaying_agent(played, model, self._workshop.extra_tools)

        return Plan(spec, outfit, closing=recording.closing)


def _spec(request: StartRequest, definition: Definition, terms: admission.Terms) -> RunSpec:
    """The request merged with the definition and the configuration."""
    has_web = request.web or not request.docs
    limits = definition.limits
    around = Surroundings(only_documents=not has_web, has_knowledge=True)
    return RunSpec(
        topic=request.topic,
        user=request.user,
        model=admission.model_of(request, definition, terms),
        max_steps=request.max_steps or definition.max_steps,
        max_cost_usd=lowest(limits.max_tree_cost_usd, request.max_cost_usd, terms.max_cost_usd),
        agent_name=definition.name,
        agent_version=definition.version,
        system=system_prompt(definition, around),
        tools=(*definition.tools, *knowledge_tools(definition)),
        prompt_version=_prompt_version(definition),
        docs=tuple(_absolute(folder) for folder in request.docs),
        web=has_web,
        agent_hash=hash_of(definition),
        max_tokens=definition.max_tokens,
        own_max_cost_usd=limits.max_cost_usd,
        search=definition.search,
        dataset=dataset_of(definition, request.dataset),
    )


def _prompt_version(definition: Definition) -> str:
    """That of the research prompt for the built-in agent, else the definition's own."""
    is_built_in = definition.name == DEFAULT_AGENT and not definition.source
    return PROMPT_VERSION if is_built_in else f"{definition.name}-{definition.version}"


def _missing_folders(folders: tuple[DocsFolder, ...]) -> list[Problem]:
    return [
        Problem("docs", f"{folder.path!r} is not a folder that can be read")
        for folder in folders
        if not Path(folder.path).is_dir()
    ]


def _absolute(folder: DocsFolder) -> DocsFolder:
    return replace(folder, path=str(Path(folder.path).resolve()))
