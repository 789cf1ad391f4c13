"""Frozen values as JSON objects and back, by their own types: for every shape there is.

Writing is lossless but for money, which is rounded to six digits; reading trusts nothing and tells
every problem at once. Pure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.domain.errors import Problem, UserError, problems_of

Document: TypeAlias = dict[str, Any]
Value = TypeVar("Value")

_MONEY_DIGITS = 6
_BIGGEST = 2**63 - 1
_SURROGATES = re.compile("[\ud800-\udfff]")


def written(value: Any) -> Document:
    """A frozen value as a JSON object, its fields in their order, money rounded."""
    return {name: plain(getattr(value, name)) for name in names_of(type(value))}


def read(kind: type[Value], document: object) -> Value:
    """A value of `kind` from JSON. Raises UserError with every problem; unknown fields are one."""
    found: list[Problem] = []
    value: Value = read_part(kind, document, "", problems=found)
    problems_of(found)
    return value


def plain(value: Any) -> Any:
    """What JSON has for `value`: a number, a text, null, a list or an object."""
    match value:
        case float():
            return round(value, _MONEY_DIGITS)
        case Mapping():
            return {str(name): plain(inner) for name, inner in value.items()}
        case str() | int() | None:
            return value
        case Sequence():
            return [plain(inner) for inner in value]
        case _:
            return written(value)


def names_of(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a dataclass in their order."""
    return tuple(field.name for field in fields(kind))


def object_of(document: object) -> dict[str, Any]:
    """A copy that may be taken apart. Raises UserError when it is not a JSON object."""
    if not isinstance(document, dict):
        raise UserError(Problem("", "must be a JSON object"))
    return dict(document)


def read_part(kind: Any, document: object, where: str, *, problems: list[Problem]) -> Any:
    """`document` as a value of `kind`; what is wrong goes to `problems` and the value is void."""
    kind = getattr(kind, "__supertype__", kind)
    if is_dataclass(kind):
        return _read_object(kind, document, where, problems=problems)
    match get_origin(kind), get_args(kind):
        case (origin, options) if origin in (Union, UnionType):
            inner = next(option for option in options if option is not type(None))
            return (
                None if document is None else read_part(inner, document, where, problems=problems)
            )
        case (origin, words) if origin is Literal:
            return _read_word(words, document, where, problems=problems)
        case (origin, (inner, _)) if origin is tuple:
            return tuple(_read_each(inner, document, where, problems=problems))
        case (origin, kinds) if origin is Mapping:
            return _read_table(kinds, document, where, problems=problems)
        case _:
            return _read_plain(kind, document, where, problems=problems)


def _read_object(kind: Any, document: object, where: str, *, problems: list[Problem]) -> Any:
    if not isinstance(document, dict):
        problems.append(Problem(where, "must be a JSON object"))
        return None
    known, prefix = _kinds(kind), f"{where}." if where else ""
    problems += [_unknown(prefix, name, known) for name in document if name not in known]
    problems += [
        Problem(f"{prefix}{name}", "is required")
        for name in _required(kind)
        if name not in document
    ]
    before = len(problems)
    values = {
        name: read_part(known[name], inner, f"{prefix}{name}", problems=problems)
        for name, inner in document.items()
        if name in known
    }
    is_whole = len(problems) == before and not any(name not in values for name in _required(kind))
    return kind(**values) if is_whole else None


def _read_word(
    words: tuple[Any, ...], document: object, where: str, *, problems: list[Problem]
) -> Any:
    if document not in words:
        problems.append(Problem(where, f"must be one of {', '.join(map(str, words))}"))
    return document


def _read_each(
    kind: Any, document: object, where: str, *, problems: list[Problem]
) -> Iterator[Any]:
    if not isinstance(document, list):
        problems.append(Problem(where, "must be a list"))
        return
    for place, inner in enumerate(document):
        yield read_part(kind, inner, f"{where}[{place}]", problems=problems)


def _read_table(
    kinds: tuple[Any, ...], document: object, where: str, *, problems: list[Problem]
) -> dict[Any, Any]:
    if not isinstance(document, dict):
        problems.append(Problem(where, "must be a JSON object"))
        return {}
    return {
        read_part(kinds[0], name, where, problems=problems): read_part(
            kinds[1], inner, f"{where}.{name}", problems=problems
        )
        for name, inner in document.items()
    }


def _read_plain(kind: Any, document: object, where: str, *, problems: list[Problem]) -> Any:
    if kind is float and _is_number(document):
        return float(document)  # type: ignore[arg-type]  # a number, as was asked
    if kind is int and _is_number(document) and isinstance(document, int):
        return document
    if kind is bool and isinstance(document, bool):
        return document
    if kind is str and isinstance(document, str) and _is_text(document):
        return document
    problems.append(Problem(where, f"must be {_KINDS[kind]}"))
    return None


def _is_number(document: object) -> bool:
    """A number that a database can hold; NaN, infinity and endless integers are not."""
    is_one = isinstance(document, int | float) and not isinstance(document, bool)
    return is_one and -_BIGGEST <= document <= _BIGGEST  # type: ignore[operator]  # a number


def _is_text(document: str) -> bool:
    """Without lone surrogates, which JSON can spell and nothing can store."""
    return document.isascii() or not _SURROGATES.search(document)


_KINDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _unknown(prefix: str, name: str, known: Mapping[str, Any]) -> Problem:
    near = get_close_matches(str(name), known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return Problem(f"{prefix}{name}", f"is not a known field{hint}")


@cache
def _kinds(kind: type[Any]) -> Mapping[str, Any]:
    return get_type_hints(kind)


@cache
def _required(kind: type[Any]) -> tuple[str, ...]:
    return tuple(
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    )
