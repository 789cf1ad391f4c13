"""What is typed to filter facts: words, and conditions such as `as-of:2024` or `about:"New York"`.

A condition that cannot be understood is told and passed over; the others still count.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.api import FactFilter, FactStatus, stated
from gligabao_tui.view.fact_words import STATUS_WORDS

HINT = "words  about:  relation:  as-of:2024-03  known-at:2025  status:active"
STATUSES: tuple[FactStatus, ...] = ("active", "ended", "superseded", "invalidated")
DATES = "2024, 2024-03, 2024-03-15 or 2024-Q1"
_TERM = re.compile(
    r'(?:(about|relation|as-of|known-at|status):)?(?:"([^"]*)"?|(\S+))', re.IGNORECASE
)
_BARE = re.compile(r"(?:about|relation|as-of|known-at|status):(?=\s|$)", re.IGNORECASE)


ANY = FactFilter()


@dataclass(frozen=True, slots=True)
class FactQuery:
    """`which` has no user, dataset, limit or cursor yet. `problems`: what could not be understood,
    and what to type instead."""

    which: FactFilter = ANY
    problems: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self.which == ANY and not self.problems


def fact_query(typed: str) -> FactQuery:
    """What this means. A condition that has no value yet is none; a value with spaces stands in
    quotation marks."""
    query, words = FactQuery(), list[str]()
    for found in _TERM.finditer(_BARE.sub(" ", typed)):
        name, value = (found[1] or "").lower(), (found[2] or found[3] or "").strip()
        if not name:
            words += [value] if value else []
        elif value:
            query = _READERS[name](query, value)
    return _with(query, text=" ".join(words))


def _with(query: FactQuery, **changed: object) -> FactQuery:
    return replace(query, which=replace(query.which, **changed))  # type: ignore[arg-type]  # names


def _about(query: FactQuery, value: str) -> FactQuery:
    return _with(query, about=value)


def _relation(query: FactQuery, value: str) -> FactQuery:
    return _with(query, relation=value)


def _as_of(query: FactQuery, value: str) -> FactQuery:
    return _with(query, as_of=value) if stated(value) else _cannot(query, f"as-of:{value}", DATES)


def _known_at(query: FactQuery, value: str) -> FactQuery:
    if stated(value):
        return _with(query, known_at=value)
    return _cannot(query, f"known-at:{value}", DATES)


def _status(query: FactQuery, value: str) -> FactQuery:
    names = [name for name in value.lower().split(",") if name]
    wanted = [[one for one in STATUSES if _is_called(one, name)] for name in names]
    if not all(wanted):
        return _cannot(query, f"status:{value}", "active, ended, superseded or never")
    return _with(
        query, statuses=tuple(one for one in STATUSES if any(one in some for some in wanted))
    )


def _is_called(status: FactStatus, name: str) -> bool:
    return status.startswith(name) or STATUS_WORDS[status].startswith(name)


def _cannot(query: FactQuery, what: str, instead: str) -> FactQuery:
    return replace(query, problems=(*query.problems, f"{what}: give {instead}"))


_READERS: dict[str, Callable[[FactQuery, str], FactQuery]] = {
    "about": _about,
    "relation": _relation,
    "as-of": _as_of,
    "known-at": _known_at,
    "status": _status,
}
