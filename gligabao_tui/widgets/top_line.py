"""The top line of the workspace."""

from engine.api import RunCounts
from gligabao_tui.keymap import Keymap
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.status_line import EngineState, Still, Top, status_line
from gligabao_tui.widgets.plain import Drawn


class TopLine(Drawn):
    def __init__(self, glyphs: Glyphs, keymap: Keymap) -> None:
        super().__init__(lambda width: (status_line(Top(), width, glyphs),), id="top")
        self._glyphs = glyphs
        self._goes_on = keymap.word("main.pause")

    def tell(self, counts: RunCounts, engine: EngineState, missed: int | None) -> None:
        """`missed` is how many changes are not shown while the screen stands still, else None."""
        still = None if missed is None else Still(missed, self._goes_on)
        top = Top(counts, engine, still)
        self.show(lambda width: (status_line(top, width, self._glyphs),))
