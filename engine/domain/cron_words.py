"""A cron expression in the words a person would use: `every weekday at 07:30`.

Words never say the same of two expressions that are due at different times; where they would lie
or grow long, the expression itself is given. Pure: what is said follows from what was parsed.
"""

import calendar
from collections.abc import Sequence
from datetime import time
from itertools import pairwise

from engine.domain.cron import Cron

MOST_CHARACTERS = 60
"""Longer words are harder to read than the expression."""
_MOST_NAMED = 4
"""More of a kind one after another are no longer taken in."""
_ALL_DAYS, _ALL_MONTHS, _ALL_WEEKDAYS = range(1, 32), range(1, 13), range(7)
_WORKDAYS, _WEEKEND = frozenset(range(1, 6)), frozenset({0, 6})
_HOURS, _MINUTES = 24, 60
_USUAL_YEAR = 2001
_DAY_NAMES = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def in_words(cron: Cron) -> str:
    """When it is due, or the expression where words do not say that soundly and shortly."""
    days, times = _days(cron), _times(cron.times)
    if days is None or times is None:
        return cron.text
    told = _joined(days, times)
    return told if len(told) <= MOST_CHARACTERS else cron.text


def _joined(days: str, times: str) -> str:
    """`every Monday at 07:30`, `every Monday, every 15 minutes`; every day is said of times only:
    every hour is on every day."""
    is_at = times.startswith("at ")
    if not days:
        return f"every day {times}" if is_at else times
    return f"{days} {times}" if is_at else f"{days}, {times}"


# The days ----------------------------------------------------------------------------------


def _days(cron: Cron) -> str | None:
    """Empty when it is due on every day; None when there are no words."""
    has_days = len(cron.days) < len(_ALL_DAYS)
    has_weekdays = len(cron.weekdays) < len(_ALL_WEEKDAYS)
    if cron.either_day and has_days and has_weekdays:
        return _either(cron)
    if has_days and not cron.either_day:
        return _of_months(cron)
    is_restricted = has_weekdays and not cron.either_day
    week = _of_week(cron.weekdays) if is_restricted else ""
    if len(cron.months) == len(_ALL_MONTHS) or week is None:
        return week
    months = _named_months(cron.months)
    if months is None:
        return None
    when = months if months.startswith("from ") else f"in {months}"
    return f"{week or 'every day'} {when}"


def _either(cron: Cron) -> str | None:
    """`on the 1st of each month and every Monday`: a day that matches either counts."""
    week, dated = _of_week(cron.weekdays), _of_months(cron)
    if week is None or dated is None or len(cron.months) < len(_ALL_MONTHS):
        return None
    return f"{dated} and {week}" if _all_have(_ALL_MONTHS, max(cron.days)) else None


def _of_week(weekdays: frozenset[int]) -> str | None:
    if weekdays == _WORKDAYS:
        return "every weekday"
    if weekdays == _WEEKEND:
        return "every Saturday and Sunday"
    missing = sorted(set(_ALL_WEEKDAYS) - weekdays)
    if len(missing) == 1:
        return f"every day but {_DAY_NAMES[missing[0]]}"
    monday_first = sorted(weekdays, key=lambda day: (day - 1) % len(_ALL_WEEKDAYS))
    names = [_DAY_NAMES[day] for day in monday_first]
    places = [(day - 1) % len(_ALL_WEEKDAYS) for day in monday_first]
    if len(names) > 2 and _is_row(places):
        return f"every day from {names[0]} to {names[-1]}"
    return f"every {_listed(names)}" if len(names) <= _MOST_NAMED else None


def _of_months(cron: Cron) -> str | None:
    """Days of the month, of each month or of some that are named."""
    days = sorted(cron.days)
    told = _row_of([_nth(day) for day in days], days)
    if told is None:
        return None
    if len(cron.months) == len(_ALL_MONTHS):
        return _of_each_month(days, told)
    if not _all_have(cron.months, days[-1]):
        return None
    months = _named_months(cron.months)
    if months is None:
        return None
    if len(days) == len(cron.months) == 1:
        return f"every {days[0]} {months}"
    which = f"each month {months}" if months.startswith("from ") else months
    return f"on the {told} of {which}"


def _of_each_month(days: Sequence[int], told: str) -> str | None:
    """A day that not every month has is said to be one; among others it has no short words."""
    if _all_have(_ALL_MONTHS, days[-1]):
        return f"on the {told} of each month"
    return f"on the {told} of each month that has one" if len(days) == 1 else None


def _all_have(months: Sequence[int] | frozenset[int], day: int) -> bool:
    """Whether each of these months has this day in every year."""
    return all(calendar.monthrange(_USUAL_YEAR, month)[1] >= day for month in months)


def _named_months(months: frozenset[int]) -> str | None:
    numbers = sorted(months)
    names = [_MONTH_NAMES[number - 1] for number in numbers]
    if len(names) > 2 and _is_row(numbers):
        return f"from {names[0]} to {names[-1]}"
    return _listed(names) if len(names) <= _MOST_NAMED else None


# The times of a day ------------------------------------------------------------------------


def _times(times: Sequence[time]) -> str | None:
    """`at 07:30`, `every 15 minutes`, `every hour from 09:05 to 17:05`; None without words."""
    if len(times) <= _MOST_NAMED:
        return f"at {_listed([_shown(one) for one in times])}"
    apart = {_minutes(later) - _minutes(earlier) for earlier, later in pairwise(times)}
    if len(apart) != 1:
        return None
    (step,) = apart
    every = _every(step)
    if every is None:
        return None
    first, last = times[0], times[-1]
    is_whole_day = _minutes(first) < step and _minutes(last) + step >= _HOURS * _MINUTES
    goes_round = is_whole_day and (_HOURS * _MINUTES) % step == 0
    if not goes_round:
        return f"{every} from {_shown(first)} to {_shown(last)}"
    if not _minutes(first):
        return every
    return f"every hour at :{first:%M}" if step == _MINUTES else f"{every} from {_shown(first)} on"


def _every(minutes: int) -> str | None:
    """`every minute`, `every 15 minutes`, `every hour`, `every 2 hours`."""
    if minutes % _MINUTES == 0:
        hours = minutes // _MINUTES
        return "every hour" if hours == 1 else f"every {hours} hours"
    if minutes < _MINUTES:
        return "every minute" if minutes == 1 else f"every {minutes} minutes"
    return None


def _minutes(moment: time) -> int:
    return moment.hour * _MINUTES + moment.minute


def _shown(moment: time) -> str:
    return f"{moment:%H:%M}"


# Lists -------------------------------------------------------------------------------------


def _row_of(names: Sequence[str], numbers: Sequence[int]) -> str | None:
    """`1st to 7th` of three and more in a row, else all of them; None when they are too many."""
    if len(names) > 2 and _is_row(numbers):
        return f"{names[0]} to {names[-1]}"
    return _listed(names) if len(names) <= _MOST_NAMED else None


def _is_row(numbers: Sequence[int]) -> bool:
    return all(later - earlier == 1 for earlier, later in pairwise(numbers))


def _listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _nth(day: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
    return f"{day}{endings.get(day, 'th')}"
