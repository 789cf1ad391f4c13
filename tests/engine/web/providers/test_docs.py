"""Opening folders of documents and searching them."""

import asyncio
import os
from pathlib import Path

import pytest

from engine.domain.errors import CannotStart
from engine.domain.run import DocsFolder
from engine.web.providers.docs import DocsLibrary, DocsSearch
from engine.web.providers.docs_build import build_and_save
from engine.web.providers.docs_index import Building
from engine.web.providers.docs_opening import FEW_FILES
from engine.web.providers.docs_pdf import read_pdf
from engine.web.providers.docs_reader import DocsReader
from engine.web.providers.docs_store import FILE_NAME, load
from engine.web.search import Found, Hit, NothingFound, Query
from tests.engine.web.providers.folders import BOOK, WAL, library, write
from tests.fakes.pdf import pdf

MANY = {
    f"page{number}.md": f"# Page {number}\n\nLock {number}.\n" for number in range(FEW_FILES + 5)
}


async def hits(opened: DocsLibrary, text: str, *, most: int = 10) -> tuple[Hit, ...]:
    found = await DocsSearch(opened).search(Query(text, most))
    return found.hits if isinstance(found, Found) else ()


async def test_a_hit_leads_to_the_section_that_fits_best(tmp_path: Path) -> None:
    opened = await library(tmp_path)
    assert await hits(opened, "when does a checkpoint run?") == (
        Hit(
            "docs://book/wal.html#checkpoints",
            "Write-Ahead Logging",
            "Checkpoints: A checkpoint moves pages back. It runs at 1000 pages by default.",
        ),
    )
    assert (await hits(opened, "aborted"))[0].url == "docs://book/guide/locks.md#deadlocks"
    assert (await hits(opened, "vacuuming"))[0].url == "docs://book/notes.txt"


async def test_a_hit_in_a_pdf_leads_to_its_page(tmp_path: Path) -> None:
    pages = ["The manual begins here.\nIt has pages of text.", "A checkpoint runs in time."]
    opened = await library(tmp_path, {"manual.pdf": pdf(pages, title="The Manual")})
    (hit,) = await hits(opened, "checkpoint")
    assert (hit.url, hit.title) == ("docs://book/manual.pdf#page=2", "The Manual")
    page = await DocsReader(opened).read(hit.url)
    assert page.media_type == "application/pdf"
    assert page.text[page.anchors["page=2"] :] == "A checkpoint runs in time."


async def test_identifiers_are_found_whole_and_in_parts(tmp_path: Path) -> None:
    opened = await library(tmp_path)
    for text in ("wal_autocheckpoint", "AUTOCHECKPOINT"):
        assert [hit.url for hit in await hits(opened, text)] == ["docs://book/wal.html#checkpoints"]


async def test_a_page_comes_once_and_at_most_ten_pages_come(tmp_path: Path) -> None:
    opened = await library(tmp_path, {**dict(list(MANY.items())[:15]), "wal.html": WAL * 3})
    found = await hits(opened, "lock log checkpoint", most=50)
    addresses = [hit.url.partition("#")[0] for hit in found]
    assert len(addresses) == len(set(addresses)) == 10
    assert len(await hits(opened, "lock", most=3)) == 3


@pytest.mark.parametrize("text", ["kubernetes", "?!", "\x00", "what was the"])
async def test_words_that_are_nowhere_find_nothing(tmp_path: Path, text: str) -> None:
    opened = await library(tmp_path)
    assert await DocsSearch(opened).search(Query(text)) == NothingFound()


async def test_naming_a_folder_prefers_its_documents(tmp_path: Path) -> None:
    text = {"lock.md": "# Locks\n\nA lock is taken by a writer.\n"}
    folders = [DocsFolder(name, str(write(tmp_path / name, text))) for name in ("alpha", "beta-db")]
    opened = await DocsLibrary.open(folders, tmp_path / "index")

    async def order(text: str) -> list[str]:
        return [hit.url.split("/")[2] for hit in await hits(opened, text)]

    assert await order("lock") == ["alpha", "beta-db"]
    assert await order("lock in beta-db") == ["beta-db", "alpha"]
    assert await order("lock in Alpha") == ["alpha", "beta-db"]


