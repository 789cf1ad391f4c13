"""What a signal does to agents that work: they do not go on unseen, and it is written down."""

import asyncio
import signal
from contextlib import AbstractAsyncContextManager

import pytest

from engine.api import AttachedEngine, RunId, Settings, StartRequest
from engine.domain.exchange import Reply, Request
from engine.domain.timing import Timing
from engine.llm.model import OnProgress
from engine.wiring import Parts, connect
from gligabao_tui.app import GligabaoApp, Opening
from tests.tui.driving import shown

MOST_SECONDS = 10.0
REQUEST = StartRequest("What do rivers carry?", "admin", model="offline")


class Waiting:
    """A model that never answers (engine.llm.model.Model)."""

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError("it waits for ever")


def real_engine(settings: Settings) -> AbstractAsyncContextManager[AttachedEngine]:
    parts = Parts(timing=Timing(closing_calls=0.1), models=lambda _: Waiting())
    return connect(settings, stay=True, parts=parts)


@pytest.mark.parametrize("is_leaving_already", [False, True])
async def test_a_signal_interrupts_the_agents_and_the_app_ends_at_once(
    settings: Settings, is_leaving_already: bool
) -> None:
    opening = Opening(start=REQUEST)
    app = GligabaoApp(settings, lambda: real_engine(settings), opening=opening)
    async with shown(app), asyncio.timeout(MOST_SECONDS):
        assert [run.topic for run in app.main.working] == [REQUEST.topic]
        if is_leaving_already:
            app.bridge.ask_to_close()
        app.ended_by(signal.SIGTERM, None)
        await app.bridge.ended()
    assert app.failure is None
    async with real_engine(settings) as engine:
        run = (await engine.get(RunId(1))).run
    assert (run.status, run.error) == ("failed", "interrupted")
