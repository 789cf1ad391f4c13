"""The start form: every problem at once, nothing cut, offline where there is no key."""

from pathlib import Path

import pytest

from engine.api import DocsFolder, Problem, Settings, StartRequest
from gligabao_tui.view.agent_terms import preselected
from gligabao_tui.view.start_form import (
    Faults,
    StartForm,
    counter,
    faults_of,
    model_choices,
    model_note,
    request_of,
)

WITH_KEY = Settings(data_dir=Path("/data"), anthropic_api_key="key")
WITHOUT_KEY = Settings(data_dir=Path("/data"))


def find_folder(typed: str) -> str | None:
    return {"docs": "/home/ann/docs", "/srv/": "/srv"}.get(typed)


def asked(form: StartForm) -> StartRequest | Faults:
    return request_of(form, "admin", find_folder=find_folder)


@pytest.mark.req("R160")
def test_a_form_with_only_a_topic_asks_with_the_defaults() -> None:
    request = asked(StartForm(topic=" Rivers\n", model="offline"))
    assert request == StartRequest("Rivers", "admin", model="offline", max_steps=20)


def test_every_field_that_is_filled_in_is_asked_for() -> None:
    form = StartForm("Rivers", "offline", "7", " $0.50 ", "notes=docs")
    request = asked(form)
    assert isinstance(request, StartRequest)
    assert (request.max_steps, request.max_cost_usd) == (7, 0.5)
    assert request.docs == (DocsFolder("notes", "/home/ann/docs"),)


def test_a_folder_without_a_name_is_called_as_it_is() -> None:
    request = asked(StartForm("Rivers", docs="/srv/"))
    assert isinstance(request, StartRequest)
    assert request.docs == (DocsFolder("srv", "/srv"),)


def test_every_problem_is_told_at_once_under_its_field() -> None:
    faults = asked(StartForm(" ", "offline", "0", "free", "nowhere"))
    assert isinstance(faults, Faults)
    assert [problem.where for problem in faults.problems] == [
        *("topic", "max_steps", "max_cost_usd", "docs")
    ]
    assert faults.of("max_steps") == "A whole number from 1 to 40."
    assert faults.of("model") == ""


@pytest.mark.parametrize("typed", ["41", "-1", "1.5", "²", "", "many"])
def test_steps_outside_the_limits_are_refused(typed: str) -> None:
    assert isinstance(asked(StartForm("Rivers", max_steps=typed)), Faults)


@pytest.mark.parametrize("typed", ["0", "-1", "nan", "inf", "$"])
def test_a_cap_that_caps_nothing_is_refused(typed: str) -> None:
    faults = asked(StartForm("Rivers", max_cost_usd=typed))
    assert isinstance(faults, Faults) or typed == "$"


@pytest.mark.req("R159")
def test_a_topic_of_two_thousand_characters_is_taken_whole_and_one_more_is_refused() -> None:
    request = asked(StartForm("x" * 2000))
    assert isinstance(request, StartRequest)
    assert len(request.topic) == 2000
    faults = asked(StartForm("x" * 2001))
    assert isinstance(faults, Faults)
    assert faults.of("topic").startswith("1 characters too many")


def test_the_counter_warns_before_the_topic_is_full() -> None:
    assert counter("abc") == ("3 / 2,000", "muted")
    assert counter("x" * 1900)[1] == "warn"
    assert counter("x" * 2003) == ("2,003 / 2,000  3 too many", "bad")


def test_without_a_key_offline_is_chosen_and_that_is_said() -> None:
    assert preselected(None, WITH_KEY) == WITH_KEY.model
    assert preselected(None, WITHOUT_KEY) == "offline"
    assert "No API key is configured" in model_note(WITHOUT_KEY, "offline")
    assert "No API key is configured" in model_note(WITHOUT_KEY, WITHOUT_KEY.model)
    assert model_note(WITH_KEY, WITH_KEY.model) == ""


def test_offline_is_offered_once() -> None:
    assert model_choices(WITH_KEY) == (WITH_KEY.model, "offline")
    assert model_choices(Settings(data_dir=Path("/data"), model="offline")) == ("offline",)


def test_problems_of_the_engine_find_their_fields() -> None:
    faults = faults_of([Problem("max_steps", "too many"), Problem("", "three agents work")])
    assert (faults.of("max_steps"), faults.of("")) == ("too many", "three agents work")
    assert faults_of([Problem("docs[0].path", "gone")]).of("docs") == "gone"
    assert faults_of([Problem("agent", "unknown")]).of("agent") == "unknown"
    assert faults_of([Problem("dataset", "unknown")]).of("") == "unknown"
