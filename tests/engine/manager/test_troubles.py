"""What hostile models, broken tools and races do to a run: nothing that is not in its books."""

import time

import pytest

from engine.agent.tool import StateDetail, Tool, ToolContext
from engine.domain.blocks import user_message
from engine.domain.errors import NotFound, ProviderError
from engine.domain.exchange import Reply, Request, ToolResult
from engine.domain.run import RunDetails, RunId, StartRequest
from engine.domain.usage import Usage
from engine.llm.attempting import Attempting, Surroundings
from engine.llm.model import no_delta
from engine.llm.price_table import PriceTable
from engine.manager.manager import Manager
from engine.store import journal
from tests.engine.manager.conftest import Bureau, StandingClock
from tests.fakes.clock import FakeClock
from tests.fakes.models import ScriptedModel, text_reply, tool_reply
from tests.fakes.notes import Note

TOPIC = StartRequest("How deep is the lake?", "ann", model="claude-sonnet-5-5")
PAID = Usage(input_tokens=1_000_000)
KEY = "sk-ant-abcdefgh12345678"


async def carried_out(manager: Manager, request: StartRequest = TOPIC) -> RunDetails:
    run = await manager.start(request)
    await manager.idle()
    return await manager.get(run.id)


def tool_that(run: object) -> Tool[Note]:
    return Tool("note", "Notes a text", Note, lambda _: StateDetail("using_tool", "note"), run)  # type: ignore[arg-type]  # each test brings one that fits


async def test_what_a_tool_spent_before_it_broke_is_counted(bureau: Bureau) -> None:
    around = Surroundings(FakeClock(), bureau.timing, PriceTable(), lambda: 0.0)
    inner = Attempting(ScriptedModel([text_reply("found", PAID)]), around)

    async def breaks(context: ToolContext, _: Note) -> object:
        request = Request("web_search", "claude-sonnet-5-5", "", (user_message("x"),))
        await inner.reply(request, no_delta, attempts=context.attempts)
        raise ZeroDivisionError

    bureau.tools = (tool_that(breaks),)
    model = ScriptedModel([tool_reply("note", {"text": "x"}), text_reply("done")])
    async with bureau.open(model) as manager:
        details = await carried_out(manager)
        async with manager.database.reading() as reader:
            booked = await journal.attempts(reader, details.run.id)
    assert details.run.status == "completed"
    assert details.run.input_tokens == 1_000_000
    assert details.run.cost_usd == pytest.approx(sum(each.usage.cost_usd for each in booked))
    assert details.run.cost_usd > 0


@pytest.mark.parametrize(
    "reply",
    [
        tool_reply("note", {"text": "half a \ud83d pair"}),
        tool_reply("no\ud83dte", {"text": "x"}, id="toolu_\udc00"),
    ],
)
async def test_half_a_surrogate_pair_in_a_reply_breaks_nothing(
    bureau: Bureau, reply: Reply
) -> None:
    async def echoes(_: ToolContext, given: Note) -> ToolResult:
        return ToolResult(given.text)

    bureau.tools = (tool_that(echoes),)
    async with bureau.open(ScriptedModel([reply, text_reply("done")])) as manager:
        details = await carried_out(manager)
    assert (details.run.status, details.run.error) == ("completed", "")


async def test_a_row_that_cannot_be_made_ends_its_run_and_no_other(bureau: Bureau) -> None:
    reply = tool_reply("note", {"text": "half a \ud83d pair in what was read"})
    async with bureau.open(ScriptedModel([reply, text_reply("done")])) as manager:
        details = await carried_out(manager)
        assert (details.run.status, details.run.steps) == ("failed", 1)
        assert details.run.error.startswith("the program has a fault: UnicodeEncodeError")
        assert (await carried_out(manager)).run.status == "completed"


async def test_a_state_shows_the_name_of_an_unknown_tool_on_one_short_line(
    bureau: Bureau,
) -> None:
    reply = tool_reply("rm\n\x1b[2J" + "x" * 5_000, {})
    async with bureau.open(ScriptedModel([reply, text_reply("done")])) as manager:
        details = await carried_out(manager)
    detail = details.states[2].detail
    assert detail.startswith("rm x")
    assert len(detail) <= 200


