"""The socket: every call answered, errors kept, slow and vanished clients harmless."""

import asyncio
import json
import logging
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.domain.answers import AgentInfo, SourceText
from engine.domain.errors import CannotStart, EngineUnreachable, GligabaoError, NotFound, Refused
from engine.domain.events import Event, ReplyDelta, Resync, RunEnded, RunStarted
from engine.domain.run import RunFilter, RunId, StartRequest
from engine.domain.timing import Timing
from engine.manager.hub import QUEUE_MOST
from engine.remote.client import ConnectionLost, JoinedEngine
from engine.remote.place import listening_socket, place_of
from engine.remote.server import EngineServer, serve_engine
from engine.remote.wire import MOST_CALL_BYTES
from tests.engine.remote.small_engine import SmallEngine

REQUEST = StartRequest("topic", "ann")


@pytest.fixture
def engine() -> SmallEngine:
    return SmallEngine()


@pytest.fixture
def wanted(tmp_path: Path) -> Path:
    return tmp_path / "engine.sock"


@pytest.fixture
async def server(engine: SmallEngine, wanted: Path) -> AsyncIterator[EngineServer]:
    async with serve_engine(engine, wanted) as server:
        yield server


@pytest.fixture
def joined(server: EngineServer, wanted: Path) -> JoinedEngine:
    return JoinedEngine(wanted)


async def test_every_call_gives_what_it_gives_inside(
    engine: SmallEngine, joined: JoinedEngine
) -> None:
    run = await joined.start(replace(REQUEST, docs=(), web=True, max_cost_usd=1.5))
    assert run == engine.runs[run.id]
    assert await joined.get(run.id, user="ann") == await engine.get(run.id)
    assert await joined.list(RunFilter(user="ann")) == await engine.list(RunFilter())
    assert await joined.counts() == await engine.counts()
    assert await joined.agents() == (AgentInfo("default", "1.0.0", "researches", 20),)
    assert await joined.read("x", full=True) == SourceText("x", text="all")
    assert (await joined.wrap_up(run.id, by="ann")).wrap_up_by == "ann"
    assert (await joined.stop(run.id, by="ann", user="ann")).error == "stopped by ann"
    assert await joined.report(run.id) == ""


async def test_errors_come_back_as_the_classes_they_were(joined: JoinedEngine) -> None:
    with pytest.raises(NotFound, match=r"^no run 7$"):
        await joined.get(RunId(7))
    run = await joined.start(REQUEST)
    with pytest.raises(NotFound):
        await joined.get(run.id, user="bob")
    await joined.stop(run.id, by="ann")
    with pytest.raises(Refused, match="has ended"):
        await joined.stop(run.id, by="ann")


async def test_a_fault_of_the_program_is_logged_and_told_and_harms_nobody_else(
    joined: JoinedEngine, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(GligabaoError, match="'doctor': ZeroDivisionError: a fault"):
        await joined.doctor()
    assert "Traceback" in caplog.text
    assert await joined.agents()


async def test_events_come_from_entering_on_and_end_with_the_run(joined: JoinedEngine) -> None:
    run = await joined.start(REQUEST)
    async with joined.watch(run.id) as events:
        await joined.stop(run.id, by="ann")
        seen = [event async for event in events]
    assert [type(event) for event in seen] == [RunEnded]


async def test_many_clients_watch_all_runs_at_once(
    engine: SmallEngine, joined: JoinedEngine
) -> None:
    async def first_event() -> Event:
        async with joined.watch() as events:
            watching.release()
            return await anext(events)

    watching = asyncio.Semaphore(0)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(first_event()) for _ in range(20)]
        for _ in tasks:
            await watching.acquire()
        run = await engine.start(REQUEST)
    assert [task.result() for task in tasks] == [RunStarted(run)] * 20


async def test_a_client_that_never_reads_slows_nobody_and_is_told_that_it_missed_something(
    engine: SmallEngine, joined: JoinedEngine
) -> None:
    text = "x" * 10_000
    async with joined.watch() as events:
        for _ in range(2 * QUEUE_MOST):
            engine.hub.announce([ReplyDelta(RunId(1), "text", text)])
            await asyncio.sleep(0)
        for _ in range(2 * QUEUE_MOST):
            engine.hub.announce([RunEnded(RunId(1), 2, "stopped", "", "")])
        assert (await joined.counts()).by_status == {"running": 0}
        async for event in events:
            if isinstance(event, Resync):
                break


async def test_a_watch_ends_when_its_client_goes(engine: SmallEngine, joined: JoinedEngine) -> None:
    async with joined.watch():
        assert engine.watchers == 1
    await _until(lambda: engine.watchers == 0)


async def test_a_read_is_given_up_when_its_client_goes(
    engine: SmallEngine, joined: JoinedEngine
) -> None:
    engine.may_answer.clear()
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(joined.read("x"))
        await engine.asked.wait()
        reading.cancel()
    engine.asked.clear()
    engine.may_answer.set()
    assert await joined.agents()


