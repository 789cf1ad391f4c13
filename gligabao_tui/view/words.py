"""What statuses and states are called on the screen, and the tone that goes with each."""

from engine.api import Run, Status
from gligabao_tui.view.text import Tone

STATUS_WORDS: dict[Status, str] = {
    "running": "working",
    "completed": "done",
    "failed": "failed",
    "stopped": "stopped",
}
STATUS_TONES: dict[Status, Tone] = {
    "running": "good",
    "completed": "good",
    "failed": "bad",
    "stopped": "bad",
}
STATE_WORDS = {
    "using_tool": "using a tool",
    "writing_report": "writing",
    "completed": "done",
}


def state_word(state: str) -> str:
    return STATE_WORDS.get(state, state.replace("_", " "))


def doing(run: Run) -> str:
    """What a run is about: its state while it works, else how it ended."""
    return state_word(run.state) if run.status == "running" else STATUS_WORDS[run.status]


def is_healthy(status: Status) -> bool:
    """Working and done are green; failed and stopped are red."""
    return status in ("running", "completed")
