"""Cuts quotations out of what a source said, with the text around them: pure, nothing is changed.

What is given is a piece of the source, to the character, so that it can be found there again.
"""

from engine.domain.run import Citation
from engine.domain.sources import Passage

AROUND_CHARS = 400
"""How much is shown on either side of a quotation, about."""
_SLACK_CHARS = 80
"""How much shorter it may be so that no word is cut; text without white space is cut anywhere."""


def passage(citation: Citation, source_text: str) -> Passage:
    """The quotation with about 400 characters on either side; none of it when it is missing."""
    bare = Passage(citation.ord, citation.quote, citation.verdict)
    if citation.verdict == "missing" or citation.start is None or citation.end is None:
        return bare
    start, end = citation.start, citation.end
    return Passage(
        ord=citation.ord,
        quote=citation.quote,
        verdict=citation.verdict,
        before=_before(source_text, start),
        quoted=source_text[start:end],
        after=_after(source_text, end),
    )


def _before(text: str, start: int) -> str:
    first = max(0, start - AROUND_CHARS)
    if first == 0 or text[first - 1].isspace():
        return text[first:start]
    last = min(first + _SLACK_CHARS, start)
    spaces = (place for place in range(first, last) if text[place].isspace())
    return text[next(spaces, first - 1) + 1 : start]


def _after(text: str, end: int) -> str:
    last = min(len(text), end + AROUND_CHARS)
    if last == len(text) or text[last].isspace():
        return text[end:last]
    first = max(last - _SLACK_CHARS, end)
    spaces = (place for place in range(last - 1, first - 1, -1) if text[place].isspace())
    return text[end : next(spaces, last)]
