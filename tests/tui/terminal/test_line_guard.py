"""The guard of every line: silent about what is safe, exact about what is not."""

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from gligabao_tui.terminal.line_guard import UNSAFE, LineGuard

BLACK = Color(0, 0, 0)


@given(st.lists(st.text(max_size=20), max_size=6))
def test_nothing_unsafe_passes_and_every_dropped_character_is_counted(texts: list[str]) -> None:
    guard = LineGuard()
    passed = "".join(segment.text for segment in guard.apply([Segment(t) for t in texts], BLACK))
    assert not UNSAFE.search(passed)
    assert guard.dropped == len("".join(texts)) - len(passed)


def test_a_safe_line_is_handed_on_as_it_is() -> None:
    segments = [Segment("│ ● Łódź 東京 👩‍🔬 …", Style(bold=True)), Segment(" ")]
    guard = LineGuard()
    assert guard.apply(segments, BLACK) is segments
    assert guard.dropped == 0


def test_an_unsafe_link_is_dropped_and_its_text_stays() -> None:
    guard = LineGuard()
    linked = Style(link="https://example.org/\x1b]0;x\x07")
    [segment] = guard.apply([Segment("here", linked)], BLACK)
    assert segment.text == "here"
    assert segment.style is not None
    assert segment.style.link is None
    assert guard.dropped == 2
