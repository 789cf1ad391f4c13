"""Splits Markdown that is still being written into what can be laid out and what must wait.

A code fence or table is laid out once it is closed: laying it out again for every token costs more
the longer it gets. The two parts put together are always the whole text.
"""

from typing import NamedTuple

FENCES = ("```", "~~~")


class Split(NamedTuple):
    """`closed` ends with a blank line or a closed fence; `tail` is still growing."""

    closed: str
    tail: str


def split_open(text: str) -> Split:
    """The longest start of `text` that later text cannot change, and the rest."""
    cut = place = 0
    fence = ""
    for row in text.splitlines(keepends=True):
        place += len(row)
        told = row.strip()
        if fence:
            if _closes(told, fence) and row.endswith("\n"):
                fence, cut = "", place
        elif told.startswith(FENCES):
            fence = _fence_of(told)
        elif not told and row.endswith("\n"):
            cut = place
    return Split(text[:cut], text[cut:])


def _fence_of(row: str) -> str:
    return row[: len(row) - len(row.lstrip(row[0]))]


def _closes(row: str, fence: str) -> bool:
    return row.startswith(fence) and not row.strip(fence[0])
