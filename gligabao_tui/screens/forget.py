"""Taking remembered texts back: what would go is shown first, and nothing goes without a yes."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

from textual.app import App
from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

from engine.api import ArtifactInfo, ForgetRequest, Forgotten, GligabaoError, KnowledgeBase
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.view.forgetting import (
    forget_lines,
    forget_title,
    forgotten_words,
    text_entries,
)
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import say

Answer: TypeAlias = Literal["keep", "forget"]


class ForgetDialog(Dialog[Answer]):
    SCOPE: Scope = "forget"
    DANGERS = ("forget",)
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("forget"))

    def __init__(self, gone: Forgotten) -> None:
        super().__init__(forget_title(gone))
        self._gone = gone

    def content(self) -> Iterable[Widget]:
        yield says(lambda width: forget_lines(self._gone, width))

    def action_keep(self) -> None:
        self.dismiss("keep")

    def action_forget(self) -> None:
        self.dismiss("forget")


class Forgetting:
    """Asks on a screen, which may be left meanwhile; `done` is called after something went."""

    def __init__(
        self, screen: Screen[Any], calls: KnowledgeBase, *, done: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._calls = calls
        self._done = done

    def of_one(self, texts: Sequence[ArtifactInfo], user: str | None) -> None:
        """One of these texts, which is asked for where there are more."""
        if len(texts) == 1:
            self.forget(ForgetRequest(user, texts[0].id))
        elif texts:

            def chosen(key: str | None) -> None:
                if key is not None:
                    self.forget(ForgetRequest(user, int(key)))

            asks = "Which of the texts that it rests on is to be forgotten?"
            nothing = "No text has these words"
            self._app.push_screen(PaletteDialog(text_entries(texts), asks, nothing=nothing), chosen)

    def forget(self, request: ForgetRequest) -> None:
        """What would go, the question, and then it goes."""
        _: Worker[None] = self._screen.run_worker(
            partial(self._try, request), group="forget", exclusive=True
        )

    @property
    def _app(self) -> App[Any]:
        return self._screen.app

    @property
    def _is_there(self) -> bool:
        return self._screen.is_attached and self._screen in self._app.screen_stack

    async def _try(self, request: ForgetRequest) -> None:
        trial = ForgetRequest(request.user, request.artifact_id, request.source, is_trial=True)
        try:
            gone = await self._calls.forget(trial)
        except GligabaoError as error:
            say(self._app, f"That cannot be forgotten: {error}", is_bad=True)
            return
        if not self._is_there or self._app.screen is not self._screen:
            return  # something else is in front of the person by now

        def answered(answer: Answer | None) -> None:
            if answer == "forget" and self._is_there:
                _: Worker[None] = self._screen.run_worker(
                    partial(self._forget, request), group="forget", exclusive=True
                )

        self._app.push_screen(ForgetDialog(gone), answered)

    async def _forget(self, request: ForgetRequest) -> None:
        try:
            gone = await self._calls.forget(request)
        except GligabaoError as error:
            say(self._app, f"Nothing was forgotten: {error}", is_bad=True)
            return
        say(self._app, forgotten_words(gone))
        if self._is_there:
            self._done()
