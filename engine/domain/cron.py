"""Cron expressions: what one says, and when it is next due in a time zone.

Five fields (minute, hour, day of month, month, day of week) or a macro, and nothing beyond them.
Times are those of the zone's wall clock: one that the zone leaves out is skipped, one that it has
twice counts once, at its first occurrence (`docs/decisions/0010-cron-walks-the-calendar.md`). This
module never reads the clock.
"""

import calendar
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise, takewhile
from zoneinfo import ZoneInfo

from engine.domain.text_safety import one_line

MACROS: Mapping[str, str] = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
MOST_CHARACTERS = 1000
"""All values of all fields written out need fewer."""
_FAR_DAYS = 20 * 366
"""How far ahead a time is looked for. The rarest, 29 February around 2100, is eight years away."""
_LAST_DAY = date.max.toordinal() - 2
"""Beyond it a zone's offset may lead out of the calendar."""
_LEAP_YEAR = 2000
_CYCLE = timedelta(days=2 * 366)
_ONE_DAY = timedelta(days=1)
_DAYS_OF_WEEK = 7
_MOST_SHOWN = 40


class CronError(ValueError):
    """An expression that is none; the text names the field, the part and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Cron:
    """A parsed expression. Nothing in it is empty; Sunday is 0 and never 7."""

    text: str
    """As it was written, white space collapsed."""
    times: tuple[time, ...]
    """The times of a day at which it is due, in order."""
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool
    """Day of month and day of week are both restricted: a day that matches either counts."""

    def next(self, after: datetime, zone: ZoneInfo) -> datetime | None:
        """The first due moment strictly after `after` (aware), in UTC; None when there is none."""
        return next(self.due_after(after, zone), None)

    def due_after(self, after: datetime, zone: ZoneInfo) -> Iterator[datetime]:
        """The due moments of the twenty years strictly after `after` (aware), in UTC, in order."""
        start = after.astimezone(UTC)
        for day in self.days_from(start.astimezone(zone).date()):
            yield from (due for due in self.due_on(day, zone) if due > start)

    def last(self, after: datetime, until: datetime, zone: ZoneInfo) -> datetime | None:
        """The last due moment strictly after `after` and not after `until` (both aware), in UTC;
        quick however long ago `after` is, when it is due often."""
        back = _ONE_DAY
        while True:
            start = max(after, until - back)
            found = list(takewhile(lambda due: due <= until, self.due_after(start, zone)))
            if found or start == after:
                return found[-1] if found else None
            back *= 2

    def never_matches(self) -> bool:
        """No month has such a day, as with `0 0 31 2 *`."""
        longest = max(calendar.monthrange(_LEAP_YEAR, month)[1] for month in self.months)
        return not self.either_day and min(self.days) > longest

    def days_from(self, first: date) -> Iterator[date]:
        """The matching days of the twenty years from `first` on."""
        if self.never_matches():
            return
        ordinal = first.toordinal()
        end = min(ordinal + _FAR_DAYS, _LAST_DAY)
        while ordinal < end:
            day = date.fromordinal(ordinal)
            if day.month not in self.months:
                ordinal += calendar.monthrange(day.year, day.month)[1] - day.day + 1
                continue
            if self._matches(day):
                yield day
            ordinal += 1

    def due_on(self, day: date, zone: ZoneInfo) -> Iterator[datetime]:
        """The due moments of a matching day, in UTC and in order; none that the zone leaves out."""
        for moment in self.times:
            due = _first_at(day, moment, zone)
            if due.astimezone(zone).replace(tzinfo=None, fold=0) == datetime.combine(day, moment):
                yield due

    def _matches(self, day: date) -> bool:
        """Whether a day of one of the months is due."""
        in_days, in_week = day.day in self.days, day.isoweekday() % _DAYS_OF_WEEK in self.weekdays
        return in_days or in_week if self.either_day else in_days and in_week


def parse(expression: str) -> Cron:
    """What `expression` says. Raises CronError with a text such as
    `minute: "61": 61 is out of range (0 to 59)`."""
    if len(expression) > MOST_CHARACTERS:
        raise CronError(f"is longer than {MOST_CHARACTERS} characters")
    text = " ".join(expression.split())
    minute, hour, day, month, weekday = _fields(text)
    minutes, hours = sorted(_values(minute, _MINUTE)), sorted(_values(hour, _HOUR))
    return Cron(
        text=text,
        times=tuple(time(hour, minute) for hour in hours for minute in minutes),
        days=_values(day, _DAY),
        months=_values(month, _MONTH),
        weekdays=frozenset(value % _DAYS_OF_WEEK for value in _values(weekday, _WEEKDAY)),
        either_day=not _is_open(day) and not _is_open(weekday),
    )


def shortest_gap(cron: Cron, zone: ZoneInfo, start: datetime) -> timedelta:
    """The shortest time between two due moments of the two years from `start` (aware) on, the
    changes of the zone's clock included; of a rarer expression that between its next two;
    `timedelta.max` when there are no two."""
    shortest, last = timedelta.max, None
    end = start.astimezone(UTC) + _CYCLE
    usual = min((_apart(*times) for times in pairwise(cron.times)), default=timedelta.max)
    for day in cron.days_from(start.astimezone(zone).date()):
        plain = _is_plain(day, zone)
        dues = _first_and_last(cron, day, zone) if plain else list(cron.due_on(day, zone))
        within = usual if plain else _closest(dues)
        before = dues[0] - last if dues and last is not None else timedelta.max
        shortest = min(shortest, within, before)
        last = dues[-1] if dues else last
        if last is not None and last > end and shortest < timedelta.max:
            break
    return shortest


# A day of a zone ---------------------------------------------------------------------------


def _first_at(day: date, moment: time, zone: ZoneInfo) -> datetime:
    """The first moment, in UTC, at which the zone's clock shows this. A time that it leaves out is
    taken as if the clock had not been changed yet."""
    return datetime.combine(day, moment, tzinfo=zone).astimezone(UTC)


def _is_plain(day: date, zone: ZoneInfo) -> bool:
    """The zone's clock is not changed on this day."""
    return _first_at(day + _ONE_DAY, time(), zone) - _first_at(day, time(), zone) == _ONE_DAY


