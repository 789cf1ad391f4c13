"""What the fake of the Messages API is told to answer: values with pleasant constructors.

reply("The report.")                             a text that ends the turn
tool_call("fetch_page", {"url": "..."})          one tool call
said(thinking("..."), text("..."), use("a", {}), use("b", {}))    any blocks
searched("query", [hit("https://...", "Title")], "Summary")       a server-side web search
overloaded() · rate_limited(7) · spend_limit() · http_error(400, "...")
html(502) · no_answer() · hang_up()              no reply at all
error_event(reply("..."), after=3) · cut(...) · chopped(...) · reset(...) · stalled(...)
malformed(...)                                   a reply that breaks after `after` events
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]

ERROR_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Fault:
    """How a reply breaks after so many of its events."""

    kind: Literal["error", "cut", "chopped", "reset", "stalled", "held", "malformed"]
    after: int
    error_type: str = "overloaded_error"


@dataclass(frozen=True)
class Said:
    """A streamed 200. `usage` overrides single numbers of what the fake counts itself."""

    blocks: tuple[Json, ...]
    stop_reason: str | None = "end_turn"
    usage: Mapping[str, int] = field(default_factory=dict)
    fault: Fault | None = None

    @property
    def searches(self) -> int:
        return sum(_is_search_result(block) for block in self.blocks)


@dataclass(frozen=True)
class HttpError:
    """An error with the API's own body and the headers that came with it."""

    status: int
    message: str
    type: str = ""
    error_code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Any answer of something that is not the API, such as a gateway."""

    status: int
    content_type: str
    body: str


@dataclass(frozen=True)
class NoAnswer:
    """Nothing comes back: silence, or the connection is closed."""

    is_closed: bool


Answer: TypeAlias = Said | HttpError | Raw | NoAnswer
Responder: TypeAlias = Callable[[Json], Answer]
"""Decides by the request's body."""


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def use(name: str, given: Json, *, id: str = "") -> Json:
    """A tool call; without an id it gets one that is unique in the conversation."""
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def thinking(words: str) -> Json:
    """Thinking; the fake signs it for the conversation that it answers."""
    return {"type": "thinking", "thinking": words, "signature": ""}


def said(*blocks: Json, stop_reason: str | None = None, usage: Mapping[str, int] = {}) -> Said:
    """These blocks; the stop reason follows from them unless it is given."""
    calls = any(block["type"] == "tool_use" for block in blocks)
    reason = stop_reason or ("tool_use" if calls else "end_turn")
    return Said(blocks, reason, usage)


def reply(words: str, *, stop_reason: str = "end_turn", usage: Mapping[str, int] = {}) -> Said:
    return said(text(words), stop_reason=stop_reason, usage=usage)


def tool_call(name: str, given: Json, *, words: str = "") -> Said:
    """One tool call, after `words` if there are any."""
    return said(*([text(words)] if words else []), use(name, given))


def hit(url: str, title: str, *, page_age: str | None = None) -> Json:
    """One result of the server tool web_search."""
    return {
        "type": "web_search_result",
        "url": url,
        "title": title,
        "encrypted_content": f"encrypted:{url}",
        "page_age": page_age,
    }


def searched(
    query: str,
    hits: Sequence[Json] | str,
    words: str,
    *,
    stop_reason: str = "end_turn",
) -> Said:
    """A search that the service ran itself, and what the model wrote of it.

    `hits` may be an error code such as `too_many_requests`. The first hit is cited.
    """
    call = {"type": "server_tool_use", "id": "", "name": "web_search", "input": {"query": query}}
    result: Json = {
        "type": "web_search_tool_result",
        "tool_use_id": "",
        "content": _search_error(hits) if isinstance(hits, str) else list(hits),
        "caller": {"type": "direct"},
    }
    summary = text(words)
    if hits and not isinstance(hits, str):
        summary["citations"] = [_citation(hits[0], words)]
    return Said((call, result, *([summary] if words else [])), stop_reason)


def http_error(status: int, message: str, *, error_code: str = "", **headers: str) -> HttpError:
    """`headers` with `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpError(status, message, ERROR_TYPES.get(status, "api_error"), error_code, named)


def overloaded() -> HttpError:
    return http_error(529, "Overloaded")


def rate_limited(retry_after: float | str | None = None) -> HttpError:
    headers = {} if retry_after is None else {"retry_after": str(retry_after)}
    return http_error(429, "This request would exceed your rate limit.", **headers)


def spend_limit() -> HttpError:
    return http_error(
        429,
        "You have reached your spend limit.",
        error_code="enforced_spend_limit_reached",
    )


def html(status: int, title: str = "Bad Gateway") -> Raw:
    body = f"<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
    return Raw(status, "text/html", body)


def no_answer() -> NoAnswer:
    """The request is taken, and then nothing."""
    return NoAnswer(is_closed=False)


def hang_up() -> NoAnswer:
    """The connection is closed before any header."""
    return NoAnswer(is_closed=True)


def error_event(answer: Said, *, after: int, type: str = "overloaded_error") -> Said:
    """An `error` event inside the 200 stream."""
    return replace(answer, fault=Fault("error", after, type))


def cut(answer: Said, *, after: int) -> Said:
    """The stream ends cleanly before its message does."""
    return replace(answer, fault=Fault("cut", after))


def chopped(answer: Said, *, after: int) -> Said:
    """The connection is closed inside the body."""
    return replace(answer, fault=Fault("chopped", after))


def reset(answer: Said, *, after: int) -> Said:
    """The connection is reset inside the body."""
    return replace(answer, fault=Fault("reset", after))


def stalled(answer: Said, *, after: int) -> Said:
    """Silence inside the body until the client hangs up (`Seen.is_halfway`, `Seen.hung_up`)."""
    return replace(answer, fault=Fault("stalled", after))


def held(answer: Said, *, after: int) -> Said:
    """A pause inside the body until the test sets `Seen.may_go_on`; then the rest."""
    return replace(answer, fault=Fault("held", after))


def malformed(answer: Said, *, after: int) -> Said:
    """An event whose data is not JSON."""
    return replace(answer, fault=Fault("malformed", after))


def broken_tool_call(name: str, json_text: str, *, stop_reason: str = "tool_use") -> Said:
    """A tool call whose input arrives as exactly this text: cut, or no JSON at all."""
    return Said(({**use(name, {}), "input_text": json_text},), stop_reason)


def _is_search_result(block: Json) -> bool:
    return block["type"] == "web_search_tool_result" and isinstance(block["content"], list)


def _search_error(code: str) -> Json:
    return {"type": "web_search_tool_result_error", "error_code": code}


def _citation(cited: Json, words: str) -> Json:
    return {
        "type": "web_search_result_location",
        "url": cited["url"],
        "title": cited["title"],
        "encrypted_index": f"index:{cited['url']}",
        "cited_text": words[:150],
    }
