"""Numbers, versions and dates of a text with their places, made comparable.

It reads English words and signs only, and must never guess: what has no number is no quantity.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

QuantityKind = Literal["number", "version", "date"]

DIFFERENCE = 0.03
"""Numbers apart by a larger share of the larger one differ."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """`text[start:end]` and what it means.

    `value` is scaled (`2 million` is 2e6, `64 KB` is 65536.0) and in the base unit; a version or
    date is a tuple that sorts in time: (3, 24, 0), (2018, 6, 4) or (2018, 6).
    """

    kind: QuantityKind
    value: float | tuple[int, ...]
    unit: str
    """`byte`, `second`, `percent`, or the singular of the noun that follows; may be empty."""
    start: int
    end: int


def quantities(text: str, start: int = 0, end: int | None = None) -> list[Quantity]:
    """What is counted, versioned or dated in `text[start:end]`, ordered and disjoint."""
    return list(_found(text, start, len(text) if end is None else end))


def differ(one: Quantity, other: Quantity) -> bool:
    """Whether both are of one kind and unit and say different things; numbers, by over 3 %."""
    if not comparable(one, other):
        return False
    if isinstance(one.value, tuple) or isinstance(other.value, tuple):
        return one.value != other.value
    most = max(abs(one.value), abs(other.value))
    return abs(one.value - other.value) > DIFFERENCE * most


def comparable(one: Quantity, other: Quantity) -> bool:
    """Whether both are numbers of the same unit, both versions, or dates of equal exactness."""
    if one.kind != other.kind or one.unit != other.unit:
        return False
    if isinstance(one.value, tuple) and isinstance(other.value, tuple) and one.kind == "date":
        return len(one.value) == len(other.value)
    return True


_MONTHS_TEXT = """
    january february march april may june july august september october november december
"""
_MONTHS = tuple(_MONTHS_TEXT.split())
_MONTH = rf"(?:{'|'.join(month[:3] + f'(?:{month[3:]})?' for month in _MONTHS)}|sept)\.?"
_DATE = re.compile(
    r"(?<![\w.-])(?P<y1>(?:1[5-9]|20|21)\d\d)-(?P<m1>0[1-9]|1[0-2])(?:-(?P<d1>[0-3]\d))?(?![\w-])"
    rf"|\b(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?\s+(?P<m2>{_MONTH}),?\s+(?P<y2>[12]\d{{3}})\b"
    rf"|\b(?P<m3>{_MONTH})\s+(?:(?P<d3>[0-3]?\d)(?:st|nd|rd|th)?,?\s+)?(?P<y3>[12]\d{{3}})\b",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"\b(?:versions?|release|v\.?)\s*(?P<named>\d{1,9}(?:\.\d{1,9})*)(?![\w%]|\.\d)"
    r"|(?<![\w.,])(?P<dotted>\d{1,9}(?:\.\d{1,9}){2,})(?![\w%]|\.\d)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\w.,^])(?P<base>[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?)"
    r"(?:\^(?P<power>\d{1,3}))?"
    r"(?:[ \u00a0-]?(?P<scale>thousand|million|billion|trillion|[kKMGT](?![\w°])))?"
    r"(?:[ \u00a0-]?(?P<unit>%|[µμ]s\b|[A-Za-z][A-Za-z]*))?"
    r"(?![\w^]|\.\d|,\d)"
)
_SCALES = {
    **{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12},
    **{"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12},
}
_BYTES = {
    **{"b": 1.0, "byte": 1.0, "bytes": 1.0, "octet": 1.0, "octets": 1.0},
    **{prefix + "b": 1024.0**rank for rank, prefix in enumerate("kmgtpe", 1)},
    **{prefix + "ib": 1024.0**rank for rank, prefix in enumerate("kmgtpe", 1)},
    **{
        prefix + ending: 1024.0**rank
        for rank, prefix in enumerate(("kilo", "mega", "giga", "tera", "peta", "exa"), 1)
        for ending in ("byte", "bytes")
    },
    **{
        prefix + ending: 1024.0**rank
        for rank, prefix in enumerate(("kibi", "mebi", "gibi", "tebi", "pebi", "exbi"), 1)
        for ending in ("byte", "bytes")
    },
}
_SECONDS = {
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("us", "µs", "μs", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
    **dict.fromkeys(("day", "days"), 86400.0),
    **dict.fromkeys(("week", "weeks"), 604800.0),
}
_NO_UNIT_TEXT = """
    a an and are as at be been but by can could did do does for from had has have he how if in into
    is it its may might must not of off on only or per should so than that the their then there
    these they this to too up was we were when where which who will with would you x
    or more less other first second
