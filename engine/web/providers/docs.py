"""Folders of documents as a search provider: indexed when a run opens them, then only read.

`DocsLibrary.open` brings the stored indexes up to date; `DocsSearch` and `DocsReader` share one
library. Nothing here may show a machine path: folders are spoken of by their names.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from engine.domain.errors import CannotStart, Problem
from engine.domain.run import DocsFolder
from engine.web.search import Found, NothingFound, Query, SearchOutcome

if TYPE_CHECKING:  # for annotations alone: it loads numpy
    from engine.web.providers.docs_folder import Folder

OnReading: TypeAlias = Callable[[str, int, int], None]
"""Told the folder's name, how many documents are read, and of how many."""


def _nobody(_name: str, _read: int, _of: int) -> None:
    """For callers that do not follow."""


class DocsLibrary:
    """The folders of one run, as they were when it opened them. Use `open` to get one."""

    def __init__(self, folders: Sequence["Folder"]) -> None:
        self._folders = {folder.name: folder for folder in folders}

    @staticmethod
    async def open(
        folders: Sequence[DocsFolder], index_dir: Path, *, on_reading: OnReading = _nobody
    ) -> "DocsLibrary":
        """Index what has changed, then open. Raises CannotStart with a Problem per folder.

        Cancelling it leaves the stored indexes as they were. `on_reading` is called in the loop's
        thread or another.
        """
        await asyncio.to_thread(import_module, "engine.web.providers.docs_opening")
        from engine.web.providers.docs_opening import opened

        problems = [*_repeated(folders)]
        found: list[Folder] = []
        for folder in folders:
            try:
                found.append(await opened(folder, index_dir, on_reading=on_reading))
            except CannotStart as exc:
                problems += exc.problems
        if problems:
            raise CannotStart(*problems)
        return DocsLibrary(found)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._folders)

    @property
    def folders(self) -> tuple["Folder", ...]:
        return tuple(self._folders.values())

    def folder(self, name: str) -> "Folder | None":
        return self._folders.get(name)


class DocsSearch:
    """The search provider `docs`: plain BM25F over the passages of the library's folders.

    Stop words do not count. A query that names a folder prefers its documents.
    """

    name = "docs"

    def __init__(self, library: DocsLibrary) -> None:
        self._library = library

    async def search(self, query: Query) -> SearchOutcome:
        """Pages best first, at most ten, each with the address of the section that fits best."""
        from engine.web.providers.docs_rank import hits_for

        hits = await asyncio.to_thread(
            hits_for, query.text, self._library.folders, most=query.most_hits
        )
        return Found(hits) if hits else NothingFound()


def _repeated(folders: Sequence[DocsFolder]) -> Iterator[Problem]:
    for name, count in Counter(folder.name for folder in folders).items():
        if count > 1:
            yield Problem(
                "docs", f"{count} folders are named {name!r}: give each a name of its own"
            )
