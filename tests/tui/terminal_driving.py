"""The other end of a real terminal: it reads what the app writes and keeps what would be seen.

It understands what Textual sends and no more: places, text, and sequences to be passed over. What
the app writes is kept whole too, for tests that look at its bytes.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

from rich.cells import cell_len

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS, QUIET_SECONDS = 30.0, 0.3
SLICE_SECONDS = 0.05
SIZE = (120, 36)
SEQUENCE = re.compile(
    r"\x1b\[([0-?]*)[ -/]*([@-~])"  # CSI
    r"|\x1bP.*?\x1b\\(?!\x1b)|\x1b[\]_^X][^\x07\x1b]*(?:\x07|\x1b\\)"  # strings
    r"|\x1b[<-~]",
    re.DOTALL,
)
UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[P\]_^X][^\x07]*)?\Z")
OF_OTHER_TERMINALS = (
    *("TMUX", "SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT", "WAYLAND_DISPLAY", "DISPLAY", "CI"),
    *("TERM_PROGRAM", "KITTY_WINDOW_ID", "LC_TERMINAL", "WT_SESSION", "WEZTERM_PANE"),
    *("GHOSTTY_RESOURCES_DIR", "VISUAL", "EDITOR", "PAGER", "NO_COLOR", "TEXTUAL_FPS"),
    *("COLUMNS", "LINES"),
)


@dataclass
class Picture:
    """Cells by row and column; `feed` takes what was written, in any pieces."""

    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    row: int = 0
    column: int = 0
    waiting: str = ""

    def feed(self, text: str) -> None:
        text = self.waiting + text
        cut = found.start() if (found := UNFINISHED.search(text)) else len(text)
        text, self.waiting = text[:cut], text[cut:]
        at = 0
        for sequence in SEQUENCE.finditer(text):
            self._put(text[at : sequence.start()])
            self._obey(sequence[1] or "", sequence[2] or "")
            at = sequence.end()
        self._put(text[at:])

    def text(self) -> str:
        rows: dict[int, dict[int, str]] = {}
        for (row, column), character in self.cells.items():
            rows.setdefault(row, {})[column] = character
        return "\n".join(_row(rows.get(row, {})) for row in range(max(rows, default=-1) + 1))

    def _obey(self, numbers: str, what: str) -> None:
        if what in ("H", "f"):
            row, _, column = numbers.partition(";")
            self.row, self.column = int(row or 1) - 1, int(column or 1) - 1
        elif what == "J" or (what == "h" and numbers == "?1049"):
            self.cells.clear()

    def _put(self, text: str) -> None:
        for character in text:
            if character == "\n":
                self.row, self.column = self.row + 1, 0
            elif character == "\r":
                self.column = 0
            elif width := cell_len(character):
                self.cells[self.row, self.column] = character
                if width > 1:
                    self.cells[self.row, self.column + 1] = ""
                self.column += width


@dataclass
class Terminal:
    process: subprocess.Popen[bytes]
    descriptor: int
    written: bytes = b""
    picture: Picture = field(default_factory=Picture)

    def until(self, *words: str, without: str = "") -> None:
        """Read until all these words are seen, and those of `without` are not."""
        give_up = monotonic() + PATIENCE_SECONDS
        while True:
            seen = self.picture.text()
            if all(word in seen for word in words) and not (without and without in seen):
                return
            assert monotonic() < give_up, f"{words} not seen in:\n{seen}"
            ready, _, _ = select.select([self.descriptor], [], [], 1)
            assert not ready or self.read(), f"the app ended before {words}:\n{seen}"

    def until_slowly(self, words: str, bytes_per_second: int) -> None:
        """Read as slowly as a bad connection would, until these words are seen."""
        give_up = monotonic() + PATIENCE_SECONDS
        while words not in self.picture.text():
            assert monotonic() < give_up, f"{words!r} not seen in:\n{self.picture.text()}"
            sleep(SLICE_SECONDS)
            ready, _, _ = select.select([self.descriptor], [], [], 1)
            assert not ready or self.read(int(bytes_per_second * SLICE_SECONDS))

    def until_quiet(self) -> None:
        """Read until nothing more is painted for a moment."""
        while select.select([self.descriptor], [], [], QUIET_SECONDS)[0]:
            assert self.read(), "the app ended"

    def until_written(self, sequence: str) -> None:
        """Read until these very bytes were written."""
        give_up = monotonic() + PATIENCE_SECONDS
        while sequence.encode() not in self.written:
            assert monotonic() < give_up, f"{sequence!r} was not written"
            ready, _, _ = select.select([self.descriptor], [], [], 1)
            assert not ready or self.read(), f"the app ended before {sequence!r}"

    def to_the_end(self) -> int:
        """Read everything, and return the exit code."""
        while self.read():
            pass
        return self.process.wait(PATIENCE_SECONDS)

    def send(self, keys: str) -> None:
        os.write(self.descriptor, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        resize(self.descriptor, columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def read(self, most: int = 65_536) -> bool:
        """Whether there was anything; false when the app has closed its end."""
        try:
            found = os.read(self.descriptor, most)
        except OSError:
            return False
        self.written += found
        self.picture.feed(found.decode("utf-8", "replace"))
        return bool(found)


@contextmanager
def running(
    *arguments: str, environ: Mapping[str, str] | None = None, size: tuple[int, int] = SIZE
) -> Iterator[Terminal]:
    """`python -m ARGUMENTS` in a terminal of its own, whatever terminal the tests run in."""
    ours, theirs = pty.openpty()
    resize(theirs, *size)
    own = {name: value for name, value in os.environ.items() if name not in OF_OTHER_TERMINALS}
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**own, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(environ or {})},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # no threads here
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait()


def terminal(
    folder: Path, scene: str, *more: str, environ: Mapping[str, str] | None = None
) -> AbstractContextManager[Terminal]:
    """The app over a scene of `scenes.py`; `more` is for `terminal_program.py`."""
    return running("tests.tui.terminal_program", str(folder), scene, *more, environ=environ)


def resize(descriptor: int, columns: int, rows: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _row(cells: dict[int, str]) -> str:
    return "".join(cells.get(column, " ") for column in range(max(cells, default=-1) + 1)).rstrip()
