"""What was typed into the start form becomes a StartRequest, or every problem of it at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from engine.api import (
    DEFAULT_MAX_STEPS,
    MOST_STEPS,
    OFFLINE_MODEL,
    TOPIC_MOST_CHARS,
    DocsFolder,
    Problem,
    Settings,
    StartRequest,
    clean,
)

FieldName = Literal["topic", "model", "max_steps", "max_cost_usd", "docs"]
FIELDS: tuple[FieldName, ...] = get_args(FieldName)
NEARLY_FULL = 1900

FindFolder: TypeAlias = Callable[[str], str | None]
"""The absolute path of a folder that was typed; None when there is no such folder."""


@dataclass(frozen=True, slots=True)
class StartForm:
    """The fields as they were typed."""

    topic: str = ""
    model: str = ""
    max_steps: str = str(DEFAULT_MAX_STEPS)
    max_cost_usd: str = ""
    docs: str = ""


@dataclass(frozen=True, slots=True)
class Faults:
    """Problems by the field they are about; what fits no field is under the empty name."""

    problems: tuple[Problem, ...]

    def of(self, field: FieldName | Literal[""]) -> str:
        return " ".join(problem.what for problem in self.problems if _field(problem) == field)


def model_choices(settings: Settings) -> tuple[str, ...]:
    """What the form offers: the configured model, and the one that needs no key."""
    return (settings.model,) if settings.model == OFFLINE_MODEL else (settings.model, OFFLINE_MODEL)


def preselected(settings: Settings) -> str:
    return settings.model if settings.anthropic_api_key else OFFLINE_MODEL


def model_note(settings: Settings, model: str) -> str:
    """What the person should know about the chosen model."""
    if model != OFFLINE_MODEL:
        if settings.anthropic_api_key:
            return ""
        return "No API key is configured: set ANTHROPIC_API_KEY, or choose offline."
    why = "" if settings.anthropic_api_key else "No API key is configured, so offline is chosen. "
    return why + "It quotes what it reads; no language model writes the report."


def counter(topic: str) -> tuple[str, Literal["muted", "warn", "bad"]]:
    """How much of the topic's room is used, and whether that is fine."""
    used = len(topic.strip())
    told = f"{used:,} / {TOPIC_MOST_CHARS:,}"
    if used > TOPIC_MOST_CHARS:
        return f"{told}  {used - TOPIC_MOST_CHARS:,} too many", "bad"
    return told, "warn" if used >= NEARLY_FULL else "muted"


def request_of(form: StartForm, user: str, *, find_folder: FindFolder) -> StartRequest | Faults:
    """The request that the form asks for, or all that is wrong with it."""
    steps, cost = _steps(form.max_steps), _cost(form.max_cost_usd)
    docs = _docs(form.docs, find_folder)
    found = [fault for fault in (_topic_fault(form.topic), steps, cost, docs) if _is_fault(fault)]
    if (
        found
        or isinstance(steps, Problem)
        or isinstance(cost, Problem)
        or isinstance(docs, Problem)
    ):
        return Faults(tuple(fault for fault in found if isinstance(fault, Problem)))
    return StartRequest(
        topic=clean(form.topic).strip(),
        user=user,
        model=form.model,
        max_steps=steps,
        max_cost_usd=cost,
        docs=docs,
    )


def faults_of(problems: Sequence[Problem]) -> Faults:
    """What the engine found wrong with a request."""
    return Faults(tuple(problems))


def _is_fault(value: object) -> bool:
    return isinstance(value, Problem)


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
