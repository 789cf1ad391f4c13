"""Starts, stops, wrap ups, failures and a close in any order: what the rows say stays true."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from engine.domain.costs import RunCosts
from engine.domain.errors import CannotStart, ProviderError, Refused, StoreError
from engine.domain.events import Event, RunEnded, StateEntered, run_id_of
from engine.domain.exchange import Reply, Request, UsageSeen
from engine.domain.run import Run, RunDetails, RunFilter, StartRequest
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from engine.llm.model import OnProgress
from engine.manager.manager import Manager
from engine.store import journal
from engine.store.journal import StoredAttempt
from tests.engine.manager.conftest import Bureau
from tests.fakes.models import ScriptedModel, text_reply, tool_reply

RUNS = 12
STEPS = 3
SPENT = Usage(input_tokens=1000, output_tokens=10)


class Chance:
    """The order of things, from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    async def turns(self, most: int) -> None:
        for _ in range(self._random.randrange(most)):
            await asyncio.sleep(0)

    def is_so(self, share: float) -> bool:
        return self._random.random() < share


@dataclass
class Moody:
    """A model that takes its time, and is overloaded now and then after it has cost something."""

    chance: Chance

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        await self.chance.turns(60)
        on_progress(UsageSeen(SPENT))
        if self.chance.is_so(0.2):
            raise ProviderError("overloaded", "busy")
        await self.chance.turns(60)
        answered = sum(message.role == "assistant" for message in request.messages)
        reply = text_reply("done") if answered == STEPS else tool_reply("note", {"text": "plain"})
        return replace(reply, usage=SPENT)


async def one_run(manager: Manager, user: str, chance: Chance) -> None:
    try:
        run = await manager.start(StartRequest("topic", user, model="claude-sonnet-5-5"))
        await chance.turns(400)
        while chance.is_so(0.6):
            ask = manager.stop if chance.is_so(0.5) else manager.wrap_up
            await ask(run.id, by=user)
            await chance.turns(40)
    except (Refused, CannotStart, StoreError):
        return


async def listened(manager: Manager) -> list[Event]:
    """Every event of a manager, to its last."""
    async with manager.watch() as events:
        return [event async for event in events]


def check_costs(run: Run, costs: RunCosts, attempts: Sequence[StoredAttempt]) -> None:
    charges = costs.charges
    assert sum(charge.cost_usd for charge in charges) == pytest.approx(run.cost_usd)
    assert sum(charge.prompt_tokens for charge in charges) == run.input_tokens
    assert sum(charge.output_tokens for charge in charges) == run.output_tokens
    assert sum(charge.calls for charge in charges if charge.model) == len(attempts)
    assert [charge.step for charge in charges] == sorted(charge.step for charge in charges)
    assert all(charge.finished_at for charge in charges if charge.model)
    places = [(charge.step, charge.state, charge.model) for charge in charges]
    assert len(places) == len(set(places))


def check(details: RunDetails, attempts: Sequence[StoredAttempt], told: Sequence[Event]) -> None:
    run, states = details.run, details.states
    assert run.status != "running"
    assert run.state == run.status == states[-1].state
    assert [state.seq for state in states] == list(range(1, len(states) + 1))
    assert all(state.finished_at for state in states)
    assert not any(attempt.state == "started" or attempt.reserved_usd for attempt in attempts)
    assert run.input_tokens == sum(attempt.usage.input_tokens for attempt in attempts)
    assert run.cost_usd == pytest.approx(sum(attempt.usage.cost_usd for attempt in attempts))
    entered = [event.seq for event in told if isinstance(event, StateEntered)]
    assert entered == [state.seq for state in states]
    assert sum(isinstance(event, RunEnded) for event in told) == 1


@pytest.mark.parametrize("seed", range(12))
async def test_rows_events_and_bills_agree_whatever_happens_in_which_order(
    bureau: Bureau, seed: int
) -> None:
    chance = Chance(seed)
    bureau.timing = Timing(closing_calls=0.01)
    async with asyncio.TaskGroup() as group, bureau.open(Moody(chance)) as manager:
        listening = group.create_task(listened(manager))
        await asyncio.sleep(0)
        for number in range(RUNS):
            group.create_task(one_run(manager, f"user {number}", chance))
        await chance.turns(20_000)
    async with bureau.open(ScriptedModel([])) as manager:
        for run in (await manager.list(RunFilter())).runs:
            async with manager.database.reading() as reader:
                attempts = await journal.attempts(reader, run.id)
            details = await manager.get(run.id)
            check_costs(details.run, await manager.costs(run.id), attempts)
            check(
                details,
                attempts,
                [event for event in listening.result() if run_id_of(event) == run.id],
            )
