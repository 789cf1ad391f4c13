"""A knowledge base in a file, for tests that ask it something."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.store.sqlite import SqliteDatabase, open_sqlite
from tests.fakes.clock import FakeClock


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    path = tmp_path / "gligabao.db"
    async with open_sqlite(path, clock=FakeClock(), synchronous="NORMAL") as opened:
        yield opened
