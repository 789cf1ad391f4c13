"""What Ctrl-C, SIGTERM and SIGHUP do to a command.

The first Ctrl-C asks the command to stop its run, or ends a command that has none; the second
leaves at once. SIGTERM and SIGHUP end the command, and an owner records its runs as interrupted.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gligabao_tui.headless.exit_codes import ExitCode


class Signals:
    """The signals of one command. `code` is what to exit with when they ended it."""

    def __init__(self, command: "asyncio.Task[ExitCode]") -> None:
        self._command = command
        self._times_interrupted = 0
        self._is_heeded = False
        self.code = ExitCode.INTERRUPTED
        self.interrupted = asyncio.Event()
        """Set by the first Ctrl-C while somebody heeds it."""

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Here the first Ctrl-C only sets `interrupted`: the command ends what it began."""
        self._is_heeded = True
        try:
            yield
        finally:
            self._is_heeded = False

    @contextmanager
    def heard(self) -> Iterator[None]:
        """The process's signals come here until the scope is left."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGTERM, self._end)
        loop.add_signal_handler(signal.SIGHUP, self._end)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                loop.remove_signal_handler(number)

    def _interrupt(self) -> None:
        self._times_interrupted += 1
        if self._times_interrupted > 1:
            sys.stdout.flush()
            os._exit(ExitCode.INTERRUPTED)
        if self._is_heeded:
            self.interrupted.set()
        else:
            self._command.cancel()

    def _end(self) -> None:
        self.code = ExitCode.TERMINATED
        self._command.cancel()
