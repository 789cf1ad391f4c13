"""The simple loop (seed 000): ask the model, run its tools in order, until it asks for none.

    step 1 .. max_steps
      request (the last one with tool_choice none) -> reply
      no tool asked for, or the last step           -> the text of this turn is the report
      else every tool in order                      -> results in the next user turn

A failing tool is told to the model; only a failed model call ends the run.
"""

from dataclasses import dataclass, field

from engine.agent.agent import Agent, LastCall, Result, RunContext
from engine.agent.calling import ParsedCall, call_tool, parse_call
from engine.agent.observer import ModelCall, ToolCall
from engine.agent.tool import ToolContext
from engine.domain.blocks import (
    Block,
    Message,
    ToolUse,
    text_block,
    tool_result_block,
    user_message,
)
from engine.domain.errors import RunFailed
from engine.domain.exchange import AUTO, NO_TOOLS, Reply, Request, ToolResult, ToolSpec
from engine.domain.run import NO_REPORT
from engine.domain.usage import Usage

CUT_CALL = (
    "this call was cut off at the limit of one answer's length, so it was not run: "
    "make it again with a shorter input, or write the report"
)
_ENDING_REASONS = ("refusal", "model_context_window_exceeded")
_ALL_STEPS_USED = LastCall("all steps are used, this call writes the report")


async def run(agent: Agent, prompt: str, context: RunContext | None = None) -> Result:
    """Run `agent` on `prompt` until it answers.

    Raises ProviderError when a model call failed for good, RunFailed when it ended without a
    report, and whatever the observer raises.
    """
    work = _Work(agent, context or RunContext(), [user_message(prompt)], agent.tool_specs())
    for step in range(1, agent.max_steps + 1):
        last = _ALL_STEPS_USED if step == agent.max_steps else await work.run.steering.last_call()
        reply = await _ask(work, step, last)
        if last or not reply.tool_uses:
            return _result(work, reply)
        await _answer_calls(work, step, reply)
    raise AssertionError("the last step returns")


@dataclass(slots=True)
class _Work:
    """All that one run of a loop holds; made for the call, seen by nobody else."""

    agent: Agent
    run: RunContext
    messages: list[Message]
    tools: tuple[ToolSpec, ...]
    spent: Usage = field(default_factory=Usage)
    steps: int = 0
    tool_calls: int = 0
    was_cut: bool = False


async def _ask(work: _Work, step: int, last: LastCall | None) -> Reply:
    told = (text_block(last.tell),) if last and last.tell else ()
    call = ModelCall(step, work.agent.max_steps, why_last=last.why if last else "", told=told)
    _tell(work.messages, told)
    await work.run.observer.before_model(call)
    reply = await work.agent.model.reply(
        _request(work, last), work.run.observer.streamed, attempts=work.run.attempts
    )
    work.steps, work.spent = step, work.spent + reply.usage
    await work.run.observer.after_model(call, reply)
    if reply.stop_reason in _ENDING_REASONS:
        raise RunFailed(f"the model ended the work: {reply.stop_reason}")
    return reply


def _tell(messages: list[Message], told: tuple[Block, ...]) -> None:
    """Add to the user turn that has not been sent yet, so that what was sent stays unchanged."""
    if told:
        messages[-1] = Message("user", (*messages[-1].content, *told))


def _request(work: _Work, last: LastCall | None) -> Request:
    return Request(
        purpose="agent",
        model=work.agent.model_name,
        system=work.agent.system,
        messages=tuple(work.messages),
        tools=work.tools,
        tool_choice=NO_TOOLS if last and work.tools else AUTO,
        max_tokens=work.agent.max_tokens,
        prompt_version=work.agent.prompt_version,
    )


def _result(work: _Work, reply: Reply) -> Result:
    if not reply.text:
        raise RunFailed(NO_REPORT)
    return Result(
        answer=reply.text,
        steps=work.steps,
        tool_calls=work.tool_calls,
        input_tokens=work.spent.prompt_tokens,
        output_tokens=work.spent.output_tokens,
        cost_usd=work.spent.cost_usd,
    )


async def _answer_calls(work: _Work, step: int, reply: Reply) -> None:
    work.messages.append(Message("assistant", reply.content))
    uses = reply.tool_uses
    cut = uses[-1] if reply.stop_reason == "max_tokens" else None
    if cut and work.was_cut:
        raise RunFailed("the model's answer was cut off in a tool call twice (max_tokens)")
    work.was_cut = work.was_cut or cut is not None
    results = [
        await _answer_call(work, ToolPlace(step, ord_), use, is_cut=use is cut)
        for ord_, use in enumerate(uses, start=1)
    ]
    work.messages.append(Message("user", tuple(results)))


@dataclass(frozen=True, slots=True)
class ToolPlace:
    """Which call of which step."""

    step: int
    ord: int


async def _answer_call(work: _Work, place: ToolPlace, use: ToolUse, *, is_cut: bool) -> Block:
    parsed = parse_call(work.agent.tools, use)
    call = ToolCall(place.step, place.ord, use, parsed.state)
    await work.run.observer.before_tool(call)
    result = ToolResult(CUT_CALL, is_error=True) if is_cut else await _run(work, place, parsed)
    work.tool_calls += 1
    work.spent += result.usage
    await work.run.observer.after_tool(call, result)
    return tool_result_block(use.id, result.text, is_error=result.is_error)


async def _run(work: _Work, place: ToolPlace, parsed: ParsedCall) -> ToolResult:
    context = ToolContext(
        run_id=work.run.run_id,
        user=work.run.user,
        step=place.step,
        ord=place.ord,
        attempts=work.run.attempts,
    )
    return await call_tool(parsed, context)
