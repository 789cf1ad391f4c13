"""The form that gives the knowledge base a text by hand; every problem is shown under its field."""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Input, TextArea

from engine.api import (
    REMEMBER_MOST_CHARS,
    GligabaoError,
    Problem,
    RememberRequest,
    RememberRun,
    UserError,
    clean,
)
from gligabao_tui.keys import Action, Scope
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.screens.given import Given
from gligabao_tui.terminal.lending import edit_text
from gligabao_tui.terminal.programs import Edited
from gligabao_tui.view.text import Line, Span, line, paragraph, spread
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.fields import PlainInput, TopicArea, fault_line, labelled
from gligabao_tui.widgets.plain import Drawn, say

FIELDS = ("text", "source", "date", "dataset")
PLACEHOLDERS = {
    "text": "What is to be remembered, in whole sentences",
    "source": "where it is from: an address, a name",
    "date": "when it was written: 2024, 2024-03, 2024-03-15, 2024-Q1",
    "dataset": "main",
}


class RememberDialog(Dialog[RememberRun]):
    """Its outcome is the text on its way."""

    SCOPE: Scope = "remember"
    PRIMARY = "submit"
    BUTTONS = ("submit", "cancel")
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(one, priority=True) for one in bindings("remember")
    ]
    """Before the fields: they have other uses for some of these keys."""

    def __init__(self, given: Given, user: str, dataset: str) -> None:
        super().__init__("Remember a text")
        self._given = given
        self._user = user
        self._is_asking = False
        self._text = TopicArea(id="remember-text", placeholder=PLACEHOLDERS["text"])
        self._fields = {
            name: PlainInput(placeholder=PLACEHOLDERS[name], id=f"remember-{name}")
            for name in FIELDS[1:]
        }
        self._fields["dataset"].value = dataset

    def content(self) -> Iterable[Widget]:
        yield VerticalScroll(
            self._text,
            Drawn(id="remember-counter"),
            fault_line("text"),
            labelled("Source", self._fields["source"]),
            fault_line("source"),
            labelled("Date", self._fields["date"]),
            fault_line("date"),
            labelled("Dataset", self._fields["dataset"]),
            fault_line("dataset"),
            fault_line("form"),
            id="remember-fields",
            classes="fields",
            can_focus=False,
        )

    def key_of(self, action: Action) -> str:
        """Remembering has two keys, since many terminals cannot send the first."""
        return " ".join(keymap_of(self.app).words(action.id))

    def on_mount(self) -> None:
        self._show(())
        self._show_counter()
        self._text.focus()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._show_counter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target == "edit":
            self.action_edit()

    def action_cancel(self) -> None:
        """While the engine is asked there is nothing to take back: the text is stored at once."""
        if not self._is_asking:
            self.dismiss(None)

    def action_edit(self) -> None:
        """Lend the terminal to the person's editor."""
        folder = self._given.settings.data_dir
        self.take_edited(edit_text(self.app, self._text.text, folder=folder, name="remember.md"))

    def take_edited(self, edited: Edited) -> None:
        """The text as it came back from the editor."""
        if edited.problem:
            say(self.app, edited.problem, is_bad=True)
        if edited.text is not None:
            self._text.load_text(edited.text)
            self._text.move_cursor(self._text.document.end)
        self._text.focus()

    def action_submit(self) -> None:
        """After what the field with the focus has still to take."""
        if self.focused is not None and self.focused.message_queue_size:
            self.focused.call_later(self._begin)
        else:
            self._begin()

    def _begin(self) -> None:
        if self.is_open and not self._is_asking:
            self._is_asking = True
            self._show(())
            self._show_counter()
            self.run_worker(self._remember())

    async def _remember(self) -> None:
        try:
            run = await self._given.calls.knowledge.remember(self._request())
        except UserError as error:
            self._refuse(error.problems or (Problem("", str(error)),))
        except GligabaoError as error:
            self._refuse((Problem("", str(error)),))
        else:
            self.dismiss(run)

    def _refuse(self, problems: Iterable[Problem]) -> None:
        self._is_asking = False
        if self.is_open:
            self._show(tuple(problems))
            self._show_counter()

    def _request(self) -> RememberRequest:
        value = {name: field.value.strip() for name, field in self._fields.items()}
        return RememberRequest(
            self._user,
            self._text.text,
            source=value["source"],
            dataset=value["dataset"] or PLACEHOLDERS["dataset"],
            date=value["date"],
        )

    def _show(self, problems: tuple[Problem, ...]) -> None:
        """Every problem under its field; the first field that has one gets the focus."""
        told = {
            name: "\n".join(_told(one) for one in problems if one.where == name) for name in FIELDS
        }
        told["form"] = "\n".join(str(p) for p in problems if p.where not in FIELDS)
        for name, what in told.items():
            self._show_fault(name, what)
        faulty = [name for name in FIELDS if told[name]]
        if faulty:
            field = self._text if faulty[0] == "text" else self._fields[faulty[0]]
            field.focus()
            self.query_one(f"#fault-{faulty[0]}").scroll_visible(animate=False)

    def _show_fault(self, name: str, told: str) -> None:
        fault = self.query_one(f"#fault-{name}", Drawn)
        fault.show(lambda width: paragraph(told, width, "bad"))
        fault.display = bool(told)

    def _show_counter(self) -> None:
        self.query_one("#remember-counter", Drawn).show(lambda width: (self._counter(width),))

    def _counter(self, width: int) -> Line:
        """The way to the editor, and how much of the room is used."""
        if self._is_asking:
            return line(Span("storing it…", "warn"))
        used = len(clean(self._text.text).strip())
        key = self._given.keymap.word("remember.edit")
        editor = line(Span(f"{key} ", "key", "edit"), Span("editor", "muted", "edit"))
        told = f"{used:,} / {REMEMBER_MOST_CHARS:,}"
        return spread(
            editor, line(Span(told, "bad" if used > REMEMBER_MOST_CHARS else "muted")), width
        )


def _told(problem: Problem) -> str:
    """As a sentence, below the field that it is about."""
    return f"It {problem.what}." if problem.what.startswith("is ") else f"{problem.what}."
