"""A scripted Answering and helpers to write replies: what a loop sees of a model."""

from collections.abc import Callable, Sequence

from engine.domain.blocks import Block, text_block
from engine.domain.errors import ProviderError
from engine.domain.exchange import Delta, Reply, Request
from engine.domain.usage import Usage
from engine.llm.model import Attempts, OnDelta

COST = Usage(input_tokens=100, output_tokens=10, cost_usd=0.01)


def tool_use(name: str, given: dict[str, object], *, id_: str = "toolu_1") -> Block:
    return {"type": "tool_use", "id": id_, "name": name, "input": given}


def says(*blocks: Block | str, stop_reason: str = "") -> Reply:
    """A reply of texts and tool calls; its stop reason follows from them unless given."""
    content = tuple(text_block(block) if isinstance(block, str) else block for block in blocks)
    asks = any(block.get("type") == "tool_use" for block in content)
    reason = stop_reason or ("tool_use" if asks else "end_turn")
    return Reply(content, reason, COST, model="scripted")


class ScriptedAnswers:
    """Gives its replies in order and keeps every request; a callable makes one from the request."""

    def __init__(self, replies: Sequence[Reply | ProviderError | Callable[[Request], Reply]]):
        self._replies = list(replies)
        self.requests: list[Request] = []

    async def reply(self, request: Request, on_delta: OnDelta, *, attempts: Attempts) -> Reply:
        self.requests.append(request)
        await attempts.start(request, 1)
        scripted = self._replies.pop(0)
        if isinstance(scripted, ProviderError):
            raise scripted
        reply = scripted if isinstance(scripted, Reply) else scripted(request)
        on_delta(Delta("text", reply.text))
        return reply
