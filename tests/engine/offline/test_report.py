"""The report quotes, groups, and says what is missing; it adds nothing of its own."""

import re

from engine.offline.conversation import Failure, Search, Seen, Window
from engine.offline.findings import findings
from engine.offline.library import library
from engine.offline.question import understood
from engine.offline.report import report

GUIDE = """# Guide

A firing begins when the shelf is full.

## Firing and storms

A firing never begins during a storm. The storm must end first.

A firing that began before a storm goes on.
"""


def _report(topic: str, *texts: str, failures: tuple[Failure, ...] = ()) -> str:
    windows = tuple(
        Window(f"docs://kiln/{n}.md", f"docs://kiln/{n}.md", 0, len(text), len(text), text)
        for n, text in enumerate(texts)
    )
    told = Seen(topic, (), (Search("odd query", ()),), windows, failures)
    read, question = library(told), understood(topic)
    return report(question.topic, read, findings(read, question, told), told)


def test_it_opens_with_the_topic_the_notice_and_the_closest_quotation() -> None:
    lines = _report("When does a firing begin?", GUIDE).splitlines()
    assert lines[0] == "# When does a firing begin?"
    assert lines[2].startswith("*No language model wrote this")
    assert lines[4].startswith('**Closest quotation:** "')


def test_it_never_answers_in_its_own_words() -> None:
    told = _report("Does a firing begin during a storm?", GUIDE)
    assert not re.search(r"(?im)^\W*(?:short answer|yes\b|no\b(?! language))", told)


def test_sources_are_numbered_as_they_are_quoted_and_name_their_sections() -> None:
    told = _report("When does a firing begin?", GUIDE)
    assert "\n1. 0.md, section" in told
    assert told.rstrip().endswith("docs://kiln/0.md")
    assert "“Firing and storms”" in told.partition("## Sources")[2]


def test_words_in_no_quotation_are_named() -> None:
    told = _report("When does a firing begin on the safeguarded shelf?", GUIDE)
    assert "- No quotation uses: safeguarded." in told


def test_failed_calls_and_empty_searches_are_told() -> None:
    failures = (
        Failure("fetch_url", "https://a.org/x_y", "a.org: status 404"),
        Failure("web_search", "kilns", "web search failed: busy"),
    )
    told = _report("When does a firing begin?", GUIDE, failures=failures)
    assert "- Not read: https://a.org/x_y: a.org: status 404" in told
    assert "- The search “kilns” failed: web search failed: busy" in told
    assert "- The search “odd query” found nothing." in told


def test_each_part_of_a_question_has_its_section() -> None:
    told = _report("What is a firing and when does a storm end?", GUIDE)
    assert "\n## What is a firing\n" in told
    assert "\n## When does a storm end\n" in told


def test_a_topic_with_markdown_in_it_stays_one_heading() -> None:
    told = _report("What *is*\n\n# a <b>firing</b>?", GUIDE)
    assert told.startswith("# What \\*is\\* # a \\<b>firing\\</b>?\n")
