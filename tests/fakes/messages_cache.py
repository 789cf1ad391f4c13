"""The prompt cache of the fake: what of a prompt is read, written and paid in full.

A prompt is a row of pieces, tools first, then system, then messages. An entry is the hash of all
pieces up to a breakpoint; behind the system it also depends on `tool_choice` and `thinking`.
Tokens are characters / 4: compare ratios, not numbers.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.fakes.messages_script import Json

LOOKBACK = 20
MINIMUM_TOKENS = 512
FRAME_TOKENS = 3
"""Around every prompt, after its last breakpoint: never cached."""
SECONDS: dict[str, float] = {"5m": 300.0, "1h": 3600.0}


@dataclass(frozen=True)
class Counted:
    """The input side of one request, in tokens."""

    input: int
    read: int
    written_5m: int
    written_1h: int

    @property
    def prompt(self) -> int:
        return self.input + self.read + self.written_5m + self.written_1h


@dataclass(frozen=True)
class _Piece:
    tokens: int
    key: str
    ttl: str
    """`5m` or `1h` at a breakpoint, else empty."""


class PromptCache:
    """Keeps entries as long as `now` (seconds) says; reading refreshes them."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._expiry: dict[str, float] = {}

    def count(self, body: Json) -> Counted:
        """Count one request, and keep what it writes."""
        pieces = list(_pieces(body))
        ends = [index for index, piece in enumerate(pieces) if piece.ttl]
        totals = _running_totals(pieces)
        if not ends or totals[ends[-1]] < MINIMUM_TOKENS:
            return Counted(FRAME_TOKENS + totals[-1], 0, 0, 0)
        hit = self._longest_entry(pieces, ends)
        read = totals[hit] if hit is not None else 0
        written = {"5m": 0, "1h": 0}
        before = read
        for end in ends:
            written[pieces[end].ttl] += max(0, totals[end] - before)
            before = max(before, totals[end])
            self._expiry[pieces[end].key] = self._now() + SECONDS[pieces[end].ttl]
        paid = FRAME_TOKENS + totals[-1] - before
        return Counted(paid, read, written["5m"], written["1h"])

    def _longest_entry(self, pieces: list[_Piece], ends: list[int]) -> int | None:
        """From each breakpoint at most `LOOKBACK` pieces back, the last one first."""
        for end in reversed(ends):
            for index in range(end, max(-1, end - LOOKBACK), -1):
                if self._expiry.get(pieces[index].key, 0.0) > self._now():
                    return index
        return None


def without_cache_control(value: object) -> object:
    """The same JSON with every breakpoint left out: they are no part of a prompt."""
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if key != "cache_control"}
        return {key: without_cache_control(part) for key, part in kept.items()}
    return [without_cache_control(part) for part in value] if isinstance(value, list) else value


def _running_totals(pieces: list[_Piece]) -> list[int]:
    totals, total = [], 0
    for piece in pieces:
        total += piece.tokens
        totals.append(total)
    return totals or [0]


def _pieces(body: Json) -> Iterator[_Piece]:
    digest = hashlib.sha256(str(body["model"]).encode())
    raw = [*_prefix(body), *_conversation(body)]
    for index, (level, value) in enumerate(raw):
        told = json.dumps(without_cache_control(value), ensure_ascii=False)
        if level == "messages" and (index == 0 or raw[index - 1][0] != "messages"):
            digest.update(json.dumps([body.get("tool_choice"), body.get("thinking")]).encode())
        digest.update(told.encode())
        automatic = body.get("cache_control") if index == len(raw) - 1 else None
        control = value.get("cache_control") or automatic
        ttl = control.get("ttl", "5m") if control else ""
        yield _Piece(max(1, len(told) // 4), digest.hexdigest(), ttl)


def _prefix(body: Json) -> Iterator[tuple[str, Json]]:
    for tool in body.get("tools", ()):
        yield "tools", tool
    system = body.get("system", ())
    for block in [{"type": "text", "text": system}] if isinstance(system, str) else system:
        yield "system", block


def _conversation(body: Json) -> Iterator[tuple[str, Json]]:
    for message in body["messages"]:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            yield "messages", {**block, "role": message["role"]}
