"""When the tabs of what a run knows ask for it: looked at, and as it changes; never otherwise."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from textual.message import Message

from gligabao_tui.view.details import Details
from gligabao_tui.view.known import Dated, Known, stand, waiting

READ_EVERY_SECONDS = 2.0
"""While texts wait to be read."""
What: TypeAlias = Literal["known", "dated"]


class KnownWanted(Message):
    """What the run of the details brought into the knowledge base, or when, is to be read."""

    def __init__(self, what: What, *, with_agents: bool) -> None:
        super().__init__()
        self.what: What = what
        self.with_agents = with_agents


class SubjectWanted(Message):
    """A fact, an entity or a text is to be shown; `order` are those beside which it stands."""

    def __init__(self, target: str, order: Sequence[str] = ()) -> None:
        super().__init__()
        self.target = target
        self.order = tuple(order)


class Asking:
    """Knows what was asked for last."""

    def __init__(self, what: What) -> None:
        self._what: What = what
        self._asked: object = None
        self.with_agents: bool | None = None

    def begin(self) -> None:
        """Another run: with its sub-agents, if it has any."""
        self._asked, self.with_agents = None, None

    def includes(self, details: Details) -> bool:
        """Whether sub-agents are wanted, and there are any."""
        return details.children > 0 and self.with_agents is not False

    def turn(self, details: Details) -> None:
        self.with_agents = not self.includes(details)

    def wish(self, details: Details, *, again: bool = False) -> KnownWanted | None:
        """What to ask for now: what was read may be old, or was never read. `again`: also if
        nothing but a waiting text can have changed."""
        with_agents = self.includes(details)
        now = (*stand(details.run, (one.state for one in details.moments)), with_agents)
        read = self._read(details)
        if now == self._asked and not (again and read is not None and waiting(read.queue)):
            return None
        self._asked = now
        return KnownWanted(self._what, with_agents=with_agents)

    def _read(self, details: Details) -> Known | Dated | None:
        return details.known if self._what == "known" else details.dated
