"""`gligabao` and `python -m gligabao_tui`: hands the app to the command line, which decides."""

from typing import NoReturn

from engine.api import Settings, StartRequest
from gligabao_tui.headless.cli import main as command_line


def main() -> NoReturn:
    command_line(_run_app)


def _run_app(settings: Settings, request: StartRequest | None) -> int:
    from engine.api import connect
    from gligabao_tui.app import Opening, run_app

    opening = Opening(start=request)
    return run_app(settings, lambda: connect(settings, stay=True), opening=opening)


if __name__ == "__main__":
    main()
