"""`research ls | get | watch | stop | wrap-up`: what is stored of runs, and their end."""

from datetime import UTC, datetime

from engine.api import (
    Run,
    RunEnded,
    RunId,
    RunStarted,
    details_document,
    event_document,
    filter_from,
    run_document,
)
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.following import following
from gligabao_tui.headless.options import GetOptions, ListOptions, RunOptions
from gligabao_tui.headless.output import show, show_line, show_object, tell
from gligabao_tui.headless.running import Running
from gligabao_tui.headless.words import (
    end_words,
    event_words,
    room,
    run_words,
    runs_table,
)


async def list_runs(running: Running, options: ListOptions) -> ExitCode:
    asked = {"active": options.active, "status": options.status, "limit": options.limit}
    which = filter_from({"user": running.settings.user, **asked})
    async with running.engine(stay=False) as engine:
        page = await engine.list(which)
    if options.json:
        for run in page.runs:
            show_line(run_document(run))
    elif page.runs:
        show("\n".join(runs_table(page.runs, datetime.now(UTC), cells=room())))
    else:
        tell("no runs")
    if page.next_cursor:
        tell(f"there are more than {options.limit}: see them with --limit, 500 at most")
    return ExitCode.DONE


async def get(running: Running, options: GetOptions) -> ExitCode:
    user, run_id = running.settings.user, RunId(options.id)
    async with running.engine(stay=False) as engine:
        details = await engine.get(run_id, user=user)
        report = await engine.report(run_id, user=user) if options.raw else ""
    if options.raw:
        show(report)
    elif options.json:
        show_object(details_document(details))
    else:
        show("\n".join(run_words(details, datetime.now(UTC), cells=room())))
    return ExitCode.DONE


async def watch(running: Running, options: RunOptions) -> ExitCode:
    """What has happened, then what happens, to the end. The exit code is the run's own."""
    user, run_id = running.settings.user, RunId(options.id)
    end: RunEnded | None = None
    async with (
        running.engine(stay=False) as engine,
        following(engine, run_id, user=user) as events,
    ):
        async for event in events:
            if options.json:
                show_line(event_document(event))
            elif isinstance(event, RunStarted):
                tell(f"run {run_id}: {event.run.topic}")
            elif line := event_words(event):
                show(line)
            if isinstance(event, RunEnded):
                end = event
                tell(end_words((await engine.get(run_id)).run, event, datetime.now(UTC)))
    return ExitCode.DONE if end is not None and end.status == "completed" else ExitCode.FAILED


async def stop(running: Running, options: RunOptions) -> ExitCode:
    user = running.settings.user
    async with running.engine(stay=True) as engine:
        run = await engine.stop(RunId(options.id), by=user, user=user)
    return _told(run, options, f"run {run.id} is {run.status}: {run.error}")


async def wrap_up(running: Running, options: RunOptions) -> ExitCode:
    user = running.settings.user
    async with running.engine(stay=True) as engine:
        run = await engine.wrap_up(RunId(options.id), by=user, user=user)
    return _told(run, options, f"run {run.id} writes its report with its next model call")


def _told(run: Run, options: RunOptions, sentence: str) -> ExitCode:
    if options.json:
        show_object(run_document(run))
    else:
        show(sentence)
    return ExitCode.DONE
