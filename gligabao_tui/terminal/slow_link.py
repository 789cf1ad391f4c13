"""Draws less often over a slow connection: when asked to, or when it is seen to be slow."""

from collections.abc import Callable
from typing import Any

from textual.app import App

from gligabao_tui.terminal.frames import draw_every
from gligabao_tui.terminal.pace import Pace, switched, written


class SlowLink:
    """`tell` says something to the person."""

    def __init__(self, app: App[Any], *, is_slow: bool, tell: Callable[[str], None]) -> None:
        self._app = app
        self._tell = tell
        self.pace = Pace(is_slow=is_slow, is_chosen=is_slow)

    def written(self, took: float, at: float) -> None:
        """Something took so many seconds to be written, at this moment."""
        self._become(written(self.pace, took, at))

    def switch(self) -> None:
        """The person wants the other pace."""
        self._become(switched(self.pace))

    def keep(self) -> None:
        """Also for screens that were opened since the pace changed."""
        if self.pace.is_slow or self.pace.is_chosen:
            for screen in self._app.screen_stack:
                draw_every(screen, self.pace.frame_seconds)

    def _become(self, pace: Pace) -> None:
        was_slow, self.pace = self.pace.is_slow, pace
        if pace.is_slow != was_slow:
            self.keep()
            self._tell(pace.words)
