"""`gligabao serve` as a process: one owner that others join, schedules, signals, and its log."""

import json
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

from engine.api import EngineUnreachable, Settings
from tests.engine.definitions.files import toml, write
from tests.surfaces.conftest import Shell
from tests.surfaces.test_processes import Machine, Process


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path / "data", program="tests.surfaces.serving_program")
    yield machine
    machine.close()


def serving(machine: Machine, *words: str, **environment: str) -> Process:
    """A server that has begun to serve."""
    server = machine.begin(*(words or ("serve",)), **environment)
    socket = machine.data_dir / "engine.sock"
    assert server.line() == f"serving {machine.data_dir} on {socket}\n"
    return server


def runs_of(machine: Machine, user: str) -> Sequence[dict[str, Any]]:
    _, out, _ = machine.call("research", "ls", "--json", "--user", user)
    return [json.loads(line) for line in out.splitlines()]


def messages(text: str) -> Sequence[str]:
    """What is told in JSON lines; fails where a line is anything else."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    return [line["message"] for line in lines]


@pytest.mark.parametrize("words", [("serve",), ("--serve",)])
def test_a_command_joins_the_server_and_its_run_outlives_the_command(
    machine: Machine, words: tuple[str, ...]
) -> None:
    server = serving(machine, *words)
    code, out, _ = machine.call("research", "start", "topic")
    assert (code, json.loads(out)["status"]) == (0, "running")
    assert machine.run(1)["status"] == "running"
    assert machine.call("research", "stop", "1")[0] == 0
    assert machine.call("research", "ls")[0] == 0
    server.send(signal.SIGTERM)
    assert server.end()[0] == 143


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 143), (signal.SIGINT, 130)]
)
def test_a_signal_ends_the_server_cleanly_and_its_runs_are_interrupted(
    machine: Machine, number: signal.Signals, code: int
) -> None:
    server = serving(machine)
    machine.call("research", "start", "topic")
    server.send(number)
    ended, out, err = server.end()
    assert (ended, out) == (code, "")
    told = messages(err)
    assert "run 1 of 'default' started for 'admin'" in told
    assert told[-2:] == ["closing: calls in flight are given their time", "closed"]
    assert not (machine.data_dir / "engine.sock").exists()
    run = machine.run(1)
    assert (run["status"], run["error"]) == ("failed", "interrupted")


def test_what_is_told_on_stderr_is_in_the_log_file_and_no_topic_is(machine: Machine) -> None:
    server = serving(machine)
    machine.call("research", "start", "a private matter")
    machine.call("research", "stop", "1")
    server.send(signal.SIGTERM)
    _, _, err = server.end()
    log = (machine.data_dir / "logs/gligabao.log").read_text()
    assert "run 1 is stopped: stopped by admin" in messages(err)
    assert [line for line in messages(err) if line not in messages(log)] == ["closed"]
    assert "private" not in log + err


def test_a_second_server_is_refused_and_the_first_goes_on(machine: Machine) -> None:
    server = serving(machine)
    code, out, err = machine.call("serve")
    assert (code, out) == (5, "")
    assert f"process {server.id} owns the data in {machine.data_dir} already" in err
    assert machine.call("research", "ls")[0] == 0


def test_a_server_is_refused_while_a_command_works_on_its_run(machine: Machine) -> None:
    owner = machine.begin("research", "start", "topic")
    owner.until("thinking")
    code, _, err = machine.call("serve")
    assert code == 5
    assert f"process {owner.id} owns the data" in err
    assert machine.run(1)["status"] == "running"


def test_a_server_marks_what_a_killed_one_left(machine: Machine) -> None:
    server = serving(machine)
    machine.call("research", "start", "topic")
    server.send(signal.SIGKILL)
    server.end()
    serving(machine)
    assert machine.run(1)["error"] == "interrupted"


@pytest.mark.req("R302", "R310")
def test_the_server_starts_an_agent_when_it_is_due(machine: Machine) -> None:
    server = serving(machine, DUE_SOON="yes")
    server.until("run 1 of 'default' started for 'press'")
    assert [run["topic"] for run in runs_of(machine, "press")] == ["News of 2026-11-02"]
    assert runs_of(machine, "admin") == []
    server.send(signal.SIGTERM)
    assert server.end()[0] == 143


def test_only_a_server_follows_schedules(machine: Machine) -> None:
    owner = machine.begin("research", "start", "topic", DUE_SOON="yes")
    owner.until("thinking")
    assert [run["topic"] for run in runs_of(machine, "admin")] == ["topic"]
    assert runs_of(machine, "press") == []


@pytest.mark.req("R554")
def test_changed_files_of_agents_are_told_and_count_at_once(
    machine: Machine, tmp_path: Path
) -> None:
    (tmp_path / "gligabao.toml").touch()
    server = serving(machine)
    write(tmp_path / "agent_defs", {"scout.toml": toml("scout")})
    server.until("the definitions were read again; changed: scout")
    assert machine.call("research", "start", "topic", "--agent", "scout")[0] == 0
    write(tmp_path / "agent_defs", {"scout.toml": toml("scout", "max_steps = 41")})
    server.until("scout.toml:6: max_steps: 41 must be between 1 and 40")
    assert machine.call("research", "start", "topic", "--agent", "scout")[0] == 0
    server.send(signal.SIGTERM)
    code, _, err = server.end()
    assert code == 143
    assert "scout.toml" not in err


@pytest.mark.req("R216")
def test_agents_of_one_s_own_are_named_by_a_flag(shell: Shell) -> None:
    seen: list[Settings] = []

    def connect(settings: Settings, *, stay: bool, schedules: bool = False) -> NoReturn:
        assert stay
        assert schedules
        seen.append(settings)
        raise EngineUnreachable("enough")

    shell.connect = connect
    assert shell("serve", "--agent-defs-dir", "agents").code == 5
    assert [settings.agent_defs_dir for settings in seen] == [shell.folder / "agents"]


def test_the_flag_stands_alone(shell: Shell) -> None:
    said = shell("--serve", "research", "ls")
    assert (said.code, said.out) == (2, "")
    assert "stands alone" in said.err
