"""Measures requests for the books: their hash and their size, each message only once.

A conversation only grows, so a request shares all but its last turns with the one before it.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from engine.domain.blocks import Message
from engine.domain.exchange import Request


@dataclass(frozen=True, slots=True)
class Measure:
    """`hash` is SHA-256 as hex, equal for equal requests; `characters` those of its JSON."""

    hash: str
    characters: int


@dataclass(frozen=True, slots=True)
class _Measured:
    thing: object
    digest: bytes
    characters: int


class RequestMeter:
    """For the requests of one run; keeps what it has measured of the last one."""

    def __init__(self) -> None:
        self._frame = _Measured(None, b"", 0)
        self._messages: list[_Measured] = []

    def measure(self, request: Request) -> Measure:
        frame = self._measured_frame(request)
        self._messages = [
            self._measured_message(place, message) for place, message in enumerate(request.messages)
        ]
        ask = f"{request.tool_choice.kind} {request.tool_choice.name} {request.max_tokens}"
        digest = hashlib.sha256(frame.digest + ask.encode())
        for message in self._messages:
            digest.update(message.digest)
        characters = frame.characters + sum(message.characters for message in self._messages)
        return Measure(digest.hexdigest(), characters)

    def _measured_frame(self, request: Request) -> _Measured:
        """What stays the same through a conversation: model, system, tools, schema."""
        frame = (request.model, request.system, request.tools, request.output_schema)
        if self._frame.thing != frame:
            tools = [asdict(tool) for tool in request.tools]
            parts = [request.model, request.system, tools, request.output_schema]
            self._frame = _measured(frame, parts)
        return self._frame

    def _measured_message(self, place: int, message: Message) -> _Measured:
        if place < len(self._messages) and self._messages[place].thing is message:
            return self._messages[place]
        return _measured(message, [message.role, message.content])


def _measured(thing: object, parts: Sequence[object]) -> _Measured:
    told = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    # JSON can spell half a surrogate pair, so a reply may hold one.
    digest = hashlib.sha256(told.encode(errors="surrogatepass")).digest()
    return _Measured(thing, digest, len(told))
