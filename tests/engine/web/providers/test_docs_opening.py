"""Where the index cannot be kept, the person's own folder is not blamed."""

from pathlib import Path

import pytest

from engine.domain.errors import CannotStart
from engine.domain.run import DocsFolder
from engine.web.providers.docs import DocsLibrary
from engine.web.providers.docs_opening import FEW_FILES
from tests.engine.web.providers.folders import BOOK, write

MANY = {f"page{number}.md": f"# Page {number}\n\nLock.\n" for number in range(FEW_FILES + 5)}
NOWHERE = Path("/proc/docs_index")
"""A place where nobody, not even root, may make a directory."""


def not_on_every_system(place: Path) -> Path:
    if not place.parent.is_dir():
        pytest.skip(f"there is no {place.parent} here")
    return place


async def problem_of(folder: Path, index_dir: Path) -> str:
    folders = (DocsFolder("book", str(folder)),)
    with pytest.raises(CannotStart) as told:
        await DocsLibrary.open(folders, index_dir)
    (problem,) = told.value.problems
    return problem.what


@pytest.mark.parametrize("files", [BOOK, MANY], ids=["in a thread", "in a process"])
async def test_a_place_that_takes_no_index_is_named_and_not_the_folder(
    tmp_path: Path, files: dict[str, str | bytes]
) -> None:
    write(tmp_path / "book", files)
    what = await problem_of(tmp_path / "book", not_on_every_system(NOWHERE))
    assert what.startswith("the index of the folder 'book' cannot be kept in docs_index")
    assert "No such file or directory" in what
    assert "cannot be used" not in what
    assert "/proc" not in what


async def test_a_file_in_the_place_of_the_index_is_named_too(tmp_path: Path) -> None:
    write(tmp_path / "book", BOOK)
    (tmp_path / "index").write_text("in the way")
    what = await problem_of(tmp_path / "book", tmp_path / "index")
    assert what.startswith("the index of the folder 'book' cannot be kept in docs_index")


async def test_a_folder_that_is_not_there_is_still_the_folder_s_fault(tmp_path: Path) -> None:
    what = await problem_of(tmp_path / "gone", tmp_path / "index")
    assert what == "the folder 'book' cannot be used: No such file or directory"
