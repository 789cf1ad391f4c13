"""One GET of one page for one agent: every hop checked, every byte and second bounded.

Only the bytes come back; what they say is for others. Errors are ToolErrors that begin with the
address without its scheme, as the seeds have it: `example.com/x: status 404`.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import httpcore
import httpx

from engine.domain.errors import AddressRefused, GligabaoError, ToolError
from engine.domain.text_safety import one_line
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.addresses import (
    URL_MOST_CHARS,
    WRONG_SCHEME,
    CheckedUrl,
    Refusal,
    allowed_entries,
    check_redirect,
    check_url,
)
from engine.web.body import BadEncoding, Body
from engine.web.guard import (
    Guard,
    Resolver,
    SystemResolver,
    TargetRefused,
    Unreachable,
    guarded_client,
)
from engine.web.sites import ANY_SITE, Sites
from engine.web.sniff import Sniffed, declared_charset, size_of, sniffed

REDIRECTS_MOST = 5
RATE_LEAST = 512
"""Bytes a second, on average, of a body that takes longer than the idle time."""
_PIECES_AT_ONCE = 50
"""After so many pieces the loop gets its turn: they may all have come at once."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class Fetched:
    """The body of a page, decoded from its transfer and cut to what is allowed."""

    url: str
    final_url: str
    sniffed: Sniffed
    charset: str
    """What the header declares; empty when it does not."""
    body: bytes
    note: str = ""
    """`cut at 1,048,576 bytes of 5,000,000`, or that the connection broke."""


class _Failed(GligabaoError):
    """Why the current hop failed; `fetch` puts the address before it."""


