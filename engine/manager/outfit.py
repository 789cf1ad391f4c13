"""Makes the agent of a run ready: model, page reader and tools, which are closed with the run."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from engine.agent.agent import Agent
from engine.agent.knowledge import Knowledge
from engine.agent.tool import Tool
from engine.definitions.assembly import search_call_preferences
from engine.definitions.catalog import Catalog
from engine.domain.clock import Clock
from engine.domain.errors import StoreError
from engine.domain.run import RunId
from engine.domain.timing import Timing
from engine.knowledge_contract import KnowledgeBase
from engine.llm.model import Answering, Attempts
from engine.llm.price_table import PriceTable
from engine.manager.memory import RunMemory, kind_of
from engine.manager.spec import RunSpec
from engine.manager.workers import Workers
from engine.resources import prompt
from engine.settings import OFFLINE_MODEL, Settings
from engine.tools.anthropic_search import AnthropicSearch, SearchCall
from engine.tools.fetch_page import fetch_tool
from engine.tools.limited import limited
from engine.tools.query import query_tool
from engine.tools.remember import remember_tool
from engine.tools.web_search import web_search_tool
from engine.web.addresses import allowed_entries
from engine.web.both import BothReaders, BothSearches
from engine.web.filtered import FilteredSearch
from engine.web.page import PageReader
from engine.web.search import SearchProvider
from engine.web.sites import readable_sites, searched_sites

if TYPE_CHECKING:  # it brings numpy, and only its name is needed here
    from engine.web.providers.docs import DocsLibrary


@dataclass(frozen=True, slots=True)
class Workshop:
    """What agents are made from. `answering` gives a model by name, with retry and booking,
    `catalog` the definitions as they are now."""

    settings: Settings
    timing: Timing
    clock: Clock
    answering: Callable[[str], Answering]
    prices: PriceTable
    catalog: Callable[[], Catalog]
    knowledge: KnowledgeBase
    extra_tools: tuple[Tool[Any], ...] = ()

    @property
    def index_dir(self) -> Path:
        return self.settings.data_dir / "docs_index"


class Books(Attempts, Protocol):
    """Where a run is written down while its agent is made ready."""

    @property
    def run_id(self) -> RunId: ...

    async def say_waiting(self, what: str) -> None:
        """Store that the run waits for something of ours, with no time known."""
        ...


@asynccontextmanager
async def ready_agent(spec: RunSpec, workshop: Workshop, books: Books) -> AsyncIterator[Agent]:
    """The agent of one run. Raises UserError when its documents cannot be read."""
    memory = RunMemory(
        workshop.knowledge, spec.user, spec.dataset, books.run_id, kind_of(spec.model)
    )
    async with _sources(spec, workshop, books) as sources:
        tools = own_tools(spec, sources.search, sources.reader, memory)
        yield agent_of(spec, workshop.answering(spec.model), (*tools, *workshop.extra_tools))


def own_tools(
    spec: RunSpec, search: SearchProvider, reader: PageReader, knowledge: Knowledge
) -> tuple[Tool[Any], ...]:
    """Those that the run was started with, with the limits of its agent."""
    rules = spec.search
    made: tuple[Tool[Any], ...] = (
        limited(web_search_tool(search), rules.max_calls),
        limited(fetch_tool(reader, max_chars=rules.fetch.max_page_chars), rules.fetch.max_calls),
        query_tool(knowledge),
        remember_tool(knowledge),
    )
    return tuple(tool for tool in made if tool.name in spec.tools)


def agent_of(spec: RunSpec, model: Answering, tools: tuple[Tool[Any], ...]) -> Agent:
    return Agent(
        model=model,
        model_name=spec.model,
        system=spec.system,
        tools=tools,
        max_tokens=spec.max_tokens,
        max_steps=spec.max_steps,
        prompt_version=spec.prompt_version,
    )


@dataclass(frozen=True, slots=True)
class _Sources:
    search: SearchProvider
    reader: PageReader


@asynccontextmanager
async def _sources(spec: RunSpec, workshop: Workshop, books: Books) -> AsyncIterator[_Sources]:
    if not spec.docs:
        async with _web_reader(spec, workshop) as reader:
            yield _Sources(_web_search(spec, workshop, books), reader)
        return
    from engine.web.providers.docs import DocsSearch
    from engine.web.providers.docs_reader import DocsReader

    library = await _library(spec, workshop, books)
    docs = _Sources(DocsSearch(library), DocsReader(library))
    if not spec.web:
        yield docs
        return
    async with _web_reader(spec, workshop) as reader:
        search = BothSearches(docs.search, _web_search(spec, workshop, books))
        yield _Sources(search, BothReaders(docs.reader, reader))


async def _library(spec: RunSpec, workshop: Workshop, books: Books) -> "DocsLibrary":
    """The folders, indexed; when that takes reading, the run says that it waits for it."""
    from engine.web.providers.docs import DocsLibrary

    loop = asyncio.get_running_loop()
    begun: asyncio.Future[str] = loop.create_future()

    def tell(name: str, _: int, of: int) -> None:
        loop.call_soon_threadsafe(_set_once, begun, f"the index of {name}, documents to read: {of}")

    async with Workers() as beside:
        beside.start(_say_waiting(begun, books))
        try:
            return await DocsLibrary.open(spec.docs, workshop.index_dir, on_reading=tell)
        finally:
            begun.cancel()


async def _say_waiting(begun: "asyncio.Future[str]", books: Books) -> None:
    await asyncio.wait([begun])
    if not begun.cancelled():
        with suppress(StoreError):  # the next barrier writes it, or ends the run
            await books.say_waiting(begun.result())


def _set_once(begun: "asyncio.Future[str]", what: str) -> None:
    if not begun.done():
        begun.set_result(what)


@asynccontextmanager
async def _web_reader(spec: RunSpec, workshop: Workshop) -> AsyncIterator[PageReader]:
    from engine.web.reader import WebReader

    sites = readable_sites(spec.search)
    reader = WebReader(workshop.settings.fetch, workshop.timing, sites=sites)
    try:
        yield reader
    finally:
        await reader.aclose()


def _web_search(spec: RunSpec, workshop: Workshop, attempts: Attempts) -> SearchProvider:
    """Anthropic's search keeps to the sites itself; what others find is filtered."""
    settings = workshop.settings
    if search_provider_of(settings, spec.model) == "anthropic":
        call = SearchCall(
            model=workshop.answering(settings.model),
            model_name=settings.model,
            prompt=prompt("web_search"),
            now=workshop.clock.now,
            rules=spec.search,
            preferences=search_call_preferences(spec.search),
        )
        return AnthropicSearch(call, attempts)
    from engine.web.providers.choose import provider_named

    inner = provider_named(settings, workshop.timing)
    allow = allowed_entries(settings.fetch.allow)
    return FilteredSearch(inner, searched_sites(spec.search), allow=allow)


def search_provider_of(settings: Settings, model: str = "") -> str:
    """The configured search provider; without one `anthropic` with a key, else `ddgs`. A run of
    the offline model costs nothing: it is not sent to a search that does, unless it is named."""
    is_paid = bool(settings.anthropic_api_key) and model != OFFLINE_MODEL
    return settings.search.provider or ("anthropic" if is_paid else "ddgs")
