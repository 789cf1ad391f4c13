"""Definitions that change while a program runs: the sound ones count, the others are told."""

import os
from pathlib import Path

import pytest

from engine.definitions.shelf import Shelf
from engine.domain.errors import CannotStart
from tests.engine.definitions.files import toml, write


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return write(tmp_path / "own", {"a.toml": toml("a", 'skills = ["s"]'), "skills/s.md": "One."})


def test_a_sound_change_counts_once_it_is_read(own: Path) -> None:
    shelf = Shelf(own)
    assert not shelf.has_changed()
    write(own, {"b.toml": toml("b"), "skills/s.md": "Another."})
    assert shelf.has_changed()
    assert "b" not in shelf.catalog.definitions
    assert shelf.reload().problems == ()
    assert shelf.catalog.get("b").name == "b"
    assert shelf.catalog.get("a").skills[0].text == "Another."
    assert not shelf.has_changed()


def test_a_broken_change_leaves_the_agents_as_they_were_and_says_why(own: Path) -> None:
    shelf = Shelf(own)
    before = shelf.catalog
    write(own, {"a.toml": "name =", "b.toml": toml("b")})
    assert [str(one) for one in shelf.reload().problems] == ["a.toml:1: is not TOML: Invalid value"]
    assert shelf.catalog is before
    assert shelf.last.problems
    write(own, {"a.toml": toml("a")})
    assert shelf.reload().problems == ()
    assert "b" in shelf.catalog.definitions


def test_a_deleted_or_moved_file_is_a_change(own: Path) -> None:
    shelf = Shelf(own)
    (own / "a.toml").rename(own / "c.toml")
    assert shelf.has_changed()
    shelf.reload()
    (own / "c.toml").unlink()
    assert shelf.has_changed()
    shelf.reload()
    assert "a" not in shelf.catalog.definitions


def test_a_file_that_is_written_with_the_same_size_is_a_change(own: Path) -> None:
    shelf = Shelf(own)
    os.utime(own / "a.toml", ns=(1, 1))
    assert shelf.has_changed()


def test_what_is_not_sound_from_the_beginning_is_refused(own: Path) -> None:
    write(own, {"a.toml": "x"})
    with pytest.raises(CannotStart, match=r"a\.toml:1: is not TOML"):
        Shelf(own)


def test_without_a_directory_nothing_changes() -> None:
    shelf = Shelf()
    assert not shelf.has_changed()
    assert shelf.reload().catalog == shelf.catalog
    assert shelf.catalog.schedules() == {}


def test_a_usual_directory_may_be_missing_and_is_seen_once_it_is_made(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "usual", is_expected=False)
    assert shelf.last.warnings == ()
    write(tmp_path / "usual", {"a.toml": toml("a")})
    assert shelf.has_changed()
    assert shelf.reload().problems == ()
    assert "a" in shelf.catalog.definitions


def test_a_directory_that_somebody_named_is_missed(tmp_path: Path) -> None:
    (warning,) = Shelf(tmp_path / "named").last.warnings
    assert "there is no such directory" in str(warning)
