"""A real terminal over time: slow, blurred, killed, suspended, left while others work."""

import json
import os
import re
import signal
from pathlib import Path
from time import monotonic, sleep

import pytest

from engine.api import RunId
from gligabao_tui.view.ui_state import ui_state_of
from tests.tui.terminal_driving import PATIENCE_SECONDS, Terminal, terminal

F9, F10, F12 = "\x1b[20~", "\x1b[21~", "\x1b[24~"
BLUR, FOCUS = "\x1b[O", "\x1b[I"
CTRL_P, CTRL_Z, ENTER = "\x10", "\x1a", "\r"
STRINGS = re.compile(rb"\x1b\][^\x07]*\x07")
"""Sequences that a bell ends without ringing."""
SLOW_BYTES_PER_SECOND = 20_000


def test_a_slow_connection_is_noticed_and_the_person_can_switch_back(tmp_path: Path) -> None:
    with terminal(tmp_path, "only_completed", "keyed") as screen:
        screen.until("Commands")
        screen.until_quiet()
        screen.send(F10 + F10)
        screen.until_slowly("This connection is slow", SLOW_BYTES_PER_SECOND)
        screen.send(F12)
        screen.until("each 0.200 s")
        screen.send(CTRL_P)
        screen.until("What do you want to do?")
        screen.send("slow link")
        screen.until("Draw less often", without="Start a research")
        screen.until_quiet()
        screen.send(ENTER)
        screen.until("Drawing as fast as the terminal takes it")
        screen.send(F12)
        screen.until("each 0.017 s")
        left(screen)


def test_a_fast_connection_is_not_called_slow(tmp_path: Path) -> None:
    with terminal(tmp_path, "only_completed", "keyed") as screen:
        screen.until("engine here")
        screen.send(F10 * 5 + F12)
        screen.until("each 0.017 s")
        assert "slow" not in screen.picture.text()
        left(screen)


@pytest.mark.parametrize(
    ("environ", "note"),
    [
        ({"KITTY_WINDOW_ID": "1"}, b"\x1b]99;i=gligabao:o=unfocused;gligabao: #5 done: Port of"),
        ({"TERM_PROGRAM": "WezTerm"}, b"\x1b]9;gligabao: #5 done: Port of Gdansk"),
        ({"TERM_PROGRAM": "WezTerm", "TMUX": "x"}, b"\x1bPtmux;\x1b\x1b]9;gligabao: #5 done"),
        ({}, b""),
    ],
)
def test_who_looks_elsewhere_is_told_that_an_agent_ended(
    tmp_path: Path, environ: dict[str, str], note: bytes
) -> None:
    with terminal(tmp_path, "mixed", "keyed", environ=environ) as screen:
        screen.until("Commands", "● 2 working", "enter Open")
        screen.send(BLUR)
        screen.until("Commands", without="enter Open")
        screen.process.send_signal(signal.SIGUSR1)  # a key would be a sign of attention
        screen.until("● 1 working")
        screen.until_quiet()
        assert note in screen.written
        assert b"\x07" in STRINGS.sub(b"", screen.written)
        terminated(screen)


def test_who_looks_on_is_not_told(tmp_path: Path) -> None:
    environ = {"TERM_PROGRAM": "WezTerm"}
    with terminal(tmp_path, "mixed", "keyed", environ=environ) as screen:
        screen.until("Commands", "● 2 working", "enter Open")
        screen.send(BLUR + FOCUS + F9)
        screen.until("● 1 working")
        screen.until_quiet()
        assert b"\x1b]9;" not in screen.written
        assert b"\x07" not in STRINGS.sub(b"", screen.written)
        terminated(screen)


def test_what_was_done_is_kept_through_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "ui_state.json"
    with terminal(tmp_path, "mixed") as screen:
        screen.until("Commands", "Baltica")
        screen.send("jj")
        screen.send("n")
        screen.until("New research")
        screen.send("An unfinished thought")
        begun = monotonic()
        kept(file, "An unfinished thought")
        assert monotonic() - begun < PATIENCE_SECONDS / 2
        os.kill(screen.process.pid, signal.SIGKILL)
        screen.process.wait()
    state = ui_state_of(file.read_text())
    assert state.selected == RunId(3)
    assert set(state.docked) >= {RunId(4), RunId(5)}
    assert not list(tmp_path.glob("tmp*"))
    with terminal(tmp_path, "mixed") as screen:
        screen.until("Commands", "Baltica")
        screen.send("n")
        screen.until("New research", "An unfinished thought")
        terminated(screen)


def test_the_terminal_is_given_back_while_the_app_is_suspended(tmp_path: Path) -> None:
    with terminal(tmp_path, "mixed") as screen:
        screen.until("Commands", "Baltica")
        screen.until_quiet()
        screen.send(CTRL_Z)
        screen.until_written("\x1b[?1004l")
        assert b"\x1b[23;0t" in screen.written
        stopped(screen)
        screen.process.send_signal(signal.SIGCONT)
        screen.until_written("\x1b[23;0t")
        before = screen.written.count(b"\x1b[22;0t")
        screen.send("n")
        screen.until("New research")
        assert screen.written.count(b"\x1b[22;0t") == 2 >= before
        terminated(screen)


def test_who_leaves_agents_that_go_on_elsewhere_is_told_where(tmp_path: Path) -> None:
    (tmp_path / "engine.lock").write_text("4711")
    with terminal(tmp_path, "working", "joined") as screen:
        screen.until("engine joined", "● 2 working")
        screen.send("q")
        assert screen.to_the_end() == 0
    after = screen.written[screen.written.rindex(b"\x1b[?1049l") :]
    assert b"2 agents keep working in the owner, process 4711" in after


def left(screen: Terminal) -> None:
    screen.send("q")
    assert screen.to_the_end() == 0
    assert b"Traceback" not in screen.written


def terminated(screen: Terminal) -> None:
    screen.process.terminate()
    assert screen.to_the_end() == 128 + signal.SIGTERM
    assert b"Traceback" not in screen.written


def kept(file: Path, topic: str) -> None:
    """Wait until the draft is in the file."""
    give_up = monotonic() + PATIENCE_SECONDS
    while not (
        file.exists() and topic in (json.loads(file.read_text())["draft"] or {"topic": ""})["topic"]
    ):
        assert monotonic() < give_up, "the draft was not kept"
        sleep(0.02)


def stopped(screen: Terminal) -> None:
    """Wait until the process stands still."""
    _, status = os.waitpid(screen.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
