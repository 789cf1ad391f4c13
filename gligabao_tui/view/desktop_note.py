"""What is told of runs to somebody who does not look at the screen, or has just left it."""

from collections.abc import Sequence
from dataclasses import replace

from engine.api import Event, Run, RunEnded, RunStarted, one_line
from gligabao_tui.view.words import STATUS_WORDS

TOPIC_CHARACTERS = 60


def ended_note(working: Sequence[Run], told: Sequence[Event]) -> str:
    """`gligabao: #7 done: How rivers ...`; of several, their numbers; empty when none ended.

    `working` are the runs that worked before `told` was told.
    """
    runs = {run.id: run for run in working}
    runs |= {event.run.id: event.run for event in told if isinstance(event, RunStarted)}
    ends = [event for event in told if isinstance(event, RunEnded) and event.run_id in runs]
    ended = [replace(runs[event.run_id], status=event.status) for event in ends]
    if len(ended) == 1:
        return f"gligabao: {_ended(ended[0])}: {one_line(ended[0].topic, TOPIC_CHARACTERS)}"
    return f"gligabao: {', '.join(map(_ended, ended))}" if ended else ""


def parting_note(working: int, owner: str) -> str:
    """One line for whoever left while agents go on in another process; `owner` is its number."""
    if not working:
        return ""
    agents = "1 agent keeps" if working == 1 else f"{working} agents keep"
    process = f", process {owner}" if owner.isdigit() else ""
    return f"{agents} working in the owner{process}"


def _ended(run: Run) -> str:
    return f"#{run.id} {STATUS_WORDS[run.status]}"
