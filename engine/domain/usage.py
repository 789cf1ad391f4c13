"""What model calls consumed: tokens, searches and money, as one value that adds up."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens by kind, billed searches, and the price once it was computed.

    The API's `input_tokens` excludes what was read from or written to the prompt cache; so does
    `input_tokens` here. `prompt_tokens` is all of it, and what a run counts as its input.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_5m_tokens: int = 0
    cache_write_1h_tokens: int = 0
    searches: int = 0
    cost_usd: float = 0.0
    is_estimate: bool = False
    """True when the service did not say, as after a cancelled stream."""

    @property
    def cache_write_tokens(self) -> int:
        return self.cache_write_5m_tokens + self.cache_write_1h_tokens

    @property
    def prompt_tokens(self) -> int:
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_5m_tokens=self.cache_write_5m_tokens + other.cache_write_5m_tokens,
            cache_write_1h_tokens=self.cache_write_1h_tokens + other.cache_write_1h_tokens,
            searches=self.searches + other.searches,
            cost_usd=self.cost_usd + other.cost_usd,
            is_estimate=self.is_estimate or other.is_estimate,
        )
