"""How the app is to look, given as flags: where they may stand, and who takes them."""

import sys

import pytest

from engine.api import AppSettings
from gligabao_tui.headless.tab import DRIVER, DRIVER_VARIABLE
from tests.surfaces.conftest import Shell

LOOK = ("--theme", "gligabao-light", "--ascii", "--slow-link", "--no-mouse")
LOOKING = AppSettings("gligabao-light", ascii=True, slow_link=True, mouse=False)


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)


@pytest.mark.parametrize("words", [LOOK, ("demo", *LOOK), (*LOOK, "demo")])
def test_the_app_looks_as_the_flags_say(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    on_a_terminal(monkeypatch)
    assert shell(*words).code == 0
    ((settings, _),) = shell.opened
    assert settings.app == LOOKING


def test_the_flag_behind_the_sub_command_wins(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_terminal(monkeypatch)
    shell("--theme", "gligabao-blue", "--ascii", "demo", "--theme", "gligabao-light")
    ((settings, _),) = shell.opened
    assert (settings.app.theme, settings.app.ascii) == ("gligabao-light", True)


def test_without_flags_the_file_says_how_the_app_looks(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shell.folder / "gligabao.toml").write_text("[app]\nascii = true\nmouse = false\n")
    on_a_terminal(monkeypatch)
    shell()
    ((settings, _),) = shell.opened
    assert settings.app == AppSettings(ascii=True, mouse=False)


def test_a_command_that_shows_no_app_has_no_look(shell: Shell) -> None:
    said = shell("doctor", "--ascii")
    assert (said.code, said.out) == (2, "")
    assert "No such option: --ascii" in said.err


def test_in_a_tab_the_app_needs_no_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DRIVER_VARIABLE, DRIVER)
    assert shell().code == 0
    assert len(shell.opened) == 1
