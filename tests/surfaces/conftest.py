"""The command line in this process: real commands on a real engine, with a scripted model."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.api import Settings, StartRequest
from engine.domain.errors import ProviderError
from engine.domain.exchange import Reply
from engine.wiring import Parts, connect
from gligabao_tui.headless import agent_cli, cli
from gligabao_tui.headless.running import Connect, RunApp
from tests.fakes.models import ScriptedModel
from tests.fakes.notes import NOTE_TOOL


@dataclass(frozen=True)
class Said:
    """What one command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """stdout as JSON lines; fails where it is anything else."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def document(self) -> dict[str, Any]:
        (only,) = self.lines
        return only


@dataclass
class Shell:
    """Calls the programs. `opened` is what the app was asked for."""

    capture: pytest.CaptureFixture[str]
    folder: Path
    answers: list[Reply | ProviderError] = field(default_factory=list)
    opened: list[tuple[Settings, StartRequest | None]] = field(default_factory=list)
    app: RunApp | None = None
    """What the app is, instead of one that only notes what it was asked for."""
    connect: Connect | None = None
    """Instead of the real one with the scripted model."""

    def __call__(self, *words: str) -> Said:
        """`gligabao WORDS...`"""
        return self._said(
            lambda: cli.main(self.app or self._app, list(words), connect=self._connect())
        )

    def agent(self, *words: str) -> Said:
        """`gligabao_agent WORDS...`"""
        return self._said(lambda: agent_cli.main(list(words), connect=self._connect()))

    def script(self, answers: Sequence[Reply | ProviderError]) -> None:
        """What the model answers from here on."""
        self.answers = list(answers)

    def _said(self, call: Any) -> Said:
        self.capture.readouterr()
        with pytest.raises(SystemExit) as left:
            call()
        out, err = self.capture.readouterr()
        return Said(int(left.value.code or 0), out, err)

    def _connect(self) -> Connect:
        if self.connect is not None:
            return self.connect
        if not self.answers:
            return connect
        model = ScriptedModel(self.answers)
        return partial(connect, parts=Parts(models=lambda _: model, extra_tools=(NOTE_TOOL,)))

    def _app(self, settings: Settings, request: StartRequest | None) -> int:
        self.opened.append((settings, request))
        return 0


@pytest.fixture
def shell(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """Has a key, so that any model may be chosen; what it answers is scripted."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.chdir(tmp_path)
    return Shell(capsys, tmp_path)


@pytest.fixture
def keyless(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    return shell
