"""What a run will have cost: a range from its steps so far, and the step that reaches the cap."""

from hypothesis import given
from hypothesis import strategies as st

from gligabao_tui.view.cost import forecast_words
from gligabao_tui.view.forecast import forecast

STEP_COSTS = st.lists(st.floats(0.0001, 2.0), min_size=2, max_size=39)


def test_there_is_no_forecast_before_two_steps_nor_after_the_last() -> None:
    assert forecast([], steps=20) is None
    assert forecast([0.02], steps=20) is None
    assert forecast([0.02] * 20, steps=20) is None
    assert forecast([0.0, 0.0, 0.0], steps=20) is None


def test_steps_that_cost_the_same_give_one_figure() -> None:
    expected = forecast([0.02] * 5, steps=20)
    assert expected is not None
    assert (round(expected.low_usd, 6), round(expected.high_usd, 6)) == (0.4, 0.4)
    assert forecast_words(expected, 0.0) == "about $0.40 if it uses all 20 steps"


def test_growing_steps_give_a_range_above_their_mean() -> None:
    costs = [0.01 * step for step in range(1, 9)]
    expected = forecast(costs, steps=20)
    assert expected is not None
    assert expected.low_usd > sum(costs) / 8 * 20
    assert expected.high_usd > expected.low_usd
    assert forecast_words(expected, 0.0).endswith("if it uses all 20 steps")
    assert " to $" in forecast_words(expected, 0.0)


def test_the_last_steps_say_more_than_the_first() -> None:
    grew = forecast([0.01, 0.01, 0.05, 0.05], steps=10)
    shrank = forecast([0.05, 0.05, 0.01, 0.01], steps=10)
    assert grew is not None
    assert shrank is not None
    assert grew.middle_usd > shrank.middle_usd


def test_the_step_that_reaches_the_cap_is_told() -> None:
    expected = forecast([0.1] * 4, steps=20, cap_usd=1.0)
    assert expected is not None
    assert expected.cap_step == 10
    assert forecast_words(expected, 1.0) == "reaches the cap of $1.00 at about step 10 of 20"


def test_a_cap_that_only_dear_steps_would_reach_is_a_maybe() -> None:
    costs = [0.01 * step for step in range(1, 9)]
    free = forecast(costs, steps=20)
    assert free is not None
    expected = forecast(costs, steps=20, cap_usd=free.high_usd * 0.99)
    assert expected is not None
    assert (expected.cap_step, expected.may_reach_cap) == (None, True)
    assert forecast_words(expected, 1.0).endswith("; it may reach the cap before")


@given(STEP_COSTS, st.floats(0.0, 60.0))
def test_a_forecast_never_falls_below_what_was_spent(costs: list[float], cap: float) -> None:
    expected = forecast(costs, steps=40, cap_usd=cap)
    assert expected is not None
    spent = sum(costs)
    assert spent <= expected.low_usd <= expected.middle_usd <= expected.high_usd
    assert len(expected.path_usd) == 40 - len(costs)
    assert list(expected.path_usd) == sorted(expected.path_usd)
    assert abs(expected.path_usd[-1] - expected.middle_usd) < 1e-6
    if expected.cap_step is not None:
        assert len(costs) < expected.cap_step <= 40
        assert expected.may_reach_cap
    assert "$" in forecast_words(expected, cap)
