"""Knows the price of every model: overrides first, then what this file knows, then genai-prices.

It never asks a network, and it loads the price data (0.3 s) only for a model that needs it.
"""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime

from engine.domain.exchange import Request
from engine.domain.run import RECORDED_PREFIX
from engine.domain.usage import Usage
from engine.limits import prices
from engine.limits.prices import FREE, Price, Rates
from engine.settings import OFFLINE_MODEL, PriceOverride

PACKAGED: Mapping[str, Price] = {
    "claude-mythos-5-1": Price(Rates(10.0, 50.0, 0.25, 12.5, 20.0)),
    "claude-mythos-5": Price(Rates(10.0, 50.0, 1.0, 12.5, 20.0)),
}
"""Models that the genai-prices data lacks, from the official price page of November 2026."""

NEWEST = datetime.max.replace(tzinfo=UTC)


class PriceTable:
    """Prices by model id, each looked up once.

    `overrides` come from `[prices."model-id"]`. Where the data holds several prices of a model by
    date, those valid at `at` count, or else the newest.
    """

    def __init__(
        self, overrides: Mapping[str, PriceOverride] | None = None, *, at: datetime = NEWEST
    ) -> None:
        self._at = at
        self._known: dict[str, Price | None] = {OFFLINE_MODEL: FREE}
        for model, override in (overrides or {}).items():
            self._known[model] = prices.price_of(override)

    def price(self, model: str) -> Price | None:
        """None when nobody knows what `model` costs. Recorded runs and the offline model: free."""
        if model not in self._known:
            self._known[model] = self._look_up(model)
        return self._known[model]

    def is_known(self, model: str) -> bool:
        return self.price(model) is not None

    def cost(self, model: str, usage: Usage) -> float:
        """USD for `usage` of `model`; without a price only its searches cost."""
        return prices.cost(self.price(model), usage)

    def reservation(self, request: Request, characters: int) -> float:
        """USD to set aside while `request`, of that size, is open."""
        price = self.price(request.model)
        return prices.reservation(price, characters, max_tokens=request.max_tokens)

    async def prepare(self, model: str) -> None:
        """Look `model` up without holding up the loop while the price data loads."""
        if model not in self._known:
            self._known[model] = await asyncio.to_thread(self._look_up, model)

    def _look_up(self, model: str) -> Price | None:
        if model.startswith(RECORDED_PREFIX):
            return FREE
        if model in PACKAGED:
            return PACKAGED[model]
        from engine.llm.published_prices import published_price

        return published_price(model, self._at)
