"""What the dialogs say: failures and what to do, what stopping costs, the doctor, the welcome."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.api import Check, Settings
from gligabao_tui.keys import ACTIONS
from gligabao_tui.view.demo import DEMO_TOPIC, demo_request
from gligabao_tui.view.details import Details
from gligabao_tui.view.doctor import (
    doctor_lines,
    doctor_text,
    doctor_title,
    engine_check,
)
from gligabao_tui.view.failure import Failure, failure_lines, failure_text, failure_title
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.questions import (
    all_ended_words,
    leave_question,
    leave_title,
    sources_read,
    stop_all_question,
    stop_all_title,
    stop_question,
    stopped_words,
)
from gligabao_tui.view.text import line_width, plain
from gligabao_tui.view.welcome import OFFERS, search_of, welcome
from tests.tui.view.samples import T2, a_run, a_state, some_details

NOW = datetime(2026, 11, 1, 10, 2, tzinfo=UTC)
CHECKS = (
    Check("python", "ok", "3.11.2 on linux"),
    Check("Anthropic key", "warning", "not set: set ANTHROPIC_API_KEY"),
    Check("search", "problem", "tavily needs a key"),
    Check("setting model", "ok", "claude-sonnet-5-5 (default)"),
    Check("setting search.provider", "ok", "tavily (file)"),
)


def failed_details(error: str = "it broke") -> Details:
    details = some_details(
        a_state(1, "starting"),
        a_state(2, "searching"),
        a_state(3, "reading", error="example.org: status 404"),
        a_state(4, "reading", error=error),
        a_state(5, "failed", error=error),
        status="failed",
    )
    return replace(details, run=replace(details.run, error=error, steps=3, cost_usd=0.04))


def told(details: Details, width: int = 70, advice: str = "") -> str:
    return "\n".join(plain(row) for row in failure_lines(Failure(details, advice), width))


@pytest.mark.req("R156")
def test_a_failure_tells_the_error_the_state_and_what_came_before() -> None:
    details = failed_details()
    text = told(details, advice="Wait a while.")
    assert failure_title(details) == "#1 failed in state 4, reading"
    assert "it broke" in text
    assert "Wait a while. Start again opens the form" in text
    assert "state 4 of 5 reading, step 4 of 20" in text
    assert "began 10:00:00 UTC, ran 0:05, cost so far $0.04" in text
    before = text.partition("Before it\n")[2].splitlines()
    assert [row.split()[0] for row in before] == ["1", "2", "3"]
    assert "example.org: status 404" in before[2]


def test_a_failure_is_copied_without_the_spaces_of_its_window() -> None:
    text = failure_text(Failure(failed_details()))
    assert text.startswith("#1 failed in state 4, reading\nRivers\n")
    assert max(len(row) for row in text.splitlines()) < 200


def test_an_interrupted_run_is_explained_in_words() -> None:
    text = told(failed_details("interrupted"))
    assert "interrupted: the program that this agent worked in ended before it" in text
    assert "What it did until then is kept" in text


def test_a_stopped_run_says_who_stopped_it_and_that_nothing_is_broken() -> None:
    details = failed_details()
    run = replace(details.run, status="stopped", error="stopped by the admin UI")
    text = told(replace(details, run=run))
    assert failure_title(replace(details, run=run)).startswith("#1 was stopped in state 4")
    assert "stopped by the admin UI: somebody stopped it in this app" in text
    assert "Nothing is broken." in text
    other = replace(run, error="stopped by ann")
    assert "stopped by ann\n" in told(replace(details, run=other))


def test_a_run_without_states_or_error_still_has_a_failure() -> None:
    details = some_details(status="failed")
    text = told(replace(details, run=replace(details.run, error="")))
    assert "No error was recorded." in text
    assert "before its first state" in text


def test_a_failure_before_the_first_step_does_not_count_one() -> None:
    first = replace(a_state(1, "starting"), step=0)
    text = told(some_details(first, a_state(2, "failed"), status="failed"))
    assert "before the first step" in text
    assert "step 0" not in text


@pytest.mark.parametrize("width", [50, 70])
def test_no_row_of_a_failure_is_wider_than_its_window(width: int) -> None:
    details = failed_details("an error that goes on for quite a while " * 8)
    rows = failure_lines(Failure(details), width, glyphs=ASCII)
    assert all(line_width(row) <= width for row in rows)


def test_stopping_says_what_is_at_stake() -> None:
    run = replace(a_run(), steps=3, cost_usd=0.08)
    text = "\n".join(plain(row) for row in stop_question(run, 70, NOW, sources=1))
    assert "step 3/20  2:00  $0.08  1 source read" in text
    assert "source" not in plain(stop_question(run, 70, NOW)[1])
    wrapping = replace(run, wrap_up_at=T2)
    assert any("already" in plain(row) for row in stop_question(wrapping, 70, NOW))


def test_a_source_is_counted_once_and_only_when_it_could_be_read() -> None:
    read = a_state(1, "reading")
    broken = a_state(2, "reading", error="gone")
    assert sources_read([read, replace(read, seq=3), broken, a_state(4)]) == 1


def test_leaving_and_stopping_all_name_the_agents() -> None:
    runs = [a_run(n, topic=f"Topic {n}") for n in range(1, 9)]
    assert leave_title(runs[:1]) == "1 agent is still working"
    assert leave_title(runs) == "8 agents are still working"
    assert stop_all_title(runs[:1]) == "Stop the one agent that works?"
    assert stop_all_title(runs) == "Stop all 8 agents?"
    for question in (leave_question, stop_all_question):
        rows = [plain(row) for row in question(runs, 60, NOW)]
        assert rows[0].startswith("#1 Topic 1")
        assert rows[0].endswith("step 0/20  2:00  $0.00")
        assert rows[6] == "and 2 more"


def test_what_came_of_stopping_is_said() -> None:
    run = replace(a_run(5, status="stopped"), steps=3, cost_usd=0.08)
    assert stopped_words(run) == (
        "#5 is stopped, without a report (3 steps, $0.08); what it read is kept"
    )
    assert all_ended_words([run, a_run(6)], wraps_up=False) == "Stopped, without a report: #5, #6"
    assert "#5: the next model call" in all_ended_words([run], wraps_up=True)
    assert all_ended_words([], wraps_up=False) == "No agent was working any more"


def test_the_doctor_tells_the_worst_first_and_settings_last() -> None:
    assert doctor_title(CHECKS) == "Doctor: 1 problem, 1 warning"
    assert doctor_title(CHECKS[:1]) == "Doctor: everything is well"
    rows = [plain(row) for row in doctor_lines(CHECKS, 80, DRAWN)]
    assert rows[0].startswith("✗ problem search          tavily needs a key")
    assert rows[1].startswith("! warning Anthropic key   not set")
    assert rows[2].startswith("✓ ok      python")
    assert rows[-1].split() == ["search.provider", "tavily", "(file)"]


@pytest.mark.parametrize("width", [50, 90])
def test_the_doctor_fits_its_window_in_ascii_too(width: int) -> None:
    long = Check("data directory", "warning", "it can be read by others and more " * 6)
    rows = doctor_lines((*CHECKS, long), width, ASCII)
    assert all(line_width(row) <= width and plain(row).isascii() for row in rows)


def test_the_doctor_knows_where_the_engine_is() -> None:
    assert engine_check("lost").status == "problem"
    assert "owns the data" in engine_check("owned").text
    assert "joined" in engine_check("joined").text
    assert doctor_text((engine_check("lost"),), DRAWN).startswith("Doctor: 1 problem\n✗ problem")


def test_the_welcome_offers_actions_that_exist_and_fits_the_smallest_screen() -> None:
    assert {name for name, _ in OFFERS} <= {action.id for action in ACTIONS}
    settings = Settings(data_dir=Path("/home/ann" + "/very-long-name" * 9))
    rows = welcome(settings, 58, ASCII)
    assert len(rows) <= 12
    assert all(line_width(row) <= 58 for row in rows)
    assert plain(rows[-1]).endswith("very-long-name")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (Settings(Path("/d"), anthropic_api_key="k"), ("an API key is set", "anthropic")),
        (Settings(Path("/d")), ("none: set ANTHROPIC_API_KEY", "ddgs")),
        (Settings(Path("/d"), model="offline"), ("none needed", "offline: quotes")),
        (Settings(Path("/d"), config_file=Path("/c/gligabao.toml")), ("/c/gligabao.toml",)),
    ],
)
def test_the_welcome_says_what_is_set_up(settings: Settings, told: tuple[str, ...]) -> None:
    text = "\n".join(plain(row) for row in welcome(settings, 100, DRAWN))
    assert all(word in text for word in told)
    assert search_of(settings) in text


def test_the_demo_asks_for_the_handbook_and_for_no_key() -> None:
    request = demo_request("ann", "/docs")
    assert (request.topic, request.user, request.model) == (DEMO_TOPIC, "ann", "offline")
    assert [(folder.name, folder.path) for folder in request.docs] == [("handbook", "/docs")]
