"""The definitions: which agents there are, everything about the chosen one, and what is wrong with
their files.

Whatever it shows was asked of the engine; an engine that is slow or gone is said in words.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input
from textual.worker import Worker

from engine.api import AgentDetails, AgentInfo, AgentsRead, GligabaoError
from gligabao_tui.keys import Scope
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.layer import Layer
from gligabao_tui.screens.own_copy import OwnCopyDialog
from gligabao_tui.terminal.lending import edit_file
from gligabao_tui.view import agents as views
from gligabao_tui.view.agent_details import Desk, details_lines
from gligabao_tui.view.agent_problems import problem_lines, problems_text, problems_title
from gligabao_tui.view.agents import Row, agent_row, own_file, rows_of
from gligabao_tui.view.text import Line, Span, line, paragraph, spread
from gligabao_tui.widgets.agents import AgentRows, WordsInput
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.fields import PlainInput
from gligabao_tui.widgets.key_bar import KeyBar
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import Drawn, copy_text, say

STACKED_BELOW = 73
"""In fewer columns the list and the details take turns."""
STACKED, READING = "-stacked", "-reading"
ASKING, READING_FILES = "asking the engine", "reading all files"
NEEDS_AGENT = frozenset({"open", "start", "edit", "own_copy"})

NOTHING_READ = AgentsRead("")


@dataclass(frozen=True, slots=True)
class Known:
    """What the engine has told so far. `details` are by the name of the agent."""

    rows: tuple[Row, ...] = ()
    read: AgentsRead = NOTHING_READ
    details: tuple[AgentDetails, ...] = ()

    def of(self, name: str) -> AgentDetails | None:
        return next((one for one in self.details if one.info.name == name), None)


class AgentsScreen(Layer[str]):
    """Its outcome is the agent whose schedule is to be seen, if that is wanted."""

    AUTO_FOCUS = ""
    SCOPE: Scope = "agents"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("agents"),
        *(
            replace(one, action=f"app.{one.action}")
            for one in bindings("app")
            if one.action in ("handbook", "help")
        ),
    ]

    def __init__(self, given: Given, start: Callable[[AgentInfo], None], *, name: str = "") -> None:
        """`start` opens the form for an agent; the agent `name` is shown first."""
        super().__init__()
        self._given = given
        self._start = start
        self._wanted = name
        self._known = Known()
        self._shows_problems = False
        self._doing = ASKING
        self._fault = ""
        self._top = Drawn(self._top_line, id="agents-top")
        self._banner = Drawn(self._banner_lines, id="agents-banner")
        self._words = WordsInput(placeholder="words to filter by", id="agents-words")
        self._rows = AgentRows(self._draw_row, id="agents-rows")
        self._nothing = Drawn(lambda width: (views.none_found(width),), id="agents-nothing")
        self._note = Drawn(id="agents-note")
        self._text = LineView(id="agents-text")

    def compose(self) -> ComposeResult:
        yield self._top
        with Horizontal(id="agents-body"):
            with Vertical(id="agents-list"):
                yield self._banner
                yield self._words
                yield self._rows
                yield self._nothing
                yield self._note
            yield self._text
        yield KeyBar(id="keys", is_hinted=self._is_hinted)

    def on_mount(self) -> None:
        self._words.display = self._nothing.display = False
        self._rows.focus()
        self._show()
        self._ask(reload=False)

    def on_resize(self) -> None:
        self.set_class(self.size.width < STACKED_BELOW, STACKED)
        self._focus_what_is_seen()

    # What is told

    def on_block_list_moved(self, event: BlockList.Moved) -> None:
        event.stop()
        name = self._rows.current.key if self._rows.current else ""
        if name and name != self._wanted:
            self._wanted = name
            self._shows_problems = False
            self._show_agent()

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self._shows_problems = False
        self._show_agent()
        if self.has_class(STACKED):
            self.action_open()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_rows()
        self._show_agent()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._rows.focus()

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self._words.value = ""
        self._words.display = False
        self._rows.focus()

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.drawn is self._banner:
            self.action_problems()

    # What is asked for

    def action_open(self) -> None:
        """Go to the details, or to the problems where those are shown."""
        self.add_class(READING)
        self._text.focus()

    def action_back(self) -> None:
        """From the problems to the agents, from the details to the list, and from there away."""
        was_reading = self._text.has_focus
        self.remove_class(READING)
        self._rows.focus()
        if self._shows_problems and was_reading:
            self._shows_problems = False
            self._show_agent()
        elif not was_reading:
            self.dismiss(None)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_problems(self) -> None:
        self._shows_problems = True
        self._show_text()
        self._text.jump_to(0)
        self.action_open()

    def action_start(self) -> None:
        if (row := self._rows.current) is not None:
            self._start(row.info)

    def action_edit(self) -> None:
        """Lend the terminal to the person's editor; then the files are read again."""
        file = self._file_to_edit()
        if file is None:
            say(self.app, views.not_to_edit(self._rows.current), is_bad=True)
        elif problem := edit_file(self.app, file):
            say(self.app, problem, is_bad=True)
        else:
            self._ask(reload=True)

    def action_own_copy(self) -> None:
        """Under a new name, which is asked for; then it is in the list."""
        current, directory = self._rows.current, self._known.read.directory
        if current is None or not directory:
            say(self.app, views.NOWHERE_FOR_OWN, is_bad=True)
            return
        dialog = OwnCopyDialog(current.key, Path(directory))
        self.app.push_screen(dialog, self._was_copied)

    def _was_copied(self, name: str | None) -> None:
        if name is not None and self.is_open:
            with self.prevent(Input.Changed):  # the list that is there does not have it yet
                self._words.value = ""
            self._words.display = False
            self._wanted = name
            self._rows.focus()
            self._ask(reload=True)

    def action_reload(self) -> None:
        self._ask(reload=True)

    def action_filter(self) -> None:
        self.remove_class(READING)
        self._words.display = True
        self._words.focus()

    def action_copy(self) -> None:
        if self._shows_problems:
            text = problems_text(self._known.read.problems, self._known.read.warnings)
            copy_text(self.app, text, "the problems")
        elif (details := self._known.of(self._wanted)) is not None:
            copy_text(self.app, details.prompt, f"the prompt of {self._wanted}")

    def action_schedule(self) -> None:
        if (row := self._rows.current) is not None:
            self.dismiss(row.key)

    def action_next_agent(self) -> None:
        self._rows.action_move(1)

    def action_previous_agent(self) -> None:
        self._rows.action_move(-1)

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        current = self._rows.current
        match action:
            case "problems":
                return bool(self._known.read.problems or self._known.read.warnings)
            case "schedule":
                return current is not None and current.info.schedule is not None
            case "copy":
                return self._shows_problems or self._known.of(self._wanted) is not None
            case "open" if self._text.has_focus:
                return False
            case name if name in NEEDS_AGENT:
                return current is not None
            case _:
                return True

    # What is asked of the engine

    def _ask(self, *, reload: bool) -> None:
        """The list anew, after the files were read again if so."""
        self._doing = READING_FILES if reload else ASKING
        self._top.show(self._top_line)
        ask = partial(self._read_all, reload=reload)
        _: Worker[None] = self.run_worker(ask, group="agents", exclusive=True)

    async def _read_all(self, *, reload: bool) -> None:
        calls = self._given.calls
        try:
            read = await (calls.reload_agents() if reload else calls.agents_read())
            agents = await calls.agents()
        except GligabaoError as error:
            self._cannot(f"The agents cannot be told: {error}")
            return
        if not self.is_open:
            return
        self._doing = self._fault = ""
        self._known = Known(rows_of(agents, read.warnings), read)
        if reload:
            say(self.app, views.changes_told(read), is_bad=bool(read.problems))
        self._show()
        if read.problems:
            self.action_problems()

    async def _read_agent(self, name: str) -> None:
        try:
            details = await self._given.calls.agent(name)
        except GligabaoError as error:
            self._cannot(f"{name} cannot be told: {error}")
            return
        if self.is_open:
            self._known = replace(self._known, details=(*self._known.details, details))
            self._show_text()
            self.refresh_bindings()

    def _cannot(self, why: str) -> None:
        if self.is_open:
            self._doing, self._fault = "", why
            self._show_text()

    # What is shown

    def _show(self) -> None:
        self._top.show(self._top_line)
        self._banner.show(self._banner_lines)
        self._banner.display = bool(self._known.read.problems)
        self._show_rows()
        self._show_agent()

    def _show_rows(self) -> None:
        rows = views.found(self._known.rows, self._words.value)
        self._rows.show(rows)
        self._rows.go_to(self._wanted)
        if (current := self._rows.current) is not None:
            self._wanted = current.key
        self._nothing.display = bool(self._known.rows) and not rows
        self._top.show(self._top_line)
        has_own = views.has_own(self._known.rows) or not self._known.rows
        self._note.display = not has_own
        self._note.show(lambda width: views.where_own_go(self._known.read, width))
        self.refresh_bindings()

    def _show_agent(self) -> None:
        """Everything about the agent under the cursor, from its top."""
        self._fault = "" if self._known.rows else self._fault
        self._show_text()
        self._text.jump_to(0)
        self.refresh_bindings()
        if self._wanted and self._known.rows and self._known.of(self._wanted) is None:
            ask = partial(self._read_agent, self._wanted)
            _: Worker[None] = self.run_worker(ask, group="agent", exclusive=True)

    def _show_text(self) -> None:
        self._top.show(self._top_line)
        self._text.show(self._text_lines)

    def _text_lines(self, width: int) -> tuple[Line, ...]:
        width -= 1
        known, glyphs = self._known, self._given.glyphs
        if self._fault:
            return paragraph(self._fault, width, "bad")
        if self._shows_problems:
            return problem_lines(known.read.problems, known.read.warnings, width, glyphs=glyphs)
        if (details := known.of(self._wanted)) is not None:
            desk = Desk(self._given.now(), self._given.here, known.read.directory, glyphs)
            return details_lines(details, width, desk)
        return paragraph(f"{ASKING}…" if known.rows or self._doing else "", width, "quiet")

    def _top_line(self, width: int) -> tuple[Line, ...]:
        left = line(Span(" Agents ", "title"), Span(f" {self._counted()}", "muted"))
        return (spread(left, line(Span(f"{self._doing} ", "warn")), width),)

    def _counted(self) -> str:
        read = self._known.read
        if self._shows_problems:
            return problems_title(read.problems, read.warnings)
        return views.agents_title(self._known.rows, self._rows.items) if self._known.rows else ""

    def _banner_lines(self, width: int) -> tuple[Line, ...]:
        key = self._given.keymap.word("agents.problems")
        return views.banner(self._known.read.problems, width, key=key)

    def _draw_row(self, item: Row, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        _ = is_open  # an agent is opened beside the list
        return (agent_row(item, width, self._given.glyphs),)

    def _file_to_edit(self) -> Path | None:
        """Of the chosen agent; while the problems are shown, the first that is to be mended."""
        current, read = self._rows.current, self._known.read
        name = own_file(current.info) if current else ""
        if self._shows_problems:
            name = views.faulty_file(read.problems)
        return Path(read.directory) / name if name and read.directory else None

    def _is_hinted(self, action_id: str) -> bool:
        """Editing where there is something to edit, the own copy where there is not."""
        if action_id == "agents.edit":
            return self._file_to_edit() is not None
        return True

    def _focus_what_is_seen(self) -> None:
        """Where the list and the details take turns, the one that is hidden cannot have it."""
        if self.has_class(STACKED) and not self._words.has_focus:
            (self._text if self.has_class(READING) else self._rows).focus()
