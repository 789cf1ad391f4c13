"""A clock that jumps: a sleep costs no time and is remembered, so that no test ever waits."""

import asyncio
from datetime import UTC, datetime, timedelta

START = datetime(2026, 11, 1, 10, 0, tzinfo=UTC)


class FakeClock:
    """Fulfils `engine.domain.clock.Clock`. `slept` holds the seconds of every sleep, in order.

    A sleep moves the time on at once and lets the other tasks run once.
    """

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._passed = 0.0
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed)

    def monotonic(self) -> float:
        return self._passed

    def advance(self, seconds: float) -> None:
        """Let time pass without anybody sleeping."""
        self._passed += seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)
