"""Semantic versions and the constraints on them. Pure.

A constraint is a list of comparisons separated by commas, all to be met: `1.2.0`, `=1.2`,
`>=1.0, <2`, `^1.2` (to the next version that may break), `~1.2` (to the next minor one). A version
with parts left out stands for all that begin with it: `1.2` is any 1.2.x, `>1.2` begins at 1.3.0,
`<=1.2` ends before it. A preview such as 2.0.0-beta precedes 2.0.0 and belongs to no range that
ends at 2.
"""

import re
from typing import Literal, NamedTuple, TypeAlias

MOST_CHARACTERS = 200
"""Of a version or a constraint."""

_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
_PREVIEW = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_TAIL = rf"(?:-(?P<preview>{_PREVIEW}(?:\.{_PREVIEW})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
_VERSION = re.compile(rf"(?P<numbers>{_NUMBER}\.{_NUMBER}\.{_NUMBER}){_TAIL}")
_PARTIAL = re.compile(rf"(?P<numbers>{_NUMBER}(?:\.{_NUMBER})?)")
_COMPARISON = re.compile(r"(?P<sign>>=|<=|[=<>^~])?\s*(?P<version>\S+)")

_Preview: TypeAlias = tuple[tuple[int, int, str], ...]


class _Version(NamedTuple):
    """Compares as semantic versions do; what follows a `+` does not count."""

    major: int
    minor: int
    patch: int
    is_release: bool
    """False sorts first: a preview precedes its release."""
    preview: _Preview


class _Bound(NamedTuple):
    sign: Literal[">=", ">", "<", "<="]
    version: _Version


def is_version(text: str) -> bool:
    """Whether `text` is a complete semantic version, such as 1.2.0 or 2.0.0-beta.1."""
    return len(text) <= MOST_CHARACTERS and _VERSION.fullmatch(text) is not None


def is_constraint(text: str) -> bool:
    """Whether `text` can be met by versions at all; the empty text, met by all, is one."""
    return _bounds(text) is not None


def meets(version: str, constraint: str) -> bool:
    """Whether `version` meets `constraint`; every version meets the empty one.

    Raises ValueError when either cannot be read.
    """
    given, bounds = _version(version), _bounds(constraint)
    if given is None or bounds is None:
        raise ValueError(f"cannot compare {version!r} with {constraint!r}")
    return all(_is_within(given, bound) for bound in bounds)


def _is_within(version: _Version, bound: _Bound) -> bool:
    match bound.sign:
        case ">=":
            return version >= bound.version
        case ">":
            return version > bound.version
        case "<":
            return version < bound.version
        case "<=":
            return version <= bound.version


def _bounds(constraint: str) -> tuple[_Bound, ...] | None:
    """The bounds that are all to be met; None when `constraint` is none."""
    if len(constraint) > MOST_CHARACTERS:
        return None
    if not constraint.strip():
        return ()
    read = [_comparison(part.strip()) for part in constraint.split(",")]
    return None if None in read else tuple(bound for bounds in read for bound in bounds or ())


def _comparison(text: str) -> tuple[_Bound, ...] | None:
    found = _COMPARISON.fullmatch(text)
    if found is None:
        return None
    sign, version = found["sign"] or "=", _version(found["version"])
    if version is not None:
        return _of_version(sign, version)
    partial = _PARTIAL.fullmatch(found["version"])
    return None if partial is None else _of_partial(sign, _numbers(partial["numbers"]))


def _of_version(sign: str, version: _Version) -> tuple[_Bound, ...]:
    match sign:
        case "=":
            return _Bound(">=", version), _Bound("<=", version)
        case "^":
            return _Bound(">=", version), _Bound("<", _next_breaking(version[:3]))
        case "~":
            return _Bound(">=", version), _Bound("<", _before((version.major, version.minor + 1)))
        case ">=" | ">" | "<" | "<=":
            return (_Bound(sign, version),)
        case _:
            raise AssertionError(sign)


def _of_partial(sign: str, numbers: tuple[int, ...]) -> tuple[_Bound, ...]:
    following = (*numbers[:-1], numbers[-1] + 1)
    first, beyond = _release(numbers), _before(following)
    match sign:
        case "=" | "~":
            return _Bound(">=", first), _Bound("<", beyond)
        case "^":
            return _Bound(">=", first), _Bound("<", _next_breaking(numbers))
        case ">=":
            return (_Bound(">=", first),)
        case ">":
            return (_Bound(">=", _release(following)),)
        case "<=":
            return (_Bound("<", beyond),)
        case "<":
            return (_Bound("<", _before(numbers)),)
        case _:
            raise AssertionError(sign)


def _next_breaking(numbers: tuple[int, ...]) -> _Version:
    """Before the version in which the first number that is not 0, else the last given, grows."""
    place = next((n for n, number in enumerate(numbers) if number), len(numbers) - 1)
    return _before((*numbers[:place], numbers[place] + 1))


def _version(text: str) -> _Version | None:
    found = _VERSION.fullmatch(text) if len(text) <= MOST_CHARACTERS else None
    if found is None:
        return None
    preview = tuple(_identifier(part) for part in (found["preview"] or "").split(".") if part)
    return _release(_numbers(found["numbers"]))._replace(is_release=not preview, preview=preview)


def _identifier(text: str) -> tuple[int, int, str]:
    """Sorts numbers before words, numbers by size and words by their characters."""
    return (0, int(text), "") if text.isdigit() else (1, 0, text)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("."))


def _release(numbers: tuple[int, ...]) -> _Version:
    major, minor, patch = (*numbers, 0, 0)[:3]
    return _Version(major, minor, patch, is_release=True, preview=())


def _before(numbers: tuple[int, ...]) -> _Version:
    """Precedes every preview of that version, and follows everything before it."""
    return _release(numbers)._replace(is_release=False)
