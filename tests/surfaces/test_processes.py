"""Commands as processes: one owner and who joins it, signals, and a process that is killed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.sources import ROOT

WAITING = "tests.surfaces.waiting_program"
SECONDS = 30
"""How long a process may take before the test is given up."""


class Process:
    """One command at work."""

    def __init__(
        self, words: tuple[str, ...], environment: dict[str, str], *, program: str = WAITING
    ) -> None:
        command = [sys.executable, "-m", program, *words]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True
        )

    def until(self, told: str) -> str:
        """Read stderr up to the line with `told`."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if told in line:
                return line
        raise AssertionError(f"the process ended without {told!r}")

    @property
    def id(self) -> int:
        return self._process.pid

    def line(self) -> str:
        """The next line of stdout."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def first_line(self) -> dict[str, Any]:
        line: dict[str, Any] = json.loads(self.line())
        return line

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> tuple[int, str, str]:
        out, err = self._process.communicate(timeout=SECONDS)
        return self._process.returncode, out, err

    def close(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.communicate()


class Machine:
    """Processes on one data directory."""

    def __init__(self, data_dir: Path, *, program: str = WAITING) -> None:
        self.data_dir = data_dir
        self._program = program
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self._environment = {
            **kept,
            "GLIGABAO_DATA_DIR": str(data_dir),
            "GLIGABAO_CONFIG": os.environ["GLIGABAO_CONFIG"],
            "ANTHROPIC_API_KEY": "sk-test",
        }
        self._processes: list[Process] = []

    def begin(self, *words: str, **environment: str) -> Process:
        process = Process(words, self._environment | environment, program=self._program)
        self._processes.append(process)
        return process

    def call(self, *words: str) -> tuple[int, str, str]:
        return self.begin(*words).end()

    def run(self, number: int) -> dict[str, Any]:
        _, out, _ = self.call("research", "get", str(number), "--json")
        run: dict[str, Any] = json.loads(out)
        return run

    def call_without(self, streams: str, *words: str) -> int:
        """The exit code of a command that began with standard streams closed, as a shell can."""
        line = f'exec "$0" -m tests.surfaces.waiting_program "$@" {streams}'
        command = ["sh", "-c", line, sys.executable, *words]
        return subprocess.run(
            command, cwd=ROOT, env=self._environment, check=False, timeout=SECONDS
        ).returncode

    def close(self) -> None:
        for process in self._processes:
            process.close()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path / "data")
    yield machine
    machine.close()


@pytest.mark.req("R090")
def test_the_run_of_a_killed_process_is_marked_by_the_next_command(machine: Machine) -> None:
    killed = machine.begin("research", "start", "topic")
    assert killed.first_line()["id"] == 1
    killed.until("thinking")
    killed.send(signal.SIGKILL)
    killed.end()
    run = machine.run(1)
    assert (run["status"], run["error"]) == ("failed", "interrupted")
    assert [state["state"] for state in run["states"]] == ["starting", "thinking", "failed"]


def test_the_first_ctrl_c_stops_the_run_and_records_it(machine: Machine) -> None:
    process = machine.begin("research", "start", "topic", "--wait")
    process.until("thinking")
    process.send(signal.SIGINT)
    code, out, err = process.end()
    run = json.loads(out)
    assert (code, run["status"], run["error"]) == (1, "stopped", "stopped by admin")
    assert "stopping run 1" in err
    assert machine.run(1)["status"] == "stopped"


def test_the_second_ctrl_c_leaves_at_once(machine: Machine) -> None:
    process = machine.begin("research", "start", "topic", "--wait", STUBBORN="yes")
    process.until("thinking")
    process.send(signal.SIGINT)
    process.until("stopping run 1")
    process.send(signal.SIGINT)
    code, out, _ = process.end()
    assert (code, out) == (130, "")
    assert machine.run(1)["error"] == "interrupted"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminated_owner_records_its_runs_as_interrupted(
    machine: Machine, number: signal.Signals
) -> None:
    process = machine.begin("research", "start", "topic", "--wait")
    process.until("thinking")
    process.send(number)
    code, out, _ = process.end()
    assert (code, out) == (143, "")
    run = machine.run(1)
    assert (run["status"], run["error"]) == ("failed", "interrupted")


def test_a_joined_start_returns_at_once_and_the_owner_stays_for_it(machine: Machine) -> None:
    owner = machine.begin("research", "start", "first")
    owner.until("thinking")
    code, out, _ = machine.call("research", "start", "second")
    assert (code, json.loads(out)["id"], json.loads(out)["status"]) == (0, 2, "running")
    watcher = machine.begin("research", "watch", "2", "--json")
    watcher.first_line()
    code, out, err = machine.call("research", "stop", "1")
    assert (code, out, err) == (0, "run 1 is stopped: stopped by admin\n", "")
    owner.until("staying for 1 more")
    assert machine.run(2)["status"] == "running"
    assert machine.call("research", "stop", "2", "--json")[0] == 0
    assert owner.end()[0] == 1
    code, out, _ = watcher.end()
    assert (code, json.loads(out.splitlines()[-1])["event"]) == (1, "run_ended")


def test_leaving_a_joined_process_stops_nothing_of_the_owner(machine: Machine) -> None:
    owner = machine.begin("research", "start", "first")
    owner.until("thinking")
    joined = machine.begin("research", "start", "second", "--wait")
    joined.until("thinking")
    joined.send(signal.SIGTERM)
    assert joined.end()[0] == 143
    assert [machine.run(number)["status"] for number in (1, 2)] == ["running", "running"]


def test_ctrl_c_in_a_joined_process_stops_its_own_run_alone(machine: Machine) -> None:
    owner = machine.begin("research", "start", "first")
    owner.until("thinking")
    joined = machine.begin("research", "start", "second", "--wait")
    joined.until("thinking")
    joined.send(signal.SIGINT)
    assert joined.end()[0] == 1
    assert [machine.run(number)["status"] for number in (1, 2)] == ["running", "stopped"]


def test_a_waiting_process_takes_over_when_the_owner_is_killed(machine: Machine) -> None:
    owner = machine.begin("research", "start", "first")
    owner.until("thinking")
    joined = machine.begin("research", "start", "second", "--wait")
    joined.until("thinking")
    owner.send(signal.SIGKILL)
    code, out, _ = joined.end()
    run = json.loads(out)
    assert (code, run["id"], run["error"]) == (1, 2, "interrupted")
    assert machine.run(1)["error"] == "interrupted"


def test_ctrl_c_ends_a_command_that_has_no_run(machine: Machine) -> None:
    owner = machine.begin("research", "start", "first")
    owner.until("thinking")
    watcher = machine.begin("research", "watch", "1")
    watcher.until("run 1: first")
    watcher.send(signal.SIGINT)
    assert watcher.end()[0] == 130
    assert machine.run(1)["status"] == "running"


def test_an_owner_that_is_frozen_is_told_after_two_seconds(machine: Machine) -> None:
    owner = machine.begin("research", "start", "first")
    owner.until("thinking")
    owner.send(signal.SIGSTOP)
    code, out, err = machine.call("research", "ls")
    owner.send(signal.SIGCONT)
    assert (code, out) == (5, "")
    assert "owns the data in" in err
    assert machine.run(1)["status"] == "running"


def test_two_commands_that_begin_together_share_one_owner(machine: Machine) -> None:
    both = [machine.begin("research", "start", name) for name in ("first", "second")]
    assert {process.first_line()["id"] for process in both} == {1, 2}
    for number in (1, 2):
        assert machine.call("research", "stop", str(number))[0] == 0
    assert sorted(process.end()[0] for process in both) == [0, 1]


@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_command_works_when_its_standard_streams_are_closed(
    machine: Machine, streams: str
) -> None:
    assert machine.call_without(streams, "research", "agents") == 0
