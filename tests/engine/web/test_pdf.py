"""PDF: pages with their places, or a clear reason; never garbage, never a process left behind."""

import asyncio
import json
import os
import sys
from collections.abc import Sequence

import pytest

from engine.domain.errors import ToolError
from engine.web import pdf_worker
from engine.web.pdf import read_pdf, read_pdf_blocking
from engine.web.pdf_text import PdfPages, complaint, note, pdf_text
from engine.web.pdf_worker import read
from tests.fakes.pdf import pdf

LONG = "This line is as long as the lines of a paragraph are when they are full"


def told(*pages: str, outline: Sequence[tuple[int, int, str]] = ()) -> str:
    return pdf_text(PdfPages(pages, "", outline)).text


async def test_pages_stand_one_after_another_with_their_anchors_and_the_title() -> None:
    body = pdf(["The first page says this.", "", "The third says that."], title="A paper")
    found, noted = await read_pdf(body)
    assert found.title == "A paper"
    assert found.text == "The first page says this.\n\nThe third says that."
    third = found.text.index("The third")
    assert dict(found.anchors) == {"page=1": 0, "page=2": third, "page=3": third}
    assert noted == "no text layer on 1 of 3 pages"


def test_a_process_without_a_loop_reads_the_same() -> None:
    found, noted = read_pdf_blocking(pdf(["The first page says this."]))
    assert (found.text, noted) == ("The first page says this.", "")


async def test_a_scanned_document_is_an_error() -> None:
    with pytest.raises(ToolError, match="no text layer: 2 scanned pages"):
        await read_pdf(pdf(["", ""]))


@pytest.mark.parametrize("body", [b"", b"%PDF-1.4\nbroken", b"no pdf", pdf(["x" * 50])[:200]])
async def test_a_broken_document_is_an_error(body: bytes) -> None:
    with pytest.raises(ToolError, match="it is broken or no PDF"):
        await read_pdf(body)


def test_an_encrypted_document_asks_for_its_password() -> None:
    assert read(_encrypted()) == {"error": "it is encrypted and needs a password"}


async def test_a_document_that_takes_too_long_is_given_up_and_its_process_ended() -> None:
    with pytest.raises(ToolError, match="took more than 0 s or 1 GB"):
        await read_pdf(pdf(["x"] * 3000), cpu_seconds=0)


async def test_a_cancelled_reading_leaves_no_process() -> None:
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(read_pdf(pdf(["words"] * 5000)))
        for _ in range(100_000):
            if _has_child():
                break
            await asyncio.sleep(0)
        assert _has_child()
        task.cancel()
    assert task.cancelled()
    assert not _has_child()


async def test_the_worker_sees_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    found, _ = await read_pdf(pdf(["The worker would not start with that home."]))
    assert found.text.startswith("The worker")


async def test_the_worker_speaks_json_over_its_pipes_alone() -> None:
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "engine.web.pdf_worker", "5"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await worker.communicate(pdf(["words"], title="t"))
    assert json.loads(out) == {"title": "t", "pages": ["words"], "outline": []}


def test_lines_are_joined_to_paragraphs_and_hyphens_at_their_ends_undone() -> None:
    page = f"{LONG} ex\x02\r\nample and on\r\nshort end\r\n{LONG}\r\nlast"
    assert told(page) == f"{LONG} example and on\n\nshort end\n\n{LONG} last"


def test_bullets_are_items_and_numbers_start_paragraphs() -> None:
    assert told(f"{LONG}:\n• one\n• two\n1. three") == f"{LONG}:\n\n- one\n- two\n\n1. three"


def test_bookmarks_mark_the_headings_of_their_page() -> None:
    outline = ((0, 0, "1 Start"), (1, 1, "Elsewhere"))
    assert told("1 Start\nwords\nElsewhere", "Elsewhere", outline=outline) == (
        "## Start\n\nwords\n\nElsewhere\n\n### Elsewhere"
    )


def test_running_heads_and_feet_go() -> None:
    pages = [f"Chapter {n}: Limits {n + 90}\nwords {'abcd'[n]}\nPage {n}" for n in range(4)]
    assert told(*pages) == "words a\n\nwords b\n\nwords c\n\nwords d"


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        (["", " \n3"], "no text layer: 2 scanned pages"),
        ([""], "no text layer: 1 scanned page"),
        (["\ue001\ue002\ue003 \ufffd" * 20], "its fonts do not say which letters"),
        (["7KH TXLFN EURZQ IRV MXPSV RYHU WKH ODCB GRJ " * 30], "its letters are scrambled"),
        (["The quick brown fox jumps over the lazy dog. " * 30], ""),
        (["Съешь же ещё этих мягких французских булок. " * 30], ""),
        (["1.5 22 37 4.1 " * 100], ""),
    ],
)
def test_what_is_no_readable_text_is_told_apart(pages: list[str], reason: str) -> None:
    found = complaint(PdfPages(pages))
    assert reason in found
    assert bool(reason) == bool(found)


def test_a_note_counts_the_pages_without_text() -> None:
    assert note(PdfPages(["words enough", ""])) == "no text layer on 1 of 2 pages"
    assert note(PdfPages(["words enough"])) == ""


async def test_a_document_of_too_many_pages_is_cut_and_says_so() -> None:
    _, noted = await read_pdf(pdf([*(["The first says this."] * 3), *([""] * 20_997)]))
    assert noted.endswith("; cut behind page 20000 of 21000")


def test_a_document_that_is_too_long_ends_with_a_whole_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pdf_worker, "MOST_CHARS", 50)
    found = read(pdf(["The first page says this."] * 3))
    assert (len(found["pages"]), found["left_out"]) == (2, 1)
    assert note(PdfPages(["words enough"], left_out=2)) == "cut behind page 1 of 3"


def test_control_characters_of_a_document_are_gone() -> None:
    assert told("words \x1b[2J and\u202e more") == "words and more"


def _has_child() -> bool:
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


def _encrypted() -> bytes:
    """A document whose empty user password does not fit, by the standard handler of PDF 1.4."""
    return pdf(["secret"]).replace(
        b"/Root 1 0 R",
        b"/Root 1 0 R /ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 "
        b"/O <" + b"41" * 32 + b"> /U <" + b"42" * 32 + b"> >>",
    )
