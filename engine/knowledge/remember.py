"""The queue of texts: takes them in, works through them one at a time, tells who waits.

    submit -> on the disk -> run() claims -> absorbs -> settled, or tried again later, or failed

An accepted text is never lost: it is in the database before `submit` returns, and whatever happens
to the work on it, it stays searchable and can be tried again. `run` is one task of the owner and
goes on until it is cancelled; what it had in hand is taken up at the next start.

Beside a tool call, a run and a surface this is a place that catches every exception: one text that
breaks the program must not keep the others from being remembered.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.domain.clock import Clock, moment, timestamp
from engine.domain.errors import GligabaoError, NotFound, ProviderError, Refused, StoreError
from engine.domain.faults import fault, redacted
from engine.domain.knowledge import RememberRun
from engine.domain.text_safety import clean
from engine.knowledge.absorbing import Absorber, LeaseLost
from engine.llm.retry import RETRIED
from engine.store import knowledge_queue, knowledge_runs, knowledge_texts
from engine.store.database import Database, Transaction
from engine.store.knowledge_queue import Claimed, Counts, End, Held, NewRemember
from engine.store.knowledge_texts import StoredText

LEASE = timedelta(seconds=60)
BEAT_SECONDS = LEASE.total_seconds() / 3
SHORTEST_SLEEP = 0.25
LONGEST_SLEEP = 30.0
"""A machine that sleeps stops the clock of sleeps: what is due is looked at again this often."""
PAUSE_AFTER_TROUBLE = 2.0
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
MOST_FAULTS = 3
"""How often a text is tried that breaks the program or the model's answers."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Failed:
    """Why an attempt came to nothing, and whether it may be otherwise later, or only then."""

    why: str
    may_pass: bool
    not_before: datetime | None = None


class RememberQueue:
    """One per owner of the data."""

    def __init__(
        self,
        database: Database,
        absorber: Absorber,
        clock: Clock,
        *,
        at_rest: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`at_rest` is done when all texts are absorbed; a new one waits for it."""
        self._database = database
        self._absorber = absorber
        self._clock = clock
        self._at_rest = at_rest
        self._has_absorbed = True
        self._is_closing = False
        self._news = asyncio.Event()
        self._waiting: dict[int, set[asyncio.Future[None]]] = {}
        self._rested = asyncio.Event()
        self._rested.set()

    # Taking in --------------------------------------------------------------------------------

    async def submit(self, new: NewRemember) -> RememberRun:
        """Store the text and queue it: the run as it was accepted, or as it is when the text was
        there. Raises StoreError; then it is not stored."""
        at = timestamp(self._clock.now())
        queued = await self._database.write(lambda tx: knowledge_queue.enqueue(tx, new, at=at))
        self._wake()
        run = await self.get(queued.run_id)
        return _as_accepted(run) if queued.is_new else run

    async def retry(self, number: int) -> RememberRun:
        """Queue a failed text again, or one that is only stored. Raises NotFound, Refused."""
        before = await self.get(number)
        if not await self._database.write(lambda tx: knowledge_queue.retry(tx, number)):
            told = (
                f"remember run {number} is {before.status}: only a failed or stored one is retried"
            )
            raise Refused(told)
        self._wake()
        return await self.get(number)

    async def settled(self, number: int) -> RememberRun:
        """The run when nothing is being done about it any more. Raises NotFound, also when its text
        is forgotten meanwhile."""
        return await self._when(number, lambda run: not _is_open(run))

    async def attempted(self, number: int) -> RememberRun:
        """As `settled`, but a text that is to be tried again later is not waited for."""
        return await self._when(number, lambda run: not _is_open(run) or _is_postponed(run))

    def forgotten(self) -> None:
        """Texts are gone: whoever waits for one of them is told."""
        self._tell_all()

    async def get(self, number: int) -> RememberRun:
        async with self._database.reading() as reader:
            found = await knowledge_runs.get(reader, number)
        if found is None:
            raise NotFound(f"no remember run {number}")
        return found

    async def rested(self) -> None:
        """Returns when nothing is being worked on and nothing is due."""
        await self._rested.wait()

    # Working ----------------------------------------------------------------------------------

    async def begin(self) -> None:
        """What a process that died had in hand is queued again. For the owner, before `run`."""
        found = await self._database.write(knowledge_queue.requeue_running)
        if found:
            _log.info(
                "queued again, since the process that remembered them ended: texts: %d", found
            )
        self._wake()

    async def run(self) -> None:
        while True:
            self._news.clear()
            try:
                wait = await self._look()
            except StoreError as error:
                _log.warning("the texts to remember wait for the database: %s", error)
                wait = PAUSE_AFTER_TROUBLE
            except Exception as error:
                _log.error("the queue of texts to remember broke", exc_info=error)
                wait = PAUSE_AFTER_TROUBLE
            if wait is None:
                await self._news.wait()
            elif wait:
                await self._rest(wait)

    async def close(self, seconds: float) -> None:
        """Begin no text that a model has to read; the one in hand, and those that need none, get
        `seconds`. What is left waits for the next start."""
        self._is_closing = True
        self._wake()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rested.wait()

    async def _look(self) -> float | None:
        """Work on one text; the seconds until there may be another one, None: when one comes."""
        claimed = await self._claim()
        if claimed is None:
            return await self._at_end()
        self._has_absorbed = True
        try:
            await self._work_on(claimed)
        finally:
            self._tell(claimed.held.run_id)
        return 0.0

    async def _at_end(self) -> float | None:
        if self._is_closing:
            self._rested.set()
            return None
        wait = await self._until_next()
        if wait is not None and wait <= SHORTEST_SLEEP:
            return SHORTEST_SLEEP
        self._tell_all()  # of what other workers have done
        if self._at_rest is not None and self._has_absorbed:
            self._has_absorbed = False
            await self._at_rest()
        if not self._news.is_set():
            self._rested.set()
        return wait

    async def _work_on(self, claimed: Claimed) -> None:
        async with self._database.reading() as reader:
            text = await knowledge_texts.get(reader, claimed.artifact_id)
        if text is None:
            return  # forgotten meanwhile, and its run with it
        failed = await self._absorbed(claimed, text)
        if failed is None:
            return
        _log.warning("remember run %s: %s", claimed.held.run_id, failed.why)
        if failed.may_pass:
            await self._postpone(claimed.held, failed)
        else:
            await self._fail(claimed.held, failed.why)

    async def _absorbed(self, claimed: Claimed, text: StoredText) -> _Failed | None:
        async with asyncio.TaskGroup() as beside:
            beating = beside.create_task(self._beat(claimed.held))
            failed = await self._tried(claimed, text)
            beating.cancel()
        return failed

    async def _tried(self, claimed: Claimed, text: StoredText) -> _Failed | None:
        try:
            await self._absorber.absorb(claimed, text)
        except LeaseLost:
            _log.warning("remember run %s is in other hands", claimed.held.run_id)
        except ProviderError as error:
            return _Failed(_told(error), _may_pass(error), error.details.resets_at)
        except StoreError as error:
            return _Failed(_told(error), may_pass=True)
        except Exception as error:
            _log.error("remember run %s broke", claimed.held.run_id, exc_info=error)
            told = _told(error) if isinstance(error, GligabaoError) else fault(error)
            return _Failed(told, claimed.held.attempt < MOST_FAULTS)
        return None

    async def _claim(self) -> Claimed | None:
        now = self._clock.now()
        until = timestamp(now + LEASE)
        kinds = self._absorber.unread_kinds if self._is_closing else None
        return await self._database.write(
            lambda tx: knowledge_queue.claim(tx, at=timestamp(now), lease_until=until, kinds=kinds)
        )

    async def _beat(self, held: Held) -> None:
        """Keep the lease while the text is being worked on; who has lost it finds out when he
        writes."""
        while True:
            await self._clock.sleep(BEAT_SECONDS)
            with suppress(StoreError):  # the next beat is in time
                await self._database.write(self._keeping(held))

    def _keeping(self, held: Held) -> Callable[[Transaction], bool]:
        until = timestamp(self._clock.now() + LEASE)
        return lambda tx: knowledge_queue.keep_lease(tx, held, lease_until=until)

    async def _postpone(self, held: Held, failed: _Failed) -> None:
        pause = min(FIRST_PAUSE * 2 ** min(held.attempt - 1, 12), LONGEST_PAUSE)
        soonest = self._clock.now() + pause
        until = timestamp(max(soonest, failed.not_before or soonest))
        await self._database.write(
            lambda tx: knowledge_queue.postpone(tx, held, until=until, error=failed.why)
        )

    async def _fail(self, held: Held, why: str) -> None:
        at = timestamp(self._clock.now())

        def work(tx: Transaction) -> bool:
            return knowledge_queue.settle(tx, held, Counts(), End("failed", at, why))

        await self._database.write(work)

    async def _until_next(self) -> float | None:
        """Until the next text is due, or the lease of one that another worker has is over."""
        due = await self._database.write(knowledge_queue.next_due)
        if due is None:
            return None
        seconds = (moment(due) - self._clock.now()).total_seconds() if due else 0.0
        return min(max(seconds, 0.0), LONGEST_SLEEP)

    async def _rest(self, seconds: float) -> None:
        """Until there is news, or so long."""
        async with asyncio.TaskGroup() as tasks:
            sleeping = tasks.create_task(self._clock.sleep(seconds))
            told = tasks.create_task(self._news.wait())
            await asyncio.wait([sleeping, told], return_when=asyncio.FIRST_COMPLETED)
            sleeping.cancel()
            told.cancel()

    def _wake(self) -> None:
        self._rested.clear()
        self._news.set()

    async def _when(self, number: int, is_it: Callable[[RememberRun], bool]) -> RememberRun:
        while True:
            with self._watched(number) as news:
                run = await self.get(number)
                if is_it(run):
                    return run
                await news

    @contextmanager
    def _watched(self, number: int) -> Iterator["asyncio.Future[None]"]:
        """Done when there is news of a text. Nothing is left of it after the scope."""
        news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(number, set()).add(news)
        try:
            yield news
        finally:
            self._waiting[number].discard(news)
            if not self._waiting[number]:
                del self._waiting[number]

    def _tell(self, number: int) -> None:
        for news in self._waiting.get(number, ()):
            if not news.done():
                news.set_result(None)

    def _tell_all(self) -> None:
        for number in tuple(self._waiting):
            self._tell(number)


def _as_accepted(run: RememberRun) -> RememberRun:
    """Without what the queue may have done since, so that the same call always tells the same."""
    return RememberRun(
        id=run.id,
        user_id=run.user_id,
        dataset=run.dataset,
        kind=run.kind,
        session_id=run.session_id,
        status="queued",
        artifact_id=run.artifact_id,
        source=run.source,
        chars=run.chars,
        artifacts=run.artifacts,
        queued_at=run.queued_at,
    )


def _is_open(run: RememberRun) -> bool:
    return run.status in ("queued", "running")


def _is_postponed(run: RememberRun) -> bool:
    return run.status == "queued" and bool(run.next_attempt_at)


def _may_pass(error: ProviderError) -> bool:
    """A call that took too long is final for its run, and may be quick another time."""
    return error.kind in RETRIED and (error.kind == "timeout" or not error.details.is_final)


def _told(error: BaseException) -> str:
    return redacted(clean(str(error)))
