"""The part of the start form that depends on the agent: which one, its model, steps and cap.

A field that nobody changed shows what the agent's file or the configuration says, and asks the
engine for nothing of its own.
"""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from engine.api import AgentInfo, GligabaoError
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.view.agent_terms import cap_hint, model_used, preselected, terms_line, terms_of
from gligabao_tui.view.palette import agent_entry
from gligabao_tui.view.start_form import (
    FRESH,
    StartForm,
    agent_note,
    cap_note,
    model_choices,
    model_note,
    no_agent_note,
)
from gligabao_tui.view.text import Tone, paragraph
from gligabao_tui.widgets.agent_choice import AgentChoice
from gligabao_tui.widgets.fields import Choice, PlainInput, fault_line, labelled, note_line
from gligabao_tui.widgets.plain import Drawn

READING_AGENTS = "asking which agents there are"
WHICH, NONE_FOUND = "Which agent?", "No agent has these words"
USUAL = "default"


class AgentFields(Vertical):
    """`form` is what it begins with; a fresh one takes the agent's defaults over."""

    def __init__(self, given: Given, form: StartForm) -> None:
        super().__init__(classes="fields")
        settings = given.settings
        self._given = given
        self._agents: tuple[AgentInfo, ...] = ()
        self._wanted = form.agent
        self._shown: AgentInfo | None = None
        self._is_fresh = form == FRESH
        self._model_follows = not form.model
        self._offered = form.model or preselected(None, settings)
        self._agent = AgentChoice([form.agent or USUAL], "", glyphs=given.glyphs, id="agent")
        self._agent.can_focus = False
        self._model = Choice(
            model_choices(settings, also=form.model),
            self._offered,
            glyphs=given.glyphs,
            id="model",
        )
        self._steps = PlainInput(form.max_steps, id="max_steps")
        self._cost = PlainInput(form.max_cost_usd, placeholder=self._hint, id="max_cost_usd")

    def compose(self) -> ComposeResult:
        yield labelled("Agent", self._agent)
        yield note_line("agent-note")
        yield note_line("agent-terms")
        yield fault_line("agent")
        yield labelled("Model", self._model)
        yield note_line("model-note")
        yield fault_line("model")
        yield Horizontal(
            labelled("Steps", self._steps),
            labelled("Cost cap $", self._cost),
            classes="field-pair",
        )
        yield note_line("cap-note")
        yield fault_line("max_steps")
        yield fault_line("max_cost_usd")

    def on_mount(self) -> None:
        self._show_model_note()
        self._show_cap_note()
        self._note("#agent-note", READING_AGENTS)
        self.run_worker(self._read())

    def values(self, form: StartForm) -> StartForm:
        """The form with what these fields say."""
        return StartForm(
            topic=form.topic,
            docs=form.docs,
            web=form.web,
            model=self._model_asked,
            max_steps=self._steps.value,
            max_cost_usd=self._cost.value,
            agent=self._agent_asked,
        )

    def take(self, form: StartForm) -> None:
        """What a form like an earlier run says."""
        self._steps.value, self._cost.value = form.max_steps, form.max_cost_usd
        self._wanted, self._shown, self._is_fresh = form.agent, None, False
        self._offer_models(form.model)
        if self._agents:
            self._offer_agents()

    def model_needed(self) -> str:
        """The model that the run would use."""
        return self._model.chosen

    # What is told

    def on_choice_changed(self, event: Choice.Changed) -> None:
        event.stop()
        if event.choice is self._agent:
            self._agent_chosen()
        else:
            self._model_chosen()

    def on_agent_choice_list_wanted(self, event: AgentChoice.ListWanted) -> None:
        event.stop()

        def chosen(name: str | None) -> None:
            if name is not None:
                self._agent.choose(name)

        entries = [agent_entry(agent) for agent in self._agents]
        self.app.push_screen(PaletteDialog(entries, WHICH, nothing=NONE_FOUND), chosen)

    def cap_typed(self) -> None:
        """What is in the cap's field has changed."""
        self._show_cap_note()

    # What is asked for

    @property
    def _agent_asked(self) -> str:
        """Nobody names the only agent there is."""
        if not self._agents:
            return self._wanted
        return self._agent.chosen if len(self._agents) > 1 else ""

    @property
    def _model_asked(self) -> str:
        """Empty where it is the one that is used anyway: what the file says then, counts."""
        usual = model_used(self._shown, self._given.settings)
        return "" if self._model_follows and self._model.chosen == usual else self._model.chosen

    async def _read(self) -> None:
        """Meanwhile the form can be filled in."""
        try:
            self._agents = await self._given.calls.agents()
        except GligabaoError as error:
            self._note("#agent-note", f"The agents cannot be told: {error}")
            return
        if self._is_there:
            self._offer_agents()

    @property
    def _is_there(self) -> bool:
        """After a wait the form may have been left."""
        return self.is_attached and self.screen in self.app.screen_stack

    def _offer_agents(self) -> None:
        names = [agent.name for agent in self._agents] or [self._agent.chosen]
        self._agent.can_focus = len(names) > 1
        self._agent.offer(names, self._wanted or names[0])

    def _agent_chosen(self) -> None:
        """Its defaults go where those of the agent before it still stand."""
        before = self._shown
        found = next((one for one in self._agents if one.name == self._agent.chosen), None)
        if found is None or found is before:
            return
        self._shown = found
        untouched = str(before.max_steps) if before else FRESH.max_steps
        if self._steps.value == untouched and (before is not None or self._is_fresh):
            self._steps.value = str(found.max_steps)
        self._offer_models("" if self._model_follows else self._model.chosen)
        self._cost.placeholder = self._hint
        self._show_agent_notes(found)
        self._show_cap_note()

    def _offer_models(self, chosen: str) -> None:
        """Empty: the one that is used when none is chosen."""
        settings = self._given.settings
        self._model_follows = not chosen
        self._offered = chosen or preselected(self._shown, settings)
        choices = model_choices(settings, self._shown, also=self._offered)
        self._model.offer(choices, self._offered)

    def _model_chosen(self) -> None:
        """By a person, unless it is what was offered: a model that an earlier run was started with
        is named again, whatever is usual by now."""
        if self._model.chosen != self._offered:
            self._offered = ""
            usual = preselected(self._shown, self._given.settings)
            self._model_follows = self._model.chosen == usual
        self._show_model_note()

    # What is shown

    @property
    def _hint(self) -> str:
        return cap_hint(terms_of(self._shown, self._given.settings))

    def _show_agent_notes(self, agent: AgentInfo) -> None:
        is_gone = self._wanted not in ("", *(one.name for one in self._agents))
        told = no_agent_note(self._wanted) if is_gone else agent_note(self._agents, agent.name)
        self._note("#agent-note", told, "warn" if is_gone else "muted")
        self._note("#agent-terms", terms_line(agent, self._given.settings), "quiet")
        self._wanted = agent.name

    def _show_model_note(self) -> None:
        note = model_note(self._given.settings, self._model.chosen, self._shown)
        self._note("#model-note", note)

    def _show_cap_note(self) -> None:
        terms = terms_of(self._shown, self._given.settings)
        self._note("#cap-note", cap_note(self._cost.value, terms))

    def _note(self, where: str, told: str, tone: Tone = "muted") -> None:
        if not self._is_there:  # an answer that came too late
            return
        note = self.query_one(where, Drawn)
        note.show(lambda width: paragraph(told, width, tone))
        note.set_class(not told, "-empty")
