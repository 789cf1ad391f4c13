"""The HTTP APIs of SearXNG, Brave and Tavily on a loopback port, as their documents describe them.

One server speaks all three; what it answers is its `behaviour`, which a test may change between
searches. It checks what a real one checks: method, path, key, parameters.
"""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qs, urlsplit

KEY = "key-of-the-test-4711"

Behaviour = Literal[
    "found",
    "nothing",
    "hostile",
    "limited",
    "broken",
    "not json",
    "strange",
    "huge",
    "cut",
    "moved",
    "hang",
    "hang in body",
]

RESULTS = (
    ("https://sqlite.org/wal.html", "Write-Ahead Logging", "WAL is faster in most scenarios."),
    ("https://sqlite.org/limits.html", "Limits", "The maximum size is 281 terabytes."),
)
HOSTILE_RESULTS = (
    ("javascript:alert(1)", "Script", "no address of a page"),
    ("file:///etc/passwd", "File", "no address of a page"),
    ("https://example.org/a b", "Space", "no address"),
    ("", "Empty", ""),
    (
        "https://example.org/page",
        "A <strong>bold</strong> &amp;\x1b[31m red\u202e title",
        "x\ny\x07",
    ),
    ("https://example.org/page#part", "The same again", "twice"),
    ("https://example.org/page", "The same again", "twice"),
    ("https://example.org/untitled", "", ""),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came in."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Mapping[str, object]


@dataclass(slots=True)
class SearchApi:
    """A running fake. `hanging` is set once a request has been taken and is left without answer."""

    base_url: str
    behaviour: Behaviour = "found"
    says: tuple[int, object] | None = None
    """A status and an answer to give whatever is asked."""
    packs: str = ""
    """The encoding that answers are said to be in; `gzip` is a true one."""
    asked: list[Asked] = field(default_factory=list)
    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once a caller has gone away from a request that hung."""


@asynccontextmanager
async def search_api() -> AsyncIterator[SearchApi]:
    """The fake on a free loopback port; its connections are closed at the end."""
    api = SearchApi("")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _serve(api, reader, writer)
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    api.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield api
    finally:
        server.close()
        await server.wait_closed()


async def _serve(
    api: SearchApi, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    asked = await _asked(reader)
    api.asked.append(asked)
    if api.behaviour == "hang":
        await _hang(api, reader)
        return
    status, answer = api.says or _answer(api.behaviour, asked)
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    if api.packs == "gzip":
        body = gzip.compress(body)
    length = len(body) * 2 if api.behaviour in ("cut", "hang in body") else len(body)
    moved = "location: https://elsewhere.example/\r\n" if status == 301 else ""
    packed = f"content-encoding: {api.packs}\r\n" if api.packs else ""
    lines = f"content-length: {length}\r\n{packed}{moved}connection: close\r\n"
    writer.write(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + body)
    await writer.drain()
    if api.behaviour == "hang in body":
        await _hang(api, reader)


async def _hang(api: SearchApi, reader: asyncio.StreamReader) -> None:
    """Until the caller goes away."""
    api.hanging.set()
    await reader.read()
    api.left.set()


async def _asked(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {
        name.lower(): value.strip()
        for name, _, value in (line.partition(":") for line in head[1:] if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    return Asked(method, parts.path, query, headers, json.loads(body or b"{}"))


def _answer(behaviour: Behaviour, asked: Asked) -> tuple[int, object]:
    match behaviour:
        case "broken":
            told = f"on fire, asked with {_key(asked)}\x1b[31m"
            return 500, {"error": {"detail": told}, "detail": {"error": told}}
        case "not json":
            return 200, b"<html>Please prove that you are human</html>"
        case "strange":
            return 200, {"results": "of another kind", "web": 7}
        case "huge":
            return 200, b" " * 5_000_000
        case "moved":
            return 301, {}
        case _:
            return _service(behaviour, asked)


def _key(asked: Asked) -> str:
    """A service that repeats the key it was given."""
    return asked.headers.get("x-subscription-token") or asked.headers.get("authorization", "")


def _service(behaviour: Behaviour, asked: Asked) -> tuple[int, object]:
    results = {"nothing": (), "hostile": HOSTILE_RESULTS}.get(behaviour, RESULTS)
    if asked.path == "/res/v1/web/search" and asked.method == "GET":
        return _brave(behaviour, asked, results)
    if asked.path == "/search" and asked.method == "POST":
        return _tavily(behaviour, asked, results)
    if asked.path == "/search" and asked.method == "GET":
        return _searxng(behaviour, asked, results)
    return 404, {}


def _brave(
    behaviour: Behaviour, asked: Asked, results: tuple[tuple[str, str, str], ...]
) -> tuple[int, object]:
    if asked.headers.get("x-subscription-token") != KEY:
        return 422, _brave_error(422, "SUBSCRIPTION_TOKEN_INVALID", "The token is invalid.")
    if behaviour == "limited":
        return 429, _brave_error(429, "RATE_LIMITED", "Request rate limit exceeded for plan.")
    if len(asked.query.get("q", "").split()) > 50 or int(asked.query.get("count", "1")) > 20:
        return 422, _brave_error(422, "VALIDATION", "Unable to validate request parameter(s)")
    hits = [{"url": url, "title": title, "description": told} for url, title, told in results]
    web = {"web": {"type": "search", "results": hits}} if hits else {}
    return 200, {"type": "search", "query": {"original": asked.query["q"]}, **web}


def _brave_error(status: int, code: str, detail: str) -> object:
    error = {"id": "1", "status": status, "code": code, "detail": detail}
    return {"type": "ErrorResponse", "error": error, "time": 1754364294}


def _tavily(
    behaviour: Behaviour, asked: Asked, results: tuple[tuple[str, str, str], ...]
) -> tuple[int, object]:
    if asked.headers.get("authorization") != f"Bearer {KEY}":
        return 401, {"detail": {"error": "Unauthorized: missing or invalid API key."}}
    if behaviour == "limited":
        return 429, {
            "detail": {"error": "Your request has been blocked due to excessive requests."}
        }
    hits = [
        {"url": url, "title": title, "content": told, "score": 0.9, "raw_content": None}
        for url, title, told in results
    ]
    return 200, {"query": asked.body["query"], "answer": None, "images": [], "results": hits}


def _searxng(
    behaviour: Behaviour, asked: Asked, results: tuple[tuple[str, str, str], ...]
) -> tuple[int, object]:
    if asked.query.get("format") != "json":
        return 200, b"<html>the page for people</html>"
    if behaviour == "limited":
        return 429, b"Too Many Requests"
    hits = [
        {"url": url, "title": title, "content": told, "engine": "x"} for url, title, told in results
    ]
    return 200, {
        "query": asked.query["q"],
        "number_of_results": 0,
        "results": hits,
        "unresponsive_engines": [],
    }
