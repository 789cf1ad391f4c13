"""How runs are listed: order, filter, and a cursor that stays where it was: pure.

A page goes on after the last run of the page before (its rank and its id), not after a number of
runs: what arrives meanwhile moves nothing.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase

from engine.domain.errors import Problem, UserError
from engine.domain.run import RunFilter
from engine.store.columns import real, text, whole
from engine.store.database import Row, Value

SEARCHED_AT_ONCE = 200
"""How many runs are fetched and looked at in turn, when the filter has a text."""

_RANKS: Mapping[str, str] = {
    "started": "id",
    "cost": "cost_usd",
    "steps": "steps",
    "status": "CASE status WHEN 'running' THEN 4 WHEN 'completed' THEN 3"
    " WHEN 'failed' THEN 2 ELSE 1 END",
}
"""Sort -> what runs are ordered by, highest first; among equals the newest is first."""

CHILDREN = (
    "(SELECT COUNT(*) FROM gb_agent_research_runs c"
    " WHERE c.parent_id = gb_agent_research_runs.id) AS children"
)
_LISTED = (
    "id, user_id, parent_id, root_id, name, reason, role, topic, status, state, model, max_steps,"
    " steps, tool_calls, input_tokens, output_tokens, cost_usd, '' AS report, error, agent_name,"
    " agent_version, agent_hash, phase, stop_reason, wrap_up_at, wrap_up_by, created_at,"
    f" finished_at, {CHILDREN}"
)
_SEARCHED = ("topic", "name", "agent_name")
_LIKE_SIGNS = re.compile(r"[\\%_]")
_LITERALLY = r"\\\g<0>"
_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_CURSOR = re.compile(r"(\w+):([0-9.e+-]{1,30}):([0-9]{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ends: the rank and the id of its last run."""

    rank: float
    id: int


@dataclass(frozen=True, slots=True)
class Query:
    sql: str
    values: tuple[Value, ...]


def place_of(which: RunFilter) -> Place | None:
    """Where the page is to go on; None at the start. Raises UserError for a foreign cursor."""
    if not which.cursor:
        return None
    found = _CURSOR.fullmatch(which.cursor)
    if found is None or found[1] != which.sort:
        raise _bad_cursor(which)
    try:
        return Place(float(found[2]), int(found[3]))
    except ValueError as error:
        raise _bad_cursor(which) from error


def cursor_after(row: Row, which: RunFilter) -> str:
    return f"{which.sort}:{real(row, 'rank')!r}:{whole(row, 'id')}"


def end_of(row: Row) -> Place:
    return Place(real(row, "rank"), whole(row, "id"))


def listing(which: RunFilter, after: Place | None, *, at_most: int) -> Query:
    """The next runs in order, with everything of the filter but its text."""
    rank = _RANKS[which.sort]
    conditions = _conditions(which)
    if after is not None:
        conditions[f"({rank}, id) < (?, ?)"] = (after.rank, after.id)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return Query(
        f"SELECT {_LISTED}, {rank} AS rank FROM gb_agent_research_runs{where}"
        f" ORDER BY {rank} DESC, id DESC LIMIT ?",
        (*(value for values in conditions.values() for value in values), at_most),
    )


def having_words(rows: Iterable[Row], searched: str) -> list[Row]:
    """The runs whose topic or names hold every word of `searched`, in any case and width."""
    words = _key(searched).split()
    return [row for row in rows if _has_all(row, words)]


def _conditions(which: RunFilter) -> dict[str, tuple[Value, ...]]:
    conditions: dict[str, tuple[Value, ...]] = {}
    if which.user is not None:
        conditions["user_id = ?"] = (which.user,)
    if which.status is not None:
        conditions["status = ?"] = (which.status,)
    if which.active:
        conditions["status = 'running'"] = ()
    if which.finished:
        conditions["status <> 'running'"] = ()
    return conditions | _later_conditions(which)


def _later_conditions(which: RunFilter) -> dict[str, tuple[Value, ...]]:
    conditions: dict[str, tuple[Value, ...]] = {}
    if which.agent:
        conditions["LOWER(agent_name) LIKE ? ESCAPE '\\'"] = (_containing(which.agent),)
    if which.model:
        conditions["LOWER(model) LIKE ? ESCAPE '\\'"] = (_containing(which.model),)
    if which.since:
        # Without its Z a time is before those that have milliseconds too.
        conditions["created_at >= ?"] = (which.since.removesuffix("Z"),)
    if which.cost_above > 0:
        conditions["cost_usd > ?"] = (which.cost_above,)
    return conditions


def _containing(part: str) -> str:
    """A LIKE pattern. Only ASCII is lowered: SQLite's LOWER knows no more."""
    lowered = part.translate(_ASCII_LOWER)
    return f"%{_LIKE_SIGNS.sub(_LITERALLY, lowered)}%"


def _has_all(row: Row, words: list[str]) -> bool:
    key = _key("\n".join(text(row, column) for column in _SEARCHED))
    return all(word in key for word in words)


def _key(written: str) -> str:
    """What two texts share when a person would call them the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())


def _bad_cursor(which: RunFilter) -> UserError:
    return UserError(
        Problem(
            "cursor",
            f"{which.cursor!r} is not from a list sorted by {which.sort}: begin without one",
        )
    )
