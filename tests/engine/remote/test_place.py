"""Where the socket lies: in the data directory, or in a private folder that a pointer names."""

import os
import socket
import stat
from pathlib import Path

import pytest

from engine.remote.place import (
    MOST_PATH_BYTES,
    clear,
    is_same_user,
    listening_socket,
    place_of,
)


@pytest.fixture
def short(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose path leaves room for a socket, wherever the tests run."""
    folder = Path(os.path.relpath(tmp_path_factory.mktemp("s")))
    monkeypatch.chdir(folder)
    return Path()


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    folder = tmp_path / ("d" * MOST_PATH_BYTES)
    folder.mkdir()
    return folder / "engine.sock"


def test_a_short_path_is_taken_as_it_is_and_is_private(short: Path) -> None:
    wanted = short / "engine.sock"
    listener = listening_socket(wanted)
    assert place_of(wanted) == wanted
    assert stat.S_IMODE(wanted.stat().st_mode) == 0o600
    listener.close()


def test_a_path_that_is_too_long_gets_a_private_folder_and_a_pointer(deep: Path) -> None:
    listener = listening_socket(deep)
    place = place_of(deep)
    assert place != deep
    assert len(os.fsencode(place)) <= MOST_PATH_BYTES
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    listener.listen()
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(os.fspath(place))
    listener.close()
    clear(deep)
    assert not place.parent.exists()
    assert place_of(deep) == deep


def test_a_temporary_folder_that_is_too_deep_itself_is_not_used(
    deep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", os.fspath(deep.parent))
    listener = listening_socket(deep)
    assert place_of(deep).is_socket()
    listener.close()
    clear(deep)
    assert os.listdir(deep.parent) == []


def test_what_a_dead_process_left_is_replaced(deep: Path, short: Path) -> None:
    for wanted in (deep, short / "engine.sock"):
        listening_socket(wanted).close()
        left = place_of(wanted)
        assert left.is_socket()
        again = listening_socket(wanted)
        again.listen()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(os.fspath(place_of(wanted)))
        again.close()
        clear(wanted)
        assert not left.exists()


def test_clearing_follows_no_pointer_to_a_foreign_folder(deep: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    deep.with_name("engine.sock.path").write_text(str(foreign / "engine.sock"))
    clear(deep)
    assert foreign.is_dir()
    assert place_of(deep) == deep


def test_the_other_end_of_a_pair_is_the_same_user() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert is_same_user(ours)
