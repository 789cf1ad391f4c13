"""The page, its files and its sockets, with a small app behind each tab."""

import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from gligabao_tui.headless.web_door import Door
from gligabao_tui.headless.web_server import TABS_MOST, TOO_MANY_TABS, serving
from tests.surfaces.tab_program import ADDRESS

FILES = ("page.js", "page.css", "textual.js", "xterm.css", "upright.ttf", "italic.ttf")


@dataclass(frozen=True, slots=True)
class Browser:
    """A session with cookies at one door."""

    session: ClientSession
    door: Door

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.door.port}"

    async def enter(self) -> str:
        """Open the printed address; the text of the page."""
        async with self.session.get(self.door.address) as answer:
            assert (answer.status, answer.url.path) == (200, self.door.path)
            assert not answer.url.query
            return await answer.text()

    @asynccontextmanager
    async def tab(self, query: str = "") -> AsyncIterator[ClientWebSocketResponse]:
        address = f"{self.origin}{self.door.path}ws{query}"
        async with self.session.ws_connect(address, headers={"Origin": self.origin}) as opened:
            yield opened


@asynccontextmanager
async def browser(what: str) -> AsyncIterator[Browser]:
    """At a server whose tabs show `tab_program WHAT`."""
    listener = socket.create_server(("127.0.0.1", 0))
    door = Door(listener.getsockname()[1], "t" * 43, "room")
    command = (sys.executable, "-m", "tests.surfaces.tab_program", what)
    async with (
        serving(listener, door, command),
        ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session,
    ):
        yield Browser(session, door)


async def until(tab: ClientWebSocketResponse, wanted: bytes) -> bytes:
    """What the tab is drawn, up to what is wanted."""
    drawn = b""
    while wanted not in drawn:
        message = await tab.receive(timeout=20)
        assert message.type is WSMsgType.BINARY, (message, drawn)
        drawn += message.data
    return drawn


async def test_the_page_and_its_files_are_served_and_name_no_other_place() -> None:
    async with browser("echo") as visitor:
        page = await visitor.enter()
        assert "<title>gligabao</title>" in page
        assert "://" not in page
        for name in FILES:
            async with visitor.session.get(f"{visitor.origin}/room/assets/{name}") as answer:
                assert (answer.status, name) == (200, name)
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        async with visitor.session.get(
            f"{visitor.origin}/room/assets/..%2f..%2fapp.tcss"
        ) as answer:
            assert answer.status == 404


