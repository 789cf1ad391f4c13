"""Faults of a file on their way to a person: which key, what is wrong, and on which line. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.domain.errors import Problem
from engine.domain.text_safety import one_line

KeyPath: TypeAlias = tuple[str | int, ...]
"""`("spawn", "roles", 0, "agent")`."""

_MOST_CHARS = 400
_MOST_PROBLEMS = 200
"""Of one file."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong at a key. `text` names the key as people read it."""

    path: KeyPath
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """A file as messages name it, and the lines of its keys as far as they are known."""

    file: str
    lines: Mapping[KeyPath, int] = field(default_factory=dict)

    def problem(self, fault: Fault) -> Problem:
        """`a.toml:12` and what is wrong; the line is that of the key, else of its table."""
        line = self._line(fault.path)
        where = f"{self.file}:{line}" if line else self.file
        return Problem(where, one_line(fault.text, _MOST_CHARS))

    def problems(self, faults: Iterable[Fault]) -> list[Problem]:
        """From the top of the file to its end, those without a line first; of a file that has more
        than anybody reads, how many more there are."""
        told = sorted(faults, key=lambda fault: self._line(fault.path))
        shown = [self.problem(fault) for fault in told[:_MOST_PROBLEMS]]
        more = len(told) - len(shown)
        return [*shown, Problem(self.file, f"has {more} more problems")] if more else shown

    def _line(self, path: KeyPath) -> int:
        """0 where it is not known; the empty path stands for the whole file."""
        known = (path[:length] for length in range(len(path), -1, -1))
        return next((self.lines[part] for part in known if part in self.lines), 0)


def by_file(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """File by file, each in the order in which its problems were found: what is wrong between files
    stands with the rest of its file."""
    return tuple(sorted(problems, key=_file_of))


def _file_of(problem: Problem) -> str:
    file, colon, line = problem.where.rpartition(":")
    return file if colon and line.isdecimal() else problem.where
