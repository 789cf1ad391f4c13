"""Replays the stored steps of a run as a model: no network, no cost, the same replies.

It must never make an answer up: what was not recorded is a ProviderError of kind `replay`.
"""

from collections.abc import Sequence

from engine.domain.errors import ProviderError
from engine.domain.exchange import Reply, Request
from engine.domain.run import StoredStep
from engine.domain.usage import Usage
from engine.llm.model import OnProgress
from engine.llm.pieces import text_deltas


class RecordedModel:
    """Fulfils `engine.llm.model.Model` from the steps of one run of the simple loop.

    A request is answered with step k, k being one more than the assistant turns in it.
    """

    def __init__(self, steps: Sequence[StoredStep]) -> None:
        self._steps = {step.step: step for step in steps}

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        """The recorded reply, its usage zero; its text streams at once."""
        step = self._step(request)
        for delta in text_deltas(step.content):
            on_progress(delta)
        return Reply(step.content, step.stop_reason, Usage(), step.model)

    def _step(self, request: Request) -> StoredStep:
        if request.purpose != "agent":
            raise ProviderError(
                "replay", f"a recorded run holds no replies to calls for {request.purpose}"
            )
        number = 1 + sum(message.role == "assistant" for message in request.messages)
        if number not in self._steps:
            last = max(self._steps, default=0)
            raise ProviderError(
                "replay",
                f"the recorded run has no step {number}, its last one is step {last}: it was"
                " recorded up to there, or with another topic or other tools",
            )
        return self._steps[number]
