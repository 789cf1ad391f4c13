"""Decisions by dates inside the guard, examples and properties: nothing is retired on a guess."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.decisions import (
    Confirm,
    Conflict,
    Create,
    EntityRef,
    Invalidate,
    NewFact,
    Supersede,
    Verdict,
)
from engine.domain.facts import FactStatus, Period, order
from engine.knowledge.reconcile import Pair, decide, undecided
from tests.engine.knowledge.ledger import Ledger, date, fact, named, origin, saying

ANN, BEN, CEM = "acme | ceo | Ann", "acme | ceo | Ben", "acme | ceo | Cem"
YEARS = ("", "2010", "2015", "2015-06", "2019", "2024-03-01")
FACTS = st.builds(
    fact,
    st.sampled_from((ANN, BEN, CEM, "not acme | ceo | Ann", "acme | seat | Oslo")),
    st.sampled_from(YEARS),
    st.sampled_from(YEARS),
    one=st.booleans(),
)
TEXTS = st.lists(st.lists(FACTS, min_size=1, max_size=3), min_size=1, max_size=4)
WORDS: tuple[Verdict, ...] = ("same", "updates", "ends", "corrects", "unrelated")
VERDICTS = st.sampled_from(WORDS)


def undated(new: NewFact) -> NewFact:
    return replace(new, period=Period())


def told(*texts: NewFact) -> Ledger:
    """A ledger that was told one fact a text."""
    ledger = Ledger()
    for number, new in enumerate(texts, start=1):
        ledger.remember([new], origin(number))
    return ledger


def statuses(ledger: Ledger) -> dict[str, FactStatus]:
    return {name: state.status for name, state in ledger.states().items()}


def asked(ledger: Ledger, new: NewFact, verdict: Verdict, at: str = "2026-01-01") -> Ledger:
    """The verdict on the new fact and whatever is known."""
    known = {Pair(0, known.key): verdict for known in ledger.known()}
    ledger.remember([new], origin(90, at), known)
    return ledger


def test_a_newer_fact_supersedes_the_older_one_at_its_own_start() -> None:
    ledger = told(fact(ANN, "2010"), fact(BEN, "2015"))
    assert statuses(ledger) == {
        "acme ceo ann @ 2010": "superseded",
        "acme ceo ben @ 2015": "active",
    }
    assert ledger.states()["acme ceo ann @ 2010"].period.end == date("2015")


def test_an_older_fact_that_is_told_later_is_history() -> None:
    ledger = told(fact(BEN, "2015"), fact(ANN, "2010"))
    assert statuses(ledger) == {
        "acme ceo ann @ 2010": "superseded",
        "acme ceo ben @ 2015": "active",
    }


@given(st.permutations([fact(ANN, "2010"), fact(BEN, "2015"), fact(CEM, "2020")]))
def test_the_order_in_which_a_chain_is_told_does_not_matter(chain: list[NewFact]) -> None:
    ledger = told(*chain)
    ends = {name: state.period.end for name, state in ledger.states().items()}
    assert ends == {
        "acme ceo ann @ 2010": date("2015"),
        "acme ceo ben @ 2015": date("2020"),
        "acme ceo cem @ 2020": None,
    }


@pytest.mark.parametrize(("one", "other"), [("2024", "2024"), ("2024", "2024-06"), ("", "2024")])
def test_dates_that_may_be_equal_or_are_unknown_never_supersede(one: str, other: str) -> None:
    ledger = Ledger()
    ledger.remember([fact(ANN, one)], origin(1, "2026-01-01", dated=False))
    ledger.remember([fact(BEN, other)], origin(2))
    assert set(statuses(ledger).values()) == {"active"}
    assert len(ledger.conflicts) == 1


def test_a_fact_without_a_start_had_begun_by_the_date_of_its_source() -> None:
    ledger = Ledger()
    ledger.remember([fact(ANN)], origin(1, "2014-05-02"))
    ledger.remember([fact(BEN, "2019")], origin(2))
    assert statuses(ledger) == {"acme ceo ann": "superseded", "acme ceo ben @ 2019": "active"}


def test_facts_that_are_not_one_at_a_time_live_beside_each_other() -> None:
    ledger = told(fact(ANN, "2010", one=False), fact(BEN, "2015"))
    assert set(statuses(ledger).values()) == {"active"}
    assert ledger.conflicts == set()


def test_the_word_now_closes_the_older_fact_by_the_date_of_the_source() -> None:
    ledger = told(fact(ANN, "2010"))
    ledger.remember([saying(fact(BEN), "is now")], origin(2, "2022-03-04"))
    state = ledger.states()["acme ceo ann @ 2010"]
    assert state.status == "superseded"
    assert state.period.end is not None
    assert (state.period.end.text, state.period.end.span.lo) == (
        "2022-03-04",
        date("2010").span.lo,
    )


def test_the_word_now_closes_nothing_without_a_date_of_the_source() -> None:
    ledger = told(fact(ANN, "2010"))
    ledger.remember([saying(fact(BEN), "is now")], origin(2, "2022-03-04", dated=False))
    assert set(statuses(ledger).values()) == {"active"}


def test_an_old_page_that_says_now_closes_nothing_that_a_later_source_states() -> None:
    ledger = Ledger()
    ledger.remember([fact(ANN)], origin(1, "2019"))
    ledger.remember([fact(ANN)], origin(2, "2024"))
    ledger.remember([saying(fact(BEN), "now")], origin(3, "2021"))
    assert set(statuses(ledger).values()) == {"active"}


def test_the_same_fact_again_is_confirmed_and_a_fact_that_is_true_again_is_another_one() -> None:
    ledger = told(fact(ANN, "2010", "2012"), fact(ANN), fact(ANN, "2011"), fact(ANN, "2020"))
    assert {name: state.support for name, state in ledger.states().items()} == {
        "acme ceo ann @ 2010": 3,
        "acme ceo ann @ 2020": 1,
    }
    assert statuses(ledger)["acme ceo ann @ 2020"] == "active"


def test_true_again_now_with_no_start_is_another_fact_too() -> None:
    ledger = told(fact(ANN, "", "2012"))
    ledger.remember([saying(fact(ANN), "again")], origin(2, "2020"))
    assert [state.status for state in (ledger.state(key) for key in ledger.facts) if state] == [
        "ended",
        "active",
    ]


def test_a_denial_ends_the_fact_when_it_is_certainly_later() -> None:
    ledger = told(fact(ANN, "2010"), fact("not acme | ceo | Ann", "2015"))
    assert statuses(ledger)["acme ceo ann @ 2010"] == "ended"
    unsure = told(fact(ANN, "2010"), fact("not acme | ceo | Ann"))
    assert statuses(unsure)["acme ceo ann @ 2010"] == "active"
    assert len(unsure.conflicts) == 1


def test_a_verdict_outside_the_guard_changes_no_status() -> None:
    for verdict in ("updates", "ends", "corrects"):
        ledger = told(fact("acme | seat | Oslo", "2010"))
        asked(ledger, fact(ANN, "2015"), verdict)
        assert set(statuses(ledger).values()) == {"active"}
        assert len(ledger.conflicts) == 1


def test_a_reader_may_say_that_a_fact_of_the_same_ends_has_ended() -> None:
    ledger = asked(
        told(fact("Ann | works at | acme", "2024")), fact("Ann | left | acme", "2024"), "ends"
    )
    assert statuses(ledger)["ann works at acme @ 2024"] == "ended"
    undated = asked(told(fact("Ann | works at | acme", "2020")), fact("Ann | left | acme"), "ends")
    assert statuses(undated)["ann works at acme @ 2020"] == "ended"


def test_a_correction_leaves_the_period_and_takes_the_fact_out() -> None:
    ledger = asked(told(fact(ANN, "2010")), fact(BEN, "2010"), "corrects")
    state = ledger.states()["acme ceo ann @ 2010"]
    assert (state.status, state.period) == ("invalidated", Period(date("2010"), None))


def test_one_fact_in_other_words_is_confirmed_only_where_it_can_be_the_same() -> None:
    ledger = asked(told(fact("Ann | works at | acme")), fact("Ann | is employed by | acme"), "same")
    assert [state.support for state in ledger.states().values()] == [2]
    other = asked(told(fact(ANN, "2010", one=False)), fact(BEN, "2010", one=False), "same")
    assert len(other.facts) == 2


def test_only_pairs_that_share_the_subject_or_both_ends_are_asked_about() -> None:
    ledger = told(fact(ANN, "2010"), fact("globex | ceo | Ann"), fact("acme | seat | Oslo"))
    pairs = undecided([fact(BEN, "2015"), fact(ANN)], ledger.known(), origin(9))
    keys = {known.key for known in ledger.known() if known.source == EntityRef("acme")}
    assert {(pair.new, pair.known) for pair in pairs} == {(0, key) for key in keys}


def test_forgetting_the_newer_fact_makes_the_older_one_true_again() -> None:
    ledger = told(fact(ANN, "2010"), fact(BEN, "2015"))
    ledger.forget(2)
    assert statuses(ledger) == {"acme ceo ann @ 2010": "active"}


def test_forgetting_the_middle_of_a_chain_joins_its_ends() -> None:
    ledger = told(fact(ANN, "2010"), fact(BEN, "2015"), fact(CEM, "2020"))
    ledger.forget(2)
    state = ledger.states()["acme ceo ann @ 2010"]
    assert (state.status, state.period.end) == ("superseded", date("2020"))
    ledger.forget(3)
    assert statuses(ledger) == {"acme ceo ann @ 2010": "active"}


def test_forgetting_one_of_two_sources_of_the_newer_fact_changes_nothing() -> None:
    ledger = told(fact(ANN, "2010"), fact(BEN, "2015"), fact(BEN, "2015"))
    before = statuses(ledger)
    ledger.forget(2)
    assert statuses(ledger) == before


def test_a_fact_that_ends_before_it_starts_has_no_dates() -> None:
    ledger = told(fact(ANN, "2019", "2010"))
    state = ledger.states()["acme ceo ann"]
    assert (state.status, state.period) == ("active", Period())


def test_a_text_that_says_one_thing_twice_is_one_source() -> None:
    ledger = Ledger()
    decisions = ledger.remember([fact(ANN, "2010"), fact(ANN, "2010"), fact(ANN)], origin(1))
    assert [type(decision) for decision in decisions] == [Create]


@given(TEXTS)
def test_applying_decisions_twice_changes_nothing_more(texts: list[list[NewFact]]) -> None:
    ledger = Ledger()
    for number, facts in enumerate(texts, start=1):
        decisions = ledger.remember(facts, origin(number))
        before = (dict(ledger.facts), dict(ledger.events), set(ledger.conflicts))
        ledger.apply(decisions, origin(number))
        assert (ledger.facts, ledger.events, ledger.conflicts) == before


@given(TEXTS, st.lists(FACTS, min_size=1, max_size=3, unique_by=lambda new: named(undated(new))))
def test_one_text_twice_makes_no_fact_twice(
    texts: list[list[NewFact]], last: list[NewFact]
) -> None:
    ledger = Ledger()
    for number, facts in enumerate([*texts, last], start=1):
        ledger.remember(facts, origin(number))
    before = set(ledger.facts)
    ledger.remember(last, origin(80))
    assert set(ledger.facts) == before


@given(TEXTS, st.data())
def test_a_fact_is_superseded_only_by_one_that_is_certainly_later(
    texts: list[list[NewFact]], data: st.DataObject
) -> None:
    ledger = Ledger()
    for number, facts in enumerate(texts, start=1):
        pairs = undecided(facts, ledger.known(), origin(number))
        verdicts = {pair: data.draw(VERDICTS) for pair in pairs}
        ledger.remember(facts, origin(number), verdicts)
    starts = {number: new.period.start for number, new in ledger.facts.values()}
    for known in ledger.known():
        if known.superseded_by is not None:
            start = starts[known.superseded_by]
            assert order(known.period.start or known.seen, start) == "before"


@given(TEXTS, FACTS, st.data())
def test_a_known_fact_is_never_lost_and_a_confirmed_one_keeps_its_status(
    texts: list[list[NewFact]], new: NewFact, data: st.DataObject
) -> None:
    ledger = Ledger()
    for number, facts in enumerate(texts, start=1):
        ledger.remember(facts, origin(number))
    before = {known.key: known.status for known in ledger.known()}
    pairs = undecided([new], ledger.known(), origin(70))
    open_ended = replace(new, period=replace(new.period, end=None))
    verdicts = {pair: data.draw(VERDICTS) for pair in pairs}
    decisions = ledger.remember([open_ended], origin(70), verdicts)
    assert before.keys() <= ledger.facts.keys()
    for decision in decisions:
        if isinstance(decision, Confirm) and decision.key in before:
            state = ledger.state(decision.key)
            assert state is not None
            assert state.status == before[decision.key]


@given(TEXTS, st.data())
def test_what_a_pass_projects_is_what_folding_again_gives(
    texts: list[list[NewFact]], data: st.DataObject
) -> None:
    """Forgetting in any order leaves what the remaining events come to, and no event of a fact that
    is gone."""
    ledger = Ledger()
    for number, facts in enumerate(texts, start=1):
        ledger.remember(facts, origin(number))
    for number in data.draw(st.permutations(range(1, len(texts) + 1))):
        ledger.forget(number)
        ids = {number for number, _ in ledger.facts.values()}
        assert {event.fact_id for event in ledger.events.values()} == ids
    assert ledger.facts == {}


@given(TEXTS)
def test_nothing_outside_the_subject_is_touched(texts: list[list[NewFact]]) -> None:
    ledger = told(fact("globex | ceo | Ann", "2001"))
    for number, facts in enumerate(texts, start=2):
        ledger.remember(facts, origin(number))
    state = ledger.states()["globex ceo ann @ 2001"]
    assert (state.status, state.support) == ("active", 1)


def test_every_kind_of_decision_names_facts_that_are_there() -> None:
    ledger = told(fact(ANN, "2010"))
    key = next(iter(ledger.facts))
    said: dict[Verdict, type] = {
        "updates": Supersede,
        "corrects": Invalidate,
        "unrelated": Create,
    }
    for verdict, kind in said.items():
        decisions = decide(
            [fact(BEN, "2015")], ledger.known(), {Pair(0, key): verdict}, origin=origin(2)
        )
        assert isinstance(decisions[-1], kind)
        assert not any(isinstance(decision, Conflict) for decision in decisions)


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(2000, 2030)), min_size=2, max_size=7),
    st.data(),
)
def test_of_what_is_one_at_a_time_only_the_latest_stays_active_whatever_is_forgotten(
    heads: list[tuple[str, int]], data: st.DataObject
) -> None:
    chain = [fact(f"acme | head | {name}", str(year)) for name, year in heads]
    ledger = told(*chain)
    forgotten = data.draw(st.sets(st.integers(1, len(chain))))
    for number in data.draw(st.permutations(sorted(forgotten))):
        ledger.forget(number)
    active = [known for known in ledger.known() if known.status == "active"]
    for one in active:
        for other in active:
            same = one.target == other.target
            assert same or order(one.period.start, other.period.start) == "unknown"
