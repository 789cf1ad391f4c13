"""Draws the real app: the picture of the README, or any scene of the tests.

`python -m tests.tui.picture docs/app.svg` draws the README's.
`python -m tests.tui.picture FILE.svg SCENE [WIDTH HEIGHT] [KEY...]` draws a scene after some keys.
"""

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from engine.api import RunId
from gligabao_tui.app import GligabaoApp
from gligabao_tui.view.ui_state import UiState, ui_state_text
from tests.fakes.engine import FakeEngine
from tests.tui import scenes
from tests.tui.driving import WIDE, caught_up, press, shown

README_SIZE = (118, 30)
FONTS = re.compile(r"@font-face \{.*?\}", re.DOTALL)
SPEECH = (
    "The annual report gives both owners. I check the share of 2021 against a second source "
    "before I write it down: one page says 50 %, another 49.9 %."
)


async def readme_picture() -> str:
    """Two agents at work and one that failed; one's states are open while it speaks."""
    engine = scenes.mixed()
    with tempfile.TemporaryDirectory() as folder:
        remember(Path(folder), docked=(RunId(3),))
        app = scenes.app_over(engine, scenes.settings_in(Path(folder)))
        async with shown(app, README_SIZE) as pilot:
            await press(pilot, "down", "enter")
            engine.enter(RunId(4), "thinking", "step 3 of 40")
            engine.say(RunId(4), SPEECH)
            await caught_up(pilot, app, engine)
            return without_fonts(app.export_screenshot(title="gligabao"))


async def scene_picture(scene: str, size: tuple[int, int], keys: list[str]) -> str:
    """A scene of `scenes.py`, after these keys."""
    engine: FakeEngine = getattr(scenes, scene)()
    with tempfile.TemporaryDirectory() as folder:
        app = scenes.app_over(engine, scenes.settings_in(Path(folder)))
        async with shown(app, size) as pilot:
            for key in keys:
                await act(pilot, app, engine, key)
            return without_fonts(app.export_screenshot(title="gligabao"))


async def act(pilot: Pilot[int], app: GligabaoApp, engine: FakeEngine, key: str) -> None:
    """Press a key; `@NAME` lets that function of the scenes do something to the engine."""
    if key.startswith("@"):
        getattr(scenes, key[1:])(engine)
        await caught_up(pilot, app, engine)
    else:
        await press(pilot, key)


def without_fonts(picture: str) -> str:
    """A picture that fetches nothing: the reader's own monospaced font is used."""
    return FONTS.sub("", picture)


def remember(folder: Path, *, docked: tuple[RunId, ...]) -> None:
    (folder / "ui_state.json").write_text(ui_state_text(UiState(docked)), encoding="utf-8")


def main(file: str, scene: str = "", *more: str) -> None:
    width, height = (int(more[0]), int(more[1])) if more else WIDE
    drawing = scene_picture(scene, (width, height), [*more[2:]]) if scene else readme_picture()
    Path(file).write_text(asyncio.run(drawing), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
