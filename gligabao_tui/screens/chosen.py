"""Which run the actions of the workspace are about, and which of them make sense for it."""

from engine.api import Run, RunId
from gligabao_tui.keys import Scope
from gligabao_tui.screens.reader import Reader
from gligabao_tui.screens.workspace import Workspace


class Chosen:
    """Looks at the reader and at the three parts of the workspace; changes nothing."""

    def __init__(self, reader: Reader, body: Workspace) -> None:
        self._reader = reader
        self._runs = body.runs
        self._details = body.details
        self._dock = body.dock_view

    @property
    def id(self) -> RunId | None:
        """Of the dock if it has the focus, else of the details or the list."""
        if self._dock.has_focus and self._dock.selected is not None:
            return self._dock.selected
        opened = self.opened
        return opened if opened is not None else self._runs.selected

    @property
    def run(self) -> Run | None:
        return self.run_of(self.id)

    @property
    def opened(self) -> RunId | None:
        """The run whose details are shown."""
        details = self._reader.desk.details
        return details.id if details is not None else None

    @property
    def is_in_details(self) -> bool:
        return self.opened is not None and not self._dock.has_focus

    def run_of(self, run_id: RunId | None) -> Run | None:
        return self._reader.desk.board.runs.get(run_id) if run_id is not None else None

    def allows(self, action: str) -> bool:
        """Only what can be done to the chosen run is offered."""
        run = self.run
        status = run.status if run else None
        match action:
            case "stop_run" | "wrap_up":
                return status == "running"
            case "show_error":
                return status in ("failed", "stopped")
            case "undock":
                is_docked = self.id in self._reader.desk.board.docked
                return is_docked and status not in (None, "running")
            case "stop_all":
                return bool(self._reader.desk.board.working)
            case "copy" | "copy_menu":
                return run is not None
            case _:
                return True

    def scopes(self) -> tuple[Scope, ...]:
        """The parts of the table of keys that work now, the nearest first."""
        if self._dock.has_focus:
            return ("dock", "main", "app")
        if self.opened is not None:
            return (self._details.scope, "details", "main", "app")
        return ("runs", "main", "app")
