"""Driving the app in tests: wait until what was announced is shown, and read the screen as text."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual import events
from textual.app import App
from textual.pilot import Pilot

from gligabao_tui.app import GligabaoApp
from tests.fakes.engine import FakeEngine

KEY_NAMES = {
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "/": "slash",
    ":": "colon",
    ";": "semicolon",
    "!": "exclamation_mark",
    "?": "question_mark",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    " ": "space",
}
MOST_ROUNDS, QUIET_ROUNDS = 200, 2
WIDE, NARROW, SMALL = (120, 36), (80, 24), (60, 15)


@asynccontextmanager
async def shown(app: GligabaoApp, size: tuple[int, int] = WIDE) -> AsyncIterator[Pilot[int]]:
    """The app, with its engine open and everything read. At the end no widget may have drawn what
    the guard of the terminal had to take out."""
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        try:
            yield pilot
            assert app.line_guard.dropped == 0
        finally:
            await app.bridge.close()


async def settled(pilot: Pilot[int]) -> None:
    """Until reads are answered and what they brought is painted.

    Looks at queues instead of the process's idleness, which is slow to tell and never sure.
    """
    quiet = 0
    for _ in range(MOST_ROUNDS):
        await pilot._wait_for_screen()
        await pilot.app.workers.wait_for_complete()
        pilot.app.screen._on_timer_update()
        quiet = quiet + 1 if _is_quiet(pilot.app) else 0
        if quiet == QUIET_ROUNDS or pilot.app.return_code is not None:
            return
    raise AssertionError("the app does not come to rest")


def _is_quiet(app: App[int]) -> bool:
    screen = app.screen
    nodes = [app, *screen.walk_children(with_self=True)]
    is_painted = not (screen._dirty_widgets or screen._callbacks or screen._layout_required)
    return is_painted and not any(node.message_queue_size for node in nodes)


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one after the other, each until what it leads to is shown."""
    for key in keys:
        name = KEY_NAMES.get(key, key)
        pilot.app.post_message(events.Key(name, key if len(key) == 1 else None))
        await settled(pilot)
    if not keys:
        await settled(pilot)


async def click(pilot: Pilot[int], selector: str, *, at: tuple[int, int] = (0, 0)) -> None:
    """Click on a widget, and wait until what that leads to is shown."""
    await pilot.click(selector, offset=at)
    await settled(pilot)


async def caught_up(pilot: Pilot[int], app: GligabaoApp, engine: FakeEngine) -> None:
    """Until everything that the engine announced is on the screen."""
    await app.bridge.call(lambda _: engine.delivered())
    app.drain()
    await settled(pilot)


def screen_text(app: App[int]) -> str:
    """What a person sees, row by row, without colours."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"
