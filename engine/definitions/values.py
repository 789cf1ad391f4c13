"""What one value of a definition may be: a rule takes the value and says what is wrong with it.

Pure. Every text here is to be read after the key: `max_steps: 41 must be between 1 and 40`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.definitions.versions import is_constraint, is_version
from engine.domain import field_template
from engine.domain.text_safety import one_line

Rule: TypeAlias = Callable[[object], Iterator[str]]

MOST_NAME_CHARS = 40
MOST_TEXT_CHARS = 4000
MOST_LINE_CHARS = 200
MOST_DESCRIPTION_CHARS = 500
MOST_ITEMS = 200

_NAME = re.compile(rf"[a-z0-9_-]{{1,{MOST_NAME_CHARS}}}")
_ROLE = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{MOST_NAME_CHARS - 1}}}")
_DATASET = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_MOST_DOMAIN_CHARS = 253
_LABEL = r"(?!-)[a-z0-9_-]{1,63}(?<!-)"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_MODEL = re.compile(rf"[!-~]{{0,{MOST_LINE_CHARS}}}")
_COUNTRY = re.compile(r"[A-Z]{2}")
_ZONE = re.compile(r"[A-Za-z0-9_+-]{1,40}(?:/[A-Za-z0-9_+-]{1,40}){0,2}")
_NO_ZONES = ("posix/", "right/", "posixrules", "localtime", "Factory")
"""What lies beside the zones on some systems."""
_SHOWN_CHARS = 60
_HUGE = 10**18
_NAMED = "lowercase letters, digits, - or _"


def shown(value: object) -> str:
    """The value as a person wrote it, short: texts in quotation marks, tables by what they are."""
    match value:
        case str():
            return f'"{one_line(value, _SHOWN_CHARS)}"'
        case bool():
            return str(value).lower()
        case int() if abs(value) > _HUGE:
            return "a huge number"
        case list():
            return "a list"
        case dict():
            return "a table"
        case None:
            return "null"
        case _:
            return one_line(str(value), _SHOWN_CHARS)


def whole(lowest: int, highest: int, *, ceiling: bool = False) -> Rule:
    """A whole number between both; with `ceiling` 0 stands for the highest, and it is said."""

    def rule(value: object) -> Iterator[str]:
        if isinstance(value, bool) or not isinstance(value, int):
            yield f"{shown(value)} is not a whole number"
        elif not lowest <= value <= highest:
            ends = f"{lowest} (the ceiling) and {highest}, the ceiling"
            plain = f"{lowest} and {highest}"
            yield f"{shown(value)} must be between {ends if ceiling else plain}"

    return rule


def real(lowest: float, highest: float) -> Rule:
    """A number between both."""

    def rule(value: object) -> Iterator[str]:
        if not _is_number(value):
            yield f"{shown(value)} is not a number"
        elif not lowest <= value <= highest:  # type: ignore[operator]  # a number, as was asked
            yield f"{shown(value)} must be between {lowest:g} and {highest:g}"

    return rule


def amount(value: object) -> Iterator[str]:
    """USD, 0 for none."""
    if not _is_number(value):
        yield f"{shown(value)} is not a number"
    elif value < 0:  # type: ignore[operator]  # a number, as was asked
        yield f"{shown(value)} must not be negative"


def switch(value: object) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{shown(value)} is not true or false"


def schema(value: object) -> Iterator[str]:
    if isinstance(value, bool) or value != 1 or not isinstance(value, int):
        yield f"{shown(value)} is not known (1)"


def one_of(words: Sequence[str]) -> Rule:
    """One of a closed set of words."""

    def rule(value: object) -> Iterator[str]:
        if not isinstance(value, str) or value not in words:
            yield f"{shown(value)} must be {', '.join(words[:-1])} or {words[-1]}"

    return rule


def line(value: object) -> Iterator[str]:
    """One line, possibly empty."""
    if not isinstance(value, str):
        yield f"{shown(value)} is not a text"
    elif one_line(value, MOST_LINE_CHARS + 1) != value or len(value) > MOST_LINE_CHARS:
        yield f"{shown(value)} must be one line of at most {MOST_LINE_CHARS} characters"


def filled_line(value: object) -> Iterator[str]:
    """One line, not empty."""
    yield from line(value)
    if value == "":
        yield "is empty"


def text(most_chars: int = MOST_TEXT_CHARS) -> Rule:
    """Some text, possibly empty."""

    def rule(value: object) -> Iterator[str]:
        if not isinstance(value, str):
            yield f"{shown(value)} is not a text"
        elif len(value) > most_chars:
            yield f"{len(value)} characters are too many ({most_chars} at most)"

    return rule


def filled(most_chars: int = MOST_TEXT_CHARS) -> Rule:
    """Some text with more in it than white space."""

    def rule(value: object) -> Iterator[str]:
        yield from text(most_chars)(value)
        if isinstance(value, str) and not one_line(value):
            yield "is empty"

    return rule


def name(value: object) -> Iterator[str]:
    """The name of an agent or a skill."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        yield f"{shown(value)} must be 1 to {MOST_NAME_CHARS} {_NAMED}"


