"""What can be done to a run from anywhere in the workspace: stop, wrap up, explain, save."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from textual.screen import Screen
from textual.worker import Worker

from engine.api import GligabaoError, Run, RunId, advice
from gligabao_tui.resources import write_new
from gligabao_tui.screens.failure import Answer, FailureDialog
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.stop import Ending, StopAllDialog, StopDialog
from gligabao_tui.view.details import Details, details_of
from gligabao_tui.view.failure import Failure
from gligabao_tui.view.knowledge_files import (
    provenance_csv,
    provenance_json,
    temporal_csv,
    temporal_json,
)
from gligabao_tui.view.known import Dated, Known
from gligabao_tui.view.questions import all_ended_words, stopped_words, wrapping_words
from gligabao_tui.widgets.plain import say

BY_THE_APP = "the admin UI"
"""Completes the sentence `stopped by ...`, as the run records it."""
MOST_NAMES = 99


class RunActions:
    """Held by the workspace, whose screen it asks questions on; `took` is given changed runs, and
    `again` those that are to be started once more."""

    def __init__(
        self,
        screen: Screen[None],
        given: Given,
        *,
        took: Callable[[Run], None],
        again: Callable[[Run], None],
    ) -> None:
        self._took = took
        self._again = again
        self._screen = screen
        self._given = given

    def ask_to_stop(self, run: Run) -> None:
        def answered(ending: Ending | None) -> None:
            if ending in ("stop", "wrap_up"):
                work = self._stop(run.id) if ending == "stop" else self._wrap_up(run.id)
                self._screen.run_worker(work)

        self._screen.app.push_screen(StopDialog(run, self._given), answered)

    def ask_to_stop_all(self, working: Sequence[Run]) -> None:
        """Nothing is asked when nothing works."""
        if not working:
            return

        def answered(ending: Ending | None) -> None:
            if ending in ("stop", "wrap_up"):
                self._screen.run_worker(self._end_all(working, wraps_up=ending == "wrap_up"))

        self._screen.app.push_screen(StopAllDialog(working, self._given), answered)

    def wrap_up(self, run: Run) -> None:
        self._screen.run_worker(self._wrap_up(run.id))

    def explain(self, run_id: RunId, go_to: Callable[[RunId, int], None]) -> None:
        """Show the error of a run, once however often it is asked for, and go to its state when
        that is asked for."""
        explain = partial(self._explain, run_id, go_to)
        _: Worker[None] = self._screen.run_worker(explain, group="explain", exclusive=True)

    def save_report(self, details: Details) -> None:
        """Write the report to a new file in the current folder; say where it is."""
        self._screen.run_worker(self._save(f"gligabao-{details.id}", details.report))

    def save_known(self, known: Known) -> None:
        """Write what a run knows to new files here, as JSON and as CSV; say where they are."""
        found = known.provenance
        files = {".json": partial(provenance_json, found), ".csv": partial(provenance_csv, found)}
        self._screen.run_worker(self._save_all(f"gligabao-{known.run_id}-knowledge", files))

    def save_dated(self, dated: Dated) -> None:
        """Write what happened to its facts, likewise."""
        found = dated.temporal
        files = {".json": partial(temporal_json, found), ".csv": partial(temporal_csv, found)}
        self._screen.run_worker(self._save_all(f"gligabao-{dated.run_id}-events", files))

    async def _save_all(self, name: str, files: Mapping[str, Callable[[], str]]) -> None:
        """In a thread, as a report is."""

        def save() -> list[str]:
            return [str(written(name, make(), ending)) for ending, make in files.items()]

        try:
            paths = await asyncio.to_thread(save)
        except OSError as error:
            say(self._screen.app, f"Nothing is saved: {error}", is_bad=True)
        else:
            say(self._screen.app, f"It is in {' and '.join(paths)}")

    async def _save(self, name: str, report: str) -> None:
        """In a thread: the folder may lie on a disk that takes its time."""
        try:
            path = await asyncio.to_thread(written, name, report.rstrip() + "\n")
        except OSError as error:
            say(self._screen.app, f"The report is not saved: {error}", is_bad=True)
        else:
            say(self._screen.app, f"The report is in {path}")

    async def _stop(self, run_id: RunId) -> None:
        if (run := await self._ended(run_id, wraps_up=False)) is not None:
            say(self._screen.app, stopped_words(run))

    async def _wrap_up(self, run_id: RunId) -> None:
        if (run := await self._ended(run_id, wraps_up=True)) is not None:
            say(self._screen.app, wrapping_words(run))

    async def _end_all(self, working: Sequence[Run], *, wraps_up: bool) -> None:
        runs = [await self._ended(run.id, wraps_up=wraps_up) for run in working]
        ended = [run for run in runs if run is not None]
        say(self._screen.app, all_ended_words(ended, wraps_up=wraps_up))

    async def _ended(self, run_id: RunId, *, wraps_up: bool) -> Run | None:
        """The run as it is now; None when the engine refused, which is said."""
        calls = self._given.calls
        try:
            run = await (calls.wrap_up if wraps_up else calls.stop)(run_id, by=BY_THE_APP)
        except GligabaoError as error:
            say(self._screen.app, str(error), is_bad=True)
            return None
        self._took(run)
        return run

    async def _explain(self, run_id: RunId, go_to: Callable[[RunId, int], None]) -> None:
        try:
            read = await self._given.calls.get(run_id)
        except GligabaoError as error:
            say(self._screen.app, str(error), is_bad=True)
            return

        def answered(answer: Answer | None) -> None:
            if answer == "again":
                self._again(read.run)
            elif answer is not None:
                go_to(run_id, answer)

        run = read.run
        failure = Failure(details_of(read), advice(run.error, model=run.model))
        self._screen.app.push_screen(FailureDialog(failure, self._given), answered)


def written(name: str, text: str, ending: str = ".md") -> Path:
    """The new file: the first of NAME.md, NAME-2.md ... that does not exist. Raises OSError."""
    for suffix in ("", *(f"-{number}" for number in range(2, MOST_NAMES + 1))):
        path = Path.cwd() / f"{name}{suffix}{ending}"
        with suppress(FileExistsError):
            write_new(path, text)
            return path
    raise FileExistsError(f"{path} and all before it exist already")
