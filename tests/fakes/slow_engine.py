"""The engine in memory, slow to answer where a test wants to be quicker than it."""

import asyncio

from engine.api import Run, StartRequest
from tests.fakes.engine import FakeEngine


class SlowEngine(FakeEngine):
    """Answers a start when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked, self._may_answer = asyncio.Event(), asyncio.Event()

    async def start(self, request: StartRequest) -> Run:
        self.is_asked.set()
        await self._may_answer.wait()
        return await super().start(request)

    async def answer(self) -> None:
        self._may_answer.set()
