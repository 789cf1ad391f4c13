"""The server behind `gligabao web`: one page, its files, and a socket for each tab.

Listens on this machine alone, and lets nobody in whom `web_door` refuses.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from aiohttp import WSCloseCode, web
from aiohttp.typedefs import Handler, Middleware

from gligabao_tui.headless.web_door import COOKIE, Door, Refusal, Visit, headers, refusal
from gligabao_tui.headless.web_tab import serve_tab, side_of
from gligabao_tui.resources import page_folder

TABS_MOST = 8
"""Every tab is a process."""
TOO_MANY_TABS = f"{TABS_MOST} tabs show the app already: close one of them first.\r\n"
HEARTBEAT_SECONDS = 15.0
CLOSE_SECONDS = 1.0
"""What a page gets to answer that it has seen the socket close."""
SHUTDOWN_SECONDS = 5.0


@asynccontextmanager
async def serving(
    listener: socket.socket, door: Door, command: Sequence[str]
) -> AsyncIterator[None]:
    """Serve on a bound socket. Leaving it closes every tab and waits for its process to end."""
    desk = _Desk(door, command)
    application = web.Application(middlewares=[_guarded(door)])
    application.on_response_prepare.append(_add_headers)
    application.on_shutdown.append(desk.close)
    application.router.add_get("/", desk.enter)
    application.router.add_get(door.path, desk.page)
    application.router.add_get(f"{door.path}ws", desk.tab)
    application.router.add_get(f"{door.path}assets/{{name}}", desk.asset)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        yield
    finally:
        await runner.cleanup()


@dataclass(slots=True)
class _Desk:
    """Answers the requests; `sockets` are those of the tabs that are open."""

    door: Door
    command: Sequence[str]
    sockets: set[web.WebSocketResponse] = field(default_factory=set)
    is_closing: bool = False

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """The printed address: the token becomes a cookie, and is in no address from here on."""
        del request
        answer = web.Response(status=303, headers={"Location": self.door.path})
        answer.set_cookie(
            COOKIE, self.door.token, path=self.door.path, httponly=True, samesite="Strict"
        )
        return answer

    async def page(self, request: web.Request) -> web.StreamResponse:
        del request
        return web.FileResponse(page_folder() / "page.html")

    async def asset(self, request: web.Request) -> web.StreamResponse:
        path = _assets().get(request.match_info["name"])
        return web.FileResponse(path) if path else _told(Refusal(404, "There is no such file.\n"))

    async def tab(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_SECONDS, timeout=CLOSE_SECONDS)
        await socket.prepare(request)
        if self.is_closing or len(self.sockets) >= TABS_MOST:
            await socket.send_bytes(TOO_MANY_TABS.encode())
            await socket.close()
            return socket
        self.sockets.add(socket)
        try:
            await serve_tab(socket, self.command, size=_size(request))
        finally:
            self.sockets.discard(socket)
        return socket

    async def close(self, application: web.Application) -> None:
        """The tabs' handlers see their sockets close, and end the apps."""
        del application
        self.is_closing = True
        async with asyncio.TaskGroup() as group:
            for open_one in tuple(self.sockets):
                group.create_task(_close(open_one))


def _guarded(door: Door) -> Middleware:
    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        refused = refusal(door, _visit(request, door))
        return _told(refused) if refused else await handler(request)

    return guard


async def _close(open_one: web.WebSocketResponse) -> None:
    await open_one.close(code=WSCloseCode.GOING_AWAY)


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(headers(request.headers.get("Host", "")))


def _visit(request: web.Request, door: Door) -> Visit:
    return Visit(
        path=request.path,
        hosts=request.headers.getall("Host", []),
        origins=request.headers.getall("Origin", []),
        token=request.query.get("token", ""),
        cookie=request.cookies.get(COOKIE, ""),
        opens_socket=request.path == f"{door.path}ws",
    )


def _told(refused: Refusal) -> web.Response:
    return web.Response(status=refused.status, text=refused.reason)


def _assets() -> dict[str, Path]:
    """Ours, and of textual-serve what draws a terminal, with its font."""
    ours, theirs = page_folder(), Path(str(files("textual_serve"))) / "static"
    return {
        "page.js": ours / "page.js",
        "page.css": ours / "page.css",
        "textual.js": theirs / "js" / "textual.js",
        "xterm.css": theirs / "css" / "xterm.css",
        "upright.ttf": theirs / "fonts" / "RobotoMono-VariableFont_wght.ttf",
        "italic.ttf": theirs / "fonts" / "RobotoMono-Italic-VariableFont_wght.ttf",
    }


def _size(request: web.Request) -> tuple[int, int]:
    """What the page says at first; it says it again when the socket is open."""
    return _number(request, "width", 80), _number(request, "height", 24)


def _number(request: web.Request, name: str, otherwise: int) -> int:
    text = request.query.get(name, "")
    return side_of(int(text)) if text.isdecimal() and len(text) <= 4 else otherwise