async def test_a_fault_tells_neither_a_key_nor_a_place_on_this_machine(bureau: Bureau) -> None:
    class Faulty:
        async def reply(self, request: Request, on_progress: object) -> Reply:
            raise PermissionError(13, "Permission denied", "/home/ann/secret.txt")

    class Leaking:
        async def reply(self, request: Request, on_progress: object) -> Reply:
            raise ProviderError("auth", f"the model API answered: wrong key {KEY}")

    for model in (Faulty(), Leaking()):
        async with bureau.open(model) as manager:
            details = await carried_out(manager)
            async with manager.database.reading() as reader:
                (attempt,) = await journal.attempts(reader, details.run.id)
        told = details.run.error + attempt.error + "".join(state.error for state in details.states)
        assert details.run.status == "failed"
        assert "/home" not in told
        assert "abcdefgh" not in told


async def test_a_broken_tool_tells_no_place_on_this_machine(bureau: Bureau) -> None:
    async def breaks(_: ToolContext, given: Note) -> object:
        raise FileNotFoundError(2, "No such file or directory", "/home/ann/secret.txt")

    bureau.tools = (tool_that(breaks),)
    model = ScriptedModel([tool_reply("note", {"text": "x"}), text_reply("done")])
    async with bureau.open(model) as manager:
        details = await carried_out(manager)
    assert details.states[2].error == "note broke: FileNotFoundError: No such file or directory"


async def test_a_store_error_of_a_run_tells_no_place_on_this_machine(bureau: Bureau) -> None:
    async with bureau.open(ScriptedModel([])) as manager:
        with pytest.raises(Exception, match=r"^gligabao\.db: ") as told:
            await manager.database.write(lambda tx: tx.execute("SELECT nothing FROM nowhere"))
    assert str(bureau.data_dir) not in str(told.value)


async def test_a_run_with_an_absurd_number_is_not_found(bureau: Bureau) -> None:
    async with bureau.open(ScriptedModel([])) as manager:
        for number in (2**63, 10**30):
            with pytest.raises(NotFound, match=f"no run {number}"):
                await manager.get(RunId(number))
            with pytest.raises(NotFound, match=f"no run {number}"):
                await manager.stop(RunId(number), by="ann")
        with pytest.raises(NotFound, match=f"no run {2**63}"):
            await manager.start(StartRequest("", "ann", model=f"recorded:{2**63}"))


async def test_the_first_who_asks_for_a_wrap_up_is_named(bureau: Bureau) -> None:
    overloaded = ProviderError("overloaded", "busy")
    bureau.clock = clock = StandingClock()
    async with bureau.open(ScriptedModel([overloaded])) as manager:
        run = await manager.start(TOPIC)
        await clock.asked.wait()
        await manager.wrap_up(run.id, by="ann")
        again = await manager.wrap_up(run.id, by="bob")
        (runner,) = manager._runners.values()
        last = await runner.job.steering.last_call()
        await manager.stop(run.id, by="ann")
    assert again.wrap_up_by == "ann"
    assert last is not None
    assert last.why == "wrap up, asked by ann"


async def test_a_run_that_waits_for_the_service_is_stopped_at_once(bureau: Bureau) -> None:
    bureau.clock = clock = StandingClock()
    async with bureau.open(ScriptedModel([ProviderError("overloaded", "busy")])) as manager:
        run = await manager.start(TOPIC)
        await clock.asked.wait()
        assert (await manager.stop(run.id, by="ann")).status == "stopped"
        details = await manager.get(run.id)
    assert [state.state for state in details.states][-2:] == ["waiting", "stopped"]
    assert all(state.finished_at for state in details.states)


async def test_closing_does_not_wait_for_a_run_that_only_waits(bureau: Bureau) -> None:
    bureau.clock = clock = StandingClock()
    async with bureau.open(ScriptedModel([ProviderError("overloaded", "busy")])) as manager:
        run = await manager.start(TOPIC)
        await clock.asked.wait()
        began = time.monotonic()
    assert time.monotonic() - began < bureau.timing.closing_calls / 2
    async with bureau.open(ScriptedModel([])) as manager:
        assert (await manager.get(run.id)).run.error == "interrupted"
