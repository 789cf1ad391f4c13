"""The look of the app in colour: read the pictures before accepting a change.

`pytest tests/tui/test_snapshots.py --snapshot-update` draws them anew.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
from textual.pilot import Pilot

from engine.api import AppSettings
from tests.tui import scenes
from tests.tui.base_scenes import WHO
from tests.tui.driving import NARROW, SMALL, WIDE, press, settled

Compare: TypeAlias = Callable[..., bool]


def after(*keys: str) -> Callable[[Pilot[int]], Awaitable[None]]:
    async def run_before(pilot: Pilot[int]) -> None:
        await settled(pilot)
        if keys:
            await press(pilot, *keys)

    return run_before


@pytest.mark.parametrize(
    ("scene", "keys", "size"),
    [
        ("nothing", (), WIDE),
        ("mixed", (), WIDE),
        ("mixed", (), NARROW),
        ("mixed", ("down", "enter"), WIDE),
        ("only_completed", ("enter",), WIDE),
        ("mixed", ("down", "down", "e"), WIDE),
        ("mixed", ("n", "ctrl+j"), WIDE),
        ("cited_beside", ("down", "enter", ">", ">"), WIDE),
        ("cited", ("enter", *(">",) * 4, "enter"), WIDE),
        ("spending", ("enter", "7"), WIDE),
        ("knowing", ("enter", "4"), WIDE),
        ("knowing", ("enter", "5", "G", "left", "plus"), WIDE),
        ("knowing", ("enter", "4", "j", "j", "enter", ">", ">", ">"), NARROW),
        ("known", ("B", *WHO, "enter"), WIDE),
        ("known", ("B", "escape", "4"), NARROW),
        ("mixed", ("ctrl+p",), NARROW),
        ("mixed", ("ctrl+o",), WIDE),
        ("definitions", ("f3", "j"), WIDE),
        ("faulty_definitions", ("f3", "escape"), NARROW),
        ("faulty_definitions", ("f3",), SMALL),
        ("scheduled", ("f4",), WIDE),
        ("scheduled", ("f4", "down"), SMALL),
        ("many_agents", ("n", "tab", "a"), NARROW),
        ("capped", (), WIDE),
    ],
    ids=[
        *("empty", "mixed", "narrow", "details", "report", "error", "start"),
        *(
            "links",
            "passage",
            "cost",
            "knowledge",
            "time",
            "fact",
            "base",
            "base-queue",
            "palette",
            "jump",
        ),
        *("agents", "agents-faulty", "agents-problems"),
        *("schedules", "schedules-small", "many-agents", "capped"),
    ],
)
def test_the_app_looks_as_it_did(
    snap_compare: Compare,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    scene: str,
    keys: tuple[str, ...],
    size: tuple[int, int],
) -> None:
    monkeypatch.chdir(tmp_path)  # so that no path of this machine is in the picture
    app = scenes.app_over(getattr(scenes, scene)(), scenes.settings_in(Path("data")))
    assert snap_compare(app, run_before=after(*keys), terminal_size=size)


@pytest.mark.parametrize("theme", ["gligabao-light", "gligabao-blue", "gligabao-ansi"])
def test_the_other_themes_look_as_they_did(
    snap_compare: Compare, tmp_path: Path, theme: str
) -> None:
    settings = replace(scenes.settings_in(tmp_path), app=AppSettings(theme=theme))
    app = scenes.app_over(scenes.mixed(), settings)
    assert snap_compare(app, run_before=after(), terminal_size=WIDE)
