"""`gligabao` and `python -m gligabao_tui`: hands the app to the command line, which decides."""

import os
from contextlib import AbstractAsyncContextManager
from typing import NoReturn

from engine.api import Engine, Settings, StartRequest
from gligabao_tui.headless.cli import main as command_line
from gligabao_tui.headless.tab import is_in_a_tab
from gligabao_tui.terminal.garbage import start_quickly

SLOW_FRAMES = "5"
"""A second, over a slow link."""


def main() -> NoReturn:
    command_line(_run_app)


def _run_app(settings: Settings, request: StartRequest | None) -> int:
    start_quickly()
    prepare(settings)
    from gligabao_tui.app import Opening, run_app

    return run_app(settings, lambda: _connection(settings), opening=Opening(start=request))


def _connection(settings: Settings) -> AbstractAsyncContextManager[Engine]:
    """Called in the engine's thread, once the screen is painted: the engine is long to import."""
    from engine.api import connect, join

    return join(settings) if is_in_a_tab(os.environ) else connect(settings, stay=True)


def prepare(settings: Settings) -> None:
    """Textual reads how often it may draw when it is imported, so that this comes first."""
    if settings.app.slow_link:
        os.environ.setdefault("TEXTUAL_FPS", SLOW_FRAMES)


if __name__ == "__main__":
    main()
