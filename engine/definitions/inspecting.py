"""A directory of definitions judged by the rules of a start, each finding with its file and line.

For editors and checks before a commit: it needs no engine, and nothing is written.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.definitions.catalog import PACKAGED, examine
from engine.definitions.load import directory_name
from engine.domain.errors import Problem
from engine.resources import definitions_dir

_LINE = re.compile(r"(?P<file>.*):(?P<line>[0-9]+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, or worth knowing, in a file or a directory."""

    path: str
    """Empty when it is about no file."""
    line: int
    """From 1; 0 where it is not known."""
    what: str


@dataclass(frozen=True, slots=True)
class Inspected:
    """With any problem, a program that reads the directory does not start."""

    directory: str
    agents: tuple[str, ...]
    """Of the directory itself, also the faulty ones that have a name."""
    problems: tuple[Finding, ...]
    warnings: tuple[Finding, ...]


def inspect_directory(directory: Path, *, is_expected: bool = True) -> Inspected:
    """Never raises. `is_expected`: that there is no such directory is a warning."""
    found = examine(directory, is_expected=is_expected)
    own = [name for name, file in found.sources.items() if not file.startswith(PACKAGED)]
    return Inspected(
        str(directory),
        tuple(sorted(own)),
        findings_in(directory, found.problems),
        findings_in(directory, found.warnings),
    )


def findings_in(directory: Path, problems: Iterable[Problem]) -> tuple[Finding, ...]:
    """Where each of them is, in the files of `directory` and of the program."""
    return tuple(_finding(directory, problem) for problem in problems)


def _finding(directory: Path, problem: Problem) -> Finding:
    placed = _LINE.fullmatch(problem.where)
    file, line = (placed["file"], int(placed["line"])) if placed else (problem.where, 0)
    if not file:
        return Finding("", 0, problem.what)
    return Finding(str(_path(directory, file)), line, problem.what)


def _path(directory: Path, file: str) -> Path:
    if file == directory_name(directory):
        return directory
    if file.startswith(PACKAGED) and not (directory / file).exists():
        return definitions_dir() / file.removeprefix(PACKAGED)
    return directory / file
