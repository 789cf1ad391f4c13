"""An engine with a knowledge base over the faithful fake of the Messages API.

A run's own calls are answered from a script, in order; calls of the knowledge base by what they
ask, whenever they come.
"""

import json
import sqlite3
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.domain.run import RunDetails, StartRequest
from engine.domain.timing import Timing
from engine.manager.manager import Manager
from engine.settings import EndpointSettings, KnowledgeSettings, Settings
from engine.wiring import Parts, open_engine
from tests.fakes.messages_api import FakeMessagesApi
from tests.fakes.messages_script import Answer, Json, reply
from tests.fakes.reading import QueueClock, read
from tests.flows.conftest import run_to_end

ASKED = StartRequest("Who owns the lake?", "ann", model="claude-sonnet-5-5")
COSTS = {"input_tokens": 1000, "output_tokens": 100}


@dataclass
class Knowing:
    data_dir: Path
    api: FakeMessagesApi
    rules: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    definitions: Path | None = None
    steps: deque[Answer] = field(default_factory=deque)
    extractions: deque[Answer] = field(default_factory=deque)
    """First answers to texts; afterwards they are read as they are."""
    told: str = "Ohm trusts Ann [F1]."
    """The answer to every question."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Manager]:
        self.api.always(self._answer)
        settings = Settings(
            data_dir=self.data_dir,
            anthropic_api_key="sk-test",
            endpoint=EndpointSettings(base_url=self.api.base_url),
            knowledge=self.rules,
            agent_defs_dir=self.definitions,
        )
        parts = Parts(clock=QueueClock(), timing=Timing(model_attempts=1))
        async with open_engine(settings, parts) as manager:
            yield manager

    async def run(self, manager: Manager, *steps: Answer, **request: Any) -> RunDetails:
        self.steps.extend(steps)
        return await run_to_end(manager, StartRequest(**{**_fields(ASKED), **request}))

    def _answer(self, body: Json) -> Answer:
        if body.get("tools"):
            return self.steps.popleft()
        matter = body["messages"][0]["content"][0]["text"]
        if "Question:" in matter:
            return reply(self.told, usage=COSTS)
        if "fact_pair" in matter or "entity_pair" in matter:
            return reply('{"entities": [], "facts": []}', usage=COSTS)
        return self.extractions.popleft() if self.extractions else reply(read(matter), usage=COSTS)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.data_dir / "gligabao.db")) as connection:
            return connection.execute(sql, values).fetchall()

    def held(self, words: str) -> list[str]:
        """The tables of the knowledge base in which these words stand."""
        tables = [
            name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        kept = [table for table in tables if not table.startswith(("gb_agent", "gb_snapshots"))]
        everything = {table: json.dumps(self.rows(f"SELECT * FROM {table}")) for table in kept}
        return [table for table, found in everything.items() if words.lower() in found.lower()]


def _fields(request: StartRequest) -> dict[str, Any]:
    return {"topic": request.topic, "user": request.user, "model": request.model}
