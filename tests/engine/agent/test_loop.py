"""The simple loop, word for word as the seed has it."""

import asyncio
from dataclasses import replace

import pytest
from pydantic import BaseModel

from engine.agent import loop
from engine.agent.agent import Agent, LastCall, RunContext
from engine.agent.observer import ModelCall, ToolCall
from engine.agent.tool import StateDetail, Tool, ToolContext
from engine.domain.blocks import Message
from engine.domain.errors import ProviderError, RunFailed, ToolError
from engine.domain.exchange import Delta, Reply, ToolResult
from engine.domain.usage import Usage
from tests.fakes.answers import ScriptedAnswers, says, tool_use


class Word(BaseModel):
    word: str


def echo_tool(name: str = "echo") -> Tool[Word]:
    async def run(_: ToolContext, given: Word) -> ToolResult:
        if given.word == "fail":
            raise ToolError("this page cannot be read")
        if given.word == "break":
            raise ZeroDivisionError("broken inside")
        return ToolResult(f"heard {given.word}", usage=Usage(searches=1, cost_usd=0.5))

    return Tool(name, "Says it back", Word, lambda given: StateDetail("using_tool", name), run)


def agent(answers: ScriptedAnswers, max_steps: int = 20) -> Agent:
    return Agent(answers, "scripted", "Be brief.", (echo_tool(),), max_steps=max_steps)


def hears(word: str, id_: str = "toolu_1") -> dict[str, object]:
    return dict(tool_use("echo", {"word": word}, id_=id_))


def results(message: Message) -> list[tuple[str, bool]]:
    found = []
    for block in message.content:
        content = block["content"]
        assert isinstance(content, list)
        found.append((str(content[0]["text"]), bool(block.get("is_error", False))))
    return found


@pytest.mark.req("R002", "R003", "R004", "R006", "R015", "R020", "R038")
async def test_the_conversation_grows_until_a_turn_asks_for_no_tool() -> None:
    answers = ScriptedAnswers([says("first", hears("a"), hears("b", "toolu_2")), says(" done ")])
    result = await loop.run(agent(answers), "the topic")
    assert result.answer == "done"
    assert (result.steps, result.tool_calls) == (2, 2)
    first, second = answers.requests
    assert first.messages[0] == Message("user", ({"type": "text", "text": "the topic"},))
    assert second.messages[:1] == first.messages
    assert second.messages[1].role == "assistant"
    assert results(second.messages[2]) == [("heard a", False), ("heard b", False)]
    assert [tool.name for tool in second.tools] == ["echo"]


@pytest.mark.req("R001", "R007", "R008", "R109")
async def test_the_last_step_cannot_use_tools() -> None:
    answers = ScriptedAnswers([says(hears("a")), says(hears("b")), says("report")])
    result = await loop.run(agent(answers, max_steps=3), "topic")
    choices = [request.tool_choice.kind for request in answers.requests]
    assert choices == ["auto", "auto", "none"]
    assert (result.answer, result.tool_calls) == ("report", 2)


@pytest.mark.req("R009")
async def test_one_step_is_the_one_without_tools() -> None:
    answers = ScriptedAnswers([says("report")])
    await loop.run(agent(answers, max_steps=1), "topic")
    assert answers.requests[0].tool_choice.kind == "none"


async def test_tools_asked_for_in_the_last_step_are_not_run() -> None:
    answers = ScriptedAnswers([says("what I have", hears("a"))])
    result = await loop.run(agent(answers, max_steps=1), "topic")
    assert (result.answer, result.tool_calls) == ("what I have", 0)


@pytest.mark.req("R005", "R010", "R011", "R012", "R013")
async def test_failing_tools_are_told_to_the_model_and_the_run_goes_on() -> None:
    calls = [
        hears("fail", "t1"),
        hears("break", "t2"),
        dict(tool_use("ghost", {}, id_="t3")),
        dict(tool_use("echo", {"wort": 1}, id_="t4")),
        hears("fine", "t5"),
    ]
    answers = ScriptedAnswers([says(*calls), says("report")])
    result = await loop.run(agent(answers), "topic")
    told = results(answers.requests[1].messages[2])
    assert [is_error for _, is_error in told] == [True, True, True, True, False]
    assert told[0][0] == "this page cannot be read"
    assert "broken inside" in told[1][0]
    assert "'ghost'" in told[2][0]
    assert "echo" in told[2][0]
    assert "word: Field required" in told[3][0]
    assert result.answer == "report"


@pytest.mark.req("R014")
async def test_a_failed_model_call_ends_the_run() -> None:
    answers = ScriptedAnswers([says(hears("a")), ProviderError("server", "the API broke")])
    with pytest.raises(ProviderError, match="the API broke"):
        await loop.run(agent(answers), "topic")


