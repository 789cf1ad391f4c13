"""The line above a report: whether it is finished, and what became of its quotations."""

from typing import Literal

from gligabao_tui.view.details import Details
from gligabao_tui.view.formatting import count_of


def report_note(details: Details) -> tuple[str, Literal["muted", "warn", "bad", "good"]]:
    """The text, empty when there is nothing to say, and its tone."""
    run = details.run
    if details.report:
        return _checked(details)
    if details.writing:
        return "Being written. It becomes the report when the agent is done.", "warn"
    if run.status == "running":
        return "No report yet: the agent is still working. W lets it write its report now.", "muted"
    if run.status == "completed":
        return "The report is being read.", "muted"
    return f"There is no report: the run {run.status}. {run.error}".strip(), "bad"


def _checked(details: Details) -> tuple[str, Literal["muted", "warn", "bad", "good"]]:
    """How many quotations were found again in what was read."""
    told = details.quotations
    total = sum(told.values())
    if not total:
        return "", "muted"
    missing = told.get("missing", 0)
    if missing:
        return f"{missing} of {count_of(total, 'quotation', 'quotations')} not found again", "bad"
    return f"{count_of(total, 'quotation', 'quotations')} checked against what was read", "good"
