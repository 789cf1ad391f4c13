"""Chooses what is worth remembering of what a report is going to quote: the best quotations, word
for word, each with the page that it is from.

The report stays what it would be without: it is written after them from the same conversation.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from engine.offline.findings import Findings
from engine.offline.quotes import Bit

MOST_SNIPPETS = 8
MOST_SNIPPET_CHARS = 2_000
_LEAST_WORDS = 4
_LEAST_CJK_CHARS = 8


@dataclass(frozen=True, slots=True)
class Snippet:
    """A quotation to remember, and the address of its page."""

    text: str
    source: str


def snippets(found: Findings) -> tuple[Snippet, ...]:
    """The best quotations of every part in turn, then lists; nothing when nothing was found."""
    if not found.is_found:
        return ()
    parts = [[quote.bits for quote in section.quotes] for section in found.sections]
    turns = (bits for turn in zip_longest(*parts) for bits in turn if bits)
    lists = (listing.bits for listing in found.lists)
    made = dict.fromkeys(_made((*turns, *lists)))
    return tuple(made)[:MOST_SNIPPETS]


def _made(quoted: Iterable[tuple[Bit, ...]]) -> Iterator[Snippet]:
    for bits in quoted:
        text = "\n".join(_line(bit) for bit in bits)
        if _says_something(bits) and len(text) <= MOST_SNIPPET_CHARS:
            yield Snippet(text, bits[0].span.address)


def _line(bit: Bit) -> str:
    """The stretch as it stands; a term that it defines comes first, since the page has it there."""
    said = f"{bit.term}: {bit.span.text}" if bit.term else bit.span.text
    return f"- {said}" if bit.is_item else said


def _says_something(bits: Iterable[Bit]) -> bool:
    text = " ".join(bit.span.text for bit in bits)
    wide = sum(ord(sign) > 0x2E7F for sign in text)
    return len(text.split()) >= _LEAST_WORDS or wide >= _LEAST_CJK_CHARS
