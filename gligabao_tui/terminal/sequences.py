"""Control sequences that the app sends beside the screen, as texts: pure.

Whatever they carry is cleaned and bounded here once more, so that no text of a run can end a
sequence early and begin another.
"""

from base64 import b64encode

from engine.api import clean, one_line
from gligabao_tui.terminal.outside import Multiplexer, NoteKind

ESC, BELL, END = "\x1b", "\x07", "\x1b\\"
LONGEST_COPY_BASE64 = 74_000
"""More than this some terminals refuse (xterm, tmux and others have limits near it)."""
SCREEN_CHUNK = 200
"""GNU screen passes on strings of at most 256 characters in its older versions."""
TITLE_CHARACTERS, NOTE_CHARACTERS = 80, 120
TITLE_PUSH, TITLE_POP = f"{ESC}[22;0t", f"{ESC}[23;0t"


def base64_size(text: str) -> int:
    """How many bytes `text` takes in a copy sequence."""
    return (len(text.encode("utf-8")) + 2) // 3 * 4


def copy_sequence(text: str, multiplexer: Multiplexer) -> str:
    """OSC 52, plain, and for the terminal around a multiplexer.

    In tmux both are sent: its own clipboard takes the plain one when `set-clipboard` is on, the
    terminal around it the wrapped one when `allow-passthrough` is.
    """
    safe = clean(text).encode("utf-8")
    plain = f"{ESC}]52;c;{b64encode(safe).decode('ascii')}{BELL}"
    if multiplexer == "screen":
        return passed_on(plain, multiplexer)
    return plain + (passed_on(plain, multiplexer) if multiplexer else "")


def passed_on(sequence: str, multiplexer: Multiplexer) -> str:
    """`sequence` so that a multiplexer hands it to the terminal around it."""
    if multiplexer == "tmux":
        return f"{ESC}Ptmux;{sequence.replace(ESC, ESC + ESC)}{END}"
    if multiplexer == "screen":
        pieces = range(0, len(sequence), SCREEN_CHUNK)
        return "".join(f"{ESC}P{sequence[at : at + SCREEN_CHUNK]}{END}" for at in pieces)
    return sequence


def title_sequence(title: str) -> str:
    return f"{ESC}]0;{one_line(title, TITLE_CHARACTERS)}{BELL}"


def note_sequence(text: str, kind: NoteKind, multiplexer: Multiplexer) -> str:
    """A desktop note; empty where the terminal is not known to take one."""
    safe = one_line(text, NOTE_CHARACTERS)
    told = {
        "": "",
        "osc9": f"{ESC}]9;{safe}{BELL}",
        "osc99": f"{ESC}]99;i=gligabao:o=unfocused;{safe}{END}",
        "osc777": f"{ESC}]777;notify;gligabao;{safe}{BELL}",
    }[kind]
    return passed_on(told, multiplexer) if told else ""
