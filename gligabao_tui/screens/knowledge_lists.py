"""The lists of the knowledge screen: facts, entities, and the texts of the queue.

Each asks the engine for its dataset only; the queue is asked for again by the screen while
something is being done.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.api import (
    ArtifactInfo,
    EntityFilter,
    RememberFilter,
    RememberRun,
    RememberStatus,
)
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.knowledge_pane import PagedPane, padded
from gligabao_tui.view.base_files import (
    Export,
    entities_export,
    facts_export,
    texts_export,
)
from gligabao_tui.view.entity_rows import EntityRow, entities_header, entity_row, entity_text
from gligabao_tui.view.fact_query import HINT as FACTS_HINT
from gligabao_tui.view.fact_query import FactQuery, fact_query
from gligabao_tui.view.fact_rows import FactRow, fact_row, fact_text, facts_header
from gligabao_tui.view.remember_rows import (
    AGAIN,
    Frame,
    TextRow,
    name_of,
    status_wanted,
    text_block,
    text_words,
    texts_header,
)
from gligabao_tui.view.remember_rows import HINT as TEXTS_HINT
from gligabao_tui.view.text import EMPTY, Line, paragraph


class FactsPane(PagedPane[FactRow]):
    HINT = FACTS_HINT

    def __init__(self, given: Given) -> None:
        self._query = FactQuery()
        super().__init__(given, "facts")

    def check(self, typed: str) -> tuple[str, ...]:
        self._query = fact_query(typed)
        return self._query.problems

    async def ask(self, cursor: str, limit: int) -> tuple[Sequence[FactRow], str]:
        which = replace(
            self._query.which,
            user=self.dataset.user_id,
            dataset=self.dataset.name,
            limit=limit,
            cursor=cursor,
        )
        page = await self.given.calls.knowledge.facts(which)
        return [FactRow(fact) for fact in page.facts], page.next_cursor

    def open(self) -> None:
        if self.rows.current is not None:
            among = [f"fact:{row.fact.id}" for row in self.rows.items]
            self.post_message(self.Opens(f"fact:{self.rows.current.fact.id}", among))

    @property
    def copied(self) -> tuple[str, str]:
        row = self.rows.current
        return (fact_text(row.fact), "the fact") if row else ("", "")

    def draw(self, item: FactRow, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        _ = is_open  # a fact has a page of its own
        return (fact_row(item.fact, width, self.given.glyphs),)

    def header(self, width: int) -> Line:
        return facts_header(width)

    def none_found(self, width: int) -> tuple[Line, ...]:
        if self.typed:
            return _said(
                "No fact matches. Words are looked for in all of a fact; esc clears.", width
            )
        return _said("No facts yet: the texts of this dataset have brought none so far.", width)

    def export_of(self, items: Sequence[FactRow]) -> Export:
        return facts_export([row.fact for row in items])


class EntitiesPane(PagedPane[EntityRow]):
    HINT = "any part of a name"

    def __init__(self, given: Given) -> None:
        super().__init__(given, "entities")

    def check(self, typed: str) -> tuple[str, ...]:
        _ = typed  # any text may be part of a name
        return ()

    async def ask(self, cursor: str, limit: int) -> tuple[Sequence[EntityRow], str]:
        which = EntityFilter(
            self.dataset.user_id, self.dataset.name, self.typed, limit=limit, cursor=cursor
        )
        page = await self.given.calls.knowledge.entities(which)
        return [EntityRow(entity) for entity in page.entities], page.next_cursor

    def open(self) -> None:
        if self.rows.current is not None:
            among = [f"entity:{row.entity.id}" for row in self.rows.items]
            self.post_message(self.Opens(f"entity:{self.rows.current.entity.id}", among))

    @property
    def copied(self) -> tuple[str, str]:
        row = self.rows.current
        return (entity_text(row.entity), "the entity") if row else ("", "")

    def draw(self, item: EntityRow, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        _ = is_open  # an entity has a page of its own
        return (entity_row(item.entity, width),)

    def header(self, width: int) -> Line:
        return entities_header(width)

    def none_found(self, width: int) -> tuple[Line, ...]:
        if self.typed:
            return _said("No entity has this in its name or another name of it.", width)
        return _said("No entities yet: they come with the facts that speak of them.", width)

    def export_of(self, items: Sequence[EntityRow]) -> Export:
        return entities_export([row.entity for row in items])


class QueuePane(PagedPane[TextRow]):
    HINT = TEXTS_HINT

    def __init__(self, given: Given) -> None:
        self._status: RememberStatus | None = None
        super().__init__(given, "queue")

    @property
    def run(self) -> RememberRun | None:
        """The text under the cursor."""
        return self.rows.current.run if self.rows.current else None

    @property
    def can_retry(self) -> bool:
        return self.run is not None and self.run.status in AGAIN

    @property
    def text(self) -> ArtifactInfo | None:
        run = self.run
        if run is None or not run.artifact_id:
            return None
        return ArtifactInfo(
            run.artifact_id, "text", name_of(run), run.source, run.chars, run.queued_at, run.dataset
        )

    def check(self, typed: str) -> tuple[str, ...]:
        self._status, problem = status_wanted(typed)
        return (problem,) if problem else ()

    async def ask(self, cursor: str, limit: int) -> tuple[Sequence[TextRow], str]:
        which = RememberFilter(
            self.dataset.user_id, self.dataset.name, self._status, limit=limit, cursor=cursor
        )
        page = await self.given.calls.knowledge.remember_runs(which)
        return [TextRow(run) for run in page.runs], page.next_cursor

    def open(self) -> None:
        """All about the text below it, or that away again."""
        self.rows.toggle()

    @property
    def copied(self) -> tuple[str, str]:
        return (text_words(self.run, self.given.now()), "the text") if self.run else ("", "")

    def draw(self, item: TextRow, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        frame = Frame(self.given.now(), self.given.glyphs)
        return text_block(item.run, width, frame, is_open=is_open)

    def header(self, width: int) -> Line:
        return texts_header(width)

    def none_found(self, width: int) -> tuple[Line, ...]:
        if self.typed:
            return _said("No text stands so.", width)
        return _said("No texts: what agents and people let it remember comes here.", width)

    def export_of(self, items: Sequence[TextRow]) -> Export:
        return texts_export([row.run for row in items])


def _said(told: str, width: int) -> tuple[Line, ...]:
    return padded((EMPTY, *paragraph(told, width - 2, "muted")))
