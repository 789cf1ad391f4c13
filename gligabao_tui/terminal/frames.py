"""How often a screen is drawn. Textual fixes that when it is imported, for all screens for ever."""

from typing import Any

from textual.screen import Screen


def draw_every(screen: Screen[Any], seconds: float) -> None:
    """Let a screen paint what changed at most so often, from now on.

    Its timer is replaced: a timer of Textual reads its interval only when it starts. The names
    are Textual's own of 8.2, which is pinned; a test shows that the rate changes.
    """
    timer = screen._update_timer
    if timer._interval == seconds or not screen.is_running:
        return
    timer.stop()
    later = screen.set_interval(seconds, screen._on_timer_update, name=timer.name, pause=True)
    setattr(screen, "_Screen__update_timer", later)  # noqa: B010  # a name of its class alone
    screen.check_idle()
