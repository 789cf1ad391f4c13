"""Background tasks of one scope, whose own error leaves the scope as it is.

A bare `asyncio.TaskGroup` wraps what its body raises in an ExceptionGroup; a context manager that
runs something beside its user must not change what the user sees.
"""

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Workers:
    """Tasks that end before the scope does: it waits for them, so ask them to end first."""

    def __init__(self) -> None:
        self._group = asyncio.TaskGroup()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> "Workers":
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._group.__aexit__(None, None, None)

    def start(self, work: Coroutine[Any, Any, Answer], *, name: str = "") -> asyncio.Task[Answer]:
        task = self._group.create_task(work, name=name or None)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()


async def to_the_end(work: Coroutine[Any, Any, Answer]) -> Answer:
    """What `work` gives, however often the caller is cancelled meanwhile.

    A cancellation passes when `work` has ended. So `work` must be short and end by itself.
    """
    doing = asyncio.shield(work)
    cancelled: asyncio.CancelledError | None = None
    while not doing.done():
        try:
            await asyncio.wait([doing])
        except asyncio.CancelledError as error:
            cancelled = error
    answer = doing.result()
    if cancelled is not None:
        raise cancelled
    return answer
