"""Reads facts, entities and texts of the knowledge base for their pages."""

from collections.abc import Iterable
from contextlib import suppress

from engine.api import FactHistory, FactInfo, KnowledgeBase, NotFound, RunId, Temporal
from gligabao_tui.screens.given import Given
from gligabao_tui.view.details import Details
from gligabao_tui.view.fact_page import Subject, TextPage
from gligabao_tui.view.provenance import texts_of

MOST_NAMED = 8
"""Facts that one page tells by what they say; others by their number."""


class Library:
    """`named` are facts that are known by their ids. Without details there are no pages of texts:
    those are known by the run that gave them."""

    def __init__(self, given: Given, details: Details | None = None) -> None:
        self._given = given
        self._details = details
        self.glyphs = given.glyphs
        self.named: dict[int, FactInfo] = {fact.id: fact for fact in _facts_of(details)}

    @property
    def calls(self) -> KnowledgeBase:
        return self._given.calls.knowledge

    @property
    def texts(self) -> frozenset[int]:
        """The texts that have pages."""
        known = self._details.known if self._details is not None else None
        return frozenset(text.id for text in texts_of(known)) if known is not None else frozenset()

    async def read(self, target: str) -> Subject:
        """What `fact:ID`, `entity:ID` or `text:ID` leads to. Raises GligabaoError."""
        kind, _, number = target.partition(":")
        match kind:
            case "fact":
                return await self._fact(int(number))
            case "entity":
                return await self._given.calls.knowledge.entity(int(number))
            case "text":
                return await self._text(int(number))
            case _:
                raise NotFound(f"nothing is known of {target}")

    async def _fact(self, number: int) -> FactHistory:
        """With the facts that it gave way to, so that they can be named."""
        history = await self._given.calls.knowledge.fact(number)
        self.named[number] = history.fact
        self.named.update({fact.id: fact for fact in history.conflicts})
        others = [history.fact.superseded_by, *(event.cause_fact_id for event in history.events)]
        wanted = [one for one in dict.fromkeys(others) if one is not None]
        for other in [one for one in wanted if one not in self.named][:MOST_NAMED]:
            with suppress(NotFound):
                found = await self._given.calls.knowledge.fact(other)
                self.named[other] = found.fact
        return history

    async def _text(self, number: int) -> TextPage:
        details = self._details
        known = details.known if details is not None else None
        text = next((one for one in texts_of(known) if one.id == number), None) if known else None
        if known is None or text is None:
            raise NotFound(f"text {number} is not among those of this run")
        run = next((one for one in known.queue if one.artifact_id == number), None)
        return TextPage(text, await self._facts_in(known.run_id, number), run)

    async def _facts_in(self, run_id: RunId, text: int) -> tuple[FactInfo, ...]:
        """Those that an event of this text is about; the facts say no texts themselves."""
        details = self._details
        dated = details.dated if details is not None else None
        temporal: Temporal | None = dated.temporal if dated is not None else None
        if temporal is None:
            agents = bool(details and details.known and details.known.with_agents)
            calls = self._given.calls.knowledge
            temporal = await calls.temporal(run_id, include_subagents=agents)
        found = (told.fact for told in temporal.events if told.event.artifact_id == text)
        return tuple({fact.id: fact for fact in found}.values())


def _facts_of(details: Details | None) -> Iterable[FactInfo]:
    if details is None:
        return
    if details.known is not None:
        yield from (edge.fact for edge in details.known.provenance.edges)
    if details.dated is not None:
        yield from (told.fact for told in details.dated.temporal.events)
