"""The only way to the web: resolves a name once, judges every answer, connects to what was judged.

TLS, `Host` and certificate checks keep the name; there is no second look-up that could answer
differently. Nothing here follows, retries or decodes.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from threading import Thread
from typing import Any, Protocol

import httpcore
import httpx

from engine.domain.errors import GligabaoError
from engine.domain.timing import Timing
from engine.web.addresses import Allowed, Target, judge_target

_LOOKUPS_AT_ONCE = 8
_ANSWERS_MOST = 64
_ATTEMPTS_MOST = 3
_READ_BYTES = 4_096
"""What is taken at once: a body in chunks of one byte costs the loop milliseconds, not seconds."""
_HEAD_MOST_BYTES = 32_768
_HEAD_END = re.compile(rb"\n\r?\n")

_ACCEPT = "text/html,application/xhtml+xml,text/*;q=0.9,application/pdf;q=0.9,*/*;q=0.5"


class Unreachable(GligabaoError):
    """Why a page's host cannot be connected to; completes `example.com/x: ...`."""


class TargetRefused(Unreachable):
    """The name leads to an address that may not be connected to."""


class Resolver(Protocol):
    """Answers names with IP addresses as text. Raises OSError when there is no answer."""

    async def addresses(self, host: str, port: int) -> Sequence[str]: ...


class SystemResolver:
    """`getaddrinfo` in threads of its own, at most eight: a hanging look-up blocks nothing else.

    The threads are daemons: one that hangs keeps no process from ending.
    """

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(_LOOKUPS_AT_ONCE)

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        await self._slots.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Sequence[str]] = loop.create_future()
        finish = partial(self._finish, answer)

        def tell(found: Sequence[str] | OSError) -> None:
            loop.call_soon_threadsafe(finish, found)

        try:
            Thread(target=_look_up, args=(host, port, tell), daemon=True).start()
        except RuntimeError as error:  # no more threads
            self._slots.release()
            raise OSError(str(error)) from error
        return await answer

    def _finish(
        self, answer: "asyncio.Future[Sequence[str]]", found: Sequence[str] | OSError
    ) -> None:
        self._slots.release()
        if answer.done():
            return
        if isinstance(found, OSError):
            answer.set_exception(found)
        else:
            answer.set_result(found)


def _look_up(host: str, port: int, tell: Callable[[Sequence[str] | OSError], None]) -> None:
    found: Sequence[str] | OSError
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found = tuple(str(info[4][0]) for info in infos)
    except OSError as error:
        found = error
    except UnicodeError as error:
        found = OSError(str(error))
    with suppress(RuntimeError):  # the loop has ended meanwhile
        tell(found)


@dataclass(frozen=True, slots=True)
class Guard:
    """What connections are judged by."""

    allow: tuple[Allowed, ...]
    timing: Timing
    resolver: Resolver


def guarded_client(
    guard: Guard, *, user_agent: str, tls: ssl.SSLContext | None = None
) -> httpx.AsyncClient:
    """A client that keeps no cookies, no connections, follows nothing and trusts no environment."""
    pool = httpcore.AsyncConnectionPool(
        ssl_context=tls or httpx.create_ssl_context(trust_env=False),
        max_connections=_LOOKUPS_AT_ONCE,
        max_keepalive_connections=0,
        network_backend=GuardedBackend(guard),
    )
    return httpx.AsyncClient(
        transport=_Transport(pool),
        trust_env=False,
        follow_redirects=False,
        cookies=_no_cookies(),
        timeout=httpx.Timeout(None, connect=guard.timing.page_connect),  # others are the caller's
        headers={
            "User-Agent": user_agent,
            "Accept": _ACCEPT,
            "Accept-Encoding": "gzip, identity",
            "Connection": "close",
        },
    )


def _no_cookies() -> CookieJar:
    """Not as `httpx.Cookies`, which the client would copy without its policy."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Judges every answer for a name and connects to one of those answers, literally."""

    def __init__(self, guard: Guard, network: httpcore.AsyncNetworkBackend | None = None) -> None:
        """`network` is what connects; the machine's own unless a test gives another."""
        self._guard = guard
        self._network = network or httpcore.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, *_: object, **__: object
    ) -> httpcore.AsyncNetworkStream:
        """Raises Unreachable. Its deadline is the guard's; other options are never set here."""
        target = Target(host, port)
        answers = await self._answers(target)
        seconds = self._guard.timing.page_connect / min(len(answers), _ATTEMPTS_MOST)
        failure: Exception | None = None
        for ip in answers[:_ATTEMPTS_MOST]:
            try:
                stream = await self._network.connect_tcp(ip, port, seconds)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            await self._check_peer(stream, ip, target)
            return _Stream(stream)
        raise Unreachable("cannot be connected to") from failure

    async def connect_unix_socket(self, *_: object, **__: object) -> httpcore.AsyncNetworkStream:
        raise TargetRefused("a local socket may not be read")

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)

    async def _answers(self, target: Target) -> list[str]:
        """All addresses of a name, none of which may be refused."""
        found = list(dict.fromkeys(await self._resolved(target)))
        if not found:
            raise Unreachable("its name has no address")
        if len(found) > _ANSWERS_MOST:
            raise TargetRefused(f"its name has {len(found)} addresses")
        for ip in found:
            if why := judge_target(ip, target, self._guard.allow):
                raise TargetRefused(f"its name leads to {ip}, which may not be read ({why})")
        return found

    async def _resolved(self, target: Target) -> Sequence[str]:
        if _is_literal(target.host):
            return (target.host,)
        try:
            async with asyncio.timeout(self._guard.timing.dns):
                return await self._guard.resolver.addresses(target.host, target.port)
        except TimeoutError as error:
            raise Unreachable("its name was not resolved in time") from error
        except OSError as error:
            raise Unreachable("its name cannot be resolved") from error

    async def _check_peer(
        self, stream: httpcore.AsyncNetworkStream, ip: str, target: Target
    ) -> None:
        """The other end must be what was judged, and not this machine itself."""
        try:
            peer, own = (stream.get_extra_info(end)[0] for end in ("server_addr", "client_addr"))
        except OSError as error:  # it is closed already
            await stream.aclose()
            raise Unreachable("the connection was closed at once") from error
        is_own = own == peer and not _is_allowed_private(ip, target, self._guard.allow)
        if ip_address(peer) != ip_address(ip) or is_own:
            await stream.aclose()
            raise TargetRefused(f"its name leads to {peer}, which is this machine")


def _is_allowed_private(ip: str, target: Target, allow: Sequence[Allowed]) -> bool:
    return bool(judge_target(ip, target)) and judge_target(ip, target, allow) is None


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class _Stream(httpcore.AsyncNetworkStream):
    """A connection that is read in small pieces and whose answer begins with a bounded head."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner
        self._head = b""
        self._in_head = True

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Raises RemoteProtocolError for a head without end."""
        piece = await self._inner.read(min(max_bytes, _READ_BYTES), timeout)
        if self._in_head:
            self._head += piece
            self._in_head = _HEAD_END.search(self._head) is None
            if self._in_head and len(self._head) > _HEAD_MOST_BYTES:
                raise httpcore.RemoteProtocolError(
                    f"the head of its answer is larger than {_HEAD_MOST_BYTES:,} bytes"
                )
        return piece

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        return _Stream(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Transport(httpx.AsyncBaseTransport):
    """httpx on our pool. Errors of httpcore pass unchanged."""

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._response.aiter_stream():
            yield piece

    async def aclose(self) -> None:
        await self._response.aclose()
