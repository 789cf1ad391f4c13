"""A terminal for benchmarks: it reads at full speed, stamps what it reads, and can stop reading.

It understands two things of what it is sent: where the cursor of a list is painted (its background
is a colour of its own), and which words were painted.
"""

import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fcntl import ioctl
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS, COLUMNS = 36, 120
CURSOR_COLOUR = b"48;2;43;58;77"
_PLACES = re.compile(rb"\x1b\[(\d+);\d+H|" + CURSOR_COLOUR)
_SEQUENCES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.")
_ASKS_SYNC, _HAS_SYNC = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?)?\Z")
PATIENCE_SECONDS = 60.0


@dataclass
class Seen:
    """What has been painted so far. `words` is what was painted since they were last forgotten."""

    cursor_row: int = 0
    row: int = 0
    words: bytes = b""
    count: int = 0
    unparsed: bytes = b""

    def feed(self, data: bytes) -> None:
        self.count += len(data)
        text = self.unparsed + data
        cut = found.start() if (found := _UNFINISHED.search(text)) else len(text)
        text, self.unparsed = text[:cut], text[cut:]
        for place in _PLACES.finditer(text):
            if place[1]:
                self.row = int(place[1])
            else:
                self.cursor_row = self.row
        self.words = (self.words + _SEQUENCES.sub(b"", text))[-200_000:]


@dataclass
class Terminal:
    process: subprocess.Popen[bytes]
    descriptor: int
    seen: Seen = field(default_factory=Seen)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _may_read: threading.Event = field(default_factory=threading.Event)
    _awaited: Callable[[Seen], bool] | None = None
    _came_at: float | None = None
    _read_at: float = 0.0
    _has_ended: bool = False

    def send(self, keys: bytes) -> float:
        """When the keys were sent."""
        sent = time.perf_counter()
        os.write(self.descriptor, keys)
        return sent

    def expect(self, is_there: Callable[[Seen], bool]) -> None:
        """From now on, wait for this; `came` says when it came."""
        with self._changed:
            self._awaited = is_there
            self._came_at = self._read_at if is_there(self.seen) else None

    def came(self, patience: float = PATIENCE_SECONDS) -> float | None:
        """When what is expected was read; None when it did not come in time, or the app ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._came_at or self._has_ended, patience)
            return self._came_at

    def until_words(self, words: str, *, press: bytes = b"") -> None:
        """Until this was painted, pressing a key now and again."""
        self.expect(lambda seen: words.encode() in seen.words)
        deadline = time.perf_counter() + PATIENCE_SECONDS
        while self.came(0.2) is None:
            assert not self._has_ended, f"the app ended before it showed {words!r}"
            assert time.perf_counter() < deadline, f"{words!r} was not shown"
            if press:
                self.send(press)

    def forget(self) -> None:
        with self._changed:
            self.seen.words = b""

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Nothing is read meanwhile, so that the app cannot write."""
        self._may_read.clear()
        try:
            yield
        finally:
            self._may_read.set()

    def read_on(self) -> None:
        """What the reading thread does."""
        while True:
            self._may_read.wait()
            try:
                data = os.read(self.descriptor, 1 << 16)
            except OSError:  # the app has closed its end
                data = b""
            self._take(data, time.perf_counter())
            if not data:
                return

    def _take(self, data: bytes, now: float) -> None:
        if _ASKS_SYNC in data:
            os.write(self.descriptor, _HAS_SYNC)
        with self._changed:
            self._has_ended, self._read_at = not data, now
            self.seen.feed(data)
            if self._awaited and self._came_at is None and self._awaited(self.seen):
                self._came_at = now
            self._changed.notify_all()


@contextmanager
def terminal(
    command: Sequence[str], *, environment: Mapping[str, str], descriptors: Sequence[int] = ()
) -> Iterator[Terminal]:
    """A program in a terminal of its own, which is ended at the end if it has not ended."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        pass_fds=descriptors,
        env={**plain, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
        start_new_session=True,
        preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    screen = Terminal(process, ours)
    screen._may_read.set()
    reader = threading.Thread(target=screen.read_on, daemon=True)
    reader.start()
    try:
        yield screen
    finally:
        process.kill()
        process.wait()
        reader.join()
        os.close(ours)
