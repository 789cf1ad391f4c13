"""A cron expression in words, where a few words say exactly what it says.

What is not one of the usual forms has no words here: the expression is then shown as it is. Never
says anything of an expression that could be read in two ways.
"""

import re
from collections.abc import Mapping, Sequence

DAY_NAMES = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTH_NAMES = (
    *("", "January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
MACROS: Mapping[str, str] = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
WORKDAYS, WEEKEND, WHOLE_WEEK = {1, 2, 3, 4, 5}, {0, 6}, set(range(7))
MOST_TIMES = 4
_FIELDS = 5
_NUMBER = re.compile(r"\d{1,2}")
_STEP = re.compile(r"\*/(\d{1,2})")
_SHORT_DAYS = {name[:3].lower(): number for number, name in enumerate(DAY_NAMES)}
_SHORT_MONTHS = {name[:3].lower(): number for number, name in enumerate(MONTH_NAMES) if name}


def cron_words(expression: str) -> str:
    """`Monday to Friday at 07:30`; empty where the expression is better shown itself."""
    text = " ".join(expression.split())
    fields = MACROS.get(text.lower(), text).split()
    if len(fields) != _FIELDS:
        return ""
    minute, hour, day, month, weekday = fields
    times, days = _times(minute, hour), _days(day, month, weekday)
    if not times or not days:
        return ""
    if days == EVERY_DAY:
        return times if times.startswith("every") else f"{days} {times}"
    return f"{times} on {days}" if times.startswith("every") else f"{days} {times}"


EVERY_DAY = "every day"


def _times(minute: str, hour: str) -> str:
    """When in a day: `at 07:30`, `at 06:00 and 18:00`, `every 15 minutes`, `every hour at :05`."""
    minutes, hours = _numbers(minute, {}), _numbers(hour, {})
    if minutes and hours and len(minutes) * len(hours) <= MOST_TIMES:
        return f"at {_and([f'{one:02}:{other:02}' for one in hours for other in minutes])}"
    if hour == "*" and (step := _divides(minute, 60)):
        return f"every {step} minutes"
    past = f" at :{minutes[0]:02}" if len(minutes) == 1 and minutes[0] else ""
    if hour == "*" and len(minutes) == 1:
        return f"every hour{past}"
    if len(minutes) == 1 and (step := _divides(hour, 24)):
        return f"every {step} hours from 00:{minutes[0]:02}"
    return ""


def _days(day: str, month: str, weekday: str) -> str:
    """Which days: `every day`, `Monday to Friday`, `day 1 of every month`, `1 January`."""
    if month == "*" and day == "*":
        return _weekdays(weekday)
    if weekday != "*":
        return ""
    days, months = _numbers(day, {}), _numbers(month, _SHORT_MONTHS)
    if not days or len(days) > MOST_TIMES:
        return ""
    if month == "*":
        return f"{'day' if len(days) == 1 else 'days'} {_and([*map(str, days)])} of every month"
    if len(days) == 1 and 0 < len(months) <= MOST_TIMES and months[-1] < len(MONTH_NAMES):
        return _and([f"{days[0]} {MONTH_NAMES[one]}" for one in months])
    return ""


def _weekdays(weekday: str) -> str:
    if weekday == "*":
        return EVERY_DAY
    found = {number % 7 for number in _numbers(weekday, _SHORT_DAYS, sunday=7)}
    if found == WHOLE_WEEK:
        return EVERY_DAY
    if found == WORKDAYS:
        return "Monday to Friday"
    if found == WEEKEND:
        return "Saturday and Sunday"
    in_order = sorted(found, key=lambda number: (number - 1) % 7)
    return _and([DAY_NAMES[number] for number in in_order])


def _numbers(written: str, names: Mapping[str, int], *, sunday: int = 0) -> list[int]:
    """The numbers of a list of numbers, names and ranges of them, in order; none of anything
    else."""
    found: set[int] = set()
    for item in written.split(","):
        first, dash, last = item.partition("-")
        low = _number(first, names)
        high = _number(last, names) if dash else low
        if high == 0 and dash and sunday:
            high = sunday
        if low is None or high is None or high < low:
            return []
        found.update(range(low, high + 1))
    return sorted(found)


def _number(written: str, names: Mapping[str, int]) -> int | None:
    if written.lower() in names:
        return names[written.lower()]
    return int(written) if _NUMBER.fullmatch(written) else None


def _divides(written: str, whole: int) -> int:
    """The step of `*/15`, where it goes evenly into the whole; else 0."""
    step = _STEP.fullmatch(written)
    size = int(step[1]) if step else 0
    return size if size > 1 and whole % size == 0 else 0


def _and(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
