"""Texts made to take long: the work grows with their length, not with its square."""

import time
from collections.abc import Callable

import pytest

from engine.retrieval.blocks import blocks, passages
from engine.retrieval.quantities import quantities
from engine.retrieval.sentences import sentences
from engine.retrieval.tokens import words

PATTERNS = (
    *(
        "e.g. ",
        "a. ",
        "1 2.5 ",
        "2018-06-04 v1.2.3 ",
        "数据。",
        "x :: ",
        "- a\n",
        "| a |\n",
        "- a\np\n\n",
    ),
    *("## h\n", "```\n", "version 1.", "a.b_", "?\"')", "1,000 thousand ", "  - a\n- b\n", "\t"),
)
READERS: tuple[Callable[[str], object], ...] = (
    *(words, sentences, quantities),
    lambda text: passages(text, blocks(text)),
)


SHORT_CHARS = 4_000
TIMES_LONGER = 16
MOST_TIMES_DEARER = 64
"""Linear work is 16 times dearer, quadratic work 256 times: between them is room for noise."""
LEAST_SECONDS = 0.0005


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_work_does_not_grow_with_the_square_of_the_text(
    pattern: str, reader: Callable[[str], object]
) -> None:
    text = pattern * (SHORT_CHARS // len(pattern))
    short = min(_cpu_seconds(reader, text) for _ in range(3))
    long = min(_cpu_seconds(reader, text * TIMES_LONGER) for _ in range(2))
    assert long < MOST_TIMES_DEARER * max(short, LEAST_SECONDS)


def _cpu_seconds(reader: Callable[[str], object], text: str) -> float:
    begin = time.process_time()
    reader(text)
    return time.process_time() - begin
