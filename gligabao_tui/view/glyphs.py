"""The symbols of the screen in two sets: drawn, and plain ASCII."""

from dataclasses import dataclass

from engine.api import Status


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Those that stand in columns take one cell each. Status is never told by colour alone: glyph
    and word go with it."""

    working: str = "●"
    done: str = "✓"
    failed: str = "✗"
    stopped: str = "■"
    cut: str = "◐"
    warning: str = "!"
    ended: str = "✓"
    opened: str = "▾"
    closed: str = "▸"
    dot: str = "·"
    below: str = "▼"
    dismiss: str = "×"
    cursor: str = "▌"
    rule: str = "─"
    bullet: str = "•"
    bar: str = "│"
    chosen: str = "◉"
    other: str = "○"
    arrows: str = "↑ ↓"
    gauge: str = "━"
    gauge_half: str = "╸"
    gauge_rest: str = "─"
    back: str = "↩"
    ellipsis: str = "…"
    clock: str = "◷"
    """Runs by itself."""
    paused: str = "○"
    raised: str = "⁰¹²³⁴⁵⁶⁷⁸⁹"
    """The digits of a footnote's mark; without them it is written in brackets."""
    events: str = "●◆■✗▲"
    """Of what happens to facts, in the order of EVENT_KINDS."""
    events_hollow: str = "○◇□×△"
    """The same where no text says when."""
    bars: str = "━─~┄"
    """Of a fact: known, not known to have ended, some time in there, possible."""
    density: str = "▁▂▃▄▅▆▇█"
    tick: str = "┴"
    pointer: str = "▲"
    earlier: str = "◂"
    later: str = "▸"
    to: str = "→"

    def of(self, status: Status) -> str:
        return {
            "running": self.working,
            "completed": self.done,
            "failed": self.failed,
            "stopped": self.stopped,
        }[status]


DRAWN = Glyphs()
ASCII = Glyphs(
    working="*",
    done="v",
    failed="x",
    stopped="#",
    cut="%",
    ended="v",
    opened="v",
    closed=">",
    dot="-",
    below="v",
    dismiss="x",
    cursor=">",
    rule="-",
    bullet="-",
    bar="|",
    chosen="(*)",
    other="( )",
    arrows="up down",
    gauge="#",
    gauge_half="",
    gauge_rest="-",
    back="(back)",
    ellipsis="...",
    clock="@",
    paused="=",
    raised="",
    events="CFDIU",
    events_hollow="cfdiu",
    bars="=-~.",
    density=".:-=+*#@",
    tick="+",
    pointer="^",
    earlier="<",
    later=">",
    to="->",
)
