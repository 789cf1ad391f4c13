"""Facts, one line each: how it stands, when it held, what it says, in how many texts it is. Pure.

How a fact stands is told by a mark and, where there is room, by a word; never by colour alone.
"""

from dataclasses import dataclass

from engine.api import FactInfo
from gligabao_tui.view.fact_words import (
    STATUS_WORDS,
    period_words,
    sentence,
    statement,
    status_span,
)
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    Line,
    Span,
    crop,
    fit,
    flat,
    line,
    line_width,
    pad,
    pad_left,
    width_of,
)

WORD_FROM, DATES_FROM, TEXTS_FROM = 96, 72, 60
"""In how many cells there is room for the word, for whole dates, and for the number of texts."""
WORD_CELLS, DATES_CELLS, YEARS_CELLS, TEXTS_CELLS = 12, 25, 13, 7


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact as a row of a list."""

    fact: FactInfo

    @property
    def key(self) -> int:
        return self.fact.id

    @property
    def is_live(self) -> bool:
        return False


def fact_row(fact: FactInfo, width: int, glyphs: Glyphs, *, head: Line = ()) -> Line:
    """One fact on one line of at most `width`; `head` is what comes first in it."""
    mark, word = standing(fact, glyphs)
    left = [*head, Span(" "), mark, Span(" ")]
    if width >= WORD_FROM:
        left.append(Span(pad(word, WORD_CELLS), mark.tone))
    is_exact = width >= DATES_FROM
    dates = pad(when(fact), DATES_CELLS) if is_exact else pad(years(fact), YEARS_CELLS)
    left.append(Span(dates, "muted"))
    texts = texts_cell(fact, width)
    used = line_width((*left, *texts))
    said = crop(_said(fact, glyphs), max(8, width - used - 1))
    gap = Span(" " * max(0, width - used - line_width(said)))
    return crop((*left, *said, gap, *texts), width)


def facts_header(width: int) -> Line:
    """The names of the columns, above rows of this width."""
    word = pad("", WORD_CELLS) if width >= WORD_FROM else ""
    dates_cells = DATES_CELLS if width >= DATES_FROM else YEARS_CELLS
    left = f"   {word}{pad('when', dates_cells)}fact"
    texts = pad_left("texts ", TEXTS_CELLS) if width >= TEXTS_FROM else ""
    return line(Span(pad(left, width - width_of(texts)) + texts, "quiet"))


def standing(fact: FactInfo, glyphs: Glyphs) -> tuple[Span, str]:
    """The mark (with its tone) and the word of how a fact stands, or of whether it held when that
    was asked."""
    mark = status_span(fact, glyphs)
    if fact.certainty == "possible":
        return Span("?", "warn"), "possible"
    return mark, fact.certainty or STATUS_WORDS[fact.status]


def fact_text(fact: FactInfo) -> str:
    """The fact as plain text, with dates and how it stands: for the clipboard."""
    described = f": {flat(fact.description)}" if fact.description.strip() else ""
    return f"[F{fact.id}] {sentence(fact)}{described} ({when(fact)}; {STATUS_WORDS[fact.status]})"


def when(fact: FactInfo) -> str:
    """`since ~2021-03`, `undated`."""
    return period_words(fact) or "undated"


def years(fact: FactInfo) -> str:
    """The same in years, for where there is little room."""
    start, end = _year(fact.valid_from or ""), _year(fact.valid_to or "")
    if start and end:
        return start if start == end else f"{start} to {end}"
    return f"since {start}" if start else f"until {end}" if end else "undated"


def texts_cell(fact: FactInfo, width: int) -> Line:
    """In how many texts it is; nothing where there is no room."""
    if width < TEXTS_FROM:
        return ()
    return (Span(pad_left(f"{fact.support:,} ", TEXTS_CELLS), "muted"),)


def _said(fact: FactInfo, glyphs: Glyphs) -> Line:
    """The statement, and behind it what the text adds to it."""
    described = flat(fact.description)
    if not described or described.rstrip(".").casefold() == sentence(fact).casefold():
        return statement(fact, glyphs)
    return (*statement(fact, glyphs), Span(f"  {described}", "quiet"))


def _year(told: str) -> str:
    """`2021` of `2021-03`; of a year before Christ, and of what is no date, what it is."""
    told = flat(told)
    return fit(told if told.startswith("-") else told.partition("-")[0], 5)
