"""Reads the definitions again when their files have changed, as long as it runs.

    wait ──> have files changed, and stood still since the last look? ──> read ──> tell the log

It never reads what somebody is in the middle of writing, and one fault is told once.
"""

from engine.domain.clock import Clock
from engine.manager.agents import Agents


async def reread_on_change(agents: Agents, clock: Clock, *, every: float) -> None:
    """Goes on until it is cancelled. `every`: seconds between two looks."""
    while True:
        await clock.sleep(every)
        await agents.reload_settled()
