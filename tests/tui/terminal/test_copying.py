"""What is copied by what, and what is claimed of it."""

import stat
import sys
from pathlib import Path

from gligabao_tui.terminal.clipboard import Clipboard, fed
from gligabao_tui.terminal.copying import Copied, clipboard_command, copied_words, size_words
from gligabao_tui.terminal.outside import NOWHERE, Outside

X11, WAYLAND = Outside(displays=("x11",)), Outside(displays=("wayland", "x11"))
SSH = Outside(displays=("x11",), over_ssh=True)


def found(*names: str) -> "dict[str, str]":
    return {name: f"/usr/bin/{name}" for name in names}


def test_the_program_of_the_display_is_taken_and_the_next_one_if_it_is_missing() -> None:
    programs = found("xclip", "xsel", "wl-copy")
    assert clipboard_command(WAYLAND, programs.get) == ("/usr/bin/wl-copy",)
    assert clipboard_command(WAYLAND, found("xsel").get)[0] == "/usr/bin/xsel"
    assert clipboard_command(X11, programs.get)[0] == "/usr/bin/xclip"
    assert clipboard_command(Outside(displays=("mac",)), found("pbcopy").get) == (
        "/usr/bin/pbcopy",
    )
    assert clipboard_command(NOWHERE, programs.get) == ()


def test_no_program_of_a_computer_far_away_is_run() -> None:
    assert clipboard_command(SSH, found("xclip").get) == ()


def test_only_what_is_known_is_claimed() -> None:
    text = "x" * 3_100
    taken = Copied("the topic", text, program="xclip", took=True, is_sent=True)
    refused = Copied("the topic", text, program="xclip", took=False, is_sent=True)
    sent = Copied("the report", "x" * 60_000, is_sent=True)
    offer = "w writes it to a file"
    assert copied_words(taken, X11) == "Copied the topic (3.1 kB) by xclip and by the terminal"
    assert "since xclip did not take it; if nothing arrives" in copied_words(refused, X11)
    assert copied_words(sent, SSH, offer).startswith(
        "Sent the report (60.0 kB) to your terminal by"
    )
    assert "may be refused: if nothing arrives, w writes it to a file" in copied_words(
        sent, SSH, offer
    )
    assert copied_words(sent, SSH, offer, is_known=True) == copied_words(sent, SSH, offer)
    short = Copied("the topic", "x", is_sent=True)
    told = "Sent the topic (1 B) to your terminal by OSC 52"
    assert copied_words(short, SSH, is_known=True) == told
    assert "takes no copies" in copied_words(Copied("it", "x"), NOWHERE)


def test_sizes_are_those_of_the_bytes() -> None:
    assert size_words("Łódź") == "7 B"
    assert size_words("x" * 1_234_567) == "1,234.6 kB"


async def test_a_program_is_run_and_the_terminal_is_sent_the_cleaned_text(tmp_path: Path) -> None:
    sent: list[str] = []
    program = tmp_path / "xclip"
    program.write_text(f"#!{sys.executable}\nimport sys; sys.exit(sys.stdin.read() != 'ab')\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    clipboard = Clipboard(X11, sent.append, {"xclip": str(program)}.get)
    copied = await clipboard.copy("a\x1b[31mb", "it")
    assert (copied.program, copied.took, copied.is_sent) == ("xclip", True, True)
    assert sent == ["\x1b]52;c;YWI=\x07"]


def test_a_program_that_fails_or_is_gone_took_nothing() -> None:
    assert not fed([sys.executable, "-c", "raise SystemExit(1)"], "x")
    assert not fed(["/no/such/program"], "x")
    assert fed([sys.executable, "-c", "import sys; sys.stdin.read()"], "x" * 1_000_000)


def test_a_dumb_terminal_is_sent_nothing() -> None:
    sent: list[str] = []
    assert not Clipboard(Outside(is_plain=True), sent.append).send("x", "it").is_sent
    assert sent == []
