"""What may be remembered, what is wrong with it, and how it comes to the store."""

from dataclasses import replace

import pytest

from engine.domain.errors import UserError
from engine.domain.knowledge import GivenFact, ImportRequest, RememberRequest
from engine.knowledge.extracted import from_json
from engine.knowledge.requests import (
    dataset_problem,
    date_of,
    facts_to_remember,
    text_to_remember,
)

TEXT = "Cell X reached 450 Wh/kg. It was built in Kyoto."
ASKED = RememberRequest(user="ann", text=TEXT)
FACT = GivenFact("Cell X", "reached", "450 Wh/kg", "Cell X reached 450 Wh/kg.", start="2025-03")
GIVEN = ImportRequest(user="ann", text=TEXT, facts=(FACT,))


def problems(request: RememberRequest) -> dict[str, str]:
    with pytest.raises(UserError) as told:
        text_to_remember(request)
    return {problem.where: problem.what for problem in told.value.problems}


def test_every_problem_of_a_text_is_told_with_its_field() -> None:
    bad = replace(
        ASKED, text=" \n", dataset="A b", date="yesterday", source="s" * 2001, session_id="x" * 121
    )
    assert set(problems(bad)) == {"text", "dataset", "date", "source", "session_id"}


def test_a_text_has_at_most_200_000_characters() -> None:
    assert "200001 characters are too many" in problems(replace(ASKED, text="x" * 200_001))["text"]
    assert text_to_remember(replace(ASKED, text="x" * 200_000)).text.text == "x" * 200_000


@pytest.mark.parametrize("name", ["", "-a", "A", "a b", "ä", "x" * 65, "../a", "a\n"])
def test_a_bad_name_of_a_dataset_is_refused(name: str) -> None:
    assert "must be 1 to 64 lowercase letters" in dataset_problem(name)


@pytest.mark.parametrize("name", ["main", "0", "a-b_c", "x" * 64])
def test_a_good_name_of_a_dataset(name: str) -> None:
    assert dataset_problem(name) == ""


def test_a_text_is_cleaned_and_cut_into_sentences_and_chunks() -> None:
    new = text_to_remember(replace(ASKED, text="  A\x1b[31m is B.  \n\nC is D. ", date="2024-Q1"))
    assert (new.user, new.dataset, new.kind) == ("ann", "main", "knowledge")
    said = new.text
    assert [said.text[part.start : part.end] for part in said.sentences] == ["A is B.", "C is D."]
    assert said.date == date_of("2024-Q1")
    assert said.chunks


@pytest.mark.req("R071")
def test_the_line_with_the_source_is_no_sentence_of_the_text() -> None:
    source = "https://a.example/p"
    new = text_to_remember(replace(ASKED, text=f"Source: {source}\n\n{TEXT}", source=source)).text
    assert new.text.startswith("Source: ")
    assert [new.text[part.start : part.end] for part in new.sentences] == [
        "Cell X reached 450 Wh/kg.",
        "It was built in Kyoto.",
    ]


def test_stated_facts_come_with_their_passage_and_where_it_has_them() -> None:
    new = facts_to_remember(GIVEN)
    assert new.kind == "import"
    (fact,) = from_json(new.extraction or "").facts
    assert (fact.source, fact.relation, fact.target) == ("Cell X", "reached", "450 Wh/kg")
    assert (fact.actor, fact.start) == ("import", "2025-03")
    assert TEXT[fact.quote_start : fact.quote_end] == fact.quote == "Cell X reached 450 Wh/kg."


def test_a_description_that_the_passage_does_not_have_is_no_quotation() -> None:
    new = facts_to_remember(replace(GIVEN, facts=(replace(FACT, description="in my words"),)))
    (fact,) = from_json(new.extraction or "").facts
    assert (fact.quote, fact.quote_start) == ("", None)


def test_every_problem_of_stated_facts_is_told_with_its_place() -> None:
    bad = replace(FACT, source=" ", relation="r" * 301, start="soon", end="2024-13")
    with pytest.raises(UserError) as told:
        facts_to_remember(replace(GIVEN, dataset="?", facts=(FACT, bad)))
    assert [problem.where for problem in told.value.problems] == [
        "dataset",
        "facts[1].source",
        "facts[1].relation",
        "facts[1].from",
        "facts[1].to",
    ]


def test_an_end_before_its_start_is_told_and_not_dropped() -> None:
    for end in ("2023", "2023-12-31"):
        with pytest.raises(UserError, match="is before 2024, its start"):
            facts_to_remember(
                replace(GIVEN, facts=(replace(FACT, start="2024", end=end),)),
            )
    assert facts_to_remember(replace(GIVEN, facts=(replace(FACT, start="2024-05", end="2024"),)))


def test_there_must_be_a_fact_and_not_too_many() -> None:
    for facts in ((), (FACT,) * 501):
        with pytest.raises(UserError, match="facts"):
            facts_to_remember(replace(GIVEN, facts=facts))


@pytest.mark.parametrize(
    ("target", "is_value"),
    [("450 Wh/kg", True), ("-40 °C", True), ("$4.2 billion", True), ("Kyoto", False)],
)
def test_a_figure_is_a_value_as_it_would_be_when_a_model_reads_it(
    target: str, is_value: bool
) -> None:
    new = facts_to_remember(replace(GIVEN, facts=(replace(FACT, target=target),)))
    (fact,) = from_json(new.extraction or "").facts
    assert fact.target_is_value is is_value
