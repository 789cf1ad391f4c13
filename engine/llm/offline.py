"""The offline model as a Model: runs the pure policy in a thread, so that the loop goes on.

The policy is handed in, because it lives above this package. It must never reach a network.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from engine.domain.exchange import Reply, Request
from engine.domain.usage import Usage
from engine.llm.model import OnProgress
from engine.llm.pieces import text_deltas

Policy: TypeAlias = Callable[[Request], Reply]


class OfflineModel:
    """Fulfils `engine.llm.model.Model` with `decide`, which sees only what a model sees."""

    def __init__(self, decide: Policy) -> None:
        self._decide = decide

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        """What the policy decides, its usage zero; its text streams at once."""
        decided = await asyncio.to_thread(self._decide, request)
        for delta in text_deltas(decided.content):
            on_progress(delta)
        return replace(decided, usage=Usage(), model=request.model)
