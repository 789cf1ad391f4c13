"""Which search a run uses where the settings leave it open."""

from pathlib import Path

import pytest

from engine.manager.outfit import search_provider_of
from engine.settings import OFFLINE_MODEL, SearchSettings, Settings

KEYED = Settings(Path("data"), anthropic_api_key="sk-test")


@pytest.mark.parametrize(
    ("settings", "model", "provider"),
    [
        (Settings(Path("data")), "claude-sonnet-5-5", "ddgs"),
        (KEYED, "claude-sonnet-5-5", "anthropic"),
        (KEYED, OFFLINE_MODEL, "ddgs"),
        (
            Settings(Path("data"), search=SearchSettings(provider="anthropic")),
            OFFLINE_MODEL,
            "anthropic",
        ),
    ],
)
def test_a_run_that_costs_nothing_is_sent_to_no_search_that_does(
    settings: Settings, model: str, provider: str
) -> None:
    assert search_provider_of(settings, model) == provider
