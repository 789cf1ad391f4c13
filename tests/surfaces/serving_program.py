"""`gligabao` with a model that never answers and one schedule, as a process of its own.

`python -m tests.surfaces.serving_program WORDS...`; with DUE_SOON set, its clock stands shortly
before the agent is due.
"""

import os
from datetime import UTC, datetime, timedelta
from functools import partial

from engine.domain.clock import Clock
from engine.domain.definition import Schedule
from engine.domain.timing import Timing
from engine.wiring import Parts, SystemClock, connect
from gligabao_tui.headless.cli import main
from tests.surfaces.waiting_program import Waiting, no_app

SCHEDULE = Schedule("30 7 * * *", "News of {{.Date}}", "Europe/Berlin", user="press")
SOON = datetime(2026, 11, 2, 6, 29, 59, 700_000, tzinfo=UTC)


class EarlyClock(SystemClock):
    """Goes as the machine's does, and shows `SOON` when it is first looked at."""

    def __init__(self) -> None:
        self._ahead: timedelta | None = None

    def now(self) -> datetime:
        now = super().now()
        if self._ahead is None:
            self._ahead = SOON - now
        return now + self._ahead


if __name__ == "__main__":
    clock: Clock = EarlyClock() if os.environ.get("DUE_SOON") else SystemClock()
    parts = Parts(
        clock=clock,
        timing=Timing(closing_calls=0.1, definitions_look=0.02),
        models=lambda _: Waiting(),
        schedules=lambda: {"default": SCHEDULE},
    )
    main(no_app, connect=partial(connect, parts=parts))
