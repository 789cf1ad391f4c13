"""The quotations of reports, each with its place in a snapshot; written with the report."""

from collections.abc import Sequence
from typing import cast

from engine.domain.run import Citation, RunId, Verdict
from engine.store.columns import maybe_whole, text, whole
from engine.store.database import Reader, Row, Transaction


def add(tx: Transaction, run_id: RunId, citations: Sequence[Citation]) -> None:
    for citation in citations:
        tx.execute(
            "INSERT INTO gb_citations(run_id, ord, n, tool_call_id, start_ch, end_ch, quote,"
            " verdict) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
            (
                run_id,
                citation.ord,
                citation.n,
                citation.tool_call_id,
                citation.start,
                citation.end,
                citation.quote,
                citation.verdict,
            ),
        )


async def of_run(reader: Reader, run_id: RunId) -> tuple[Citation, ...]:
    """In the order of the report."""
    found = await reader.rows("SELECT * FROM gb_citations WHERE run_id = ? ORDER BY ord", (run_id,))
    return tuple(_citation_of(row) for row in found)


def _citation_of(row: Row) -> Citation:
    return Citation(
        ord=whole(row, "ord"),
        n=whole(row, "n"),
        tool_call_id=maybe_whole(row, "tool_call_id"),
        start=maybe_whole(row, "start_ch"),
        end=maybe_whole(row, "end_ch"),
        quote=text(row, "quote"),
        verdict=cast("Verdict", text(row, "verdict")),
    )
