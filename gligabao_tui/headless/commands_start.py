"""`research start`, `demo` and `gligabao_agent`: start a run, follow it, print what it came to.

The data goes to stdout once, states go to stderr as they happen. Ctrl-C stops the run.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from engine.api import (
    DEFAULT_AGENT,
    AttachedEngine,
    EngineUnreachable,
    Event,
    Problem,
    Refused,
    Run,
    RunEnded,
    StartRequest,
    UserError,
    docs_dir,
    event_document,
    run_document,
)
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.following import following
from gligabao_tui.headless.options import AgentOptions, OutputOptions, StartOptions
from gligabao_tui.headless.output import show, show_line, show_object, tell
from gligabao_tui.headless.requests import agent_request, start_request
from gligabao_tui.headless.running import Running
from gligabao_tui.headless.words import end_words, event_words
from gligabao_tui.view.demo import demo_request

Begin: TypeAlias = Callable[[AttachedEngine], Awaitable[Run]]
"""Starts a run, and answers at once."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What is printed of a run: at its start, as it goes, and at its end."""

    started: Callable[[Run], None]
    event: Callable[[Event], None]
    ended: Callable[[Run], None]
    waits: bool = True
    """False: a run that another process works on is not followed."""


async def start(running: Running, options: StartOptions) -> ExitCode:
    if options.raw and not options.wait:
        raise UserError(Problem("--raw", "needs --wait: there is no report before the end"))
    request = start_request(options, settings=running.settings, cwd=Path.cwd())
    ended = _report if options.raw else print_run
    telling = Telling(
        started=_nothing if options.wait else print_run,
        event=tell_state,
        ended=ended if options.wait else _nothing,
        waits=options.wait,
    )
    return await carry_out(running, lambda engine: engine.start(request), telling)


async def demo(running: Running, options: OutputOptions) -> ExitCode:
    """The demo where there is no terminal: the report alone, or the ended run as JSON."""
    ended = print_run if options.json else _report
    request = handbook_request(running.settings.user)
    telling = Telling(_nothing, tell_state, ended)
    return await carry_out(running, lambda engine: engine.start(request), telling)


async def agent(running: Running, options: AgentOptions) -> ExitCode:
    """Of `gligabao_agent`: with `--json` the events as lines, and the run last."""
    request = agent_request(options, user=running.settings.user, cwd=Path.cwd())

    async def begin(engine: AttachedEngine) -> Run:
        await _must_have_the_agents(engine, options)
        return await engine.start(request)

    if options.json:
        telling = Telling(_nothing, _event, lambda run: show_line(run_document(run)))
    else:
        telling = Telling(_nothing, tell_state, _report)
    return await carry_out(running, begin, telling)


def handbook_request(user: str) -> StartRequest:
    """The demo's request, where this installation has its handbook."""
    return demo_request(user, str(docs_dir()))


async def carry_out(running: Running, begin: Begin, telling: Telling) -> ExitCode:
    """Begin a run and stay with it; the exit code is the run's own."""
    async with running.engine(stay=True) as engine:
        run = await begin(engine)
        telling.started(run)
        if not telling.waits and not engine.owned:
            return ExitCode.DONE
        with running.signals.heeded():
            ended = await _end_of(run, engine, running=running, telling=telling)
        telling.ended(ended)
        await _say_who_works_on(engine)
    return ExitCode.DONE if ended.status == "completed" else ExitCode.FAILED


async def _must_have_the_agents(engine: AttachedEngine, options: AgentOptions) -> None:
    """Whoever owns the data runs the agents that it has read itself."""
    given = options.agent_bundle or options.agent_defs_dir
    if given and not engine.owned:
        text = "another process owns the data of --data-dir, with agents of its own"
        raise Refused(Problem(given, f"{text}: leave --data-dir out, or choose another directory"))
    if options.agent_bundle:
        held = [agent.name for agent in await engine.agents()]
        asked = options.agent or DEFAULT_AGENT
        if asked not in held:
            text = f'no agent called "{asked}" is in {options.agent_bundle}: it holds '
            raise UserError(Problem("--agent", text + ", ".join(held)))


async def _end_of(run: Run, engine: AttachedEngine, *, running: Running, telling: Telling) -> Run:
    """Follow the run to its end, and stop it at the first Ctrl-C."""
    ended = run
    async with asyncio.TaskGroup() as group:
        stopping = group.create_task(_stop_when_asked(run, engine, running=running))
        async with following(engine, run.id, user=run.user_id) as events:
            async for event in events:
                telling.event(event)
                if isinstance(event, RunEnded):
                    ended = (await engine.get(run.id)).run
                    tell(end_words(ended, event, datetime.now(UTC)))
        stopping.cancel()
    if ended.status == "running":
        see = f"see `gligabao research get {run.id}`"
        raise EngineUnreachable(f"the engine closed before run {run.id} ended: {see}")
    return ended


async def _stop_when_asked(run: Run, engine: AttachedEngine, *, running: Running) -> None:
    await running.signals.interrupted.wait()
    tell(f"stopping run {run.id}; Ctrl-C once more leaves at once")
    with suppress(Refused):  # it ended by itself meanwhile
        await engine.stop(run.id, by=running.settings.user, user=run.user_id)


async def _say_who_works_on(engine: AttachedEngine) -> None:
    """Runs that other processes started here would end with this one."""
    if engine.owned and (working := (await engine.counts()).by_status.get("running", 0)):
        tell(f"staying for {working} more at work that other commands started; Ctrl-C ends them")


def _nothing(_: Run) -> None: ...


def print_run(run: Run) -> None:
    show_object(run_document(run))


def _report(run: Run) -> None:
    if run.status == "completed":
        show(run.report)


def tell_state(event: Event) -> None:
    if line := event_words(event):
        tell(line)


def _event(event: Event) -> None:
    show_line(event_document(event))
