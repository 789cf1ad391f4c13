"""`gligabao web`: the app in browsers of this machine, for as long as the command runs.

This process holds the data and every tab's app joins it, so that closing a tab ends no run.
"""

import asyncio
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from engine.api import CannotStart, EngineUnreachable, Event, Problem
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.options import WebOptions
from gligabao_tui.headless.output import show, tell
from gligabao_tui.headless.running import Running
from gligabao_tui.headless.web_door import Door

Serving: TypeAlias = Callable[
    [socket.socket, Door, Sequence[str]], AbstractAsyncContextManager[None]
]

TOKEN_BYTES, FOLDER_BYTES = 32, 9
OF_THE_EXTRA = ("aiohttp", "textual_serve")
HOW_TO_INSTALL = "the app in a browser needs two more packages: pip install 'gligabao-tui[web]'"
HOW_TO_OPEN = (
    "Open this address in a browser on this machine. Whoever has it can use the app.\n"
    "From elsewhere by SSH: ssh -L {port}:127.0.0.1:{port} HOST, then open it there.\n"
    "Closing a tab ends no run. Ctrl-C here closes the tabs, and ends the runs of this process."
)

CLOSING = "closing the tabs and the engine; Ctrl-C once more leaves at once"


async def web(running: Running, options: WebOptions, *, flags: Mapping[str, object]) -> ExitCode:
    """Serve until a signal comes. `flags` of the program are those of every tab's app too."""
    serving = _serving()
    with _listening(options.port) as listener:
        door = new_door(listener.getsockname()[1])
        async with (
            running.engine(stay=True) as engine,
            engine.watch() as events,
            serving(listener, door, app_command(flags)),
        ):
            show(door.address)
            tell(HOW_TO_OPEN.format(port=door.port))
            await _stay(events)
    raise EngineUnreachable("the engine has stopped telling what happens")


async def _stay(events: AsyncIterator[Event]) -> None:
    """Who watches is given another owner when the first one goes."""
    try:
        async for _ in events:
            pass
    except asyncio.CancelledError:
        tell(CLOSING)
        raise


def app_command(flags: Mapping[str, object]) -> tuple[str, ...]:
    """The words that show the app as this program would, with these flags."""
    return (sys.executable, "-m", "gligabao_tui", *_words(flags))


def new_door(port: int) -> Door:
    return Door(port, secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(FOLDER_BYTES))


def _words(flags: Mapping[str, object]) -> Sequence[str]:
    words: list[str] = []
    for name, value in flags.items():
        option = f"--{name.replace('_', '-')}"
        match value:
            case None:
                continue
            case True:
                words.append(option)
            case False:
                words.append(f"--no-{name}")
            case _:
                words.append(f"{option}={value}")
    return words


def _serving() -> Serving:
    """Raises CannotStart without the packages of the extra."""
    try:
        from gligabao_tui.headless.web_server import serving
    except ModuleNotFoundError as exc:
        if (exc.name or "").partition(".")[0] not in OF_THE_EXTRA:
            raise
        raise CannotStart(HOW_TO_INSTALL) from exc
    return serving


def _listening(port: int) -> socket.socket:
    """Raises CannotStart when the port is not to be had."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except OSError as exc:
        listener.close()
        what = f"port {port} cannot be had ({exc.strerror}): choose another, or 0 for any free one"
        raise CannotStart(Problem("--port", what)) from exc
    return listener