"""
_NO_UNIT = frozenset(_NO_UNIT_TEXT.split()) - {"second"}
_MOST_EXPONENT = 300
_START = attrgetter("start")


def _found(text: str, start: int, end: int) -> Iterator[Quantity]:
    """Dates first, then versions, then numbers: what is taken is not read again."""
    dates = [date for match in _DATE.finditer(text, start, end) if (date := _date(match))]
    versions = [
        _version(match)
        for match in _VERSION.finditer(text, start, end)
        if _is_free(dates, *match.span())
    ]
    taken = sorted([*dates, *versions], key=_START)
    numbers = [
        _number(match, before=_next_start(taken, match.start(), end))
        for match in _NUMBER.finditer(text, start, end)
        if _is_free(taken, match.start(), match.end("base"))
    ]
    yield from sorted([*taken, *numbers], key=_START)


def _is_free(taken: Sequence[Quantity], start: int, end: int) -> bool:
    """`taken` is ordered and disjoint: only the last one before `end` can reach behind `start`."""
    at = bisect_left(taken, end, key=_START) - 1
    return at < 0 or taken[at].end <= start


def _next_start(taken: Sequence[Quantity], place: int, end: int) -> int:
    at = bisect_left(taken, place, key=_START)
    return taken[at].start if at < len(taken) else end


def _date(match: re.Match[str]) -> Quantity | None:
    year = match["y1"] or match["y2"] or match["y3"]
    month = match["m1"] or match["m2"] or match["m3"]
    day = match["d1"] or match["d2"] or match["d3"]
    parts = (int(year), _month(month), *((int(day),) if day else ()))
    if day and not 1 <= int(day) <= 31:
        return None
    return Quantity("date", parts, "", *match.span())


def _month(told: str) -> int:
    if told.isdigit():
        return int(told)
    return next(at for at, name in enumerate(_MONTHS, 1) if name[:3] == told[:3].lower())


def _version(match: re.Match[str]) -> Quantity:
    name = "named" if match["named"] else "dotted"
    return Quantity("version", _parts(match[name]), "", *match.span(name))


def _parts(version: str) -> tuple[int, ...]:
    """(3, 24) and (3, 24, 0) are one version: zeros at the end go."""
    parts = [int(part) for part in version.split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def _number(match: re.Match[str], *, before: int) -> Quantity:
    base = float(match["base"].replace(",", ""))
    power, scale, unit = match["power"], match["scale"], match["unit"]
    end = match.end("power") if power else match.end("base")
    value = _raised(base, int(power)) if power else base
    if scale and match.end("scale") <= before:
        value, end = value * _SCALES[scale], match.end("scale")
    if not unit or match.end("unit") > before:
        return Quantity("number", value, "", match.start(), end)
    factor, name = _unit(unit)
    end = match.end("unit") if name else end
    return Quantity("number", value * factor, name, match.start(), end)


def _raised(base: float, power: int) -> float:
    within = abs(base) <= 10 and power <= _MOST_EXPONENT
    return base**power if within else base


def _unit(told: str) -> tuple[float, str]:
    """The factor to the base unit, and its name; an empty name when it is no unit."""
    word = told.lower()
    if told == "%" or word in ("percent", "pct"):
        return 1.0, "percent"
    if word in _BYTES:
        return _BYTES[word], "byte"
    if word in _SECONDS:
        return _SECONDS[word], "second"
    return (1.0, "") if word in _NO_UNIT else (1.0, _singular(word))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
