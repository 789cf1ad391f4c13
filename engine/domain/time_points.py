"""Points in time as people word them, found in running text and read to intervals.

Only what is written is read: a year is never filled up with today's month, and relative words mean
something only beside a reference date that is precise enough. Pure; no expression here can take
longer than the text is long.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.domain.dates import day, months, stated, year_of, years
from engine.domain.facts import Span, Stated

_MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTHS = {name[:3]: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_MONTH = "|".join(rf"{name[:3]}(?:{name[3:]}|\.)?" for name in _MONTH_NAMES).replace(
    r"sep(?:tember|\.)?", r"sept?(?:ember|\.)?"
)
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11)}
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
_YEAR = r"(?<![\d.,$€£#/])(?:1[0-9]|20|21)[0-9]{2}(?![\d%€]|[.,/][0-9])"
_NO_YEAR = (
    r"(?!\s+(?:people|employees|users|members|students|inhabitants|copies|times|km|kg|miles|metres"
    r"|meters|feet|dollars|euros|points|votes|rows|items|words|bytes|[kmg]b)\b)"
)
_ERA = r"(?:bce?|b\.\s?c\.(?:\s?e\.)?)(?![a-z])"
_PART = r"(?:(?P<part>early|mid|middle|late|beginning|start|end)(?:[\s-]+(?:of\s+)?(?:the\s+)?))?"
_FORMS = (
    r"(?P<iso>(?<![\d-])[0-9]{4}-(?:Q[1-4]|[0-9]{2}(?:-[0-9]{2})?)(?![\d-])|\b[0-9]{3}X\b)",
    r"(?P<cy>[0-9]{4})\s?年(?:\s?(?P<cm>[0-9]{1,2})\s?月(?:\s?(?P<cd>[0-9]{1,2})\s?日)?)?",
    rf"\b(?P<d1>[0-9]{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_MONTH})\s*,?\s+(?P<y1>{_YEAR})",
    rf"\b(?P<m2>{_MONTH})\s+(?P<d2>[0-9]{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<y2>{_YEAR})",
    rf"\b(?P<m3>{_MONTH})\s*,?\s+(?:of\s+)?(?P<y3>{_YEAR})",
    rf"\b(?:Q(?P<q>[1-4])|(?P<qo>{'|'.join(_ORDINALS)})\s+quarter)\s*,?\s+(?:of\s+)?(?P<yq>{_YEAR})",
    rf"\b(?:H(?P<h>[12])|(?P<ho>first|second)\s+half)\s+(?:of\s+)?(?P<yh>{_YEAR})",
    rf"\b(?P<s>spring|summer|autumn|fall|winter)\s+(?:of\s+)?(?P<ys>{_YEAR})",
    rf"\b{_PART}(?P<c>[0-9]{{1,2}})(?:st|nd|rd|th)[\s-]century(?P<ce>\s+{_ERA})?",
    rf"\b{_PART.replace('part', 'dpart')}(?P<decade>[0-9]{{3}})0'?s\b",
    rf"(?P<bce>(?<![\d.,])[0-9]{{1,4}})\s?{_ERA}|\bad\s(?P<ad>[0-9]{{1,4}})\b",
    rf"\b{_PART.replace('part', 'ypart')}(?P<y>{_YEAR}){_NO_YEAR}",
    r"\b(?P<rel>last|this|next|previous)\s+(?P<unit>year|month)\b",
    r"\b(?P<n>[0-9]{1,3}|a|one|two|three|four|five|ten)\s+years?\s+ago\b",
)
_POINT = re.compile("|".join(f"(?:{form})" for form in _FORMS), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Point:
    """An expression of time and where it stands."""

    start: int
    end: int
    span: Span


def points(text: str, reference: Stated | None) -> tuple[Point, ...]:
    """The expressions of time in their order. One that is no date of the calendar, or is relative
    to a date that is missing or too vague, is left out."""
    found = []
    for match in _POINT.finditer(text):
        told = {name: value for name, value in match.groupdict().items() if value is not None}
        span = _read(told, reference)
        if span is not None:
            found.append(Point(match.start(), match.end(), span))
    return tuple(found)


_Told = Mapping[str, str]


def _read(told: _Told, reference: Stated | None) -> Span | None:
    if "rel" in told or "n" in told:
        return _relative(told, reference)
    reader = next(read for name, read in _READERS.items() if name in told)
    return reader(told)


def _iso(told: _Told) -> Span | None:
    date = stated(told["iso"].upper())
    return None if date is None else date.span


def _chinese(told: _Told) -> Span | None:
    parts = [told["cy"], *(f"{int(told[name]):02}" for name in ("cm", "cd") if name in told)]
    date = stated("-".join(parts))
    return None if date is None else date.span


def _day(told: _Told, number: str) -> Span | None:
    month = _MONTHS[told[f"m{number}"][:3].lower()]
    return day(int(told[f"y{number}"]), month, int(told[f"d{number}"]))


def _month(told: _Told) -> Span:
    return months(int(told["y3"]), _MONTHS[told["m3"][:3].lower()])


def _quarter(told: _Told) -> Span:
    number = int(told["q"]) if "q" in told else _ORDINALS[told["qo"].lower()]
    year = int(told["yq"])
    return months(year, 3 * number - 2, last=(year, 3 * number))


def _half(told: _Told) -> Span:
    number = int(told["h"]) if "h" in told else _ORDINALS[told["ho"].lower()]
    year = int(told["yh"])
    return months(year, 6 * number - 5, last=(year, 6 * number))


def _season(told: _Told) -> Span:
    """Of the northern half; which of its two winters a year means is not known: either."""
    year, season = int(told["ys"]), told["s"].lower()
    if season == "winter":
        before = year - 1 if year > 1 else -1
        return months(before, 12, last=(year + 1, 2))
    first, last = _SEASONS[season]
    return months(year, first, last=(year, last))


def _century(told: _Told) -> Span | None:
    number = int(told["c"])
    if number == 0:
        return None
    if "ce" in told:
        return years(-100 * number, -100 * number + 99)
    return _third(100 * number - 99, 100, told.get("part"))


def _decade(told: _Told) -> Span:
    first = 10 * int(told["decade"])
    return _third(first, 10, told.get("dpart")) if first else years(1, 9)


def _third(first: int, length: int, part: str | None) -> Span:
    """Early, mid or late: thirds that share their border years, as people use them."""
    if part is None:
        return years(first, first + length - 1)
    third = _THIRDS[part.lower()]
    return years(first + third * length // 3, first + min((third + 1) * length // 3, length - 1))


def _year(told: _Told) -> Span:
    year, part = int(told["y"]), told.get("ypart")
    if part is None:
        return years(year, year)
    third = _THIRDS[part.lower()]
    return months(year, 4 * third + 1, last=(year, 4 * third + 4))


def _before_the_era(told: _Told) -> Span | None:
    year = int(told["bce"])
    return years(-year, -year) if year else None


def _of_the_era(told: _Told) -> Span | None:
    year = int(told["ad"])
    return years(year, year) if year else None


_READERS: dict[str, Callable[[_Told], Span | None]] = {
    "iso": _iso,
    "cy": _chinese,
    "d1": lambda told: _day(told, "1"),
    "d2": lambda told: _day(told, "2"),
    "m3": _month,
    "yq": _quarter,
    "yh": _half,
    "s": _season,
    "c": _century,
    "decade": _decade,
    "bce": _before_the_era,
    "ad": _of_the_era,
    "y": _year,
}


def _relative(told: _Told, reference: Stated | None) -> Span | None:
    if reference is None:
        return None
    year = year_of(reference.span.lo)
    if year_of(reference.span.hi - 1) != year or year < 1:
        return None
    if "n" in told:
        count = told["n"].lower()
        back = _COUNTS[count] if count in _COUNTS else int(count)
        return years(year - back, year - back) if back < year else None
    step = {"this": 0, "next": 1}.get(told["rel"].lower(), -1)
    if told["unit"].lower() == "year":
        return years(year + step, year + step) if year + step else None
    return _month_beside(reference, year, step)


def _month_beside(reference: Stated, year: int, step: int) -> Span | None:
    of_year = [months(year, month) for month in range(1, 13)]
    inside = [
        place
        for place, month in enumerate(of_year)
        if month.lo <= reference.span.lo and reference.span.hi <= month.hi
    ]
    if not inside or year + step < 1:
        return None
    whole = year * 12 + inside[0] + step
    return months(whole // 12, whole % 12 + 1)
