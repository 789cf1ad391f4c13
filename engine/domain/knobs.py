"""The settings of the investigative loop, with their ranges: the `[investigate]` of a definition.

Pure. A field of 0 in a request means "as the definition says"; here every field has its value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Knobs:
    """How long and how thoroughly an investigative run works."""

    max_iterations: int = 60
    max_total_tokens: int = 1_500_000
    synthesis_reserve: float = 0.15
    """Share of the budget that is kept for writing the report."""
    gate_priority: float = 0.5
    """Questions of this priority and above must be settled before exploration may end."""
    min_sources: int = 5
    min_domains: int = 3
    keep_turns: int = 2
    extraction_threshold: int = 4000
    """Characters."""
    notes_max_tokens: int = 6000
    max_reopens: int = 1
    """-1: none."""
    max_depth: int = 3
    max_questions: int = 40
    max_children: int = 6
    max_attempts: int = 5
    max_parallel: int = 1


class Range(NamedTuple):
    """Both ends belong to it."""

    lowest: float
    highest: float


RANGES: Mapping[str, Range] = {
    "max_iterations": Range(4, 400),
    "max_total_tokens": Range(20_000, 20_000_000),
    "synthesis_reserve": Range(0.05, 0.5),
    "gate_priority": Range(0.01, 1),
    "min_sources": Range(1, 50),
    "min_domains": Range(1, 50),
    "keep_turns": Range(1, 10),
    "extraction_threshold": Range(500, 100_000),
    "notes_max_tokens": Range(1000, 50_000),
    "max_reopens": Range(-1, 5),
    "max_depth": Range(1, 5),
    "max_questions": Range(5, 200),
    "max_children": Range(2, 12),
    "max_attempts": Range(1, 20),
    "max_parallel": Range(1, 4),
}
SHARES = ("synthesis_reserve", "gate_priority")
"""The knobs that are no whole numbers."""
