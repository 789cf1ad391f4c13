"""Copies a text by a clipboard program and by the terminal. The screen never waits for either."""

import subprocess
from asyncio import to_thread
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from shutil import which

from textual.message import Message

from engine.api import clean
from gligabao_tui.terminal.copying import Copied, Find, clipboard_command
from gligabao_tui.terminal.outside import Outside
from gligabao_tui.terminal.sequences import copy_sequence

PROGRAM_SECONDS = 2.0


@dataclass
class CopyWanted(Message):
    """A screen wants `text` copied. `what` names it, `offer` is another way to it: the app
    answers with a note of what happened."""

    text: str
    what: str
    offer: str = ""


class Clipboard:
    """`send` writes to the terminal."""

    def __init__(self, outside: Outside, send: Callable[[str], None], find: Find = which) -> None:
        self._outside = outside
        self._send = send
        self._find = find

    async def copy(self, text: str, what: str) -> Copied:
        """Copy in every way there is, and return what was tried."""
        copied = self.send(text, what)
        command = clipboard_command(self._outside, self._find)
        if not command:
            return copied
        took = await to_thread(fed, command, copied.text)
        return replace(copied, program=PurePath(command[0]).name, took=took)

    def send(self, text: str, what: str) -> Copied:
        """By the terminal alone."""
        safe = clean(text)
        if not self._outside.is_plain:
            self._send(copy_sequence(safe, self._outside.multiplexer))
        return Copied(what, safe, is_sent=not self._outside.is_plain)


def fed(command: Sequence[str], text: str) -> bool:
    """Whether a program took the text by its standard input.

    A session of its own keeps what stays behind to serve the clipboard alive after the app.
    """
    try:
        done = subprocess.run(
            command,
            input=text.encode("utf-8"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PROGRAM_SECONDS,
            start_new_session=True,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
