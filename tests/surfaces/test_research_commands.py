"""`gligabao research ...`: what goes to stdout, what to stderr, and with which exit code."""

import json
from pathlib import Path

import pytest

from engine.documents import RUN_FIELDS
from engine.domain.errors import ProviderError
from tests.fakes.models import text_reply, tool_reply
from tests.surfaces.conftest import Shell

STEPS = [tool_reply("note", {"text": "hello"}), text_reply("# The report")]


@pytest.fixture
def done(shell: Shell) -> Shell:
    """A shell whose first run has completed."""
    shell.script(STEPS)
    assert shell("research", "start", "How deep is it?", "--wait").code == 0
    return shell


@pytest.mark.req("R142", "R141", "R093", "R122")
def test_start_prints_the_run_at_once_and_shows_its_states_beside_the_data(shell: Shell) -> None:
    shell.script(STEPS)
    said = shell("research", "start", "How deep is it?", "--model", "m", "--max-steps", "5")
    run = said.document
    assert tuple(run)[: len(RUN_FIELDS)] == RUN_FIELDS
    assert (run["status"], run["state"], run["steps"], run["finished_at"]) == (
        *("running", "starting", 0),
        None,
    )
    assert (run["user_id"], run["model"], run["max_steps"]) == ("admin", "m", 5)
    assert "using_tool" in said.err
    assert "run 1 completed" in said.err
    assert said.code == 0


@pytest.mark.req("R143")
def test_start_and_wait_prints_the_ended_run_instead(shell: Shell) -> None:
    shell.script(STEPS)
    said = shell("research", "start", "How deep is it?", "--wait")
    assert (said.document["status"], said.document["report"]) == ("completed", "# The report")
    assert said.code == 0


@pytest.mark.req("R143")
def test_raw_reduces_the_output_to_the_report(shell: Shell) -> None:
    shell.script(STEPS)
    said = shell("research", "start", "How deep is it?", "--wait", "--raw")
    assert said.out == "# The report\n"


@pytest.mark.req("R143")
def test_a_failed_run_is_exit_code_1_and_has_no_report(shell: Shell) -> None:
    shell.script([ProviderError("auth", "the key was refused (401)")])
    said = shell("research", "start", "topic", "--wait")
    assert (said.code, said.document["status"]) == (1, "failed")
    shell.script([ProviderError("auth", "the key was refused (401)")])
    raw = shell("research", "start", "topic", "--wait", "--raw")
    assert (raw.code, raw.out) == (1, "")
    assert "the key was refused" in raw.err
    shell.script([ProviderError("auth", "the key was refused (401)")])
    assert shell("research", "start", "topic").code == 1


def test_raw_without_wait_is_a_usage_error(shell: Shell) -> None:
    said = shell("research", "start", "topic", "--raw")
    assert (said.code, said.out) == (2, "")
    assert "--wait" in said.err


