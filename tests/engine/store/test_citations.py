"""Citations: the rows of a report, in its order."""

import pytest

from engine.domain.errors import StoreError
from engine.domain.run import Citation, RunId
from engine.store import citations, journal
from engine.store.database import Transaction
from engine.store.sqlite import SqliteDatabase
from tests.engine.store.support import at, memory, new_run


async def test_citations_come_back_in_the_order_of_the_report(database: SqliteDatabase) -> None:
    found = Citation(0, 2, 1, 3, 9, "„seven“", "exact")
    missing = Citation(1, 1, None, None, None, "eight", "missing")

    def work(tx: Transaction) -> None:
        run_id = new_run(tx)
        new = journal.NewCall(run_id, 1, 0, "t", "fetch_page", {})
        assert journal.start_call(tx, new, at=at(1)) == 1
        citations.add(tx, run_id, [missing, found])

    await database.write(work)
    async with database.reading() as reader:
        assert await citations.of_run(reader, RunId(1)) == (found, missing)
        assert await citations.of_run(reader, RunId(2)) == ()


def test_a_citation_of_a_call_that_was_never_made_is_refused() -> None:
    with memory() as tx, pytest.raises(StoreError):
        citations.add(tx, new_run(tx), [Citation(0, 1, 99, 0, 1, "x", "exact")])
