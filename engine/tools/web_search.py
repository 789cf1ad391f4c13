"""The tool web_search: a query becomes a short briefing and the addresses of pages (seed 000)."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from engine.agent.tool import StateDetail, Tool, ToolContext
from engine.domain.exchange import ToolResult
from engine.domain.text_safety import one_line
from engine.web.search import Found, Hit, NothingFound, Query, SearchFailed, SearchProvider

QUERY_MOST_CHARS = 400


class SearchInput(BaseModel):
    """`{"query": "..."}`: 1 to 400 characters after trimming (seed 000)."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=QUERY_MOST_CHARS),
    ]


def web_search_tool(provider: SearchProvider) -> Tool[SearchInput]:
    """web_search over `provider`; what a failed search spent is reported all the same."""

    async def run(_: ToolContext, given: SearchInput) -> ToolResult:
        match await provider.search(Query(given.query)):
            case Found() as found:
                return ToolResult(briefing(found), usage=found.usage)
            case NothingFound(usage=usage):
                return ToolResult("nothing was found", usage=usage)
            case SearchFailed(reason=reason, usage=usage):
                return ToolResult(f"web search failed: {reason}", is_error=True, usage=usage)

    return Tool(
        name="web_search",
        description=(
            "Search for pages about a query. Gives a short briefing and the addresses of the "
            "pages, which fetch_url can open."
        ),
        input_model=SearchInput,
        state=lambda given: StateDetail("searching", one_line(given.query, QUERY_MOST_CHARS)),
        run=run,
    )


def briefing(found: Found) -> str:
    """The summary (or a line per hit), a blank line, `Sources:` and a line per page."""
    summary = found.summary or "\n".join(
        f"{n}. {hit.title}: {hit.snippet}" for n, hit in enumerate(found.hits, start=1)
    )
    if not found.hits:
        return summary
    return "\n".join([summary, "", "Sources:", *(_source(hit) for hit in found.hits)])


def _source(hit: Hit) -> str:
    return f"- {hit.url} ({hit.title})"
