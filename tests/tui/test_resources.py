"""The small files that the app keeps: whole or not at all."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gligabao_tui.resources import write_new, write_whole


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made


@contextmanager
def disk_full_after(size: int) -> Iterator[None]:
    """Files of this process may not grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_cannot_be_written_to_its_end_leaves_nothing(folder: Path) -> None:
    with disk_full_after(100), pytest.raises(OSError, match="large"):
        write_new(folder / "report.md", "x" * 1000)
    assert list(folder.iterdir()) == []


def test_a_file_that_cannot_be_replaced_stays_as_it_was(folder: Path) -> None:
    kept = folder / "ui_state.json"
    write_whole(kept, "before")
    with disk_full_after(100), pytest.raises(OSError, match="large"):
        write_whole(kept, "x" * 1000)
    assert [(file.name, file.read_text()) for file in folder.iterdir()] == [(kept.name, "before")]


def test_a_new_file_replaces_none_and_follows_no_link(folder: Path) -> None:
    (folder / "link.md").symlink_to(folder / "elsewhere.md")
    with pytest.raises(FileExistsError):
        write_new(folder / "link.md", "x")
    assert not (folder / "elsewhere.md").exists()


def test_half_a_surrogate_keeps_nothing_from_being_written(folder: Path) -> None:
    for write in (write_whole, write_new):
        file = folder / write.__name__
        write(file, "a\ud800b")
        assert file.read_text(encoding="utf-8") == "a?b"
