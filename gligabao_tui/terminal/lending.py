"""Lends the terminal to the person's editor or pager, and takes it back.

The screen stands still meanwhile; the engine, in its own thread, does not. What is written for
the other program lies in a private folder of the data directory and is removed afterwards.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from textual.app import App, SuspendNotSupported

from engine.api import clean
from gligabao_tui.terminal.programs import (
    NO_TERMINAL,
    Command,
    Edited,
    editor,
    ended_words,
    pager,
)

LARGEST_EDITED = 2_000_000
"""Bytes: whoever wrote more into a form's field did not mean to."""
OF_THE_KEYBOARD = ("SIGINT", "SIGQUIT")
OF_THE_PROCESS = ("SIGTERM", "SIGHUP")


def edit_text(app: App[Any], text: str, *, folder: Path, name: str = "text.md") -> Edited:
    """Let the person change `text` in their editor. `folder` is the data directory."""
    command = editor(os.environ, shutil.which)
    if command.problem:
        return Edited(problem=command.problem)
    try:
        with _private_file(folder, name, text) as file:
            problem = _lent(app, command, file)
            return Edited(problem=problem) if problem else _read_back(file, text)
    except OSError as error:
        return Edited(problem=f"The text could not be handed to the editor: {error}")


def edit_file(app: App[Any], file: Path) -> str:
    """Let the person change a file of theirs where it is. Returns what went wrong, or nothing."""
    command = editor(os.environ, shutil.which)
    return command.problem or _lent(app, command, file)


def page_text(app: App[Any], text: str, *, folder: Path, name: str = "text.md") -> str:
    """Show `text` in the person's pager. Returns what went wrong, or nothing."""
    command = pager(os.environ, shutil.which)
    if command.problem:
        return command.problem
    try:
        with _private_file(folder, name, text) as file:
            return _lent(app, command, file)
    except OSError as error:
        return f"The text could not be handed to the pager: {error}"


@contextmanager
def _private_file(folder: Path, name: str, text: str) -> Iterator[Path]:
    """Only its owner can read it, whatever an editor puts beside it too."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with TemporaryDirectory(prefix="text-", dir=folder, ignore_cleanup_errors=True) as place:
        file = Path(place) / name
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as written:
            written.write(clean(text))
        yield file


def _lent(app: App[Any], command: Command, file: Path) -> str:
    """Run the program on the file, with the terminal its own. Returns what went wrong."""
    if app._driver is None or not app._driver.can_suspend:
        return NO_TERMINAL
    try:
        with app.suspend():
            return _told_of(command, file)
    except SuspendNotSupported:
        return NO_TERMINAL


def _told_of(command: Command, file: Path) -> str:
    """Raises nothing: Textual takes the terminal back only from a program that ended well."""
    try:
        return ended_words(command, run_in_front((*command.words, str(file)), os.environ))
    except OSError as error:
        return f"{command.words[0]} could not be run: {error.strerror}"


def run_in_front(words: tuple[str, ...], environ: Mapping[str, str]) -> int:
    """Run a program until it ends, and return its code. Raises OSError when it cannot begin.

    What the keyboard sends to all processes of the terminal is meant for the program alone; a
    signal that ends this process ends the program first.
    """
    with ExitStack() as stack, subprocess.Popen(words, env=dict(environ)) as child:
        for name in OF_THE_KEYBOARD:
            stack.enter_context(_handled(name, _for_the_program))
        for name in OF_THE_PROCESS:
            stack.enter_context(_ending(name, child))
        return child.wait()


@contextmanager
def _ending(name: str, child: "subprocess.Popen[bytes]") -> Iterator[None]:
    before = signal.getsignal(getattr(signal, name))

    def end_both(number: int, frame: FrameType | None) -> None:
        child.terminate()
        if callable(before):
            before(number, frame)

    with _handled(name, end_both):
        yield


@contextmanager
def _handled(name: str, handler: Any) -> Iterator[None]:
    number = getattr(signal, name)
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def _for_the_program(_: int, __: FrameType | None) -> None:
    """A handler and not "ignore", which the program would inherit."""


def _read_back(file: Path, before: str) -> Edited:
    if file.stat().st_size > LARGEST_EDITED:
        return Edited(problem=f"The text is longer than {LARGEST_EDITED:,} bytes; nothing changed")
    after = clean(file.read_text(encoding="utf-8", errors="replace")).rstrip("\n")
    return Edited(None if after == before.rstrip("\n") else after)