async def test_a_run_keeps_the_documents_as_they_were_when_it_began(tmp_path: Path) -> None:
    opened = await library(tmp_path)
    write(tmp_path / "documents", {"notes.txt": "Something new about kubernetes."})
    assert await hits(opened, "kubernetes") == ()
    assert await hits(await library(tmp_path, {}), "kubernetes") != ()


async def test_a_damaged_index_is_built_anew(tmp_path: Path) -> None:
    await library(tmp_path)
    (stored,) = (tmp_path / "index").glob(f"*/{FILE_NAME}")
    stored.write_bytes(stored.read_bytes()[:-5])
    assert await hits(await library(tmp_path), "checkpoint")
    assert load(stored.parent).pages


async def test_many_documents_are_read_by_a_process_of_their_own(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", MANY)
    seen: list[tuple[str, int, int]] = []
    opened = await DocsLibrary.open(
        [DocsFolder("many", str(folder))],
        tmp_path / "index",
        on_reading=lambda *told: seen.append(told),
    )
    assert seen == [("many", read, len(MANY)) for read in range(1, len(MANY) + 1)]
    assert len(await hits(opened, "lock")) == 10


async def test_giving_up_ends_the_reading_and_leaves_no_half_index(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", MANY)

    def give_up(_name: str, _read: int, _of: int) -> None:
        opening.cancel()

    async with asyncio.TaskGroup() as group:
        opening = group.create_task(
            DocsLibrary.open(
                [DocsFolder("many", str(folder))], tmp_path / "index", on_reading=give_up
            )
        )
    assert opening.cancelled()
    assert list((tmp_path / "index").rglob("*.*")) == []


async def test_two_builders_at_once_leave_a_whole_index(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", BOOK)
    where = tmp_path / "index" / "one"
    async with asyncio.TaskGroup() as group:
        for _ in range(6):
            group.create_task(asyncio.to_thread(build_and_save, folder, where, Building(read_pdf)))
    assert [file.name for file in where.iterdir()] == [FILE_NAME]
    assert len(load(where).pages) == len(BOOK)


async def test_what_a_killed_builder_left_is_removed_later(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", BOOK)
    where = tmp_path / "index"
    old, young = write(where, {"index.old.tmp": "x", "index.young.tmp": "x"}).glob("*.tmp")
    os.utime(where / "index.old.tmp", (1, 1))
    build_and_save(folder, where, Building(read_pdf))
    assert {old.exists(), young.exists()} == {True, False}
    assert (where / "index.young.tmp").exists()


async def test_every_folder_that_cannot_be_used_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    file = write(tmp_path, {"file.md": "x"}) / "file.md"
    folders = [
        DocsFolder("gone", str(tmp_path / "gone")),
        DocsFolder("empty", str(tmp_path / "empty")),
        DocsFolder("file", str(file)),
        DocsFolder("gone", str(tmp_path / "gone")),
    ]
    with pytest.raises(CannotStart) as refused:
        await DocsLibrary.open(folders, tmp_path / "index")
    told = [problem.what for problem in refused.value.problems]
    assert "2 folders are named 'gone'" in told[0]
    assert [told[1], told[4]] == ["the folder 'gone' cannot be used: No such file or directory"] * 2
    assert "the folder 'empty' cannot be used: it holds no document" in told[2]
    assert told[3] == "the folder 'file' cannot be used: Not a directory"
    assert str(tmp_path) not in str(refused.value)


async def test_each_folder_has_an_index_of_its_own_whatever_its_name(tmp_path: Path) -> None:
    one, other = (str(write(tmp_path / name, BOOK)) for name in ("one", "other"))
    for folder in (DocsFolder("a", one), DocsFolder("b", one), DocsFolder("a", other)):
        await DocsLibrary.open([folder], tmp_path / "index")
    assert len(list((tmp_path / "index").iterdir())) == 2
