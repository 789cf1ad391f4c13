"""From a parsed command line to the command that carries it out, which is imported only then."""

from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from gligabao_tui.headless.running import Command, Invocation

PROGRAM_FLAGS = ("--data-dir", "--config", "--user", "--log-level")
EPILOG = f"{', '.join(PROGRAM_FLAGS)} may stand before or after the sub-command."


def carry_out(context: typer.Context, command: "Command") -> NoReturn:
    from gligabao_tui.headless.running import run

    run(invocation(context), command)


def invocation(context: typer.Context) -> "Invocation":
    from gligabao_tui.headless.running import Invocation

    return Invocation(context.obj["flags"], context.obj["connect"])
