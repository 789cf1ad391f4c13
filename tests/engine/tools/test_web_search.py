"""What the model is told about a search, whatever its outcome."""

import pytest
from pydantic import ValidationError

from engine.agent.agent import UnbookedAttempts
from engine.agent.tool import ToolContext
from engine.domain.exchange import ToolResult
from engine.domain.run import RunId
from engine.domain.usage import Usage
from engine.tools.web_search import SearchInput, web_search_tool
from engine.web.search import Found, Hit, NothingFound, Query, SearchFailed, SearchOutcome

CONTEXT = ToolContext(run_id=RunId(1), user="ann", step=1, ord=1, attempts=UnbookedAttempts())


class Provider:
    name = "fake"

    def __init__(self, outcome: SearchOutcome) -> None:
        self.outcome = outcome
        self.asked: list[Query] = []

    async def search(self, query: Query) -> SearchOutcome:
        self.asked.append(query)
        return self.outcome


async def searched(outcome: SearchOutcome, query: str = "wal mode") -> ToolResult:
    tool = web_search_tool(Provider(outcome))
    return await tool.run(CONTEXT, SearchInput(query=query))


@pytest.mark.req("R044", "R049")
async def test_a_briefing_has_the_summary_and_a_line_per_page() -> None:
    hits = (Hit("https://a.example/x", "About X"), Hit("https://b.example/", "B"))
    result = await searched(Found(hits, "X was built in 1999."))
    assert result.text == (
        "X was built in 1999.\n\nSources:\n"
        "- https://a.example/x (About X)\n- https://b.example/ (B)"
    )
    assert not result.is_error


async def test_without_a_summary_each_hit_has_its_line() -> None:
    result = await searched(Found((Hit("docs://x/a.html#s", "A", "It says so."),)))
    assert result.text == "1. A: It says so.\n\nSources:\n- docs://x/a.html#s (A)"


async def test_nothing_found_is_no_error() -> None:
    assert await searched(NothingFound()) == ToolResult("nothing was found")


@pytest.mark.req("R013", "R051")
async def test_a_failed_search_is_an_error_and_reports_what_it_spent() -> None:
    spent = Usage(searches=1, cost_usd=0.01)
    result = await searched(SearchFailed("unavailable", spent))
    assert result == ToolResult("web search failed: unavailable", is_error=True, usage=spent)


@pytest.mark.parametrize("query", ["", "   ", "x" * 401])
def test_a_query_has_1_to_400_characters(query: str) -> None:
    with pytest.raises(ValidationError):
        SearchInput(query=query)


@pytest.mark.req("R101")
def test_the_state_is_searching_with_the_query() -> None:
    tool = web_search_tool(Provider(NothingFound()))
    state = tool.state(SearchInput(query=" wal \x1b[31m mode "))
    assert (state.state, state.detail) == ("searching", "wal mode")
