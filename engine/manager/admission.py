"""Whether a run may start, and with what: every problem of a request at once. Pure."""

import re
from collections import Counter
from dataclasses import dataclass

from engine.definitions.catalog import Catalog
from engine.domain.definition import Definition
from engine.domain.errors import Problem, UserError
from engine.domain.run import (
    MOST_STEPS,
    MOST_WORKING_PER_USER,
    RECORDED_PREFIX,
    TOPIC_MOST_CHARS,
    StartRequest,
)
from engine.domain.text_safety import one_line
from engine.settings import OFFLINE_MODEL

TOO_MANY_WORKING = f"you already have {MOST_WORKING_PER_USER} agents working: wait for one to end"
NEEDS_KEY = (
    "research needs an Anthropic API key: set ANTHROPIC_API_KEY or anthropic_api_key in "
    "gligabao.toml, or choose --model offline, which needs none and quotes instead of writing"
)
_RECORDED = re.compile(rf"{RECORDED_PREFIX}(\d{{1,40}})", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


@dataclass(frozen=True, slots=True)
class Terms:
    """What the configuration says about starting."""

    default_model: str
    has_key: bool
    max_cost_usd: float = 0.0


def problems(request: StartRequest) -> list[Problem]:
    """Everything that is wrong with a request by itself (the texts are the seeds')."""
    return [
        *_topic(request),
        *_steps(request),
        *_cost(request),
        *_names(request),
        *_docs(request),
    ]


def problems_of_choice(request: StartRequest, catalog: Catalog) -> list[Problem]:
    """What is wrong with the agent that a request names, and with its dataset for that agent."""
    try:
        definition = catalog.get(request.agent, request.agent_version)
    except UserError as error:
        return list(error.problems)
    rules = definition.knowledge
    if rules.dataset_locked and request.dataset not in ("", rules.dataset):
        text = f'the agent "{definition.name}" works in the dataset "{rules.dataset}" only'
        return [Problem("dataset", text)]
    return []


def model_of(request: StartRequest, definition: Definition, terms: Terms) -> str:
    """The request's, else the definition's, else the configured one."""
    return request.model or definition.model or terms.default_model


def lacks_key(model: str, terms: Terms) -> bool:
    """Whether `model` needs a key that is not there."""
    needs_none = model == OFFLINE_MODEL or model.startswith(RECORDED_PREFIX)
    return not needs_none and not terms.has_key


def recorded_run(model: str) -> int | None:
    """The id in `recorded:ID`; None when the model is no recording or names no run."""
    found = _RECORDED.fullmatch(model)
    return int(found[1]) if found else None


def _topic(request: StartRequest) -> list[Problem]:
    if not request.topic.strip() and not request.model.startswith(RECORDED_PREFIX):
        return [Problem("topic", "topic is required")]
    if len(request.topic) > TOPIC_MOST_CHARS:
        what = f"{len(request.topic)} characters are too many ({TOPIC_MOST_CHARS} at most)"
        return [Problem("topic", what)]
    return []


def _steps(request: StartRequest) -> list[Problem]:
    if request.max_steps is None or 1 <= request.max_steps <= MOST_STEPS:
        return []
    return [Problem("max_steps", f"{request.max_steps} must be between 1 and {MOST_STEPS}")]


def _cost(request: StartRequest) -> list[Problem]:
    cap = request.max_cost_usd
    if cap is None or 0 <= cap < float("inf"):
        return []
    return [Problem("max_cost_usd", f"{cap} must be 0 (no cap) or a positive amount in USD")]


def _names(request: StartRequest) -> list[Problem]:
    found = [
        Problem(where, "must be a name of 1 to 200 characters on one line")
        for where, name in (("user_id", request.user), ("model", request.model))
        if name != one_line(name)
    ]
    if not request.user:
        found.append(Problem("user_id", "user_id is required"))
    if request.dataset and not _NAME.fullmatch(request.dataset):
        found.append(Problem("dataset", f'"{request.dataset}" is not a dataset name'))
    if request.model.startswith(RECORDED_PREFIX) and recorded_run(request.model) is None:
        what = f'"{request.model}" names no run: write recorded: and the number of a stored run'
        found.append(Problem("model", what))
    return found


def _docs(request: StartRequest) -> list[Problem]:
    times = Counter(folder.name for folder in request.docs)
    twice = [Problem("docs", f'"{name}" is given twice') for name, n in times.items() if n > 1]
    bad = [
        Problem("docs", f'"{name}" is not a name: use letters, digits, ".", "-" and "_"')
        for name in times
        if not _NAME.fullmatch(name)
    ]
    return twice + bad
