"""What the knowledge base has to do with the end of a run, where the settings ask for it.

Seed 001 leaves both out: waiting for the texts that a run has queued, and storing its report. A
failure of either never fails the run.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass

from engine.domain.errors import GligabaoError, NotFound
from engine.domain.knowledge import RememberFilter, RememberRequest, session_of
from engine.domain.run import Run
from engine.domain.text_safety import one_line
from engine.knowledge.base import Base
from engine.knowledge.requests import SOURCE_MOST_CHARS
from engine.manager.admission import recorded_run
from engine.manager.memory import kind_of
from engine.manager.outfit import Books
from engine.manager.spec import RunSpec
from engine.settings import KnowledgeSettings

_MOST_WAITED_FOR = 500

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Afterwards:
    """Of one run."""

    base: Base
    settings: KnowledgeSettings
    spec: RunSpec
    books: Books

    async def before_the_end(self) -> None:
        """Returns when the run's texts are absorbed, or cannot be for now."""
        if not self.settings.wait_for_queue:
            return
        try:
            await self._absorbed()
        except GligabaoError as error:
            _log.warning("run %s does not wait for its texts: %s", self.books.run_id, error)

    async def _absorbed(self) -> None:
        which = RememberFilter(run_id=self.books.run_id, limit=_MOST_WAITED_FOR)
        page = await self.base.remember_runs(which)
        open_ones = [run.id for run in page.runs if run.status in ("queued", "running")]
        if open_ones:
            await self.books.say_waiting(f"the knowledge base, texts to absorb: {len(open_ones)}")
        for number in reversed(open_ones):
            with suppress(NotFound):  # it was forgotten meanwhile
                await self.base.queue.attempted(number)

    async def with_report(self, run: Run) -> None:
        """Remember the report of a run that is completed, unless the run plays another one back."""
        is_new = run.status == "completed" and recorded_run(self.spec.model) is None
        if not (self.settings.remember_report and is_new):
            return
        try:
            await self.base.remember(self._report(run))
        except GligabaoError as error:
            _log.warning("the report of run %s is not remembered: %s", run.id, error)

    def _report(self, run: Run) -> RememberRequest:
        is_quoted = kind_of(self.spec.model) == "quoted"
        return RememberRequest(
            user=run.user_id,
            text=run.report,
            source=one_line(f"run {run.id}: {run.topic}", SOURCE_MOST_CHARS),
            dataset=self.spec.dataset,
            date=(run.finished_at or "")[:10],
            kind="quoted" if is_quoted else "report",
            session_id=session_of(run.id),
        )
