"""The search provider that the settings name, of those that need nothing of a run."""

from engine.domain.errors import CannotStart, Problem
from engine.domain.timing import Timing
from engine.settings import Settings
from engine.web.search import SearchProvider


def provider_named(settings: Settings, timing: Timing, *, name: str = "") -> SearchProvider:
    """`searxng`, `brave`, `tavily` or `ddgs`; `name` wins over the settings' own choice.

    Raises CannotStart when its key or address is not set, or when no such provider is made here
    (`anthropic` needs a run's model, `docs` its folders).
    """
    search = settings.search
    match name or search.provider or "ddgs":
        case "ddgs":
            from engine.web.providers.ddgs import DdgsSearch

            return DdgsSearch(timing)
        case "searxng":
            from engine.web.providers.searxng import searxng

            return searxng(_needed(search.searxng_url, "search.searxng.url"), timing)
        case "brave":
            from engine.web.providers.brave import brave

            key = _needed(search.brave_api_key, "search.brave.api_key")
            return brave(key, timing, base_url=search.base_urls.get("brave", ""))
        case "tavily":
            from engine.web.providers.tavily import tavily

            key = _needed(search.tavily_api_key, "search.tavily.api_key")
            return tavily(key, timing, base_url=search.base_urls.get("tavily", ""))
        case other:
            known = "anthropic, searxng, brave, tavily, ddgs"
            raise CannotStart(Problem("search.provider", f"{other!r} is none of {known}"))


def _needed(value: str, key: str) -> str:
    if value:
        return value
    table, _, name = key.rpartition(".")
    raise CannotStart(Problem(key, f"is needed for this search: set {name} under [{table}]"))
