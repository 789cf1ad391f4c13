"""`gligabao serve`: holds the data without a screen, for as long as the process runs.

It starts agents by their schedules, and every other process of the same user joins it. stdout has
one line when it serves; what happens from then on is told in JSON lines on stderr and in the log.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from engine.api import (
    AttachedEngine,
    EngineUnreachable,
    Event,
    JsonLines,
    RunEnded,
    RunStarted,
    Settings,
)
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.output import show
from gligabao_tui.headless.running import Running

_log = logging.getLogger("engine.serve")
"""Below `engine`, so that its lines are in the log file as well."""

OWNED_BY_ANOTHER = (
    "{who} owns the data in {folder} already: commands and the app join it. "
    "To serve from here, end it first, or choose another directory with --data-dir"
)


async def serve(running: Running) -> ExitCode:
    """Serve until a signal comes. Raises EngineUnreachable when another process owns the data."""
    with _json_lines(running.settings.log_level):
        try:
            async with running.engine(stay=True, schedules=True) as engine:
                if not engine.owned:
                    raise EngineUnreachable(_owned_by_another(engine, running.settings))
                async with engine.watch() as events:
                    show(f"serving {running.settings.data_dir} on {engine.socket}")
                    _log.info("serving %s on %s", running.settings.data_dir, engine.socket)
                    await _stay(events)
        except asyncio.CancelledError:
            _log.info("closed")
            raise
    raise EngineUnreachable("the engine has stopped telling what happens")


async def _stay(events: AsyncIterator[Event]) -> None:
    try:
        async for event in events:
            _note(event)
    except asyncio.CancelledError:
        _log.info("closing: calls in flight are given their time")
        raise


def _note(event: Event) -> None:
    """Starts and ends, without what people ask and what agents write."""
    match event:
        case RunStarted(run=run):
            _log.info("run %d of %r started for %r", run.id, run.agent_name, run.user_id)
        case RunEnded(run_id=run_id, status=status, error=error):
            _log.info("run %d is %s%s", run_id, status, f": {error}" if error else "")
        case _:
            pass


def _owned_by_another(engine: AttachedEngine, settings: Settings) -> str:
    who = f"process {engine.owner_process}" if engine.owner_process else "another process"
    return OWNED_BY_ANOTHER.format(who=who, folder=settings.data_dir)


@contextmanager
def _json_lines(level: str) -> Iterator[None]:
    """What is logged to stderr is told as in the log file."""
    handlers = [(handler, handler.formatter) for handler in logging.getLogger().handlers]
    for handler, _ in handlers:
        handler.setFormatter(JsonLines())
    _log.setLevel(level.upper())
    try:
        yield
    finally:
        for handler, formatter in handlers:
            handler.setFormatter(formatter)
