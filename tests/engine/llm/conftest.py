"""The faithful fake of the Messages API, with a model that asks it."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.messages_service import IMPATIENT, Service, serving


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with serving() as opened:
        yield opened


@pytest.fixture
async def impatient() -> AsyncIterator[Service]:
    """Gives a silent service up after a third of a second."""
    async with serving(IMPATIENT) as opened:
        yield opened
