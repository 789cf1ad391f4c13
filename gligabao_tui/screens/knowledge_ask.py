"""Asking the knowledge base: a question, a time that it is about, and what was answered so far.

The engine may take its time: that is said, and the person may give up and go on. The questions of
this sitting stay as long as the app; one after the other is asked, never two at once.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Input
from textual.worker import Worker

from engine.api import ArtifactInfo, GligabaoError, Problem, QueryRequest, UserError
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.knowledge_pane import BaseInput, Pane
from gligabao_tui.view.answers import (
    AS_OF_HINT,
    QUESTION_HINT,
    Asked,
    Row,
    emptied,
    nothing_asked,
    row_lines,
    row_text,
    rows_of,
)
from gligabao_tui.view.base_files import Export, answers_export
from gligabao_tui.view.text import Line, paragraph
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.fields import PlainInput, labelled
from gligabao_tui.widgets.plain import Drawn

FIELD_WORDS = {"question": "The question", "as_of": "As of", "dataset": "The dataset"}


class AskPane(Pane):
    def __init__(self, given: Given, history: list[Asked]) -> None:
        """`history` are the questions of this sitting, also those of screens before this one."""
        super().__init__(given, "ask")
        self._history = history
        self._timer: Timer | None = None
        self._question = BaseInput(placeholder=QUESTION_HINT, id="base-question")
        self._as_of = BaseInput(placeholder=AS_OF_HINT, id="base-as-of")
        self._told = Drawn(classes="base-told")
        self.rows: BlockList[Row] = BlockList(self._draw, id="base-ask-rows")
        self._note = Drawn(self._note_lines, classes="base-note")

    def compose(self) -> ComposeResult:
        yield Horizontal(
            labelled("Question", self._question, "base-question"),
            labelled("As of", self._as_of, "base-as-of"),
            id="base-asking",
        )
        yield self._told
        yield self.rows
        yield self._note

    def on_mount(self) -> None:
        self._tell("")
        self._timer = self.set_interval(1.0, self.tick, pause=True)
        self._show()

    def on_unmount(self) -> None:
        """Nobody waits for an answer any more."""
        if self.is_asking:
            self._history[-1] = replace(self._history[-1], state="left")

    @property
    def is_asking(self) -> bool:
        return bool(self._history) and self._history[-1].state == "asking"

    # What is told

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._ask()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._tell("")

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        """Gives up what is being asked; else goes to the answers."""
        event.stop()
        if self.is_asking:
            self.give_up()
        else:
            self.rows.focus()

    def on_block_list_moved(self, event: BlockList.Moved) -> None:
        event.stop()
        self.post_message(self.Moved())

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self.open()

    # What is asked for

    def come(self) -> None:
        """The questions stay, whatever the dataset: nothing is asked by itself."""

    def focus_rows(self) -> None:
        self.rows.focus()

    def focus_field(self) -> None:
        self._question.focus()

    def open(self) -> None:
        row = self.rows.current
        if row is None:
            return
        found = row.asked.answer
        if row.fact is not None and found is not None:
            among = [f"fact:{one.id}" for one in (*found.facts, *found.also)]
            self.post_message(self.Opens(f"fact:{row.fact.id}", among))
        elif row.kind == "question":
            self._put(replace(row.asked, is_open=not row.asked.is_open))

    def give_up(self) -> None:
        """Wait for the answer no longer."""
        if self.is_asking:
            self._put(replace(self._history[-1], state="left"))
            self.workers.cancel_group(self, "ask")

    def forgot(self) -> None:
        """A text of the dataset is gone, and with it what was answered from it."""
        self._history[:] = emptied(self._history, self.dataset.name)
        self._show()

    @property
    def can_open(self) -> bool:
        row = self.rows.current
        is_typing = self._question.has_focus or self._as_of.has_focus
        return row is not None and not is_typing and row.kind in ("question", "fact")

    @property
    def copied(self) -> tuple[str, str]:
        row = self.rows.current
        if row is None:
            return "", ""
        what = "the answer" if row.kind in ("question", "answer", "heading") else f"the {row.kind}"
        return row_text(row), what

    @property
    def text(self) -> ArtifactInfo | None:
        """That of the passage under the cursor."""
        row = self.rows.current
        if row is None or row.passage is None:
            return None
        passage = row.passage
        name = passage.source or f"text {passage.artifact_id}"
        return ArtifactInfo(
            passage.artifact_id, "text", name, passage.source, 0, "", row.asked.dataset
        )

    @property
    def has_rows(self) -> bool:
        return bool(self._history)

    async def exported(self) -> Export:
        return answers_export(self._history)

    # What is asked of the engine

    def _ask(self) -> None:
        question, as_of = self._question.value.strip(), self._as_of.value.strip()
        if not question:
            self._tell("Type a question first.")
            self._question.focus()
            return
        if self.is_asking:
            self._tell("One question at a time: esc gives up the one that is being asked.")
            return
        self._history[:] = [replace(asked, is_open=False) for asked in self._history]
        asked = Asked(len(self._history) + 1, question, as_of, self.dataset.name)
        self._history.append(asked)
        request = QueryRequest(self.dataset.user_id, question, self.dataset.name, as_of)
        self._show()
        self.rows.go_to(f"{asked.number}:question:0")
        ask = partial(self._answer, asked, request)
        _: Worker[None] = self.run_worker(ask, group="ask", exclusive=True)

    async def _answer(self, asked: Asked, request: QueryRequest) -> None:
        try:
            answer = await self.given.calls.knowledge.query(request)
        except UserError as error:
            self._ended(replace(asked, state="failed", fault=_problems_told(error.problems)))
        except GligabaoError as error:
            self._ended(replace(asked, state="failed", fault=f"It cannot be answered: {error}"))
        else:
            self._ended(replace(asked, state="answered", answer=answer))

    def _ended(self, asked: Asked) -> None:
        """The next question can be typed at once; the answer has the keys if the person likes."""
        if not self.is_there:
            return
        was = self._history[asked.number - 1]
        self._put(replace(asked, seconds=was.seconds, is_open=was.is_open))
        if asked.state == "answered":
            with self.prevent(Input.Changed):
                self._question.value = ""
            if self._question.has_focus or self._as_of.has_focus:
                self.rows.focus()

    # What is shown

    def tick(self) -> None:
        """A second more that one has waited."""
        if self.is_asking:
            asked = self._history[-1]
            self._put(replace(asked, seconds=asked.seconds + 1))

    def _put(self, asked: Asked) -> None:
        self._history[asked.number - 1] = asked
        self._show()

    def _show(self) -> None:
        self.rows.show(rows_of(self._history))
        self.rows.display = bool(self._history)
        self._note.display = not self._history
        self._note.show(self._note_lines)
        if self._timer is not None:
            (self._timer.resume if self.is_asking else self._timer.pause)()
        self.post_message(self.Moved())

    def _tell(self, told: str) -> None:
        self._told.display = bool(told)
        self._told.show(lambda width: paragraph(told, width - 2, "bad"))

    def _draw(self, item: Row, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        _ = is_open  # what is open is known of the question
        return row_lines(item, width - 1, self.given.glyphs)

    def _note_lines(self, width: int) -> tuple[Line, ...]:
        return nothing_asked(width, self.given.keymap.word("base.field"))


def _problems_told(problems: Sequence[Problem]) -> str:
    return "\n".join(
        f"{FIELD_WORDS.get(one.where, flat_where(one.where))}{' ' if one.where else ''}{one.what}"
        for one in problems
    )


def flat_where(where: str) -> str:
    return where.replace("_", " ")
