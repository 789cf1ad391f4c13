"""What is typed to filter the runs list: words of the topic, and conditions such as `cost:>0.2`.

A condition that cannot be understood is told and passed over; the others still count.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from engine.api import STATUSES, Status, timestamp
from gligabao_tui.view.words import STATUS_WORDS

HINT = "words, status:failed,done  since:2d  cost:>0.2  model:  agent:"
CONDITIONS = ("status", "model", "agent", "since", "cost")
_CONDITION = re.compile(rf"({'|'.join(CONDITIONS)}):(.*)", re.IGNORECASE)
_AGO = re.compile(r"([0-9]{1,6})([mhdw])", re.ASCII | re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
OLDEST = timedelta(weeks=52_000)
"""An age beyond this takes in everything: times of a thousand years ago are not stored."""
_COST = re.compile(r">?\$?([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})", re.ASCII)
_STATUSES: dict[str, Status] = {
    **{status: status for status in STATUSES},
    **{word: status for status, word in STATUS_WORDS.items()},
}


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions that are all to be met; an empty one is none. `statuses`: any of these."""

    words: str = ""
    statuses: tuple[Status, ...] = ()
    model: str = ""
    agent: str = ""
    since: str = ""
    """A stored time, or the beginning of one."""
    cost_above: float = 0.0
    problems: tuple[str, ...] = ()
    """What could not be understood, and what to type instead."""


def query_of(typed: str, now: datetime) -> Query:
    """What this means at this time. A condition that has no value yet is none."""
    query = Query()
    words: list[str] = []
    for term in typed.split():
        found = _CONDITION.fullmatch(term)
        if found is None:
            words.append(term)
        elif found[2]:
            query = _READERS[found[1].lower()](query, found[2], now)
    return replace(query, words=" ".join(words))


def _with_status(query: Query, value: str, _: datetime) -> Query:
    names = [name for name in value.lower().split(",") if name]
    if any(name not in _STATUSES for name in names):
        return _cannot(query, f"status:{value}", "working, done, failed or stopped")
    return replace(query, statuses=tuple(dict.fromkeys(_STATUSES[name] for name in names)))


def _with_model(query: Query, value: str, _: datetime) -> Query:
    return replace(query, model=value)


def _with_agent(query: Query, value: str, _: datetime) -> Query:
    return replace(query, agent=value)


def _with_since(query: Query, value: str, now: datetime) -> Query:
    if ago := _AGO.fullmatch(value):
        age = timedelta(**{_UNITS[ago[2].lower()]: int(ago[1])})
        return replace(query, since=timestamp(now - age) if age < OLDEST else "")
    try:
        day = datetime.strptime(value, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return _cannot(query, f"since:{value}", "2d, 3h or a date such as 2026-11-01")
    return replace(query, since=timestamp(day) if now - day < OLDEST else "")


def _with_cost(query: Query, value: str, _: datetime) -> Query:
    if value == ">":
        return query
    found = _COST.fullmatch(value)
    if found is None:
        return _cannot(query, f"cost:{value}", "USD, such as >0.2")
    return replace(query, cost_above=float(found[1]))


def _cannot(query: Query, what: str, instead: str) -> Query:
    return replace(query, problems=(*query.problems, f"{what}: give {instead}"))


_READERS: dict[str, Callable[[Query, str, datetime], Query]] = {
    "status": _with_status,
    "model": _with_model,
    "agent": _with_agent,
    "since": _with_since,
    "cost": _with_cost,
}