def _first_and_last(cron: Cron, day: date, zone: ZoneInfo) -> Sequence[datetime]:
    return [_first_at(day, moment, zone) for moment in (cron.times[0], cron.times[-1])]


def _apart(earlier: time, later: time) -> timedelta:
    return timedelta(hours=later.hour - earlier.hour, minutes=later.minute - earlier.minute)


def _closest(dues: Sequence[datetime]) -> timedelta:
    return min((later - earlier for earlier, later in pairwise(dues)), default=timedelta.max)


# What is written ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kind:
    """One of the five fields: which numbers and names may stand in it."""

    name: str
    low: int
    high: int
    """The highest number that may be written."""
    top: int
    """The highest value of `*`, and with `low` how many there are: Sunday has two numbers."""
    names: Mapping[str, int] = field(default_factory=dict)


def _numbered(names: str, first: int) -> Mapping[str, int]:
    return {name: number for number, name in enumerate(names.split(), first)}


_MINUTE = _Kind("minute", 0, 59, 59)
_HOUR = _Kind("hour", 0, 23, 23)
_DAY = _Kind("day of month", 1, 31, 31)
_MONTH_NAMES = _numbered("jan feb mar apr may jun jul aug sep oct nov dec", 1)
_MONTH = _Kind("month", 1, 12, 12, _MONTH_NAMES)
_WEEKDAY = _Kind("day of week", 0, 7, 6, _numbered("sun mon tue wed thu fri sat", 0))
_FIELD_COUNT = 5


def _fields(text: str) -> list[str]:
    """The five fields of an expression or a macro."""
    if text.startswith("@"):
        if text.lower() not in MACROS:
            raise CronError(f'"{one_line(text, _MOST_SHOWN)}" is none of {", ".join(MACROS)}')
        return MACROS[text.lower()].split()
    fields = text.split()
    if len(fields) != _FIELD_COUNT:
        raise CronError(_wrong_count(text, len(fields)))
    return fields


def _wrong_count(text: str, count: int) -> str:
    needed = "five are needed: minute, hour, day of month, month, day of week"
    seconds = " (there is no field for seconds)" if count > _FIELD_COUNT else ""
    counted = "1 field" if count == 1 else f"{count} fields"
    return f'"{one_line(text, _MOST_SHOWN)}" has {counted}, {needed}{seconds}'


def _is_open(written: str) -> bool:
    """The field says `*`: it restricts nothing."""
    return bool({"*", "*/1"} & set(written.split(",")))


def _values(written: str, kind: _Kind) -> frozenset[int]:
    return frozenset(value for item in written.split(",") for value in _item(item, kind))


def _item(item: str, kind: _Kind) -> range:
    """The values of one part of a list: `*`, a number or a range, each but a number with a step."""
    try:
        span, slash, step = item.partition("/")
        if slash and span != "*" and "-" not in span:
            raise CronError(f"a step needs * or a range before it, as in {kind.low}-{kind.top}/2")
        values = _span(span, kind)
        return values[:: _step(step, kind)] if slash else values
    except CronError as wrong:
        raise CronError(f'{kind.name}: "{one_line(item, _MOST_SHOWN)}": {wrong}') from None


def _span(span: str, kind: _Kind) -> range:
    if span == "*":
        return range(kind.low, kind.top + 1)
    first, dash, last = span.partition("-")
    low = _number(first, kind)
    high = _number(last, kind) if dash else low
    if high < low and kind is _WEEKDAY and high == 0:
        high = _DAYS_OF_WEEK  # as in fri-sun
    if high < low:
        raise CronError(f"{first} comes after {last}")
    return range(low, high + 1)


def _number(written: str, kind: _Kind) -> int:
    named = kind.names.get(written.lower())
    if named is not None:
        return named
    value = _digits(written, f" or one of {', '.join(kind.names)}" if kind.names else "")
    if not kind.low <= value <= kind.high:
        raise CronError(
            f"{one_line(written, _MOST_SHOWN)} is out of range ({kind.low} to {kind.high})"
        )
    return value


def _step(written: str, kind: _Kind) -> int:
    value, most = _digits(written, ""), kind.top - kind.low + 1
    if not 1 <= value <= most:
        raise CronError(f"the step {one_line(written, _MOST_SHOWN)} is out of range (1 to {most})")
    return value


def _digits(written: str, or_else: str) -> int:
    if not (written.isascii() and written.isdigit()):
        shown = one_line(written, _MOST_SHOWN)
        raise CronError(f"{shown} is not a number{or_else}" if shown else "a number is missing")
    return int(written)
