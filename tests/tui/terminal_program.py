"""The app over an engine in memory, for tests that give it a terminal of its own.

`python -m tests.tui.terminal_program DATA_DIR SCENE [FLAVOUR [THEME]]` ends with the
exit code of the app. A flavour adds keys that do what no screen does by itself.
"""

import signal
import sys
from dataclasses import replace
from pathlib import Path

from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from engine.api import AppSettings, RunId
from gligabao_tui.app import GligabaoApp, shown_until_left
from gligabao_tui.terminal.lending import edit_text, page_text
from gligabao_tui.widgets.plain import copy_text, say
from tests.fakes.engine import FakeEngine
from tests.tui import scenes

BIG_FRAME_BYTES = 14_000
UNSAFE_TEXT = "un\x1b]52;c;aGVsbG8=\x07safe\x9b31m \u202etext\x00 \x1b[2Jhere"
LONG_TEXT = "A long text of many words. " * 4_000


class PlainApp(GligabaoApp):
    """As it is."""

    engine: FakeEngine


class UnsafeWidget(Widget):
    """What no widget of the app may do."""

    DEFAULT_CSS = "UnsafeWidget { dock: bottom; height: 1; }"

    def render_line(self, y: int) -> Strip:
        return Strip([Segment(UNSAFE_TEXT if y == 0 else "")])


class UnsafeApp(PlainApp):
    def on_mount(self) -> None:  # type: ignore[override]  # Textual runs the base's too
        self.call_later(lambda: self.main.mount(UnsafeWidget()))

    def on_unmount(self) -> None:
        (self.settings.data_dir / "dropped").write_text(str(self.line_guard.dropped))


class KeyedApp(PlainApp):
    """F5 copies, F6 a long text; F7 opens the editor, F8 the pager; F9 and SIGUSR1 end a run;
    F10 floods;
    F12 says how often the screen is drawn."""

    def on_mount(self) -> None:  # type: ignore[override]  # Textual runs the base's too
        signal.signal(signal.SIGUSR1, lambda *_: self.end_a_run())

    def end_a_run(self) -> None:
        self.engine.end(RunId(5), "completed", "")

    def on_key(self, event: events.Key) -> None:
        match event.key:
            case "f12":
                say(self, f"each {self.screen._update_timer._interval:.3f} s")
            case "f5":
                copy_text(self, "The Łódź topic\nline two", "the topic", offer="w writes it")
            case "f6":
                copy_text(self, LONG_TEXT, "the report")
            case "f7":
                edited = edit_text(self, "the text before\n", folder=self.settings.data_dir)
                say(self, f"edited: {edited.text!r} {edited.problem}")
            case "f8":
                problem = page_text(self, "a page to read\n", folder=self.settings.data_dir)
                say(self, f"paged: {problem or 'well'}")
            case "f9":
                self.end_a_run()
            case "f10":
                self.write_sequence("\x1b[0m" * (BIG_FRAME_BYTES // 4))


FLAVOURS: dict[str, type[PlainApp]] = {"plain": PlainApp, "unsafe": UnsafeApp, "keyed": KeyedApp}


def main(folder: str, scene: str, flavour: str = "plain", theme: str = "") -> int:
    engine: FakeEngine = getattr(scenes, scene)()
    settings = replace(scenes.settings_in(Path(folder)), app=AppSettings(theme=theme))
    engine.owned = flavour != "joined"
    app = FLAVOURS.get(flavour, PlainApp)(settings, engine.opened, now=engine.clock.now)
    app.engine = engine
    code = shown_until_left(app)
    return 70 if engine.is_open else code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
