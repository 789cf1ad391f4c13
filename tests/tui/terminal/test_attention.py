"""Who looks at the screen is not disturbed; who does not is told, at most once a second."""

from textual.app import App

from gligabao_tui.terminal.attention import (
    Attention,
    focus_reported,
    telling,
    told,
    touched,
    wait_before_telling,
)
from gligabao_tui.terminal.notes import Notes
from gligabao_tui.terminal.outside import Outside


def test_nobody_is_told_what_they_see() -> None:
    assert telling(Attention(), 5.0, has_focus=True) == "nothing"
    assert telling(focus_reported(Attention()), 500.0, has_focus=True) == "nothing"


def test_a_bell_rings_for_whoever_left_a_terminal_that_does_not_tell() -> None:
    assert telling(Attention(), 61.0, has_focus=True) == "bell"
    assert telling(touched(Attention(), 60.0), 61.0, has_focus=True) == "nothing"


def test_a_terminal_without_the_focus_gets_a_note() -> None:
    assert telling(touched(Attention(), 5.0), 5.0, has_focus=False) == "note"


def test_notes_come_at_most_once_a_second() -> None:
    assert wait_before_telling(Attention(), 0.0) == 0.0
    assert wait_before_telling(told(Attention(), 10.0), 10.25) == 0.75


class Ringing(App[None]):
    rings = 0

    def bell(self) -> None:
        self.rings += 1


async def test_what_ends_within_a_second_is_told_together() -> None:
    sent: list[str] = []
    moment = 100.0
    app = Ringing()
    outside = Outside(notes="osc9", multiplexer="tmux")
    async with app.run_test():
        notes = Notes(app, outside, send=sent.append, clock=lambda: moment)
        app.app_focus = False
        notes.tell("gligabao: #1 done: Rivers")
        notes.tell("gligabao: #2 failed: Lakes")
        notes.tell("gligabao: #3 done: Seas")
        assert (app.rings, len(sent)) == (1, 1)
        moment += 1.0
        notes._tell_now()
    assert sent[0] == "\x1bPtmux;\x1b\x1b]9;gligabao: #1 done: Rivers\x07\x1b\\"
    assert "gligabao: #2 failed: Lakes; gligabao: #3 done: Seas" in sent[1]
    assert app.rings == 2


async def test_builds_and_dumb_terminals_are_not_told() -> None:
    sent: list[str] = []
    app = Ringing()
    async with app.run_test():
        app.app_focus = False
        notes = Notes(app, Outside(may_note=False), send=sent.append, clock=lambda: 1.0)
        notes.tell("gligabao: #1 done: Rivers")
    assert (app.rings, sent) == (0, [])
