"""What a report quotes from one source: each quotation, its verdict, and the passage around it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.api import CitedSource, Passage, moment
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    Tone,
    between,
    chop,
    flat,
    flow_spans,
    line,
    line_width,
    paragraph,
    spread,
)

VERDICTS: dict[str, tuple[str, Tone]] = {
    "exact": ("found word for word", "good"),
    "normalised": ("found apart from spaces and quotes", "good"),
    "missing": ("not found in what was read", "bad"),
}
INDENT = 2
_BREAK = re.compile(r"\n(?:[^\S\n]*\n)+|\n(?=[^\S\n]*(?:[#>|*+-]|\d+[.)]))")
"""An empty line, or a line that begins with a mark: other line breaks only fill a width."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """`chosen` is the index of the quotation that keys are about."""

    source: CitedSource
    chosen: int = 0

    @property
    def passage(self) -> Passage | None:
        """The chosen quotation; a source that is only named has none."""
        found = self.source.passages
        return found[self.chosen] if self.chosen < len(found) else None


def quoted_from(source: CitedSource, ord_: int = 0) -> Quoted:
    """With the quotation of this number in the report chosen, else the first."""
    found = (at for at, passage in enumerate(source.passages) if passage.ord == ord_)
    return Quoted(source, next(found, 0))


def moved(quoted: Quoted, by: int) -> Quoted:
    """The quotation so many further on, kept inside the source."""
    last = max(0, len(quoted.source.passages) - 1)
    return Quoted(quoted.source, min(max(quoted.chosen + by, 0), last))


def passage_title(source: CitedSource) -> str:
    return f"Source {source.n}: {flat(source.title) or 'without a title'}"


def source_lines(source: CitedSource, width: int) -> tuple[Line, ...]:
    """Its address, and when and as what it was read."""
    address = tuple((Span(row, "link"),) for row in chop(flat(source.url), max(1, width)))
    if not source.read_at:
        return (*address, *paragraph("This run never read it.", width, "bad"))
    told = [
        f"read {_time_words(source.read_at)}",
        flat(source.media_type),
        f"{source.chars:,} {'character' if source.chars == 1 else 'characters'}",
    ]
    facts = between([Span(part, "muted") for part in told], Span(", ", "muted"))
    return (*address, *flow_spans(facts, width))


def passage_lines(
    quoted: Quoted, width: int, *, glyphs: Glyphs, hint: Line = EMPTY
) -> tuple[tuple[Line, ...], tuple[int, ...]]:
    """The rows of all quotations, and the row that each begins with. `hint` tells the keys that
    lead from one to another."""
    lines: list[Line] = []
    tops: list[int] = []
    passages = quoted.source.passages
    for at, passage in enumerate(passages):
        if lines:
            lines.append(EMPTY)
        tops.append(len(lines))
        head = _head(quoted, at, glyphs)
        has_room = at == quoted.chosen and line_width(head) + line_width(hint) < width
        lines.append(spread(head, hint if has_room else EMPTY, width))
        lines.extend(_body(passage, width, glyphs))
    if not passages:
        lines.extend(paragraph("The report quotes nothing from it.", width, "muted"))
    return tuple(lines), tuple(tops)


def _head(quoted: Quoted, at: int, glyphs: Glyphs) -> Line:
    """Which quotation it is, and its verdict."""
    passages = quoted.source.passages
    words, tone = VERDICTS[passages[at].verdict]
    glyph = glyphs.failed if passages[at].verdict == "missing" else glyphs.done
    mark = glyphs.closed if at == quoted.chosen else " "
    number = f"{at + 1} of {len(passages)}  " if len(passages) > 1 else ""
    return line(Span(f"{mark} ", "accent"), Span(number, "muted"), Span(f"{glyph} {words}", tone))


def _body(passage: Passage, width: int, glyphs: Glyphs) -> Sequence[Line]:
    """The quotation; where it was found apart from details or not at all, as the report has it."""
    rows: list[Line] = []
    if passage.verdict != "exact" or not passage.quoted:
        quote = flat(passage.quote) or "The link stands behind no quotation."
        rows.extend(_told("In the report:", (Span(quote, "quote"),), width, glyphs))
    if passage.quoted:
        around = _around(passage, glyphs)
        rows.extend(_told("In the source:", around, width, glyphs))
    return rows


def _told(label: str, spans: Sequence[Span], width: int, glyphs: Glyphs) -> Sequence[Line]:
    """A text with a bar before each row, which is heavy where the row has quoted words."""
    indent = Span(" " * INDENT)
    rows: list[Line] = [(indent, Span(label, "muted"))]
    for row in flow_spans(spans, max(1, width - 2 * INDENT)):
        is_quoted = any(span.tone == "mark" for span in row)
        bar = Span(f"{glyphs.cursor} ", "accent") if is_quoted else Span(f"{glyphs.bar} ", "quiet")
        rows.append((indent, bar, *row))
    return rows


def _around(passage: Passage, glyphs: Glyphs) -> Sequence[Span]:
    """The passage, paragraph by paragraph; other white space says nothing about it."""
    before, quoted, after = (
        _running(part) for part in (passage.before, passage.quoted, passage.after)
    )
    return (
        Span(f"{glyphs.ellipsis} {before}" if before.strip() else before, "muted"),
        Span(quoted, "mark"),
        Span(f"{after} {glyphs.ellipsis}" if after.strip() else after, "muted"),
    )


def _running(text: str) -> str:
    """Its paragraphs, each on one line; white space at either end stays a space or a break."""
    words = "\n".join(row for row in map(flat, _BREAK.split(text)) if row)
    if not words:
        return _edge(text)
    return _edge(text[: len(text) - len(text.lstrip())]) + words + _edge(text[len(text.rstrip()) :])


def _edge(space: str) -> str:
    return "\n" if _BREAK.search(space) else " " if space else ""


def _time_words(stored: str) -> str:
    try:
        return f"{moment(stored):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return flat(stored)
