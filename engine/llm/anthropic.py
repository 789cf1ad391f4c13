"""The models of Anthropic, and of servers that speak the same protocol.

The SDK takes seconds to import, so nothing here touches it before the first call; then a thread
loads it, and the loop goes on.
"""

import asyncio
from typing import Protocol

from engine.domain.errors import ProviderError
from engine.domain.exchange import Reply, Request
from engine.domain.timing import Timing
from engine.llm.model import OnProgress
from engine.settings import EndpointSettings


class _Connection(Protocol):
    """What `anthropic_stream.Connection` is to this module."""

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply: ...

    async def aclose(self) -> None: ...


class AnthropicModel:
    """Fulfils `engine.llm.model.Model` over the Messages API.

    One value per event loop serves many runs; `aclose` when the loop's work is done. Servers of
    one's own (`endpoint.base_url`) need no key.
    """

    def __init__(self, api_key: str, endpoint: EndpointSettings, timing: Timing) -> None:
        self._api_key = api_key
        self._endpoint = endpoint
        self._timing = timing
        self._connection: _Connection | None = None
        self._connecting = asyncio.Lock()

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        """One attempt; see `Model`."""
        if not self._api_key and not self._endpoint.base_url:
            raise ProviderError(
                "auth",
                f"{request.model} needs a key: set ANTHROPIC_API_KEY, or anthropic_api_key in"
                " gligabao.toml, or choose the model offline",
            )
        connection = await self._connected()
        return await connection.reply(request, on_progress)

    async def aclose(self) -> None:
        """Close the connections. A later call opens new ones."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.aclose()

    async def _connected(self) -> _Connection:
        """The lock keeps it to one connection when many agents make their first call at once."""
        async with self._connecting:
            if self._connection is None:
                self._connection = await asyncio.to_thread(self._connect)
            return self._connection

    def _connect(self) -> _Connection:
        from engine.llm.anthropic_stream import Connection

        return Connection(self._api_key, self._endpoint, self._timing)
