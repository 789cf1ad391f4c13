"""For terminals whose font has letters and little else: drawn symbols become plain ones.

The views choose plain symbols by themselves. This is for what Textual draws (scrollbars, borders)
and for ellipses, wherever they come from. Every symbol takes one cell before and after.
"""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

PLAIN = str.maketrans(
    {
        "…": "~",
        "•": "*",
        "█": "#",
        **dict.fromkeys("▁▂▃▄▅▆▇▔▀", " "),
        **dict.fromkeys("─━╌╍╸╺╴╶═", "-"),
        **dict.fromkeys("│┃▏▎▍▌▋▊▉▐▕║", "|"),
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝", "+"),
    }
)
"""A part of a scrollbar's end is left out: its whole cells are spaces of another colour."""


class PlainSymbols(LineFilter):
    def apply(
        self,
        segments: list[Segment],
        background: Color,  # noqa: ARG002  # Textual's signature
    ) -> list[Segment]:
        if all(segment.text.isascii() for segment in segments):
            return segments
        return [
            segment if segment.text.isascii() else segment._replace(text=plain(segment.text))
            for segment in segments
        ]


def plain(text: str) -> str:
    return text.translate(PLAIN)
