"""What a report costs the app's loop: `python -m tests.benchmarks.bench_report`.

CPU of one thread, so that other work on the machine counts little. A report of 100 kB that is
written in 4,000 pieces may cost 2 ms for each on average, painting and all; while a finished one
of 500 kB is laid out, the loop may not be kept for more than 30 ms at a time.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import ClassVar

from textual.app import App, ComposeResult

from engine.api import ReplyDelta, RunId
from gligabao_tui.resources import stylesheets
from gligabao_tui.terminal import garbage
from gligabao_tui.view.details import Details, fold_details
from gligabao_tui.view.glyphs import DRAWN
from gligabao_tui.widgets.report import ReportView
from gligabao_tui.widgets.report_text import ReportText
from tests.tui.view.samples import a_run, a_state, some_details

NOW = datetime(2026, 11, 1, tzinfo=UTC)
SIZE = (84, 30)
DELTAS, CHARS = 4_000, 100_000
DELTAS_A_DRAIN = 4
"""A quick model says forty pieces in a second, which the app shows ten times."""
LARGE_CHARS = 500_000
LIMIT_MS, LIMIT_SLICE_MS = 2.0, 30.0
SECTION = (
    "## Section {n}\n\n"
    + "Some prose with a source [1](https://example.org/{n}) and a few more words of it. " * 6
    + "\n\n- an item\n- another item with `code` and **words**\n\n"
    "| name | value |\n| --- | --- |\n| one | [2](https://example.org) |\n| two | 3 |\n\n"
    "```python\nprint('hello')\n```\n\n"
)


class Alone(App[None]):
    """The tab with nothing around it."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [*stylesheets()]

    def __init__(self) -> None:
        super().__init__()
        self.view = ReportView(DRAWN)

    def compose(self) -> ComposeResult:
        yield self.view


def main() -> None:
    garbage.settle()
    for name, report in (("prose", of_length(CHARS)), ("one fence", one_fence(CHARS))):
        mean = asyncio.run(written(report)) * 1_000
        print(f"written, {name:10} {mean:6.2f} ms CPU for each piece (at most {LIMIT_MS})")
    slices = [spent * 1_000 for spent in asyncio.run(laid_out(of_length(LARGE_CHARS)))]
    slices.sort()
    print(f"500 kB in {len(slices)} slices: {sum(slices):.0f} ms CPU")
    print(f"  median {slices[len(slices) // 2]:.1f}, 99 % {slices[len(slices) * 99 // 100]:.1f}, ")
    print(f"  longest {slices[-1]:.1f} ms (at most {LIMIT_SLICE_MS})")


def of_length(chars: int) -> str:
    sections = (SECTION.format(n=n) for n in range(chars // len(SECTION) + 2))
    return "".join(sections)[:chars]


def one_fence(chars: int) -> str:
    return ("```\n" + "def work(): return 'and more words'\n" * chars)[:chars]


async def written(report: str) -> float:
    """CPU seconds for each piece: folded in, laid out, painted ten times a second's worth."""
    app = Alone()
    async with app.run_test(size=SIZE) as pilot:
        details = some_details(a_state(1, ended=None))
        app.view.begin(details)
        step = len(report) // DELTAS
        begun = time.thread_time()
        for number in range(DELTAS):
            piece = report[number * step : (number + 1) * step]
            details = fold_details(details, [ReplyDelta(RunId(1), "text", piece)])
            app.view.show(details, NOW)
            if number % DELTAS_A_DRAIN == 0:
                await pilot._wait_for_screen()
        return (time.thread_time() - begun) / DELTAS


async def laid_out(report: str) -> Sequence[float]:
    """CPU seconds of each slice; the first is what is laid out before anything is seen."""
    app, spent = Alone(), list[float]()
    tell_slice = ReportText._tell_slice
    lay_out = app.view._text._layout_of_text.lay_out_more

    def timed_lay_out() -> None:
        spent.append(-time.thread_time())
        lay_out()

    def timed_telling(text: ReportText) -> None:
        tell_slice(text)
        spent[-1] += time.thread_time()

    app.view._text._layout_of_text.lay_out_more = timed_lay_out  # type: ignore[method-assign]
    ReportText._tell_slice = timed_telling  # type: ignore[method-assign, assignment]
    async with app.run_test(size=SIZE):
        details = Details(a_run(status="completed"), report=report)
        begun = time.thread_time()
        app.view.begin(details)
        app.view.show(details, NOW)
        first = time.thread_time() - begun
        await app.workers.wait_for_complete()
    return [first, *spent]


if __name__ == "__main__":
    main()
