"""Dates as people give them, read to the interval in which they lie and no further.

`2024` is a year, not its first day. Any year is read, also before the common era, which the
standard library's dates cannot hold. Nothing but the few forms below is a date. Pure.

    2024   2024-03   2024-03-15   2024-Q1   199X (a decade)   -0044 (44 BCE; there is no year 0)
"""

import re

from engine.domain.facts import Span, Stated

DAY_SECONDS = 86_400
_FORM = re.compile(
    r"(?P<year>-?[0-9]{4})"
    r"(?:-Q(?P<quarter>[1-4])|-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?)?"
)
_DECADE = re.compile(r"(-?)([0-9]{3})X")
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY = 2
_MONTHS = 12
_ERA_YEARS = 400
_ERA_DAYS = 146_097
_YEAR_DAYS = 365
_DAYS_BEFORE_1970 = 719_468
"""From 1 March of the year 0, where the calendar's cycle of 400 years begins."""


def stated(text: str) -> Stated | None:
    """The date that `text` is, or None: another form, or no day of the calendar."""
    span = _span(text)
    return None if span is None else Stated(text, span)


def shown(date: Stated) -> str:
    """The date for people: as it was given, but for decades, quarters and years BCE; `by DATE` when
    it may be any time before."""
    own = _span(date.text)
    words = _words(date.text)
    return f"by {words}" if own is not None and date.span.lo < own.lo else words


def years(first: int, last: int) -> Span:
    """From the first to the last year, both included; years BCE are negative, 0 does not exist."""
    return months(first, 1, last=(last, _MONTHS))


def months(year: int, month: int, *, last: tuple[int, int] | None = None) -> Span:
    """A month, or everything from it to the `last` (year, month), both included."""
    last_year, last_month = last or (year, month)
    following = _astronomical(last_year) * _MONTHS + last_month
    return Span(
        _second(_astronomical(year), month, 1),
        _second(following // _MONTHS, following % _MONTHS + 1, 1),
    )


def day(year: int, month: int, day_of_month: int) -> Span | None:
    """One day, or None when the calendar has no such day."""
    if not 1 <= month <= _MONTHS:
        return None
    whole = _astronomical(year)
    if not 1 <= day_of_month <= _month_days(whole, month):
        return None
    first = _second(whole, month, day_of_month)
    return Span(first, first + DAY_SECONDS)


def year_of(second: int) -> int:
    """The year in which a second lies; negative before the common era."""
    shifted = second // DAY_SECONDS + _DAYS_BEFORE_1970
    era, of_era = divmod(shifted, _ERA_DAYS)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146_096) // _YEAR_DAYS
    in_year = of_era - (_YEAR_DAYS * year + year // 4 - year // 100)
    past_december = (5 * in_year + 2) // 153 >= 10
    whole = year + era * _ERA_YEARS + past_december
    return whole if whole > 0 else whole - 1


def _span(text: str) -> Span | None:
    found = _FORM.fullmatch(text)
    if found is None:
        return _decade(text)
    year = int(found["year"])
    if year == 0:
        return None
    if found["quarter"] is not None:
        first = 3 * int(found["quarter"]) - 2
        return months(year, first, last=(year, first + 2))
    if found["month"] is None:
        return years(year, year)
    month = int(found["month"])
    if found["day"] is not None:
        return day(year, month, int(found["day"]))
    return months(year, month) if 1 <= month <= _MONTHS else None


def _decade(text: str) -> Span | None:
    """The years that begin with the three digits; the first decade of either era has nine."""
    found = _DECADE.fullmatch(text)
    if found is None:
        return None
    near, far = max(10 * int(found[2]), 1), 10 * int(found[2]) + 9
    return years(-far, -near) if found[1] else years(near, far)


def _words(text: str) -> str:
    decade = _DECADE.fullmatch(text)
    if decade is not None:
        return f"{int(decade[2])}0s{' BCE' if decade[1] else ''}"
    found = _FORM.fullmatch(text)
    if found is None:
        return text
    if found["quarter"] is not None:
        return f"Q{found['quarter']} {_words(found['year'])}"
    if found["year"].startswith("-"):
        return f"{text[1:].lstrip('0')} BCE"
    return text


def _astronomical(year: int) -> int:
    """1 BCE is the year 0 of the arithmetic."""
    return year if year > 0 else year + 1


def _second(year: int, month: int, day_of_month: int) -> int:
    """The first second of a day in the Gregorian calendar, which is carried back for ever."""
    shifted = year - (month <= _FEBRUARY)
    era, of_era = divmod(shifted, _ERA_YEARS)
    of_year = (153 * ((month + 9) % _MONTHS) + 2) // 5 + day_of_month - 1
    of_era_days = of_era * _YEAR_DAYS + of_era // 4 - of_era // 100 + of_year
    return (era * _ERA_DAYS + of_era_days - _DAYS_BEFORE_1970) * DAY_SECONDS


def _month_days(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % _ERA_YEARS == 0)
    return _MONTH_DAYS[month - 1] + (month == _FEBRUARY and leap)
