"""The screens as text: what is where, and in which words, at the three sizes that must work.

`GLIGABAO_WRITE_DUMPS=1 pytest tests/tui/test_dumps.py` writes them anew; read the difference.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.api import Settings
from tests.tui import scenes
from tests.tui.driving import NARROW, SMALL, WIDE, press, screen_text, shown

FOLDER = Path(__file__).parent / "dumps"
SIZES = {"wide": WIDE, "narrow": NARROW, "small": SMALL}


@dataclass(frozen=True)
class Dump:
    """A scene, and the keys that lead to the screen."""

    scene: str
    keys: tuple[str, ...] = ()
    key: str = scenes.KEY


DUMPS = {
    "main-empty": Dump("nothing"),
    "main-empty-without-key": Dump("nothing", key=""),
    "main-working": Dump("working"),
    "main-failed": Dump("only_failed"),
    "main-completed": Dump("only_completed"),
    "main-mixed": Dump("mixed"),
    "main-search": Dump("mixed", ("/", "r", "i")),
    "main-no-match": Dump("only_completed", ("]",)),
    "details-working": Dump("mixed", ("down", "enter")),
    "details-opened-states": Dump("mixed", ("down", "down", "enter", "E")),
    "details-no-report": Dump("mixed", ("down", "enter", "2")),
    "details-report": Dump("only_completed", ("enter",)),
    "start": Dump("mixed", ("n",)),
    "start-without-key": Dump("mixed", ("n",), key=""),
    "start-faults": Dump("mixed", ("n", "ctrl+j")),
    "stop": Dump("mixed", ("s",)),
    "leave": Dump("mixed", ("q",)),
    "error": Dump("mixed", ("down", "down", "e")),
    "help-runs": Dump("mixed", ("?",)),
    "help-details": Dump("mixed", ("enter", "?")),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", DUMPS)
async def test_the_screen_is_as_it_was_read_last(settings: Settings, name: str, size: str) -> None:
    dump = DUMPS[name]
    engine = getattr(scenes, dump.scene)()
    app = scenes.app_over(engine, scenes.settings_in(settings.data_dir, key=dump.key))
    async with shown(app, SIZES[size]) as pilot:
        if dump.keys:
            await press(pilot, *dump.keys)
        found = screen_text(app)
    file = FOLDER / f"{name}-{size}.txt"
    if os.environ.get("GLIGABAO_WRITE_DUMPS"):
        write(file, found)
    assert found == file.read_text(encoding="utf-8")


def test_every_dump_belongs_to_a_test() -> None:
    wanted = {f"{name}-{size}.txt" for name in DUMPS for size in SIZES}
    assert {file.name for file in FOLDER.iterdir()} == wanted


def write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
