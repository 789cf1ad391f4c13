"""One opened folder of documents: its index, and its documents read one by one.

What the index holds is read from there, so that a run sees a document as it was when the run
began; the few that it left out (directories of pages) are read from the folder.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.domain.errors import ToolError
from engine.retrieval.blocks import blocks
from engine.web.page import Page
from engine.web.providers.docs_address import address
from engine.web.providers.docs_files import UnreadableFile, bytes_of, file_in, suffix_of
from engine.web.providers.docs_index import DIRECTORY_PAGE
from engine.web.providers.docs_pdf import read_pdf
from engine.web.providers.docs_store import StoredIndex, StoredPage
from engine.web.providers.docs_text import DocumentText, document, with_heading_anchors


@dataclass(frozen=True, slots=True)
class Folder:
    """Its name in addresses, its index, its resolved place."""

    name: str
    stored: StoredIndex
    root: Path
    _by_path: dict[str, StoredPage] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        pages = {page.path: page for page in self.stored.pages}
        object.__setattr__(self, "_by_path", pages)

    def read(self, path: str) -> Page:
        """The whole document. Raises ToolError. Slow for what the index left out: use a thread."""
        known = self._by_path.get(path)
        if known is None or known.skipped == DIRECTORY_PAGE:
            return self._page(path, _from_file(self.root, path))
        if known.skipped:
            raise ToolError(known.skipped)
        return self._page(
            path,
            DocumentText(
                known.title, self.stored.text(known), known.media_type, known.anchors, known.note
            ),
        )

    def _page(self, path: str, read: DocumentText) -> Page:
        url = address(self.name, path)
        return Page(url, url, read.media_type, read.title, read.text, read.anchors, read.note)


def _from_file(root: Path, path: str) -> DocumentText:
    file = file_in(root, path)
    if not suffix_of(path):
        raise ToolError("is not a kind of document that can be read")
    try:
        read = document(path, bytes_of(root, file), read_pdf=read_pdf)
    except UnreadableFile as exc:
        raise ToolError(str(exc)) from exc
    return replace(read, anchors=with_heading_anchors(read.text, blocks(read.text), read.anchors))
