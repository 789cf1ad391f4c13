"""`gligabao`: the sub-commands and where each of them is carried out.

Nothing but typer is imported before a command runs, so that `--help` answers at once. No
sub-command: the app, which whoever calls `main` hands in.
"""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from gligabao_tui.headless.at_once import has_terminal
from gligabao_tui.headless.carrying import EPILOG, PROGRAM_FLAGS, carry_out, invocation
from gligabao_tui.headless.cli_knowledge import add_knowledge
from gligabao_tui.headless.closed_streams import open_closed_streams
from gligabao_tui.headless.options import (
    BundleOptions,
    CheckOptions,
    GetOptions,
    InsteadOptions,
    ListOptions,
    LookOptions,
    NamedOptions,
    NewOptions,
    OutputOptions,
    ProgramOptions,
    ReadOptions,
    RunOptions,
    ServeOptions,
    ShowOptions,
    StartOptions,
    WebOptions,
    taking,
)
from gligabao_tui.headless.tab import is_in_a_tab

if TYPE_CHECKING:
    from gligabao_tui.headless.running import Connect, RunApp

NO_TERMINAL = (
    "the app needs a terminal for input, output and errors, and this is none: see "
    "`gligabao --help` for commands, such as `gligabao demo` or "
    "`gligabao research start TOPIC --wait --raw`"
)

program = typer.Typer(
    name="gligabao",
    help="A terminal research agent. Without a sub-command: the app.",
    epilog=EPILOG,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)
research = typer.Typer(
    help="Start runs, follow and end them, read their reports.",
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
)
program.add_typer(research, name="research")
agents = typer.Typer(
    help="Agents as files: see, write, check and copy them, and their schedules.",
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
)
program.add_typer(agents, name="agents")
add_knowledge(program)


def main(
    run_app: "RunApp", arguments: Sequence[str] | None = None, *, connect: "Connect | None" = None
) -> NoReturn:
    """Carry out one command line and leave with its exit code.

    `run_app` shows the app; `connect` takes the place of `engine.api.connect`.
    """
    open_closed_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    program(args=hoisted(given), prog_name="gligabao", obj={"run_app": run_app, "connect": connect})
    raise AssertionError("typer leaves by SystemExit")


def hoisted(arguments: Sequence[str]) -> list[str]:
    """The options of the program first, wherever they stood; what follows `--` stays."""
    first: list[str] = []
    rest: list[str] = []
    waiting = iter(arguments)
    for word in waiting:
        if word == "--":
            rest += [word, *waiting]
        elif word in PROGRAM_FLAGS:
            value = next(waiting, None)
            if value is None:
                return [*first, word]  # so that this is what is told, and not its consequence
            first += [word, value]
        elif word.partition("=")[0] in PROGRAM_FLAGS:
            first.append(word)
        else:
            rest.append(word)
    return first + rest


@program.callback(invoke_without_command=True)
@taking(ProgramOptions, LookOptions, InsteadOptions)
def root(
    context: typer.Context, options: ProgramOptions, look: LookOptions, instead: InsteadOptions
) -> None:
    if instead.version:
        from importlib.metadata import version

        typer.echo(f"gligabao {version('gligabao-tui')}")
        raise typer.Exit
    context.obj["flags"] = asdict(options) | look.given()
    if instead.serve and context.invoked_subcommand is not None:
        raise typer.BadParameter("stands alone, without a sub-command", param_hint="--serve")
    if instead.serve:
        _serve(context)
    if context.invoked_subcommand is None:
        _app(context)


@research.command("start", epilog=EPILOG)
@taking(StartOptions)
def start(context: typer.Context, options: StartOptions) -> None:
    """Start a run and print it; with --wait, print the ended one."""
    from gligabao_tui.headless import commands_start

    carry_out(context, partial(commands_start.start, options=options))


@research.command("ls", epilog=EPILOG)
@taking(ListOptions)
def list_runs(context: typer.Context, options: ListOptions) -> None:
    """List runs, newest first."""
    from gligabao_tui.headless import commands_runs

    carry_out(context, partial(commands_runs.list_runs, options=options))


@research.command("get", epilog=EPILOG)
@taking(GetOptions)
def get(context: typer.Context, options: GetOptions) -> None:
    """Show a run with its states and its report."""
    from gligabao_tui.headless import commands_runs

    carry_out(context, partial(commands_runs.get, options=options))


@research.command("watch", epilog=EPILOG)
@taking(RunOptions)
def watch(context: typer.Context, options: RunOptions) -> None:
    """Follow a run to its end."""
    from gligabao_tui.headless import commands_runs

    carry_out(context, partial(commands_runs.watch, options=options))


@research.command("stop", epilog=EPILOG)
@taking(RunOptions)
def stop(context: typer.Context, options: RunOptions) -> None:
    """End a run now, without a report."""
    from gligabao_tui.headless import commands_runs

    carry_out(context, partial(commands_runs.stop, options=options))


@research.command("wrap-up", epilog=EPILOG)
@taking(RunOptions)
def wrap_up(context: typer.Context, options: RunOptions) -> None:
    """Let a run write its report with its next model call."""
    from gligabao_tui.headless import commands_runs

    carry_out(context, partial(commands_runs.wrap_up, options=options))


