"""What the terminal around the app is, told from the environment: pure, decided once at the start.

It is never certain: terminals do not say who they are, and multiplexers remember an environment
that may be old. So every decision here has a harmless wrong answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Multiplexer: TypeAlias = Literal["", "tmux", "screen"]
Display: TypeAlias = Literal["", "wayland", "x11", "mac"]
NoteKind: TypeAlias = Literal["", "osc9", "osc99", "osc777"]


@dataclass(frozen=True, slots=True)
class Outside:
    """`displays` are where a clipboard program could reach, the likeliest first. `is_plain` is a
    terminal that understands no sequences; `may_note` is false where nobody would see a note."""

    multiplexer: Multiplexer = ""
    over_ssh: bool = False
    displays: tuple[Display, ...] = ()
    notes: NoteKind = ""
    is_plain: bool = False
    may_note: bool = True


NOWHERE = Outside()


def outside_of(environ: Mapping[str, str], platform: str) -> Outside:
    """`platform` is what `sys.platform` says."""
    term = environ.get("TERM", "")
    is_plain = term == "dumb"
    return Outside(
        multiplexer=_multiplexer(environ, term),
        over_ssh=any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")),
        displays=_displays(environ, platform),
        notes=_note_kind(environ, term),
        is_plain=is_plain,
        may_note=not (is_plain or environ.get("CI")),
    )


def _multiplexer(environ: Mapping[str, str], term: str) -> Multiplexer:
    if environ.get("TMUX"):
        return "tmux"
    return "screen" if term.startswith("screen") else ""


def _displays(environ: Mapping[str, str], platform: str) -> tuple[Display, ...]:
    if platform == "darwin":
        return ("mac",)
    found: list[Display] = []
    if environ.get("WAYLAND_DISPLAY"):
        found.append("wayland")
    if environ.get("DISPLAY"):
        found.append("x11")
    return tuple(found)


def _note_kind(environ: Mapping[str, str], term: str) -> NoteKind:
    """The way in which this terminal is known to take a desktop note; empty: none is known."""
    program = environ.get("TERM_PROGRAM", "")
    if environ.get("KITTY_WINDOW_ID") or term == "xterm-kitty":
        return "osc99"
    if _is_osc9(environ, program, term):
        return "osc9"
    return "osc777" if term.startswith(("foot", "rxvt-unicode")) else ""


def _is_osc9(environ: Mapping[str, str], program: str, term: str) -> bool:
    """iTerm2, WezTerm, Ghostty and Windows Terminal, by themselves or around a multiplexer."""
    known = program in ("iTerm.app", "WezTerm", "ghostty") or term == "xterm-ghostty"
    traces = ("WT_SESSION", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR")
    return known or environ.get("LC_TERMINAL") == "iTerm2" or any(map(environ.get, traces))
