"""`gligabao web` as a process: the app in its tabs, the data with nobody but itself, its end."""

import asyncio
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.surfaces.conftest import Shell
from tests.surfaces.web_program import SECONDS, served

ENDS_WITHIN = 10
"""Seconds: a third of it on an idle machine."""
MOUSE, NO_MOUSE = "\x1b[?1003h", "\x1b[?1003l"
A_SCREEN_BYTES = 4_000


async def test_the_app_is_drawn_in_a_tab_and_takes_keys(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as program, program.tab() as tab:
        await tab.shows("gligabao", "start a research", "engine joined")
        await tab.keys("?")
        await tab.shows("Everywhere", "Find any action by its name")
        await tab.keys("\x1b")
        await tab.shows("start a research")
        await tab.keys("q")
        await tab.has_closed()


async def test_the_flags_of_the_command_are_those_of_the_app_in_a_tab(tmp_path: Path) -> None:
    async with (
        served(tmp_path / "data", "--ascii", "--no-mouse") as program,
        program.tab() as tab,
    ):
        drawn = await tab.shows("* 0 working", "start a research")
    assert drawn.rfind(NO_MOUSE) > drawn.rfind(MOUSE)
    assert "\x1b[?1000h" not in drawn


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
        assert (code, seconds < ENDS_WITHIN) == (143, True)
        run = await program.call("research", "get", "1", "--json")
        assert (run["status"], run["error"]) == ("failed", "interrupted")


async def test_ctrl_c_ends_it_when_nothing_is_being_worked_on(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as program:
        await program.told("Ctrl-C here closes the tabs")
        code, seconds = await program.ended_by(signal.SIGINT)
        assert (code, seconds < ENDS_WITHIN) == (130, True)


async def test_the_second_ctrl_c_leaves_at_once(tmp_path: Path) -> None:
    async with served(tmp_path / "data", STUBBORN="yes") as program:
        await program.call("research", "start", "a run that hears nothing")
        program.process.send_signal(signal.SIGINT)
        await program.told("closing the tabs and the engine")
        code, seconds = await program.ended_by(signal.SIGINT)
        assert (code, seconds < ENDS_WITHIN) == (130, True)


async def test_the_app_of_a_tab_ends_when_nobody_holds_its_pipes_any_more(tmp_path: Path) -> None:
    """As when `gligabao web` is killed: nothing asks the app to end."""
    async with served(tmp_path / "data") as program:
        app = program.app_of_a_tab()
        try:
            assert app.stdin is not None
            assert app.stdout is not None
            await asyncio.to_thread(app.stdout.read, A_SCREEN_BYTES)
            app.stdin.close()
            app.stdout.close()
            assert await asyncio.to_thread(app.wait, SECONDS) == 0
        finally:
            app.kill()
            await asyncio.to_thread(app.wait)


def test_a_port_that_is_taken_is_told(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = shell("web", "--port", str(port))
    assert (said.code, said.out) == (3, "")
    assert f"port {port} cannot be had" in said.err


def test_without_the_extra_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['textual_serve'] = None; import gligabao_tui.__main__ as it"
    command = (sys.executable, "-c", f"{program}; it.main()", "web", "--port", "0")
    said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (said.returncode, said.stdout) == (3, "")
    assert said.stderr.strip().endswith("pip install 'gligabao-tui[web]'")


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_what_is_no_port_is_a_fault_of_usage(shell: Shell, port: str) -> None:
    assert shell("web", f"--port={port}").code == 2
