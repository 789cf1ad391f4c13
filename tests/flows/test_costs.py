"""What a run cost, step by step, against the faithful fake of the Messages API."""

from pathlib import Path

import pytest

from engine.domain.costs import RunCosts
from engine.domain.run import Run, StartRequest
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from tests.fakes.messages_script import (
    Answer,
    hit,
    overloaded,
    reply,
    said,
    searched,
    stalled,
    tool_call,
    use,
)
from tests.fakes.models import ScriptedModel, text_reply
from tests.flows.conftest import House, ended, run_to_end
from tests.flows.test_messages_api import TOPIC, stage

SEARCH = {"query": "who owns the lake"}
MODEL = TOPIC.model


def found(stop_reason: str = "end_turn") -> Answer:
    hits = [hit("https://a.example/", "A")]
    return searched("who owns the lake", hits, "The village does.", stop_reason=stop_reason)


def agree(run: Run, costs: RunCosts) -> None:
    charges = costs.charges
    assert sum(charge.cost_usd for charge in charges) == pytest.approx(run.cost_usd)
    assert sum(charge.prompt_tokens for charge in charges) == run.input_tokens
    assert sum(charge.output_tokens for charge in charges) == run.output_tokens


def places(costs: RunCosts) -> list[tuple[int, str, str, int]]:
    return [(one.step, one.state, one.model, one.calls) for one in costs.charges]


async def test_a_web_search_is_charged_with_its_fee_where_it_was_made(tmp_path: Path) -> None:
    both = said(use("note", {"text": "plain"}), use("web_search", SEARCH))
    async with stage(tmp_path) as on:
        details = await on.run(both, found(), reply("# The village"))
        costs = await on.manager.costs(details.run.id)
    agree(details.run, costs)
    assert places(costs) == [
        (1, "thinking", MODEL, 1),
        (1, "using_tool", "", 1),
        (1, "searching", MODEL, 1),
        (2, "thinking", MODEL, 1),
    ]
    search = costs.charges[2]
    assert (search.searches, search.is_estimate) == (1, False)
    assert search.cost_usd > 0.01


async def test_failed_attempts_are_charged_with_the_one_that_worked(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        answers = (overloaded(), tool_call("web_search", SEARCH), overloaded(), found())
        details = await on.run(*answers, reply("# Done"))
        costs = await on.manager.costs(details.run.id)
    agree(details.run, costs)
    assert places(costs) == [
        (1, "thinking", MODEL, 2),
        (1, "searching", MODEL, 2),
        (2, "thinking", MODEL, 1),
    ]


async def test_a_search_that_was_cut_off_is_charged_as_an_estimate(tmp_path: Path) -> None:
    async with stage(tmp_path, Timing()) as on:
        cut = stalled(reply("a long summary " * 50), after=20)
        on.api.script(tool_call("web_search", SEARCH), cut)
        run = await on.manager.start(TOPIC)
        seen = await on.api.received(2)
        await seen.is_halfway.wait()
        await on.manager.stop(run.id, by="ann")
        stopped = (await ended(on.manager, run.id)).run
        costs = await on.manager.costs(run.id)
    agree(stopped, costs)
    search = costs.charges[-1]
    assert (search.state, search.is_estimate, bool(search.finished_at)) == ("searching", True, True)
    assert search.cost_usd > 0


async def test_what_a_working_tool_has_spent_is_in_the_run_s_costs_at_once(tmp_path: Path) -> None:
    """So that a process that is killed meanwhile leaves sums that agree."""
    async with stage(tmp_path, Timing()) as on:
        paused = stalled(reply("wait " * 50), after=20)
        on.api.script(tool_call("web_search", SEARCH), found("pause_turn"), paused)
        run = await on.manager.start(TOPIC)
        seen = await on.api.received(3)
        await seen.is_halfway.wait()
        details = await on.manager.get(run.id)
        costs = await on.manager.costs(run.id)
        await on.manager.stop(run.id, by="ann")
    agree(details.run, costs)
    open_ = costs.charges[-1]
    assert (open_.state, open_.calls, open_.finished_at) == ("searching", 2, None)
    assert open_.cost_usd > 0


async def test_a_model_without_a_price_is_named_and_its_charges_are_estimates(
    house: House,
) -> None:
    spent = Usage(input_tokens=1_000, output_tokens=10)
    async with house.open(ScriptedModel([text_reply("# Done", spent)])) as manager:
        details = await run_to_end(manager, StartRequest("topic", "ann", model="no-such-model-1"))
        costs = await manager.costs(details.run.id)
    agree(details.run, costs)
    assert costs.unpriced == ("no-such-model-1",)
    assert [charge.is_estimate for charge in costs.charges] == [True]
    assert details.run.cost_usd == 0


async def test_a_replay_costs_nothing_and_lacks_no_price(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first = await on.run(tool_call("note", {"text": "plain"}), reply("# Done"))
        request = StartRequest("", "ann", model=f"recorded:{first.run.id}")
        replayed = await on.run(request=request)
        costs = await on.manager.costs(replayed.run.id)
    assert replayed.run.status == "completed"
    assert costs.unpriced == ()
    agree(replayed.run, costs)
    assert len(costs.charges) == 3
