"""The one table of actions: footer, help, command palette and the user's keymap come from it.

Without Textual, so that commands and views can name keys too.
"""

from dataclasses import dataclass
from typing import Literal

Scope = Literal[
    "app",
    "main",
    "runs",
    "search",
    "details",
    "states",
    "report",
    "dock",
    "start",
    "stop",
    "quit",
    "error",
    "help",
    "handbook",
]
SCOPE_TITLES: dict[Scope, str] = {
    "app": "Everywhere",
    "main": "Workspace",
    "runs": "Runs list",
    "search": "Words to filter by",
    "details": "Details of a run",
    "states": "States",
    "report": "Report",
    "dock": "Dock",
    "start": "New research",
    "stop": "Stop",
    "quit": "Quit",
    "error": "Error",
    "help": "Help",
    "handbook": "Handbook",
}


@dataclass(frozen=True, slots=True)
class Action:
    """`name` is the `action_` method, `keys` are separated by commas, `in_footer` is how early it
    is shown there (0: never)."""

    scope: Scope
    name: str
    keys: str
    label: str
    tells: str
    in_footer: int = 0

    @property
    def id(self) -> str:
        """What a keymap calls it."""
        return f"{self.scope}.{self.name}"


ACTIONS: tuple[Action, ...] = (
    Action("app", "help", "question_mark,f1", "Help", "Show the keys of what has the focus", 90),
    Action("app", "leave", "q,ctrl+q", "Quit", "Leave; asks only when work can be lost", 91),
    Action("app", "interrupt", "ctrl+c", "Copy", "Copy what is selected; else, twice, leave"),
    Action("app", "suspend_process", "ctrl+z", "Suspend", "Pause gligabao and its agents until fg"),
    Action("app", "command_palette", "ctrl+p", "Commands", "Find any action by its name", 92),
    Action("app", "change_theme", "T", "Theme", "Choose another set of colours"),
    Action("app", "reconnect", "ctrl+r", "Reconnect", "Open the engine again after it was lost", 5),
    Action("main", "new_run", "n", "New", "Start a research", 10),
    Action("main", "stop_run", "s", "Stop", "Stop the chosen agent, or let it wrap up", 20),
    Action("main", "wrap_up", "W", "Wrap up", "Let the chosen agent write its report now", 21),
    Action("main", "show_error", "e", "Error", "Why the chosen run failed or was stopped", 19),
    Action("main", "undock", "x", "Dismiss", "Take the chosen ended run from the dock", 30),
    Action("main", "undock_all", "X", "Dismiss ended", "Take all ended runs from the dock"),
    Action("main", "show_runs", "r", "Runs", "Go to the list of all runs"),
    Action("main", "next_agent", "J", "Next agent", "Details of the next run in the dock"),
    Action("main", "previous_agent", "K", "Previous agent", "Details of the run before it"),
    Action("main", "copy", "y", "Copy", "Copy the chosen topic, state or report", 40),
    Action("main", "next_tab", "right_square_bracket", "Next tab", "Next filter or tab"),
    Action(
        "main", "previous_tab", "left_square_bracket", "Previous tab", "Filter or tab before it"
    ),
    Action("runs", "open", "enter", "Open", "Details of the run under the cursor", 11),
    Action("runs", "search", "slash", "Filter", "Show the runs whose topic has these words", 31),
    Action("runs", "sort", "o", "Sort", "By start, cost, steps or status"),
    Action("search", "submit", "enter", "Keep the filter", "Go to the runs that are left", 1),
    Action("search", "leave", "escape", "Clear", "Show all runs again", 2),
    Action("details", "back", "escape", "Back", "Back to the list of runs", 12),
    Action("details", "show_states", "1", "States", "What the agent did, state by state"),
    Action("details", "show_report", "2", "Report", "The report, also while it is written"),
    Action("states", "expand", "enter,space", "Expand", "Open or close the state", 33),
    Action("states", "follow", "f", "Follow", "Keep the newest state in view", 32),
    Action("states", "next_failure", "exclamation_mark", "Next failure", "The next red state"),
    Action("states", "open_all", "E", "Expand all", "Open every state"),
    Action("states", "close_all", "C", "Collapse all", "Close every state"),
    Action("details", "write_report", "w", "Save report", "Write the report to a file here", 41),
    Action("dock", "choose", "enter", "Open", "Details of the chosen agent", 11),
    Action("start", "submit", "ctrl+enter,ctrl+j", "Start", "Start the research", 1),
    Action("start", "cancel", "escape", "Cancel", "Close; what you typed is kept", 2),
    Action("stop", "keep", "escape,q", "Keep working", "Do not stop", 1),
    Action("stop", "wrap_up", "w", "Wrap up", "The report is written from what it has", 2),
    Action("stop", "stop_now", "s", "Stop now", "End at once, without a report", 3),
    Action("quit", "stay", "escape,q", "Cancel", "Do not leave", 1),
    Action("quit", "stop_all", "S", "Stop all and quit", "Stop every agent, then leave", 2),
    Action("error", "close", "escape,q", "Close", "Back to where you were", 1),
    Action("error", "go_to_state", "g,enter", "Go to the state", "Open the state it failed in", 2),
    Action("error", "copy", "y", "Copy", "Copy the error as text", 3),
    Action("help", "handbook", "h", "Handbook", "Read how gligabao works", 2),
    Action("help", "close", "escape,q,question_mark,f1", "Close", "Back to where you were", 1),
    Action("handbook", "turn_back", "left,left_square_bracket", "Page before", "Go back", 2),
    Action("handbook", "turn_on", "right,right_square_bracket", "Next page", "Read on", 3),
    Action("handbook", "close", "escape,q", "Close", "Back to the keys", 1),
)

PALETTE_ONLY: tuple[Action, ...] = (
    Action("app", "slow_link", "", "Slow link", "Draw less often, or as often as can be again"),
)
"""Actions of the app without a key: wanted so rarely that the palette is enough."""


def actions_of(*scopes: Scope) -> tuple[Action, ...]:
    return tuple(action for scope in scopes for action in ACTIONS if action.scope == scope)


SHORT_KEYS = {
    "question_mark": "?",
    "slash": "/",
    "exclamation_mark": "!",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "escape": "esc",
    "ctrl+enter": "^enter",
}


def key_word(key: str) -> str:
    """`?`, `esc`, `^p`: a key as people write it."""
    if key in SHORT_KEYS:
        return SHORT_KEYS[key]
    return f"^{key[5:]}" if key.startswith("ctrl+") else key
