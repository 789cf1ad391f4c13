"""The temporal plot: every event is on the screen or counted, and the cursor is never lost."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import (
    EVENT_KINDS,
    EventKind,
    FactEventInfo,
    FactInfo,
    RunId,
    Temporal,
    TemporalEvent,
    stated,
)
from engine.domain.facts import LONG_AGO as ENGINE_LONG_AGO
from gligabao_tui.keymap import DEFAULT_KEYMAP
from gligabao_tui.view import timeline as timelines
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.text import line_width, plain
from gligabao_tui.view.time_head import Plotted, event_line, event_lines, kinds_line, seen_line
from gligabao_tui.view.time_lines import plot_lines
from gligabao_tui.view.time_places import UNDATED_CELLS, Room, groups_of, placed, rows_of
from gligabao_tui.view.timeline import EVERYTHING, Look, Timeline, mark_of, timeline_of

DATES = ("", "-0044", "-0044-03-15", "0476", "199X", "2019", "2024", "2024-03", "2024-03-15")
BASES = ("stated", "inferred", "reference", "recorded")
NAMES = ("PGE", "Ørsted", "中国长江三峡集团", "Газпром", "الشركة")
MOST_SECONDS = 0.03


def told(
    number: int, fact: int, kind: EventKind, date: str, *, basis: str = "stated"
) -> TemporalEvent:
    lies = stated(date)
    start = stated(DATES[fact % len(DATES)])
    event = FactEventInfo(
        id=number,
        kind=kind,
        at=date or None,
        lo=lies.span.lo if lies else None,
        hi=lies.span.hi if lies else None,
        basis=basis,  # type: ignore[arg-type]  # one of BASES
        recorded_at="2026-11-01T10:00:00.000Z",
        actor="model",
        dataset=f"set{fact % 2}",
        artifact_id=1,
    )
    about = FactInfo(
        fact,
        NAMES[fact % len(NAMES)],
        "owns",
        f"share {fact}",
        "",
        event.dataset,
        valid_from=start.text if start else None,
    )
    return TemporalEvent(event, about)


EVENTS = st.lists(
    st.tuples(
        st.integers(1, 14),
        st.sampled_from(EVENT_KINDS),
        st.sampled_from(DATES),
        st.sampled_from(BASES),
    ),
    max_size=25,
).map(
    lambda rows: Temporal(
        RunId(1),
        events=tuple(
            told(number, fact, kind, date, basis=basis)
            for number, (fact, kind, date, basis) in enumerate(rows, start=1)
        ),
    )
)
STEPS = st.lists(
    st.sampled_from(
        ("left", "right", "up", "down", "in", "out", "fit", "first", "last", *EVENT_KINDS)
    ),
    max_size=14,
)
ROOMS = st.builds(Room, st.integers(40, 160), st.integers(1, 30), st.integers(0, 9))


def walked(temporal: Temporal, steps: list[str], rows: int) -> tuple[Timeline, Look]:
    """The look after these keys, as the page carries them out."""
    timeline = timeline_of(temporal)
    look = timelines.settled(timeline, EVERYTHING)
    for step in steps:
        groups = groups_of(rows_of(timeline, rows))
        match step:
            case "left" | "right":
                look = timelines.stepped(timeline, look, 1 if step == "right" else -1)
            case "up" | "down":
                by = 1 if step == "down" else -1
                look = timelines.group_stepped(timeline, look, groups, by=by)
            case "in" | "out":
                look = timelines.zoomed(timeline, look, closer=step == "in")
            case "fit":
                look = timelines.fitted(look)
            case "first" | "last":
                look = timelines.gone_to_end(timeline, look, last=step == "last")
            case kind:
                look = timelines.switched(look, kind)  # type: ignore[arg-type]  # a kind
        timeline = timeline_of(temporal, look.off)
        look = timelines.settled(timeline, look)
    return timeline, look


@pytest.mark.req("R187")
@given(EVENTS, STEPS, ROOMS)
def test_every_event_is_on_the_screen_or_counted(
    temporal: Temporal, steps: list[str], room: Room
) -> None:
    timeline, look = walked(temporal, steps, room.rows)
    places = placed(timeline, look, room)
    outside = places.earlier + places.later + places.above + places.below
    assert len(places.spots) + outside + timeline.hidden == len(temporal.events)
    assert sum(count for _, count in timeline.counts) == len(temporal.events)
    for spot in places.spots.values():
        assert 0 <= spot.row < len(places.rows)
        assert 0 <= spot.cell <= places.window.cells


@given(EVENTS, STEPS, ROOMS, ROOMS)
def test_the_cursor_is_on_an_event_in_view_whatever_is_pressed_or_resized(
    temporal: Temporal, steps: list[str], room: Room, other: Room
) -> None:
    timeline, look = walked(temporal, steps, room.rows)
    assert (look.cursor is None) == (not timeline.marks)
    for one in (room, other):
        places = placed(timeline, look, one)
        if look.cursor is not None:
            mark = timelines.chosen(timeline, look)
            assert mark is not None
            lo, hi = timelines.seen_span(timeline, look)
            is_in_time = mark.at is None or lo <= mark.at < hi
            assert (look.cursor in places.spots) == is_in_time


@given(EVENTS, st.lists(st.sampled_from(("left", "right", "up", "down", "in", "out")), max_size=14))
def test_moving_and_zooming_never_leave_the_chosen_event_out_of_view(
    temporal: Temporal, steps: list[str]
) -> None:
    timeline, look = walked(temporal, steps, 12)
    places = placed(timeline, look, Room(100, 12))
    assert look.cursor is None or look.cursor in places.spots


@given(EVENTS, ROOMS)
def test_events_of_a_row_stand_in_the_order_of_time(temporal: Temporal, room: Room) -> None:
    timeline = timeline_of(temporal)
    places = placed(timeline, timelines.settled(timeline, EVERYTHING), room)
    for row in places.rows:
        for one, two in pairwise(row.marks):
            assert places.spots[one.key].cell <= places.spots[two.key].cell


@given(EVENTS, STEPS, ROOMS, st.sampled_from([DRAWN, ASCII]))
def test_every_line_is_as_wide_as_the_plot(
    temporal: Temporal, steps: list[str], room: Room, glyphs: object
) -> None:
    chosen = ASCII if glyphs == ASCII else DRAWN
    timeline, look = walked(temporal, steps, room.rows)
    places = placed(timeline, look, room)
    lines = plot_lines(timeline, look, places, chosen)
    undated = UNDATED_CELLS if places.has_undated else 0
    widest = places.label_cells + places.window.cells + undated
    assert len(lines) == len(places.rows) + 3
    assert all(line_width(one) == widest for one in lines[1:-1])
    assert all(line_width(one) <= widest for one in lines)


def drawn(*events: TemporalEvent, look: Look = EVERYTHING, ascii_only: bool = False) -> str:
    temporal = Temporal(RunId(1), events=events)
    timeline = timeline_of(temporal, look.off)
    look = timelines.settled(timeline, look)
    places = placed(timeline, look, Room(100, 12))
    glyphs = ASCII if ascii_only else DRAWN
    return "\n".join(map(plain, plot_lines(timeline, look, places, glyphs)))


@pytest.mark.req("R187")
def test_kinds_differ_in_shape_and_in_letters() -> None:
    events = [
        told(number, number, kind, f"20{10 + number}")
        for number, kind in enumerate(EVENT_KINDS, start=1)
    ]
    text = drawn(*events)
    assert all(text.count(shape) >= 1 for shape in DRAWN.events)
    plain_text = drawn(*events, ascii_only=True).split("\n", 1)[1]
    assert all(letter in plain_text for letter in ASCII.events)


def test_what_no_text_dates_is_hollow_and_what_has_no_date_stands_apart() -> None:
    text = drawn(
        told(1, 6, "created", "2024-03-15", basis="recorded"),
        told(2, 9, "confirmed", "", basis="recorded"),
        told(3, 5, "ended", "2020"),
    )
    assert "○" in text
    assert [row.rstrip()[-1] for row in text.split("\n") if "◇" in row] == ["◇"]
    assert "~■" in text
    assert "■~" in text


def test_what_began_long_ago_is_drawn_at_its_end() -> None:
    lies = stated("2024")
    assert lies is not None
    event = told(1, 1, "created", "2024").event
    by_then = FactEventInfo(
        **{
            **{name: getattr(event, name) for name in event.__slots__},
            "lo": ENGINE_LONG_AGO,
            "hi": lies.span.hi,
        }
    )
    mark = mark_of(TemporalEvent(by_then, told(1, 1, "created", "2024").fact))
    assert (mark.at, mark.lo) == (lies.span.hi - 1, lies.span.hi - 1)


def test_several_kinds_in_one_place_are_their_number() -> None:
    same = [told(n, 1, kind, "2024-03-15") for n, kind in enumerate(EVENT_KINDS[:3], start=1)]
    text = drawn(told(9, 1, "created", "1900-01-01"), *same)
    assert "3" in text.split("\n")[1]


def test_the_chosen_event_is_told_in_words() -> None:
    temporal = Temporal(RunId(1), events=(told(1, 5, "created", "2019", basis="inferred"),))
    timeline = timeline_of(temporal)
    look = timelines.settled(timeline, EVERYTHING)
    plotted = Plotted(timeline, look, placed(timeline, look, Room(100, 9)), DRAWN)
    what, when, _ = map(plain, event_lines(timeline.marks[0], (), plotted, 90))
    assert what.strip() == "● created  PGE owns share 5"
    assert when.strip() == "~2019, from the words of the text and its date"
    short = plain(event_line(timeline.marks[0], plotted, 60))
    assert short.strip() == "● created ~2019  PGE owns share 5"


def test_kinds_that_are_off_say_so_and_are_counted() -> None:
    temporal = Temporal(
        RunId(1), events=(told(1, 5, "created", "2019"), told(2, 5, "ended", "2024"))
    )
    timeline, look = walked(temporal, ["ended"], 9)
    plotted = Plotted(timeline, look, placed(timeline, look, Room(100, 9)), DRAWN)
    assert "ended 1 off" in plain(kinds_line(plotted, 120, DEFAULT_KEYMAP))
    assert "1 hidden" in plain(seen_line(plotted, 120))


def test_three_thousand_events_are_laid_out_and_drawn_quickly() -> None:
    events = tuple(
        told(n, n % 900, EVENT_KINDS[n % 5], f"{1900 + n * 7 % 124}") for n in range(1, 3001)
    )
    timeline = timeline_of(Temporal(RunId(1), events=events))
    look = timelines.settled(timeline, EVERYTHING)

    def once() -> float:
        begun = time.process_time()
        plot_lines(timeline, look, placed(timeline, look, Room(116, 24)), DRAWN)
        return time.process_time() - begun

    assert min(once() for _ in range(5)) < MOST_SECONDS
