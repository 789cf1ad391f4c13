"""Asks the programs' own parsers whether they take a command line, without carrying it out."""

from collections.abc import Sequence
from typing import Any

from typer.exceptions import TyperException
from typer.main import get_command

from gligabao_tui.headless import agent_cli, cli
from gligabao_tui.headless.carrying import PROGRAM_FLAGS


def commands() -> list[str]:
    """Every command that can be called, as `gligabao research ls`."""
    return sorted(_called(get_command(cli.program), "gligabao"))


def fault_of(words: Sequence[str]) -> str:
    """What the parser says against `words`, the program first; nothing when it takes them."""
    program, *arguments = words
    if program == "gligabao_agent":
        return _parsed(get_command(agent_cli.program), arguments)
    command: Any = get_command(cli.program)
    arguments = _without_program_flags(cli.hoisted(arguments))
    while arguments and arguments[0] in getattr(command, "commands", ()):
        command, arguments = command.commands[arguments[0]], arguments[1:]
    if arguments and hasattr(command, "commands") and not arguments[0].startswith("-"):
        return f"no such command: {arguments[0]}"
    return _parsed(command, arguments)


def _without_program_flags(arguments: list[str]) -> list[str]:
    """What is left of a hoisted command line: the flags of the program come first in it."""
    while arguments and arguments[0].partition("=")[0] in PROGRAM_FLAGS:
        arguments = arguments[1 if "=" in arguments[0] else 2 :]
    return arguments


def _called(command: Any, name: str) -> list[str]:
    inner = getattr(command, "commands", {})
    found = [line for key, child in inner.items() for line in _called(child, f"{name} {key}")]
    stands_alone = name != "gligabao" and getattr(command, "invoke_without_command", False)
    return [name, *found] if stands_alone or not found else found


def _parsed(command: Any, arguments: list[str]) -> str:
    try:
        command.make_context(command.name, arguments)
    except TyperException as error:
        return str(error) or type(error).__name__
    return ""
