"""What the frame of the details asks of each of its tabs."""

from datetime import datetime
from typing import Protocol

from gligabao_tui.keys import Scope
from gligabao_tui.view.bookmarks import Bookmark
from gligabao_tui.view.details import Details


class Page(Protocol):
    """A widget that shows one side of a run. Its `id` is the name of its tab."""

    SCOPE: Scope
    """Its part of the table of keys."""

    def begin(self, details: Details) -> None:
        """Another run is shown from now on: from the start, or from its end while it works."""
        ...

    def mark(self, bookmark: Bookmark) -> Bookmark:
        """The place of the whole, with where the person is in here."""
        ...

    def go_back(self, bookmark: Bookmark) -> None:
        """To where the person was in here; called after `show`."""
        ...

    def show(self, details: Details, now: datetime) -> None:
        """The run as it is now. Called often; draw only what changed."""
        ...

    def tick(self, now: datetime) -> None:
        """Time has passed and nothing else."""
        ...

    def focus_page(self) -> None:
        """Give the focus to whatever takes the keys here."""
        ...

    def copied_text(self) -> str:
        """What copying takes from here, as plain text; empty when there is nothing."""
        ...
