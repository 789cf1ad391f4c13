"""Every problem of a request at once, in the words of the specification."""

from dataclasses import replace

import pytest

from engine.definitions.catalog import Catalog, built_in
from engine.domain.definition import Definition, KnowledgeRules
from engine.domain.run import DocsFolder, StartRequest
from engine.manager.admission import (
    Terms,
    lacks_key,
    model_of,
    problems,
    problems_of_choice,
    recorded_run,
)


def told(request: StartRequest) -> list[str]:
    return [str(problem) for problem in problems(request)]


@pytest.mark.req("R118", "R119")
@pytest.mark.parametrize(
    ("request_", "texts"),
    [
        (StartRequest("  ", "ann"), ["topic is required"]),
        (
            StartRequest("x" * 2314, "ann"),
            ["topic: 2314 characters are too many (2000 at most)"],
        ),
        (StartRequest("t", "ann", max_steps=41), ["max_steps: 41 must be between 1 and 40"]),
        (StartRequest("t", "ann", max_steps=0), ["max_steps: 0 must be between 1 and 40"]),
        (StartRequest("t", "ann", dataset="A B"), ['dataset: "A B" is not a dataset name']),
        (StartRequest("t", ""), ["user_id is required"]),
        (
            StartRequest("t", "ann\x1b[2J"),
            ["user_id: must be a name of 1 to 200 characters on one line"],
        ),
        (
            StartRequest("t", "ann", model="x" * 201),
            ["model: must be a name of 1 to 200 characters on one line"],
        ),
        (
            StartRequest("t", "ann", model="gpt\nforged line"),
            ["model: must be a name of 1 to 200 characters on one line"],
        ),
        (
            StartRequest("t", "ann", model="recorded:x"),
            ['model: "recorded:x" names no run: write recorded: and the number of a stored run'],
        ),
    ],
)
def test_a_bad_field_is_named_with_the_remedy(request_: StartRequest, texts: list[str]) -> None:
    assert told(request_) == texts


def test_every_problem_is_reported_at_once() -> None:
    docs = (DocsFolder("a", "/x"), DocsFolder("a", "/y"), DocsFolder("b c", "/z"))
    request = StartRequest("", "ann", max_steps=99, max_cost_usd=-1, docs=docs)
    assert len(told(request)) == 5


@pytest.mark.req("R119")
def test_a_plain_request_has_no_problem_and_2000_characters_are_allowed() -> None:
    assert told(StartRequest("x" * 2000, "ann", max_steps=40)) == []
    assert told(StartRequest("", "ann", model="recorded:7")) == []


def test_a_recording_is_named_by_its_number() -> None:
    assert recorded_run("recorded:12") == 12
    assert recorded_run("recorded:x") is None
    assert recorded_run("offline") is None
    assert told(StartRequest("", "ann", model="recorded:x"))


def locked() -> Definition:
    rules = KnowledgeRules(dataset="press", dataset_locked=True)
    return replace(built_in(), name="reader", version="1.2.0", knowledge=rules)


CATALOG = Catalog({"default": built_in(), "reader": locked()})


@pytest.mark.req("R118", "R260", "R326")
@pytest.mark.parametrize(
    ("request_", "texts"),
    [
        (StartRequest("t", "ann"), []),
        (StartRequest("t", "ann", agent="reader", agent_version=">=1.0, <2"), []),
        (StartRequest("t", "ann", agent="reader", agent_version="1.2"), []),
        (
            StartRequest("t", "ann", agent="raeder"),
            ['agent: no agent called "raeder" (did you mean "reader"?)'],
        ),
        (
            StartRequest("t", "ann", agent="reader", agent_version="^2"),
            ['agent "reader" is at version 1.2.0, which does not meet "^2"'],
        ),
        (
            StartRequest("t", "ann", agent_version="new"),
            ['agent_version: "new" is not a version constraint like ^1.2 or ">=1.0, <2"'],
        ),
        (StartRequest("t", "ann", agent="reader", dataset="press"), []),
        (
            StartRequest("t", "ann", agent="reader", dataset="other"),
            ['dataset: the agent "reader" works in the dataset "press" only'],
        ),
    ],
)
def test_the_agent_asked_for_is_judged(request_: StartRequest, texts: list[str]) -> None:
    assert [str(problem) for problem in problems_of_choice(request_, CATALOG)] == texts


@pytest.mark.req("R229", "R323")
def test_the_model_is_that_of_the_request_else_of_the_definition_else_of_the_settings() -> None:
    terms = Terms(default_model="configured", has_key=True)
    definition = replace(built_in(), model="defined")
    assert model_of(StartRequest("t", "ann", model="asked"), definition, terms) == "asked"
    assert model_of(StartRequest("t", "ann"), definition, terms) == "defined"
    assert model_of(StartRequest("t", "ann"), built_in(), terms) == "configured"


@pytest.mark.req("R043", "R120")
def test_only_models_of_the_api_need_a_key() -> None:
    terms = Terms(default_model="claude-sonnet-5-5", has_key=False)
    assert model_of(StartRequest("t", "ann"), built_in(), terms) == "claude-sonnet-5-5"
    assert lacks_key("claude-sonnet-5-5", terms)
    assert not lacks_key("offline", terms)
    assert not lacks_key("recorded:3", terms)
    assert not lacks_key("claude-sonnet-5-5", Terms("claude-sonnet-5-5", has_key=True))
