"""The pages of the handbook in the order a person reads them, their links, and finding words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gligabao_tui.keys import Scope
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.markdown import pieces
from gligabao_tui.view.markdown_inline import LINK
from gligabao_tui.view.markdown_lines import Room, laid_out
from gligabao_tui.view.text import EMPTY, Line, Span, flat, line, paragraph, plain, wrap_spans

ORDER = (
    *("start", "screens", "agents", "definitions", "knowledge-base"),
    *("files-and-settings", "server", "safety"),
)
"""The pages for readers; what else lies in the folder is for whoever changes the program."""
READING_CELLS = 92
MOST_HITS = 60
HIT = "hit:"
LEADS = (LINK, HIT)
SNIPPET_CHARS = 150
PLACES: dict[Scope, str] = {
    "runs": "screens.md#runs",
    "search": "screens.md#runs",
    "details": "screens.md#details",
    "states": "screens.md#the-tab-states",
    "report": "screens.md#the-tab-report",
    "knowledge": "screens.md#the-tab-knowledge",
    "time": "screens.md#the-tab-time",
    "fact": "screens.md#the-tab-knowledge",
    "cost": "screens.md#the-tab-cost",
    "dock": "screens.md#the-parts-of-the-screen",
    "start": "screens.md#start-a-run",
    "stop": "screens.md#stop-wrap-up-leave",
    "stop_all": "screens.md#stop-wrap-up-leave",
    "quit": "screens.md#stop-wrap-up-leave",
    "error": "screens.md#failed-runs",
    "doctor": "start.md#when-something-is-wrong",
    "schedules": "screens.md#schedules",
    "run_now": "screens.md#schedules",
    "agents": "screens.md#agents",
    "own_copy": "screens.md#agents",
    "base": "screens.md#the-knowledge-base",
    "remember": "screens.md#the-knowledge-base",
    "forget": "screens.md#the-knowledge-base",
    "retry_failed": "screens.md#the-knowledge-base",
    "faults": "definitions.md#when-something-is-wrong",
    "help": "screens.md#keys",
    "main": "screens.md",
}
"""What to read about the thing that has the focus."""
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^(#+) (.+)$")
_MARKS = re.compile(r"[*`]|\]\([^)]*\)|!?\[|^[-#>|] ?|^\d+\. ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """`name` is the file's name without its ending."""

    name: str
    text: str

    @property
    def title(self) -> str:
        """Its first heading, else its name."""
        headings = (row[2:] for row in self.text.splitlines() if row.startswith("# "))
        return next(headings, self.name).strip()

    @property
    def headings(self) -> tuple[str, ...]:
        """Those of the second level, which are what a page is about."""
        rows = _FENCE.sub("", self.text).splitlines()
        return tuple(row[3:].strip() for row in rows if row.startswith("## "))


@dataclass(frozen=True, slots=True)
class Place:
    """A page, a heading of it (or its start), and words to go on to from there."""

    page: str
    anchor: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A paragraph with all the words, under the heading it stands under."""

    page: Page
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A link on a sheet: where it leads, and its spans as (row, number of the span in it)."""

    target: str
    spots: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Something of the handbook laid out: `rows` are those of its headings by their anchors."""

    lines: tuple[Line, ...]
    rows: tuple[tuple[str, int], ...] = ()

    @property
    def stops(self) -> tuple[Stop, ...]:
        """A link that goes on in the next row is one."""
        found: list[Stop] = []
        before = ""
        for row, spans in enumerate(self.lines):
            for at, span in enumerate(spans):
                if not span.text.strip():
                    continue
                target = span.target if span.target.startswith(LEADS) else ""
                if target and target == before:
                    found[-1] = Stop(target, (*found[-1].spots, (row, at)))
                elif target:
                    found.append(Stop(target, ((row, at),)))
                before = target
        return tuple(found)

    def row_of(self, place: Place) -> int:
        """The heading of the place, or the first row after it that has one of the words."""
        top = next((row for anchor, row in self.rows if anchor == place.anchor), 0)
        wanted = [word.lower() for word in place.words]
        rows = range(top, len(self.lines))
        told = (row for row in rows if any(w in plain(self.lines[row]).lower() for w in wanted))
        return next(told, top)


def in_order(pages: Iterable[Page]) -> tuple[Page, ...]:
    """The pages for readers, in the order a person reads them."""
    known = {page.name: page for page in pages}
    return tuple(known[name] for name in ORDER if name in known)


def page_title(pages: Sequence[Page], at: int) -> str:
    return f"{pages[at].title} ({at + 1} of {len(pages)})" if pages else "The handbook is missing"


def anchor_of(heading: str) -> str:
    """A heading as links name it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def place_for(scope: Scope) -> Place:
    """What to read about a part of the app; the first page where there is nothing of its own."""
    return place_of(LINK + PLACES.get(scope, "start.md"), ORDER[0]) or Place(ORDER[0])


def place_of(target: str, page: str) -> Place | None:
    """Where a link of `page` leads inside the handbook; None when it leads out of it."""
    file, _, anchor = target.removeprefix(LINK).partition("#")
    if not file:
        return Place(page, anchor)
    name = file.removesuffix(".md")
    return Place(name, anchor) if name in ORDER and file != name else None


