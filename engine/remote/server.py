"""The owner's side of the socket: answers calls and streams events to any number of processes.

A client that reads slowly holds up nobody but itself: its events wait in the bounded queue that the
engine keeps per watcher. A client that goes away ends its watches; what it started goes on.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from engine.contract import Engine
from engine.documents import error_document, event_document, read
from engine.domain.errors import CannotStart, GligabaoError, Problem
from engine.domain.faults import fault
from engine.domain.timing import Timing
from engine.manager.workers import Workers
from engine.remote.methods import CHANGING, METHODS, OfWatch
from engine.remote.place import clear, is_same_user, listening_socket
from engine.remote.wire import (
    MOST_CALL_BYTES,
    Call,
    Line,
    WireError,
    call_of,
    greeting,
    receive,
    send,
)

_log = logging.getLogger(__name__)


@asynccontextmanager
async def serve_engine(
    engine: Engine, wanted: Path, *, timing: Timing = Timing()
) -> AsyncIterator["EngineServer"]:
    """Answer on the socket that belongs to `wanted` until the scope is left.

    Whoever calls this holds the lock of the data directory. Calls in flight are answered before
    the scope ends, as far as `timing.closing_calls` allows.
    """
    async with Workers() as clients:
        server = EngineServer(engine, clients, timing)
        await server.listen(wanted)
        try:
            yield server
        finally:
            await server.close()


class EngineServer:
    """The clients of one engine. Made by `serve_engine`."""

    def __init__(self, engine: Engine, clients: Workers, timing: Timing) -> None:
        self._engine = engine
        self._clients = clients
        self._timing = timing
        self._changing = 0
        self._settled = asyncio.Event()
        self._settled.set()
        self._listener: asyncio.Server | None = None
        self._wanted = Path()

    async def listen(self, wanted: Path) -> None:
        """Raises CannotStart when there can be no socket."""
        self._wanted = wanted
        try:
            listener = listening_socket(wanted)
        except OSError as exc:
            raise CannotStart(Problem(str(wanted), f"no socket can be made: {exc}")) from exc
        self._listener = await asyncio.start_unix_server(
            self._accept, sock=listener, limit=MOST_CALL_BYTES
        )

    async def stop_taking(self) -> None:
        """No new clients from here on; returns when every call that changes something is answered.

        Watches go on, so that who waits for a run still sees its end.
        """
        if self._listener is None:
            return
        self._listener.close()
        self._listener = None
        clear(self._wanted)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timing.closing_calls):
                await self._settled.wait()

    async def close(self) -> None:
        try:
            await self.stop_taking()
        finally:
            self._clients.cancel()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.start(self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client, one call after another, until it goes."""
        try:
            if not is_same_user(writer.get_extra_info("socket")):
                return
            with suppress(ConnectionError):
                await send(writer, greeting(os.getpid()))
                while (line := await receive(reader)) is not None:
                    await self._answer(call_of(line), reader, writer)
        except WireError as exc:
            _log.warning("a client of the socket was sent away: %s", exc)
        finally:
            writer.close()

    async def _answer(
        self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if call.method not in CHANGING:
            await _unless_gone(reader, self._call(call, writer))
            return
        self._changing += 1
        self._settled.clear()
        try:
            await self._call(call, writer)
        finally:
            self._changing -= 1
            if not self._changing:
                self._settled.set()

    async def _call(self, call: Call, writer: asyncio.StreamWriter) -> None:
        """Carry out one call: the socket's one handler of everything that may go wrong in it."""
        try:
            line = await self._outcome(call, writer)
        except ConnectionError:
            raise
        except GligabaoError as exc:
            line = {"error": error_document(exc)}
        except Exception as exc:
            _log.exception("the call %s failed", call.method)
            told = f"the owner of the data failed in {call.method!r}: {fault(exc)}"
            line = {"error": error_document(GligabaoError(f"{told}; its log has the details"))}
        await send(writer, {"id": call.id, **line})

    async def _outcome(self, call: Call, writer: asyncio.StreamWriter) -> Line:
        if call.method == "watch":
            await self._watch(call, writer)
            return {"end": True}
        if call.method not in METHODS:
            raise GligabaoError(f"the owner of the data knows no call {call.method!r}")
        return {"result": await METHODS[call.method](self._engine, call.arguments)}

    async def _watch(self, call: Call, writer: asyncio.StreamWriter) -> None:
        asked = read(OfWatch, call.arguments)
        async with self._engine.watch(asked.run_id) as events:
            await send(writer, {"id": call.id, "watching": True})
            async for event in events:
                await send(writer, {"id": call.id, "event": event_document(event)})


async def _unless_gone(reader: asyncio.StreamReader, work: Coroutine[Any, Any, None]) -> None:
    """Do `work`, but give it up when the client goes (or speaks out of turn)."""
    async with asyncio.TaskGroup() as group:
        working = group.create_task(_quietly(work))
        gone = group.create_task(_silence(reader))
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        working.cancel()
        gone.cancel()


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    with suppress(ConnectionError):
        await work


async def _silence(reader: asyncio.StreamReader) -> None:
    """Returns when the client has closed its side, or sends something while nothing is due."""
    with suppress(ConnectionError):
        await reader.read(1)
