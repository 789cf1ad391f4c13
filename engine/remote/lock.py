"""Who owns a data directory: the process that holds `engine.lock`.

The kernel frees the lock when its holder dies, whatever way, so no clock and no clean-up is needed.
The file itself is never deleted: two processes could then hold two locks of one name.
"""

import os
from pathlib import Path

from engine.domain.errors import CannotStart, Problem

LOCK_NAME = "engine.lock"


class OwnerLock:
    """The held lock. It lasts until `release`, or until this process ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def try_acquire(cls, path: Path) -> "OwnerLock | None":
        """The lock, without waiting; None when another process (or this one) holds it.

        Raises CannotStart when the file cannot be opened.
        """
        import fcntl  # absent on Windows, where importing this module must not fail

        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as exc:
            what = f"cannot be opened ({exc.strerror}): it must be yours to write, with its folder"
            raise CannotStart(Problem(str(path), what)) from exc
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        return cls(descriptor)

    def release(self) -> None:
        os.close(self._descriptor)


def is_held(path: Path) -> bool:
    """Whether a process owns the data now. Creates and writes nothing."""
    import fcntl

    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def holder_of(path: Path) -> str:
    """The process id that the holder wrote down; empty when there is none to be read."""
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
