"""What was typed into the start form becomes a StartRequest, or every problem of it at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from engine.api import (
    DEFAULT_MAX_STEPS,
    MOST_STEPS,
    MOST_WORKING_PER_USER,
    OFFLINE_MODEL,
    TOPIC_MOST_CHARS,
    AgentInfo,
    DocsFolder,
    Problem,
    Run,
    Settings,
    StartRequest,
    clean,
)
from gligabao_tui.view.agent_terms import Terms, cap_remark, model_used
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.text import Line, Span, Tone, crop, flat, line, spread

FieldName = Literal["topic", "agent", "model", "max_steps", "max_cost_usd", "docs"]
FIELDS: tuple[FieldName, ...] = get_args(FieldName)
NEARLY_FULL = 1900
ONLY_DOCS, WEB_TOO = "only the documents", "and the web"
WEB_CHOICES = (ONLY_DOCS, WEB_TOO)

FindFolder: TypeAlias = Callable[[str], str | None]
"""The absolute path of a folder that was typed; None when there is no such folder."""


@dataclass(frozen=True, slots=True)
class StartForm:
    """The fields as they were typed; `web` is one of the two choices, or empty for the first."""

    topic: str = ""
    model: str = ""
    max_steps: str = str(DEFAULT_MAX_STEPS)
    max_cost_usd: str = ""
    docs: str = ""
    agent: str = ""
    web: str = ""


@dataclass(frozen=True, slots=True)
class Faults:
    """Problems by the field they are about; what fits no field is under the empty name."""

    problems: tuple[Problem, ...]

    def of(self, field: FieldName | Literal[""]) -> str:
        return " ".join(problem.what for problem in self.problems if _field(problem) == field)


FRESH = StartForm()
"""What an empty form begins with."""


def form_of(run: Run, cap_usd: float = 0.0) -> StartForm:
    """The form that starts a run like this one; a cap of 0 is none.

    What it was given to read is not known any more, so that the field for documents is empty.
    """
    return StartForm(
        topic=run.topic,
        model=run.model,
        max_steps=str(run.max_steps),
        max_cost_usd=cap_typed(cap_usd),
        agent=run.agent_name,
    )


def like(form: StartForm, last: StartForm) -> StartForm:
    """With the settings of the last run and the topic that is typed already."""
    return replace(
        form,
        model=last.model,
        max_steps=last.max_steps,
        max_cost_usd=last.max_cost_usd,
        agent=last.agent,
    )


def is_changed(left: StartForm | None, began: StartForm | None) -> bool:
    """Whether a form that was left holds more than it began with. That of the only agent there is
    does not name it."""
    if left is None or began is None:
        return left is not None
    return replace(left, agent=left.agent or began.agent) != began


def cap_typed(usd: float) -> str:
    return f"{usd:g}" if usd else ""


def model_choices(
    settings: Settings, agent: AgentInfo | None = None, *, also: str = ""
) -> tuple[str, ...]:
    """What the form offers: the model that is used when none is chosen, the configured one, the
    one that needs no key, and another one that a run was started with."""
    names = (model_used(agent, settings), settings.model, OFFLINE_MODEL, also)
    return tuple(dict.fromkeys(name for name in names if name))


def agent_note(agents: Sequence[AgentInfo], chosen: str) -> str:
    """What the chosen agent does, in its own words."""
    told = next((flat(agent.description) for agent in agents if agent.name == chosen), "")
    return f"the only agent there is: {told}" if len(agents) == 1 and told else told


def no_agent_note(name: str) -> str:
    """Where the agent of a draft or of an earlier run is not there any more."""
    return f'There is no agent "{flat(name)}" any more: choose another.'


def slots_note(working: int) -> str:
    """`2 working, 1 slot free`: a person may have three agents working at once."""
    free = max(0, MOST_WORKING_PER_USER - working)
    if not free:
        return f"{working} working, no slot free: wait for one to end, or stop one"
    return f"{working} working, {count_of(free, 'slot', 'slots')} free"


def model_note(settings: Settings, model: str, agent: AgentInfo | None = None) -> str:
    """What the person should know about the chosen model."""
    if model != OFFLINE_MODEL:
        if not settings.anthropic_api_key:
            return "No API key is configured: set ANTHROPIC_API_KEY, or choose offline."
        is_own = agent is not None and agent.model == model
        return "The agent's own; another one here is used instead of it." if is_own else ""
    why = "" if settings.anthropic_api_key else "No API key is configured, so offline is chosen. "
    return why + "It quotes what it reads; no language model writes the report."


def key_fault(settings: Settings, model: str) -> Faults | None:
    """What is wrong with a model that needs a key where there is none."""
    if settings.anthropic_api_key or model == OFFLINE_MODEL:
        return None
    what = "It needs an API key: set ANTHROPIC_API_KEY and start gligabao again, or choose offline."
    return Faults((Problem("model", what),))


def counter(topic: str) -> tuple[str, Literal["muted", "warn", "bad"]]:
    """How much of the topic's room is used, and whether that is fine."""
    used = len(clean(topic).strip())
    told = f"{used:,} / {TOPIC_MOST_CHARS:,}"
    if used > TOPIC_MOST_CHARS:
        return f"{told}  {used - TOPIC_MOST_CHARS:,} too many", "bad"
    return told, "warn" if used >= NEARLY_FULL else "muted"


