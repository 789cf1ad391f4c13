"""What a command reads from its standard input, without holding up the engine or a signal."""

import asyncio
import os
import sys
from contextlib import suppress

from gligabao_tui.headless.output import tell

_YES = ("y", "yes")
_BYTES_AT_ONCE = 1 << 16


class NoTerminal(Exception):
    """Nobody can be asked."""


async def agreed(question: str) -> bool:
    """Whether the answer is yes; the end of the input is no. Raises NoTerminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise NoTerminal
    tell(question)
    await _readable(sys.stdin.fileno())
    return sys.stdin.readline().strip().lower() in _YES


async def whole_input(what: str) -> bytes:
    """Everything up to the end of the input. `what` is said to whoever sits at the terminal."""
    if sys.stdin.isatty():
        tell(f"{what}: end it with Ctrl-D")
    descriptor, parts = sys.stdin.fileno(), list[bytes]()
    while part := await _some(descriptor):
        parts.append(part)
    return b"".join(parts)


async def _some(descriptor: int) -> bytes:
    with suppress(PermissionError):  # a file: it never keeps anybody waiting
        await _readable(descriptor)
    return os.read(descriptor, _BYTES_AT_ONCE)


async def _readable(descriptor: int) -> None:
    """Until a whole line waits there: a terminal gives no less, and a thread could not be ended."""
    loop, waits = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, waits.set)
    try:
        await waits.wait()
    finally:
        loop.remove_reader(descriptor)
