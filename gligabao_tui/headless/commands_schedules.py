"""`agents schedules | pause | resume | run`: agents that run by themselves, and one that is made to
run at once."""

from datetime import UTC, datetime

from engine.api import Run, schedule_document
from gligabao_tui.headless.agent_words import pausing_words, schedule_words
from gligabao_tui.headless.commands_start import Telling, carry_out, print_run, tell_state
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.options import NamedOptions, OutputOptions
from gligabao_tui.headless.output import show, show_line, show_object, tell
from gligabao_tui.headless.running import Running
from gligabao_tui.headless.words import own_clock

FOLLOWED = "the process that owns the data starts these agents by the clock"
NOT_FOLLOWED = "nothing starts these agents by the clock now: `gligabao serve` does"
NONE = "no agent has a schedule: write [schedule] with cron and topic into its file"


async def schedules(running: Running, options: OutputOptions) -> ExitCode:
    async with running.engine(stay=False) as engine:
        found = await engine.schedules()
    now = datetime.now(UTC)
    if options.json:
        for info in found.schedules:
            show_line({**schedule_document(info), "followed": found.followed})
    elif found.schedules:
        blocks = ("\n".join(schedule_words(info, now, own_clock)) for info in found.schedules)
        show("\n\n".join(blocks))
    if not found.schedules:
        tell(NONE)
    else:
        tell(FOLLOWED if found.followed else NOT_FOLLOWED)
    return ExitCode.DONE


async def pause(running: Running, options: NamedOptions) -> ExitCode:
    return await _pausing(running, options, paused=True)


async def resume(running: Running, options: NamedOptions) -> ExitCode:
    return await _pausing(running, options, paused=False)


async def run_now(running: Running, options: NamedOptions) -> ExitCode:
    """As `research start` without `--wait`: whoever owns the data stays until the run has ended."""
    telling = Telling(
        started=print_run if options.json else _started,
        event=tell_state,
        ended=lambda _: None,
        waits=False,
    )
    return await carry_out(running, lambda engine: engine.run_schedule(options.name), telling)


async def _pausing(running: Running, options: NamedOptions, *, paused: bool) -> ExitCode:
    async with running.engine(stay=True) as engine:
        info = await engine.pause_schedule(options.name, paused=paused)
    if options.json:
        show_object(schedule_document(info))
    else:
        show(pausing_words(info, own_clock))
    return ExitCode.DONE


def _started(run: Run) -> None:
    show(f"run {run.id} has started: {run.topic}")
    tell(f"see it with `gligabao research watch {run.id} --user {run.user_id}`")
