"""The last line of defence before the terminal: no control character of any widget gets there.

Every text is cleaned where it enters and again where it is drawn. What this finds is therefore a
fault of the program, which is counted so that tests can see it.
"""

import re

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ud800-\udfff]"
)
"""Escapes, C0 and C1 controls, direction controls, line separators, lone surrogates."""


class LineGuard(LineFilter):
    """`dropped` counts the characters that were kept from the terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.dropped = 0

    def apply(
        self,
        segments: list[Segment],
        background: Color,  # noqa: ARG002  # Textual's signature
    ) -> list[Segment]:
        """The same list when nothing in it is unsafe, as is usual; Textual keeps it per line."""
        if all(_is_safe(segment) for segment in segments):
            return segments
        return [segment if _is_safe(segment) else self._guarded(segment) for segment in segments]

    def _guarded(self, segment: Segment) -> Segment:
        text, dropped = UNSAFE.subn("", segment.text)
        style = segment.style
        self.dropped += dropped
        if style is not None and style.link and UNSAFE.search(style.link):
            self.dropped += len(UNSAFE.findall(style.link))
            style = style.update_link(None)
        return Segment(text, style, segment.control)


def _is_safe(segment: Segment) -> bool:
    """`isprintable` answers for nearly every text, and takes a hundredth of what a search does."""
    text, style, _ = segment
    link = style.link if style is not None else None
    return (text.isprintable() or not UNSAFE.search(text)) and (not link or not UNSAFE.search(link))
