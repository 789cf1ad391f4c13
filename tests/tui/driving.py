"""Driving the app in tests: wait until what was announced is shown, and read the screen as text."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from gligabao_tui.app import GligabaoApp
from tests.fakes.engine import FakeEngine

KEY_NAMES = {
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "/": "slash",
    "!": "exclamation_mark",
    "?": "question_mark",
    " ": "space",
}
WIDE, NARROW = (120, 36), (80, 24)


@asynccontextmanager
async def shown(app: GligabaoApp, size: tuple[int, int] = WIDE) -> AsyncIterator[Pilot[int]]:
    """The app, with its engine open and everything read."""
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        try:
            yield pilot
        finally:
            await app.bridge.close()


async def settled(pilot: Pilot[int]) -> None:
    """Until reads are answered and what they brought is painted."""
    await pilot.pause()
    while any(not worker.is_finished for worker in pilot.app.workers):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one after the other, each until what it leads to is shown."""
    for key in keys or ("",):
        if key:
            await pilot.press(KEY_NAMES.get(key, key))
        await settled(pilot)


async def caught_up(pilot: Pilot[int], app: GligabaoApp, engine: FakeEngine) -> None:
    """Until everything that the engine announced is on the screen."""
    await app.bridge.call(lambda _: engine.delivered())
    app.drain()
    await settled(pilot)


def screen_text(app: GligabaoApp) -> str:
    """What a person sees, row by row, without colours."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"
