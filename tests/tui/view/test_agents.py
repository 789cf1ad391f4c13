"""The definitions as lines: order, marks, filter, details, problems and copies."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import AgentDetails, AgentInfo, AgentsRead, Problem, SearchRules, timestamp
from engine.domain.definition import FetchRules, LimitRules, SpawnRules
from gligabao_tui.view.agent_copy import copied_told, copy_name
from gligabao_tui.view.agent_details import Desk, details_lines
from gligabao_tui.view.agent_problems import problem_lines, problems_text, problems_title
from gligabao_tui.view.agents import (
    Row,
    agent_row,
    changes_told,
    faulty_file,
    file_of,
    found,
    line_of,
    own_file,
    problems_told,
    rows_of,
)
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.moments import ahead, on_clock, on_own_clock
from gligabao_tui.view.text import line_width, plain
from tests.tui.agent_scenes import DIRECTORY, NEWS, PAUSED, PROBLEMS, PROMPT, SCHEDULE, WARNINGS

NOW = datetime(2026, 11, 1, 10, 0, tzinfo=UTC)
INFO = AgentInfo("news_scanner", "1.2.0", "Scans news.", 25, "3f2a9c", "news_scanner.toml")
DESK = Desk(NOW, lambda moment: moment.astimezone(ZoneInfo("America/New_York")), DIRECTORY)


def agent(name: str, source: str = "") -> AgentInfo:
    return AgentInfo(name, "1.0.0", f"Does {name}.", 20, source=source)


def told(details: AgentDetails, width: int = 90) -> str:
    return "\n".join(plain(row).rstrip() for row in details_lines(details, width, DESK))


def news(**changes: object) -> AgentDetails:
    definition = replace(NEWS, **changes)  # type: ignore[arg-type]  # any of its fields
    return AgentDetails(INFO, definition, PROMPT)


def test_the_default_comes_first_then_own_then_packaged_each_by_name() -> None:
    agents = [
        agent("a", "packaged a.toml"),
        agent("z", "z.toml"),
        agent("default", "default.toml"),
        agent("b", "b.json"),
    ]
    assert [row.key for row in rows_of(agents, ())] == ["default", "b", "z", "a"]


def test_a_row_says_what_it_stands_in_for_and_what_is_wrong_beside_that() -> None:
    agents = [agent("news_scanner", "news_scanner.toml"), agent("weekly", "weekly_review.toml")]
    first, second = rows_of(agents, WARNINGS)
    assert (first.replaces, first.warned) == (True, False)
    assert (second.replaces, second.warned) == (False, True)


def test_a_warning_of_another_file_with_the_same_ending_is_not_taken_for_ones_own() -> None:
    warnings = (Problem("packaged a.toml:3", "skills: x: missing"),)
    assert not rows_of([agent("a", "a.toml")], warnings)[0].warned


@pytest.mark.parametrize("glyphs", [DRAWN, ASCII])
def test_schedules_that_are_paused_have_another_mark(glyphs: object) -> None:
    glyphs = DRAWN if glyphs is DRAWN else ASCII
    on = plain(agent_row(Row(replace(INFO, schedule=SCHEDULE)), 40, glyphs))
    off = plain(agent_row(Row(replace(INFO, schedule=PAUSED)), 40, glyphs))
    here = replace(SCHEDULE, paused_here=True)
    assert (on[-1], off[-1]) == (glyphs.clock, glyphs.paused)
    assert plain(agent_row(Row(replace(INFO, schedule=here)), 40, glyphs)) == off


@given(st.text(max_size=60), st.text(max_size=30), st.integers(20, 120), st.booleans())
def test_a_row_never_takes_more_than_its_width(
    name: str, version: str, width: int, warned: bool
) -> None:
    info = AgentInfo(name, version, name * 3, 20, source=name, schedule=SCHEDULE)
    assert line_width(agent_row(Row(info, warned, warned), width, DRAWN)) <= width


def test_words_are_looked_for_in_name_description_and_origin() -> None:
    rows = rows_of([agent("news", "packaged n.toml"), agent("own_one", "o.toml")], ())
    assert [row.key for row in found(rows, "PACKAGED new")] == ["news"]
    assert [row.key for row in found(rows, "does")] == ["own_one", "news"]
    assert found(rows, "does nothing") == ()


def test_only_files_of_ones_own_can_be_edited() -> None:
    assert own_file(agent("a", "a.toml")) == "a.toml"
    assert own_file(agent("a", "packaged a.toml")) == ""
    assert own_file(agent("a")) == ""


def test_the_first_faulty_file_of_ones_own_is_mended_first() -> None:
    problems = (Problem("packaged a.toml:1", "x"), Problem("/defs", "x"), *PROBLEMS)
    assert faulty_file(problems) == "news_scanner.toml"
    assert faulty_file(problems[:2]) == ""


@pytest.mark.parametrize(
    ("where", "file", "line"),
    [
        ("a.toml:7", "a.toml", "7"),
        ("a.toml", "a.toml", ""),
        ("packaged a.toml:12", "packaged a.toml", "12"),
        ("a:b.toml", "a:b.toml", ""),
        ("", "", ""),
    ],
)
def test_a_place_is_a_file_and_perhaps_a_line(where: str, file: str, line: str) -> None:
    problem = Problem(where, "x")
    assert (file_of(problem), line_of(problem)) == (file, line)


def test_a_reading_says_what_it_has_brought() -> None:
    assert changes_told(AgentsRead("d")) == "The files were read again: nothing has changed"
    assert changes_told(AgentsRead("d", changed=("a", "b"))) == "Read again: a, b changed"
    assert changes_told(AgentsRead("d", PROBLEMS)).startswith("3 problems in 2 files")
    assert problems_told(PROBLEMS[:1]) == "1 problem in 1 file"


def test_problems_are_grouped_by_file_in_the_order_of_their_lines() -> None:
    text = problems_text(PROBLEMS, WARNINGS)
    assert text.splitlines()[:2] == [
        "✗ news_scanner.toml",
        "  :7   unknown key(s): modle (did you mean model?)",
    ]
    assert text.index(":9   schedule.cron") < text.index(":12  search.blocked")
    assert text.count("✗ scout.toml") == 1
    assert text.index("! weekly_review.toml") > text.index(":12")
    assert problems_title(PROBLEMS, WARNINGS) == "3 problems, 2 warnings"


def test_sound_files_are_said_to_be() -> None:
    assert [plain(row) for row in problem_lines((), (), 60)] == ["Nothing is wrong in any file."]


def test_hard_lists_are_said_to_be_enforced_and_wishes_to_be_only_told() -> None:
    text = told(news())
    assert "Never           pinterest.com, quora.com (enforced)" in text
    assert text.index("nothing enforces what follows") < text.index("reuters.com, apnews.com")
    assert "From            Munich, Bavaria, DE, Europe/Berlin" in text
    plainly = told(news(search=SearchRules(allowed_domains=("example.org",))))
    assert "Only sites      example.org (enforced)" in plainly
    assert "nothing enforces" not in plainly


def test_pages_follow_the_lists_of_the_searches_and_their_own() -> None:
    fetch = FetchRules(blocked_domains=("b.org",), max_calls=3)
    both = told(news(search=SearchRules(allowed_domains=("a.org",), fetch=fetch)))
    assert "b.org (enforced)\n                and what the lists of its searches say" in both
    assert "Calls           3 in a run, enforced" in both
    assert "Sites           as its searches" in told(news())
    free = told(news(search=SearchRules()))
    assert free.count("Sites           any") == 2


def test_caps_that_are_not_there_are_said_to_be_none() -> None:
    assert "none: neither of this agent nor of the whole research" in told(
        news(limits=LimitRules())
    )
    one = told(news(limits=LimitRules(0, 2)))
    assert "none of this agent alone\n                $2.00 of the whole research" in one


def test_sub_agents_are_told_with_their_roles_or_as_copies_or_not_at_all() -> None:
    text = told(news())
    assert "regional        runs regional_scout >=1.0, <2" in text
    assert "3 at once, 8 steps, 12 steps if asked for" in text
    assert "Task          Headlines about {{.Topic}}" in text
    assert "this one starts none yet" in text
    assert "yes, as copies of itself" in told(news(spawn=SpawnRules(enabled=True)))
    assert "no: it works alone" in told(news(spawn=SpawnRules()))


def test_the_next_run_is_told_on_both_clocks() -> None:
    details = AgentDetails(replace(INFO, schedule=SCHEDULE), NEWS, PROMPT)
    text = told(details)
    assert "When            every weekday at 07:30 (30 7 * * 1-5)" in text
    assert "Next run        Mon 2 Nov 07:30, in 20 hours" in text
    assert "Mon 2 Nov 01:30 on your clock" in text
    assert "none: it runs when it is started" in told(news(schedule=None))


def test_who_paused_a_schedule_is_told() -> None:
    both = replace(PAUSED, paused_here=True)
    text = told(AgentDetails(replace(INFO, schedule=both), NEWS, PROMPT))
    assert "Paused          by its file and here, in the app" in text
    assert "Next run" not in text


def test_without_words_the_expression_stands_alone() -> None:
    schedule = replace(SCHEDULE, cron="7 3 1-9 * 2", words="7 3 1-9 * 2")
    text = told(AgentDetails(replace(INFO, schedule=schedule), NEWS, PROMPT))
    assert "When            7 3 1-9 * 2\n" in text


def test_the_prompt_comes_last_with_its_length() -> None:
    rows = told(news()).splitlines()
    at = next(at for at, row in enumerate(rows) if row.startswith("Prompt "))
    assert rows[at].endswith(f"{len(PROMPT)} characters")
    assert rows[at + 1].startswith("You follow the news")
    assert rows[-1].startswith("Put the number of a source")


@pytest.mark.parametrize("width", [30, 52, 60, 78, 120])
def test_details_and_problems_never_take_more_than_their_width(width: int) -> None:
    details = AgentDetails(replace(INFO, schedule=SCHEDULE), NEWS, PROMPT, WARNINGS)
    rows = (*details_lines(details, width, DESK), *problem_lines(PROBLEMS, WARNINGS, width))
    assert max(map(line_width, rows)) <= width


def test_a_moment_is_told_on_the_clock_of_a_zone_and_on_ones_own() -> None:
    summer, winter = "2026-10-24T05:30:00.000Z", "2026-10-26T06:30:00.000Z"
    assert on_clock(summer, "Europe/Berlin") == "Sat 24 Oct 07:30"
    assert on_clock(winter, "Europe/Berlin") == "Mon 26 Oct 07:30"
    assert on_clock(winter, "Mars/Base") == "Mon 26 Oct 06:30"
    assert on_own_clock(winter, DESK.here) == "Mon 26 Oct 02:30"
    assert on_clock("soon", "UTC") == "soon"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "now"), (59, "now"), (60, "in 1 minute"), (7_300, "in 2 hours"), (90_000, "in 1 day")],
)
def test_how_long_until_then(seconds: int, words: str) -> None:
    assert ahead(timestamp(NOW + timedelta(seconds=seconds)), NOW) == words


def test_a_copy_has_a_name_that_may_be_one_and_says_what_differs() -> None:
    assert copy_name("fact_checker") == "my_fact_checker"
    assert len(copy_name("a" * 40)) == 40
    told_of = copied_told("a.toml", is_paused=True, other_skills=("dates",))
    assert told_of == "Written: a.toml; its schedule is paused; it has your own dates"
