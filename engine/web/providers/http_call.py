"""One call of a JSON API with a bounded body. Loads httpx: import it late, and off the loop.

The address is the operator's own, so the address guard of pages does not apply. Redirects are
not followed: a key must not travel to another host.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx

from engine.web.body import Body

MOST_BYTES = 1_048_576
"""Inflated. More than any service sends, and parsed in a moment."""
_CONNECT_SECONDS = 8.0
_ACCEPTED = {"Accept": "application/json", "Accept-Encoding": "gzip, identity"}


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """`body` makes it a POST of JSON; without one it is a GET."""

    url: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """`content` is the parsed JSON, or None when the body is none."""

    status: int
    content: object
    location: str = ""


class ApiUnreachable(Exception):
    """No answer came; the text says why."""


async def call(request: ApiRequest, *, deadline_seconds: float) -> ApiAnswer:
    """Raises ApiUnreachable, also when the deadline passes or the body is too large."""
    try:
        async with asyncio.timeout(deadline_seconds):
            return await _called(request)
    except TimeoutError as exc:
        raise ApiUnreachable(f"no answer within {deadline_seconds:g} s") from exc
    except httpx.TimeoutException as exc:
        raise ApiUnreachable("the connection took too long") from exc
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as exc:
        raise ApiUnreachable(f"cannot be reached ({str(exc) or type(exc).__name__})") from exc


async def _called(request: ApiRequest) -> ApiAnswer:
    timeout = httpx.Timeout(None, connect=_CONNECT_SECONDS)
    client = await asyncio.to_thread(httpx.AsyncClient, timeout=timeout)
    async with (
        client,
        client.stream(
            "GET" if request.body is None else "POST",
            request.url,
            params=dict(request.params),
            headers={**_ACCEPTED, **request.headers},
            json=request.body,
        ) as response,
    ):
        body = await _body(response)
        location = response.headers.get("location", "")
    return ApiAnswer(response.status_code, _parsed(body), location)


async def _body(response: httpx.Response) -> bytes:
    """Inflated here: httpx makes gigabytes of a bomb before it hands them on."""
    body = Body(response.headers.get("content-encoding", ""), lambda _: MOST_BYTES)
    async for piece in response.aiter_raw():
        body.feed(piece)
        if body.is_over:
            break
    body.end()
    if body.is_full:
        raise ApiUnreachable(f"the answer is larger than {MOST_BYTES:,} bytes")
    return bytes(body.data)


def _parsed(body: bytes) -> object:
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed
