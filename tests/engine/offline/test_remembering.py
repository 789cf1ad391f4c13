"""The offline model remembers what it is going to quote, and quotes the same as ever."""

import pytest

from engine.domain.blocks import ToolUse
from engine.domain.knowledge import TOOL_MOST_CHARS
from engine.offline.policy import decide
from engine.offline.remembering import MOST_SNIPPETS
from tests.engine.offline.small_web import PAGES, TOOLS, WITH_KNOWLEDGE, SmallWeb, Talk

FIRING = "When does a firing begin in the kiln?"
QUESTIONS = (
    FIRING,
    "Why is a firing delayed in the kiln?",
    "Compare raw mode and packed mode",
    "What is the maximum size of a glaze file?",
)


def remembered(talk: Talk) -> list[ToolUse]:
    return [use for uses in talk.uses for use in uses if use.name == "remember"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_report_is_the_same_with_a_knowledge_base_and_without(question: str) -> None:
    bare = SmallWeb().talk(question)
    talk = SmallWeb().talk(question, tools=WITH_KNOWLEDGE)
    assert talk.report == bare.report
    assert talk.steps == bare.steps + 1
    assert remembered(talk)


def test_what_is_remembered_stands_word_for_word_on_the_page_it_names() -> None:
    uses = remembered(SmallWeb().talk(FIRING, tools=WITH_KNOWLEDGE))
    for use in uses:
        page = PAGES[str(use.input["source"])][1]
        lines = str(use.input["text"]).splitlines()
        assert all(line.removeprefix("- ").rpartition(": ")[2] in page for line in lines)
    assert "begins every firing_interval seconds" in str(uses[0].input["text"])


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_few_snippets_are_remembered_at_once_and_each_once(question: str) -> None:
    talk = SmallWeb().talk(question, tools=WITH_KNOWLEDGE)
    uses = remembered(talk)
    assert tuple(uses) == talk.uses[-1]
    assert len({str(use.input) for use in uses}) == len(uses) <= MOST_SNIPPETS
    assert all(len(str(use.input["text"])) <= TOOL_MOST_CHARS for use in uses)


def test_what_cannot_be_remembered_is_no_matter_of_the_report() -> None:
    talk = SmallWeb(forgets=True).talk(FIRING, tools=WITH_KNOWLEDGE)
    assert talk.report == SmallWeb().talk(FIRING).report


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5])
def test_remembering_takes_no_step_from_the_report(steps: int) -> None:
    bare = SmallWeb().talk(FIRING, max_steps=steps)
    assert SmallWeb().talk(FIRING, steps, WITH_KNOWLEDGE).report == bare.report


def test_what_was_not_found_is_not_remembered() -> None:
    asked = "Does the kiln support sharding on Kubernetes?"
    assert remembered(SmallWeb().talk(asked, tools=WITH_KNOWLEDGE)) == []


def test_nothing_is_remembered_without_the_tool() -> None:
    assert remembered(SmallWeb().talk(FIRING, tools=TOOLS)) == []


def test_a_run_that_is_taken_up_again_decides_the_same() -> None:
    talk = SmallWeb().talk(FIRING, tools=WITH_KNOWLEDGE)
    assert decide(talk.request).text == talk.report
    assert remembered(SmallWeb().talk(FIRING, tools=WITH_KNOWLEDGE)) == remembered(talk)
