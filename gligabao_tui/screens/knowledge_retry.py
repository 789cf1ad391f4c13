"""Letting failed texts be read again: one at once, all of them after asking, since it may cost."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

from engine.api import (
    DatasetInfo,
    GligabaoError,
    KnowledgeBase,
    RememberFilter,
    RememberRun,
    UserError,
)
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.view.remember_rows import failed_title, failed_words, retried_words
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import say

PAGE_TEXTS = 200
Answer: TypeAlias = Literal["keep", "retry"]


class RetryFailedDialog(Dialog[Answer]):
    SCOPE: Scope = "retry_failed"
    PRIMARY = "retry"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("retry_failed"))

    def __init__(self, count: int) -> None:
        super().__init__(failed_title(count))

    def content(self) -> Iterable[Widget]:
        yield says(failed_words)

    def action_keep(self) -> None:
        self.dismiss("keep")

    def action_retry(self) -> None:
        self.dismiss("retry")


class Retrying:
    """`done` is called when it has been asked for, if the screen is still there."""

    def __init__(
        self, screen: Screen[Any], calls: KnowledgeBase, *, done: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._calls = calls
        self._done = done

    def one(self, run: RememberRun) -> None:
        _: Worker[None] = self._screen.run_worker(partial(self._retry, run), group="retry")

    def all_failed(self, dataset: DatasetInfo) -> None:
        def answered(answer: Answer | None) -> None:
            if answer == "retry":
                _: Worker[None] = self._screen.run_worker(
                    partial(self._retry_all, dataset), group="retry", exclusive=True
                )

        self._screen.app.push_screen(RetryFailedDialog(dataset.failed), answered)

    async def _retry(self, run: RememberRun) -> None:
        try:
            await self._calls.retry_remember(run.id, user=run.user_id)
        except GligabaoError as error:
            say(self._screen.app, f"#{run.id} is not tried again: {error}", is_bad=True)
        else:
            say(self._screen.app, f"#{run.id} waits for its turn again.")
        self._tell_done()

    async def _retry_all(self, dataset: DatasetInfo) -> None:
        """All are found first: those that were tried again are no longer failed ones."""
        found, refused, cursor = list[RememberRun](), list[str](), ""
        try:
            while True:
                page = await self._calls.remember_runs(
                    RememberFilter(
                        dataset.user_id, dataset.name, "failed", limit=PAGE_TEXTS, cursor=cursor
                    )
                )
                found += page.runs
                if not (cursor := page.next_cursor):
                    break
            for run in found:
                refused += await self._refusal(run)
        except GligabaoError as error:
            say(self._screen.app, f"They are not tried again: {error}", is_bad=True)
        else:
            say(self._screen.app, retried_words(len(found), refused), is_bad=bool(refused))
        self._tell_done()

    async def _refusal(self, run: RememberRun) -> list[str]:
        """Why one is not tried again; nothing when it is. Raises EngineUnreachable."""
        try:
            await self._calls.retry_remember(run.id, user=run.user_id)
        except UserError as error:
            return [f"#{run.id}: {error}"]
        return []

    def _tell_done(self) -> None:
        if self._screen.is_attached and self._screen in self._screen.app.screen_stack:
            self._done()
