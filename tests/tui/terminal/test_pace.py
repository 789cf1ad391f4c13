"""When a connection counts as slow, and how often a screen draws then."""

import pytest
from textual.app import App

from gligabao_tui.terminal.frames import draw_every
from gligabao_tui.terminal.pace import FAST_FRAME_SECONDS, Pace, switched, written


@pytest.mark.parametrize(
    ("moments", "is_slow"),
    [([0.0], False), ([0.0, 30.0], True), ([0.0, 61.0], False), ([0.0, 61.0, 90.0], True)],
)
def test_two_long_writes_within_a_minute_are_slow(moments: list[float], *, is_slow: bool) -> None:
    pace = Pace()
    for at in moments:
        pace = written(pace, 0.3, at)
    assert pace.is_slow == is_slow


def test_short_writes_are_none() -> None:
    pace = Pace()
    for at in range(100):
        pace = written(pace, 0.24, at)
    assert pace == Pace()


def test_a_slow_link_is_drawn_five_times_a_second_and_drained_twice() -> None:
    slow = written(written(Pace(), 1.0, 0.0), 1.0, 1.0)
    assert (slow.frame_seconds, slow.drain_seconds) == (0.2, 0.5)
    assert "slow" in slow.words


def test_what_the_person_chose_is_not_changed_behind_their_back() -> None:
    fast = switched(Pace(is_slow=True))
    for at in range(10):
        fast = written(fast, 5.0, at)
    assert not fast.is_slow
    assert fast.frame_seconds == FAST_FRAME_SECONDS
    assert switched(fast).is_slow


async def test_a_screen_draws_at_the_rate_it_is_given_also_again() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        for seconds in (0.2, 1 / 60, 0.2):
            draw_every(app.screen, seconds)
            assert app.screen._update_timer._interval == seconds
            app.screen.styles.background = "red"
            app.screen.refresh()
            await pilot.pause()
        timers = [timer for timer in app.screen._timers if timer.name == "screen_update"]
        assert timers.count(app.screen._update_timer) == 1
