"""What an agent may do with a knowledge base: add a text, ask a question (seeds 000 and 001).

Each agent is given a view of its own, over its user, its dataset and its session.
"""

from typing import Protocol

from engine.domain.knowledge import QueryAnswer, RememberRun


class Knowledge(Protocol):
    """Both raise UserError and ProviderError; what is behind them says what went wrong."""

    async def remember(self, text: str, *, source: str = "", wait: bool = False) -> RememberRun:
        """Queue a text; with `wait`, return when it is in the knowledge base or cannot be."""
        ...

    async def query(self, question: str) -> QueryAnswer: ...
