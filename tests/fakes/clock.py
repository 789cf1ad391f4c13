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


class SteppedClock(FakeClock):
    """A clock that stands until a test lets time pass; a sleep ends when its time has come.

    `sleepers` is how many tasks sleep in turns: time moves on only while all of them do.
    """

    def __init__(self, start: datetime = START, *, sleepers: int) -> None:
        super().__init__(start)
        self._sleepers = sleepers
        self._asleep: list[tuple[float, asyncio.Future[None]]] = []
        self._fell_asleep = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asleep.append((self.monotonic() + seconds, waking))
        self._fell_asleep.set()
        await waking

    async def pass_by(self, seconds: float) -> None:
        """Let so much time pass, from one sleeper's end to the next."""
        end = self.monotonic() + seconds
        await self._until_all_sleep()
        while (soonest := min(due for due, _ in self._asleep)) <= end:
            self.advance(soonest - self.monotonic())
            self._wake()
            await self._until_all_sleep()
        self.advance(end - self.monotonic())

    async def _until_all_sleep(self) -> None:
        while len(self._asleep) < self._sleepers:
            self._fell_asleep.clear()
            await self._fell_asleep.wait()

    def _wake(self) -> None:
        now = self.monotonic()
        for due, waking in self._asleep:
            if due <= now and not waking.done():
                waking.set_result(None)
        self._asleep = [(due, waking) for due, waking in self._asleep if due > now]
