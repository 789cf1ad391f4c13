"""Reads typed values out of rows, and puts lists and objects into TEXT columns as JSON.

A value of another type is a fault of the program (or of a file changed by hand): an assertion.
"""

import json
from collections.abc import Mapping

from engine.domain.blocks import Block
from engine.domain.usage import Usage
from engine.store.database import Row


def text(row: Row, column: str) -> str:
    value = row[column]
    assert isinstance(value, str), column
    return value


def maybe_text(row: Row, column: str) -> str | None:
    return None if row[column] is None else text(row, column)


def whole(row: Row, column: str) -> int:
    value = row[column]
    assert isinstance(value, int), column
    return value


def maybe_whole(row: Row, column: str) -> int | None:
    return None if row[column] is None else whole(row, column)


def real(row: Row, column: str) -> float:
    value = row[column]
    assert isinstance(value, float | int), column
    return float(value)


def to_json(value: object) -> str:
    """Short, in the script it is in; escaped only where it holds half a surrogate pair."""
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        told.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return told


def blocks(row: Row, column: str) -> tuple[Block, ...]:
    """A JSON list of objects."""
    found = json.loads(text(row, column))
    assert isinstance(found, list), column
    return tuple(_object(each) for each in found)


def mapping(row: Row, column: str) -> Mapping[str, object]:
    return _object(json.loads(text(row, column)))


def _object(value: object) -> Mapping[str, object]:
    assert isinstance(value, dict)
    return value


def usage(row: Row) -> Usage:
    """The token columns that steps and inferences share. Cache writes are stored as one number,
    and read as the five-minute kind; the price was computed before."""
    return Usage(
        input_tokens=whole(row, "input_tokens"),
        output_tokens=whole(row, "output_tokens"),
        cache_read_tokens=whole(row, "cache_read_tokens"),
        cache_write_5m_tokens=whole(row, "cache_write_tokens"),
        cost_usd=real(row, "cost_usd"),
    )
