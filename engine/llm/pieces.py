"""Cuts a finished reply into deltas, for models that do not stream by themselves: pure."""

from collections.abc import Iterator, Sequence

from engine.domain.blocks import Block
from engine.domain.exchange import Delta
from engine.domain.text_safety import clean

PIECE_CHARACTERS = 240


def text_deltas(content: Sequence[Block]) -> Iterator[Delta]:
    """The text blocks in order, cleaned, at most `PIECE_CHARACTERS` in each piece."""
    for block in content:
        if block.get("type") == "text":
            text = clean(str(block["text"]))
            for start in range(0, len(text), PIECE_CHARACTERS):
                yield Delta("text", text[start : start + PIECE_CHARACTERS])
