"""The knowledge base from a screen: every call is carried out on the engine's loop."""

import pytest

from engine.api import NotFound
from gligabao_tui.bridge import EngineCalls
from tests.engine.remote.test_knowledge import ASKED, fill
from tests.fakes.engine import FakeEngine
from tests.fakes.knowledge import FakeKnowledge
from tests.tui.test_bridge import opened


@pytest.mark.parametrize("method", ASKED)
async def test_every_answer_is_the_one_given_inside(method: str) -> None:
    inside, engine = FakeKnowledge(), FakeEngine()
    fill(inside)
    fill(engine.knowledge)
    expected = await ASKED[method](inside)
    async with opened(engine) as bridge:
        assert await ASKED[method](EngineCalls(lambda: bridge).knowledge) == expected


async def test_an_error_of_the_knowledge_base_reaches_the_screen() -> None:
    async with opened(FakeEngine()) as bridge:
        with pytest.raises(NotFound, match="no fact 7"):
            await EngineCalls(lambda: bridge).knowledge.fact(7)
