"""What a run has cost, step by step: values only; nothing here may price anything."""

from dataclasses import dataclass

from engine.domain.run import RunId


@dataclass(frozen=True, slots=True)
class Charge:
    """What one step did in one kind of state, with one model."""

    step: int
    state: str
    """The state in which it was spent: `thinking`, `searching`, `reading`, ..."""
    model: str
    """Empty for a tool that called no model."""
    calls: int
    """Attempts at the model API, failed ones too; calls of the tool where there is no model."""
    input_tokens: int
    """Without those of the prompt cache, as the model API counts them."""
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    searches: int
    cost_usd: float
    is_estimate: bool
    """The service did not say what was used (a call that was cut off), or the model has no
    price."""
    finished_at: str | None
    """When the last of it ended; None while it is going on."""
    failed: int = 0
    """How many of the attempts at the model API failed or were lost."""

    @property
    def prompt_tokens(self) -> int:
        """All that was sent: what a run counts as its input."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens


@dataclass(frozen=True, slots=True)
class RunCosts:
    """The charges of a run by step, and within one in the order they happened.

    Their sum is the run's own `cost_usd`, and their tokens are its tokens.
    """

    run_id: RunId
    charges: tuple[Charge, ...] = ()
    max_cost_usd: float = 0.0
    """The cap of the run; 0: none."""
    unpriced: tuple[str, ...] = ()
    """Models without a price: what they were used for counts 0."""
    knowledge_usd: float = 0.0
    """What the knowledge base has spent on what the run remembered and asked, in USD. It is no part
    of the run's cost, and goes on after its end (seed 000)."""
