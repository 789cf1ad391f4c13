"""Draws the real app as an SVG: `python -m tests.tui.picture SCENE FILE [WIDTH HEIGHT] [KEY...]`."""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.tui import scenes
from tests.tui.driving import settled, shown


async def draw(scene: str, file: Path, size: tuple[int, int], keys: list[str]) -> None:
    engine = getattr(scenes, scene)()
    with tempfile.TemporaryDirectory() as folder:
        app = scenes.app_over(engine, scenes.settings_in(Path(folder)))
        async with shown(app, size) as pilot:
            for key in keys:
                await pilot.press(key)
                await settled(pilot)
            file.write_text(app.export_screenshot(title="gligabao"), encoding="utf-8")


if __name__ == "__main__":
    scene, file, width, height, *keys = [*sys.argv[1:], *(["120", "36"][len(sys.argv[3:]) :])]
    asyncio.run(draw(scene, Path(file), (int(width), int(height)), keys))
