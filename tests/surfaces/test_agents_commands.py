"""`gligabao agents ...`: agents as files and their schedules, from a shell."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from engine.domain.answers import AgentInfo, AgentSchedule, AgentsRead
from engine.domain.errors import NotFound, Problem, ProviderError, Refused
from engine.resources import definitions_dir
from gligabao_tui.headless.running import Connect
from tests.engine.definitions.files import as_json, toml, write
from tests.fakes.engine import FakeEngine
from tests.fakes.models import text_reply
from tests.surfaces.conftest import Said, Shell

OWN = "agent_defs"
"""Beside the configuration file, where nothing else is said."""
SCHEDULE = AgentSchedule(
    cron="30 7 * * 1-5",
    timezone="Europe/Berlin",
    topic="The news",
    user="press",
    paused=False,
    next_run="2026-11-02T06:30:00.000Z",
)
NIGHTLY = '[schedule]\ncron = "0 1 * * *"\ntopic = "News of {{.Date}}"\nuser = "press"\n'
FAULTY: Mapping[str, str] = {
    "a.toml": toml("a", 'modle = "m"\nskills = ["gone"]\n'),
    "b.json": '{"name": ',
}


@pytest.fixture
def engine(shell: Shell) -> FakeEngine:
    """What the commands of `shell` talk to, instead of an engine of their own."""
    fake = FakeEngine(owned=False)
    fake.kinds = (
        AgentInfo("default", "1.0.0", "searches", 20),
        AgentInfo("news", "1.1.0", "scans", 25, schedule=SCHEDULE),
    )
    shell.connect = cast(Connect, lambda _settings, *, stay, schedules: fake.opened())
    return fake


def nothing_but_files(shell: Shell) -> bool:
    """No engine was opened: there is no data directory."""
    return not (shell.folder / "data").exists()


def test_a_sound_directory_is_exit_code_0(shell: Shell) -> None:
    write(shell.folder / "mine", {"a.toml": toml("a")})
    said = shell("agents", "check", "mine")
    assert (said.code, said.out) == (0, "")
    assert said.err == "1 agent of your own in mine: sound\n"
    assert nothing_but_files(shell)


@pytest.mark.req("R214", "R215")
def test_every_problem_is_a_line_that_editors_can_go_to(shell: Shell) -> None:
    write(shell.folder / "mine", FAULTY)
    said = shell("agents", "check", "mine")
    assert said.code == 1
    assert said.out.splitlines() == [
        "mine/a.toml:6: unknown key(s): modle (did you mean model?)",
        "mine/b.json:1: is not JSON: Expecting value",
        'mine/a.toml:7: warning: skills: gone: "gone.md": file does not exist; '
        "the agent works without it",
    ]
    assert said.err == "1 agent of your own in mine: 2 problems, 1 warning\n"
    assert all(Path(line.partition(":")[0]).exists() for line in said.out.splitlines())
    assert nothing_but_files(shell)


def test_without_a_directory_the_configured_one_is_checked(shell: Shell) -> None:
    assert shell("agents", "check").err.endswith("is not there: no agents of your own, sound\n")
    write(shell.folder / OWN, {"a.toml": toml("a", "x = 1\n")})
    assert shell("agents", "check").out == "agent_defs/a.toml:6: unknown key(s): x\n"
    (shell.folder / "gligabao.toml").write_text('agent_defs_dir = "other"')
    said = shell("agents", "check")
    assert (said.code, said.err[-10:]) == (0, "1 warning\n")
    assert said.out.startswith("other: warning: there is no such directory")


def test_check_as_json_is_one_object(shell: Shell) -> None:
    write(shell.folder / "mine", FAULTY)
    said = shell("agents", "check", "mine", "--json")
    document = said.document
    assert said.code == 1
    assert list(document) == ["directory", "agents", "problems", "warnings"]
    assert (document["directory"], document["agents"]) == (str(shell.folder / "mine"), ["a"])
    assert [(Path(one["path"]).name, one["line"]) for one in document["problems"]] == [
        *(("a.toml", 6), ("b.json", 1)),
    ]
    assert "gone" in document["warnings"][0]["what"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("nowhere", "there is no directory 'nowhere'\n"),
        ("mine/a.toml", "'mine/a.toml' is a file: name the directory that it is in\n"),
    ],
)
def test_what_is_no_directory_is_exit_code_2(shell: Shell, given: str, told: str) -> None:
    write(shell.folder / "mine", {"a.toml": toml("a")})
    said = shell("agents", "check", given)
    assert (said.code, said.out, said.err) == (2, "", told)


def test_a_new_agent_is_found_by_the_next_command(shell: Shell) -> None:
    said = shell("agents", "new", "scan")
    assert (said.code, said.out) == (0, f"{OWN}/scan.toml\n")
    assert "--agent scan" in said.err
    assert nothing_but_files(shell)
    assert "scan" in [agent["name"] for agent in shell("agents", "ls", "--json").lines]


def test_a_copy_is_written_with_its_prompt_and_says_where(shell: Shell) -> None:
    said = shell("agents", "new", "mine", "--from", "news_scanner")
    assert said.out.splitlines() == [f"{OWN}/mine.toml", f"{OWN}/prompts/mine.md"]
    prompt = (definitions_dir() / "prompts/news_scanner.md").read_text()
    assert (shell.folder / OWN / "prompts/mine.md").read_text() == prompt
    assert shell("agents", "check").code == 0


def test_a_copy_tells_what_differs(shell: Shell) -> None:
    rest = 'skills = ["s"]\n[schedule]\ncron = "0 1 * * *"\ntopic = "t"\n'
    write(shell.folder / OWN, {"a.toml": toml("a", rest), "skills/s.md": "Mine."})
    write(shell.folder / "place", {"skills/s.md": "Theirs."})
    said = shell("agents", "new", "b", "--from", "a", "--dir", "place", "--json")
    assert said.document == {
        "name": "b",
        "paths": [str(shell.folder / "place/b.toml")],
        "is_paused": True,
        "other_skills": ["s"],
    }
    assert "its schedule is paused" in said.err
    assert "skills of this directory, which are others there: s" in said.err


def test_an_agent_in_another_directory_comes_with_how_it_is_started(shell: Shell) -> None:
    said = shell("agents", "new", "scan", "--dir", "place")
    assert said.out == "place/scan.toml\n"
    assert "gligabao_agent --agent scan --agent-defs-dir place TOPIC" in said.err
    assert f'agent_defs_dir = "{shell.folder / "place"}"' in said.err
    assert "--agent-defs-dir" not in shell("agents", "new", "x", "--dir", OWN).err


def test_a_new_agent_among_faulty_ones_is_written_and_what_is_wrong_is_told(shell: Shell) -> None:
    write(shell.folder / OWN, {"b.json": '{"name": '})
    said = shell("agents", "new", "scan")
    assert (said.code, said.out) == (1, f"{OWN}/scan.toml\n")
    assert f"{OWN}/b.json:1: is not JSON" in said.err
    assert "no agent of this directory can be started" in said.err


def test_nothing_is_overwritten(shell: Shell) -> None:
    write(shell.folder / OWN, {"a.toml": toml("a")})
    for words in (("a",), ("a", "--from", "news_scanner")):
        said = shell("agents", "new", *words)
        assert (said.code, said.out) == (5, "")
        assert 'the agent "a" exists already in' in said.err
    assert (shell.folder / OWN / "a.toml").read_text() == toml("a")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["A b"], 2, 'name: "A b" must be 1 to 40'),
        (["a", "--from", "news_scaner"], 4, 'did you mean "news_scanner"?'),
        ([], 2, "NAME"),
    ],
)
def test_a_new_agent_that_cannot_be(shell: Shell, words: list[str], code: int, told: str) -> None:
    said = shell("agents", "new", *words)
    assert (said.code, said.out, (shell.folder / OWN).exists()) == (code, "", False)
    assert told in said.err


def test_a_bundle_goes_to_a_file_or_to_stdout(shell: Shell) -> None:
    printed = shell("agents", "bundle", "news_scanner")
    assert [agent["definition"]["name"] for agent in printed.document["agents"]] == [
        *("news_scanner", "regional_scout"),
    ]
    said = shell("agents", "bundle", "news_scanner", "news.json")
    assert (said.code, said.out) == (0, "")
    assert said.err.startswith("news.json: news_scanner in ")
    assert (shell.folder / "news.json").read_text() == printed.out.removesuffix("\n")
    assert nothing_but_files(shell)


def test_a_bundle_is_written_over_a_file_only_by_force(shell: Shell) -> None:
    (shell.folder / "f.json").write_text("mine")
    said = shell("agents", "bundle", "fact_checker", "f.json")
    assert (said.code, (shell.folder / "f.json").read_text()) == (5, "mine")
    assert "--force" in said.err
    assert shell("agents", "bundle", "fact_checker", "f.json", "--force").code == 0
    assert json.loads((shell.folder / "f.json").read_text())["agent"] == "fact_checker"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["ghost"], 4, 'no agent called "ghost"'),
        (["fact_checker", "none/f.json"], 2, "none/f.json cannot be written"),
        (["fact_checker", "."], 2, "cannot be written"),
    ],
)
def test_a_bundle_that_cannot_be(shell: Shell, words: list[str], code: int, told: str) -> None:
    said = shell("agents", "bundle", *words, "--force")
    assert (said.code, said.out) == (code, "")
    assert told in said.err


def test_faulty_agents_make_no_bundle(shell: Shell) -> None:
    write(shell.folder / OWN, FAULTY)
    said = shell("agents", "bundle", "fact_checker")
    assert (said.code, said.out) == (3, "")
    assert "a.toml:6: unknown key(s): modle" in said.err


def test_an_agent_is_shown_with_its_prompt(shell: Shell, engine: FakeEngine) -> None:
    words = shell("agents", "show", "news").out
    assert words.startswith("news  1.1.0")
    assert "scans" in words
    assert "You are news." in words
    assert shell("agents", "show", "news", "--prompt").out == "You are news.\n"
    document = shell("agents", "show", "news", "--json").document
    assert (document["info"]["name"], document["prompt"]) == ("news", "You are news.")
    assert shell("agents", "show", "news", "--json", "--prompt").code == 2


def test_an_agent_that_is_not_there_is_exit_code_4(shell: Shell, engine: FakeEngine) -> None:
    said = shell("agents", "show", "ghost")
    assert (said.code, said.out) == (4, "")
    assert 'no agent called "ghost"' in said.err


def test_reload_tells_what_changed(shell: Shell, engine: FakeEngine) -> None:
    engine.next_read = AgentsRead("/defs", changed=("a", "b"))
    said = shell("agents", "reload")
    assert (said.code, said.out, said.err) == (0, "changed: a, b\n", "")
    engine.next_read = AgentsRead("/defs")
    assert shell("agents", "reload").out == "nothing has changed\n"


def test_a_reload_that_finds_problems_is_exit_code_1(shell: Shell, engine: FakeEngine) -> None:
    directory = str(shell.folder / OWN)
    found = AgentsRead(
        directory, (Problem("a.toml:3", "modle: x"),), (Problem("b.toml", "replaces"),)
    )
    engine.next_read = found
    said = shell("agents", "reload")
    assert said.code == 1
    assert said.out.splitlines() == [
        f"{OWN}/a.toml:3: modle: x",
        f"{OWN}/b.toml:1: warning: replaces",
    ]
    assert "the agents stay as they were" in said.err
    engine.next_read = found
    assert shell("agents", "reload", "--json").document["problems"][0]["where"] == "a.toml:3"


def test_a_reload_that_nobody_hears_says_so(shell: Shell, engine: FakeEngine) -> None:
    engine.owned = True
    said = shell("agents", "reload")
    assert said.code == 0
    assert "no process works on the data now" in said.err
    assert "at every start" in said.err


def test_schedules_are_shown_on_both_clocks(shell: Shell, engine: FakeEngine) -> None:
    said = shell("agents", "schedules")
    assert said.out.startswith("news: 30 7 * * 1-5\n")
    assert "Mon 2 Nov 07:30 Europe/Berlin" in said.out
    assert "your clock" in said.out
    assert "`gligabao serve` does" in said.err
    engine.followed = True
    assert "starts these agents by the clock" in shell("agents", "schedules").err
    (document,) = shell("agents", "schedules", "--json").lines
    assert (document["agent"], document["followed"]) == ("news", True)


def test_without_a_schedule_it_is_told_how_one_is_made(shell: Shell, engine: FakeEngine) -> None:
    engine.kinds = engine.kinds[:1]
    said = shell("agents", "schedules")
    assert (said.code, said.out) == (0, "")
    assert "[schedule]" in said.err


def test_a_schedule_is_paused_and_goes_on(shell: Shell, engine: FakeEngine) -> None:
    assert shell("agents", "pause", "news").out == "news is paused\n"
    assert "pause_schedule news True" in engine.asked
    assert shell("agents", "resume", "news").code == 0
    assert "pause_schedule news False" in engine.asked
    assert shell("agents", "pause", "news", "--json").document["schedule"]["paused_here"]
    assert shell("agents", "pause", "default").code == 4


def test_a_scheduled_run_is_started_now_and_left_to_its_owner(
    shell: Shell, engine: FakeEngine
) -> None:
    said = shell("agents", "run", "news")
    assert (said.code, said.out) == (0, "run 1 has started: The news\n")
    assert "gligabao research watch 1" in said.err
    assert shell("agents", "run", "news", "--json").document["id"] == 2


@pytest.mark.parametrize(
    ("refusal", "code"), [(Refused("run 3 still works"), 5), (NotFound("no schedule"), 4)]
)
def test_a_run_that_is_refused(
    shell: Shell, engine: FakeEngine, refusal: Refused, code: int
) -> None:
    engine.refuses = refusal
    said = shell("agents", "run", "news")
    assert (said.code, said.out, said.err) == (code, "", f"{refusal}\n")


def test_json_definitions_are_agents_too(shell: Shell) -> None:
    write(shell.folder / OWN, {"a.json": as_json(name="a")})
    listed: Said = shell("agents", "ls")
    assert "a.json" in listed.out
    assert shell("agents", "new", "b", "--from", "a").out == f"{OWN}/b.json\n"


def test_whoever_owns_the_data_stays_until_the_scheduled_run_has_ended(shell: Shell) -> None:
    write(shell.folder / OWN, {"a.toml": toml("a", NIGHTLY)})
    shell.script([text_reply("# The news")])
    said = shell("agents", "run", "a")
    assert said.code == 0
    assert said.out.startswith("run 1 has started: News of 20")
    assert "run 1 completed" in said.err
    run = shell("research", "get", "1", "--json", "--user", "press").document
    assert (run["agent_name"], run["report"]) == ("a", "# The news")
    last = shell("agents", "schedules", "--json").document["schedule"]["last"]
    assert (last["outcome"], last["run_id"], last["status"]) == ("started", 1, "completed")


def test_a_scheduled_run_that_fails_is_exit_code_1(shell: Shell) -> None:
    write(shell.folder / OWN, {"a.toml": toml("a", NIGHTLY)})
    shell.script([ProviderError("auth", "the key was refused (401)")])
    said = shell("agents", "run", "a", "--json")
    assert (said.code, said.document["user_id"]) == (1, "press")
    assert "the key was refused" in said.err


def test_a_pause_outlives_the_command(shell: Shell) -> None:
    write(shell.folder / OWN, {"a.toml": toml("a", NIGHTLY)})
    assert shell("agents", "pause", "a").out == "a is paused\n"
    assert "paused here" in shell("agents", "schedules").out
    assert "next run: paused here" in shell("agents", "ls").out
    assert shell("agents", "resume", "a").out.startswith("a is not paused: next ")


def test_everything_of_an_agent_is_shown_by_the_engine(shell: Shell) -> None:
    details = shell("agents", "show", "fact_checker", "--json").document
    prompt = shell("agents", "show", "fact_checker", "--prompt").out
    assert prompt.removesuffix("\n") == details["prompt"]
    assert "## Skill: citation_style" in prompt
    assert shell("agents", "show", "fact_checker").out.startswith("fact_checker  1.0.0")
