"""The joined side of the socket: an Engine whose every call is carried out by the owner.

Each call has a connection of its own, so that a broken one says which call it broke, and closing
one gives the call up. Errors of the owner come back as the classes they were raised as.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engine.documents import (
    counts_from,
    details_from,
    error_from,
    event_from,
    filter_document,
    page_from,
    read,
    run_from,
    start_document,
)
from engine.domain.answers import (
    AgentDetails,
    AgentInfo,
    AgentsRead,
    Check,
    ScheduleInfo,
    Schedules,
    SourceText,
)
from engine.domain.costs import RunCosts
from engine.domain.errors import EngineUnreachable
from engine.domain.events import Event
from engine.domain.run import Run, RunCounts, RunDetails, RunFilter, RunId, RunPage, StartRequest
from engine.domain.sources import CitedSource
from engine.domain.timing import Timing
from engine.knowledge_contract import KnowledgeBase
from engine.remote.knowledge_client import JoinedKnowledge
from engine.remote.place import is_same_user, place_of
from engine.remote.wire import (
    MOST_ANSWER_BYTES,
    PROTOCOL,
    Line,
    WireError,
    receive,
    send,
)


class ConnectionLost(EngineUnreachable):
    """The owner has gone. `was_sent` tells whether it may have carried out the call."""

    def __init__(self, message: str, *, was_sent: bool) -> None:
        super().__init__(message)
        self.was_sent = was_sent


class JoinedEngine:
    """Fulfils `engine.contract.Engine`; every method may raise ConnectionLost too."""

    def __init__(self, wanted: Path, timing: Timing = Timing()) -> None:
        self._wanted = wanted
        self._timing = timing
        self._knowledge = JoinedKnowledge(self._call)

    @property
    def knowledge(self) -> KnowledgeBase:
        return self._knowledge

    async def greet(self) -> None:
        """Returns when an owner answers. Raises ConnectionLost, or EngineUnreachable for one
        that speaks otherwise than this version."""
        try:
            async with asyncio.timeout(self._timing.join_most), self._connected():
                return
        except TimeoutError as exc:
            told = "the process that owns the data does not answer"
            raise ConnectionLost(told, was_sent=False) from exc

    async def start(self, request: StartRequest) -> Run:
        return run_from(await self._call("start", start_document(request)))

    async def get(self, run_id: RunId, *, user: str | None = None) -> RunDetails:
        return details_from(await self._call("get", {"run_id": run_id, "user": user}))

    async def list(self, which: RunFilter) -> RunPage:
        return page_from(await self._call("list", filter_document(which)))

    async def counts(self, *, user: str | None = None) -> RunCounts:
        return counts_from(await self._call("counts", {"user": user}))

    async def report(self, run_id: RunId, *, user: str | None = None) -> str:
        return str(await self._call("report", {"run_id": run_id, "user": user}))

    async def costs(self, run_id: RunId, *, user: str | None = None) -> RunCosts:
        return read(RunCosts, await self._call("costs", {"run_id": run_id, "user": user}))

    async def source(self, run_id: RunId, n: int, *, user: str | None = None) -> CitedSource:
        asked = {"run_id": run_id, "n": n, "user": user}
        return read(CitedSource, await self._call("source", asked))

    async def stop(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        return run_from(await self._call("stop", {"run_id": run_id, "user": user, "by": by}))

    async def wrap_up(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        return run_from(await self._call("wrap_up", {"run_id": run_id, "user": user, "by": by}))

    async def agents(self) -> tuple[AgentInfo, ...]:
        return tuple(read(AgentInfo, agent) for agent in await self._call("agents", {}))

    async def agent(self, name: str) -> AgentDetails:
        return read(AgentDetails, await self._call("agent", {"name": name}))

    async def agents_read(self) -> AgentsRead:
        return read(AgentsRead, await self._call("agents_read", {}))

    async def reload_agents(self) -> AgentsRead:
        return read(AgentsRead, await self._call("reload_agents", {}))

    async def schedules(self) -> Schedules:
        return read(Schedules, await self._call("schedules", {}))

    async def pause_schedule(self, agent: str, *, paused: bool) -> ScheduleInfo:
        asked = {"agent": agent, "paused": paused}
        return read(ScheduleInfo, await self._call("pause_schedule", asked))

    async def run_schedule(self, agent: str) -> Run:
        return run_from(await self._call("run_schedule", {"agent": agent}))

    async def read(self, source: str, *, full: bool = False) -> SourceText:
        return read(SourceText, await self._call("read", {"source": source, "full": full}))

    async def doctor(self) -> tuple[Check, ...]:
        return tuple(read(Check, check) for check in await self._call("doctor", {}))

    @asynccontextmanager
    async def watch(self, run_id: RunId | None = None) -> AsyncIterator[AsyncIterator[Event]]:
        """As the contract says; the iterator raises ConnectionLost when the owner goes."""
        async with self._connected() as (reader, writer):
            await _ask(writer, "watch", {"run_id": run_id})
            _raise_error(await _line(reader))
            yield _events(reader)

    async def _call(
        self, method: str, arguments: Mapping[str, Any], *, may_take_long: bool = False
    ) -> Any:
        """`may_take_long`: the owner waits for something that has no deadline here."""
        try:
            async with asyncio.timeout(None if may_take_long else self._timing.owner_call):
                async with self._connected() as (reader, writer):
                    await _ask(writer, method, arguments)
                    answer = await _line(reader)
        except TimeoutError as exc:
            seconds = f"{self._timing.owner_call:g} s"
            told = f"the process that owns the data did not answer {method!r} within {seconds}"
            raise ConnectionLost(told, was_sent=True) from exc
        _raise_error(answer)
        return answer.get("result")

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await self._connection()
        try:
            await _check_greeting(reader, writer)
            yield reader, writer
        finally:
            writer.close()

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            return await asyncio.open_unix_connection(
                place_of(self._wanted), limit=MOST_ANSWER_BYTES
            )
        except OSError as exc:
            raise ConnectionLost("nobody answers on the data's socket", was_sent=False) from exc


async def _check_greeting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if not is_same_user(writer.get_extra_info("socket")):
        raise EngineUnreachable("the data's socket belongs to another user's process")
    line = await receive(reader)
    if line is None:
        raise ConnectionLost("the owner of the data closes down", was_sent=False)
    if line.get("gligabao") != PROTOCOL:
        raise EngineUnreachable(
            f"process {line.get('pid')} owns the data and is of another version of gligabao: "
            "end it, or use its version"
        )


async def _ask(writer: asyncio.StreamWriter, method: str, arguments: Mapping[str, Any]) -> None:
    try:
        await send(writer, {"id": 1, "call": method, "with": arguments})
    except ConnectionError as exc:
        raise ConnectionLost("the owner of the data has gone", was_sent=True) from exc


async def _line(reader: asyncio.StreamReader) -> Line:
    try:
        line = await receive(reader)
    except WireError as exc:
        raise EngineUnreachable(f"the owner of the data cannot be understood: {exc}") from exc
    if line is None:
        raise ConnectionLost("the owner of the data has gone", was_sent=True)
    return line


def _raise_error(line: Line) -> None:
    if "error" in line:
        raise error_from(line["error"])


async def _events(reader: asyncio.StreamReader) -> AsyncIterator[Event]:
    while "event" in (line := await _line(reader)):
        yield event_from(line["event"])
    _raise_error(line)
