"""Driving the knowledge screen in tests."""

from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.knowledge import KnowledgeScreen
from tests.fakes.engine import FakeEngine


def screen_of(app: GligabaoApp) -> KnowledgeScreen:
    assert isinstance(app.screen, KnowledgeScreen)
    return app.screen


def asked(engine: FakeEngine, name: str) -> list[str]:
    return [one for one in engine.knowledge.asked if one.split()[0] == name]
