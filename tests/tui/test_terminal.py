"""The app in a terminal of its own: what it leaves behind, and how it ends when it must."""

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60.0
RESTORED = ("\x1b[?1049l", "\x1b[?25h", "\x1b[?1000l", "\x1b[?1003l", "\x1b[?2004l", "\x1b[23;0t")


@dataclass
class Terminal:
    """The other end of the terminal that the app runs in."""

    process: subprocess.Popen[bytes]
    descriptor: int
    written: str = ""

    def until(self, words: str) -> None:
        """Read what the app writes until it has written these words."""
        while words not in self.written:
            ready, _, _ = select.select([self.descriptor], [], [], PATIENCE_SECONDS)
            assert ready, f"{words!r} was not written"
            assert self._read(), f"the app ended before it wrote {words!r}"

    def to_the_end(self) -> int:
        """Read everything, and return the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE_SECONDS)

    def send(self, keys: str) -> None:
        os.write(self.descriptor, keys.encode())

    def _read(self) -> bool:
        try:
            found = os.read(self.descriptor, 65_536)
        except OSError:  # the app has closed its end
            return False
        self.written += found.decode("utf-8", "replace")
        return bool(found)


@contextmanager
def terminal(folder: Path, scene: str) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.tui.terminal_program", str(folder), scene],
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
        preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),  # no threads here
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait()


def test_the_terminal_is_as_it_was_after_the_app(tmp_path: Path) -> None:
    with terminal(tmp_path, "only_completed") as screen:
        screen.until("Commands")
        screen.send("q")
        assert screen.to_the_end() == 0
    for sequence in RESTORED:
        assert sequence in screen.written
    assert screen.written.rindex("\x1b[?1049l") > screen.written.rindex("\x1b[?1049h")
    after = screen.written[screen.written.rindex("\x1b[?1049l") :]
    assert "Traceback" not in after
    assert (tmp_path / "ui_state.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_closes_the_engine_and_the_app_whatever_works(
    tmp_path: Path, name: str, code: int
) -> None:
    with terminal(tmp_path, "working") as screen:
        screen.until("Commands")
        screen.process.send_signal(getattr(signal, name))
        assert screen.to_the_end() == code
    assert "Traceback" not in screen.written


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
from pathlib import Path
from engine.api import AppSettings, Settings
prepare(Settings(data_dir=Path('.'), app=AppSettings(slow_link={is_slow})))
from textual.constants import MAX_FPS
print(MAX_FPS)
"""
    env = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"}
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, check=True
    )
    assert told.stdout.decode().strip() == frames
