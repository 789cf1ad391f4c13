"""One streamed call of the Messages API through the SDK; imports the SDK, so imported lazily.

It must never retry, and never believe a stream to be complete before `message_stop` has come with a
stop reason: a connection that is cut cleanly raises nothing.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import anthropic
import httpx2
from anthropic.lib.streaming import AsyncMessageStream

from engine.domain.blocks import Block
from engine.domain.errors import ProviderDetails, ProviderError
from engine.domain.exchange import Delta, Reply, Request, UsageSeen
from engine.domain.text_safety import clean
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from engine.llm.anthropic_errors import translated, translated_opening
from engine.llm.anthropic_request import parameters, uses_server_tools
from engine.llm.model import OnProgress
from engine.settings import EndpointSettings

OFFICIAL_URL = "https://api.anthropic.com"
KEYLESS = "none"
"""Sent to servers of one's own that need no key: the SDK would look for one on the machine."""

CONNECT_SECONDS = 10.0
HTTP_OK = 200

Wire: TypeAlias = Any
"""Events and blocks as the SDK builds them: unvalidated, so read with care and turned at once."""


class Connection:
    """The SDK's client for one endpoint. It belongs to the event loop that uses it."""

    def __init__(self, api_key: str, endpoint: EndpointSettings, timing: Timing) -> None:
        self._timing = timing
        base_url = endpoint.base_url.rstrip("/").removesuffix("/v1") or OFFICIAL_URL
        self._client = anthropic.AsyncAnthropic(
            api_key=api_key or KEYLESS,
            base_url=base_url,
            max_retries=0,
            default_headers=_key_headers(api_key or KEYLESS, endpoint),
            http_client=anthropic.DefaultAsyncHttpxClient(trust_env=not _is_loopback(base_url)),
            open_telemetry=False,
        )

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        """One attempt. Raises ProviderError; on any way out the stream is closed."""
        sent: Mapping[str, Any] = parameters(request)
        stream = self._client.messages.stream(**sent, timeout=self._timeout(request))
        with translated_opening():
            received = await stream.__aenter__()
        try:
            return await _Received(request, received).reply(on_progress)
        finally:
            await received.close()

    async def aclose(self) -> None:
        await self._client.close()

    def _timeout(self, request: Request) -> httpx2.Timeout:
        """Silence, pings included, means that the service stalled; a search takes its time."""
        searching = uses_server_tools(request)
        idle = self._timing.stream_idle_searching if searching else self._timing.stream_idle
        return httpx2.Timeout(idle, connect=min(idle, CONNECT_SECONDS))


def _key_headers(api_key: str, endpoint: EndpointSettings) -> dict[str, Any]:
    """The SDK itself sends `Authorization: Bearer`; some gateways read `x-api-key` only."""
    match endpoint.auth_style:
        case "bearer":
            return {}
        case "both":
            return {"x-api-key": api_key}
        case "x-api-key":
            return {"x-api-key": api_key, "Authorization": anthropic.omit}


def _is_loopback(base_url: str) -> bool:
    """Loopback is never asked for through a proxy."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class _Received:
    """What has come so far of one reply, and what of it is worth telling."""

    def __init__(self, request: Request, stream: AsyncMessageStream[None]) -> None:
        self._request = request
        self._stream = stream
        self._request_id = stream.request_id or ""
        self._has_started = False
        self._has_stopped = False
        self._searches = 0

    async def reply(self, on_progress: OnProgress) -> Reply:
        """Read to the end, telling what comes as it comes."""
        is_open = True
        while is_open:
            with translated():
                event: Wire = await anext(self._stream, None)
                told = None if event is None else self._read(event)
            is_open = event is not None
            if told is not None:
                on_progress(told)
        self._check_complete()
        with translated():
            return self._whole()

    def _read(self, event: Wire) -> Delta | UsageSeen | None:
        """Only the events of the protocol: the SDK repeats them in a form of its own."""
        match event.type:
            case "message_start":
                self._has_started = True
                return self._usage_seen()
            case "content_block_start":
                return self._search_seen(event.content_block)
            case "content_block_delta":
                return _delta(event.delta)
            case "message_delta":
                return self._usage_seen()
            case "message_stop":
                self._has_stopped = True
        return None

    def _usage_seen(self) -> UsageSeen:
        return UsageSeen(self._usage(), self._request_id)

    def _search_seen(self, block: Wire) -> UsageSeen | None:
        """Results are billed when they come; usage tells of them only at the end."""
        if block.type != "web_search_tool_result" or not isinstance(block.content, list):
            return None
        self._searches += 1
        return self._usage_seen()

    def _usage(self) -> Usage:
        usage = _usage(self._stream.current_message_snapshot.usage)
        return replace(usage, searches=max(usage.searches, self._searches))

    def _check_complete(self) -> None:
        details = ProviderDetails(http_status=HTTP_OK, request_id=self._request_id)
        if not self._has_started:
            raise ProviderError(
                "bad_reply", "the model API answered without a message", details=details
            )
        if not self._has_stopped or self._stream.current_message_snapshot.stop_reason is None:
            raise ProviderError(
                "incomplete", "the reply of the model API was cut off", details=details
            )

    def _whole(self) -> Reply:
        message: Wire = self._stream.current_message_snapshot
        blocks = [_block(block) for block in message.content]
        return Reply(
            content=tuple(block for block in blocks if not _is_empty_text(block)),
            stop_reason=str(message.stop_reason),
            usage=self._usage(),
            model=str(message.model or self._request.model),
            request_id=self._request_id,
        )


def _delta(delta: Wire) -> Delta | None:
    match delta.type:
        case "text_delta":
            return Delta("text", clean(delta.text))
        case "thinking_delta":
            return Delta("thinking", clean(delta.thinking))
        case "input_json_delta" if delta.partial_json:
            return Delta("tool_input", clean(delta.partial_json))
    return None


def _usage(told: Wire) -> Usage:
    """The split of cache writes comes with the first event only, their total with the last: a
    server tool writes five-minute entries of its own in between."""
    if told is None:
        return Usage()
    split, server_tools = told.cache_creation, told.server_tool_use
    one_hour = (split.ephemeral_1h_input_tokens or 0) if split else 0
    return Usage(
        input_tokens=told.input_tokens or 0,
        output_tokens=told.output_tokens or 0,
        cache_read_tokens=told.cache_read_input_tokens or 0,
        cache_write_5m_tokens=max(0, (told.cache_creation_input_tokens or 0) - one_hour),
        cache_write_1h_tokens=one_hour,
        searches=(server_tools.web_search_requests or 0) if server_tools else 0,
    )


def _block(block: Wire) -> Block:
    """The fields that were received and no others, so that the block can be sent back."""
    received: Block = block if isinstance(block, dict) else block.to_dict()
    return received


def _is_empty_text(block: Block) -> bool:
    """The API refuses such a block when it comes back, though its models write them."""
    return block.get("type") == "text" and not str(block.get("text", "")).strip()
