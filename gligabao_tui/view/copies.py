"""What can be copied of the thing that has the focus, in which forms."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from engine.api import Run
from gligabao_tui.view import formatting
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.markdown_lines import markdown_lines
from gligabao_tui.view.selected import selected_text
from gligabao_tui.view.tabs import TabName
from gligabao_tui.view.text import flat
from gligabao_tui.view.words import doing

Form: TypeAlias = Literal["text", "markdown", "json", "id", "file", "json_file"]
PLAIN_CELLS = 100
TAB_THINGS: dict[TabName, str] = {
    "states": "the state",
    "report": "the report",
    "knowledge": "the fact",
    "time": "the event",
    "cost": "the costs",
}
"""What each tab gives to copy."""


@dataclass(frozen=True, slots=True)
class Thing:
    """`name` is what it is called in a sentence: `the report`. Its JSON is that of its run."""

    run: Run
    name: str
    text: str
    markdown: str


def run_thing(run: Run, now: datetime) -> Thing:
    """A run of the list or of the dock: its topic and what became of it."""
    took = formatting.seconds_between(run.created_at, run.finished_at, now)
    figures = (
        f"{doing(run)}, step {run.steps} of {run.max_steps}, {formatting.duration(took)}, "
        f"{formatting.money(run.cost_usd)}, {flat(run.model)}"
    )
    topic = flat(run.topic)
    return Thing(
        run, f"#{run.id}", f"#{run.id} {topic}\n{figures}", f"- **#{run.id}** {topic} ({figures})"
    )


def report_thing(run: Run, report: str) -> Thing:
    """As text: laid out, but with every paragraph on one line."""
    return Thing(run, "the report", selected_text(markdown_lines(report, PLAIN_CELLS)), report)


def page_thing(run: Run, tab: TabName, text: str) -> Thing:
    """What a tab gives to copy: the state under the cursor, or the tables of the costs."""
    name = TAB_THINGS[tab]
    return Thing(run, name, text, f"**#{run.id}** {flat(run.topic)}\n\n```\n{text}\n```\n")


def form_words(thing: Thing, form: Form) -> tuple[str, str]:
    """What a form is, and how much of it there is."""
    run = thing.run
    match form:
        case "text":
            return f"{thing.name} as plain text", _size(thing.text)
        case "markdown":
            return f"{thing.name} as Markdown", _size(thing.markdown)
        case "json":
            return f"#{run.id} as JSON, with all its states", ""
        case "id":
            return f"its number, #{run.id}", ""
        case "file":
            return f"{thing.name} to a text file here", _size(thing.text)
        case _:
            return f"#{run.id} to a JSON file here", ""


def _size(text: str) -> str:
    return count_of(len(text), "character", "characters")
