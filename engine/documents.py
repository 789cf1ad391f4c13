"""The JSON shapes of everything that passes between processes and surfaces, both ways.

One shape for the socket, the command line, REST and MCP. Writing is lossless but for money, which
is rounded to six digits; reading trusts nothing and tells every problem at once. Pure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.domain.answers import AgentInfo, Check, SourceText
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

Document: TypeAlias = dict[str, Any]
Value = TypeVar("Value")

MOST_LISTED = 500

RUN_FIELDS = (
    *("id", "user_id", "parent_id", "name", "reason", "topic", "status", "state", "model"),
    *("max_steps", "steps", "tool_calls", "input_tokens", "output_tokens", "cost_usd", "report"),
    *("error", "agent_name", "agent_version", "agent_hash", "phase", "stop_reason", "created_at"),
    "finished_at",
)
"""The fields of a run in the order that programs know them; what came later stands after."""

LATER_FIELDS = {
    "agent_version": "versions of definitions",
    "investigate": "the investigative loop",
    "runner": "other runners",
}
_MONEY_DIGITS = 6
_BIGGEST = 2**63 - 1
_SURROGATES = re.compile("[\ud800-\udfff]")


def run_document(run: Run) -> Document:
    """A run as JSON (the seed's): all fields always there, ids as numbers, times as stored."""
    plain = written(run)
    return {name: plain.pop(name) for name in RUN_FIELDS} | plain


def run_from(document: object) -> Run:
    return read(Run, document)


def details_document(details: RunDetails) -> Document:
    """The run with `states` (without their run's id), `citations` and the count of `children`."""
    return {
        **run_document(details.run),
        "states": [state_document(state) for state in details.states],
        "citations": [written(citation) for citation in details.citations],
        "children": details.children,
    }


def details_from(document: object) -> RunDetails:
    given = _object(document)
    rest = {name: given.pop(name, []) for name in ("states", "citations")}
    children = given.pop("children", 0)
    run = run_from(given)
    states = [{"run_id": run.id, **_object(state)} for state in rest["states"]]
    parts = {"run": written(run), **rest, "states": states, "children": children}
    return read(RunDetails, parts)


def state_document(state: State) -> Document:
    plain = written(state)
    plain.pop("run_id")
    return plain


def page_document(page: RunPage) -> Document:
    """`{"runs": [...], "next_cursor": ""}`; the runs without states and without their reports."""
    return {"runs": [run_document(run) for run in page.runs], "next_cursor": page.next_cursor}


def page_from(document: object) -> RunPage:
    return read(RunPage, document)


def counts_document(counts: RunCounts) -> Document:
    """`{"counts": {"running": 1, ...}, "cost_usd": ..., "cost_today_usd": ...}`."""
    plain = written(counts)
    return {"counts": plain.pop("by_status"), **plain}


def counts_from(document: object) -> RunCounts:
    given = _object(document)
    return read(RunCounts, {"by_status": given.pop("counts", {}), **given})


def start_document(request: StartRequest) -> Document:
    """The body of `POST /v1/gb/research`; `user_id` is the request's user."""
    plain = written(request)
    return {"user_id": plain.pop("user"), **plain}


def start_from(document: object) -> StartRequest:
    """The request in an untrusted body. Raises UserError with every problem of its shape.

    What the values may be (a topic's length, the number of steps) is judged where it is started.
    """
    given = _object(document)
    found = [_later(name) for name in LATER_FIELDS if given.pop(name, None)]
    found += [Problem("", f"{name} is required") for name in _left_out(given)]
    if "user_id" in given:
        given["user"] = given.pop("user_id")
    request: StartRequest = _read(
        StartRequest, {"user": "", "topic": "", **given}, "", problems=found
    )
    problems_of(found)
    return request


def filter_document(which: RunFilter) -> Document:
    return written(which)


def filter_from(document: object) -> RunFilter:
    """The filter in an untrusted query. Raises UserError with every problem."""
    found: list[Problem] = []
    which: RunFilter = _read(RunFilter, _object(document), "", problems=found)
    if not found and not 1 <= which.limit <= MOST_LISTED:
        found.append(Problem("limit", f"{which.limit} must be between 1 and {MOST_LISTED}"))
    if not found and which.active and which.status is not None:
        found.append(Problem("active", "cannot be given together with status"))
    problems_of(found)
    return which


def event_document(event: Event) -> Document:
    """`{"event": "state_entered", "id": "7:3", ...}`; deltas and resyncs have no id."""
    stored = event_id(event)
    head = {"event": _snake(type(event).__name__)} | ({"id": stored} if stored else {})
    return head | {name: _plain(getattr(event, name)) for name in _names(type(event))}


def event_from(document: object) -> Event:
    given = _object(document)
    given.pop("id", None)
    kind = _EVENTS.get(str(given.pop("event", "")))
    if kind is None:
        raise UserError(Problem("event", "is not an event of this version"))
    event: Event = read(kind, given)
    return event


def source_document(source: SourceText) -> Document:
    """`{source, url, media_type, title, text, chars, truncated, error, refused}`."""
    return written(source)


def check_document(check: Check) -> Document:
    return written(check)


def agent_document(agent: AgentInfo) -> Document:
    return written(agent)


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
    given = _object(document)
    kind = _ERRORS.get(str(given.get("kind")), GligabaoError)
    if issubclass(kind, UserError):
        return kind(*(read(Problem, problem) for problem in given.get("problems", [])))
    if issubclass(kind, ProviderError):
        return ProviderError(given.get("failure", "server"), str(given.get("message", "")))
    return kind(str(given.get("message", "")))


def written(value: Any) -> Document:
    """A frozen value as a JSON object, its fields in their order, money rounded."""
    return {name: _plain(getattr(value, name)) for name in _names(type(value))}


def read(kind: type[Value], document: object) -> Value:
    """A value of `kind` from JSON. Raises UserError with every problem; unknown fields are one."""
    found: list[Problem] = []
    value: Value = _read(kind, document, "", problems=found)
    problems_of(found)
    return value


def _plain(value: Any) -> Any:
    match value:
        case Run():
            return run_document(value)
        case float():
            return round(value, _MONEY_DIGITS)
        case Mapping():
            return {str(name): _plain(inner) for name, inner in value.items()}
        case str() | int() | None:
            return value
        case Sequence():
            return [_plain(inner) for inner in value]
        case _:
            return written(value)


def _left_out(given: Mapping[str, Any]) -> Iterator[str]:
    if not given.get("user_id"):
        yield "user_id"
    if "topic" not in given and not str(given.get("model", "")).startswith(RECORDED_PREFIX):
        yield "topic"


def _later(name: str) -> Problem:
    return Problem(name, f"this version does not have {LATER_FIELDS[name]} yet; leave it out")


def _object(document: object) -> dict[str, Any]:
    """A copy that may be taken apart. Raises UserError when it is not a JSON object."""
    if not isinstance(document, dict):
        raise UserError(Problem("", "must be a JSON object"))
    return dict(document)


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


def _read(kind: Any, document: object, where: str, *, problems: list[Problem]) -> Any:
    """`document` as a value of `kind`; what is wrong goes to `problems` and the value is void."""
    kind = getattr(kind, "__supertype__", kind)
    if is_dataclass(kind):
        return _read_object(kind, document, where, problems=problems)
    match get_origin(kind), get_args(kind):
        case (origin, options) if origin in (Union, UnionType):
            inner = next(option for option in options if option is not type(None))
            return None if document is None else _read(inner, document, where, problems=problems)
        case (origin, words) if origin is Literal:
            return _read_word(words, document, where, problems=problems)
        case (origin, (inner, _)) if origin is tuple:
            return tuple(_read_each(inner, document, where, problems=problems))
        case (origin, kinds) if origin is Mapping:
            return _read_table(kinds, document, where, problems=problems)
        case _:
            return _read_plain(kind, document, where, problems=problems)


def _read_object(kind: Any, document: object, where: str, *, problems: list[Problem]) -> Any:
    if not isinstance(document, dict):
        problems.append(Problem(where, "must be a JSON object"))
        return None
    known, prefix = _kinds(kind), f"{where}." if where else ""
    problems += [_unknown(prefix, name, known) for name in document if name not in known]
    problems += [
        Problem(f"{prefix}{name}", "is required")
        for name in _required(kind)
        if name not in document
    ]
    before = len(problems)
    values = {
        name: _read(known[name], inner, f"{prefix}{name}", problems=problems)
        for name, inner in document.items()
        if name in known
    }
    is_whole = len(problems) == before and not any(name not in values for name in _required(kind))
    return kind(**values) if is_whole else None


def _read_word(
    words: tuple[Any, ...], document: object, where: str, *, problems: list[Problem]
) -> Any:
    if document not in words:
        problems.append(Problem(where, f"must be one of {', '.join(map(str, words))}"))
    return document


def _read_each(
    kind: Any, document: object, where: str, *, problems: list[Problem]
) -> Iterator[Any]:
    if not isinstance(document, list):
        problems.append(Problem(where, "must be a list"))
        return
    for place, inner in enumerate(document):
        yield _read(kind, inner, f"{where}[{place}]", problems=problems)


def _read_table(
    kinds: tuple[Any, ...], document: object, where: str, *, problems: list[Problem]
) -> dict[Any, Any]:
    if not isinstance(document, dict):
        problems.append(Problem(where, "must be a JSON object"))
        return {}
    return {
        _read(kinds[0], name, where, problems=problems): _read(
            kinds[1], inner, f"{where}.{name}", problems=problems
        )
        for name, inner in document.items()
    }


def _read_plain(kind: Any, document: object, where: str, *, problems: list[Problem]) -> Any:
    if kind is float and _is_number(document):
        return float(document)  # type: ignore[arg-type]  # a number, as was asked
    if kind is int and _is_number(document) and isinstance(document, int):
        return document
    if kind is bool and isinstance(document, bool):
        return document
    if kind is str and isinstance(document, str) and _is_text(document):
        return document
    problems.append(Problem(where, f"must be {_KINDS[kind]}"))
    return None


def _is_number(document: object) -> bool:
    """A number that a database can hold; NaN, infinity and endless integers are not."""
    is_one = isinstance(document, int | float) and not isinstance(document, bool)
    return is_one and -_BIGGEST <= document <= _BIGGEST  # type: ignore[operator]  # a number


def _is_text(document: str) -> bool:
    """Without lone surrogates, which JSON can spell and nothing can store."""
    return document.isascii() or not _SURROGATES.search(document)


_KINDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _unknown(prefix: str, name: str, known: Mapping[str, Any]) -> Problem:
    near = get_close_matches(str(name), known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return Problem(f"{prefix}{name}", f"is not a known field{hint}")


def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _kinds(kind: type[Any]) -> Mapping[str, Any]:
    return get_type_hints(kind)


@cache
def _required(kind: type[Any]) -> tuple[str, ...]:
    return tuple(
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    )
