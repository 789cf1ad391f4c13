"""Starting a research from the workspace: the form and its draft, a run like another, the demo."""

from collections.abc import Callable
from dataclasses import replace

from textual.screen import Screen

from engine.api import AgentInfo, Run, StartRequest, docs_dir
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.reader import Reader
from gligabao_tui.screens.start import NEW, Around, StartDialog, Started, form_like
from gligabao_tui.view.board import newest_of, working_of
from gligabao_tui.view.demo import demo_request
from gligabao_tui.view.start_form import FRESH, StartForm, is_changed


class Starting:
    """Held by the workspace, whose screen it shows the form on; `opened` is given runs that were
    started and are to be looked at."""

    def __init__(
        self, screen: Screen[None], given: Given, *, reader: Reader, opened: Callable[[Run], None]
    ) -> None:
        self._screen = screen
        self._given = given
        self._reader = reader
        self._opened = opened
        self._form: StartDialog | None = None
        self._draft: StartForm | None = None

    @property
    def draft(self) -> StartForm | None:
        """What is typed in the form right now, or was when it was left."""
        return self._form.form() if self._form is not None else self._draft

    def keep(self, draft: StartForm | None) -> None:
        """A form that was left unfinished at an earlier time."""
        self._draft = draft

    def new(self) -> None:
        self._show(self._draft, NEW)

    def with_agent(self, info: AgentInfo, *, started: Callable[[], object]) -> None:
        """The form with this agent chosen and its steps; what was typed before is in it too.
        `started` is called when a run is to be looked at."""
        before = self._draft or FRESH
        form = replace(before, agent=info.name, max_steps=str(info.max_steps))
        self._show(form, NEW, started=started)

    def again(self, run: Run) -> None:
        """The form, with the topic and the settings of this run."""

        async def ask() -> None:
            form = await form_like(self._given.calls, run)
            self._show(form, f"{NEW}, like #{run.id}")

        self._screen.run_worker(ask())

    def demo(self) -> StartRequest:
        """A research of the handbook, which needs neither key nor network."""
        return demo_request(self._given.settings.user, str(docs_dir()))

    def _show(
        self, form: StartForm | None, title: str, *, started: Callable[[], object] | None = None
    ) -> None:
        drafted = self._draft
        is_draft = form is drafted or (started is not None and drafted is not None)

        def closed(outcome: Started | None) -> None:
            self._form = None
            if outcome is not None and (is_draft or is_changed(outcome.draft, form)):
                self._draft = outcome.draft
            if outcome and outcome.run is not None:
                self._reader.take(outcome.run)
                if outcome.opens:
                    self._opened(outcome.run)
                    if started is not None:
                        started()

        board, user = self._reader.desk.board, self._given.settings.user
        around = Around(newest_of(board, user), len(working_of(board, user)), title)
        self._form = StartDialog(self._given, form, around)
        self._screen.app.push_screen(self._form, closed)
