"""Where the owner's socket lies: in the data directory, or elsewhere when that path is too long.

A unix socket's path may have about 104 bytes. A longer one gets a private temporary folder, and
`engine.sock.path` in the data directory says which. Only the holder of the lock may call
`listening_socket` and `clear`, so nobody's live socket is ever removed.
"""

import os
import socket
import struct
import tempfile
from contextlib import suppress
from pathlib import Path

SOCKET_NAME = "engine.sock"
MOST_PATH_BYTES = 100
"""104 on macOS and 108 on Linux, the final NUL included."""
_FOLDER_PREFIX = "gligabao-"
_CREDENTIALS = struct.Struct("3i")
"""Process, user and group, as SO_PEERCRED tells them."""


def listening_socket(wanted: Path) -> socket.socket:
    """A bound socket of mode 0600 that nobody can connect to yet. Raises OSError."""
    clear(wanted)
    path = wanted if _fits(wanted) else _elsewhere(wanted)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(os.fspath(path))
        path.chmod(0o600)
    except OSError:
        listener.close()
        raise
    return listener


def place_of(wanted: Path) -> Path:
    """Where the socket that belongs to `wanted` is to be found."""
    try:
        return Path(_pointer(wanted).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return wanted


def clear(wanted: Path) -> None:
    """Remove the socket, also one that a dead process left, and what led to it."""
    place = place_of(wanted)
    if place.is_socket():
        place.unlink()
    if place != wanted:
        if place.parent.name.startswith(_FOLDER_PREFIX):
            with suppress(OSError):  # not empty or not there: then it is not ours any more
                place.parent.rmdir()
        _pointer(wanted).unlink()


def is_same_user(connection: socket.socket) -> bool:
    """Whether the process at the other end runs as this user; asked where the system can tell."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    told = connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    _pid, user, _group = _CREDENTIALS.unpack(told)
    return bool(user == os.getuid())


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= MOST_PATH_BYTES


def _elsewhere(wanted: Path) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX))
    if not _fits(folder / SOCKET_NAME):
        folder.rmdir()
        folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX, dir="/tmp"))
    place = folder / SOCKET_NAME
    _pointer(wanted).touch(mode=0o600)
    _pointer(wanted).write_text(os.fspath(place), encoding="utf-8")
    return place


def _pointer(wanted: Path) -> Path:
    return wanted.with_name(f"{wanted.name}.path")
