"""The JSON shapes of everything that passes between processes and surfaces, both ways.

One shape for the socket, the command line, REST and MCP. What they have in common with every
other value, writing and reading, is in `engine.domain.json_values`. Pure.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from engine.domain.answers import (
    AgentDetails,
    AgentInfo,
    AgentsRead,
    Check,
    ScheduleInfo,
    SourceText,
)
from engine.domain.costs import RunCosts
from engine.domain.errors import (
    CannotStart,
    EngineUnreachable,
    GligabaoError,
    NotFound,
    Problem,
    ProviderError,
    Refused,
    StoreError,
    UserError,
    problems_of,
)
from engine.domain.events import Event, event_id
from engine.domain.json_values import Document, names_of, object_of, plain, read_part
from engine.domain.json_values import read as read
from engine.domain.json_values import written as written
from engine.domain.run import (
    RECORDED_PREFIX,
    Run,
    RunCounts,
    RunDetails,
    RunFilter,
    RunPage,
    StartRequest,
    State,
)
from engine.domain.sources import CitedSource

MOST_LISTED = 500
_A_TIME = "2026-11-01T10:00:00.000Z"

RUN_FIELDS = (
    *("id", "user_id", "parent_id", "name", "reason", "topic", "status", "state", "model"),
    *("max_steps", "steps", "tool_calls", "input_tokens", "output_tokens", "cost_usd", "report"),
    *("error", "agent_name", "agent_version", "agent_hash", "phase", "stop_reason", "created_at"),
    "finished_at",
)
"""The fields of a run in the order that programs know them; what came later stands after."""

LATER_FIELDS = {
    "investigate": "the investigative loop",
    "runner": "other runners",
}
_SINCE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d(:\d\d(:\d\d(\.\d{1,3})?)?)?Z?)?", re.ASCII)


def run_document(run: Run) -> Document:
    """A run as JSON (the seed's): all fields always there, ids as numbers, times as stored."""
    rest = written(run)
    return {name: rest.pop(name) for name in RUN_FIELDS} | rest


def run_from(document: object) -> Run:
    return read(Run, document)


def details_document(details: RunDetails) -> Document:
    """The run with `states` (without their run's id) and `citations`."""
    return {
        **run_document(details.run),
        "states": [state_document(state) for state in details.states],
        "citations": [written(citation) for citation in details.citations],
    }


def details_from(document: object) -> RunDetails:
    given = object_of(document)
    rest = {name: given.pop(name, []) for name in ("states", "citations")}
    run = run_from(given)
    states = [{"run_id": run.id, **object_of(state)} for state in rest["states"]]
    return read(RunDetails, {"run": written(run), **rest, "states": states})


def state_document(state: State) -> Document:
    rest = written(state)
    rest.pop("run_id")
    return rest


def page_document(page: RunPage) -> Document:
    """`{"runs": [...], "next_cursor": ""}`; the runs without states and without their reports."""
    return {"runs": [run_document(run) for run in page.runs], "next_cursor": page.next_cursor}


def page_from(document: object) -> RunPage:
    return read(RunPage, document)


def counts_document(counts: RunCounts) -> Document:
    """`{"counts": {"running": 1, ...}, "cost_usd": ..., "cost_today_usd": ...}`."""
    rest = written(counts)
    return {"counts": rest.pop("by_status"), **rest}


def counts_from(document: object) -> RunCounts:
    given = object_of(document)
    return read(RunCounts, {"by_status": given.pop("counts", {}), **given})


def start_document(request: StartRequest) -> Document:
    """The body of `POST /v1/gb/research`; `user_id` is the request's user."""
    rest = written(request)
    return {"user_id": rest.pop("user"), **rest}


def start_from(document: object) -> StartRequest:
    """The request in an untrusted body. Raises UserError with every problem of its shape.

    What the values may be (a topic's length, the number of steps) is judged where it is started.
    """
    given = object_of(document)
    found = [_later(name) for name in LATER_FIELDS if given.pop(name, None)]
    found += [Problem("", f"{name} is required") for name in _left_out(given)]
    if "user_id" in given:
        given["user"] = given.pop("user_id")
    request: StartRequest = read_part(
        StartRequest, {"user": "", "topic": "", **given}, "", problems=found
    )
    problems_of(found)
    return request


def filter_document(which: RunFilter) -> Document:
    return written(which)


def filter_from(document: object) -> RunFilter:
    """The filter in an untrusted query. Raises UserError with every problem."""
    found: list[Problem] = []
    which: RunFilter = read_part(RunFilter, object_of(document), "", problems=found)
    if not found and not 1 <= which.limit <= MOST_LISTED:
        found.append(Problem("limit", f"{which.limit} must be between 1 and {MOST_LISTED}"))
    if not found and which.active and which.status is not None:
        found.append(Problem("active", "cannot be given together with status"))
    if not found and which.since and not _SINCE.fullmatch(which.since):
        found.append(Problem("since", f"{which.since!r} must be like 2026-11-01 or {_A_TIME}"))
    problems_of(found)
    return which


def event_document(event: Event) -> Document:
    """`{"event": "state_entered", "id": "7:3", ...}`; deltas and resyncs have no id."""
    stored = event_id(event)
    head = {"event": _snake(type(event).__name__)} | ({"id": stored} if stored else {})
    return head | {name: _event_part(getattr(event, name)) for name in names_of(type(event))}


def event_from(document: object) -> Event:
    given = object_of(document)
    given.pop("id", None)
    kind = _EVENTS.get(str(given.pop("event", "")))
    if kind is None:
        raise UserError(Problem("event", "is not an event of this version"))
    event: Event = read(kind, given)
    return event


def source_document(source: SourceText) -> Document:
    """`{source, url, media_type, title, text, chars, truncated, error, refused}`."""
    return written(source)


def costs_document(costs: RunCosts) -> Document:
    """`{run_id, charges: [{step, state, model, ...}], max_cost_usd, unpriced}`."""
    return written(costs)


def cited_source_document(source: CitedSource) -> Document:
    """`{run_id, n, url, title, ..., passages: [{ord, quote, verdict, before, quoted, after}]}`."""
    return written(source)


def check_document(check: Check) -> Document:
    return written(check)


def agent_document(agent: AgentInfo) -> Document:
    return written(agent)


def agent_details_document(agent: AgentDetails) -> Document:
    """`{info: {...}, definition: {...}, prompt, warnings: [{"where", "what"}]}`."""
    return written(agent)


def agents_read_document(found: AgentsRead) -> Document:
    """`{directory, problems: [{"where", "what"}], warnings, changed, read_at}`."""
    return written(found)


def schedule_document(schedule: ScheduleInfo) -> Document:
    """`{agent, schedule: {cron, timezone, ...}, past: [{due, outcome, run_id, status, why}]}`."""
    return written(schedule)


def error_document(error: GligabaoError) -> Document:
    """`{"kind": "not_found", "problems": [{"where", "what"}]}`, or with a `message` instead."""
    kind = next(kind for kind, tree in _ERRORS.items() if isinstance(error, tree))
    if isinstance(error, UserError):
        return {"kind": kind, "problems": [written(problem) for problem in error.problems]}
    if isinstance(error, ProviderError):
        return {"kind": kind, "message": str(error), "failure": error.kind}
    return {"kind": kind, "message": str(error)}


def error_from(document: object) -> GligabaoError:
    """The same class with the same text, as it was raised on the other side."""
    given = object_of(document)
    kind = _ERRORS.get(str(given.get("kind")), GligabaoError)
    if issubclass(kind, UserError):
        return kind(*(read(Problem, problem) for problem in given.get("problems", [])))
    if issubclass(kind, ProviderError):
        return ProviderError(given.get("failure", "server"), str(given.get("message", "")))
    return kind(str(given.get("message", "")))


def _event_part(value: object) -> Any:
    return run_document(value) if isinstance(value, Run) else plain(value)


def _left_out(given: Mapping[str, Any]) -> Iterator[str]:
    if not given.get("user_id"):
        yield "user_id"
    if "topic" not in given and not str(given.get("model", "")).startswith(RECORDED_PREFIX):
        yield "topic"


def _later(name: str) -> Problem:
    return Problem(name, f"this version does not have {LATER_FIELDS[name]} yet; leave it out")


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


_EVENTS: dict[str, type[Any]] = {_snake(kind.__name__): kind for kind in get_args(Event)}

_ERRORS: dict[str, type[GligabaoError]] = {
    "not_found": NotFound,
    "refused": Refused,
    "cannot_start": CannotStart,
    "user": UserError,
    "store": StoreError,
    "unreachable": EngineUnreachable,
    "provider": ProviderError,  # kept last but one: the base stands for everything else
    "failed": GligabaoError,
}
"""Most specific first."""
