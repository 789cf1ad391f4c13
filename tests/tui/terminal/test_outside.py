"""What the environment tells of the terminal."""

import pytest

from gligabao_tui.terminal.outside import Outside, outside_of


def test_a_terminal_that_says_nothing_is_an_ordinary_one() -> None:
    assert outside_of({}, "linux") == Outside()


@pytest.mark.parametrize(
    ("environ", "kind"),
    [
        ({"KITTY_WINDOW_ID": "1", "TERM": "xterm-kitty"}, "osc99"),
        ({"TERM_PROGRAM": "iTerm.app"}, "osc9"),
        ({"LC_TERMINAL": "iTerm2", "TERM_PROGRAM": "tmux", "TMUX": "x"}, "osc9"),
        ({"TERM_PROGRAM": "WezTerm"}, "osc9"),
        ({"TERM": "xterm-ghostty"}, "osc9"),
        ({"WT_SESSION": "a-b"}, "osc9"),
        ({"TERM": "foot"}, "osc777"),
        ({"TERM": "rxvt-unicode-256color"}, "osc777"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, ""),
    ],
)
def test_only_terminals_known_to_take_notes_are_sent_any(
    environ: dict[str, str], kind: str
) -> None:
    assert outside_of(environ, "linux").notes == kind


def test_a_multiplexer_is_known_by_what_it_sets() -> None:
    assert outside_of({"TMUX": "/tmp/x,1,0", "TERM": "screen-256color"}, "linux").multiplexer == (
        "tmux"
    )
    assert outside_of({"TERM": "screen.xterm-256color"}, "linux").multiplexer == "screen"


def test_dumb_terminals_and_builds_get_no_notes() -> None:
    dumb, build = outside_of({"TERM": "dumb"}, "linux"), outside_of({"CI": "true"}, "linux")
    assert (dumb.is_plain, dumb.may_note) == (True, False)
    assert (build.is_plain, build.may_note) == (False, False)


def test_displays_are_those_a_program_could_reach() -> None:
    both = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    assert outside_of(both, "linux").displays == ("wayland", "x11")
    assert outside_of({}, "darwin").displays == ("mac",)
    assert outside_of({"SSH_TTY": "/dev/pts/1", "DISPLAY": ":10"}, "linux").over_ssh
