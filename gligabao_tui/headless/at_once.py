"""Knows the command lines that only show the app, so that its first frame need not wait for typer.

It decides nothing else: every other command line, also one that is wrong, is read by `cli`, whose
words and exit codes stay the only ones. Imports nothing slow.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

VALUES = {
    "--data-dir": "data_dir",
    "--config": "config",
    "--user": "user",
    "--log-level": "log_level",
    "--theme": "theme",
}
"""Options that take a value -> the flag that it is."""
SWITCHES = {
    "--ascii": ("ascii", True),
    "--slow-link": ("slow_link", True),
    "--no-mouse": ("mouse", False),
}
DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Asked:
    """The app, with these flags; `wants_demo`: it starts the demo."""

    flags: dict[str, object]
    wants_demo: bool = False


def asked_at_once(arguments: Sequence[str]) -> Asked | None:
    """What is asked of the app; None where the command line must be read with care."""
    flags: dict[str, object] = {}
    commands: list[str] = []
    words = iter(arguments)
    for word in words:
        if word in SWITCHES:
            name, value = SWITCHES[word]
            flags[name] = value
        elif word.partition("=")[0] in VALUES:
            given = _value(word, words)
            if given is None:
                return None
            flags[VALUES[word.partition("=")[0]]] = given
        else:
            commands.append(word)
    return Asked(flags, bool(commands)) if commands in ([], [DEMO]) else None


def has_terminal() -> bool:
    """All three are it: keys come from the first, and the screen is drawn on the last."""
    return all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def _value(word: str, rest: Iterator[str]) -> str | None:
    """What stands after the equals sign, or as the next word; no option is taken for one."""
    _, equals, value = word.partition("=")
    if equals:
        return value
    following = next(rest, "-")
    return None if following.startswith("-") else following
