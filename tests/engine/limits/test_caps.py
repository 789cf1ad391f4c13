"""When a cap is reached, and what the report then says."""

from hypothesis import given
from hypothesis import strategies as st

from engine.limits.caps import Breach, Caps, Spent, breach, closing_sentence, lowest

MONEY = st.floats(0, 100)


def test_a_cap_is_reached_at_its_own_amount() -> None:
    caps = Caps(research_usd=5.0)
    assert breach(caps, Spent(4.99, 4.99)) is None
    assert breach(caps, Spent(5.0, 5.0)) == Breach("research", 5.0)


def test_open_reservations_of_the_others_count() -> None:
    assert breach(Caps(research_usd=5.0), Spent(1.0, 4.0, reserved_usd=1.0)) is not None


def test_the_agents_own_cap_is_told_as_such() -> None:
    found = breach(Caps(agent_usd=1.0, research_usd=5.0), Spent(1.5, 2.0))
    assert found is not None
    assert found.sentence.startswith("*Stopped early: this agent's cost cap ($1.00) was reached")


@given(MONEY, MONEY)
def test_without_a_cap_nothing_is_reached(own: float, research: float) -> None:
    assert breach(Caps(), Spent(own, research)) is None


def test_the_lowest_cap_that_is_set_counts() -> None:
    assert lowest(None, 0.0, 3.0, 2.0) == 2.0
    assert lowest(None, 0.0) == 0.0


def test_the_sentence_of_a_capped_report_is_found_again() -> None:
    sentence = Breach("research", 5.0).sentence
    assert closing_sentence(f"# Report\n\nText.\n\n{sentence}") == sentence
    assert closing_sentence("# Report\n\n*emphasis*") == ""
    assert closing_sentence("") == ""
