"""The next of its kind takes the place of a fact that has just become active again."""

from engine.domain.dates import stated
from engine.domain.decisions import EntityRef, KnownFact
from engine.domain.facts import FactStatus, Period
from engine.domain.succession import succession


def head(
    name: str, start: str = "", *, status: FactStatus = "active", one: bool = True
) -> KnownFact:
    return KnownFact(
        *(1, name, EntityRef("acme"), "head", "head", EntityRef(name)),
        is_exclusive=one,
        period=Period(stated(start)),
        status=status,
    )


def followers(*facts: KnownFact) -> list[tuple[str, str]]:
    return [(each.key, each.by) for each in succession({"ann"}, facts)]


def test_the_first_that_certainly_follows_takes_its_place() -> None:
    facts = (head("ann", "2010"), head("cem", "2020"), head("ben", "2015", status="superseded"))
    assert followers(*facts) == [("ann", "ben")]


def test_nothing_takes_its_place_on_a_guess() -> None:
    assert followers(head("ann", "2010"), head("ben", "2010-06")) == []
    assert followers(head("ann"), head("ben", "2015")) == []
    assert followers(head("ann", "2010"), head("ben")) == []
    assert followers(head("ann", "2010"), head("ben", "2015", one=False)) == []
    assert followers(head("ann", "2010"), head("ben", "2015", status="invalidated")) == []


def test_only_pairs_with_a_fact_that_has_changed_are_judged() -> None:
    unchanged = (head("cem", "2010"), head("ben", "2015"))
    assert followers(*unchanged) == []
    assert followers(head("cem", "2010"), head("ann", "2015")) == [("cem", "ann")]
    assert followers(head("ann", "2010"), head("ben", "2001")) == [("ben", "ann")]
    assert followers(head("ann", "2010", status="ended"), head("ben", "2015")) == []
