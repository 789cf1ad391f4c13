"""A real engine on a real database, with models that follow a script."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.domain.events import RunEnded
from engine.domain.run import RunDetails, RunId, StartRequest
from engine.llm.model import Model
from engine.manager.manager import Manager
from engine.settings import Settings
from engine.wiring import Parts, open_engine
from tests.fakes.clock import FakeClock
from tests.fakes.notes import NOTE_TOOL


@dataclass
class House:
    """Opens engines on one data directory, one after the other."""

    data_dir: Path
    clock: FakeClock = field(default_factory=FakeClock)
    key: str = "sk-test"

    def settings(self) -> Settings:
        return Settings(data_dir=self.data_dir, anthropic_api_key=self.key)

    @asynccontextmanager
    async def open(self, model: Model) -> AsyncIterator[Manager]:
        parts = Parts(clock=self.clock, models=lambda _: model, extra_tools=(NOTE_TOOL,))
        async with open_engine(self.settings(), parts) as manager:
            yield manager


OpenEngine = Callable[[Model], AbstractAsyncContextManager[Manager]]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "data")


async def run_to_end(manager: Manager, request: StartRequest) -> RunDetails:
    """Start, wait for the end, read everything."""
    run = await manager.start(request)
    return await ended(manager, run.id)


async def ended(manager: Manager, run_id: RunId) -> RunDetails:
    async with manager.watch(run_id) as events:
        details = await manager.get(run_id)
        if details.run.status == "running":
            async for event in events:
                if isinstance(event, RunEnded):
                    break
    return await manager.get(run_id)
