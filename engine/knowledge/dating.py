"""The dates of a fact as the text gives them: what a model says about them is held against it.

A date that the text does not show, and that its words and the source's date do not give, is
dropped: nothing here fills one up or takes today's.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from engine.domain.dates import stated, year_of
from engine.domain.facts import Span, Stated
from engine.domain.time_words import window

_RANGE = re.compile(
    r"(?:from|between)\s+(?P<first>.+?)\s+(?:to|until|till|and|through)\s+(?P<last>.+)"
    r"|(?P<since>since|starting(?: in)?|beginning(?: in)?|as of|from)\s+(?P<begun>.+)"
    r"|(?P<till>until|till|through|up to)\s+(?P<ended>.+)",
    re.IGNORECASE | re.DOTALL,
)
_INDEFINITE = re.compile(r"\b(?:before|after|by|prior to|later than|earlier than)\b", re.IGNORECASE)
_ERAS = re.compile("令和|平成|昭和|大正|明治|民國|民国|佛历|هـ|AH\\b|พ.ศ.")
_HAN_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_RELATIVE = re.compile(
    r"\b(?:today|yesterday|tomorrow|now|currently|this|last|next|ago|recently"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|[今昨明去本]|月",
    re.IGNORECASE,
)
_NEAR_YEARS = 1


@dataclass(frozen=True, slots=True)
class Dates:
    """From when to when, each in a format of `domain.dates.stated` or empty."""

    start: str = ""
    end: str = ""
    untold: tuple[str, ...] = ()
    """The dates that were dropped: the text does not give them."""
    is_inferred: bool = False
    """The text does not write them: they are its words, read by the source's date."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a model says about the time of a fact."""

    start: str = ""
    end: str = ""
    time_words: str = ""


def dates_of(claimed: Claimed, text: str, reference: Stated | None) -> Dates:
    """The dates of a fact that `text` states. Relative words count from the source's date."""
    by_words = _of_words(claimed.time_words, reference)
    start = _told(claimed.start, by_words.start, text, reference=reference)
    end = _told(claimed.end, by_words.end, text, reference=reference)
    untold = tuple(
        given for given, kept in ((claimed.start, start), (claimed.end, end)) if given and not kept
    )
    if not claimed.start and not claimed.end:
        start, end = by_words.start, by_words.end
    if _ends_before(start, end):
        end, untold = "", (*untold, end)
    is_inferred = not all(shows_year(text, date) for date in (start, end) if date)
    return Dates(start, end, untold, is_inferred)


def shows_year(text: str, date: str) -> bool:
    """Whether the year of `date` stands in the text: `1998`, `'98`, `199X` as `1990s` or `90s`."""
    digits = _western(text)
    year = date.lstrip("-")[:4]
    if year.endswith("X"):
        return bool(re.search(rf"(?<!\d){year[:3]}\d|(?<!\d){year[2]}0s", digits))
    short = rf"|['’]{year[2:]}(?!\d)" if year[0] != "0" else ""
    if re.search(rf"(?<!\d)0*{int(year)}(?!\d){short}", digits):
        return True
    return bool(_ERAS.search(text)) or bool(re.search(rf"(?<!\d){year[:3]}0s", digits))


def is_date(words: str) -> bool:
    """Whether this is a date and nothing else: `2021-03`, `12 March 2021`."""
    bare = words.strip()
    found = window(bare, None)
    return stated(bare) is not None or (found is not None and found.text == bare)


def written(span: Span) -> str:
    """The shortest format that means exactly this span; empty when none does."""
    fitting = (date for date in _forms(span) if (read := stated(date)) and read.span == span)
    return next(fitting, "")


def _told(given: str, by_words: str, text: str, *, reference: Stated | None) -> str:
    """The given date when the text shows it; the one of its own words when it is none."""
    if not given:
        return ""
    date = given if stated(given) is not None else _point(given, reference)
    if not date:
        return by_words
    if shows_year(text, date) or _is_within(date, by_words) or _is_near(date, reference, text):
        return date
    return by_words


def _of_words(words: str, reference: Stated | None) -> Dates:
    words = words.strip(" .,;:()")
    found = _RANGE.fullmatch(words)
    if found is None:
        return Dates() if _INDEFINITE.search(words) else Dates(_point(words, reference))
    first, last = found["first"] or found["begun"], found["last"] or found["ended"]
    return Dates(_point(first or "", reference), _point(last or "", reference))


def _point(words: str, reference: Stated | None) -> str:
    """One stretch of time named in words, as a date; empty when it is none or has no format."""
    if not words or _INDEFINITE.search(words):
        return ""
    found = window(words, reference)
    return written(found.span) if found is not None else ""


def _forms(span: Span) -> Iterator[str]:
    year, month, day = _civil(span.lo)
    sign, figures = ("-", -year) if year < 0 else ("", year)
    yield f"{sign}{figures:04d}"
    yield f"{sign}{figures // 10:03d}X"
    yield f"{sign}{figures:04d}-Q{(month + 2) // 3}"
    yield f"{sign}{figures:04d}-{month:02d}"
    yield f"{sign}{figures:04d}-{month:02d}-{day:02d}"


def _civil(second: int) -> tuple[int, int, int]:
    year = year_of(second)
    sign, figures = ("-", -year) if year < 0 else ("", year)
    for month in range(12, 0, -1):
        begun = stated(f"{sign}{figures:04d}-{month:02d}")
        if begun is not None and begun.span.lo <= second:
            return year, month, (second - begun.span.lo) // 86_400 + 1
    return year, 1, 1


def _western(text: str) -> str:
    """With digits of any script as 0 to 9."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.digit(sign)) if sign.isdigit() else sign
        for sign in text.translate(_HAN_DIGITS)
    )


def _is_within(date: str, by_words: str) -> bool:
    inner, outer = stated(date), stated(by_words)
    if inner is None or outer is None:
        return False
    return inner.span.lo < outer.span.hi and outer.span.lo < inner.span.hi


def _is_near(date: str, reference: Stated | None, text: str) -> bool:
    """A year beside the source's own, for words such as `next month`; never from the clock."""
    read = stated(date)
    if read is None or reference is None or not _RELATIVE.search(text):
        return False
    apart = year_of(read.span.lo) - year_of(reference.span.lo)
    return abs(apart) <= _NEAR_YEARS


def _ends_before(start: str, end: str) -> bool:
    first, last = stated(start), stated(end)
    return first is not None and last is not None and last.span.hi <= first.span.lo
