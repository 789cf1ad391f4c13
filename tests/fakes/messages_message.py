"""Makes the message that the fake sends: ids, signatures and usage filled in."""

import json
from collections.abc import Iterator

from tests.fakes.messages_cache import Counted
from tests.fakes.messages_rules import signature
from tests.fakes.messages_script import Json, Said


def message_of(answer: Said, body: Json, number: int, counted: Counted) -> Json:
    """A complete message, as a call without a stream would get it."""
    content = list(_finished(answer, body, number))
    return {
        "id": f"msg_{number:04d}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": answer.stop_reason,
        "stop_sequence": None,
        "stop_details": None,
        "usage": _usage(answer, content, counted),
    }


def usage_told(message: Json) -> Json:
    """The usage of the last events: totals without the split of what was written to the cache."""
    usage = dict(message["usage"])
    for told_once in ("cache_creation", "service_tier", "inference_geo"):
        usage.pop(told_once)
    results = [b for b in message["content"] if b["type"] == "web_search_tool_result"]
    usage["input_tokens"] += sum(len(json.dumps(block)) // 4 for block in results)
    return usage


def _finished(answer: Said, body: Json, number: int) -> Iterator[Json]:
    """Blocks with the ids and signatures that the script left open."""
    server_id = ""
    for index, block in enumerate(answer.blocks):
        match block["type"]:
            case "tool_use":
                yield {**block, "id": block["id"] or f"toolu_{number:04d}_{index}"}
            case "server_tool_use":
                server_id = f"srvtoolu_{number:04d}_{index}"
                yield {**block, "id": server_id}
            case "web_search_tool_result":
                yield {**block, "tool_use_id": server_id}
            case "thinking":
                yield {**block, "signature": signature(body, len(body["messages"]))}
            case _:
                yield block


def _usage(answer: Said, content: list[Json], counted: Counted) -> Json:
    usage: Json = {
        "input_tokens": counted.input,
        "cache_creation_input_tokens": counted.written_5m + counted.written_1h,
        "cache_read_input_tokens": counted.read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": counted.written_5m,
            "ephemeral_1h_input_tokens": counted.written_1h,
        },
        "output_tokens": max(1, len(json.dumps(content)) // 4),
        "service_tier": "standard",
        "inference_geo": "global",
    }
    if any(block["type"] == "server_tool_use" for block in content):
        usage["server_tool_use"] = {
            "web_search_requests": answer.searches,
            "web_fetch_requests": 0,
        }
    return usage | dict(answer.usage)
