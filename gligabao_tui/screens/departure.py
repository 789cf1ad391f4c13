"""Leaving the app: at once when nothing can be lost, else after a question."""

import asyncio
from typing import Any

from textual.app import App

from gligabao_tui.screens.connection import Connection
from gligabao_tui.screens.leave import LeaveDialog, Leaving
from gligabao_tui.terminal.twice import AGAIN_WORDS, Twice, pressed
from gligabao_tui.widgets.plain import copy_text, say


class Departure:
    """What `q` and ctrl+c do."""

    def __init__(self, app: App[Any], connection: Connection) -> None:
        self._app = app
        self._connection = connection
        self._interrupted = Twice()

    async def leave(self) -> None:
        """Leave, or ask first when agents of this process would end with it."""
        working = self._connection.main.working
        if not (working and self._connection.can_lose_work):
            self._connection.leave(0)
        elif not any(isinstance(screen, LeaveDialog) for screen in self._app.screen_stack):
            dialog = LeaveDialog(working, self._connection.main.given)
            await self._app.push_screen(dialog, self._answered)

    async def interrupt(self) -> None:
        """Copy what is selected; else leave, when it is pressed twice."""
        if selected := self._selected():
            copy_text(self._app, selected, "the selection")
            return
        self._interrupted = pressed(self._interrupted, asyncio.get_running_loop().time())
        if self._interrupted.is_meant:
            await self.leave()
        else:
            say(self._app, AGAIN_WORDS)

    def _answered(self, choice: Leaving | None) -> None:
        if choice == "stop_all":
            self._connection.stop_all_and_leave()

    def _selected(self) -> str:
        """Of the field that one types in, or what was marked on the screen with the mouse."""
        typed = getattr(self._app.focused, "selected_text", "")
        return str(typed or self._app.screen.get_selected_text() or "")