def role_name(value: object) -> Iterator[str]:
    """The name of a role is that of a sub-agent: it begins with a letter or a digit."""
    if not isinstance(value, str) or not _ROLE.fullmatch(value):
        begin = "that begin with a letter or digit"
        yield f"{shown(value)} must be 1 to {MOST_NAME_CHARS} {_NAMED} {begin}"


def model(value: object) -> Iterator[str]:
    """Empty, or as models are named; which there are only their service knows."""
    if not isinstance(value, str):
        yield f"{shown(value)} is not a text"
    elif not _MODEL.fullmatch(value):
        told = f"at most {MOST_LINE_CHARS} letters, digits and signs without white space"
        yield f"{shown(value)} is not the name of a model: {told}"


def dataset(value: object) -> Iterator[str]:
    if not isinstance(value, str) or (value and not _DATASET.fullmatch(value)):
        yield f"{shown(value)} is not a dataset name"


def version(value: object) -> Iterator[str]:
    if not isinstance(value, str) or not is_version(value):
        yield f"{shown(value)} is not a semantic version"


def constraint(value: object) -> Iterator[str]:
    if not isinstance(value, str) or not is_constraint(value):
        yield f'{shown(value)} is not a version constraint like ^1.2 or ">=1.0, <2"'


def country(value: object) -> Iterator[str]:
    if not isinstance(value, str) or not (value == "" or _COUNTRY.fullmatch(value)):
        yield f"{shown(value)} is not a country like DE: two capital letters"


def domain(value: object) -> Iterator[str]:
    """A host name, in any script and case, without scheme, port or path."""
    if not isinstance(value, str) or ascii_domain(value) is None:
        yield f"{shown(value)} is not a domain"


def zone(value: object) -> Iterator[str]:
    if not isinstance(value, str) or not is_zone(value):
        yield f"{shown(value)} is not an IANA time zone like Europe/Berlin"


def template(*fields: str) -> Rule:
    """A text with `{{.Name}}` fields of these names."""

    def rule(value: object) -> Iterator[str]:
        yield from filled()(value)
        fault = field_template.fault_of(value, fields) if isinstance(value, str) else ""
        if fault:
            yield fault

    return rule


def each(item: Rule) -> Rule:
    """A list, every item by `item`, none of them twice."""

    def rule(value: object) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"{shown(value)} is not a list"
            return
        if len(value) > MOST_ITEMS:
            yield f"{len(value)} entries are too many ({MOST_ITEMS} at most)"
            return
        for place, part in enumerate(value):
            yield from item(part)
            if part in value[:place]:
                yield f"{shown(part)} is listed twice"

    return rule


def ascii_domain(text: str) -> str | None:
    """The domain as hosts are compared: lower case, ASCII; None when it is none."""
    lowered = text.lower()
    if len(text) > _MOST_DOMAIN_CHARS:
        return None
    if not lowered.isascii():
        import idna

        try:
            lowered = idna.encode(lowered, uts46=True).decode("ascii")
        except (idna.IDNAError, ValueError, IndexError):
            return None
    return lowered if _DOMAIN.fullmatch(lowered) else None


def is_zone(text: str) -> bool:
    """Whether the time zone database has a zone of that name."""
    if not _ZONE.fullmatch(text) or text.startswith(_NO_ZONES):
        return False
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _is_number(value: object) -> bool:
    is_one = isinstance(value, int | float) and not isinstance(value, bool)
    return is_one and abs(value) <= _HUGE  # type: ignore[arg-type]  # a number; NaN is not below
