"""What makes the screens move: news of the engine, drained now and then, and the passing of time.

Nothing is polled: the first event arms the drain, and while no agent works time passes in steps of
half a minute.
"""

import asyncio
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from textual.app import App
from textual.timer import Timer

WORKING_TICK_SECONDS, IDLE_TICK_SECONDS = 1.0, 30.0


class Pulse:
    """`drain` and `tick` are the app's; `drain_seconds` is how long to wait between two drains."""

    def __init__(
        self,
        app: App[Any],
        *,
        drain: Callable[[], None],
        tick: Callable[[], None],
        drain_seconds: Callable[[], float],
    ) -> None:
        self._app = app
        self._drain = drain
        self._tick = tick
        self._drain_seconds = drain_seconds
        self._drained_at = float("-inf")
        self._ticking: Timer | None = None
        self._day: date | None = None
        self.tick_seconds = IDLE_TICK_SECONDS

    def begin(self) -> None:
        self._ticking = self._app.set_interval(self.tick_seconds, self._tick)

    def news(self) -> None:
        """The first event since the last drain is there."""
        loop = asyncio.get_running_loop()
        wait = self._drained_at + self._drain_seconds() - loop.time()
        loop.call_later(max(0.0, wait), self._drain)

    def drained(self) -> None:
        self._drained_at = asyncio.get_running_loop().time()

    def set_pace(self, *, works: bool) -> None:
        """Every second while an agent works, else now and then."""
        seconds = WORKING_TICK_SECONDS if works else IDLE_TICK_SECONDS
        if self._ticking is not None and self.tick_seconds != seconds:
            self.tick_seconds = seconds
            self._ticking.stop()
            self._ticking = self._app.set_interval(seconds, self._tick)

    def is_new_day(self, now: datetime) -> bool:
        """Whether a day (UTC) has begun since this was last asked."""
        before, self._day = self._day, now.date()
        return before not in (None, self._day)
