"""A source of a report with its quotations in their surroundings: values only."""

from dataclasses import dataclass

from engine.domain.run import RunId, Verdict


@dataclass(frozen=True, slots=True)
class Passage:
    """One quotation of a report and the text it stands in.

    `before`, `quoted` and `after` follow each other in what the source said when it was read;
    all three are empty when the quotation is missing there.
    """

    ord: int
    """The number of the quotation in the report."""
    quote: str
    """As the report has it."""
    verdict: Verdict
    before: str = ""
    quoted: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class CitedSource:
    """Source `n` of a run's report, as it was read, with everything that is quoted from it.

    For an address that was never read there is no text: `media_type` and `read_at` are empty.
    """

    run_id: RunId
    n: int
    url: str
    title: str
    media_type: str
    read_at: str
    chars: int
    """How long the whole text is."""
    passages: tuple[Passage, ...] = ()
