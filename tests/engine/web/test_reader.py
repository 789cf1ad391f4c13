"""The reader of an agent: pages and files of every kind as one kind of text."""

import asyncio
import gzip
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.domain.errors import AddressRefused, ToolError, UserError
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.page import PageReader
from engine.web.reader import WebReader, Wire, read_file
from tests.fakes.pdf import pdf
from tests.fakes.web import HOST, FakeWeb, Names, answer, fake_web, redirect

NEWS = "The council met on Tuesday and decided about the new bridge over the river. " * 6


@pytest.fixture
async def web() -> AsyncIterator[FakeWeb]:
    async with fake_web() as web:
        yield web


@pytest.fixture
async def reader(web: FakeWeb) -> AsyncIterator[PageReader]:
    settings = FetchSettings(allow=(web.allow,))
    reader = WebReader(settings, Timing(), wire=Wire(resolver=Names()))
    yield reader
    await reader.aclose()


async def test_a_page_is_its_article_with_title_places_and_both_addresses(
    web: FakeWeb, reader: PageReader
) -> None:
    body = f"<title>A bridge</title><article><h1 id=b>Bridge</h1><p id=p>{NEWS}</p></article>"
    web.add("/b", answer(body))
    page = await reader.read(web.add("/a", redirect("/b")) + "#p")
    assert (page.url, page.final_url) == (web.url("/a"), web.url("/b"))
    assert (page.title, page.media_type, page.note) == ("A bridge", "text/html", "")
    assert page.text[page.anchors["p"] :].startswith("The council met")


@pytest.mark.req("R057")
async def test_the_text_of_a_page_has_no_scripts_and_no_tags(
    web: FakeWeb, reader: PageReader
) -> None:
    body = f"<script>x()</script><style>y</style><noscript>z</noscript><p><b>{NEWS}</b></p>"
    page = await reader.read(web.add("/x", answer(body)))
    assert page.text == NEWS.strip()


@pytest.mark.parametrize(
    ("declared", "body", "text", "media_type"),
    [
        ("text/plain", "  as\n it is", "  as\n it is", "text/plain"),
        ("text/markdown", "# A\n- b", "## A\n\n- b", "text/markdown"),
        ("application/json", '{"a": [1]}', '{"a": [1]}', "application/json"),
        ("application/xml", "<a><b>c</b> d</a>", "c\n\nd", "application/xml"),
        ("text/plain; charset=punycode", "a-b-c", "a-b-c", "text/plain"),
    ],
)
async def test_whatever_can_be_read_is_read(
    web: FakeWeb, reader: PageReader, declared: str, body: str, text: str, media_type: str
) -> None:
    page = await reader.read(web.add("/x", answer(body, headers=f"Content-Type: {declared}")))
    assert (page.text, page.media_type) == (text, media_type)


async def test_a_pdf_is_read_by_its_pages(web: FakeWeb, reader: PageReader) -> None:
    body = pdf(["The first page says this.", "The second says that."], title="A paper")
    page = await reader.read(web.add("/x.pdf", answer(body, headers="Content-Type: text/plain")))
    assert (page.title, page.media_type) == ("A paper", "application/pdf")
    assert page.text[page.anchors["page=2"] :] == "The second says that."


async def test_a_scanned_pdf_is_an_error_that_names_its_address(
    web: FakeWeb, reader: PageReader
) -> None:
    with pytest.raises(ToolError) as raised:
        await reader.read(web.add("/x.pdf", answer(pdf([""]))))
    assert str(raised.value) == f"{HOST}:{web.port}/x.pdf: no text layer: 1 scanned page"


@pytest.mark.req("R056")
async def test_a_cut_page_says_so_in_its_note(web: FakeWeb, reader: PageReader) -> None:
    url = web.add("/x", answer("<p>" + "words " * 400_000))
    page = await reader.read(url)
    assert page.note == "cut at 1,048,576 bytes of 2,400,003"