class Fetcher:
    """Reads pages over a client of its own; `aclose` ends it."""

    def __init__(
        self,
        settings: FetchSettings,
        timing: Timing,
        *,
        resolver: Resolver | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Raises UserError with every entry of `settings.allow` that cannot be read."""
        self._settings = settings
        self._timing = timing
        self._allow = allowed_entries(settings.allow)
        guard = Guard(self._allow, timing, resolver or SystemResolver())
        self._client = guarded_client(guard, user_agent=settings.user_agent, tls=tls)

    async def fetch(self, url: str, *, sites: Sites = ANY_SITE) -> Fetched:
        """The page behind `url`, when every host on the way is one of `sites`. Raises ToolError,
        AddressRefused where it may not be asked for."""
        shown = _shown(url)
        checked = sites.checked(check_url(url, self._allow))
        if isinstance(checked, Refusal):
            raise _refused(shown, checked)
        seconds = _whole_seconds(self._settings, self._timing)
        try:
            async with asyncio.timeout(seconds):
                return await self._followed(checked, shown, sites=sites)
        except TimeoutError as error:
            raise ToolError(f"{shown}: took longer than {seconds:g} s") from error
        except TargetRefused as error:
            raise AddressRefused(f"{shown}: {error}") from error
        except (_Failed, Unreachable, BadEncoding) as error:
            raise ToolError(f"{shown}: {one_line(str(error))}") from error
        except _NETWORK_ERRORS as error:
            raise ToolError(f"{shown}: {_reason(error)}") from error

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _followed(self, asked: CheckedUrl, shown: str, *, sites: Sites) -> Fetched:
        at = asked
        seen = {asked.url}
        for _ in range(REDIRECTS_MOST + 1):
            async with self._answer(at) as response:
                location = _location(response)
                if location is None:
                    return await self._read(response, asked=asked, at=at)
            onward = sites.checked(check_redirect(at, location, self._allow))
            if isinstance(onward, Refusal):
                raise _refused(shown, onward, redirected=True)
            if onward.url in seen:
                raise _Failed("redirected in a circle")
            seen.add(onward.url)
            at = onward
        raise _Failed(f"more than {REDIRECTS_MOST} redirects")

    @asynccontextmanager
    async def _answer(self, at: CheckedUrl) -> AsyncIterator[httpx.Response]:
        """The head of an answer; its body is open inside, and the connection closed after."""
        request = self._client.build_request("GET", at.url)
        if request.url.raw_host.decode("ascii") != at.host:
            raise TargetRefused("the address is read differently by the HTTP client")
        timing = self._timing
        most = timing.page_connect + timing.page_first_byte
        async with _deadline(most, f"no answer within {most:g} s"):
            response = await self._client.send(request, stream=True)
        try:
            yield response
        finally:
            await response.aclose()

    async def _read(
        self, response: httpx.Response, *, asked: CheckedUrl, at: CheckedUrl
    ) -> Fetched:
        if response.status_code != httpx.codes.OK:
            raise _Failed(f"status {response.status_code}")
        reading = _Reading(response, self._settings, self._timing)
        body = await reading.whole()
        return Fetched(
            url=asked.url,
            final_url=at.url,
            sniffed=reading.told,
            charset=declared_charset(response.headers.get("content-type", "")),
            body=bytes(body.data),
            note=reading.note,
        )


class _Reading:
    """One body as it comes in: its cap is known once its first KiB has told what it is."""

    def __init__(self, response: httpx.Response, settings: FetchSettings, timing: Timing) -> None:
        self._response = response
        self._settings = settings
        self._timing = timing
        self._declared = response.headers.get("content-type", "")
        self._length = _length(response)
        self.told = Sniffed("text", "text/plain")
        self.note = ""

    async def whole(self) -> Body:
        """Everything up to the cap. Raises _Failed when it is of no readable type."""
        body = Body(self._response.headers.get("content-encoding", ""), self._cap)
        pace = _Pace(self._timing.page_idle)
        async with aclosing(_pieces(self._response)) as pieces:
            while not body.is_over and (piece := await self._next(pieces, body)) is not None:
                body.feed(piece)
                await pace.passed(len(piece))
        body.end()
        if body.is_full:
            self.note = self._cut_note(body)
        elif body.is_broken:
            self.note = "incomplete: its gzip data is broken at the end"
        return body

    def _cap(self, head: bytes) -> int:
        self.told = sniffed(head, self._declared)
        if self.told.kind == "other":
            size = "" if self._length is None else f", {size_of(self._length)}"
            raise _Failed(f"unsupported type {self.told.media_type}{size}")
        is_pdf = self.told.kind == "pdf"
        return self._settings.max_pdf_bytes if is_pdf else self._settings.max_bytes

    async def _next(self, pieces: AsyncIterator[bytes], body: Body) -> bytes | None:
        """The next piece; None at the end, also at an early one when something has come."""
        idle = self._timing.page_idle
        try:
            async with _deadline(idle, f"nothing came for {idle:g} s"):
                return await anext(pieces, None)
        except _NETWORK_ERRORS as error:
            if not body.data:
                raise
            self.note = f"incomplete: {_reason(error)}"
            return None

    def _cut_note(self, body: Body) -> str:
        whole = "" if body.is_compressed or not self._length else f" of {self._length:,}"
        return f"cut at {len(body.data):,} bytes{whole}"


class _Pace:
    """Gives up a body that trickles, and gives way to others while one pours in."""

    def __init__(self, grace_seconds: float) -> None:
        self._now = asyncio.get_running_loop().time
        self._began = self._now()
        self._grace_seconds = grace_seconds
        self._bytes = self._pieces = 0

    async def passed(self, size: int) -> None:
        """Raises _Failed when it has been too slow for too long."""
        self._bytes += size
        self._pieces += 1
        seconds = self._now() - self._began
        if seconds > self._grace_seconds and self._bytes < seconds * RATE_LEAST:
            raise _Failed(f"slower than {RATE_LEAST} bytes a second")
        if not self._pieces % _PIECES_AT_ONCE:
            await asyncio.sleep(0)


_NETWORK_ERRORS = (
    httpx.HTTPError,
    httpx.InvalidURL,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.UnsupportedProtocol,
)


@asynccontextmanager
async def _deadline(seconds: float, late: str) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise _Failed(late) from error


def _whole_seconds(settings: FetchSettings, timing: Timing) -> float:
    """What a person set wins over the engine's own deadline."""
    is_set = settings.timeout_seconds != FetchSettings().timeout_seconds
    return settings.timeout_seconds if is_set else timing.page_whole


def _refused(shown: str, refusal: Refusal, *, redirected: bool = False) -> ToolError:
    if refusal.reason == WRONG_SCHEME and not redirected:
        return ToolError(WRONG_SCHEME)
    reason = f"redirected: {refusal.reason}" if redirected else refusal.reason
    return AddressRefused(f"{shown}: {reason}")


def _shown(url: str) -> str:
    """An address as errors show it: without scheme and fragment."""
    bare = url.partition("#")[0]
    return one_line(bare.partition("://")[2] or bare, URL_MOST_CHARS)


async def _pieces(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body as it comes over the wire, still in its `Content-Encoding`."""
    async for piece in response.aiter_raw():
        yield piece


def _location(response: httpx.Response) -> str | None:
    """Where a redirect leads; None for every other answer, also for one without a place."""
    if response.status_code not in _REDIRECTS:
        return None
    location: str | None = response.headers.get("location")
    return location


def _length(response: httpx.Response) -> int | None:
    told = response.headers.get("content-length", "")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 16 else None


def _reason(error: Exception) -> str:
    """A network error in words that stand after the address."""
    told = one_line(str(error)) or type(error).__name__
    if isinstance(error, httpcore.TimeoutException):
        return f"no answer in time ({type(error).__name__})"
    return told
