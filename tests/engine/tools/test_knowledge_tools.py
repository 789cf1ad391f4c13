"""The tools remember and query: what they take, what state they are in, what the model is told."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from engine.agent.agent import UnbookedAttempts
from engine.agent.tool import ToolContext
from engine.domain.errors import ProviderError, ToolError, UserError
from engine.domain.knowledge import FactInfo, QueryAnswer, RememberRun
from engine.domain.run import RunId
from engine.tools.query import QueryInput, query_tool
from engine.tools.remember import RememberInput, remember_tool

CONTEXT = ToolContext(run_id=RunId(7), user="ann", step=1, ord=1, attempts=UnbookedAttempts())
STORED = RememberRun(
    id=12,
    user_id="ann",
    dataset="main",
    kind="knowledge",
    session_id="research-7",
    status="queued",
    artifact_id=3,
    source="",
    chars=5,
)
FACT = FactInfo(1, "Cell X", "reached", "450 Wh/kg", "in a 2025 pilot line", "main")


class Memory:
    """What an agent's view of a knowledge base would say."""

    def __init__(
        self,
        stored: RememberRun = STORED,
        answer: QueryAnswer | None = None,
        error: Exception | None = None,
    ) -> None:
        self.stored = stored
        self.answer = answer or QueryAnswer(1, "Cell X did.", empty=False)
        self.error = error
        self.remembered: list[tuple[str, str, bool]] = []

    async def remember(self, text: str, *, source: str = "", wait: bool = False) -> RememberRun:
        if self.error:
            raise self.error
        self.remembered.append((text, source, wait))
        return self.stored

    async def query(self, question: str) -> QueryAnswer:
        if self.error:
            raise self.error
        return self.answer


async def remembered(memory: Memory, **given: object) -> str:
    tool = remember_tool(memory)
    return (await tool.run(CONTEXT, RememberInput.model_validate(given))).text


@pytest.mark.req("R069", "R073", "R197")
async def test_a_text_is_queued_unless_it_is_to_be_waited_for() -> None:
    memory = Memory()
    said = await remembered(memory, text="Cell X reached 450 Wh/kg.")
    assert said.startswith("queued (remember run 12); ")
    assert memory.remembered == [("Cell X reached 450 Wh/kg.", "", False)]
    await remembered(memory, text="x", sync=True)
    assert memory.remembered[-1] == ("x", "", True)


@pytest.mark.req("R071")
async def test_a_source_stands_before_the_text() -> None:
    memory = Memory()
    await remembered(memory, text="It did.", source="https://a.example/p")
    assert memory.remembered == [
        ("Source: https://a.example/p\n\nIt did.", "https://a.example/p", False)
    ]


@pytest.mark.req("R070")
def test_a_text_that_is_too_long_is_refused_with_advice() -> None:
    with pytest.raises(ValidationError, match=r"text: 20001 characters are too many \(20000"):
        RememberInput(text="x" * 20_001)
    RememberInput(text="x" * 20_000)


@pytest.mark.parametrize("text", ["", " \n "])
def test_a_text_says_something(text: str) -> None:
    with pytest.raises(ValidationError, match="is empty"):
        RememberInput(text=text)


@pytest.mark.req("R076")
async def test_who_waited_is_told_what_was_stored() -> None:
    done = replace(STORED, status="completed", entities=3, facts=5)
    said = await remembered(Memory(done), text="x", sync=True)
    assert said == "remembered (remember run 12): 3 entities and 5 facts in the knowledge base"


@pytest.mark.req("R076")
async def test_who_waited_is_told_the_error() -> None:
    failed = replace(STORED, status="failed", error="the model answered nonsense")
    result = await remember_tool(Memory(failed)).run(CONTEXT, RememberInput(text="x", sync=True))
    assert result.is_error
    assert result.text == "not remembered (remember run 12): the model answered nonsense"


async def test_a_text_that_no_model_read_is_said_to_be_only_stored() -> None:
    stored = replace(STORED, status="stored_only", facts=1)
    said = await remembered(Memory(stored), text="x", sync=True)
    assert said == (
        "stored (remember run 12): query finds its sentences, 0 entities and 1 fact were read "
        "from it"
    )


async def test_what_cannot_be_remembered_is_an_error_for_the_model() -> None:
    with pytest.raises(ToolError, match="no dataset has such a name"):
        await remembered(Memory(error=UserError("no dataset has such a name")), text="x")


@pytest.mark.req("R104")
def test_the_state_of_remembering_says_whether_it_waits() -> None:
    tool = remember_tool(Memory())
    state = tool.state(RememberInput(text="Cell X\n" + "x" * 200, sync=True))
    assert state.state == "remembering"
    assert state.detail.startswith("sync: Cell X xxx")
    assert len(state.detail) == len("sync: ") + 100
    assert tool.state(RememberInput(text="a")).detail == "async: a"


@pytest.mark.req("R061", "R064", "R103")
async def test_a_question_is_answered_with_its_facts() -> None:
    answer = QueryAnswer(1, "Cell X did.", empty=False, facts=(FACT,), is_grounded=True)
    tool = query_tool(Memory(answer=answer))
    given = QueryInput(question=" Which cell? ")
    assert (await tool.run(CONTEXT, given)).text == (
        "Cell X did.\n\nFacts it is based on:\n- Cell X reached 450 Wh/kg: in a 2025 pilot line"
    )
    assert (tool.state(given).state, tool.state(given).detail) == ("querying", "Which cell?")


@pytest.mark.req("R067")
async def test_a_failed_query_is_an_error_for_the_model() -> None:
    tool = query_tool(Memory(error=ProviderError("overloaded", "too many requests")))
    with pytest.raises(ToolError, match="cannot answer: too many requests"):
        await tool.run(CONTEXT, QueryInput(question="Which?"))
