"""Reads the genai-prices data; imported only when a model's price must be looked up.

It must never fetch newer data: what a run cost may not depend on the network.
"""

from datetime import datetime
from decimal import Decimal
from typing import TypeAlias

from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import ModelPrice, TieredPrices

from engine.limits.prices import Price, Rates, Step, price_of
from engine.settings import PriceOverride

Stated: TypeAlias = Decimal | TieredPrices | None

PROVIDER = "anthropic"


def published_price(model: str, at: datetime) -> Price | None:
    """What Anthropic charged for `model` at that time; None when the data does not say."""
    try:
        _, found = get_snapshot().find_provider_model(model, None, PROVIDER, None)
    except LookupError:
        return None
    stated = found.get_prices(at)
    base = _rates(stated, 0)
    threshold = _threshold(stated.input_mtok)
    if base is None or threshold is None:
        return None if base is None else Price(base)
    above = _rates(stated, threshold + 1)
    return Price(base) if above is None else Price(base, Step(threshold, above))


def _threshold(stated: Stated) -> int | None:
    return stated.tiers[0].start if isinstance(stated, TieredPrices) and stated.tiers else None


def _rates(stated: ModelPrice, prompt_tokens: int) -> Rates | None:
    """None without an input and an output price; cache prices that are missing are derived."""
    incoming = _usd(stated.input_mtok, prompt_tokens)
    outgoing = _usd(stated.output_mtok, prompt_tokens)
    if incoming is None or outgoing is None:
        return None
    return price_of(
        PriceOverride(
            input=incoming,
            output=outgoing,
            cache_read=_usd(stated.cache_read_mtok, prompt_tokens),
            cache_write_5m=_usd(stated.cache_write_mtok, prompt_tokens),
            cache_write_1h=_usd(stated.cache_write_1h_mtok, prompt_tokens),
        )
    ).rates


def _usd(stated: Stated, prompt_tokens: int) -> float | None:
    if isinstance(stated, TieredPrices):
        crossed = [tier.price for tier in stated.tiers if prompt_tokens > tier.start]
        return float(crossed[-1] if crossed else stated.base)
    return None if stated is None else float(stated)
