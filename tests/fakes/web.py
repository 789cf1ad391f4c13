"""A web on loopback: real sockets, real HTTP, and as ill-behaved as a test wants it.

Names lead to it through `Names`, a resolver with fixed answers; `allow` is the entry of `[fetch]
allow` that lets a reader reach it.
"""

import asyncio
import gzip
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from engine.web.guard import Resolver

DATA = Path(__file__).resolve().parents[1] / "data"
LOOPBACK = "127.0.0.1"
HOST = "site.example.org"


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it came in."""

    method: str
    target: str
    headers: Mapping[str, str]
    """Names in lower case."""

    @property
    def host(self) -> str:
        return self.headers.get("host", "")


class Wire(NamedTuple):
    """The server's end of a connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


Answer: TypeAlias = Callable[[Wire], Awaitable[None]]


def answer(body: bytes | str, *, status: str = "200 OK", headers: str = "") -> Answer:
    """A complete, correct answer; `headers` are lines without the length, HTML by default."""
    data = body.encode() if isinstance(body, str) else body
    told = headers or "Content-Type: text/html; charset=utf-8"
    return raw(
        f"HTTP/1.1 {status}\r\n{told}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data
    )


def redirect(location: str, *, status: str = "302 Found") -> Answer:
    return answer("", status=status, headers=f"Location: {location}")


def raw(*pieces: bytes) -> Answer:
    """These bytes, whatever they are, then the end of the connection."""

    async def send(wire: Wire) -> None:
        for piece in pieces:
            wire.writer.write(piece)
            await wire.writer.drain()

    return send


def stalling(*pieces: bytes) -> Answer:
    """These bytes, then nothing more on a connection that stays open."""

    async def send(wire: Wire) -> None:
        await raw(*pieces)(wire)
        await wire.reader.read()

    return send


def endless(piece: bytes, *, before: bytes = b"") -> Answer:
    """`before`, then `piece` again and again until the other end has had enough."""

    async def send(wire: Wire) -> None:
        wire.writer.write(before)
        while not wire.reader.at_eof() and not wire.writer.is_closing():
            wire.writer.write(piece)
            await wire.writer.drain()
            await asyncio.sleep(0)

    return send


def trickling(piece: bytes, *, every_seconds: float, before: bytes = b"") -> Answer:
    """`before`, then `piece` again and again, slowly, until the other end has had enough."""

    async def send(wire: Wire) -> None:
        wire.writer.write(before)
        while not wire.reader.at_eof() and not wire.writer.is_closing():
            wire.writer.write(piece)
            await wire.writer.drain()
            with suppress(TimeoutError):
                async with asyncio.timeout(every_seconds):
                    await wire.reader.read()

    return send


async def reset(wire: Wire) -> None:
    """No answer but the end of the connection, which discards what is under way."""
    raw_socket = wire.writer.get_extra_info("socket")
    raw_socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def bomb(megabytes: int) -> bytes:
    """That many megabytes of spaces, packed by gzip to a thousandth."""
    return gzip.compress(b" " * (megabytes * 1_000_000), 9)


@dataclass
class Names(Resolver):
    """Answers names from a table, every other name with loopback; counts what it is asked.

    A sequence of answers is used up one by one; the last one stays.
    """

    table: dict[str, list[Sequence[str] | OSError]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    hangs: bool = False

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if self.hangs:
            await asyncio.Event().wait()
        answers = self.table.get(host, [(LOOPBACK,)])
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(found, OSError):
            raise found
        return found


@dataclass
class FakeWeb:
    """Pages by target (`/x?y`); what is not there is answered with 404."""

    port: int
    pages: dict[str, Answer] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    scheme: str = "http"
    serving: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def allow(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    def url(self, target: str, *, host: str = HOST) -> str:
        return f"{self.scheme}://{host}:{self.port}{target}"

    def add(self, target: str, told: Answer, *, host: str = HOST) -> str:
        """Serve `told` at `target`; its URL."""
        self.pages[target] = told
        return self.url(target, host=host)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.serving.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
                await self._answer(Wire(reader, writer))
        finally:
            self.serving.discard(task)
            writer.close()
            with suppress(ConnectionError, ssl.SSLError):
                await writer.wait_closed()

    async def _answer(self, wire: Wire) -> None:
        request = _parsed(await wire.reader.readuntil(b"\r\n\r\n"))
        self.seen.append(request)
        await self.pages.get(request.target, answer("", status="404 Not Found"))(wire)

    async def close(self) -> None:
        """End what is still being answered."""
        tasks = tuple(self.serving)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


@asynccontextmanager
async def fake_web(*, tls: bool = False) -> AsyncIterator[FakeWeb]:
    """A server on a free port; with `tls` it has a certificate for `a.example.com` only."""
    web = FakeWeb(port=0)
    context = _server_tls() if tls else None
    server = await asyncio.start_server(web.serve, LOOPBACK, 0, ssl=context)
    web.port = server.sockets[0].getsockname()[1]
    web.scheme = "https" if tls else "http"
    async with server:
        try:
            yield web
        finally:
            await web.close()


def client_tls() -> ssl.SSLContext:
    """Trusts the authority of the tests and nobody else."""
    return ssl.create_default_context(cafile=str(DATA / "tls_authority.pem"))


def _server_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(DATA / "tls_a_example_com.pem")
    return context


def _parsed(head: bytes) -> Seen:
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines)
    return Seen(method, target, {name.lower(): value.strip() for name, _, value in pairs})
