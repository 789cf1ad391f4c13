"""The form that starts a research; every problem of it is shown at once, under its field."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import TextArea

from engine.api import GligabaoError, Problem, Run, StartRequest, UserError
from gligabao_tui.keys import Action, Scope, key_word
from gligabao_tui.resources import find_folder
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.screens.given import Given
from gligabao_tui.view.start_form import (
    FIELDS,
    Faults,
    FieldName,
    StartForm,
    counter,
    faults_of,
    model_choices,
    model_note,
    preselected,
    request_of,
)
from gligabao_tui.view.text import Span, line, paragraph, spread
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.fields import Choice, PlainInput, TopicArea
from gligabao_tui.widgets.plain import Drawn


@dataclass(frozen=True, slots=True)
class Started:
    """What came of the form: a run, or a draft to be kept."""

    run: Run | None = None
    draft: StartForm | None = None


class StartDialog(Dialog[Started]):
    SCOPE: Scope = "start"
    PRIMARY = "submit"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("start"))

    def __init__(self, given: Given, draft: StartForm | None) -> None:
        super().__init__("New research")
        self._given = given
        form = draft or _fresh(given)
        chosen = form.model or preselected(given.settings)
        self._topic = TopicArea(form.topic, id="topic")
        self._counter = Drawn(id="topic-counter")
        choices = model_choices(given.settings)
        self._model = Choice(choices, chosen, glyphs=given.glyphs, id="model")
        self._steps = PlainInput(form.max_steps, id="max_steps")
        self._cost = PlainInput(form.max_cost_usd, placeholder="no cap", id="max_cost_usd")
        self._docs = PlainInput(form.docs, placeholder="NAME=FOLDER, or nothing", id="docs")
        self._is_starting = False

    def content(self) -> Iterable[Widget]:
        yield VerticalScroll(
            self._topic,
            self._counter,
            Drawn(id="fault-topic", classes="fault"),
            _row("Model", self._model, "field-model"),
            Drawn(id="model-note", classes="note"),
            Drawn(id="fault-model", classes="fault"),
            Horizontal(
                _row("Steps", self._steps),
                _row("Cost cap $", self._cost),
                classes="field-pair",
            ),
            Drawn(id="fault-max_steps", classes="fault"),
            Drawn(id="fault-max_cost_usd", classes="fault"),
            _row("Documents", self._docs),
            Drawn(id="fault-docs", classes="fault"),
            Drawn(id="fault-form", classes="fault"),
            id="start-fields",
            can_focus=False,
        )

    def key_of(self, action: Action) -> str:
        """Starting has two keys, since many terminals cannot send the first."""
        return " ".join(key_word(key) for key in action.keys.split(","))

    def on_mount(self) -> None:
        self._show_counter()
        self._show_note()
        self._show(Faults(()))
        self._topic.focus()
        self._topic.move_cursor(self._topic.document.end)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._show_counter()

    def on_choice_changed(self, event: Choice.Changed) -> None:
        event.stop()
        self._show_note()

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self.action_cancel()

    def action_cancel(self) -> None:
        self.dismiss(Started(draft=self._form()))

    def action_submit(self) -> None:
        asked = request_of(self._form(), self._given.settings.user, find_folder=find_folder)
        if isinstance(asked, Faults):
            self._show(asked)
        elif not self._is_starting:
            self._is_starting = True
            self._show(Faults(()))
            self.run_worker(self._start(asked))

    async def _start(self, request: StartRequest) -> None:
        try:
            run = await self._given.calls.start(request)
        except UserError as error:
            self._show(faults_of(error.problems))
        except GligabaoError as error:
            self._show(faults_of([Problem("", str(error))]))
        else:
            self.dismiss(Started(run=run))
        finally:
            self._is_starting = False

    def _form(self) -> StartForm:
        return StartForm(
            topic=self._topic.text,
            model=self._model.chosen,
            max_steps=self._steps.value,
            max_cost_usd=self._cost.value,
            docs=self._docs.value,
        )

    def _show_counter(self) -> None:
        told, tone = counter(self._topic.text)
        self._counter.show(lambda width: (spread((), line(Span(told, tone)), width),))

    def _show_note(self) -> None:
        told = model_note(self._given.settings, self._model.chosen)
        note = self.query_one("#model-note", Drawn)
        note.show(lambda width: paragraph(told, width, "muted"))

    def _show(self, faults: Faults) -> None:
        """Every problem under its field; the first field that has one gets the focus."""
        for name in FIELDS:
            self._show_fault(f"#fault-{name}", faults.of(name))
        self._show_fault("#fault-form", faults.of(""))
        faulty = [name for name in FIELDS if faults.of(name)]
        if faulty:
            self._focus(faulty[0])

    def _show_fault(self, where: str, told: str) -> None:
        fault = self.query_one(where, Drawn)
        fault.show(lambda width: paragraph(told, width, "bad"))
        fault.display = bool(told) or where == "#fault-topic"

    def _focus(self, name: FieldName) -> None:
        self.query_one(f"#{name}").focus()


def _row(label: str, field: Widget, more: str = "") -> Horizontal:
    named = Drawn(lambda _: (line(Span(label, "muted")),), classes="field-label")
    return Horizontal(named, field, classes=f"field {more}".strip())


def _fresh(given: Given) -> StartForm:
    cap = given.settings.research_max_cost_usd
    return StartForm(max_cost_usd=f"{cap:g}" if cap else "")
