"""Tests of engine.llm.capabilities: the data is complete and found by every name of a model."""

import pytest

from engine.llm.capabilities import KNOWN, UNKNOWN, capabilities_of
from engine.llm.price_table import PriceTable
from tests.fakes.messages_rules import UNFORCED_MODELS


@pytest.mark.parametrize(
    "name", ["claude-haiku-4-5", "claude-haiku-4-5-20251001", "anthropic/claude-haiku-4-5"]
)
def test_a_model_is_found_with_its_date_and_a_gateways_prefix(name: str) -> None:
    assert capabilities_of(name) == KNOWN["claude-haiku-4-5"]


def test_of_an_unknown_model_nothing_is_assumed() -> None:
    assert capabilities_of("claude-haiku-4") == UNKNOWN == capabilities_of("llama-9")
    assert not UNKNOWN.forced_tool
    assert UNKNOWN.thinking is UNKNOWN.no_thinking is None


@pytest.mark.parametrize("model", KNOWN)
def test_every_model_that_is_known_has_a_price(model: str) -> None:
    assert PriceTable().is_known(model)


@pytest.mark.parametrize("model", UNFORCED_MODELS)
def test_tools_are_not_forced_on_models_that_refuse_it(model: str) -> None:
    assert not capabilities_of(model).forced_tool
