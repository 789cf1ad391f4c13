"""Calls to whichever process owns the data at the moment, through a change of owner.

Reads are repeated when the owner goes in the middle of one. Nothing that changes something is ever
sent twice: it may have been carried out.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from engine.contract import Engine
from engine.domain.errors import EngineUnreachable
from engine.remote.client import ConnectionLost
from engine.remote.keeper import Keeper

Answer = TypeVar("Answer")

MOST_TRIES = 3
"""An owner that dies of one and the same question is not asked for ever."""


class Calls:
    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def again(self, call: Callable[[Engine], Awaitable[Answer]]) -> Answer:
        """A call that changes nothing: when the owner goes, the next one is asked."""
        for _ in range(MOST_TRIES):
            engine = await self._keeper.side()
            try:
                return await call(engine)
            except ConnectionLost as exc:
                self._keeper.lost(engine)
                lost = exc
        raise lost

    async def once(
        self, call: Callable[[Engine], Awaitable[Answer]], *, shows_in: str = "the list of runs"
    ) -> Answer:
        """A call that changes something: repeated only when it was surely not carried out.
        `shows_in` is where a person sees whether it was."""
        for _ in range(MOST_TRIES):
            engine = await self._keeper.side()
            try:
                return await call(engine)
            except ConnectionLost as exc:
                self._keeper.lost(engine)
                lost = exc
                if exc.was_sent:
                    break
        raise EngineUnreachable(f"{lost}; whether it was carried out shows in {shows_in}")
