"""Which files a folder of documents has, and their bytes."""

import gzip
import os
import time
from pathlib import Path

import pytest

from engine.domain.errors import ToolError
from engine.web.providers.docs_files import (
    MOST_BYTES,
    BuildingStopped,
    UnreadableFile,
    bytes_of,
    file_in,
    scan,
    suffix_of,
)
from tests.engine.web.providers.folders import write


def test_documents_are_found_by_their_suffix_in_every_sub_folder(tmp_path: Path) -> None:
    names = ["a.html", "B.HTM", "sub/c.md", "sub/deep/d.txt.gz", "e.rst", "f.pdf", "g.xhtml"]
    write(tmp_path, dict.fromkeys([*names, "h.png", "i.html.bak", "j"], "x"))
    assert sorted(scan(tmp_path)) == sorted(names)


def test_hidden_and_foreign_folders_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys([".git/a.md", ".b.md", "node_modules/c.md", "d.md"], "x"))
    assert list(scan(tmp_path)) == ["d.md"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.md": "x", "sub/more.md": "x"})
    inside = write(tmp_path / "inside", {"a.md": "x"})
    (inside / "secret.md").symlink_to(outside / "secret.md")
    (inside / "sub").symlink_to(outside / "sub")
    (inside / "round").symlink_to(inside)
    assert list(scan(inside)) == ["a.md"]


def test_what_is_no_regular_file_is_no_document(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert scan(tmp_path) == {}


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        scan(tmp_path / "missing")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("secret.md", "leaves its folder"),
        ("missing.md", "no such document"),
        ("sub", "is a folder"),
        ("pipe.txt", "is not a document"),
        ("loop.md", "no such document"),
    ],
)
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, path: str, why: str) -> None:
    outside = write(tmp_path / "outside", {"secret.md": "x"})
    inside = write(tmp_path / "inside", {"sub/a.md": "x"})
    (inside / "secret.md").symlink_to(outside / "secret.md")
    (inside / "loop.md").symlink_to(inside / "loop.md")
    os.mkfifo(inside / "pipe.txt")
    with pytest.raises(ToolError, match=why):
        file_in(inside, path)


def test_a_packed_file_is_inflated_member_by_member(tmp_path: Path) -> None:
    file = tmp_path / "a.txt.gz"
    file.write_bytes(gzip.compress(b"one ") + gzip.compress(b"two"))
    assert bytes_of(tmp_path, file.name) == b"one two"
    assert suffix_of("A.TXT.GZ") == ".txt"


def test_a_bomb_and_a_damaged_file_are_unreadable(tmp_path: Path) -> None:
    packed = gzip.compress(b"\0" * (MOST_BYTES + 10))
    for name, body, why in (
        ("bomb.txt.gz", packed, "larger than"),
        ("cut.txt.gz", packed[:100], "cut or damaged"),
        ("none.txt.gz", b"plain", "not a .gz file"),
    ):
        (tmp_path / name).write_bytes(body)
        with pytest.raises(UnreadableFile, match=why):
            bytes_of(tmp_path, name)


def test_a_file_of_a_million_empty_members_is_soon_given_up(tmp_path: Path) -> None:
    packed = gzip.compress(b"", mtime=0) * 500_000
    (tmp_path / "members.txt.gz").write_bytes(gzip.compress(b"one") + packed)
    began = time.process_time()
    assert bytes_of(tmp_path, "members.txt.gz") == b"one"
    assert time.process_time() - began < 2.0  # what is quadratic takes hours


@pytest.mark.parametrize("path", ["a.md", "sub/a.md"])
def test_a_file_that_becomes_a_link_before_it_is_read_is_not_read(
    tmp_path: Path, path: str
) -> None:
    write(tmp_path / "outside", {"a.md": "secret", "sub/a.md": "secret"})
    inside = write(tmp_path / "inside", {"a.md": "x", "sub/a.md": "x"})
    checked = file_in(inside, path)
    swapped = path.partition("/")[0]
    (inside / swapped).rename(tmp_path / "gone")
    (inside / swapped).symlink_to(tmp_path / "outside" / swapped)
    with pytest.raises(UnreadableFile):
        bytes_of(inside, checked)


def test_a_file_that_becomes_a_pipe_or_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    (tmp_path / "b.md").mkdir()
    for name in ("a.md", "b.md"):
        with pytest.raises(UnreadableFile, match="is not a document"):
            bytes_of(tmp_path, name)


def test_a_link_inside_the_folder_is_read_as_what_it_leads_to(tmp_path: Path) -> None:
    inside = write(tmp_path / "inside", {"sub/a.md": "x"})
    (inside / "link.md").symlink_to(inside / "sub" / "a.md")
    assert bytes_of(inside, file_in(inside, "link.md")) == b"x"


def test_a_search_for_documents_can_be_stopped_in_the_middle(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}/a.md": "x" for name in range(50)})
    answers = iter([False] * 10 + [True])
    with pytest.raises(BuildingStopped):
        scan(tmp_path, lambda: next(answers))
