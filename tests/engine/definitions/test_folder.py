"""Only what is in the directory is read, each text once, whatever lies there."""

import os
from pathlib import Path

import pytest

from engine.definitions.folder import MOST_FILES, Folder
from engine.definitions.reading import Unreadable
from tests.engine.definitions.files import problems, toml, write


@pytest.mark.req("R238")
def test_a_text_is_read_once(tmp_path: Path) -> None:
    folder = Folder(write(tmp_path / "own", {"skills/s.md": "One.", "p.md": "A prompt."}))
    assert (folder.skill("s"), folder.prompt("p.md")) == ("One.", "A prompt.")
    write(tmp_path / "own", {"skills/s.md": "Two.", "p.md": "Another."})
    assert (folder.skill("s"), folder.prompt("p.md")) == ("One.", "A prompt.")


def test_a_link_inside_the_directory_is_followed(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"prompts/p.md": "A prompt."})
    os.symlink("prompts/p.md", own / "q.md")
    os.symlink(own / "prompts", own / "linked")
    folder = Folder(own)
    assert folder.prompt("q.md") == folder.prompt("linked/p.md") == "A prompt."


def test_the_directory_itself_may_be_a_link(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"p.md": "A prompt."})
    os.symlink(own, tmp_path / "link")
    assert Folder(tmp_path / "link").prompt("p.md") == "A prompt."


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("prompts/../p.md", '"prompts/../p.md" may not hold ".."'),
        ("a\nb.md", '"a\nb.md" is not a path that can be read'),
        ("x" * 300, f'"{"x" * 300}" cannot be read: File name too long'),
        ("prompts", '"prompts" is a directory'),
        ("pipe.md", '"pipe.md" is not a file'),
        ("p.md/x", '"p.md/x" cannot be read: Not a directory'),
        ("~/p.md", '"~/p.md": file does not exist'),
    ],
)
def test_what_cannot_be_read_is_told(path: str, what: str, tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"prompts/p.md": "x", "p.md": "x"})
    os.mkfifo(own / "pipe.md")
    read = Folder(own).prompt(path)
    assert isinstance(read, Unreadable)
    assert read.what == what
    assert read.is_missing == what.endswith("file does not exist")


@pytest.mark.req("R236")
def test_skills_of_a_directory_are_those_that_can_be_read(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"skills/a.md": "A.", "skills/b.md": b"\xff", "skills/c.txt": ""})
    (own / "skills/d.md").mkdir()
    os.symlink("/etc/hostname", own / "skills/e.md")
    assert Folder(own).skills() == {"a": "A."}
    assert Folder(tmp_path / "nowhere").skills() == {}


def test_too_many_definitions_are_told_and_not_read(tmp_path: Path) -> None:
    files = {f"a{number}.toml": toml("same") for number in range(MOST_FILES + 1)}
    (found,) = problems(tmp_path, files)
    assert found.endswith(f"own: holds more than {MOST_FILES} definitions")


def test_a_file_of_more_problems_than_anybody_reads_tells_how_many_there_are(
    tmp_path: Path,
) -> None:
    rest = "\n".join(f"key{number} = 1" for number in range(1000))
    found = problems(tmp_path, {"a.toml": toml("a", rest)})
    assert len(found) == 201
    assert found[0] == "a.toml:6: unknown key(s): key0"
    assert found[-1] == "a.toml: has 800 more problems"
