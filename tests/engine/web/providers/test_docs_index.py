"""Building an index, and building it again after changes."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.web.providers.docs_files import MOST_BYTES, BuildingStopped
from engine.web.providers.docs_index import (
    DIRECTORY_PAGE,
    Building,
    build,
    changed,
)
from engine.web.providers.docs_pdf import read_pdf
from engine.web.providers.docs_store import StoredIndex
from tests.engine.web.providers.folders import BOOK, LOCKS, WAL, built, write

QUERY = {"checkpoint": 1.0, "lock": 1.0, "writer": 0.5, "vacuum": 1.0}


def found(index: StoredIndex) -> dict[tuple[str, str], float]:
    """Every passage that scores, by its page and its text."""
    scores = index.index.scores(QUERY)
    rows = zip(
        *(index.passages.page, index.passages.start, index.passages.end, scores), strict=True
    )
    return {
        (index.pages[page].path, index.text(index.pages[page])[start:end]): round(float(score), 4)
        for page, start, end, score in rows
        if score > 0
    }


def test_passages_are_verbatim_parts_of_their_page(tmp_path: Path) -> None:
    index = built(write(tmp_path, BOOK))
    assert ("guide/locks.md", "One writer is aborted.") in found(index)
    assert {path for path, _ in found(index)} == set(BOOK)


def test_headings_and_titles_count_for_the_passages_below_them(tmp_path: Path) -> None:
    index = built(write(tmp_path, {"a.md": "# Locks\n\n## Deadlocks\n\nIt ends."}))
    scores = [index.index.scores({term: 1.0}).max() for term in ("deadlock", "lock", "end")]
    assert min(scores) > 0
    assert scores[0] > scores[2]


def test_an_index_that_is_right_is_not_built_again(tmp_path: Path) -> None:
    write(tmp_path, BOOK)
    assert changed(tmp_path, None) is not None
    index = built(tmp_path)
    assert changed(tmp_path, index) is None
    write(tmp_path, {"notes.txt": "Other notes, of another length."})
    assert list(changed(tmp_path, index) or ()) == ["notes.txt"]
    (tmp_path / "notes.txt").unlink()
    assert changed(tmp_path, index) == {}


def test_only_what_has_changed_is_read_again(tmp_path: Path) -> None:
    index = built(write(tmp_path, BOOK))
    write(tmp_path, {"guide/locks.md": LOCKS + "\nMore.\n", "new.md": "# New\n\nText."})
    seen: list[tuple[int, int]] = []
    build(tmp_path, index, Building(read_pdf, lambda read, of: seen.append((read, of))))
    assert seen == [(1, 2), (2, 2)]


def test_a_file_of_the_same_size_but_another_time_is_read_again(tmp_path: Path) -> None:
    index = built(write(tmp_path, {"a.md": "one lock"}))
    write(tmp_path, {"a.md": "two lock"})
    os.utime(tmp_path / "a.md", ns=(1, 1))
    assert ("a.md", "two lock") in found(built(tmp_path, index))


FILES = st.dictionaries(
    st.sampled_from(["a.md", "b.html", "c/d.md", "e.txt"]),
    st.sampled_from([WAL, LOCKS, "vacuum the lock", "", "# Writers\n\nwait"]),
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
@given(before=FILES, after=FILES)
def test_building_on_is_the_same_as_building_anew(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, str], after: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("documents")
    index = built(write(folder, before))
    for name in before.keys() - after.keys():
        (folder / name).unlink()
    write(folder, after)
    for at, name in enumerate(after):
        os.utime(folder / name, ns=(at, at))
    on, anew = built(folder, index), built(folder)
    assert found(on) == found(anew)
    assert {page.path for page in on.pages} == {page.path for page in anew.pages}
    assert on.index.vocabulary.keys() == anew.index.vocabulary.keys()


def test_what_cannot_be_read_is_noted_and_the_rest_is_indexed(tmp_path: Path) -> None:
    broken = {"broken.txt.gz": b"no gzip", "large.md": b"x" * (MOST_BYTES + 1), "bad.pdf": b"no"}
    index = built(write(tmp_path, {**broken, "wal.html": WAL}))
    skipped = {page.path: page.skipped for page in index.pages}
    assert "not a .gz file" in skipped["broken.txt.gz"]
    assert "larger than" in skipped["large.md"]
    assert skipped["bad.pdf"]
    assert not skipped["wal.html"]
    assert changed(tmp_path, index) is None


def test_a_page_that_only_lists_others_is_left_out(tmp_path: Path) -> None:
    index = built(write(tmp_path, {"genindex.html": "<p>lock, page 3", "a.md": "lock"}))
    assert {page.path: page.skipped for page in index.pages}["genindex.html"] == DIRECTORY_PAGE
    assert {path for path, _ in found(index)} == {"a.md"}


def test_building_stops_between_two_documents(tmp_path: Path) -> None:
    write(tmp_path, BOOK)
    seen: list[int] = []
    how = Building(read_pdf, lambda read, _: seen.append(read), lambda: len(seen) == 1)
    with pytest.raises(BuildingStopped):
        build(tmp_path, None, how)
    assert seen == [1]


def test_a_long_document_without_headings_takes_linear_time(tmp_path: Path) -> None:
    paragraph = "word one two three and so on until it has a good many words to say.\n\n"
    write(tmp_path, {"a.txt": paragraph * 40_000})
    began = time.process_time()
    built(tmp_path)
    assert time.process_time() - began < 2.5  # what is quadratic takes many times as long
