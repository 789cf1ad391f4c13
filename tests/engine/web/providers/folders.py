"""Folders of documents for tests, and the index of one."""

from collections.abc import Mapping
from pathlib import Path

from engine.domain.run import DocsFolder
from engine.web.providers.docs import DocsLibrary
from engine.web.providers.docs_index import Building, build
from engine.web.providers.docs_pdf import read_pdf
from engine.web.providers.docs_store import StoredIndex

WAL = """<html><head><title>Write-Ahead Logging</title></head><body>
<h1>Write-Ahead Logging</h1><p>The log holds what was committed.</p>
<h2 id="checkpoints">Checkpoints</h2>
<p>A checkpoint moves pages back. It runs at 1000 pages by default.</p>
<p>The setting is wal_autocheckpoint.</p></body></html>"""
LOCKS = "# Locks\n\nWriters wait for each other.\n\n## Deadlocks\n\nOne writer is aborted.\n"
NOTES = "Notes\n=====\n\nOld notes about vacuuming.\n"

BOOK: Mapping[str, str] = {"wal.html": WAL, "guide/locks.md": LOCKS, "notes.txt": NOTES}


def write(folder: Path, documents: Mapping[str, str | bytes]) -> Path:
    for name, text in documents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def built(root: Path, previous: StoredIndex | None = None) -> StoredIndex:
    return build(root, previous, Building(read_pdf))


async def library(tmp_path: Path, documents: Mapping[str, str | bytes] = BOOK) -> DocsLibrary:
    """One folder named `book` with these documents, opened."""
    folder = write(tmp_path / "documents", documents)
    return await DocsLibrary.open([DocsFolder("book", str(folder))], tmp_path / "index")
