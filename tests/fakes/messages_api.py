"""A faithful fake of the Messages API: a real HTTP server on loopback, told what to answer.

    async with FakeMessagesApi() as api:
        api.script(tool_call("web_search", {"query": "x"}), overloaded(), reply("The report."))
        ...  # an engine with base_url = api.base_url and any key
        assert len(api.requests) == 3

It checks requests as the real API does (`messages_rules`), accounts for its prompt cache
(`messages_cache`), breaks replies on demand (`messages_script`) and remembers everything that it
saw. A script that is not used up, or is too short, fails the test that left it so.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import assert_never

from tests.fakes.messages_cache import Counted, PromptCache
from tests.fakes.messages_http import (
    LAST_CHUNK,
    HttpRequest,
    as_json,
    chunk,
    head,
    read_request,
    reset,
    until_hung_up,
    whole,
)
from tests.fakes.messages_message import message_of, usage_told
from tests.fakes.messages_rules import first_fault
from tests.fakes.messages_script import (
    Answer,
    Fault,
    HttpError,
    Json,
    NoAnswer,
    Raw,
    Responder,
    Said,
    http_error,
)
from tests.fakes.messages_sse import as_sse, events_of

MOST_BYTES = 32 * 1024 * 1024
VERSIONS = ("2023-06-01", "2026-10-21")


@dataclass
class Seen:
    """One request as it was received, and what became of it."""

    number: int
    headers: dict[str, str]
    body: Json
    status: int = 0
    events_sent: int = 0
    counted: Counted | None = None
    """The input side as the prompt cache counted it; None for refused requests."""
    is_halfway: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a stalled or held reply has sent its last event, or silence has begun."""
    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)
    """For the test to set: a held reply then sends the rest."""
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client left before the answer was complete."""

    @property
    def request_id(self) -> str:
        return f"req_{self.number:04d}"


class FakeMessagesApi:
    """See the module. `requests` holds everything received, refused requests too."""

    def __init__(self, *, now: Callable[[], float] = time.monotonic, api_key: str = "") -> None:
        self.requests: list[Seen] = []
        self.base_url = ""
        self._cache = PromptCache(now)
        self._api_key = api_key
        self._answers: deque[Answer | Responder] = deque()
        self._fallback: Answer | Responder | None = None
        self._unscripted: list[int] = []
        self._connections: set[asyncio.Task[None]] = set()
        self._arrived = asyncio.Condition()
        self._server: asyncio.Server | None = None

    def script(self, *answers: Answer | Responder) -> None:
        """Answer the next requests with these, one each, in order."""
        self._answers.extend(answers)

    def always(self, answer: Answer | Responder) -> None:
        """Answer with this whenever the script is empty."""
        self._fallback = answer

    async def received(self, number: int) -> Seen:
        """Wait until request `number` (from 1) has been received."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= number)
        return self.requests[number - 1]

    async def __aenter__(self) -> "FakeMessagesApi":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()
        self.base_url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        if self._connections:
            await asyncio.wait(self._connections)
        await self._server.wait_closed()
        if error is None:
            assert not self._unscripted, f"no answer was scripted for requests {self._unscripted}"
            assert not self._answers, f"{len(self._answers)} scripted answers were never asked for"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while (request := await read_request(reader)) is not None:
                if not await self._answer(request, reader, writer):
                    break
        except (ConnectionError, asyncio.CancelledError):
            return  # Python 3.11 reports a cancelled connection task as a fault
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(
        self, request: HttpRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether the connection stays open."""
        seen = await self._see(request)
        answer = self._refusal(request, seen) or self._next_answer(seen)
        exchange = _Exchange(seen, reader, writer)
        match answer:
            case Said():
                return await self._say(answer, exchange)
            case HttpError():
                return await exchange.send_error(answer)
            case Raw(status, content_type, body):
                return await exchange.send(status, body.encode(), {"content-type": content_type})
            case NoAnswer(is_closed):
                return await exchange.say_nothing(is_closed=is_closed)
            case _:
                assert_never(answer)

    async def _say(self, answer: Said, exchange: "_Exchange") -> bool:
        seen = exchange.seen
        seen.counted = self._cache.count(seen.body)
        message = message_of(answer, seen.body, seen.number, seen.counted)
        if seen.body.get("stream"):
            events = [*events_of(message, usage_told(message))]
            return await exchange.stream(events, answer.fault)
        return await exchange.send(200, as_json(message), {"content-type": "application/json"})

    async def _see(self, request: HttpRequest) -> Seen:
        body = json.loads(request.body) if request.body else {}
        seen = Seen(len(self.requests) + 1, dict(request.headers), body)
        async with self._arrived:
            self.requests.append(seen)
            self._arrived.notify_all()
        return seen

    def _refusal(self, request: HttpRequest, seen: Seen) -> HttpError | None:
        if (request.method, request.path.partition("?")[0]) != ("POST", "/v1/messages"):
            return http_error(404, "Not found")
        if not self._is_admitted(request):
            return http_error(401, "invalid x-api-key")
        if request.headers.get("anthropic-version") not in VERSIONS:
            return http_error(400, "anthropic-version: header is required")
        if len(request.body) > MOST_BYTES:
            return http_error(413, "Request exceeds the maximum size")
        fault = first_fault(seen.body)
        if fault is not None:
            return http_error(400, fault)
        model = str(seen.body["model"])
        return None if model.startswith("claude-") else http_error(404, f"model: {model}")

    def _is_admitted(self, request: HttpRequest) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        keys = {bearer, request.headers.get("x-api-key", "")} - {""}
        return bool(keys) and (not self._api_key or self._api_key in keys)

    def _next_answer(self, seen: Seen) -> Answer:
        answer = self._answers.popleft() if self._answers else self._fallback
        if answer is None:
            self._unscripted.append(seen.number)
            return http_error(500, "nothing is scripted", x_should_retry="false")
        return answer(seen.body) if callable(answer) else answer


class _Exchange:
    """One request being answered on one connection."""

    def __init__(
        self, seen: Seen, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.seen = seen
        self._reader = reader
        self._writer = writer

    async def send_error(self, error: HttpError) -> bool:
        headers = {"content-type": "application/json", **error.headers}
        return await self.send(error.status, as_json(self._error_body(error)), headers)

    async def send(self, status: int, body: bytes, headers: dict[str, str]) -> bool:
        self.seen.status = status
        self._writer.write(whole(status, body, {**self._headers(), **headers}))
        await self._writer.drain()
        return True

    async def say_nothing(self, *, is_closed: bool) -> bool:
        if not is_closed:
            await self._be_silent()
        return False

    async def stream(self, events: list[Json], fault: Fault | None) -> bool:
        self.seen.status = 200
        streaming = {
            "content-type": "text/event-stream; charset=utf-8",
            "transfer-encoding": "chunked",
        }
        self._writer.write(head(200, {**self._headers(), **streaming}))
        try:
            before = len(events) if fault is None else fault.after
            await self._send_events(events[:before])
            if fault is not None and fault.kind != "held":
                return await self._break(fault)
            if fault is not None:
                self.seen.is_halfway.set()
                await self.seen.may_go_on.wait()
            await self._send_events(events[before:])
            self._writer.write(LAST_CHUNK)
            await self._writer.drain()
        except ConnectionError:
            self.seen.hung_up.set()
            raise
        return True

    async def _send_events(self, events: list[Json]) -> None:
        for event in events:
            await self._send_event(as_sse(event))

    async def _send_event(self, event: bytes) -> None:
        self._writer.write(chunk(event))
        await self._writer.drain()
        self.seen.events_sent += 1

    async def _break(self, fault: Fault) -> bool:
        match fault.kind:
            case "error":
                error = HttpError(200, "it went wrong", fault.error_type)
                await self._send_event(as_sse(self._error_body(error)))
                self._writer.write(LAST_CHUNK)
            case "malformed":
                await self._send_event(b'event: content_block_delta\ndata: {"type": "cont\n\n')
                self._writer.write(LAST_CHUNK)
            case "cut":
                self._writer.write(LAST_CHUNK)
            case "stalled":
                await self._be_silent()
            case "reset":
                reset(self._writer)
            case "chopped" | "held":
                pass
            case _:
                assert_never(fault.kind)
        return False

    async def _be_silent(self) -> None:
        self.seen.is_halfway.set()
        await until_hung_up(self._reader)
        self.seen.hung_up.set()

    def _error_body(self, error: HttpError) -> Json:
        told: Json = {"type": error.type, "message": error.message}
        if error.error_code:
            told["details"] = {"error_code": error.error_code}
        return {"type": "error", "error": told, "request_id": self.seen.request_id}

    def _headers(self) -> dict[str, str]:
        return {
            "request-id": self.seen.request_id,
            "anthropic-organization-id": "00000000-0000-4000-8000-000000000001",
            "anthropic-workspace-id": "wrkspc_01",
            "anthropic-ratelimit-requests-limit": "1000",
            "anthropic-ratelimit-requests-remaining": "999",
            "anthropic-ratelimit-requests-reset": "2026-11-01T10:01:00Z",
        }
