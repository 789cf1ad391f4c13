"""Definitions that change while a program runs: the sound ones count, the others are told."""

import os
from pathlib import Path

import pytest

from engine.definitions.bundle import make_bundle
from engine.definitions.catalog import load_catalog
from engine.definitions.shelf import Shelf
from engine.domain.errors import CannotStart, UserError
from tests.engine.definitions.files import ROLE, toml, write


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


def test_what_is_being_written_is_read_only_once_it_stands(own: Path) -> None:
    shelf = Shelf(own)
    assert shelf.reload_settled() is None
    for part in ("schema", "schema = 1\n", 'schema = 1\nname = "b"'):
        write(own, {"b.toml": part})
        assert shelf.reload_settled() is None
    write(own, {"b.toml": toml("b")})
    assert shelf.reload_settled() is None
    found = shelf.reload_settled()
    assert found is not None
    assert found.problems == ()
    assert "b" in shelf.catalog.definitions
    assert shelf.reload_settled() is None


def test_a_fault_that_stands_is_told_once_and_its_mending_is_seen(own: Path) -> None:
    shelf = Shelf(own)
    write(own, {"a.toml": "name ="})
    readings = [shelf.reload_settled() for _ in range(4)]
    assert [bool(found and found.problems) for found in readings] == [False, True, False, False]
    write(own, {"a.toml": toml("a")})
    assert shelf.reload_settled() is None
    found = shelf.reload_settled()
    assert found is not None
    assert found.problems == ()


def test_rights_that_are_taken_or_given_are_a_change(own: Path) -> None:
    shelf = Shelf(own)
    (own / "a.toml").chmod(0o600)
    assert shelf.has_changed()


def bundle(folder: Path, files: dict[str, str], name: str) -> Path:
    path = folder / "agents.json"
    path.write_text(make_bundle(load_catalog(write(folder / "files", files)), name))
    return path


@pytest.mark.req("R330", "R333")
def test_with_a_bundle_there_are_its_agents_and_no_others(tmp_path: Path, own: Path) -> None:
    files = {"root.toml": toml("root", ROLE + 'agent = "leaf"'), "leaf.toml": toml("leaf")}
    path = bundle(tmp_path, files, "root")
    shelf = Shelf(own, bundle=path)
    assert [one.name for one in shelf.catalog.listed()] == ["root", "leaf"]
    assert shelf.catalog.get().name == "root"
    assert shelf.directory is None
    with pytest.raises(UserError, match='no agent called "default"'):
        shelf.catalog.get("default")


@pytest.mark.req("R333")
def test_a_bundle_is_read_again_by_the_same_rules(tmp_path: Path) -> None:
    path = bundle(tmp_path, {"root.toml": toml("root")}, "root")
    shelf, intact = Shelf(bundle=path), path.read_text()
    path.write_text(intact.replace("Do research", "Do nothing"))
    assert shelf.has_changed()
    told = [str(one) for one in shelf.reload().problems]
    assert told == ['bundle: agent "root": the hash does not match its content']
    assert shelf.catalog.get().name == "root"
    with pytest.raises(CannotStart, match="the hash does not match its content"):
        Shelf(bundle=path)
    path.write_text(intact)
    assert shelf.reload().problems == ()


@pytest.mark.req("R331")
def test_a_file_that_is_no_bundle_says_why(tmp_path: Path) -> None:
    path = tmp_path / "agents.json"
    for data, told in (
        (None, f'bundle: "{path}": file does not exist'),
        (b"x" * 1_234_567, "bundle: 1234567 bytes are too many (1048576 at most)"),
        (b"\xff", "bundle: is not UTF-8 text"),
        (b"{}", "bundle: is not a bundle of agents of format 1"),
    ):
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(CannotStart) as caught:
            Shelf(bundle=path)
        assert str(caught.value) == told
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(CannotStart, match="is not a file"):
        Shelf(bundle=path)