def page_sheet(page: Page, width: int, glyphs: Glyphs) -> Sheet:
    """A page laid out below its title, with the rows of its headings."""
    room = Room(min(width, READING_CELLS), glyphs)
    lines: list[Line] = []
    rows: list[tuple[str, int]] = []
    for piece in pieces(page.text.removeprefix(f"# {page.title}\n").lstrip("\n")):
        laid = laid_out(piece, room)
        if lines and laid.lines and piece.is_apart:
            lines.append(EMPTY)
        rows += [(anchor_of(one.title), len(lines) + one.row) for one in laid.headings]
        lines.extend(laid.lines)
    return Sheet(tuple(lines), tuple(rows))


def contents_sheet(pages: Sequence[Page], width: int, glyphs: Glyphs) -> Sheet:
    """Every page and what it is about; all of them are links."""
    cells = min(width, READING_CELLS)
    lines: list[Line] = []
    for number, page in enumerate(pages, start=1):
        target = f"{LINK}{page.name}.md"
        lines += [] if number == 1 else [EMPTY]
        lines.append(line(Span(f"{number}  ", "muted"), Span(flat(page.title), "link", target)))
        about: list[Span] = []
        for heading in page.headings:
            about += [Span(f" {glyphs.dot} ", "quiet")] if about else []
            about.append(Span(flat(heading), "accent", f"{target}#{anchor_of(heading)}"))
        lines += [(Span("   "), *row) for row in wrap_spans(about, cells - 3)]
    return Sheet(tuple(lines))


def find(pages: Sequence[Page], typed: str) -> tuple[Hit, ...]:
    """The paragraphs that have all the words, in the order of the pages."""
    words = typed.lower().split()
    if not words:
        return ()
    hits = (
        Hit(page, heading, text)
        for page in pages
        for heading, text in _paragraphs(page)
        if all(word in f"{text} {heading}".lower() for word in words)
    )
    return tuple(hit for hit, _ in zip(hits, range(MOST_HITS), strict=False))


def found_sheet(hits: Sequence[Hit], typed: str, width: int) -> Sheet:
    """What was found; the headings of the hits are links to them, numbered `hit:N`."""
    cells = min(width, READING_CELLS)
    words = tuple(typed.lower().split())
    if not words:
        return Sheet(paragraph("Type words; all of them must be in a paragraph.", cells, "muted"))
    if not hits:
        return Sheet(paragraph(f"No page has all of these words: {flat(typed)}", cells, "muted"))
    more = " or more" if len(hits) == MOST_HITS else ""
    lines: list[Line] = [line(Span(count_of(len(hits), "place", "places") + more, "muted"))]
    for number, hit in enumerate(hits):
        where = f"{hit.page.title}, {hit.heading}" if hit.heading else hit.page.title
        lines += [EMPTY, line(Span(flat(where), "link", f"{HIT}{number}"))]
        lines += [marked(row, words) for row in paragraph(_snippet(hit.text, words), cells)]
    return Sheet(tuple(lines))


def place_of_hit(hit: Hit, typed: str) -> Place:
    return Place(hit.page.name, anchor_of(hit.heading), tuple(typed.lower().split()))


def marked(spans: Line, words: Sequence[str]) -> Line:
    """With these words set off."""
    if not words:
        return spans
    pattern = re.compile("|".join(re.escape(word) for word in words), re.IGNORECASE)
    return tuple(piece for span in spans for piece in _cut(span, pattern))


def selected(sheet: Sheet, stop: Stop | None) -> tuple[Line, ...]:
    """The lines with the chosen link set off."""
    if stop is None:
        return sheet.lines
    lines = list(sheet.lines)
    for row, at in stop.spots:
        spans = list(lines[row])
        spans[at] = spans[at]._replace(tone="pill-on")
        lines[row] = tuple(spans)
    return tuple(lines)


def _cut(span: Span, pattern: re.Pattern[str]) -> Iterator[Span]:
    at = 0
    for found in pattern.finditer(span.text):
        if found.start() > at:
            yield span._replace(text=span.text[at : found.start()])
        yield span._replace(text=found[0], tone="pill")
        at = found.end()
    if at < len(span.text):
        yield span._replace(text=span.text[at:])


def _paragraphs(page: Page) -> Iterator[tuple[str, str]]:
    """Heading and text of every paragraph, list item, row of a table and line of code."""
    heading = ""
    for row in page.text.splitlines():
        if found := _HEADING.match(row):
            heading = found[2].strip() if len(found[1]) > 1 else ""
        elif text := flat(_MARKS.sub("", row)):
            yield heading, text


def _snippet(text: str, words: Sequence[str]) -> str:
    """The part of a long paragraph where the first of the words is."""
    if len(text) <= SNIPPET_CHARS:
        return text
    at = next((place for word in words if (place := text.lower().find(word)) >= 0), 0)
    start = max(0, min(at - SNIPPET_CHARS // 3, len(text) - SNIPPET_CHARS))
    start = text.rfind(" ", 0, start + 1) + 1
    told = text[start : start + SNIPPET_CHARS]
    return ("… " if start else "") + told + (" …" if start + SNIPPET_CHARS < len(text) else "")
