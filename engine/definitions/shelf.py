"""The definitions of a process that stays: read again when they change, never worse than before.

A change that is not sound leaves the agents as they were, and says why. Everything here reads the
disk: call it beside the loop.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from engine.definitions.catalog import Catalog, Examined, examine
from engine.definitions.checks import KNOWN, Known
from engine.domain.errors import CannotStart

_MOST_ENTRIES = 5000
"""Files and folders that are looked at for changes."""

_Stamps: TypeAlias = tuple[tuple[str, int, int], ...]


class Shelf:
    """Holds the catalog that new runs are to use."""

    def __init__(
        self, directory: Path | None = None, known: Known = KNOWN, *, is_expected: bool = True
    ) -> None:
        """Raises CannotStart with every problem: a program must not begin with half its agents.

        `is_expected`: that there is no such directory is a warning.
        """
        self._directory = directory
        self._known = known
        self._is_expected = is_expected
        self._stamps = _stamps(directory)
        self.last = self._examined()
        """What the last reading found, sound or not."""
        if self.last.catalog is None:
            raise CannotStart(*self.last.problems)
        self._catalog = self.last.catalog

    @property
    def catalog(self) -> Catalog:
        """The last sound one."""
        return self._catalog

    def has_changed(self) -> bool:
        """Whether files of the directory came, went or were written since they were last read."""
        return _stamps(self._directory) != self._stamps

    def reload(self) -> Examined:
        """Read everything again. Only when it is sound does the catalog change."""
        self._stamps = _stamps(self._directory)
        self.last = self._examined()
        self._catalog = self.last.catalog or self._catalog
        return self.last

    def _examined(self) -> Examined:
        return examine(self._directory, self._known, is_expected=self._is_expected)


def _stamps(directory: Path | None) -> _Stamps:
    """Name, size and time of each file, in order; those that cannot be asked have none."""
    found = _entries(directory) if directory is not None else ()
    return tuple(sorted(stamp for path in found for stamp in _stamp(path)))


def _entries(directory: Path) -> Iterator[str]:
    left = _MOST_ENTRIES
    for folder, folders, files in os.walk(directory):
        folders.sort()
        for name in sorted(files):
            if left == 0:
                return
            left -= 1
            yield os.path.join(folder, name)


def _stamp(path: str) -> Iterator[tuple[str, int, int]]:
    try:
        status = os.stat(path)
    except OSError:
        return
    yield path, status.st_size, status.st_mtime_ns
