"""The way from the app to its terminal: which driver, and what is sent beside the screen."""

from collections.abc import Callable
from typing import Any, Protocol, cast

from textual.app import App
from textual.driver import Driver


class Listening(Protocol):
    """What `terminal.driver.TerminalDriver` adds to a driver."""

    on_long_write: Callable[[float], None]
    is_hung_up: bool


def house_driver(usual: type[Driver]) -> type[Driver]:
    """Ours instead of Textual's driver of a terminal; any other (a browser's) stays."""
    if usual.__module__ != "textual.drivers.linux_driver":
        return usual
    from gligabao_tui.terminal.driver import TerminalDriver

    return TerminalDriver


class Output:
    """`send` does nothing where there is no terminal: in tests, before and after the app."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app

    @property
    def is_there(self) -> bool:
        return self._app._driver is not None and not self._app.is_headless

    @property
    def can_suspend(self) -> bool:
        return self._app._driver is not None and self._app._driver.can_suspend

    def send(self, sequence: str) -> None:
        driver = self._app._driver
        if driver is not None and not self._app.is_headless:
            driver.write(sequence)

    def hang_up(self) -> None:
        """Write nothing more: the terminal has gone, and Textual would wait for it for ever."""
        if self._driver is not None:
            self._driver.is_hung_up = True

    def listen(self, on_long_write: Callable[[float], None]) -> None:
        """Hear of writes that take long, in the thread that writes."""
        if self._driver is not None:
            self._driver.on_long_write = on_long_write

    @property
    def _driver(self) -> Listening | None:
        driver = self._app._driver
        return cast(Listening, driver) if hasattr(driver, "on_long_write") else None
