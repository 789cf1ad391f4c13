"""What every screen is given: the engine, the settings, the clock and the symbols."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from engine.api import Settings
from gligabao_tui.bridge import EngineCalls
from gligabao_tui.keymap import DEFAULT_KEYMAP, Keymap
from gligabao_tui.screens.means import own_clock
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.moments import Here


@dataclass(frozen=True, slots=True)
class Given:
    """`now` gives the moment, aware, in UTC; `keymap` tells the keys as this person has them;
    `here` gives the same moment on this person's clock."""

    calls: EngineCalls
    settings: Settings
    glyphs: Glyphs
    now: Callable[[], datetime]
    keymap: Keymap = DEFAULT_KEYMAP
    here: Here = own_clock