@research.command("agents", epilog=EPILOG)
@agents.command("ls", epilog=EPILOG)
@taking(OutputOptions)
def list_agents(context: typer.Context, options: OutputOptions) -> None:
    """List the agents that can be started."""
    from gligabao_tui.headless import commands_agents

    carry_out(context, partial(commands_agents.list_agents, options=options))


@agents.command("show", epilog=EPILOG)
@taking(ShowOptions)
def show(context: typer.Context, options: ShowOptions) -> None:
    """Show everything of an agent, and its prompt."""
    from gligabao_tui.headless import commands_agents

    carry_out(context, partial(commands_agents.show_agent, options=options))


@agents.command("new", epilog=EPILOG)
@taking(NewOptions)
def new(context: typer.Context, options: NewOptions) -> None:
    """Write a new agent, or a copy of another one."""
    from gligabao_tui.headless import commands_definitions

    carry_out(context, partial(commands_definitions.new, options=options))


@agents.command("check", epilog=EPILOG)
@taking(CheckOptions)
def check(context: typer.Context, options: CheckOptions) -> None:
    """Say what is wrong in the files of agents."""
    from gligabao_tui.headless import commands_definitions

    carry_out(context, partial(commands_definitions.check, options=options))


@agents.command("reload", epilog=EPILOG)
@taking(OutputOptions)
def reload(context: typer.Context, options: OutputOptions) -> None:
    """Let a gligabao that runs read the agents again."""
    from gligabao_tui.headless import commands_agents

    carry_out(context, partial(commands_agents.reload, options=options))


@agents.command("bundle", epilog=EPILOG)
@taking(BundleOptions)
def bundle(context: typer.Context, options: BundleOptions) -> None:
    """Pack an agent into one file, to run elsewhere."""
    from gligabao_tui.headless import commands_definitions

    carry_out(context, partial(commands_definitions.bundle, options=options))


@agents.command("schedules", epilog=EPILOG)
@taking(OutputOptions)
def schedules(context: typer.Context, options: OutputOptions) -> None:
    """Show which agents run by themselves, and when."""
    from gligabao_tui.headless import commands_schedules

    carry_out(context, partial(commands_schedules.schedules, options=options))


@agents.command("pause", epilog=EPILOG)
@taking(NamedOptions)
def pause(context: typer.Context, options: NamedOptions) -> None:
    """Keep an agent from running by itself."""
    from gligabao_tui.headless import commands_schedules

    carry_out(context, partial(commands_schedules.pause, options=options))


@agents.command("resume", epilog=EPILOG)
@taking(NamedOptions)
def resume(context: typer.Context, options: NamedOptions) -> None:
    """Let a paused agent run by itself again."""
    from gligabao_tui.headless import commands_schedules

    carry_out(context, partial(commands_schedules.resume, options=options))


@agents.command("run", epilog=EPILOG)
@taking(NamedOptions)
def run_now(context: typer.Context, options: NamedOptions) -> None:
    """Start the scheduled run of an agent now."""
    from gligabao_tui.headless import commands_schedules

    carry_out(context, partial(commands_schedules.run_now, options=options))


@program.command("demo", epilog=EPILOG)
@taking(OutputOptions, LookOptions)
def demo(context: typer.Context, options: OutputOptions, look: LookOptions) -> None:
    """Research the handbook, without a key or a network: in the app, or as a report in a pipe."""
    from gligabao_tui.headless import commands_start

    context.obj["flags"] |= look.given()
    if options.json or not sys.stdout.isatty():
        carry_out(context, partial(commands_start.demo, options=options))
    else:
        _app(context, start=commands_start.handbook_request)


@program.command("serve", epilog=EPILOG)
@taking(ServeOptions)
def serve(context: typer.Context, options: ServeOptions) -> None:
    """Own the data without a screen: start agents by their schedules, let others join."""
    context.obj["flags"] |= asdict(options)
    _serve(context)


@program.command("web", epilog=EPILOG)
@taking(WebOptions, LookOptions)
def web(context: typer.Context, options: WebOptions, look: LookOptions) -> None:
    """Show the app in a browser on this machine."""
    from gligabao_tui.headless import web as in_a_browser

    context.obj["flags"] |= look.given()
    carry_out(context, partial(in_a_browser.web, options=options, flags=context.obj["flags"]))


@program.command("read", epilog=EPILOG)
@taking(ReadOptions)
def read(context: typer.Context, options: ReadOptions) -> None:
    """Show what an agent would get from addresses and files."""
    from gligabao_tui.headless import commands_read

    carry_out(context, partial(commands_read.read, options=options))


@program.command("doctor", epilog=EPILOG)
@taking(OutputOptions)
def doctor(context: typer.Context, options: OutputOptions) -> None:
    """Check the installation, and show where each setting came from."""
    from gligabao_tui.headless import commands_read

    carry_out(context, partial(commands_read.doctor, options=options))


def _serve(context: typer.Context) -> NoReturn:
    from gligabao_tui.headless import serve as without_a_screen

    carry_out(context, without_a_screen.serve)


def _app(context: typer.Context, *, start: Callable[[str], Any] | None = None) -> NoReturn:
    if not (is_in_a_tab(os.environ) or has_terminal()):
        typer.echo(NO_TERMINAL, err=True)
        raise typer.Exit(2)
    from gligabao_tui.headless.running import run_on_the_screen

    run_app: RunApp = context.obj["run_app"]
    run_on_the_screen(
        invocation(context),
        lambda settings: run_app(settings, start(settings.user) if start else None),
    )
