"""Which editor and pager the person uses, and what came of running one: pure."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

Find = Callable[[str], str | None]
"""The path of a program, as `shutil.which` tells it."""
EDITORS, PAGERS = ("nano", "vi"), ("less", "more")
NO_TERMINAL = (
    "Here is no terminal to lend to another program: the app runs in a browser, or in none"
)


@dataclass(frozen=True, slots=True)
class Command:
    """`words` are the program and its arguments; `problem` is why there is none."""

    words: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Edited:
    """`text` is the new one; None when it was not changed, or when `problem` says why not."""

    text: str | None = None
    problem: str = ""


def editor(environ: Mapping[str, str], find: Find) -> Command:
    """`$VISUAL`, else `$EDITOR`, else nano or vi."""
    return _command(environ, find, ("VISUAL", "EDITOR"), EDITORS)


def pager(environ: Mapping[str, str], find: Find) -> Command:
    """`$PAGER`, else less or more."""
    return _command(environ, find, ("PAGER",), PAGERS)


def ended_words(command: Command, code: int) -> str:
    """What to say of a program that did not end well; empty when it did."""
    name = PurePath(command.words[0]).name
    if code < 0:
        return f"{name} was ended by signal {-code}; nothing was changed"
    return f"{name} ended with code {code}; nothing was changed" if code else ""


def _command(
    environ: Mapping[str, str], find: Find, names: tuple[str, ...], usual: tuple[str, ...]
) -> Command:
    for name in names:
        if chosen := environ.get(name, "").strip():
            return _chosen(name, chosen, find)
    found = next((path for program in usual if (path := find(program))), None)
    if found is not None:
        return Command((found,))
    return Command(problem=f"${names[-1]} is not set, and there is no {' or '.join(usual)}")


def _chosen(name: str, chosen: str, find: Find) -> Command:
    """What the person set, with its arguments as a shell would split them, but without a shell."""
    try:
        program, *arguments = shlex.split(chosen)
    except ValueError as error:
        return Command(problem=f"${name} cannot be read ({error}): {chosen}")
    found = find(program)
    if found is None:
        return Command(problem=f"${name} names {program!r}, which is not there")
    return Command((found, *arguments))
