"""Tests of engine.llm.price_table: every row of the official price page of November 2026."""

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from engine.domain.blocks import user_message
from engine.domain.exchange import Request
from engine.domain.usage import Usage
from engine.limits.prices import FREE, Price, Rates, Step
from engine.llm.price_table import PriceTable
from engine.settings import PriceOverride

FABLE_5_2 = Rates(8, 40, 0.20, 10, 16)
FABLE_5_1 = Rates(10, 50, 0.25, 12.5, 20)
FABLE_5 = Rates(10, 50, 1.0, 12.5, 20)
OPUS = Rates(5, 25, 0.5, 6.25, 10)
SONNET_4 = Rates(3, 15, 0.3, 3.75, 6)

PUBLISHED = {
    "claude-fable-5-2": FABLE_5_2,
    "claude-mythos-5-2": FABLE_5_2,
    "claude-fable-5-1": FABLE_5_1,
    "claude-mythos-5-1": FABLE_5_1,
    "claude-fable-5": FABLE_5,
    "claude-mythos-5": FABLE_5,
    "claude-opus-5-5": Rates(4, 20, 0.20, 5, 8),
    "claude-opus-5": OPUS,
    "claude-opus-4-8": OPUS,
    "claude-opus-4-7": OPUS,
    "claude-opus-4-6": OPUS,
    "claude-opus-4-5": OPUS,
    "claude-sonnet-5-5": Rates(2, 10, 0.10, 2.5, 4),
    "claude-sonnet-5": Rates(2, 10, 0.20, 2.5, 4),
    "claude-sonnet-4-6": SONNET_4,
    "claude-sonnet-4-5": SONNET_4,
    "claude-haiku-5-5": Rates(0.10, 0.50, 0.01, 0.125, 0.20),
    "claude-haiku-4-5": Rates(1, 5, 0.10, 1.25, 2),
}


@pytest.mark.req("R078")
@pytest.mark.parametrize(("model", "rates"), PUBLISHED.items())
def test_the_published_price_of_each_model_is_known(model: str, rates: Rates) -> None:
    price = PriceTable().price(model)
    assert price is not None
    assert price.rates == rates


def test_haiku_5_5_costs_more_above_a_hundred_thousand_prompt_tokens() -> None:
    price = PriceTable().price("claude-haiku-5-5")
    assert price == Price(
        PUBLISHED["claude-haiku-5-5"], Step(100_000, Rates(0.50, 2.50, 0.05, 0.625, 1.00))
    )


def test_dated_names_of_a_model_have_its_price() -> None:
    table = PriceTable()
    assert table.price("claude-haiku-4-5-20251001") == table.price("claude-haiku-4-5")


def test_a_price_that_changed_is_the_newest_unless_a_time_is_given() -> None:
    january = PriceTable(at=datetime(2026, 1, 1, tzinfo=UTC)).price("claude-opus-4-6")
    newest = PriceTable().price("claude-opus-4-6")
    assert january is not None
    assert january.step is not None
    assert newest == Price(OPUS)


@pytest.mark.req("R081")
def test_an_unknown_model_has_no_price_and_only_its_searches_cost() -> None:
    table = PriceTable()
    assert not table.is_known("llama-9")
    assert table.cost("llama-9", Usage(input_tokens=10**6, searches=1)) == 0.01
    assert table.reservation(Request("agent", "llama-9", "s", (user_message("t"),)), 100) == 0.0


def test_an_override_wins_over_what_is_published() -> None:
    table = PriceTable({"claude-opus-5-5": PriceOverride(1, 2), "llama-9": PriceOverride(3, 4)})
    assert table.cost("claude-opus-5-5", Usage(output_tokens=10**6)) == 2.0
    assert table.cost("llama-9", Usage(input_tokens=10**6)) == 3.0


@pytest.mark.parametrize("model", ["offline", "recorded:7"])
def test_the_offline_model_and_recorded_runs_are_known_to_be_free(model: str) -> None:
    table = PriceTable()
    assert table.is_known(model)
    assert table.price(model) == FREE


async def test_preparing_a_model_looks_it_up_once_and_for_all() -> None:
    table = PriceTable()
    await table.prepare("claude-opus-5-5")
    first = table.price("claude-opus-5-5")
    await table.prepare("claude-opus-5-5")
    assert table.price("claude-opus-5-5") is first is not None


def test_the_price_data_is_not_loaded_before_a_price_needs_it() -> None:
    program = (
        "import sys; from engine.llm.price_table import PriceTable; table = PriceTable();"
        "table.price('offline'), table.price('recorded:1');"
        "assert 'genai_prices' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
