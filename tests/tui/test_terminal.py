"""The app in a terminal of its own: what it leaves behind, and how it ends when it must."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.terminal_driving import PATIENCE_SECONDS, ROOT, terminal

RESTORED = (
    *(b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?2004l"),
    b"\x1b[23;0t",
)


def test_the_terminal_is_as_it_was_after_the_app(tmp_path: Path) -> None:
    with terminal(tmp_path, "only_completed") as screen:
        screen.until("engine here")
        screen.send("q")
        assert screen.to_the_end() == 0
    for sequence in RESTORED:
        assert sequence in screen.written
    assert screen.written.rindex(b"\x1b[?1049l") > screen.written.rindex(b"\x1b[?1049h")
    after = screen.written[screen.written.rindex(b"\x1b[?1049l") :]
    assert b"Traceback" not in after
    assert (tmp_path / "ui_state.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_closes_the_engine_and_the_app_whatever_works(
    tmp_path: Path, name: str, code: int
) -> None:
    with terminal(tmp_path, "working") as screen:
        screen.until("Commands")
        screen.process.send_signal(getattr(signal, name))
        assert screen.to_the_end() == code
    assert b"Traceback" not in screen.written


def test_a_terminal_that_goes_away_takes_the_app_with_it(tmp_path: Path) -> None:
    with terminal(tmp_path, "working") as screen:
        screen.until("Commands")
        os.close(screen.descriptor)
        assert screen.process.wait(PATIENCE_SECONDS) == 129


@pytest.mark.parametrize(("is_slow", "frames"), [(True, "5"), (False, "60")])
def test_a_slow_link_gets_few_frames(is_slow: bool, frames: str) -> None:
    """Textual reads how many when it is imported: in a process that has not imported it yet."""
    program = f"""
from gligabao_tui.__main__ import prepare
from engine.api import AppSettings
prepare(AppSettings(slow_link={is_slow}))
from textual.constants import MAX_FPS
print(MAX_FPS)
"""
    env = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"}
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, check=True
    )
    assert told.stdout.decode().strip() == frames


def test_a_run_is_started_watched_stopped_and_left(tmp_path: Path) -> None:
    """The whole way by keys: the form, a run that ends, another that is stopped, the exit."""
    with terminal(tmp_path, "mixed", "keyed") as screen:
        screen.until("Commands", "● 2 working")
        screen.send("n")
        screen.until("New research")
        screen.send("Rivers of Łódź\n")
        screen.until("#6 Rivers of Łódź", "● 3 working")
        screen.send("\x1b[20~")  # F9: run 5 completes
        screen.until("● 2 working", "✓ 2 done")
        screen.send("s")
        screen.until("Stop #6?")
        screen.send("s")
        screen.until("● 1 working", "■ 2 stopped")
        screen.send("q")
        screen.until("1 agent is still working")
        screen.send("S")
        assert screen.to_the_end() == 0
    assert b"Traceback" not in screen.written


def test_a_terminal_of_one_cell_and_back_shows_all_again(tmp_path: Path) -> None:
    with terminal(tmp_path, "mixed") as screen:
        screen.until("Commands", "Baltica")
        screen.until_quiet()
        before = screen.picture.text()
        screen.resize(1, 1)
        screen.resize(59, 14)
        screen.until("needs")
        screen.resize(120, 36)
        screen.until("Commands", "Baltica", without="needs")
        screen.until_quiet()
        assert without_times(screen.picture.text()) == without_times(before)
        screen.send("qS")
        assert screen.to_the_end() == 0


def test_a_storm_of_new_sizes_ends_with_the_last_one(tmp_path: Path) -> None:
    with terminal(tmp_path, "working") as screen:
        screen.until("Commands")
        for columns in range(60, 180, 2):
            screen.resize(columns, 15 + columns % 30)
        screen.resize(80, 24)
        screen.send("n")
        screen.until("New research")
        screen.send("\x1b")
        screen.until("Commands", without="New research")
        screen.until_quiet()
        assert screen.picture.text().split("\n")[23].startswith(" n New")
        screen.process.send_signal(signal.SIGTERM)
        assert screen.to_the_end() == 143
    assert b"Traceback" not in screen.written


def without_times(text: str) -> str:
    """Ages and running times go on."""
    return "".join(character for character in text if not character.isdigit())
