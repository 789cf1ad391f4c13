"""Which facts are told: by their dates, without repeating, within bounds."""

from dataclasses import replace

from engine.domain.dates import stated
from engine.domain.facts import FactStatus, Period, Stated
from engine.domain.knowledge import FactInfo, PassageInfo
from engine.knowledge.selecting import (
    MOST_PASSAGES,
    FoundPassage,
    When,
    at_time,
    distinct_facts,
    distinct_passages,
    within_budget,
)
from engine.store.knowledge_index import FoundFact

WORK = FactInfo(1, "Ada", "works at", "Acme", "", "main", source_id=10, target_id=20)


def _date(text: str) -> Stated:
    found = stated(text)
    assert found is not None
    return found


def _fact(
    number: int, *, start: str = "", end: str = "", status: FactStatus = "active", **more: object
) -> FoundFact:
    info = replace(WORK, id=number, status=status, **more)  # type: ignore[arg-type]
    info = replace(info, valid_from=start or None, valid_to=end or None)
    period = Period(_date(start) if start else None, _date(end) if end else None)
    return FoundFact(info, period)


def _ids(facts: list[FoundFact]) -> list[int]:
    return [fact.info.id for fact in facts]


def test_what_was_never_true_is_never_told() -> None:
    wrong = _fact(1, status="invalidated")
    assert at_time([wrong], When()) == []
    assert at_time([wrong], When(wants_history=True)) == []
    assert at_time([wrong], When(_date("2024").span)) == []


def test_without_a_time_what_is_superseded_gives_way() -> None:
    old = _fact(1, start="2010", end="2020", status="superseded")
    new = _fact(2, start="2020", target="Bolt", target_id=21)
    assert _ids(at_time([old, new], When())) == [2]


def test_what_ended_is_told_when_nothing_followed() -> None:
    ended = _fact(1, end="2020", status="ended")
    other = _fact(2, relation="lives in", target="Rome", target_id=21)
    assert _ids(at_time([ended, other], When())) == [2, 1]


def test_a_question_about_the_past_gets_it_in_order() -> None:
    old = _fact(1, start="2010", end="2020", status="superseded")
    new = _fact(2, start="2020", target="Bolt", target_id=21)
    assert _ids(at_time([old, new], When(wants_history=True))) == [1, 2]


def test_a_window_keeps_what_may_have_been_and_of_a_matter_puts_the_certain_first() -> None:
    later = _fact(1, start="2021")
    undated = _fact(2)
    other = _fact(3, relation="lives in", start="2000", target="Rome", target_id=21)
    certain = _fact(4, start="2010", end="2020", status="superseded")
    told = at_time([later, undated, other, certain], When(_date("2015").span))
    assert [(fact.info.id, fact.info.certainty) for fact in told] == [
        (4, "certain"),
        (3, "certain"),
        (2, "possible"),
    ]


def test_a_fact_that_says_the_same_is_told_once() -> None:
    again = _fact(2, description="")
    worded = _fact(3, relation="works  at", target="Acme.")
    assert _ids(distinct_facts([_fact(1), again, worded], 10)) == [1]


def test_other_times_other_things_and_denials_are_no_repetition() -> None:
    facts = [
        _fact(1, start="2010"),
        _fact(2, start="2020"),
        _fact(3, start="2010", negated=True),
        _fact(4, start="2010", source_id=11, target_id=22),
    ]
    assert _ids(distinct_facts(facts, 10)) == [1, 2, 3, 4]
    assert _ids(distinct_facts(facts, 2)) == [1, 2]


def test_a_passage_that_is_nearly_another_is_told_once() -> None:
    texts = ["The sea is salt.", "The sea is salt!", "The ice is sweet.", "盐 海"]
    passages = [FoundPassage(n, PassageInfo(n, "", text)) for n, text in enumerate(texts)]
    assert [passage.id for passage in distinct_passages(passages, 10)] == [0, 2, 3]


def test_a_model_is_shown_so_much_and_no_more() -> None:
    facts = [replace(WORK, id=n, description="salt " * 60) for n in range(200)]
    passages = [FoundPassage(n, PassageInfo(n, "", f"sea {n}")) for n in range(20)]
    shown = within_budget(facts, passages)
    assert len(shown.passages) == MOST_PASSAGES
    assert 10 < len(shown.facts) < 60
    assert [fact.id for fact in shown.facts] == list(range(len(shown.facts)))


def test_a_long_passage_takes_from_the_facts_and_not_all() -> None:
    passages = [FoundPassage(n, PassageInfo(n, "", "sea " * 10_000)) for n in range(20)]
    assert within_budget([WORK], passages).facts == (WORK,)
