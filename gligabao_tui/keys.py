"""The one table of actions: footer, help, command palette and the user's keymap come from it.

Without Textual, so that commands and views can name keys too. How keys are written is in
`key_names.py`, what a person changed of them in `keymap.py`.
"""

from dataclasses import dataclass

from gligabao_tui.scopes import EVERYWHERE as EVERYWHERE
from gligabao_tui.scopes import IN_FIELDS as IN_FIELDS
from gligabao_tui.scopes import SCOPE_TELLS as SCOPE_TELLS
from gligabao_tui.scopes import SCOPE_TITLES as SCOPE_TITLES
from gligabao_tui.scopes import WIDER as WIDER
from gligabao_tui.scopes import Scope as Scope


@dataclass(frozen=True, slots=True)
class Action:
    """`name` is the `action_` method unless `does` is (`move(1)`), `keys` are separated by commas
    (none: only the palette offers it), `in_footer` is how early it is shown there (0: never)."""

    scope: Scope
    name: str
    keys: str
    label: str
    tells: str
    in_footer: int = 0
    does: str = ""

    @property
    def default_keys(self) -> tuple[str, ...]:
        return tuple(self.keys.split(",")) if self.keys else ()

    @property
    def call(self) -> str:
        """What a binding runs."""
        return self.does or self.name

    @property
    def id(self) -> str:
        """What a keymap calls it."""
        return f"{self.scope}.{self.name}"


