"""What crosses the edge of a real terminal: copies, editors and pagers, and nothing unsafe."""

import stat
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from tests.tui.terminal_driving import Terminal, terminal
from tests.tui.terminal_program import LONG_TEXT

F5, F6, F7, F8 = "\x1b[15~", "\x1b[17~", "\x1b[18~", "\x1b[19~"
COPIED = "The Łódź topic\nline two"
PLAIN = f"\x1b]52;c;{b64encode(COPIED.encode()).decode()}\x07"
IN_TMUX = "\x1bPtmux;" + PLAIN.replace("\x1b", "\x1b\x1b") + "\x1b\\"
IN_SCREEN = f"\x1bP{PLAIN}\x1b\\"
NO_PROGRAMS = {"PATH": ""}


@pytest.mark.parametrize(
    ("environ", "sent"),
    [
        ({}, PLAIN),
        ({"TMUX": "/tmp/tmux-1000/default,1,0"}, PLAIN + IN_TMUX),
        ({"TERM": "screen-256color"}, IN_SCREEN),
    ],
)
def test_a_copy_reaches_the_terminal_byte_for_byte(
    tmp_path: Path, environ: dict[str, str], sent: str
) -> None:
    with terminal(tmp_path, "only_completed", "keyed", environ=environ) as screen:
        screen.until("engine here")
        screen.send(F5)
        screen.until("Sent the topic (26 B) to the terminal by OSC 52; if", "w writes it")
        left(screen)
    assert screen.written.count(b"]52;c;") == sent.count("]52;c;")
    assert sent.encode() in screen.written


def test_a_long_copy_is_sent_whole_and_said_to_be_perhaps_refused(tmp_path: Path) -> None:
    ssh = {"SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22"}
    with terminal(tmp_path, "only_completed", "keyed", environ=ssh) as screen:
        screen.until("engine here")
        screen.send(F6)
        screen.until("Sent the report (108.0 kB) to your terminal", "be refused")
        left(screen)
    assert b64encode(LONG_TEXT.encode()) in screen.written


def test_a_program_of_the_display_is_given_the_text_too(tmp_path: Path) -> None:
    clipboard = tmp_path / "clipboard"
    program(tmp_path / "bin" / "xclip", f"open({str(clipboard)!r}, 'w').write(sys.stdin.read())")
    environ = {"DISPLAY": ":9", "PATH": str(tmp_path / "bin")}
    with terminal(tmp_path / "data", "only_completed", "keyed", environ=environ) as screen:
        screen.until("engine here")
        screen.send(F5)
        screen.until("Copied the topic (26 B) by xclip and by the terminal")
        left(screen)
    assert clipboard.read_text() == COPIED
    assert PLAIN.encode() in screen.written


def test_what_an_unsafe_widget_draws_reaches_the_terminal_without_its_controls(
    tmp_path: Path,
) -> None:
    with terminal(tmp_path, "only_completed", "unsafe") as screen:
        screen.until("un]52;c;aGVsbG8=safe31m text [2Jhere")
        left(screen)
    assert b"]52;c;aGVsbG8=\x07" not in screen.written
    assert not [byte for byte in ("\x9b", "\u202e", "\x00") if byte.encode() in screen.written]
    assert int((tmp_path / "dropped").read_text()) >= 6


def test_the_editor_has_the_terminal_and_gives_the_text_back_clean(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    editor = program(
        tmp_path / "my editor",
        f"""
import os, pathlib, signal
signal.signal(signal.SIGINT, lambda *_: None)
file = pathlib.Path(sys.argv[2])
found = [sys.argv[1], file.read_text(), oct(file.stat().st_mode), oct(file.parent.stat().st_mode)]
pathlib.Path({str(seen)!r}).write_text(repr((*found, os.isatty(0))))
input("EDITOR HAS THE TERMINAL")
file.write_text("new \\x1b[31mtext\\n")
""",
    )
    environ = {"EDITOR": f"'{editor}' --wait"}
    with terminal(tmp_path / "data", "working", "keyed", environ=environ) as screen:
        screen.until("engine here")
        screen.send(F7)
        screen.until_written("EDITOR HAS THE TERMINAL")
        assert screen.written.rindex(b"\x1b[?1049l") < screen.written.rindex(b"EDITOR HAS")
        screen.send("\x03")  # ctrl+c is the editor's own affair there
        screen.send("\n")
        screen.until("edited: 'new text'", "Commands")
        left(screen, 143)
    flag, text, mode, folder, is_terminal = eval(seen.read_text())  # our own repr
    assert (flag, text, is_terminal) == ("--wait", "the text before\n", True)
    assert (mode[-3:], folder[-3:]) == ("600", "700")
    assert not list((tmp_path / "data").glob("text-*"))


def test_an_editor_that_fails_or_is_not_there_changes_nothing_and_says_so(tmp_path: Path) -> None:
    failing = program(tmp_path / "failing", "sys.exit(3)")
    broken = program(tmp_path / "broken", "")
    broken.write_bytes(b"\x7fELF and no more")
    for editor, told in (
        (str(failing), "ended with code 3"),
        ("no-such", "which is not there"),
        (str(broken), "Exec"),  # the rest may stand on the next row
    ):
        environ = {"EDITOR": editor}
        with terminal(tmp_path / "data", "working", "keyed", environ=environ) as screen:
            screen.until("engine here")
            screen.send(F7)
            screen.until("edited: None", told, "Commands")
            left(screen, 143)


def test_the_pager_shows_the_text_and_gives_the_terminal_back(tmp_path: Path) -> None:
    pager = program(
        tmp_path / "pager", "print('PAGED', open(sys.argv[1]).read(), flush=True); input()"
    )
    with terminal(tmp_path / "data", "working", "keyed", environ={"PAGER": str(pager)}) as screen:
        screen.until("engine here")
        screen.send(F8)
        screen.until_written("PAGED a page to read")
        screen.send("\n")
        screen.until("paged: well", "Commands")
        left(screen, 143)


def test_the_file_of_an_agent_is_edited_where_it_is_and_read_again(tmp_path: Path) -> None:
    editor = program(tmp_path / "editor", "print('EDITING', sys.argv[1], flush=True); input()")
    environ = {"EDITOR": str(editor)}
    with terminal(tmp_path / "data", "definitions", environ=environ) as screen:
        screen.until("engine here")
        screen.send("a")
        screen.until("news_scanner")
        screen.send("j")
        screen.until("Scans recent news")
        screen.send("e")
        screen.until_written("EDITING /home/ann/.config/gligabao/agent_defs/news_scanner.toml")
        screen.send("\n")
        screen.until("The files were read again")
        left(screen, 143)


def test_a_signal_ends_the_editor_too(tmp_path: Path) -> None:
    editor = program(
        tmp_path / "editor",
        "import time; print('EDITING', flush=True); time.sleep(600)",
    )
    with terminal(tmp_path / "data", "working", "keyed", environ={"EDITOR": str(editor)}) as screen:
        screen.until("engine here")
        screen.send(F7)
        screen.until_written("EDITING")
        left(screen, 143)


def left(screen: Terminal, code: int = 0) -> None:
    """End the app, in the way that asks nothing."""
    if code:
        screen.process.terminate()
    else:
        screen.send("q")
    assert screen.to_the_end() == code
    assert b"Traceback" not in screen.written


def program(file: Path, body: str) -> Path:
    """A program of its own, in Python."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!{sys.executable}\nimport sys\n{body}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file
