"""`gligabao web` as a process: the app in its tabs, the data with nobody but itself, its end."""

import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.surfaces.conftest import Shell
from tests.surfaces.web_program import served


async def test_the_app_is_drawn_in_a_tab_and_takes_keys(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as program, program.tab() as tab:
        await tab.shows("gligabao", "start a research", "engine joined")
        await tab.keys("?")
        await tab.shows("Everywhere", "Find any action by its name")
        await tab.keys("\x1b")
        await tab.shows("start a research")
        await tab.keys("q")
        await tab.has_closed()


async def test_a_run_goes_on_when_the_tab_that_showed_it_is_closed(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as program:
        started = await program.call("research", "start", "tides of the sea")
        assert started["status"] == "running"
        async with program.tab() as tab:
            await tab.shows("tides of the sea")
        async with program.tab() as another:
            await another.shows("tides of the sea", "1 working")
        run = await program.call("research", "get", "1", "--json")
        assert (run["status"], run["error"]) == ("running", "")


async def test_sigterm_closes_the_tabs_and_records_the_runs_as_interrupted(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as program:
        await program.call("research", "start", "tides of the sea")
        async with program.tab() as tab:
            await tab.shows("tides of the sea")
            code, seconds = await program.ended_by(signal.SIGTERM)
            await tab.has_closed()
        assert (code, seconds < 3) == (143, True)
        run = await program.call("research", "get", "1", "--json")
        assert (run["status"], run["error"]) == ("failed", "interrupted")


async def test_ctrl_c_ends_it_when_nothing_is_being_worked_on(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as program:
        await program.told("Ctrl-C here closes the tabs")
        code, seconds = await program.ended_by(signal.SIGINT)
        assert (code, seconds < 3) == (130, True)


async def test_the_second_ctrl_c_leaves_at_once(tmp_path: Path) -> None:
    async with served(tmp_path / "data", STUBBORN="yes") as program:
        await program.call("research", "start", "a run that hears nothing")
        program.process.send_signal(signal.SIGINT)
        await program.told("closing the tabs and the engine")
        code, seconds = await program.ended_by(signal.SIGINT)
        assert (code, seconds < 3) == (130, True)


async def test_the_apps_of_the_tabs_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as program, program.tab() as tab:
        await tab.shows("start a research")
        await program.ended_by(signal.SIGKILL)
        assert program.process.stderr is not None
        await program.process.stderr.read()  # ends when the last one that holds it has ended


def test_a_port_that_is_taken_is_told(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = shell("web", "--port", str(port))
    assert (said.code, said.out) == (3, "")
    assert f"port {port} cannot be had" in said.err


def test_without_the_extra_it_says_what_to_install(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [name for name in sys.modules if name.startswith("gligabao_tui.headless.web_")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    said = shell("web", "--port", "0")
    assert (said.code, said.out) == (3, "")
    assert said.err.strip().endswith("pip install 'gligabao-tui[web]'")


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_what_is_no_port_is_a_fault_of_usage(shell: Shell, port: str) -> None:
    assert shell("web", f"--port={port}").code == 2