def counter_line(topic: str, width: int, *, editor_key: str) -> Line:
    """Below the topic: the way to the editor, and the counter."""
    told, tone = counter(topic)
    editor = line(Span(f"{editor_key} ", "key", "edit"), Span("editor", "muted", "edit"))
    return spread(editor, line(Span(told, tone)), width)


def foot_line(working: int, width: int, *, doing: str, last_key: str) -> Line:
    """Above the buttons: what is going on, else how many agents may still be started, and
    the key (if there is a last run) that takes its settings over."""
    is_full = working >= MOST_WORKING_PER_USER
    tone: Tone = "warn" if doing or is_full else "muted"
    left = line(Span(doing or slots_note(working), tone))
    if not last_key or doing:
        return crop(left, width)
    key = Span(f"{last_key} ", "key", "like_last")
    last = (key, Span("like the last run", "muted", "like_last"))
    return spread(left, last, width)


def request_of(form: StartForm, user: str, *, find_folder: FindFolder) -> StartRequest | Faults:
    """The request that the form asks for, or all that is wrong with it. `find_folder` reads the
    disk: whoever calls this decides in which thread."""
    steps, cost = _steps(form.max_steps), _cost(form.max_cost_usd)
    docs = _docs(form.docs, find_folder)
    topic = _topic_fault(form.topic)
    if (
        topic
        or isinstance(steps, Problem)
        or isinstance(cost, Problem)
        or isinstance(docs, Problem)
    ):
        found = (topic, steps, cost, docs)
        return Faults(tuple(fault for fault in found if isinstance(fault, Problem)))
    return StartRequest(
        topic=clean(form.topic).strip(),
        user=user,
        model=form.model,
        max_steps=steps,
        max_cost_usd=cost,
        agent=form.agent,
        docs=docs,
        web=bool(docs) and form.web == WEB_TOO,
    )


def fault_of(name: FieldName, form: StartForm, *, find_folder: FindFolder) -> str:
    """What is wrong with one field when it is left. An empty topic is not wrong yet."""
    found: object = None
    match name:
        case "topic" if form.topic.strip():
            found = _topic_fault(form.topic)
        case "max_steps":
            found = _steps(form.max_steps)
        case "max_cost_usd":
            found = _cost(form.max_cost_usd)
        case "docs":
            found = _docs(form.docs, find_folder)
        case _:
            pass
    return found.what if isinstance(found, Problem) else ""


def faults_of(problems: Sequence[Problem]) -> Faults:
    """What the engine found wrong with a request."""
    return Faults(tuple(problems))


def _topic_fault(topic: str) -> Problem | None:
    length = len(clean(topic).strip())
    if not length:
        return Problem("topic", "Say what to research: a question, or a subject to report on.")
    if length > TOPIC_MOST_CHARS:
        over = length - TOPIC_MOST_CHARS
        return Problem(
            "topic", f"{over:,} characters too many: shorten it, nothing is cut for you."
        )
    return None


def _steps(typed: str) -> int | Problem:
    told = typed.strip()
    if told.isascii() and told.isdigit() and 1 <= int(told) <= MOST_STEPS:
        return int(told)
    return Problem("max_steps", f"A whole number from 1 to {MOST_STEPS}.")


def _cost(typed: str) -> float | Problem | None:
    told = typed.strip().removeprefix("$")
    if not told:
        return None
    try:
        usd = float(told)
    except ValueError:
        usd = 0.0
    if 0 < usd < float("inf"):
        return usd
    return Problem("max_cost_usd", "An amount in dollars above 0, or nothing for no cap.")


def cap_note(typed: str, terms: Terms) -> str:
    """What the person should know about a cap that is typed; nothing while it is none."""
    cost = _cost(typed)
    return "" if isinstance(cost, Problem) else cap_remark(cost, terms)


def _docs(typed: str, find_folder: FindFolder) -> tuple[DocsFolder, ...] | Problem:
    told = typed.strip()
    if not told:
        return ()
    name, equals, folder = told.partition("=")
    path = find_folder((folder if equals else told).strip())
    if path is None:
        return Problem("docs", "There is no such folder: give NAME=FOLDER, or a folder.")
    named = name.strip() if equals else path.rstrip("/").rpartition("/")[2]
    if not named or "/" in named:
        return Problem("docs", "The name before = may not be empty or contain a slash.")
    return (DocsFolder(named, path),)


def _field(problem: Problem) -> FieldName | Literal[""]:
    """The field whose name begins what the problem is about (`docs[0]` is about `docs`)."""
    return next((name for name in FIELDS if problem.where.startswith(name)), "")
