"""What model calls cost: pure arithmetic on prices and usage; it never looks a price up.

Source of the rules: D8 and the seeds (a model without a price counts 0 for tokens,
searches still count).
"""

from dataclasses import dataclass, replace

from engine.domain.usage import Usage
from engine.settings import PriceOverride

WEB_SEARCH_USD = 0.01
"""One billed search of the server tool, whatever the model."""

TOKENS_PER_PRICE = 1_000_000
CHARACTERS_PER_TOKEN = 3.5
"""Of the tokenizers since Claude 4.7, for English text; estimates only."""

_ROUNDING_USD = 1e-9
CACHE_READ_RATIO = 0.1
CACHE_WRITE_5M_RATIO = 1.25
CACHE_WRITE_1H_RATIO = 2.0


@dataclass(frozen=True, slots=True)
class Rates:
    """USD per million tokens of each kind."""

    input: float
    output: float
    cache_read: float
    cache_write_5m: float
    cache_write_1h: float


@dataclass(frozen=True, slots=True)
class Step:
    """Other rates, for all tokens of a request whose prompt is longer than this."""

    above_prompt_tokens: int
    rates: Rates


@dataclass(frozen=True, slots=True)
class Price:
    """What one model costs. `step` is for models that charge long prompts differently."""

    rates: Rates
    step: Step | None = None


FREE = Price(Rates(0.0, 0.0, 0.0, 0.0, 0.0))


def price_of(override: PriceOverride) -> Price:
    """The price that `[prices."model-id"]` states.

    Cache prices that are left out follow the usual multiples of the input price: 0.1 for reading,
    1.25 and 2 for writing for five minutes and for an hour.
    """
    return Price(
        Rates(
            input=override.input,
            output=override.output,
            cache_read=_given(override.cache_read, override.input * CACHE_READ_RATIO),
            cache_write_5m=_given(override.cache_write_5m, override.input * CACHE_WRITE_5M_RATIO),
            cache_write_1h=_given(override.cache_write_1h, override.input * CACHE_WRITE_1H_RATIO),
        )
    )


def cost(price: Price | None, usage: Usage) -> float:
    """USD for `usage`. Without a price tokens cost 0 and searches still count."""
    searches = usage.searches * WEB_SEARCH_USD
    if price is None:
        return searches
    rates = rates_for(price, usage.prompt_tokens)
    micro_usd = (
        usage.input_tokens * rates.input
        + usage.output_tokens * rates.output
        + usage.cache_read_tokens * rates.cache_read
        + usage.cache_write_5m_tokens * rates.cache_write_5m
        + usage.cache_write_1h_tokens * rates.cache_write_1h
    )
    return micro_usd / TOKENS_PER_PRICE + searches


def lacks_price(price: Price | None, used: Usage) -> bool:
    """Whether what was used was counted as nothing because nobody knew what it costs: then, or
    now. A model that is free by its price lacks none."""
    if used.cost_usd - used.searches * WEB_SEARCH_USD > _ROUNDING_USD:
        return False
    return price is None or cost(price, replace(used, searches=0)) > 0


def rates_for(price: Price, prompt_tokens: int) -> Rates:
    """The rates of a request whose prompt, with its cached parts, has this many tokens."""
    if price.step is not None and prompt_tokens > price.step.above_prompt_tokens:
        return price.step.rates
    return price.rates


def reservation(price: Price | None, characters: int, *, max_tokens: int) -> float:
    """USD to set aside while a request of that size is open: its input and all of `max_tokens`."""
    if price is None:
        return 0.0
    prompt_tokens = estimated_tokens(characters)
    return cost(price, Usage(input_tokens=prompt_tokens, output_tokens=max_tokens))


def estimated_tokens(characters: int) -> int:
    """About how many tokens a text of this length has."""
    return round(characters / CHARACTERS_PER_TOKEN)


def _given(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value
