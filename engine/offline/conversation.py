"""Reads a conversation back: what was asked, searched, read, and what failed.

The tool results are read as text, in the formats that every model sees (`engine.tools` writes
them). Whatever does not have such a format is passed over; nothing here may raise.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.domain.blocks import Block, Message, ToolUse, text_of
from engine.domain.exchange import Request
from engine.domain.text_safety import clean, one_line

READERS = ("fetch_page", "fetch_url")
SEARCH = "web_search"
REMEMBER = "remember"

_SOURCES = re.compile(r"(?:\A|\n\s*\n|\n)Sources:[ \t]*\n")
_SOURCE = re.compile(r"-[ \t]+<?(?P<url>[^\s<>]+)>?(?:[ \t]+\((?P<title>.*)\))?[ \t]*")
_NUMBERED = re.compile(r"(?P<n>\d{1,3})\.[ \t]+(?P<told>.*)")
_WINDOW = re.compile(
    r"\[characters (?P<start>\d{1,12}) to (?P<end>\d{1,12}) of (?P<total>\d{1,12}), "
    r"(?P<address>\S+)\]\n?"
)
_MOST_TITLE_CHARS = 160
_MOST_REASON_CHARS = 200


@dataclass(frozen=True, slots=True)
class Hit:
    """One page that a search named."""

    url: str
    address: str
    """The url without its fragment."""
    title: str
    snippet: str
    rank: int
    """From 0, in the search that named it."""


@dataclass(frozen=True, slots=True)
class Search:
    query: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a page as it was read: `text` is the snapshot from `start` to `end`."""

    asked: str
    address: str
    start: int
    end: int
    total: int
    text: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A search or a page that gave nothing, and why."""

    tool: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything that a conversation holds for the policy."""

    topic: str
    turns: tuple[frozenset[str], ...]
    """What each reply so far asked for (see `asking`)."""
    searches: tuple[Search, ...]
    windows: tuple[Window, ...]
    failures: tuple[Failure, ...]
    has_remembered: bool = False
    """What will be quoted was given to the knowledge base, whatever came of it."""

    @property
    def asked(self) -> frozenset[str]:
        """Every query and address that was asked for, whatever came of it."""
        return frozenset().union(*self.turns)


def seen(request: Request) -> Seen:
    """What `request.messages` tells, in order."""
    results = dict(_results(request.messages))
    made = list(_calls(request.messages))
    calls = [call for call in made if call.name != REMEMBER]
    searches: list[Search] = []
    windows: list[Window] = []
    failures: list[Failure] = []
    for call in calls:
        result = results.get(call.id)
        if result is not None:
            found = _understood(call, result)
            searches += [found] if isinstance(found, Search) else []
            windows += [found] if isinstance(found, Window) else []
            failures += [found] if isinstance(found, Failure) else []
    return Seen(
        topic=_topic(request.messages),
        turns=tuple(
            frozenset(_asked(call) for call in _calls([message]))
            for message in request.messages
            if message.role == "assistant"
        ),
        searches=tuple(searches),
        windows=tuple(windows),
        failures=tuple(failures),
        has_remembered=len(calls) < len(made),
    )


def asking(tool: str, what: str, start: int | None = None) -> str:
    """How a call is remembered in `Seen.asked`."""
    return f"{tool} {what}" if not start else f"{tool} {what} {start}"


def hits_of(searches: Sequence[Search]) -> Iterator[Hit]:
    for search in searches:
        yield from search.hits


@dataclass(frozen=True, slots=True)
class _Result:
    text: str
    is_error: bool


def _topic(messages: Sequence[Message]) -> str:
    for message in messages:
        if message.role == "user":
            return clean(text_of([block for block in message.content if _is_text(block)][:1]))
    return ""


def _is_text(block: Block) -> bool:
    return block.get("type") == "text" and "text" in block


def _calls(messages: Sequence[Message]) -> Iterator[ToolUse]:
    for message in messages:
        for block in message.content if message.role == "assistant" else ():
            if block.get("type") == "tool_use":
                given = block.get("input")
                arguments = given if isinstance(given, Mapping) else {}
                yield ToolUse(str(block.get("id")), str(block.get("name")), arguments)


def _results(messages: Sequence[Message]) -> Iterator[tuple[str, _Result]]:
    for message in messages:
        for block in message.content if message.role == "user" else ():
            if block.get("type") == "tool_result":
                text = _result_text(block.get("content"))
                yield str(block.get("tool_use_id")), _Result(text, bool(block.get("is_error")))


def _result_text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    parts = [part for part in content if isinstance(part, Mapping) and _is_text(part)]
    return "".join(str(part["text"]) for part in parts)


def _asked(call: ToolUse) -> str:
    start = call.input.get("from")
    return asking(call.name, _what(call), start if isinstance(start, int) else None)


def _what(call: ToolUse) -> str:
    return str(call.input.get("query" if call.name == SEARCH else "url", ""))


def _understood(call: ToolUse, result: _Result) -> Search | Window | Failure:
    what = _what(call)
    if result.is_error:
        return Failure(call.name, what, one_line(result.text, _MOST_REASON_CHARS))
    if call.name == SEARCH:
        return Search(what, tuple(_hits(result.text)))
    return _window(what, result.text) or Failure(call.name, what, "its text could not be placed")


def _hits(text: str) -> Iterator[Hit]:
    marks = list(_SOURCES.finditer(text))
    if not marks:
        return
    told = _snippets(text[: marks[-1].start()])
    for rank, line in enumerate(text[marks[-1].end() :].splitlines()):
        if found := _SOURCE.fullmatch(line):
            url = found["url"]
            title = one_line(found["title"] or "", _MOST_TITLE_CHARS)
            snippet = told.get(rank + 1, "").removeprefix(title).removeprefix(":").strip()
            yield Hit(url, url.partition("#")[0], title, snippet, rank)


def _snippets(summary: str) -> dict[int, str]:
    lines = [_NUMBERED.fullmatch(line) for line in summary.splitlines()]
    return {int(line["n"]): line["told"] for line in lines if line is not None}


def _window(asked: str, text: str) -> Window | None:
    """The stretch of text behind the first line; None when there is no such line."""
    found = _WINDOW.match(text)
    if found is None:
        return None
    start, end, total = int(found["start"]), int(found["end"]), int(found["total"])
    body = text[found.end() : found.end() + max(0, end - start)]
    if len(body) != end - start:
        return None
    return Window(asked, found["address"], start, end, total, body)
