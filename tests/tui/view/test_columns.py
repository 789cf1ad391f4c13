"""Rows and blocks of runs keep their columns straight, whatever is written in them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import STATUSES, Run
from gligabao_tui.view.cards import card, strip_card
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.run_rows import Extras, Table, extras_of, header_row, run_row
from gligabao_tui.view.text import line_width, plain, width_of
from tests.tui.view.samples import T2, a_run

NOW = datetime(2026, 11, 30, tzinfo=UTC)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="中国风电 2024 年", max_size=60),
    st.text(alphabet="من يملك مزرعة الرياح", max_size=60),
    st.text(alphabet="e\u0301a\u0308\u0323 x", max_size=60),
    st.text(alphabet="👩\u200d🔬🙂🏳\ufe0f ab", max_size=40),
)
RUNS = st.builds(
    lambda status, topic, agent, numbers, cost: replace(
        a_run(numbers[0], status, topic),
        agent_name=agent,
        children=numbers[1],
        steps=numbers[2] % 41,
        max_steps=40,
        cost_usd=cost,
        finished_at=None if status == "running" else T2,
    ),
    st.sampled_from(STATUSES),
    TEXTS,
    TEXTS,
    st.tuples(st.integers(1, 9_999), st.integers(0, 999), st.integers(0, 40)),
    st.floats(0, 9_999),
)
EXTRAS = st.builds(Extras, st.booleans(), st.booleans())


@given(RUNS, st.integers(40, 220), EXTRAS)
def test_a_row_is_as_wide_as_its_list_and_its_figures_stand_below_their_titles(
    run: Run, width: int, extras: Extras
) -> None:
    table = Table(width, extras)
    row, header = run_row(run, table, now=NOW, glyphs=DRAWN), header_row(table)
    assert line_width(row) == line_width(header) == width
    assert width_of(plain(row)) == width  # also where a terminal would join what stands together
    stop = 2 * (run.status == "running") if table.stop_cells >= 7 else 0
    figures = row[: len(row) - (stop or bool(table.stop_cells))][-len(table.columns) :]
    titles = header[:-1][-len(table.columns) :]
    assert [line_width((span,)) for span in figures] == [line_width((one,)) for one in titles]
    assert [line_width((span,)) for span in figures] == [one.cells for one in table.columns]


@given(RUNS, st.integers(14, 60), st.sampled_from([DRAWN, ASCII]))
def test_no_block_is_wider_than_its_card(run: Run, width: int, glyphs: object) -> None:
    chosen = DRAWN if glyphs == DRAWN else ASCII
    for row in strip_card(run, width, now=NOW, glyphs=chosen):
        assert line_width(row) <= width
    head, *topic = card(run, width, now=NOW, glyphs=chosen)[:3]
    assert line_width(head) <= width
    assert all(line_width(row) <= max(width, 40) for row in topic)


def test_columns_that_no_run_needs_are_not_there() -> None:
    runs = [a_run(1), replace(a_run(2), agent_name="default")]
    assert extras_of(runs) == Extras()
    assert extras_of([*runs, replace(a_run(3), children=2)]) == Extras(children=True)
    assert extras_of([*runs, replace(a_run(3), agent_name="deep")]) == Extras(agents=True)
    titles = plain(header_row(Table(120, Extras(agents=True, children=True)))).split()
    assert titles == ["status", "topic", "agent", "children", "steps", "time", "cost", "age"]
    assert "agent" not in plain(header_row(Table(109, Extras(agents=True))))


@pytest.mark.parametrize(
    ("children", "agent", "told"), [(3, "deep-survey", ["deep-survey", "3"]), (0, "", ["default"])]
)
def test_a_row_tells_its_agent_and_its_children(children: int, agent: str, told: list[str]) -> None:
    run = replace(a_run(), children=children, agent_name=agent)
    table = Table(120, Extras(agents=True, children=True))
    words = plain(run_row(run, table, now=NOW, glyphs=ASCII)).split()
    assert [word for word in words if word in told] == told
