"""The research agent as a Python value, and what its prompt asks for."""

from dataclasses import replace

import pytest

from engine.agent import loop
from engine.agent.research import research, research_agent
from engine.resources import prompt
from engine.tools.fetch_page import fetch_tool
from engine.tools.web_search import web_search_tool
from engine.web.search import NothingFound, Query, SearchOutcome
from tests.engine.tools.test_fetch_page import Reader, page
from tests.fakes.answers import ScriptedAnswers, says, tool_use


class NoHits:
    name = "none"

    async def search(self, query: Query) -> SearchOutcome:
        return NothingFound()


TOOLS = (web_search_tool(NoHits()), fetch_tool(Reader(page("text"))))


@pytest.mark.req("R082", "R083")
async def test_one_question_is_researched_outside_any_store() -> None:
    asks = says(tool_use("web_search", {"query": "x"}))
    result = await research(ScriptedAnswers([asks, says("# It is so")]), "Is it so?", tools=TOOLS)
    assert result.answer == "# It is so"
    assert (result.steps, result.tool_calls) == (2, 1)
    assert (result.input_tokens, result.output_tokens) == (200, 20)
    assert result.cost_usd == pytest.approx(0.02)


@pytest.mark.req("R031", "R085")
async def test_the_agent_may_be_changed_before_it_runs() -> None:
    answers = ScriptedAnswers([says("short")])
    changed = replace(research_agent(ScriptedAnswers([]), TOOLS), model=answers, max_steps=1)
    await loop.run(changed, "topic")
    (request,) = answers.requests
    assert request.system == prompt("research")
    assert [tool.name for tool in request.tools] == ["web_search", "fetch_url"]
    assert (request.max_tokens, request.tool_choice.kind) == (8192, "none")


@pytest.mark.req("R032", "R033", "R034", "R035", "R036", "R037")
@pytest.mark.parametrize(
    "asked",
    [
        "Search the web several times with web_search, with different queries",
        "Open the most relevant pages with fetch_url",
        "Check claims against more than one source",
        "Stop when you can answer well",
        "A short summary first",
        "What you could not find out",
        "Never guess",
        "The list of the source URLs you used",
    ],
)
def test_the_prompt_is_a_file_that_asks_for_it(asked: str) -> None:
    assert asked in prompt("research")


@pytest.mark.req("R042", "R194")
def test_without_a_knowledge_base_the_prompt_does_not_mention_its_tools() -> None:
    told = prompt("research").casefold()
    assert "remember" not in told
    assert "knowledge base" not in told
