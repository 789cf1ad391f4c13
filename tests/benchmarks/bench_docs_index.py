"""How long folders of documents take to index and to search, and how large their index is.

    python -m tests.benchmarks.bench_docs_index NAME=FOLDER... [--query TEXT]...

The documentation of SQLite and PostgreSQL (1,888 pages) comes from two Debian packages, which are
unpacked without being installed:

    apt-get download sqlite3-doc postgresql-doc-15
    dpkg-deb -x sqlite3-doc_*.deb sqlite && dpkg-deb -x postgresql-doc-15_*.deb postgresql
    python -m tests.benchmarks.bench_docs_index sqlite=sqlite postgresql=postgresql

Measured, never judged: machines differ.
"""

import argparse
import asyncio
import resource
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from engine.domain.run import DocsFolder
from engine.web.providers.docs import DocsLibrary, DocsSearch
from engine.web.search import Query

QUERIES = (
    "rollback journal WAL mode",
    "maximum size of a SQLite database",
    "deadlock detection deadlock_timeout",
    "since which version UPSERT",
    "does VACUUM lock the table",
    "transaction isolation levels",
    "index types B-tree GiST",
    "autovacuum_naptime threshold",
)
ROUNDS = 20


async def main(folders: Sequence[DocsFolder], queries: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as place:
        index_dir = Path(place)
        await _opened(folders, index_dir, "indexed")
        library = await _opened(folders, index_dir, "opened again")
        size = await asyncio.to_thread(_size, index_dir)
        pages = [page for folder in library.folders for page in folder.stored.pages]
        kept = sum(1 for page in pages if not page.skipped)
        print(f"{len(pages)} documents, {kept} indexed, index {size / 1e6:.1f} MB")
        await _searched(library, queries)


async def _opened(folders: Sequence[DocsFolder], index_dir: Path, what: str) -> DocsLibrary:
    wall, cpu = time.perf_counter(), _cpu_seconds()
    library = await DocsLibrary.open(folders, index_dir)
    print(
        f"{what} in {time.perf_counter() - wall:.2f} s, {_cpu_seconds() - cpu:.2f} s CPU "
        "(the building process counted)"
    )
    return library


def _size(index_dir: Path) -> int:
    return sum(file.stat().st_size for file in index_dir.rglob("*.bin"))


def _cpu_seconds() -> float:
    """Of this process and of those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


async def _searched(library: DocsLibrary, queries: Sequence[str]) -> None:
    search = DocsSearch(library)
    took: list[float] = []
    for _ in range(ROUNDS):
        for text in queries:
            begin = time.perf_counter()
            await search.search(Query(text))
            took.append((time.perf_counter() - begin) * 1000)
    took.sort()
    print(
        f"{len(took)} searches: median {statistics.median(took):.1f} ms, "
        f"95 % under {took[len(took) * 95 // 100]:.1f} ms, longest {took[-1]:.1f} ms"
    )


def _folder(told: str) -> DocsFolder:
    name, _, path = told.rpartition("=")
    return DocsFolder(name or Path(path).name, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=_folder, metavar="NAME=FOLDER")
    parser.add_argument("--query", action="append", default=[])
    given = parser.parse_args()
    asyncio.run(main(given.folders, given.query or QUERIES))
