"""Days of any year, also before the common era, for a time axis from millennia to days. Pure.

The standard library knows no year before 1. Years are counted as astronomers do: 0 is 1 BCE.
"""

from typing import NamedTuple

DAY = 86_400
_ERA_YEARS = 400
_ERA_DAYS = 146_097
_YEAR_DAYS = 365
_DAYS_BEFORE_1970 = 719_468
_MONTHS = 12
_FEBRUARY = 2


class Date(NamedTuple):
    year: int
    month: int
    day: int


def second_of(year: int, month: int = 1, day: int = 1) -> int:
    """The first second of a day, since 1970; months beyond December run into later years."""
    year, month = year + (month - 1) // _MONTHS, (month - 1) % _MONTHS + 1
    era, of_era = divmod(year - (month <= _FEBRUARY), _ERA_YEARS)
    of_year = (153 * ((month + 9) % _MONTHS) + 2) // 5 + day - 1
    days = of_era * _YEAR_DAYS + of_era // 4 - of_era // 100 + of_year
    return (era * _ERA_DAYS + days - _DAYS_BEFORE_1970) * DAY


def date_of(second: int) -> Date:
    """The day in which a second lies."""
    era, of_era = divmod(second // DAY + _DAYS_BEFORE_1970, _ERA_DAYS)
    year = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // _YEAR_DAYS
    in_year = of_era - (_YEAR_DAYS * year + year // 4 - year // 100)
    from_march = (5 * in_year + 2) // 153
    day = in_year - (153 * from_march + 2) // 5 + 1
    month = (from_march + 2) % _MONTHS + 1
    return Date(year + era * _ERA_YEARS + (month <= _FEBRUARY), month, day)


def year_words(year: int) -> str:
    """`2024`, `44 BCE`, `12,000 BCE`: of a year as astronomers count it."""
    if year == 1:
        return "1 CE"
    return _digits(year) if year > 0 else f"{_digits(1 - year)} BCE"


def day_words(date: Date) -> str:
    """`2024-03-15`, as dates are stated; `03-15 44 BCE` before the common era."""
    day = f"{date.month:02d}-{date.day:02d}"
    return f"{date.year:04d}-{day}" if date.year > 0 else f"{day} {year_words(date.year)}"


def month_words(date: Date) -> str:
    return f"{date.year:04d}-{date.month:02d}" if date.year > 0 else day_words(date)


def _digits(year: int) -> str:
    return f"{year:,}" if year >= 10_000 else str(year)