async def test_deep_json_and_a_page_of_divisions_are_only_text(
    web: FakeWeb, reader: PageReader
) -> None:
    deep = await reader.read(
        web.add("/j", answer("[" * 100_000, headers="Content-Type: application/json"))
    )
    assert deep.text == "[" * 100_000
    assert (await reader.read(web.add("/d", answer("<div>" * 100_000)))).text == ""


@pytest.mark.req("R055")
async def test_errors_name_the_address_without_its_scheme(web: FakeWeb, reader: PageReader) -> None:
    with pytest.raises(ToolError, match=rf"^{HOST}:{web.port}/gone: status 404$"):
        await reader.read(web.url("/gone#x"))
    with pytest.raises(AddressRefused, match=r"^10\.0\.0\.1/: 10\.0\.0\.1 is not a public "):
        await reader.read("http://10.0.0.1/")


def test_bad_entries_of_the_settings_are_told_at_once() -> None:
    with pytest.raises(UserError, match="host:port"):
        WebReader(FetchSettings(allow=("everything",)), Timing())


async def test_a_reader_that_read_nothing_closes_quietly() -> None:
    await WebReader(FetchSettings(), Timing()).aclose()


@pytest.mark.parametrize(
    ("name", "body", "text", "media_type"),
    [
        ("a.html", b"<h1>A</h1><p>words", "## A\n\nwords", "text/html"),
        ("a.md", b"# A\nwords", "## A\n\nwords", "text/markdown"),
        ("a.txt", b"A\n=\nwords", "A\n=\nwords", "text/plain"),
        ("a", b"<!doctype html><p>words", "words", "text/html"),
        ("a.json", b'{"a":1}', '{"a":1}', "text/plain"),
        ("a.pdf", pdf(["The page says this."]), "The page says this.", "application/pdf"),
    ],
)
async def test_a_file_is_a_page(
    tmp_path: Path, name: str, body: bytes, text: str, media_type: str
) -> None:
    path = tmp_path / name
    path.write_bytes(body)
    page = await read_file(path)
    assert (page.text, page.media_type) == (text, media_type)
    assert (page.url, page.final_url) == (str(path), str(path))


async def test_a_file_without_a_title_is_called_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J b.html"
    path.write_text("<p>words")
    assert (await read_file(path)).title == "a b.html"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"x" * 2000, "unsupported type image/png, 2 kB"),
        (None, "no such file"),
    ],
)
async def test_a_file_that_cannot_be_read_is_an_error(
    tmp_path: Path, body: bytes | None, reason: str
) -> None:
    path = tmp_path / "x"
    if body is not None:
        path.write_bytes(body)
    with pytest.raises(ToolError) as raised:
        await read_file(path)
    assert str(raised.value) == f"{path}: {reason}"
    with pytest.raises(ToolError, match="is a folder"):
        await read_file(tmp_path)


BOMB = """
import asyncio, resource, sys
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.reader import WebReader

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

async def main(port):
    reader = WebReader(FetchSettings(allow=(f"127.0.0.1:{port}",)), Timing())
    await reader.read(f"http://127.0.0.1:{port}/warm")
    before = peak()
    page = await reader.read(f"http://127.0.0.1:{port}/bomb")
    print(peak() - before, page.note)
    await reader.aclose()

asyncio.run(main(sys.argv[1]))
"""


async def test_a_bomb_of_200_megabytes_costs_less_than_30(web: FakeWeb) -> None:
    packed = "Content-Type: text/plain\r\nContent-Encoding: gzip"
    web.add("/warm", answer(gzip.compress(b"a" * 1_200_000), headers=packed))
    web.add("/bomb", answer(gzip.compress(b"a" * 200_000_000, 9), headers=packed))
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", BOMB, str(web.port)), stdout=subprocess.PIPE
    )
    out, _ = await child.communicate()
    grown_kib, _, note = out.decode().strip().partition(" ")
    assert note == "cut at 1,048,576 bytes"
    assert int(grown_kib) < 30 * 1024
