"""Imports modules and tells which of them touched the environment, the disk or the clock.

Run as a program of its own: `python -m tests.architecture.import_guard FOLDER MODULE...`. Prints
a line per fault. Importing is no fault, whatever the import system and other people's modules do
meanwhile: only what the project's own top-level code does, itself or through what it calls.
"""

import importlib
import io
import os
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

CLOCK_NAMES = {"datetime.now", "datetime.today", "date.today", "datetime.utcnow"}
CLOCK_READERS = {time.time, time.time_ns, time.monotonic, time.perf_counter, time.localtime}
DISK = {io.open, os.open, os.stat, os.lstat, os.scandir, os.listdir, os.getcwd, os.mkdir}
ENVIRONMENT = {"_Environ.__getitem__", "_Environ.__iter__", "_Environ.__setitem__"}
NOT_OURS = ("<frozen importlib", "pydantic/plugin/_loader.py")
"""The import system, and Pydantic, which looks for plug-ins whenever a model class is made."""
INSTALLED = "/site-packages/"
"""Other people's modules, also where the environment lies in the checkout."""


class Guard:
    """A profile function: it sees every call while the modules are imported."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self.faults: list[str] = []

    def __call__(self, frame: FrameType, event: str, called: Any) -> None:
        touched = _touched(frame, event, called)
        if touched and (place := self._our_place(frame)):
            self.faults.append(f"{place} {touched}")

    def _our_place(self, frame: FrameType | None) -> str:
        """The line of ours that caused it, or nothing when an import stands in between."""
        while frame is not None:
            file = frame.f_code.co_filename
            if any(part in file for part in NOT_OURS):
                return ""
            if file.startswith(self._folder) and INSTALLED not in file:
                return f"{file.removeprefix(self._folder)}:{frame.f_lineno}"
            frame = frame.f_back
        return ""


def _touched(frame: FrameType, event: str, called: Any) -> str:
    if event == "call" and frame.f_code.co_qualname in ENVIRONMENT:
        return "reads the environment"
    if event != "c_call":
        return ""
    if called in CLOCK_READERS or getattr(called, "__qualname__", "") in CLOCK_NAMES:
        return f"reads the clock ({called.__name__})"
    return f"touches the disk ({called.__name__})" if called in DISK else ""


def main(folder: str, *modules: str) -> None:
    guard = Guard(Path(folder))
    sys.path.insert(0, folder)
    sys.setprofile(guard)
    for module in modules:
        importlib.import_module(module)
    sys.setprofile(None)
    sys.stdout.write("\n".join(guard.faults))


if __name__ == "__main__":
    main(*sys.argv[1:])
