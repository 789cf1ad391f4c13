"""`gligabao` with a model that never answers, as a process of its own for tests about signals.

`python -m tests.surfaces.waiting_program WORDS...`; with STUBBORN set, the model also takes no
notice of being cancelled, so that a stop takes for ever.
"""

import asyncio
import os
from functools import partial
from typing import NoReturn

from engine.domain.exchange import Reply, Request
from engine.domain.timing import Timing
from engine.llm.model import OnProgress
from engine.wiring import Parts, connect
from gligabao_tui.headless.cli import main


class Waiting:
    """Fulfils `engine.llm.model.Model`."""

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if not os.environ.get("STUBBORN"):
                    raise


def no_app(*_: object) -> NoReturn:
    raise AssertionError("nobody asked for the app")


if __name__ == "__main__":
    parts = Parts(timing=Timing(closing_calls=0.1), models=lambda _: Waiting())
    main(no_app, connect=partial(connect, parts=parts))
