"""Cuts a message into the events of its stream, in the order and form of the real API."""

import json
from collections.abc import Iterator, Mapping

from tests.fakes.messages_script import Json

PIECE_CHARACTERS = 60


def events_of(message: Json, counted: Mapping[str, object]) -> Iterator[Json]:
    """All events of a complete message. `counted` is the usage that the last ones tell."""
    yield {"type": "message_start", "message": _opening(message)}
    for index, block in enumerate(message["content"]):
        yield {"type": "content_block_start", "index": index, "content_block": _start(block)}
        if index == 0:
            yield {"type": "ping"}
        for delta in _deltas(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {key: message[key] for key in ("stop_reason", "stop_sequence", "stop_details")}
    yield {"type": "message_delta", "delta": ending, "usage": dict(counted)}
    yield {"type": "message_stop"}


def as_sse(event: Json) -> bytes:
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event['type']}\ndata: {data}\n\n".encode()


def _opening(message: Json) -> Json:
    """The message before anything of it was written: a placeholder for the output."""
    usage = {**message["usage"], "output_tokens": 1}
    usage.pop("server_tool_use", None)
    return {**message, "content": [], "stop_reason": None, "usage": usage}


def _start(block: Json) -> Json:
    match block["type"]:
        case "text":
            return {"type": "text", "text": ""} | (
                {"citations": []} if "citations" in block else {}
            )
        case "thinking":
            return {"type": "thinking", "thinking": "", "signature": ""}
        case "tool_use":
            bare = {key: block[key] for key in ("type", "id", "name")}
            return {**bare, "input": {}, "caller": {"type": "direct"}}
        case "server_tool_use":
            return {**block, "input": {}}
        case _:
            return block


def _deltas(block: Json) -> Iterator[Json]:
    match block["type"]:
        case "text":
            for citation in block.get("citations", ()):
                yield {"type": "citations_delta", "citation": citation}
            for piece in _pieces(block["text"]):
                yield {"type": "text_delta", "text": piece}
        case "thinking":
            for piece in _pieces(block["thinking"]):
                yield {"type": "thinking_delta", "thinking": piece}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case "tool_use" | "server_tool_use":
            yield {"type": "input_json_delta", "partial_json": ""}
            for piece in _pieces(block.get("input_text", json.dumps(block["input"]))):
                yield {"type": "input_json_delta", "partial_json": piece}


def _pieces(words: str) -> Iterator[str]:
    for start in range(0, len(words), PIECE_CHARACTERS):
        yield words[start : start + PIECE_CHARACTERS]
