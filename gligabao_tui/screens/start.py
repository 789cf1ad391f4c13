"""The form that starts a research; every problem of it is shown under its field."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Input, TextArea
from textual.worker import Worker

from engine.api import GligabaoError, Problem, Run, StartRequest, UserError
from gligabao_tui.bridge import EngineCalls
from gligabao_tui.keys import Action, Scope
from gligabao_tui.resources import find_folder, folder_names
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.start_agent import AgentFields
from gligabao_tui.terminal.lending import edit_text
from gligabao_tui.terminal.programs import Edited
from gligabao_tui.view.folder_names import split_folder, suggestion_line, with_name
from gligabao_tui.view.start_form import (
    FIELDS,
    FRESH,
    WEB_CHOICES,
    Faults,
    FieldName,
    StartForm,
    counter_line,
    fault_of,
    faults_of,
    foot_line,
    form_of,
    key_fault,
    like,
    request_of,
)
from gligabao_tui.view.text import paragraph
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.fields import (
    Choice,
    FolderInput,
    TopicArea,
    fault_line,
    labelled,
    note_line,
)
from gligabao_tui.widgets.plain import Drawn, say

NEW = "New research"
DOCS_WANTED, AGAIN = "FOLDER or NAME=FOLDER; none: the web", "its folder again, if it had one"


@dataclass(frozen=True, slots=True)
class Around:
    """What the workspace knows beside the form: the last run, how many agents of this person
    work, and (for a run like another one) what the form is called."""

    last: Run | None = None
    working: int = 0
    title: str = NEW


NOTHING_AROUND = Around()


@dataclass(frozen=True, slots=True)
class Started:
    """What came of the form: a run, or a draft to be kept. `opens` is False when the form was
    left before the engine had answered."""

    run: Run | None = None
    draft: StartForm | None = None
    opens: bool = True


async def form_like(calls: EngineCalls, run: Run) -> StartForm:
    """The form that starts a run like this one, with its cap where it is known."""
    try:
        return form_of(run, (await calls.costs(run.id)).max_cost_usd)
    except GligabaoError:
        return form_of(run)


class StartDialog(Dialog[Started]):
    SCOPE: Scope = "start"
    PRIMARY = "submit"
    BUTTONS = ("submit", "cancel")
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(one, priority=True) for one in bindings("start")
    ]
    """Before the fields: they have other uses for some of these keys."""

    def __init__(
        self, given: Given, form: StartForm | None, around: Around = NOTHING_AROUND
    ) -> None:
        super().__init__(around.title)
        self._given = given
        self._around = around
        self._is_starting = self._is_leaving = False
        form = form or FRESH
        self._topic = TopicArea(form.topic, id="topic")
        self._fields = AgentFields(given, form)
        wanted = DOCS_WANTED if around.title == NEW else AGAIN
        self._docs = FolderInput(form.docs, placeholder=wanted, id="docs")
        self._web = Choice(WEB_CHOICES, form.web, glyphs=given.glyphs, id="web")
        self._foot = Drawn(id="start-foot")

    def content(self) -> Iterable[Widget]:
        yield VerticalScroll(
            self._topic,
            Drawn(id="topic-counter"),
            fault_line("topic"),
            self._fields,
            labelled("Documents", self._docs),
            note_line("folders"),
            fault_line("docs"),
            labelled("Search", self._web, "field-web"),
            fault_line("form"),
            id="start-fields",
            classes="fields",
            can_focus=False,
        )
        yield self._foot

    def key_of(self, action: Action) -> str:
        """Starting has two keys, since many terminals cannot send the first."""
        return " ".join(keymap_of(self.app).words(action.id))

    def on_mount(self) -> None:
        self._show(Faults(()))
        self._show_counter()
        self._show_foot()
        self.query_one(".field-web").display = bool(self._docs.value.strip())
        self._topic.focus()
        self._topic.move_cursor(self._topic.document.end)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._show_counter()
        self._clear_mended("topic")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        name = _field_name(event.input)
        if name == "docs":
            self.query_one(".field-web").display = bool(event.value.strip())
            # not a coroutine: Python complains of those that are cancelled before they begin
            suggest = partial(self._suggest, event.value)
            _: Worker[None] = self.run_worker(suggest, group="folders", exclusive=True)
        elif name is not None:
            self._clear_mended(name)
            self._fields.cap_typed()

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """A field that is left says what is wrong with it."""
        name = _field_name(event.widget)
        if name is not None and not self._is_starting:
            self._check_soon(name)

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        match event.target:
            case "edit":
                self.action_edit()
            case "like_last":
                self.run_worker(self.action_like_last())
            case name if name and event.drawn.id == "folders":
                self._docs.take(with_name(self._docs.value, name))
                self._docs.focus()

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        return self._around.last is not None if action == "like_last" else True

    def action_cancel(self) -> None:
        self._when_typed(self._leave)

    def _leave(self) -> None:
        """While the engine is asked, the first time waits for its answer: what it starts must not
        come back as a draft."""
        if self.is_open and self._is_starting and not self._is_leaving:
            self._is_leaving = True
            self._show_foot()
            return
        self.dismiss(Started(draft=self.form()))

    def action_submit(self) -> None:
        self._when_typed(self._begin)

    def _when_typed(self, then: Callable[[], None]) -> None:
        """After the letters that the field with the focus has still to take."""
        if self.focused is not None and self.focused.message_queue_size:
            self.focused.call_later(then)
        else:
            then()

    def _begin(self) -> None:
        if self.is_open and not self._is_starting:
            self._is_starting = True
            self._show_foot()
            self.run_worker(self._submit())

    def action_edit(self) -> None:
        """Lend the terminal to the person's editor."""
        folder = self._given.settings.data_dir
        self.take_edited(edit_text(self.app, self._topic.text, folder=folder, name="topic.md"))

    def take_edited(self, edited: Edited) -> None:
        """The topic as it came back from the editor."""
        if edited.problem:
            say(self.app, edited.problem, is_bad=True)
        if edited.text is not None:
            self._topic.load_text(edited.text)
            self._topic.move_cursor(self._topic.document.end)
        self._topic.focus()

    async def action_like_last(self) -> None:
        if self._around.last is not None:
            form = like(self.form(), await form_like(self._given.calls, self._around.last))
            self._fields.take(form)

    async def _suggest(self, typed: str) -> None:
        """In a thread: the folder may lie on a disk that takes its time."""
        folder = split_folder(typed)
        is_asked = bool(folder.parent or folder.start)
        found = (
            await asyncio.to_thread(folder_names, folder.parent, folder.start) if is_asked else ()
        )
        if not self.is_open:
            return
        self._docs.names = found
        note = self.query_one("#folders", Drawn)
        note.show(lambda width: (suggestion_line(found, width),))
        note.set_class(not found, "-empty")
        if found and self._docs.has_focus:
            note.scroll_visible(animate=False)
        self._clear_mended("docs")

    def _check_soon(self, name: FieldName) -> None:
        check = partial(self._check, name)
        _: Worker[None] = self.run_worker(check, group=f"check-{name}", exclusive=True)

    async def _check(self, name: FieldName) -> None:
        told = await asyncio.to_thread(fault_of, name, self.form(), find_folder=find_folder)
        if self.is_open:
            self._show_fault(name, told)

    async def _submit(self) -> None:
        asked = await asyncio.to_thread(
            request_of, self.form(), self._given.settings.user, find_folder=find_folder
        )
        try:
            if isinstance(asked, Faults):
                self._refuse(asked)
            elif faults := key_fault(self._given.settings, self._fields.model_needed()):
                self._refuse(faults)
            else:
                await self._start(asked)
        finally:
            self._is_starting = False
        if self.is_open:
            self._show_foot()

    async def _start(self, request: StartRequest) -> None:
        self._show(Faults(()))
        try:
            run = await self._given.calls.start(request)
        except UserError as error:
            self._refuse(faults_of(error.problems))
        except GligabaoError as error:
            self._refuse(faults_of([Problem("", str(error))]))
        else:
            self.dismiss(Started(run=run, opens=not self._is_leaving))

    def _refuse(self, faults: Faults) -> None:
        """Stay, also when somebody wanted to leave meanwhile: there is something to be read."""
        self._is_leaving = False
        self._show(faults)

    def form(self) -> StartForm:
        """What is typed so far."""
        docs = self._docs.value
        web = self._web.chosen if docs.strip() else ""
        return self._fields.values(StartForm(topic=self._topic.text, docs=docs, web=web))

    def _show_counter(self) -> None:
        topic = self._topic.text
        counter = self.query_one("#topic-counter", Drawn)
        key = self._given.keymap.word("start.edit")
        counter.show(lambda width: (counter_line(topic, width, editor_key=key),))

    def _show_foot(self) -> None:
        around = self._around
        doing = ""
        if self._is_starting:
            doing = "starting; esc once more leaves at once" if self._is_leaving else "starting"
        last_key = self._given.keymap.word("start.like_last") if around.last else ""
        self._foot.show(
            lambda width: (foot_line(around.working, width, doing=doing, last_key=last_key),)
        )

    def _show(self, faults: Faults) -> None:
        """Every problem under its field; the first field that has one gets the focus."""
        for name in FIELDS:
            self._show_fault(name, faults.of(name))
        self._show_fault("form", faults.of(""))
        faulty = [name for name in FIELDS if faults.of(name)]
        if faulty:
            self.query_one(f"#{faulty[0]}").focus()
            self.query_one(f"#fault-{faulty[0]}").scroll_visible(animate=False)

    def _clear_mended(self, name: FieldName) -> None:
        """While one types, what is mended is said no more; nothing new is said."""
        if self.query_one(f"#fault-{name}").display:
            self._check_soon(name)

    def _show_fault(self, name: str, told: str) -> None:
        fault = self.query_one(f"#fault-{name}", Drawn)
        fault.show(lambda width: paragraph(told, width, "bad"))
        fault.display = bool(told)


def _field_name(widget: Widget) -> FieldName | None:
    return next((name for name in FIELDS if name == widget.id), None)
