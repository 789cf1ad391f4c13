"""The charts of the Cost tab, drawn by plotext and shown in the tones of the look.

Imported only when a chart is to be shown for the first time: plotext takes its time to load. Each
chart has a figure of its own and is built once for what it shows and its size, however often it is
painted.
"""

from textual.content import Content
from textual_plotext import PlotextPlot
from textual_plotext.plot import Plot

from gligabao_tui.view.cost_charts import (
    Bars,
    Chart,
    Curve,
    Marks,
    heights,
    marks_of,
    step_ticks,
    steps_in,
)
from gligabao_tui.view.glyphs import ASCII, Glyphs
from gligabao_tui.view.text import Line, Span, Tone
from gligabao_tui.widgets.plain import Toned

TONES: tuple[Tone, ...] = ("muted", "accent", "bad", "quote")
"""A tone's place here is the colour that plotext is told to draw in."""
MUTED, ACCENT, BAD, QUOTE = range(len(TONES))
FRAME_TONE: Tone = "quiet"
PLAIN_FRAME = str.maketrans("│┤├┼┴┬─└┘┌┐", "|++++" + "+-++++")


class ChartPlot(Toned, PlotextPlot):
    """Draws anew when it shows something else or its size changes, never for a repaint."""

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._chart: Chart | None = None
        self._drawn: tuple[Chart, int, int] | None = None
        self._lines: tuple[Line, ...] = ()
        self._content: Content | None = None
        self.builds = 0
        """How often plotext has been asked to draw."""
        self.set_reactive(PlotextPlot.theme, "clear")

    def show(self, chart: Chart) -> None:
        if chart != self._chart:
            self._chart = chart
            self.refresh()

    def notify_style_update(self) -> None:
        """Another theme: the same lines in other colours."""
        super().notify_style_update()
        self._content = None

    def render(self) -> Content:
        width, height = self.size
        wanted = (self._chart, width, height) if self._chart and width and height else None
        if wanted is None:
            return Content("")
        if wanted != self._drawn:
            self._drawn, self._content = wanted, None
            size = (width, height)
            self._lines = chart_lines(self.plt, wanted[0], size=size, glyphs=self._glyphs)
            self.builds += 1
        if self._content is None:
            self._content = Content("\n").join(self._toned(row) for row in self._lines)
        return self._content

    def _toned(self, row: Line) -> Content:
        return Content.assemble(*(Content.styled(span.text, self.look(span.tone)) for span in row))


def chart_lines(
    figure: Plot, chart: Chart, *, size: tuple[int, int], glyphs: Glyphs
) -> tuple[Line, ...]:
    """Rows of at most `size[0]` cells; whatever the figure drew before is forgotten."""
    figure.clear_figure()
    figure.theme("clear")
    ticks = heights(chart)
    width, height = size
    canvas = max(1, width - max(len(tick.label) for tick in ticks) - 1)
    along = step_ticks(steps_in(chart), canvas)
    figure.xaxes(True, False)
    figure.yaxes(True, False)
    figure.xticks([tick.place for tick in along], [tick.label for tick in along])
    figure.yticks([tick.place for tick in ticks], [tick.label for tick in ticks])
    figure.ylim(0, ticks[-1].place)
    if isinstance(chart, Curve):
        _draw_curve(figure, chart, marks_of(glyphs))
    else:
        cells = canvas // len(chart.fresh)
        width -= canvas - cells * len(chart.fresh) if cells > 1 else 0
        _draw_bars(figure, chart, marks_of(glyphs), cells=cells)
    figure._set_size(width, height)  # `plotsize` would cut it to the size of the real terminal
    figure.build()
    return _lines_of(figure, glyphs)


def _draw_curve(figure: Plot, curve: Curve, marks: Marks) -> None:
    figure.xlim(0, curve.last_step)
    if curve.cap_usd:
        ends = ([0, curve.last_step], [curve.cap_usd] * 2)
        figure.plot(*ends, marker=marks.cap, color=BAD)
    if curve.ahead:
        places = list(range(len(curve.totals), curve.last_step + 1))
        figure.plot(places, [curve.totals[-1], *curve.ahead], marker=marks.ahead, color=MUTED)
    places = list(range(len(curve.totals) + 1))
    figure.plot(places, [0.0, *curve.totals], marker=marks.line, color=ACCENT, fillx=True)


def _draw_bars(figure: Plot, bars: Bars, marks: Marks, *, cells: int) -> None:
    """A bar for each step, all equally wide (`cells` with the space beside it); where there is no
    room for that, one touches the next."""
    steps, is_roomy = len(bars.fresh), cells > 1
    figure.xlim(0.5, steps + 0.5 - (1 / cells if is_roomy else 0))
    figure.stacked_bar(
        list(range(1, steps + 1)),
        [list(bars.fresh), list(bars.cached), list(bars.out)],
        marker=[marks.fresh, marks.cached, marks.out],  # type: ignore[arg-type]  # one for each
        color=[ACCENT, MUTED, QUOTE],  # type: ignore[arg-type]  # one for each
        width=max(0.01, (cells - 2) / cells) if is_roomy else 1,
        reset_ticks=False,
    )


def _lines_of(figure: Plot, glyphs: Glyphs) -> tuple[Line, ...]:
    """What plotext drew, as spans of equal tone; its matrix begins at the lowest row."""
    matrix = figure.monitor.matrix  # type: ignore[attr-defined]  # its stubs do not tell
    rows = zip(reversed(matrix.marker), reversed(matrix.fullground), strict=True)
    return tuple(_line_of(marks, colours, glyphs) for marks, colours in rows)


def _line_of(marks: list[str], colours: list[object], glyphs: Glyphs) -> Line:
    spans: list[Span] = []
    for mark, colour in zip(marks, colours, strict=True):
        tone = TONES[colour] if isinstance(colour, int) else FRAME_TONE
        if glyphs == ASCII:
            mark = mark.translate(PLAIN_FRAME)
        if spans and spans[-1].tone == tone:
            spans[-1] = spans[-1]._replace(text=spans[-1].text + mark)
        else:
            spans.append(Span(mark, tone))
    return tuple(spans)