ACTIONS: tuple[Action, ...] = (
    Action("app", "help", "question_mark", "Help", "Show the keys of what has the focus", 90),
    Action("app", "handbook", "f1", "Handbook", "Read how gligabao works, at the page about this"),
    Action("app", "doctor", "f2", "Doctor", "See what is set up, and what to do about what is not"),
    Action("app", "agents", "f3,a", "Agents", "All agents, and everything about each"),
    Action("app", "schedules", "f4", "Schedules", "See which agents run by themselves, and when"),
    Action("app", "knowledge_base", "B", "Knowledge", "Ask what is known; facts, entities, texts"),
    Action("app", "leave", "q,ctrl+q", "Quit", "Leave; asks only when work can be lost", 91),
    Action("app", "interrupt", "ctrl+c", "Copy", "Copy what is selected; else, twice, leave"),
    Action("app", "suspend_process", "ctrl+z", "Suspend", "Pause gligabao and its agents until fg"),
    Action("app", "command_palette", "ctrl+p,colon", "Commands", "Find any action by its name", 92),
    Action("app", "jump", "ctrl+o", "Jump", "A letter on all that can be opened; type it"),
    Action("app", "change_theme", "T", "Theme", "Choose another set of colours"),
    Action("app", "reconnect", "ctrl+r", "Reconnect", "Open the engine again after it was lost", 5),
    Action("app", "slow_link", "", "Slow link", "Draw less often, or as often as can be again"),
    Action("main", "new_run", "n", "New", "Start a research", 10),
    Action("main", "stop_run", "s", "Stop", "Stop the chosen agent, or let it wrap up", 20),
    Action("main", "stop_all", "S", "Stop all", "Stop every agent that works; asks first"),
    Action("main", "wrap_up", "W", "Wrap up", "Let the chosen agent write its report now", 21),
    Action("main", "show_error", "e", "Error", "Why the chosen run failed or was stopped", 19),
    Action("main", "undock", "x", "Dismiss", "Take the chosen ended run from the dock", 30),
    Action("main", "undock_all", "X", "Dismiss ended", "Take all ended runs from the dock"),
    Action("main", "show_runs", "r", "Runs", "Go to the list of all runs"),
    Action("main", "next_agent", "J", "Next agent", "Details of the next run in the dock"),
    Action("main", "previous_agent", "K", "Previous agent", "Details of the run before it"),
    Action("main", "copy", "y", "Copy", "Copy the chosen topic, state or report", 40),
    Action("main", "copy_menu", "Y", "Copy as", "Copy in another form, or to a file"),
    Action("main", "zoom", "z", "Zoom", "The list or the details alone, or everything again"),
    Action("main", "pause", "p", "Pause", "Let the screen stand still; agents go on"),
    Action("main", "next_tab", "right_square_bracket", "Next tab", "Next filter or tab"),
    Action(
        "main", "previous_tab", "left_square_bracket", "Previous tab", "Filter or tab before it"
    ),
    Action("main", "demo", "D", "Demo", "Research this handbook: needs no key and no network", 13),
    Action("runs", "open", "enter,l", "Open", "Details of the run under the cursor", 11),
    Action(
        "runs", "search", "slash", "Filter", "By words, status: since: cost:> model: agent:", 31
    ),
    Action("runs", "sort", "o", "Sort", "By start, cost, steps or status"),
    Action("search", "submit", "enter", "Keep the filter", "Go to the runs that are left", 1),
    Action("search", "leave", "escape", "Clear", "Show all runs again", 2),
    Action("details", "back", "escape,h", "Back", "Back to the list of runs", 12),
    Action("details", "show_states", "1", "States", "What the agent did, state by state"),
    Action("details", "show_report", "2", "Report", "The report, also while it is written"),
    Action(
        "details", "show_knowledge", "4", "Knowledge", "What it brought into the knowledge base"
    ),
    Action("details", "show_time", "5", "Time", "What happened to its facts, and when"),
    Action("details", "show_cost", "7", "Cost", "What it costs, by state, model and step"),
    Action("states", "expand", "enter,space", "Expand", "Open or close the state", 33),
    Action("states", "follow", "f", "Follow", "Keep the newest state in view", 32),
    Action("states", "next_failure", "exclamation_mark", "Next failure", "The next red state"),
    Action("states", "open_all", "E", "Expand all", "Open every state"),
    Action("states", "close_all", "C", "Collapse all", "Close every state"),
    Action("report", "follow_link", "enter", "Open", "Open the marked link", 11),
    Action("report", "next_link", "greater_than_sign", "Link", "Mark the next link", 34),
    Action("report", "previous_link", "less_than_sign", "Link before", "Mark the link before"),
    Action("report", "outline", "o", "Outline", "Show or hide the headings", 35),
    Action("report", "follow", "f", "Follow", "Keep what is written in view", 32),
    Action("knowledge", "open", "enter,l", "Open", "The passage and history of the fact", 11),
    Action("knowledge", "fold", "space", "Fold", "Close or open the section", 36),
    Action("knowledge", "filter", "slash", "Filter", "By words of facts, entities and texts", 31),
    Action("knowledge", "order", "o", "Order", "Facts by entity, or as they were found", 34),
    Action(
        "knowledge", "with_agents", "b", "Sub-agents", "With those of its sub-agents, or not", 35
    ),
    Action("knowledge", "next_section", "greater_than_sign", "Section", "The next section"),
    Action("knowledge", "previous_section", "less_than_sign", "Section before", "The one before"),
    Action("knowledge_words", "submit", "enter", "Keep the filter", "Go to what is left", 1),
    Action("knowledge_words", "leave", "escape", "Clear", "Show everything again", 2),
    Action("time", "open", "enter,l", "Open", "The passage and history of the fact", 11),
    Action("time", "later", "right", "Later", "The next event", does="step(1)"),
    Action("time", "earlier", "left", "Earlier", "The event before", does="step(-1)"),
    Action("time", "zoom_in", "plus,equals_sign", "Zoom in", "Less time, around the event", 31),
    Action("time", "zoom_out", "minus", "Zoom out", "More time, around the event", 32),
    Action("time", "fit", "0", "Fit", "All of the time there is", 33),
    Action("time", "created", "c", "Created", "Show or hide created facts", does="kind('created')"),
    Action(
        *("time", "confirmed", "f", "Confirmed", "Show or hide what was found again"),
        does="kind('confirmed')",
    ),
    Action("time", "ended", "d", "Ended", "Show or hide ended facts", does="kind('ended')"),
    Action(
        *("time", "invalidated", "i", "Invalidated", "Show or hide what was never true"),
        does="kind('invalidated')",
    ),
    Action(
        *("time", "superseded", "u", "Superseded", "Show or hide what gave way to another"),
        does="kind('superseded')",
    ),
    Action("time", "with_agents", "b", "Sub-agents", "With those of its sub-agents, or not", 35),
    Action("outline", "choose", "enter", "Go there", "Read from this heading", 11),
    Action("outline", "leave", "escape", "Text", "Back to the text", 12),
    Action("details", "page_report", "v", "Pager", "Read the report in $PAGER", 42),
    Action(
        "details",
        "write_report",
        "w",
        "Save",
        "Write what the tab shows to files here; else the report",
        41,
    ),
    Action("moves", "down", "down,j", "Down", "Down by one", does="move(1)"),
    Action("moves", "up", "up,k", "Up", "Up by one", does="move(-1)"),
    Action("moves", "half_down", "ctrl+d", "Half down", "Down by half a page", does="move_half(1)"),
    Action("moves", "half_up", "ctrl+u", "Half up", "Up by half a page", does="move_half(-1)"),
    Action("moves", "page_down", "pagedown,ctrl+f", "Page", "Down by a page", does="move_page(1)"),
    Action("moves", "page_up", "pageup", "Page up", "Up by a page", does="move_page(-1)"),
    Action("moves", "start", "home,g", "Top", "To the top", does="move_to_start"),
    Action("moves", "end", "end,G", "Bottom", "To the bottom", does="move_to_end"),
    Action("dock", "right", "right,l", "Right", "The next block", does="move(1)"),
    Action("dock", "left", "left,h", "Left", "The block before", does="move(-1)"),
    Action("dock", "choose", "enter", "Open", "Details of the chosen agent", 11),
    Action("start", "submit", "ctrl+enter,ctrl+j", "Start", "Start the research", 1),
    Action("start", "cancel", "escape", "Cancel", "Close; what you typed is kept", 2),
    Action("start", "edit", "ctrl+e", "Editor", "Write the topic in $VISUAL or $EDITOR"),
    Action("start", "like_last", "ctrl+l", "Like the last", "Model, steps and cap of the last run"),
    Action("stop", "keep", "escape,q", "Keep working", "Do not stop", 1),
    Action("stop", "wrap_up", "w", "Wrap up", "The report is written from what it has", 2),
    Action("stop", "stop_now", "s", "Stop now", "End at once, without a report", 3),
    Action("stop_all", "keep", "escape,q", "Keep working", "Stop nothing", 1),
    Action("stop_all", "wrap_up", "w", "Wrap up", "Each writes its report from what it has", 2),
    Action("stop_all", "stop_now", "s,S", "Stop all", "End all at once, without reports", 3),
    Action("quit", "stay", "escape,q", "Cancel", "Do not leave", 1),
    Action("quit", "stop_all", "S", "Stop all and quit", "Stop every agent, then leave", 2),
    Action("error", "close", "escape,q", "Close", "Back to where you were", 1),
    Action("error", "go_to_state", "g,enter", "Go to the state", "Open the state it failed in", 2),
    Action("error", "copy", "y", "Copy", "Copy the error as text", 3),
    Action("error", "again", "r", "Start again", "The form, with this topic and settings", 4),
    Action("help", "handbook", "h,f1", "Handbook", "Read how gligabao works", 2),
    Action("help", "close", "escape,q,question_mark", "Close", "Back to where you were", 1),
    Action("handbook", "close", "escape,q,f1", "Close", "Back to where you were", 1),
    Action("handbook", "contents", "c", "Contents", "All pages and their headings", 2),
    Action("handbook", "search", "slash", "Search", "Find words in all pages", 3),
    Action("handbook", "turn_back", "left_square_bracket,left", "Before", "The page before", 4),
    Action("handbook", "turn_on", "right_square_bracket,right", "Next", "The next page", 5),
    Action("handbook", "previous_link", "less_than_sign,shift+tab", "Link before", "Back a link"),
    Action("handbook", "next_link", "greater_than_sign,tab", "Next link", "On to the next link"),
    Action("handbook", "follow", "enter", "Open the link", "Go to where the marked link leads"),
    Action("handbook", "return", "backspace,b", "Return", "Back to where the link was"),
    Action("copy_menu", "text", "t,y", "Text", "As plain text"),
    Action("copy_menu", "markdown", "m", "Markdown", "As Markdown"),
    Action("copy_menu", "json", "j", "JSON", "The run with all its states, as JSON"),
    Action("copy_menu", "id", "i", "Number", "The number of the run"),
    Action("copy_menu", "file", "w", "Text file", "As plain text, to a file here"),
    Action("copy_menu", "json_file", "J", "JSON file", "The run as JSON, to a file here"),
    Action("copy_menu", "close", "escape,q,Y", "Close", "Copy nothing", 1),
    Action("jump", "leave", "escape", "Leave", "Stay where you are", 1),
    Action("palette", "choose", "enter", "Do it", "What the cursor is on", 1),
    Action("palette", "close", "escape,ctrl+p", "Close", "Back to where you were", 2),
    Action("palette", "down", "down,ctrl+n", "Down", "Down by one", does="move(1)"),
    Action("palette", "up", "up", "Up", "Up by one", does="move(-1)"),
    Action("palette", "page_down", "pagedown", "Page", "Down by a page", does="move_page(1)"),
    Action("palette", "page_up", "pageup", "Page up", "Up by a page", does="move_page(-1)"),
    Action("found", "submit", "enter", "Find", "List where these words are", 1),
    Action("found", "leave", "escape", "Back", "Back to the page", 2),
    Action("passage", "close", "escape,q", "Close", "Back to the report", 1),
    Action("passage", "next_quote", "n", "Next", "The next quotation of this source", 2),
    Action("passage", "previous_quote", "p", "Before", "The quotation before it", 3),
    Action("passage", "turn_back", "left,left_square_bracket", "Source", "The source before", 4),
    Action("passage", "turn_on", "right,right_square_bracket", "Next source", "The next source", 5),
    Action("passage", "copy", "y", "Copy", "Copy the marked quotation", 6),
    Action("passage", "copy_address", "o", "Address", "Copy the address of the source", 7),
    Action("fact", "close", "escape,q", "Close", "Back to where you were", 1),
    Action("fact", "turn_back", "left,left_square_bracket", "Before", "What stands before it", 2),
    Action("fact", "turn_on", "right,right_square_bracket", "Next", "What stands after it", 3),
    Action("fact", "next_link", "greater_than_sign,tab", "Next link", "Mark the next link", 4),
    Action("fact", "previous_link", "less_than_sign,shift+tab", "Link before", "Back a link"),
    Action("fact", "follow", "enter", "Open", "Go to where the marked link leads", 5),
    Action("fact", "return", "backspace,b", "Return", "Back to where the link was", 6),
    Action("fact", "copy", "y", "Copy", "Copy all of it as text", 7),
    Action("fact", "forget", "f", "Forget", "Take back a text that it rests on; asks first", 8),
    Action("base", "open", "enter,l", "Open", "The page of the fact, the entity or the text", 1),
    Action("base", "close", "escape,q,B", "Close", "Give up the question; else leave", 2),
    Action("base", "field", "slash", "Ask, filter", "Type a question, a filter or a name", 3),
    Action("base", "next_view", "right_square_bracket", "Next", "The next view", 4),
    Action("base", "previous_view", "left_square_bracket", "Before", "The view before"),
    Action("base", "show_ask", "1", "Ask", "Ask a question", does="show('ask')"),
    Action("base", "show_facts", "2", "Facts", "All facts", does="show('facts')"),
    Action("base", "show_entities", "3", "Entities", "All entities", does="show('entities')"),
    Action("base", "show_queue", "4", "Queue", "All remembered texts", does="show('queue')"),
    Action("base", "retry", "R", "Try again", "Read the chosen text again", 5),
    Action("base", "retry_failed", "A", "All failed", "Read all failed texts again; asks first", 6),
    Action("base", "remember", "n", "Remember", "Give it a text to remember", 7),
    Action("base", "forget", "f", "Forget", "Take the chosen text back; asks first", 8),
    Action("base", "choose_dataset", "d", "Dataset", "Choose another dataset by its name", 9),
    Action("base", "next_dataset", "right", "Next dataset", "The next dataset", does="turn(1)"),
    Action("base", "previous_dataset", "left", "Dataset before", "The one before", does="turn(-1)"),
    Action("base", "copy", "y", "Copy", "Copy what is chosen as text", 10),
    Action("base", "export", "w", "Export", "Write what is shown to files here: JSON, CSV", 11),
    Action("base", "again", "r", "Read again", "Ask the engine for all of it again", 12),
    Action("base_words", "submit", "enter", "Go", "Ask, or go to what is left", 1),
    Action("base_words", "leave", "escape", "Back", "To the rows; a filter is taken back", 2),
    Action("remember", "submit", "ctrl+enter,ctrl+j", "Remember", "Keep the text and read it", 1),
    Action("remember", "cancel", "escape", "Cancel", "Close; nothing is kept", 2),
    Action("remember", "edit", "ctrl+e", "Editor", "Write the text in $VISUAL or $EDITOR"),
    Action("forget", "keep", "escape,q", "Keep it", "Forget nothing", 1),
    Action("forget", "forget", "F", "Forget", "Take it back, with all that only it supports", 2),
    Action("retry_failed", "keep", "escape,q", "Not now", "Leave them as they are", 1),
    Action("retry_failed", "retry", "R", "Try again", "Read every failed text again", 2),
    Action("link", "close", "escape,q", "Close", "Back to the report", 1),
    Action("link", "copy", "y", "Copy", "Copy the address", 2),
    Action("link", "open", "o", "Open", "Open the address in a browser", 3),
    Action("doctor", "close", "escape,q,f2", "Close", "Back to where you were", 1),
    Action("doctor", "again", "r", "Check again", "Look at everything anew", 2),
    Action("doctor", "copy", "y", "Copy", "Copy all of it as text", 3),
    Action("agents", "open", "enter,l", "Details", "Everything about this agent", 1),
    Action("agents", "back", "escape", "Back", "To the list, then to where you were", 2),
    Action("agents", "close", "q,f3", "Close", "Back to where you were"),
    Action("agents", "start", "n", "Start", "Start a research with this agent", 3),
    Action("agents", "edit", "e", "Edit", "Open its file in $VISUAL or $EDITOR", 4),
    Action("agents", "own_copy", "c", "Own copy", "Make a definition of your own from this one", 5),
    Action("agents", "problems", "exclamation_mark", "Problems", "What is wrong in the files", 6),
    Action("agents", "reload", "r", "Reload", "Read all files again", 7),
    Action("agents", "filter", "slash", "Filter", "By words of name and description", 8),
    Action("agents", "schedule", "s", "Schedule", "See when this agent runs by itself", 9),
    Action("agents", "copy", "y", "Copy prompt", "Copy the prompt, or the problems", 10),
    Action("agents", "next_agent", "J", "Next agent", "Everything about the next one"),
    Action("agents", "previous_agent", "K", "Agent before", "Everything about the one before"),
    Action(
        "agent_words", "submit", "enter", "Keep the filter", "Go to the agents that are left", 1
    ),
    Action("agent_words", "leave", "escape", "Clear", "Show all agents again", 2),
    Action("own_copy", "make", "enter", "Copy", "Write the file", 1),
    Action("own_copy", "cancel", "escape", "Cancel", "Write nothing", 2),
    Action("faults", "leave", "escape,q", "Quit", "Leave; nothing was started", 1),
    Action(
        "faults", "again", "r", "Try again", "Read all files again, and go on if they are sound", 2
    ),
    Action("faults", "edit", "e", "Edit", "Open the first of the files in $VISUAL or $EDITOR", 3),
    Action("faults", "copy", "y", "Copy", "Copy all of it as text", 4),
    Action("schedules", "close", "escape,q,f4", "Close", "Back to where you were", 1),
    Action("schedules", "open", "enter,l", "Open the run", "Details of the latest run", 2),
    Action("schedules", "pause", "p", "Pause", "Pause the schedule here, or let it go on", 3),
    Action("schedules", "run_now", "R", "Run now", "Start its run now, also while it is paused", 4),
    Action("schedules", "agent", "a", "Agent", "See everything about this agent", 5),
    Action("schedules", "again", "r", "Read again", "Ask the engine for the schedules again", 6),
    Action("run_now", "keep", "escape,q", "Not now", "Start nothing", 1),
    Action("run_now", "run_now", "R", "Run now", "Start the research; it costs money", 2),
)


def actions_of(*scopes: Scope) -> tuple[Action, ...]:
    return tuple(action for scope in scopes for action in ACTIONS if action.scope == scope)
