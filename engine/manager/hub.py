"""Tells whoever watches what was written. A slow reader never slows a run."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from engine.domain.events import Event, ReplyDelta, Resync, RunEnded, run_id_of
from engine.domain.run import RunId

QUEUE_MOST = 1_000


class Hub:
    """One per engine; used on the engine's loop only."""

    def __init__(self) -> None:
        self._readers: set[_Subscription] = set()

    def announce(self, events: Iterable[Event]) -> None:
        if not self._readers:
            return
        for event in events:
            for reader in self._readers:
                reader.push(event)

    @asynccontextmanager
    async def watch(self, run_id: RunId | None = None) -> AsyncIterator[AsyncIterator[Event]]:
        """Events from now on, of one run (ends after its RunEnded) or of all."""
        subscription = _Subscription(run_id)
        self._readers.add(subscription)
        try:
            yield subscription.events()
        finally:
            self._readers.discard(subscription)

    def close(self) -> None:
        """End every reader's events once what is queued has been read."""
        for reader in self._readers:
            reader.close()


class _Subscription:
    """A bounded queue: full, it drops deltas first, then everything in favour of one Resync."""

    def __init__(self, run_id: RunId | None) -> None:
        self._run_id = run_id
        self._queue: deque[Event] = deque()
        self._changed = asyncio.Event()
        self._closed = False

    def push(self, event: Event) -> None:
        if self._run_id is not None and run_id_of(event) != self._run_id:
            return
        if len(self._queue) >= QUEUE_MOST:
            self._make_room()
        self._queue.append(event)
        self._changed.set()

    def close(self) -> None:
        self._closed = True
        self._changed.set()

    async def events(self) -> AsyncIterator[Event]:
        while True:
            while self._queue:
                event = self._queue.popleft()
                yield event
                if self._run_id is not None and isinstance(event, RunEnded):
                    return
            if self._closed:
                return
            self._changed.clear()
            await self._changed.wait()

    def _make_room(self) -> None:
        kept = [event for event in self._queue if not isinstance(event, ReplyDelta)]
        if len(kept) >= QUEUE_MOST:
            ended = [event for event in kept if isinstance(event, RunEnded)]
            last = ended if self._run_id is not None else []
            kept = [Resync(self._run_id), *last]
        self._queue = deque(kept)