async def test_the_cookie_is_for_one_folder_and_out_of_reach_of_scripts() -> None:
    async with browser("echo") as visitor:
        address = visitor.door.address
        async with visitor.session.get(address, allow_redirects=False) as answer:
            (cookie,) = answer.headers.getall("Set-Cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/room/" in cookie


async def test_nothing_is_served_to_who_has_not_opened_the_printed_address() -> None:
    async with browser("echo") as visitor:
        for path in ("/", "/?token=guess", "/room/", "/room/assets/page.js", "/download/k"):
            async with visitor.session.get(f"{visitor.origin}{path}") as answer:
                assert (answer.status, path) == (403, path)
                assert "the address that `gligabao web` printed" in await answer.text()
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            async with visitor.tab():
                pass


async def test_another_host_is_misdirected_and_another_origin_forbidden() -> None:
    async with browser("echo") as visitor:
        await visitor.enter()
        elsewhere = {"Host": "evil.example"}
        async with visitor.session.get(visitor.door.address, headers=elsewhere) as answer:
            assert answer.status == 421
        address = f"{visitor.origin}/room/ws"
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await visitor.session.ws_connect(address, headers={"Origin": "https://evil.example"})


async def test_keys_sizes_and_focus_reach_the_app_and_what_it_draws_comes_back() -> None:
    async with browser("echo") as visitor:
        await visitor.enter()
        async with visitor.tab() as tab:
            await until(tab, b"ready")
            await tab.send_json(["stdin", "keys: \u00e9\x1b"])
            await until(tab, "<keys: é\x1b>".encode())
            await tab.send_json(["resize", {"width": 120, "height": 0}])
            await until(tab, b"120 by 1")
            await tab.send_json(["focus"])
            await until(tab, b"focus")
            await tab.send_json(["ping", "17"])
            assert (await tab.receive_json()) == ["pong", "17"]


@pytest.mark.parametrize(
    "nonsense",
    [
        *("", "[", "{}", "null", '["stdin", 1]', '["resize", {"width": "9"}]', '["quit"]'),
        pytest.param("[" * 100_000, id="deep"),
    ],
)
async def test_words_that_the_page_does_not_have_change_nothing(nonsense: str) -> None:
    async with browser("echo") as visitor:
        await visitor.enter()
        async with visitor.tab("?width=wide&height=-1") as tab:
            await until(tab, b"ready")
            await tab.send_str(nonsense)
            await tab.send_bytes(b"\xff")
            await tab.send_json(["stdin", "still here \ud800"])
            await until(tab, b"<still here ?>")


async def test_the_tab_is_closed_when_its_app_cannot_start_and_says_why() -> None:
    async with browser("broken") as visitor:
        await visitor.enter()
        async with visitor.tab() as tab:
            drawn = await until(tab, b"the data cannot be read: see the log")
            assert b"mine" not in drawn
            assert (await tab.receive(timeout=20)).type is WSMsgType.CLOSE


async def test_an_app_that_does_not_hear_the_quit_is_ended() -> None:
    async with browser("stubborn") as visitor:
        await visitor.enter()
        async with visitor.tab() as tab:
            await until(tab, b"ready")
    # leaving the server waits for its apps


async def test_a_page_that_goes_while_it_is_answered_is_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with browser("echo") as visitor:
        await visitor.enter()
        async with visitor.tab() as tab:
            await until(tab, b"ready")
            for _ in range(1_000):
                await tab.send_json(["ping", "1"])
            connection = tab._response.connection
            assert connection is not None
            assert connection.transport is not None
            connection.transport.abort()
    assert [record.message for record in caplog.records] == []


async def test_an_app_may_have_a_web_page_opened_and_nothing_else() -> None:
    async with browser("asking") as visitor:
        await visitor.enter()
        async with visitor.tab() as tab:
            await until(tab, b"ready")
            asked = await tab.receive_json(timeout=20)
            assert asked == ["open_url", {"url": ADDRESS, "new_tab": True}]
            await until(tab, b"asked")


async def test_one_tab_too_many_is_told_so_and_gets_in_when_another_was_closed() -> None:
    async with browser("echo") as visitor:
        await visitor.enter()
        first, *others = [await _opened(visitor) for _ in range(TABS_MOST)]
        async with visitor.tab() as refused:
            await until(refused, TOO_MANY_TABS.encode())
            assert (await refused.receive(timeout=20)).type is WSMsgType.CLOSE
        await first.close()
        await _again(visitor)
        for tab in others:
            await tab.close()


async def test_closing_the_server_closes_its_tabs() -> None:
    async with browser("echo") as visitor:
        await visitor.enter()
        tab = await _opened(visitor)
    assert tab.closed or (await tab.receive(timeout=20)).type in (
        WSMsgType.CLOSE,
        WSMsgType.CLOSING,
        WSMsgType.CLOSED,
    )


async def _opened(visitor: Browser) -> ClientWebSocketResponse:
    address = f"{visitor.origin}/room/ws"
    tab = await visitor.session.ws_connect(address, headers={"Origin": visitor.origin})
    await until(tab, b"ready")
    return tab


async def _again(visitor: Browser) -> None:
    """Until a tab is let in: the app of a closed one takes a moment to end."""
    while True:
        async with visitor.tab() as tab:
            message = await tab.receive(timeout=20)
            if message.data != TOO_MANY_TABS.encode():
                return
