"""Follows one run from its beginning to its end, whatever was missed on the way.

The past is told as the same events as the present, each state once. Nothing here prints.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager

from engine.api import (
    Engine,
    Event,
    ReportReady,
    Resync,
    RunDetails,
    RunEnded,
    RunId,
    RunStarted,
    StateEnded,
    StateEntered,
    UsageChanged,
)


@asynccontextmanager
async def following(
    engine: Engine, run_id: RunId, *, user: str
) -> AsyncIterator[AsyncIterator[Event]]:
    """The events of a run of `user`, past ones first; they end with its RunEnded.

    Raises NotFound on entering. No Resync is among them: what was lost is read from the store.
    """
    async with engine.watch(run_id) as live:
        details = await engine.get(run_id, user=user)
        yield _Following(engine, details).events(live)


class _Following:
    """Remembers how far a run was told."""

    def __init__(self, engine: Engine, details: RunDetails) -> None:
        self._engine = engine
        self._details = details
        self._entered = 0
        self._ended = 0
        self._is_over = False

    async def events(self, live: AsyncIterator[Event]) -> AsyncIterator[Event]:
        yield RunStarted(self._details.run)
        for event in self._news(_history(self._details)):
            yield event
        if self._is_told():
            return
        async for event in live:
            told = await self._missed() if isinstance(event, Resync) else (event,)
            for news in self._news(told):
                yield news
            if self._is_told():
                return
        for event in self._news(await self._missed()):  # the engine closed before the end
            yield event

    def _is_told(self) -> bool:
        return self._is_over

    async def _missed(self) -> Iterable[Event]:
        return _history(await self._engine.get(self._details.run.id))

    def _news(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            match event:
                case RunStarted():
                    continue
                case StateEntered(seq=seq):
                    is_news, self._entered = seq > self._entered, max(seq, self._entered)
                case StateEnded(seq=seq):
                    is_news, self._ended = seq > self._ended, max(seq, self._ended)
                case _:
                    is_news, self._is_over = True, isinstance(event, RunEnded)
            if is_news:
                yield event


def _history(details: RunDetails) -> Iterator[Event]:
    """What was announced of a run so far, as far as the store knows it."""
    run = details.run
    last = details.states[-1].seq if details.states else 0
    for state in details.states:
        yield StateEntered(
            run.id, state.seq, state.state, state.step, state.detail, state.started_at
        )
        if state.finished_at and state.seq < last:
            yield StateEnded(run.id, state.seq, state.error, state.finished_at)
    if run.steps:
        yield UsageChanged(
            run.id,
            last,
            steps=run.steps,
            tool_calls=run.tool_calls,
            input_tokens=run.input_tokens,
            output_tokens=run.output_tokens,
            cost_usd=run.cost_usd,
        )
    if run.status == "completed":
        yield ReportReady(run.id, last)
    if run.status != "running":
        yield RunEnded(run.id, last, run.status, run.error, run.finished_at or "")
