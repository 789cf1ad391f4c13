"""Lines of toned text: what every view produces and every widget draws.

A tone says what a piece of text means; what it looks like is decided in `styles/`. Nothing here
interprets markup, and all measuring is in terminal cells.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

from rich.cells import cell_len

from engine.api import clean

Tone = Literal[
    "",
    "muted",
    "strong",
    "title",
    "accent",
    "good",
    "warn",
    "bad",
    "quiet",
    "key",
    "pill",
    "pill-on",
    "pill-bad",
    "quote",
    "heading",
    "em",
    "code",
    "link",
    "link-on",
    "mark",
]
TONES: tuple[Tone, ...] = get_args(Tone)


class Span(NamedTuple):
    """A piece of a line. `target` names what a click on it asks for; empty: nothing of its own."""

    text: str
    tone: Tone = ""
    target: str = ""


Line: TypeAlias = tuple[Span, ...]
_SPACES = re.compile(r"[ \t\r\f\v]+")
EMPTY: Line = ()
AFTER_SPACE, AFTER_CUT = Span("", "", "after space"), Span("", "", "after cut")
"""Marks of a row that goes on with the row before it: after the space, or within the word, at
which the layout broke them. What stands before the mark in its row is only indentation."""
JOINER = "\u200d"


def line(*parts: Span | str) -> Line:
    """A line of parts; a bare string has no tone."""
    return tuple(Span(part) if isinstance(part, str) else part for part in parts)


def width_of(text: str) -> int:
    """How many terminal cells `text` takes, as the widgets measure it."""
    return len(text) if text.isascii() else cell_len(text)


def line_width(spans: Line) -> int:
    return sum(width_of(span.text) for span in spans)


def plain(spans: Line) -> str:
    return "".join(span.text for span in spans)


def fit(text: str, cells: int, ellipsis: str = "…") -> str:
    """`text` cut to at most `cells`, with an ellipsis where something was left out."""
    if cells <= 0:
        return ""
    if width_of(text) <= cells:
        return text
    return _head(text, cells - width_of(ellipsis)) + ellipsis if cells > 1 else ellipsis[:cells]


def pad(text: str, cells: int) -> str:
    """Fitted to exactly `cells`, filled with spaces on the right."""
    fitted = fit(text, cells)
    return fitted + " " * (cells - width_of(fitted))


def pad_left(text: str, cells: int) -> str:
    fitted = fit(text, cells)
    return " " * (cells - width_of(fitted)) + fitted


def crop(spans: Line, cells: int) -> Line:
    """A line cut to at most `cells`, keeping the tones of what remains."""
    if line_width(spans) <= cells:
        return spans
    kept: list[Span] = []
    left = cells
    for span in spans:
        taken = span._replace(text=fit(span.text, left))
        kept.append(taken)
        left -= width_of(taken.text)
        if left <= 0 or taken.text != span.text:
            break
    return tuple(kept)


def spread(left: Line, right: Line, width: int) -> Line:
    """`left` at the left edge and `right` at the right one; left is cut when both do not fit."""
    room = width - line_width(right) - 1
    if room < 1:
        return crop(left, width)
    shown = crop(left, room)
    return (*shown, Span(" " * (width - line_width(shown) - line_width(right))), *right)


def wrap(text: str, cells: int) -> list[str]:
    """`text` broken into rows of at most `cells`, at spaces where there are any."""
    rows: list[str] = []
    for paragraph in clean(text).expandtabs(4).split("\n"):
        rows.extend(_wrapped(paragraph, max(1, cells)))
    return rows


def chop(text: str, cells: int) -> list[str]:
    """`text` in pieces of at most `cells` (or one character), cut wherever the room ends."""
    if text.isascii():
        return [text[at : at + cells] for at in range(0, len(text), cells)] or [""]
    pieces, taken = [""], 0
    for cluster in _clusters(text):
        width = cell_len(cluster)
        if taken + width > cells and pieces[-1]:
            pieces.append("")
            taken = 0
        pieces[-1] += cluster
        taken += width
    return pieces


def paragraph(text: str, cells: int, tone: Tone = "") -> tuple[Line, ...]:
    """Wrapped rows as lines of one tone, marked where the layout broke them."""
    return tuple(_flowed((Span(clean(text).expandtabs(4), tone),), cells))


def flow_spans(spans: Sequence[Span], cells: int) -> list[Line]:
    """As `wrap_spans`; a row that goes on with the one before it begins with a mark that says so,
    by which copying puts the text together again."""
    return _flowed([one._replace(text=_SPACES.sub(" ", clean(one.text))) for one in spans], cells)


def wrap_spans(spans: Sequence[Span], cells: int) -> list[Line]:
    """Toned text broken into rows of at most `cells`; each piece keeps its tone and target."""
    return [tuple(span for span in row if span.text) for row in flow_spans(spans, cells)]


def between(parts: Iterable[Span], separator: Span) -> Line:
    """The parts that are not empty, with the separator between them."""
    spans: list[Span] = []
    for part in parts:
        if part.text:
            spans.extend((separator, part) if spans else (part,))
    return tuple(spans)


def target_at(spans: Line, x: int) -> str:
    """The target of whatever lies at cell `x`; empty when nothing of its own is there."""
    for span in spans:
        x -= width_of(span.text)
        if x < 0:
            return span.target
    return ""


def flat(text: str) -> str:
    """On one line, whatever white space it had. Not cut: the layout does that."""
    return " ".join(clean(text).split())


def _flowed(spans: Sequence[Span], cells: int) -> list[Line]:
    rows: list[Line] = []
    begin = 0
    for part in "".join(span.text for span in spans).split("\n"):
        end = 0
        for at, row in enumerate(_wrapped(part, max(1, cells))):
            start = part.index(row, end)
            mark = ((AFTER_SPACE if start > end else AFTER_CUT),) if at else ()
            end = start + len(row)
            rows.append((*mark, *_piece(spans, begin + start, begin + end)))
        begin += len(part) + 1
    return rows


def _piece(spans: Sequence[Span], start: int, end: int) -> Line:
    """The characters from `start` to `end` of all spans together."""
    kept: list[Span] = []
    place = 0
    for span in spans:
        first, last = max(start - place, 0), min(end - place, len(span.text))
        if first < last:
            kept.append(span._replace(text=span.text[first:last]))
        place += len(span.text)
    return tuple(kept)


def _wrapped(paragraph: str, cells: int) -> Sequence[str]:
    if width_of(paragraph) <= cells:
        return (paragraph,)
    rows: list[str] = []
    row = ""
    for word in paragraph.split(" "):
        joined = f"{row} {word}" if row else word
        if width_of(joined) <= cells:
            row = joined
            continue
        if row:
            rows.append(row)
        *full, row = chop(word, cells)
        rows.extend(full)
    return [*rows, row]


def _head(text: str, cells: int) -> str:
    """The longest start of `text` that takes at most `cells`."""
    if text.isascii():
        return text[: max(0, cells)]
    taken = length = 0
    for cluster in _clusters(text):
        taken += cell_len(cluster)
        if taken > cells:
            break
        length += len(cluster)
    return text[:length]


def _clusters(text: str) -> Iterator[str]:
    """Characters with what is drawn over them or joined to them: an emoji of several is one."""
    start = 0
    for at in range(1, len(text)):
        if cell_len(text[at]) and text[at - 1] != JOINER:
            yield text[start:at]
            start = at
    yield text[start:]
