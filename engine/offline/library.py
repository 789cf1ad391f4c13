"""What was read, as pages of blocks and sentences whose places in the snapshots are known.

Windows of one page are joined where they meet; what was not read is simply not there. A sentence
that a cut went through is left out, so that a quotation is never half of one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from engine.offline.conversation import Hit, Seen, Window, hits_of
from engine.retrieval.blocks import Kind as BlockKind
from engine.retrieval.blocks import TextBlock, blocks, passages
from engine.retrieval.sentences import Sentence, sentences_in
from engine.retrieval.tokens import stem, terms

_NO_LABELS = frozenset(
    {"www", "com", "org", "net", "io", "docs", "dev", "en", "html", "co", "wiki"}
)
_FOLDER = "docs://"
_TITLE_SEPARATORS = " -–—|:·›»,("


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence: `page.text_at(start, end)` is what the snapshot has there."""

    start: int
    end: int
    text: str
    terms: tuple[str, ...]

    @property
    def embedded(self) -> frozenset[str]:
        """Stems that stand here only inside identifiers, as `vacuum` in `vacuum_cost_limit`."""
        names = [term for term in self.terms if "_" in term]
        inside = Counter(stem(part) for name in names for part in name.split("_") if part)
        if not inside:
            return frozenset()
        every = Counter(self.terms)
        return frozenset(part for part, count in inside.items() if every[part] <= count)


@dataclass(frozen=True, slots=True)
class PageBlock:
    """One block of a page with its sentences; places count characters of the snapshot."""

    kind: BlockKind
    start: int
    end: int
    text: str
    headings: tuple[str, ...]
    lead: str
    pieces: tuple[Piece, ...]
    segment: int
    """Blocks of one segment stand one after another in the page."""

    @property
    def heading(self) -> str:
        return self.headings[-1] if self.headings else ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A passage: `page.blocks[first:last]`, all under one heading."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Page:
    address: str
    title: str
    hosts: frozenset[str]
    """Stems of the labels of its host, or the name of its document folder."""
    rank: int
    """From 0, in the order in which the pages were chosen."""
    blocks: tuple[PageBlock, ...]
    passages: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Library:
    pages: tuple[Page, ...]

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset(host for page in self.pages for host in page.hosts)

    @property
    def folders(self) -> frozenset[str]:
        """The hosts that are folders of documents: who names one asks about its documents."""
        folders = [page for page in self.pages if page.address.startswith(_FOLDER)]
        return frozenset(host for page in folders for host in page.hosts)


def library(seen: Seen) -> Library:
    """The pages that were read, in the order in which they were first read."""
    titles = titles_of(hits_of(seen.searches))
    order = list(dict.fromkeys(window.address for window in seen.windows))
    return Library(
        tuple(
            _page(address, rank, joined(_of(seen.windows, address)), title=_title(titles, address))
            for rank, address in enumerate(order)
        )
    )


def hosts_of(address: str) -> frozenset[str]:
    """The stems that name where a page comes from: `docs://sqlite/wal.html` gives `sqlit`."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return frozenset()
    labels = [label for label in host.split(".") if label not in _NO_LABELS]
    return frozenset(term for label in labels for term in terms(label.replace("-", " ")))


def titles_of(hits: Iterable[Hit]) -> dict[str, str]:
    """The title of every page; what only names a section, when several hits differ, is cut."""
    found: dict[str, str] = {}
    for hit in hits:
        known = found.get(hit.address)
        found[hit.address] = hit.title if known is None else _common(known, hit.title)
    return found


def joined(windows: Sequence[Window]) -> list[Window]:
    """Windows that meet or overlap as one; of a page that changed meanwhile, the first text."""
    merged: list[Window] = []
    for window in sorted(windows, key=lambda window: (window.start, -window.end)):
        if window.total != windows[0].total:
            continue
        last = merged[-1] if merged else None
        if last is None or window.start > last.end:
            merged.append(window)
        elif window.end > last.end:
            more = window.text[last.end - window.start :]
            text, end = last.text + more, window.end
            merged[-1] = Window(last.asked, last.address, last.start, end, last.total, text)
    return merged


def _of(windows: Iterable[Window], address: str) -> list[Window]:
    return [window for window in windows if window.address == address]


def _title(titles: dict[str, str], address: str) -> str:
    return titles.get(address) or unquote(address.rstrip("/").rpartition("/")[2]) or address


def _common(one: str, other: str) -> str:
    """The shared beginning of two titles when it is more than a word, else the shorter one."""
    if one == other:
        return one
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    at_word = one[:shared].rstrip(_TITLE_SEPARATORS) if _is_end(one, shared) else ""
    return at_word or min(one, other, key=len)


def _is_end(text: str, at: int) -> bool:
    return (
        at >= len(text) or text[at - 1 : at] in _TITLE_SEPARATORS or text[at] in _TITLE_SEPARATORS
    )


def _page(address: str, rank: int, windows: Sequence[Window], *, title: str) -> Page:
    found: list[PageBlock] = []
    stretches: list[Stretch] = []
    for segment, window in enumerate(windows):
        of_window = blocks(window.text)
        stretches += [
            Stretch(passage.first + len(found), passage.last + len(found))
            for passage in passages(window.text, of_window)
        ]
        found += [_block(window, segment, block) for block in of_window]
    return Page(address, title, hosts_of(address), rank, tuple(found), tuple(stretches))


def _block(window: Window, segment: int, block: TextBlock) -> PageBlock:
    return PageBlock(
        kind=block.kind,
        start=window.start + block.start,
        end=window.start + block.end,
        text=window.text[block.start : block.end],
        headings=block.headings,
        lead=block.lead,
        pieces=tuple(_pieces(window, block)),
        segment=segment,
    )


def _pieces(window: Window, block: TextBlock) -> Iterator[Piece]:
    for sentence in _whole_sentences(window, block):
        text = window.text[sentence.start : sentence.end]
        start = window.start + sentence.start
        yield Piece(start, start + len(text), text, tuple(terms(text)))


def _whole_sentences(window: Window, block: TextBlock) -> list[Sentence]:
    if block.kind in ("tr", "pre", "heading"):
        found = [Sentence(block.start, block.end)]
    else:
        found = sentences_in(window.text, block.start, block.end)
    if window.end < window.total and block.end >= len(window.text.rstrip()):
        found = found[:-1]
    if window.start > 0 and "#" not in window.asked and block.start == 0:
        found = found[1:]
    return found
