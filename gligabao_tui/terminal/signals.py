"""Signals that end the app: the engine closes first, and the process ends in any case."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = ("SIGTERM", "SIGHUP")
ENDED_BY_SIGNAL = 128
LEAVE_SECONDS = 20.0
"""A process that was sent a signal ends by then, whatever its terminal does."""


@contextmanager
def hearing_signals(ended_by: Callable[[int, object], None]) -> Iterator[None]:
    """SIGTERM and SIGHUP call `ended_by`. For the main thread only.

    A plain handler, since it also runs while the app's loop waits for a terminal that has gone.
    """
    known = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before = [(number, signal.signal(number, ended_by)) for number in known]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def is_hang_up(number: int) -> bool:
    return number == getattr(signal, "SIGHUP", None)


def end_by_force_later(code: int) -> None:
    """The last resort, should leaving hang."""
    last_resort = threading.Timer(LEAVE_SECONDS, os._exit, [code])
    last_resort.daemon = True
    last_resort.start()
