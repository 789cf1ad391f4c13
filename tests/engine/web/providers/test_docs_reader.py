"""Reading documents by their address."""

from pathlib import Path

import pytest

from engine.domain.errors import ToolError
from engine.web.page import PageReader
from engine.web.providers.docs import DocsSearch
from engine.web.providers.docs_reader import DocsReader
from engine.web.search import Found, Query
from tests.engine.web.providers.folders import BOOK, library, write


async def test_a_document_is_read_whole_with_its_places(tmp_path: Path) -> None:
    reader: PageReader = DocsReader(await library(tmp_path))
    page = await reader.read("docs://book/wal.html#checkpoints")
    assert page.url == page.final_url == "docs://book/wal.html"
    assert (page.title, page.media_type) == ("Write-Ahead Logging", "text/html")
    assert page.text[page.anchors["checkpoints"] :].startswith("## Checkpoints\n\nA checkpoint")
    await reader.aclose()


async def test_every_address_that_a_search_gives_can_be_read(tmp_path: Path) -> None:
    odd = {"a b(c)&#.md": "# Odd\n\nA lock.", "über/ß.txt": "lock", "q?.html": "<p>lock"}
    opened = await library(tmp_path, {**BOOK, **odd})
    found = await DocsSearch(opened).search(Query("lock log vacuum"))
    assert isinstance(found, Found)
    assert len(found.hits) == 6
    pages = [await DocsReader(opened).read(hit.url) for hit in found.hits]
    assert [page.url for page in pages] == [hit.url.partition("#")[0] for hit in found.hits]
    for page, hit in zip(pages, found.hits, strict=True):
        anchor = hit.url.partition("#")[2]
        assert not anchor or anchor in page.anchors


async def test_the_text_is_that_of_the_index_even_when_the_file_is_gone(tmp_path: Path) -> None:
    opened = await library(tmp_path)
    (tmp_path / "documents" / "notes.txt").unlink()
    page = await DocsReader(opened).read("docs://book/notes.txt")
    assert page.text == "## Notes\n\nOld notes about vacuuming."


async def test_a_page_that_the_index_left_out_is_read_from_its_file(tmp_path: Path) -> None:
    opened = await library(tmp_path, {**BOOK, "genindex.html": "<h1>Index</h1><p>lock, 3"})
    page = await DocsReader(opened).read("docs://book/genindex.html")
    assert "lock, 3" in page.text


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://example.org/", "must start with docs://"),
        ("file:///etc/passwd", "must start with docs://"),
        ("docs://other/wal.html", "other/wal.html: no such folder of documents"),
        ("docs://book/missing.html", "book/missing.html: no such document"),
        ("docs://book/../secret.md", "leaves its folder"),
        ("docs://book/%2e%2e/secret.md", "leaves its folder"),
        ("docs://book/link.md", "book/link.md: leaves its folder"),
        ("docs://book/guide", "book/guide: is a folder"),
        ("docs://book/", "book/: is a folder"),
        ("docs://book/%252e%252e/secret.md", "no such document"),
        ("docs://book/%2e%2e%2fsecret.md", "leaves its folder"),
        ("docs://book/a%00.md", "leaves its folder"),
        ("docs://book/..%5csecret.md", "leaves its folder"),
        ("docs://book//etc/passwd", "no such document"),
        ("docs://book/.hidden/a.md", "no such document"),
        ("docs://book/node_modules/a.md", "no such document"),
        ("docs://book/inner.md", "no such document"),
        ("docs://book@other/wal.html", "no such folder"),
        ("docs:///wal.html", "no such folder"),
        ("docs://[::1/\x1b[2J", "not an address"),
        ("docs://book/style.css", "is not a kind of document"),
        ("docs://book/bad.md.gz", "book/bad.md.gz: not a .gz file"),
    ],
)
async def test_everything_else_is_refused(tmp_path: Path, url: str, why: str) -> None:
    write(tmp_path, {"secret.md": "x"})
    more = {"style.css": "x", "bad.md.gz": "x", ".hidden/a.md": "x", "node_modules/a.md": "x"}
    folder = write(tmp_path / "documents", {**BOOK, **more})
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    (folder / "inner.md").symlink_to(folder / ".hidden" / "a.md")
    reader = DocsReader(await library(tmp_path, {}))
    with pytest.raises(ToolError, match=why) as refused:
        await reader.read(url)
    assert str(tmp_path) not in str(refused.value)
    assert "\x1b" not in str(refused.value)
