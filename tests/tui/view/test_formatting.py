"""Times, money and tokens as they are shown."""

from datetime import UTC, datetime

import pytest

from gligabao_tui.view import formatting


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0:00"), (7.9, "0:07"), (302, "5:02"), (3902, "1:05:02"), (-4, "0:00")],
)
def test_running_times(seconds: float, told: str) -> None:
    assert formatting.duration(seconds) == told


@pytest.mark.req("R154")
@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "now"), (59, "now"), (60, "1m"), (7_300, "2h"), (180_000, "2d"), (8_000_000, "3mo")],
)
def test_ages_are_told_in_their_coarsest_unit(seconds: float, told: str) -> None:
    assert formatting.age(seconds) == told


@pytest.mark.parametrize(
    ("usd", "told"),
    [
        (0, "$0.00"),
        (0.0001, "<$0.001"),
        (0.0034, "$0.003"),
        (0.174, "$0.17"),
        (1204.5, "$1,204.50"),
    ],
)
def test_money(usd: float, told: str) -> None:
    assert formatting.money(usd) == told


@pytest.mark.parametrize(
    ("count", "told"), [(950, "950"), (12_400, "12.4k"), (999_960, "1.0M"), (1_234_567, "1.2M")]
)
def test_tokens(count: int, told: str) -> None:
    assert formatting.tokens(count) == told


def test_a_time_that_cannot_be_read_counts_as_no_time() -> None:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    assert formatting.seconds_between("not a time", None, now) == 0
    assert formatting.time_of_day("2026-11-01T13:58:21.120Z") == "13:58:21"
    assert formatting.time_of_day("?") == "?"


def test_ages_in_a_sentence() -> None:
    assert (formatting.ago(5), formatting.ago(130)) == ("just now", "2m ago")
    assert formatting.count_of(1, "state", "states") == "1 state"


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.04, "0.0s"), (3.21, "3.2s"), (9.96, "0:09"), (75, "1:15")]
)
def test_short_states_are_told_in_tenths_of_a_second(seconds: float, told: str) -> None:
    assert formatting.short_duration(seconds) == told
