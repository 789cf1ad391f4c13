"""Draws the app of one browser tab into the pipe to `gligabao web`, and ends with that pipe.

Textual's own driver would go on without a reader when the other side is killed.
"""

import os
from contextlib import suppress
from typing import Any

from textual.app import App
from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp

NO_MOUSE = "\x1b[?1003l"
"""Takes back what Textual's driver asks for in any case."""


class TabDriver(WebDriver):
    """Textual makes it when $TEXTUAL_DRIVER names it."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._write = self._write_while_read  # type: ignore[assignment]  # it is a partial there

    def start_application_mode(self) -> None:
        super().start_application_mode()
        if not self._mouse:
            self.write(NO_MOUSE)

    def run_input_thread(self) -> None:
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())

    def _enable_mouse_support(self) -> None:
        if self._mouse:
            super()._enable_mouse_support()

    def _write_while_read(self, data: bytes) -> int:
        with suppress(BrokenPipeError):
            return os.write(self.fileno, data)
        return 0
