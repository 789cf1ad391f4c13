"""The stored form of an index: atomic, mapped, never trusted."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.web.providers.docs_store import FILE_NAME, DamagedIndex, load, save
from tests.engine.web.providers.folders import BOOK, built, write


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A folder with a stored index of three documents."""
    save(built(write(tmp_path / "documents", BOOK)), tmp_path / "index")
    return tmp_path / "index"


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    index = built(write(tmp_path / "documents", BOOK))
    save(index, tmp_path / "index")
    again = load(tmp_path / "index")
    assert [page.path for page in again.pages] == ["guide/locks.md", "notes.txt", "wal.html"]
    texts = [again.text(page) for page in again.pages]
    assert texts == [index.text(page) for page in index.pages]
    assert "A checkpoint moves pages back." in texts[2]
    assert again.pages[2].anchors["checkpoints"] == texts[2].index("## Checkpoints")
    query = {"checkpoint": 1.0, "lock": 1.0}
    assert again.index.scores(query).tolist() == index.index.scores(query).tolist()
    assert again.passages.start.tolist() == index.passages.start.tolist()


def test_a_folder_without_documents_can_be_stored_too(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    save(built(tmp_path / "empty"), tmp_path / "index")
    assert load(tmp_path / "index").pages == ()


def test_a_reader_keeps_what_it_has_when_the_index_is_replaced(
    stored: Path, tmp_path: Path
) -> None:
    before = load(stored)
    text = before.text(before.pages[0])
    save(built(write(tmp_path / "others", {"other.md": "Other."})), stored)
    assert before.text(before.pages[0]) == text
    assert [page.path for page in load(stored).pages] == ["other.md"]


def test_only_the_owner_may_read_it_and_nothing_is_left_beside_it(stored: Path) -> None:
    assert [file.name for file in stored.iterdir()] == [FILE_NAME]
    assert (stored / FILE_NAME).stat().st_mode & 0o077 == 0


def test_no_machine_path_is_in_it(stored: Path, tmp_path: Path) -> None:
    assert str(tmp_path).encode() not in (stored / FILE_NAME).read_bytes()


def test_a_missing_index_is_told_apart_from_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path)
    (tmp_path / FILE_NAME).write_bytes(b"")
    with pytest.raises(DamagedIndex):
        load(tmp_path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(place=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255))
def test_a_changed_byte_anywhere_is_noticed(stored: Path, place: float, bits: int) -> None:
    whole = (stored / FILE_NAME).read_bytes()
    at = int(place * len(whole))
    (stored / FILE_NAME).write_bytes(whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :])
    with pytest.raises(DamagedIndex):
        load(stored)
    (stored / FILE_NAME).write_bytes(whole)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(place=st.floats(0, 1, exclude_max=True))
def test_a_cut_file_is_noticed(stored: Path, place: float) -> None:
    whole = (stored / FILE_NAME).read_bytes()
    (stored / FILE_NAME).write_bytes(whole[: int(place * len(whole))])
    with pytest.raises(DamagedIndex):
        load(stored)
    (stored / FILE_NAME).write_bytes(whole)
