"""`gligabao_agent`: one agent, one topic, and nothing left behind unless a place is named.

The data lies in a temporary directory, which goes with the process, unless `--data-dir` is given.
"""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NoReturn

import typer

from gligabao_tui.headless.closed_streams import open_closed_streams
from gligabao_tui.headless.options import AgentOptions, ProgramOptions, taking

if TYPE_CHECKING:
    from gligabao_tui.headless.running import Connect

program = typer.Typer(
    name="gligabao_agent",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def main(arguments: Sequence[str] | None = None, *, connect: "Connect | None" = None) -> NoReturn:
    """Carry out one command line and leave with its exit code."""
    open_closed_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    program(args=given, prog_name="gligabao_agent", obj=connect)
    raise AssertionError("typer leaves by SystemExit")


@program.command()
@taking(AgentOptions, ProgramOptions)
def agent(context: typer.Context, options: AgentOptions, around: ProgramOptions) -> None:
    """Run one agent on a topic and print its report."""
    if options.agent_bundle and options.agent_defs_dir:
        text = "cannot be given together with --agent-defs-dir"
        raise typer.BadParameter(text, param_hint="--agent-bundle")
    from gligabao_tui.headless import commands_start
    from gligabao_tui.headless.running import Invocation, run

    flags = {
        **asdict(around),
        "agent_defs_dir": options.agent_defs_dir,
        "agent_bundle": options.agent_bundle,
    }
    command = partial(commands_start.agent, options=options)
    if around.data_dir:
        run(Invocation(flags, context.obj), command)
    with TemporaryDirectory(prefix="gligabao_agent-") as folder:
        run(Invocation({**flags, "data_dir": folder}, context.obj), command)
