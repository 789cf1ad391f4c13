"""Draws the demo from an empty workspace to its report, with the real engine: for the handbook.

`python -m tests.tui.demo_pictures docs/pictures` writes one SVG for every step. Nothing is staged:
the pages are read, the run is stored, and what the pictures show is what was found.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

from textual.pilot import Pilot

from engine.api import Settings, connect
from gligabao_tui.app import GligabaoApp
from tests.tui.driving import press, settled
from tests.tui.picture import without_fonts

SIZE = (120, 34)
PATIENCE_SECONDS = 120.0
LOOK_SECONDS = 0.02
QUESTION = "What happens to a run when the program is killed?"


async def draw(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place, chdir(place):
        settings = Settings(data_dir=Path("research-data"), anthropic_api_key="")
        app = GligabaoApp(settings, lambda: connect(settings, stay=True))
        async with app.run_test(size=SIZE, notifications=True) as pilot:
            camera = Camera(app, pilot, folder)
            await camera.until(lambda: app.main.engine == "owned")
            await the_demo(camera)
            await app.bridge.close()


async def the_demo(camera: "Camera") -> None:
    await camera.take("1-welcome")
    await camera.press("D")
    await camera.until(lambda: camera.shows("reading"))
    await camera.take("2-at-work")
    await camera.until(lambda: not camera.app.main.working)
    await camera.press("2")
    await camera.until(lambda: camera.shows("checked"))
    await camera.take("3-report")
    await camera.press(">", "enter")
    await camera.until(lambda: camera.shows("Source 1"))
    await camera.take("4-source")
    await camera.press("escape", "1", "g", "j", "j", "j", "space")
    await camera.take("5-states")
    await camera.press("escape", "n", *QUESTION.replace(" ", "~"))
    await camera.take("6-next")


class Camera:
    """Presses keys and keeps what is on the screen."""

    def __init__(self, app: GligabaoApp, pilot: Pilot[int], folder: Path) -> None:
        self.app = app
        self._pilot = pilot
        self._folder = folder

    async def press(self, *keys: str) -> None:
        await press(self._pilot, *(" " if key == "~" else key for key in keys))

    async def take(self, name: str) -> None:
        await settled(self._pilot)
        drawn = self.app.export_screenshot(title="gligabao")
        (self._folder / f"{name}.svg").write_text(without_fonts(drawn), encoding="utf-8")

    def shows(self, text: str) -> bool:
        strips = self.app.screen._compositor.render_strips()
        return text in "\n".join(strip.text for strip in strips)

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not is_so():  # a person looks again and again, too
                await self._pilot.pause(LOOK_SECONDS)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(draw(target.resolve()))
