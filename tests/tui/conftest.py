"""Fixtures of the terminal app's tests."""

from pathlib import Path

import pytest

from engine.api import Settings
from tests.tui.scenes import settings_in


@pytest.fixture(autouse=True)
def steady_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same colours and no blinking, whatever terminal the tests run in."""
    for variable in ("NO_COLOR", "CI"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path / "data")
