"""The first frame: painted before anything is read, heard while the rest is, and never moved."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import pytest

from engine.api import AppSettings, Engine, Settings
from gligabao_tui.app import OpeningApp
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.means import Means
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, SMALL, WIDE, screen_text, settled
from tests.tui.terminal_driving import PATIENCE_SECONDS, ROOT, Terminal, running

SLOW_TO_IMPORT = (
    *("typer", "pydantic", "markdown_it", "plotext", "textual_plotext", "anthropic", "httpx"),
    *("sqlite3", "engine.wiring", "engine.settings_file", "gligabao_tui.bridge"),
    *("gligabao_tui.screens.main", "gligabao_tui.screens.house", "gligabao_tui.headless.cli"),
)
ENDED = "\x1b[?1049l"


def own_places(folder: Path) -> Mapping[str, str]:
    names = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "GLIGABAO_DATA_DIR")
    return {name: str(folder) for name in names}


@dataclass
class Held:
    """The program in its terminal, which waits until `go_on`."""

    screen: Terminal
    pipe: IO[str]

    def go_on(self) -> None:
        self.pipe.close()


@contextmanager
def held(folder: Path, *arguments: str) -> Iterator[Held]:
    """The program with its first frame painted, and nothing read."""
    os.mkfifo(folder / "go")
    program = ("tests.tui.opening_program", str(folder), *arguments)
    with running(*program, environ=own_places(folder)) as screen:
        screen.until("gligabao", "opening", "Quit")
        with (folder / "go").open("w") as pipe:  # which waits for the reader
            yield Held(screen, pipe)


def test_nothing_slow_is_imported_before_the_first_frame(tmp_path: Path) -> None:
    with held(tmp_path) as opening:
        screen = opening.screen
        opening.go_on()
        screen.until("Nothing has been researched yet")
        screen.send("q")
        assert screen.to_the_end() == 0
    imported = set((tmp_path / "imported").read_text().split())
    assert {"textual.app", "gligabao_tui.app"} <= imported
    assert imported & set(SLOW_TO_IMPORT) == set()


@pytest.mark.parametrize("keys", ["q", "\x03", "\x11"])
def test_the_app_is_left_at_once_while_it_opens(tmp_path: Path, keys: str) -> None:
    with held(tmp_path) as opening:
        screen = opening.screen
        screen.send(keys)
        screen.until_written(ENDED)
        opening.go_on()
        assert screen.to_the_end() == 0
    assert b"Traceback" not in screen.written
    assert not (tmp_path / "gligabao.db").exists()


def test_a_letter_that_leaves_belongs_to_what_was_typed_before_it(tmp_path: Path) -> None:
    with held(tmp_path) as opening:
        screen = opening.screen
        screen.send("Gq")
        screen.until_quiet()
        assert ENDED.encode() not in screen.written
        opening.go_on()
        assert screen.to_the_end() == 0
    assert (tmp_path / "ui_state.json").exists()


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_the_app_while_it_opens(tmp_path: Path, name: str, code: int) -> None:
    with held(tmp_path) as opening:
        screen = opening.screen
        screen.process.send_signal(getattr(signal, name))
        if name == "SIGTERM":
            screen.until_written(ENDED)
        opening.go_on()
        assert screen.to_the_end() == code
    assert b"Traceback" not in screen.written


def test_what_is_typed_while_it_opens_is_not_lost(tmp_path: Path) -> None:
    with held(tmp_path) as opening:
        screen = opening.screen
        screen.send("n")
        screen.until_quiet()
        opening.go_on()
        screen.until("New research")
        screen.send("\x1b")
        screen.until("Commands", without="New research")
        screen.send("q")
        assert screen.to_the_end() == 0


def test_the_demo_begins_with_the_same_frame(tmp_path: Path) -> None:
    with held(tmp_path, "demo", "--user", "ann") as opening:
        screen = opening.screen
        opening.go_on()
        screen.until("#1 What happens when a source")
        screen.process.send_signal(signal.SIGTERM)
        assert screen.to_the_end() == 143


def test_every_wrong_setting_is_told_in_the_same_words_after_the_first_frame(
    tmp_path: Path,
) -> None:
    config = tmp_path / "bad.toml"
    config.write_text('modle = "x"\nuser = 3\n[app]\ntheme = 7\nmouse = false\n')
    flags = ("--config", str(config), "--log-level", "loud")
    environ = own_places(tmp_path)
    with running("gligabao_tui", *flags, environ=environ) as screen:
        screen.until("opening")
        assert screen.to_the_end() == 3
    told = screen.written.decode().rpartition(ENDED)[2]
    command = [sys.executable, "-m", "gligabao_tui", "research", "ls", *flags]
    env = {**os.environ, **environ}
    plain = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert plain.returncode == 3
    assert len(plain.stderr.splitlines()) == 4
    assert told.replace("\r\n", "\n").endswith(plain.stderr)


def test_a_config_that_is_not_there_is_told(tmp_path: Path) -> None:
    with running("gligabao_tui", "--config=missing.toml", environ=own_places(tmp_path)) as screen:
        assert screen.to_the_end() == 3
    assert b"there is no file" in screen.written


def test_the_first_frame_has_the_colours_and_keys_of_the_settings(tmp_path: Path) -> None:
    config = tmp_path / "own.toml"
    text = '[app]\ntheme = "gligabao-light"\nmouse = false\n[app.keymap]\n"app.leave" = "f10"\n'
    config.write_text(text)
    with held(tmp_path, "--config", str(config)) as opening:
        screen = opening.screen
        assert "f10 Quit" in screen.picture.text()
        assert b"48;2;246;248;250" in screen.written
        assert b"\x1b[?1003h" not in screen.written
        screen.send("\x1b[21~")
        screen.until_written(ENDED)
        opening.go_on()
        assert screen.to_the_end() == 0


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
@pytest.mark.parametrize("look", [AppSettings(), AppSettings(ascii=True)])
async def test_what_the_first_frame_shows_stays_where_it_is(
    settings: Settings, look: AppSettings, size: tuple[int, int]
) -> None:
    may_read, may_open, is_opening = threading.Event(), threading.Event(), threading.Event()
    engine = FakeEngine()

    @asynccontextmanager
    async def opened_late() -> AsyncIterator[Engine]:
        is_opening.set()
        await asyncio.to_thread(may_open.wait, PATIENCE_SECONDS)
        async with engine.opened() as opened:
            yield opened

    def read() -> Means:
        may_read.wait(PATIENCE_SECONDS)
        return Means(replace(settings, app=look), opened_late, now=engine.clock.now)

    app = OpeningApp(look, read)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        first = screen_text(app).splitlines()
        assert not isinstance(app.screen, MainScreen)
        may_read.set()
        assert await asyncio.to_thread(is_opening.wait, PATIENCE_SECONDS)
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
        second = screen_text(app).splitlines()
        may_open.set()
        await settled(pilot)
        third = screen_text(app).splitlines()
        await app.bridge.close()
    assert "opening" in first[0]
    assert "Help" in first[-1]
    assert (first[0], first[-1]) == (second[0], second[-1])
    assert first[-1].split("?")[1] == third[-1].split("?")[1]
    assert app.line_guard.dropped == 0
