"""Asks a model for the entities and facts of a text, chunk by chunk; keeps what the text states.

    ask -> refused ----------------------------------> chunk stored only, said
        -> cut short -> halves, twice at most -------> what is whole of the last answers
        -> read, checked -> problems -> asked once more -> both answers together

It is never silently empty: whatever was lost or not taken is counted and said in `notes`.
Raises ProviderError when the model's service gives no answer; what was read by then is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.domain.dates import shown
from engine.domain.exchange import Reply, Request
from engine.domain.facts import Stated
from engine.domain.keys import name_key
from engine.domain.text_safety import clean, one_line
from engine.knowledge.answer_items import SCHEMA
from engine.knowledge.asking import CUT_SHORT, Question, marked, once_more, request
from engine.knowledge.chunks import MOST_CHARS, Part, chunks
from engine.knowledge.extracted import Extraction
from engine.knowledge.ladder import Checked, checked, counted, together
from engine.knowledge.material import Material
from engine.llm.model import Answering, Attempts, no_delta

PROMPT_VERSION = "remember-extract-1"
LONG_TEXT_CHARS = 400
"""A text so long that states nothing is worth a word."""
MOST_KNOWN = 30
_MOST_HALVINGS = 2
_LEAST_CHUNK_CHARS = 600

REFUSED = "the model refused to read a part of the text: it is stored only"
UNREADABLE = "the model's answer to a part of the text could not be read: it is stored only"
CUT = "the model's answer to a part of the text was cut short: facts may be missing"
ASKED_AGAIN = "the model was asked a second time, for an answer that can be read"
NO_FACTS = "no facts found in this text"


@dataclass(frozen=True, slots=True)
class Extracting:
    """What an extraction is made with."""

    answer: Answering
    model_name: str
    attempts: Attempts
    reference: Stated | None = None
    """The source's date, against which words such as `last year` are read."""
    source: str = ""
    known: Sequence[str] = ()
    """Names of stored entities that the text may mean, likeliest first."""


async def extract(text: str, around: Extracting) -> Extraction:
    """The entities and facts that `text` states, with the places of their quotations in it.

    `dropped` and `notes` say what of the answers was not taken, `unread_chunks` how many parts of
    the text nobody could read. Raises ProviderError.
    """
    found = Extraction()
    for part in chunks(text):
        reading = _Reading(text, around, _known(around.known, found))
        found = together(found, await reading.read(part))
    notes = counted(found.notes)
    if not found.facts and not found.unread_chunks and len(text) >= LONG_TEXT_CHARS:
        notes = (*notes, NO_FACTS)
    return replace(found, notes=notes)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request and what came of it."""

    request: Request
    reply: Reply
    checked: Checked


class _Reading:
    """Reads parts of one text, with the names known so far."""

    def __init__(self, text: str, around: Extracting, known: Sequence[str]) -> None:
        self._text = text
        self._around = around
        self._known = known
        about = (around.source, *known)
        self._against = Material(text, about=about, reference=around.reference)

    async def read(self, part: Part, halvings: int = 0) -> Extraction:
        asked = self._request(part)
        reply = await self._reply(asked)
        if reply.stop_reason == "refusal":
            return Extraction(notes=(REFUSED,), unread_chunks=1)
        if reply.stop_reason in CUT_SHORT:
            return await self._shorter(part, reply, halvings)
        first = self._checked(reply, part)
        if not first.problems:
            return first.extraction
        return await self._again(part, _Asked(asked, reply, first))

    async def _shorter(self, part: Part, reply: Reply, halvings: int) -> Extraction:
        halves = _halves(self._text, part)
        if halvings == _MOST_HALVINGS or len(halves) == 1:
            return _noted(_readable(self._checked(reply, part)), CUT)
        found = Extraction()
        for half in halves:
            found = together(found, await self.read(half, halvings + 1))
        return found

    async def _again(self, part: Part, before: _Asked) -> Extraction:
        """Both answers together: what the first one lost the second may have."""
        again = once_more(before.request, before.reply.text, before.checked.problems)
        reply = await self._reply(again)
        first, second = before.checked, self._checked(reply, part)
        if reply.stop_reason == "refusal" or not second.is_readable:
            return _noted(_readable(first), ASKED_AGAIN)
        unstated = first.extraction.dropped - first.unreadable
        dropped = max(unstated, second.extraction.dropped)
        kept = replace(together(second.extraction, first.extraction), dropped=dropped)
        return _noted(kept, ASKED_AGAIN)

    def _checked(self, reply: Reply, part: Part) -> Checked:
        return checked(reply.text, self._against, after=part.start)

    async def _reply(self, asked: Request) -> Reply:
        around = self._around
        return await around.answer.reply(asked, no_delta, attempts=around.attempts)

    def _request(self, part: Part) -> Request:
        matter = "\n".join((*self._head(), marked(clean(self._text[part.start : part.end]))))
        question = Question("remember_extract", PROMPT_VERSION, SCHEMA, matter)
        return request(question, self._around.model_name)

    def _head(self) -> tuple[str, ...]:
        around = self._around
        date = shown(around.reference) if around.reference is not None else "not known"
        return (
            f"Source: {one_line(around.source) or 'not known'}",
            f"Date of the source: {date}",
            f"Names in use: {'; '.join(map(one_line, self._known)) or 'none'}",
        )


def _known(given: Sequence[str], found: Extraction) -> tuple[str, ...]:
    """Names of earlier chunks first: `it` often means one of them."""
    names = (*(one.name for one in reversed(found.entities)), *given)
    once = {name_key(name): name for name in reversed(names)}
    return tuple(reversed(once.values()))[:MOST_KNOWN]


def _halves(text: str, part: Part) -> tuple[Part, ...]:
    length = part.end - part.start
    if length < 2 * _LEAST_CHUNK_CHARS:
        return (part,)
    cut = chunks(text[part.start : part.end], min(MOST_CHARS, length * 2 // 3))
    return tuple(Part(part.start + one.start, part.start + one.end) for one in cut)


def _readable(answer: Checked) -> Extraction:
    if answer.is_readable:
        return answer.extraction
    unread = replace(answer.extraction, unread_chunks=1)
    return _noted(unread, UNREADABLE)


def _noted(extraction: Extraction, note: str) -> Extraction:
    return replace(extraction, notes=(*extraction.notes, note))
