"""`gligabao` and `python -m gligabao_tui`: shows the app at once, or reads the command line."""

import os
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from gligabao_tui.headless.at_once import Asked, asked_at_once, has_terminal
from gligabao_tui.headless.closed_streams import open_closed_streams
from gligabao_tui.headless.tab import is_in_a_tab
from gligabao_tui.terminal.garbage import start_quickly

if TYPE_CHECKING:  # the first frame waits for what is imported here
    from engine.api import AppSettings, Engine, Settings, StartRequest
    from gligabao_tui.screens.means import Means

SLOW_FRAMES = "5"
"""A second, over a slow link."""


def main() -> NoReturn:
    open_closed_streams()
    asked = asked_at_once(sys.argv[1:])
    if asked is None or not (is_in_a_tab(os.environ) or has_terminal()):
        from gligabao_tui.headless.cli import main as command_line

        command_line(_run_app)
    from gligabao_tui.headless.outcome import outcome_on_the_screen

    sys.exit(outcome_on_the_screen(lambda: _show_at_once(asked)))


def prepare(look: "AppSettings") -> None:
    """Textual reads how often it may draw when it is imported, so that this comes first."""
    if look.slow_link:
        os.environ.setdefault("TEXTUAL_FPS", SLOW_FRAMES)


def _show_at_once(asked: Asked) -> int:
    from engine.api import app_settings_at_once

    start_quickly()
    look = app_settings_at_once(asked.flags, os.environ, cwd=Path.cwd())
    prepare(look)
    from gligabao_tui.app import run_at_once

    return run_at_once(look, lambda: _means(asked))


def _means(asked: Asked) -> "Means":
    """In another thread, once the first frame is painted. Raises what is wrong with settings."""
    from engine.api import docs_dir, load_settings
    from gligabao_tui.screens.means import Means, Opening
    from gligabao_tui.view.demo import demo_request

    settings = load_settings(asked.flags, os.environ, cwd=Path.cwd())
    demo = demo_request(settings.user, str(docs_dir())) if asked.wants_demo else None
    return Means(settings, lambda: _connection(settings), Opening(start=demo))


def _run_app(settings: "Settings", request: "StartRequest | None") -> int:
    start_quickly()
    prepare(settings.app)
    from gligabao_tui.app import Opening, run_app

    return run_app(settings, lambda: _connection(settings), opening=Opening(start=request))


def _connection(settings: "Settings") -> "AbstractAsyncContextManager[Engine]":
    """Called in the engine's thread, once the screen is painted: the engine is long to import."""
    from engine.api import connect, join

    return join(settings) if is_in_a_tab(os.environ) else connect(settings, stay=True)


if __name__ == "__main__":
    main()
