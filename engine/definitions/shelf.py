"""The definitions of a process that stays: read again when they change, never worse than before.

A change that is not sound leaves the agents as they were, and says why. Everything here reads the
disk: call it beside the loop, one call at a time.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from engine.definitions.bundle import examine_bundle
from engine.definitions.catalog import Catalog, Examined, examine
from engine.domain.errors import CannotStart
from engine.domain.text_safety import one_line

_MOST_ENTRIES = 5000
"""Files and folders that are looked at for changes."""
_MOST_PLACE_CHARS = 1000

_Stamp: TypeAlias = tuple[str, int, int, int]
_Stamps: TypeAlias = tuple[_Stamp, ...]


class Shelf:
    """Holds the catalog that new runs are to use."""

    def __init__(
        self,
        directory: Path | None = None,
        *,
        is_expected: bool = True,
        bundle: Path | None = None,
    ) -> None:
        """Raises CannotStart with every problem: a program must not begin with half its agents.

        `is_expected`: that there is no such directory is a warning. With a bundle there are the
        agents of that file and no others.
        """
        self._directory = directory if bundle is None else None
        self._is_expected = is_expected
        self._bundle = bundle
        self._stamps = self._seen = self._stamps_now()
        self.last = self._examined()
        """What the last reading found, sound or not."""
        if self.last.catalog is None:
            raise self._cannot_start()
        self._catalog = self.last.catalog

    @property
    def catalog(self) -> Catalog:
        """The last sound one."""
        return self._catalog

    @property
    def directory(self) -> Path | None:
        """Where a person's own definitions are, whether it is there or not."""
        return self._directory

    def _cannot_start(self) -> CannotStart:
        """Every problem, and as a note the directory, which the problems do not name."""
        error = CannotStart(*self.last.problems)
        if self._directory is not None:
            place = one_line(str(self._directory), _MOST_PLACE_CHARS)
            error.add_note(
                f"nothing was started: mend the files in {place}; `gligabao doctor` works meanwhile"
            )
        return error

    def has_changed(self) -> bool:
        """Whether files came, went or were written since they were last read."""
        return self._stamps_now() != self._stamps

    def reload(self) -> Examined:
        """Read everything again. Only when it is sound does the catalog change."""
        stamps = self._stamps_now()
        return self._taken(self._examined(), stamps)

    def reload_settled(self) -> Examined | None:
        """As `reload`, when files changed and stand as they stood when this was last asked. None
        when nothing changed, or when somebody is still writing."""
        before, self._seen = self._seen, self._stamps_now()
        if self._seen == self._stamps or self._seen != before:
            return None
        found = self._examined()
        was_disturbed = self._stamps_now() != self._seen
        return None if was_disturbed else self._taken(found, self._seen)

    def _taken(self, found: Examined, stamps: _Stamps) -> Examined:
        self._stamps = stamps
        self.last = found
        self._catalog = found.catalog or self._catalog
        return found

    def _examined(self) -> Examined:
        if self._bundle is not None:
            return examine_bundle(self._bundle)
        return examine(self._directory, is_expected=self._is_expected)

    def _stamps_now(self) -> _Stamps:
        """Of each file in order; those that cannot be asked have none."""
        paths = _files(self._bundle or self._directory)
        return tuple(sorted(stamp for path in paths for stamp in _stamp(path)))


def _files(root: Path | None) -> Iterator[str]:
    """The files below `root`, and `root` itself: it may be a file, or not allow to be read."""
    if root is None:
        return
    yield str(root)
    left = _MOST_ENTRIES
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            if left == 0:
                return
            left -= 1
            yield os.path.join(folder, name)


def _stamp(path: str) -> Iterator[_Stamp]:
    """Name, size and both times: of what was written, and of who may read it."""
    try:
        status = os.stat(path)
    except OSError:
        return
    yield path, status.st_size, status.st_mtime_ns, status.st_ctime_ns
