"""What stands on the owner's socket: JSON, one object a line.

The owner greets with `{"gligabao": 1, "pid": 4711}`. A call is `{"id": 1, "call": "get", "with":
{...}}`; the answer has the same id and `result` or `error`. A watch is answered with `watching`,
then `event` after `event`, and `end`. Neither side may trust a line before it was read as values.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.domain.errors import GligabaoError

Line: TypeAlias = dict[str, Any]

PROTOCOL = 1
MOST_CALL_BYTES = 16 << 20
"""A text to remember, or facts to import, of the most that is taken, however it is written."""
MOST_ANSWER_BYTES = 256 << 20
"""A read document may have tens of megabytes of text."""


class WireError(GligabaoError):
    """The other side sent something that is no line of this protocol."""


@dataclass(frozen=True, slots=True)
class Call:
    id: int
    method: str
    arguments: Line


def line_of(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


async def send(writer: asyncio.StreamWriter, line: Line) -> None:
    """Send one line and wait until the other side keeps up. Raises ConnectionError."""
    writer.write(line_of(line))
    await writer.drain()


async def receive(reader: asyncio.StreamReader) -> Line | None:
    """The next line; None when the other side has gone. Raises WireError."""
    try:
        line = json.loads(await reader.readuntil(b"\n"))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    except asyncio.LimitOverrunError as exc:
        raise WireError("a line is too long") from exc
    except (ValueError, RecursionError) as exc:
        raise WireError(f"a line is not JSON: {exc}") from exc
    if not isinstance(line, dict):
        raise WireError("a line is not a JSON object")
    return line


def call_of(line: Line) -> Call:
    """Raises WireError."""
    match line:
        case {"id": int(number), "call": str(method), "with": dict(arguments)}:
            return Call(number, method, arguments)
        case _:
            raise WireError("a call needs an id, a name and its arguments")


def greeting(pid: int) -> Line:
    return {"gligabao": PROTOCOL, "pid": pid}
