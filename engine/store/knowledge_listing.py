"""How the lists of the knowledge base are asked for: conditions, and cursors that are numbers.

A page goes on after the last row of the page before, so what arrives meanwhile moves nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.domain.errors import Problem, UserError
from engine.store.database import Value
from engine.store.knowledge_terms import placeholders

_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Where:
    """The conditions of one query, gathered one by one."""

    conditions: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    @property
    def sql(self) -> str:
        return f" WHERE {' AND '.join(self.conditions)}" if self.conditions else ""

    def add(self, condition: str, *values: Value) -> None:
        self.conditions.append(condition)
        self.values.extend(values)

    def among(self, column: str, wanted: Sequence[Value]) -> None:
        """Only rows with one of these values; with none wanted, none."""
        self.add(f"{column} IN ({placeholders(wanted)})" if wanted else "1 = 0", *wanted)

    def of_user(self, user: str | None, dataset: str) -> None:
        """Rows of `gb_datasets`, as `dataset`: of a user, and by name."""
        if user is not None:
            self.add("dataset.user_id = ?", user)
        if dataset:
            self.add("dataset.name = ?", dataset)


def number_of(cursor: str) -> int:
    """The number that a cursor is; 0 without one. Raises UserError for any other text."""
    if not cursor:
        return 0
    if not _NUMBER.fullmatch(cursor):
        raise UserError(Problem("cursor", f"{cursor!r} is not from this list: begin without one"))
    return int(cursor)