@pytest.mark.req("R016", "R017")
async def test_only_the_last_text_counts_and_none_is_a_failure() -> None:
    answers = ScriptedAnswers([says("thoughts", hears("a")), says("  ")])
    with pytest.raises(RunFailed, match="the agent ended without a report"):
        await loop.run(agent(answers), "topic")


@pytest.mark.parametrize("reason", ["refusal", "model_context_window_exceeded"])
async def test_a_refusal_fails_with_its_name(reason: str) -> None:
    answers = ScriptedAnswers([says("no", stop_reason=reason)])
    with pytest.raises(RunFailed, match=reason):
        await loop.run(agent(answers), "topic")


async def test_a_cut_tool_call_is_an_error_once_and_the_end_twice() -> None:
    cut = says(hears("a", "t1"), hears("b", "t2"), stop_reason="max_tokens")
    answers = ScriptedAnswers([cut, says("report")])
    await loop.run(agent(answers), "topic")
    told = results(answers.requests[1].messages[2])
    assert [is_error for _, is_error in told] == [False, True]
    with pytest.raises(RunFailed, match="max_tokens"):
        await loop.run(agent(ScriptedAnswers([cut, cut])), "topic")


@pytest.mark.req("R019", "R082")
async def test_what_tools_spend_is_added_to_the_totals() -> None:
    answers = ScriptedAnswers([says(hears("a")), says("report")])
    result = await loop.run(agent(answers), "topic")
    assert result.cost_usd == pytest.approx(0.01 + 0.5 + 0.01)
    assert (result.input_tokens, result.output_tokens) == (200, 20)


class Watching:
    """Writes down every call, to see their order."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def before_model(self, call: ModelCall) -> None:
        self.seen.append(f"before model {call.step}: {call.state.state}, {call.state.detail}")

    async def after_model(self, call: ModelCall, reply: Reply) -> None:
        self.seen.append(f"after model {call.step}")

    async def before_tool(self, call: ToolCall) -> None:
        self.seen.append(f"before tool {call.step}.{call.ord} {call.use.input['word']}")

    async def after_tool(self, call: ToolCall, result: ToolResult) -> None:
        self.seen.append(f"after tool {call.step}.{call.ord} {result.text}")

    def streamed(self, delta: Delta) -> None: ...


@pytest.mark.req("R018", "R100", "R109")
async def test_the_observer_is_told_one_event_at_a_time() -> None:
    watching = Watching()
    answers = ScriptedAnswers([says(hears("a"), hears("b", "t2")), says("report")])
    await loop.run(agent(answers, max_steps=2), "topic", RunContext(observer=watching))
    assert watching.seen == [
        "before model 1: thinking, step 1 of 2",
        "after model 1",
        "before tool 1.1 a",
        "after tool 1.1 heard a",
        "before tool 1.2 b",
        "after tool 1.2 heard b",
        "before model 2: writing_report, step 2 of 2, the last: all steps are used, "
        "this call writes the report",
        "after model 2",
    ]


class WrapUpAfter:
    def __init__(self, calls: int) -> None:
        self.left = calls

    async def last_call(self) -> LastCall | None:
        self.left -= 1
        return LastCall("wrap up", "Write it now.") if self.left < 0 else None


async def test_a_wrap_up_makes_the_next_call_the_last_and_says_why() -> None:
    answers = ScriptedAnswers([says(hears("a")), says("early report")])
    context = RunContext(steering=WrapUpAfter(1))
    result = await loop.run(agent(answers), "topic", context)
    last = answers.requests[1]
    assert last.tool_choice.kind == "none"
    assert last.messages[2].content[-1] == {"type": "text", "text": "Write it now."}
    assert last.messages[:2] == (*answers.requests[0].messages, last.messages[1])
    assert result.answer == "early report"


@pytest.mark.req("R025", "R026", "R085")
async def test_two_runs_of_one_agent_share_nothing() -> None:
    by_topic: dict[str, list[Reply]] = {
        "one": [says(hears("a")), says("first report")],
        "two": [says("second report")],
    }

    class ByTopic:
        async def reply(self, request, on_delta, *, attempts):  # type: ignore[no-untyped-def]
            await asyncio.sleep(0)
            topic = str(request.messages[0].content[0]["text"])
            return by_topic[topic].pop(0)

    shared = replace(agent(ScriptedAnswers([])), model=ByTopic())
    async with asyncio.TaskGroup() as group:
        one = group.create_task(loop.run(shared, "one"))
        two = group.create_task(loop.run(shared, "two"))
    assert (one.result().answer, one.result().tool_calls) == ("first report", 1)
    assert (two.result().answer, two.result().tool_calls) == ("second report", 0)
