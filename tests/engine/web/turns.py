"""How often an event loop turned to its other work while something was awaited."""

import asyncio
from collections.abc import Awaitable


async def turns_during(work: Awaitable[object]) -> int:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as counting:
        task = counting.create_task(count())
        try:
            await work
        finally:
            task.cancel()
    return turns
