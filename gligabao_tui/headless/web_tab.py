"""One browser tab: the app as a process of its own, and the socket that it is drawn through.

The process ends with the socket, and the socket with the process, whatever ends first. What the
app has to say when it cannot go on is shown where it was drawn.
"""

import asyncio
import json
import subprocess
from asyncio import IncompleteReadError, StreamReader
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from engine.api import clean
from gligabao_tui.headless.tab import DRIVER, DRIVER_VARIABLE

QUIT_SECONDS = 2.0
"""What an app gets to end by itself, and then again after SIGTERM."""
ERRORS_MOST_BYTES = 4_000
PRELUDE = b"__GANGLION__\n"
SIDES = range(1, 1001)
"""Columns and rows that a terminal may have."""
LEAVE_THE_SCREEN = "\x1b[?1049l\x1b[0m\x1b[2J\x1b[H"
OF_ANOTHER_TERMINAL = (
    *("TMUX", "TMUX_PANE", "STY", "LC_TERMINAL", "KITTY_WINDOW_ID", "WT_SESSION", "WEZTERM_PANE"),
    *("GHOSTTY_RESOURCES_DIR", "TEXTUAL_FPS"),
)
"""Variables of the terminal that `gligabao web` was begun in; the tab is none of it."""


class Tab(AppService):
    """The app's process, with textual-serve's packets in and out."""

    def __init__(self, command: Sequence[str], socket: web.WebSocketResponse) -> None:
        super().__init__(
            "",
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=_nothing,
            download_manager=DownloadManager(),
        )
        self._words = command
        self._errors = bytearray()

    async def begin(self, width: int, height: int) -> Process:
        """Start the process; the words of its command reach it as they are, by no shell."""
        pipe = subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *self._words,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=self._environment(width, height),
            start_new_session=True,  # Ctrl-C is ours alone: we close the tabs ourselves
        )
        self._process, self._stdin = process, process.stdin
        return process

    async def heed(self, envelope: object) -> None:
        """What the page says, in the words of textual.js; anything else is no word."""
        match envelope:
            case ["stdin", str(keys)]:
                await self.send_bytes(keys.encode("utf-8", "replace"))
            case ["resize", {"width": int(width), "height": int(height)}]:
                await self.set_terminal_size(side_of(width), side_of(height))
            case ["focus"]:
                await self.focus()
            case ["blur"]:
                await self.blur()

    async def draw(self, stdout: StreamReader) -> None:
        """Send what the app draws until it draws no more; a page that has gone holds nothing up."""
        with suppress(IncompleteReadError):
            await stdout.readuntil(PRELUDE)
            while True:
                head = await stdout.readexactly(5)
                payload = await stdout.readexactly(int.from_bytes(head[1:], "big"))
                with suppress(ConnectionError):
                    await self._forward(head[:1], payload)

    async def listen(self, stderr: StreamReader) -> None:
        """Keep the end of what the app says beside drawing."""
        while said := await stderr.read(ERRORS_MOST_BYTES):
            self._errors += said
            del self._errors[:-ERRORS_MOST_BYTES]

    @property
    def last_words(self) -> str:
        """What it said on its standard error, for a terminal; empty when it said nothing."""
        said = clean(self._errors.decode("utf-8", "replace")).strip()
        return LEAVE_THE_SCREEN + said.replace("\n", "\r\n") if said else ""

    async def end(self, process: Process) -> None:
        """Ask it to end, then tell it to, then end it."""
        for ask in (self._quit, process.terminate, process.kill):
            with suppress(ProcessLookupError):
                ask()
            with suppress(TimeoutError):
                async with asyncio.timeout(QUIT_SECONDS):
                    await process.wait()
                return

    async def _forward(self, kind: bytes, payload: bytes) -> None:
        if kind == b"D":
            await self.on_data(payload)
        elif kind == b"M" and _opens_a_page(json.loads(payload)):
            await self.on_meta(payload)

    def _quit(self) -> None:
        with suppress(RuntimeError, ConnectionError):
            self.stdin.write(self.encode_packet(b"M", b'{"type": "quit"}'))
            self.stdin.close()

    def _environment(self, width: int, height: int) -> dict[str, str]:
        """textual-serve's own, less what belongs to the terminal of this process."""
        environment = self._build_environment(width, height)
        for name in OF_ANOTHER_TERMINAL:
            environment.pop(name, None)
        return environment | {DRIVER_VARIABLE: DRIVER, "TERM": "xterm-256color"}


async def serve_tab(
    socket: web.WebSocketResponse, command: Sequence[str], *, size: tuple[int, int]
) -> None:
    """Show the app through an open socket, until one of the two ends."""
    tab = Tab(command, socket)
    process = await tab.begin(*size)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_say(tab, process.stdout, process.stderr, socket=socket))
            await _hear(tab, socket)
            await tab.end(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def side_of(number: int) -> int:
    """Columns or rows as a terminal may have them."""
    return min(max(number, SIDES.start), SIDES[-1])


async def _say(
    tab: Tab, stdout: StreamReader, stderr: StreamReader, *, socket: web.WebSocketResponse
) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(tab.draw(stdout))
        group.create_task(tab.listen(stderr))
    with suppress(ConnectionError):
        if tab.last_words:
            await socket.send_bytes(tab.last_words.encode())
    await socket.close()


async def _hear(tab: Tab, socket: web.WebSocketResponse) -> None:
    with suppress(ConnectionError):  # the page or the app has gone meanwhile
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await _answer(tab, socket, _read(message.data))


async def _answer(tab: Tab, socket: web.WebSocketResponse, envelope: object) -> None:
    match envelope:
        case ["ping", str(stamp)]:
            await socket.send_json(["pong", stamp])
        case _:
            await tab.heed(envelope)


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _opens_a_page(meta: Mapping[str, Any]) -> bool:
    """The one thing that an app may ask of the browser."""
    address = str(meta.get("url", ""))
    return meta.get("type") == "open_url" and address.startswith(("http://", "https://"))


async def _nothing() -> None:
    """The socket is closed when everything that the app said was sent."""
