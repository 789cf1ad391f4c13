"""A small world told in any order: what is certain and what is possible at a time, by hand."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.facts import certain, possible
from engine.domain.keys import name_key, relation_key
from engine.domain.time_words import window
from tests.engine.knowledge.ledger import Ledger, origin
from tests.engine.knowledge.small_world import Question, entities, facts, questions

WORLD = facts()


def told(order: Random | None = None) -> Ledger:
    """Each fact by a text of its own, in the order of the file or another one."""
    ledger = Ledger()
    world = list(WORLD)
    if order is not None:
        order.shuffle(world)
    for number, fact in enumerate(world, start=1):
        ledger.remember([fact], origin(number, dated=False))
    return ledger


IN_ORDER = told()


def answered(ledger: Ledger, question: Question) -> tuple[set[str], set[str]]:
    asked = window(question.text, None)
    assert asked is not None
    about = [
        known
        for known in ledger.known()
        if known.source.name_key == name_key(question.source)
        and known.relation_key == relation_key(question.relation)
    ]
    return (
        {each.target.key for each in about if certain(each.period, each.status, asked.span)},
        {each.target.key for each in about if possible(each.period, each.status, asked.span)},
    )


def expected(question: Question) -> tuple[set[str], set[str]]:
    return {name_key(name) for name in question.certain}, set(map(name_key, question.possible))


def test_the_small_world_is_as_large_as_it_says() -> None:
    assert (len(entities()), len(WORLD), len(questions())) == (30, 120, 40)
    assert len(IN_ORDER.facts) == 120
    assert IN_ORDER.conflicts == set()


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.text)
def test_what_is_certain_and_what_is_possible_is_what_people_say(question: Question) -> None:
    assert answered(IN_ORDER, question) == expected(question)


@settings(max_examples=8, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_in_which_the_world_is_told_changes_no_answer(order: Random) -> None:
    ledger = told(order)
    wrong = [each.text for each in questions() if answered(ledger, each) != expected(each)]
    assert wrong == []


def test_forgetting_every_other_text_and_telling_it_again_changes_no_answer() -> None:
    ledger = told()
    for number in range(1, len(WORLD), 2):
        ledger.forget(number)
    for number in range(1, len(WORLD), 2):
        ledger.remember([WORLD[number - 1]], origin(number, dated=False))
    wrong = [each.text for each in questions() if answered(ledger, each) != expected(each)]
    assert wrong == []
