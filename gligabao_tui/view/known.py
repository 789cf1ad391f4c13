"""What was read of the knowledge base for the details of a run, and when to read it again. Pure.

The provenance and the events are read apart: each only for the tab that shows it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.api import Provenance, RememberRun, Run, RunId, State, Temporal

REMEMBERING = "remembering"
WAITING = ("queued", "running")
NO_TEXTS: tuple[RememberRun, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """The provenance of a run; `queue` are the texts it gave, with what became of each."""

    run_id: RunId
    provenance: Provenance
    queue: tuple[RememberRun, ...] = NO_TEXTS
    with_agents: bool = False


@dataclass(frozen=True, slots=True)
class Dated:
    """What happened to the facts of a run, over time."""

    run_id: RunId
    temporal: Temporal = field(default_factory=lambda: Temporal(None))
    queue: tuple[RememberRun, ...] = NO_TEXTS
    with_agents: bool = False


def waiting(queue: Iterable[RememberRun]) -> int:
    """How many texts will still bring something."""
    return sum(text.status in WAITING for text in queue)


def stand(run: Run, states: Iterable[State]) -> tuple[object, ...]:
    """What must have changed for a read to bring anything new, while no text waits."""
    remembered = sum(
        state.state == REMEMBERING and state.finished_at is not None for state in states
    )
    return run.id, run.status, remembered