async def test_a_start_is_carried_out_although_its_client_goes(
    engine: SmallEngine, joined: JoinedEngine
) -> None:
    engine.may_answer.clear()
    async with asyncio.TaskGroup() as group:
        starting = group.create_task(joined.start(REQUEST))
        await engine.asked.wait()
        starting.cancel()
    engine.may_answer.set()
    await _until(lambda: len(engine.runs) == 1)


async def test_closing_answers_the_calls_in_flight_and_removes_the_socket(
    engine: SmallEngine, wanted: Path
) -> None:
    engine.may_answer.clear()
    async with asyncio.TaskGroup() as group, serve_engine(engine, wanted) as server:
        starting = group.create_task(JoinedEngine(wanted).start(REQUEST))
        await engine.asked.wait()
        closing = group.create_task(server.stop_taking())
        await _until(lambda: not place_of(wanted).exists())
        with pytest.raises(ConnectionLost):
            await JoinedEngine(wanted).agents()
        engine.may_answer.set()
        await closing
    assert starting.result().id == 1


async def test_a_watcher_learns_that_the_owner_has_gone(engine: SmallEngine, wanted: Path) -> None:
    async with serve_engine(engine, wanted) as server:
        watch = JoinedEngine(wanted).watch()
        events = await watch.__aenter__()
        await server.close()
    with pytest.raises(ConnectionLost) as lost:
        await anext(events)
    assert lost.value.was_sent
    await watch.__aexit__(None, None, None)


async def test_without_an_owner_nothing_is_sent(wanted: Path) -> None:
    with pytest.raises(ConnectionLost) as lost:
        await JoinedEngine(wanted).start(REQUEST)
    assert not lost.value.was_sent


async def test_an_owner_that_never_answers_is_given_up(
    engine: SmallEngine, server: EngineServer, wanted: Path
) -> None:
    engine.may_answer.clear()
    with pytest.raises(ConnectionLost, match=r"did not answer 'agents' within 0.01 s"):
        await JoinedEngine(wanted, Timing(owner_call=0.01)).agents()


@pytest.mark.parametrize(
    "sent",
    [
        b"not json\n",
        b"[]\n",
        b'{"id": 1}\n',
        b'{"id": 1, "call": "get", "with": []}\n',
        b"[" * 100_000 + b"\n",
        b"x" * (MOST_CALL_BYTES + 2) + b"\n",
    ],
    ids=["no JSON", "no object", "no call", "no arguments", "too deep", "too long"],
)
async def test_a_client_that_speaks_nonsense_is_sent_away(
    joined: JoinedEngine, wanted: Path, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with raw(wanted) as (reader, writer):
        writer.write(sent)
        assert await _rest(reader) == b""
    assert "sent away" in caplog.text
    assert await joined.agents()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ({"id": 1, "call": "explode", "with": {}}, "knows no call 'explode'"),
        ({"id": 2, "call": "get", "with": {"run_id": "x"}}, "must be a whole number"),
        ({"id": 3, "call": "watch", "with": {"run": 1}}, "is not a known field"),
        ({"id": 4, "call": "start", "with": {"topic": 1}}, "is required"),
    ],
)
async def test_a_call_that_cannot_be_understood_is_answered(
    joined: JoinedEngine, wanted: Path, call: dict[str, Any], told: str
) -> None:
    async with raw(wanted) as (reader, writer):
        writer.write(json.dumps(call).encode() + b"\n")
        answer = json.loads(await reader.readline())
        assert answer["id"] == call["id"]
        assert told in json.dumps(answer["error"])


async def test_one_connection_may_carry_one_call_after_another(
    joined: JoinedEngine, wanted: Path
) -> None:
    async with raw(wanted) as (reader, writer):
        for number in (1, 2):
            line: dict[str, Any] = {"id": number, "call": "agents", "with": {}}
            writer.write(json.dumps(line).encode() + b"\n")
            assert json.loads(await reader.readline())["id"] == number


async def test_an_owner_of_another_version_is_told_apart(wanted: Path) -> None:
    def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'{"gligabao": 99, "pid": 4711}\n')
        writer.close()

    listener = await asyncio.start_unix_server(greet, sock=listening_socket(wanted))
    async with listener:
        with pytest.raises(EngineUnreachable, match=r"process 4711 owns .* another version"):
            await JoinedEngine(wanted).greet()


async def test_the_socket_is_for_its_owner_alone(server: EngineServer, wanted: Path) -> None:
    assert stat.S_IMODE(place_of(wanted).stat().st_mode) == 0o600


async def test_a_place_that_can_hold_no_socket_is_told(engine: SmallEngine, tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="no socket can be made"):
        async with serve_engine(engine, tmp_path / "missing" / "engine.sock"):
            pass


@asynccontextmanager
async def raw(wanted: Path) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A client without manners, greeted."""
    reader, writer = await asyncio.open_unix_connection(place_of(wanted))
    assert json.loads(await reader.readline())["gligabao"] == 1
    try:
        yield reader, writer
    finally:
        writer.close()


async def _rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


async def _until(is_so: Callable[[], bool]) -> None:
    """Let the loop turn until something has come about."""
    async with asyncio.timeout(5):
        while not is_so():  # noqa: ASYNC110  # what is awaited comes over a socket, without an event
            await asyncio.sleep(0)
