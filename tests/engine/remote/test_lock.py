"""The owner's lock: one holder, known by its number, freed by the kernel."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engine.domain.errors import CannotStart
from engine.remote.lock import OwnerLock, holder_of, is_held


def test_only_one_holds_the_lock_and_the_next_gets_it_after_a_release(tmp_path: Path) -> None:
    path = tmp_path / "engine.lock"
    first = OwnerLock.try_acquire(path)
    assert first is not None
    assert OwnerLock.try_acquire(path) is None
    first.release()
    again = OwnerLock.try_acquire(path)
    assert again is not None
    again.release()


def test_the_holder_writes_its_number_into_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "engine.lock"
    path.write_text("99999999 and more from a longer number")
    path.unlink()
    lock = OwnerLock.try_acquire(path)
    assert lock is not None
    assert holder_of(path) == str(os.getpid())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    lock.release()


def test_a_shorter_number_replaces_a_longer_one(tmp_path: Path) -> None:
    path = tmp_path / "engine.lock"
    path.write_text("9" * 40)
    lock = OwnerLock.try_acquire(path)
    assert lock is not None
    assert holder_of(path) == str(os.getpid())
    lock.release()


def test_whether_anybody_holds_it_is_seen_without_a_trace(tmp_path: Path) -> None:
    path = tmp_path / "data" / "engine.lock"
    assert not is_held(path)
    assert not path.parent.exists()
    path.parent.mkdir()
    path.write_text("77")
    assert not is_held(path)
    assert path.read_text() == "77"
    lock = OwnerLock.try_acquire(path)
    assert lock is not None
    assert is_held(path)
    lock.release()
    assert not is_held(path)


def test_no_lock_file_has_no_holder(tmp_path: Path) -> None:
    assert holder_of(tmp_path / "missing") == ""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert holder_of(tmp_path / "bytes") == ""


def test_a_lock_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="cannot be opened"):
        OwnerLock.try_acquire(tmp_path / "missing" / "engine.lock")


def test_a_killed_process_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "engine.lock"
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from engine.remote.lock import OwnerLock\n"
        "lock = OwnerLock.try_acquire(Path(sys.argv[1]))\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert OwnerLock.try_acquire(path) is None
        assert holder_of(path) == str(holder.pid)
        holder.kill()
    freed = OwnerLock.try_acquire(path)
    assert freed is not None
    freed.release()