@pytest.mark.req("R141")
def test_a_body_is_the_whole_request_and_options_win(shell: Shell) -> None:
    shell.script(STEPS)
    body = {"topic": "from the body", "max_steps": 7, "user_id": "bob"}
    said = shell("research", "start", "--json", json.dumps(body), "--max-steps", "3")
    run = said.document
    assert (run["topic"], run["max_steps"], run["user_id"]) == ("from the body", 3, "bob")
    shell.script(STEPS)
    said = shell("research", "start", "mine", "--json", json.dumps(body), "--user", "ann")
    assert (said.document["topic"], said.document["user_id"]) == ("mine", "ann")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--json", "{"], "--json: is not JSON"),
        (["--json", "[]"], "--json: must be a JSON object"),
        (["--json", '{"topic": "t", "depth": 3}'], "depth: is not a known field"),
        (["topic", "--docs", "missing"], "is not a folder that can be read"),
        (["topic", "--max-steps", "0"], "0 must be between 1 and 40"),
        (["topic", "--max-steps", "many"], "'--max-steps'"),
        (["topic", "--agent", "ghost"], 'no agent called "ghost"'),
        (["topic", "--dataset", "A B"], '"A B" is not a dataset name'),
        ([], "topic is required"),
        (["x" * 2001], "2001 characters are too many (2000 at most)"),
        (["topic", "--unknown"], "No such option"),
    ],
)
@pytest.mark.req("R118", "R119")
def test_a_wrong_request_is_exit_code_2_and_starts_nothing(
    shell: Shell, words: list[str], told: str
) -> None:
    said = shell("research", "start", *words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert shell("research", "ls").out == ""


def test_every_problem_of_a_request_is_told_at_once(shell: Shell) -> None:
    said = shell("research", "start", "--max-steps", "99", "--dataset", "A B")
    assert len(said.err.splitlines()) == 3


@pytest.mark.req("R125")
def test_without_a_key_a_start_is_exit_code_3_and_names_the_offline_model(keyless: Shell) -> None:
    said = keyless("research", "start", "topic")
    assert (said.code, said.out) == (3, "")
    assert "--model offline" in said.err


def test_documents_are_researched_by_name_without_a_key(keyless: Shell, tmp_path: Path) -> None:
    manual = tmp_path / "My manual"
    manual.mkdir()
    (manual / "a.md").write_text("# Checkpoints\n\nA checkpoint happens every five minutes.\n")
    said = keyless(
        *("research", "start", "When does a checkpoint happen?", "--docs", str(manual)),
        *("--docs", f"other={manual}", "--model", "offline", "--wait", "--raw"),
    )
    assert said.code == 0
    assert "docs://My-manual/a.md" in said.out
    assert str(tmp_path) not in said.out


def test_a_recorded_run_is_replayed_without_a_topic(done: Shell) -> None:
    done.script([])
    said = done("research", "start", "--model", "recorded:1", "--wait")
    assert (said.code, said.document["report"]) == (0, "# The report")
    assert (said.document["topic"], said.document["cost_usd"]) == ("How deep is it?", 0)
    assert done("research", "start", "else", "--model", "recorded:1").code == 2
    assert done("research", "start", "--model", "recorded:99").code == 4


@pytest.mark.req("R144")
def test_ls_shows_runs_newest_first_and_filters_them(done: Shell) -> None:
    done.script([ProviderError("auth", "no")])
    done("research", "start", "Another one")
    assert [line.split()[0] for line in done("research", "ls").out.splitlines()] == [
        *("id", "2", "1"),
    ]
    failed = done("research", "ls", "--status", "failed", "--json").document
    assert (failed["id"], failed["status"], failed["report"]) == (2, "failed", "")
    assert len(done("research", "ls", "--json", "--limit", "1").lines) == 1
    active = done("research", "ls", "--active")
    assert (active.out, active.err, active.code) == ("", "no runs\n", 0)


@pytest.mark.req("R131", "R133")
@pytest.mark.parametrize(
    "words",
    [
        ["--active", "--status", "failed"],
        ["--status", "done"],
        ["--limit", "501"],
        ["--limit", "0"],
    ],
)
def test_ls_refuses_what_it_cannot_do(shell: Shell, words: list[str]) -> None:
    said = shell("research", "ls", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err


def test_ls_says_when_there_are_more(done: Shell) -> None:
    done.script(STEPS)
    done("research", "start", "Another one")
    assert "more than 1" in done("research", "ls", "--limit", "1").err


@pytest.mark.req("R145")
def test_get_shows_a_run_with_its_states_and_raw_its_report_alone(done: Shell) -> None:
    words = done("research", "get", "1").out
    assert "run 1: How deep is it?" in words
    assert "using_tool" in words
    assert words.endswith("# The report\n")
    document = done("research", "get", "1", "--json").document
    assert document["states"][0]["state"] == "starting"
    assert done("research", "get", "1", "--raw").out == "# The report\n"


@pytest.mark.req("R137")
def test_another_user_s_run_is_not_found(done: Shell) -> None:
    for command in ("get", "watch", "stop", "wrap-up"):
        said = done("research", command, "1", "--user", "bob")
        assert (said.code, said.out, said.err) == (4, "", "no run 1\n")
    assert done("research", "ls", "--user", "bob").out == ""


def test_a_run_without_a_report_is_refused_raw(shell: Shell) -> None:
    shell.script([ProviderError("auth", "no")])
    shell("research", "start", "topic")
    said = shell("research", "get", "1", "--raw")
    assert (said.code, said.out) == (5, "")
    assert "has no report" in said.err


def test_watch_tells_an_ended_run_from_its_beginning(done: Shell) -> None:
    said = done("research", "watch", "1")
    assert [line.split()[1] for line in said.out.splitlines()] == [
        *("starting", "thinking", "using_tool", "thinking", "completed"),
    ]
    assert said.code == 0


@pytest.mark.req("R545")
def test_watch_as_json_tells_events_with_their_ids(done: Shell) -> None:
    events = done("research", "watch", "1", "--json").lines
    assert (events[0]["event"], events[0]["run"]["id"]) == ("run_started", 1)
    entered = [event for event in events if event["event"] == "state_entered"]
    assert [event["id"] for event in entered] == ["1:1", "1:2", "1:3", "1:4", "1:5"]
    assert (events[-1]["event"], events[-1]["status"]) == ("run_ended", "completed")


@pytest.mark.req("R170")
def test_an_ended_run_can_neither_be_stopped_nor_wrapped_up(done: Shell) -> None:
    for command in ("stop", "wrap-up"):
        said = done("research", command, "1")
        assert (said.code, said.out) == (5, "")
        assert said.err == "agent 1 has ended (completed)\n"


@pytest.mark.req("R148")
def test_agents_lists_what_can_be_started(shell: Shell) -> None:
    default, *others = shell("research", "agents", "--json").lines
    assert (default["name"], len(default["hash"])) == ("default", 64)
    assert "fact_checker" in [other["name"] for other in others]
    assert shell("research", "agents").out.splitlines()[1].startswith("default")
    assert shell("agents", "ls").out == shell("research", "agents").out


@pytest.mark.parametrize("words", [["get", "x"], ["get", "0"], ["get"], ["nothing"]])
def test_a_command_line_that_is_wrong_is_exit_code_2(shell: Shell, words: list[str]) -> None:
    said = shell("research", *words)
    assert (said.code, said.out) == (2, "")


def test_everything_that_is_wrong_is_told_at_once(shell: Shell) -> None:
    said = shell("research", "start", "x", "--max-steps", "99", "--max-cost=-3", "--docs", "gone")
    assert said.code == 2
    assert [line.partition(":")[0] for line in said.err.splitlines()] == [
        "max_steps",
        "max_cost_usd",
        "docs",
    ]


@pytest.mark.req("R326", "R147")
def test_a_version_of_the_agent_may_be_asked_for(shell: Shell) -> None:
    shell.script(STEPS)
    asked = ("research", "start", "How deep is it?", "--agent", "fact_checker")
    refused = shell(*asked, "--agent-version", "^9")
    assert refused.code == 2
    assert 'agent "fact_checker" is at version 1.0.0, which does not meet "^9"' in refused.err
    assert shell(*asked, "--agent-version", "^1.0").document["agent_name"] == "fact_checker"


@pytest.mark.req("R214", "R215")
def test_faulty_agents_keep_everything_from_starting(shell: Shell) -> None:
    folder = shell.folder / "agents"
    folder.mkdir()
    (folder / "a.toml").write_text("schema = 2\n")
    (folder / "b.toml").write_text("name = \n")
    data = shell.folder / "data"
    said = shell("serve", "--agent-defs-dir", str(folder), "--data-dir", str(data))
    assert (said.code, said.out, data.exists()) == (3, "", False)
    assert "schema: 2 is not known (1)" in said.err
    assert "b.toml:1" in said.err


@pytest.mark.req("R329")
def test_one_agent_of_a_folder_runs_without_a_server(shell: Shell) -> None:
    folder = shell.folder / "agents"
    folder.mkdir()
    (folder / "own.toml").write_text(
        'schema = 1\nname = "own"\nversion = "2.0.0"\ndescription = "d"\nsystem_prompt = "p"\n'
    )
    shell.script(STEPS)
    said = shell.agent("How deep?", "--agent", "own", "--agent-defs-dir", str(folder), "--json")
    assert (said.code, said.lines[-1]["agent_version"]) == (0, "2.0.0")
