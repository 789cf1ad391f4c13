"""Draws the real app: `python -m tests.tui.picture SCENE FILE.svg [WIDTH HEIGHT] [KEY...]`."""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.tui import scenes
from tests.tui.driving import settled, shown


async def drawn(scene: str, size: tuple[int, int], keys: list[str]) -> str:
    """The SVG of a scene of `scenes.py`, after these keys."""
    engine = getattr(scenes, scene)()
    with tempfile.TemporaryDirectory() as folder:
        app = scenes.app_over(engine, scenes.settings_in(Path(folder)))
        async with shown(app, size) as pilot:
            for key in keys:
                await pilot.press(key)
                await settled(pilot)
            return app.export_screenshot(title="gligabao")


if __name__ == "__main__":
    scene, file, width, height, *keys = [*sys.argv[1:], *(["120", "36"][len(sys.argv[3:]) :])]
    picture = asyncio.run(drawn(scene, (int(width), int(height)), keys))
    Path(file).write_text(picture, encoding="utf-8")
