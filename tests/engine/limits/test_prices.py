"""Tests of engine.limits.prices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.usage import Usage
from engine.limits.prices import (
    FREE,
    Price,
    Rates,
    Step,
    cost,
    price_of,
    reservation,
)
from engine.settings import PriceOverride

SONNET = Price(Rates(2.0, 10.0, 0.10, 2.5, 4.0))
HAIKU = Price(
    Rates(0.10, 0.50, 0.01, 0.125, 0.20), Step(100_000, Rates(0.50, 2.50, 0.05, 0.625, 1.00))
)
MILLION = 1_000_000

tokens = st.integers(0, 10**7)
usages = st.builds(
    Usage,
    input_tokens=tokens,
    output_tokens=tokens,
    cache_read_tokens=tokens,
    cache_write_5m_tokens=tokens,
    cache_write_1h_tokens=tokens,
    searches=st.integers(0, 50),
)


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(input_tokens=MILLION), 2.0),
        (Usage(output_tokens=MILLION), 10.0),
        (Usage(cache_read_tokens=MILLION), 0.10),
        (Usage(cache_write_5m_tokens=MILLION), 2.5),
        (Usage(cache_write_1h_tokens=MILLION), 4.0),
        (Usage(searches=3), 0.03),
        (Usage(input_tokens=1000, output_tokens=200, cache_read_tokens=50_000), 0.009),
    ],
)
def test_each_kind_of_token_and_each_search_is_charged(usage: Usage, dollars: float) -> None:
    assert cost(SONNET, usage) == pytest.approx(dollars)


@pytest.mark.req("R081")
def test_without_a_price_tokens_are_free_and_searches_are_not() -> None:
    assert cost(None, Usage(input_tokens=MILLION, output_tokens=MILLION, searches=2)) == 0.02


def test_a_long_prompt_is_charged_at_the_step_for_all_its_tokens() -> None:
    below = Usage(input_tokens=60_000, cache_read_tokens=40_000, output_tokens=1000)
    above = Usage(input_tokens=60_001, cache_read_tokens=40_000, output_tokens=1000)
    assert cost(HAIKU, below) == pytest.approx(0.0069)
    assert cost(HAIKU, above) == pytest.approx(0.0345005)


@given(usages, usages)
def test_cost_adds_up_without_a_step(one: Usage, other: Usage) -> None:
    together = cost(SONNET, one + other)
    assert together == pytest.approx(cost(SONNET, one) + cost(SONNET, other))


@given(usages)
def test_cost_is_never_negative_and_free_costs_only_searches(usage: Usage) -> None:
    assert cost(HAIKU, usage) >= cost(FREE, usage) == cost(None, usage) >= 0


def test_an_override_keeps_what_it_states_and_derives_the_cache_prices() -> None:
    assert price_of(PriceOverride(4.0, 20.0)).rates == Rates(4.0, 20.0, 0.4, 5.0, 8.0)
    stated = PriceOverride(4.0, 20.0, cache_read=0.0, cache_write_5m=1.0, cache_write_1h=2.0)
    assert price_of(stated).rates == Rates(4.0, 20.0, 0.0, 1.0, 2.0)


def test_a_reservation_is_the_estimated_prompt_and_all_of_max_tokens() -> None:
    dollars = reservation(SONNET, 3500, max_tokens=1000)
    assert dollars == pytest.approx((1000 * 2.0 + 1000 * 10.0) / MILLION)
    assert reservation(None, 3500, max_tokens=1000) == 0.0
