"""A research of given documents, without a key: offline model, docs provider, checked citations."""

from pathlib import Path

import pytest

from engine.domain.run import DocsFolder, RunDetails, StartRequest
from engine.settings import Settings
from engine.store import journal, snapshots
from engine.wiring import open_engine
from tests.flows.conftest import run_to_end

LAKES = """# Lakes

## Depth of the lake

The lake of Ohrid is 288 metres deep at its deepest point.
The depth of the lake was measured in 1961.

## Owner

The lake belongs to two countries.
"""


def documents(tmp_path: Path) -> StartRequest:
    folder = tmp_path / "lakes"
    if not folder.exists():
        folder.mkdir()
        (folder / "ohrid.md").write_text(LAKES, encoding="utf-8")
    docs = (DocsFolder("lakes", str(folder)),)
    return StartRequest("How deep is the lake of Ohrid?", "ann", model="offline", docs=docs)


async def researched(tmp_path: Path) -> RunDetails:
    async with open_engine(Settings(data_dir=tmp_path / "data")) as manager:
        return await run_to_end(manager, documents(tmp_path))


@pytest.mark.req("R102", "R540")
async def test_the_report_quotes_the_document_word_for_word(tmp_path: Path) -> None:
    details = await researched(tmp_path)
    assert details.run.status == "completed"
    assert "288 metres" in details.run.report
    assert "docs://lakes/ohrid.md#chars=" in details.run.report
    assert str(tmp_path) not in details.run.report
    assert details.citations
    assert {citation.verdict for citation in details.citations} == {"exact"}


async def test_each_citation_leads_to_the_reading_and_its_snapshot(tmp_path: Path) -> None:
    async with open_engine(Settings(data_dir=tmp_path / "data")) as manager:
        details = await run_to_end(manager, documents(tmp_path))
        async with manager.database.reading() as reader:
            calls = {call.id: call for call in await journal.calls(reader, details.run.id)}
            for citation in details.citations:
                assert citation.tool_call_id is not None
                call = calls[citation.tool_call_id]
                assert call.final_url == "docs://lakes/ohrid.md"
                assert call.snapshot_id is not None
                snapshot = await snapshots.get(reader, call.snapshot_id)
                assert snapshot is not None
                assert snapshot.text[citation.start : citation.end] == citation.quote


async def test_the_first_run_says_that_it_waits_for_the_index(tmp_path: Path) -> None:
    first = await researched(tmp_path)
    states = [(state.state, state.detail) for state in first.states]
    assert states[1] == ("waiting", "the index of lakes, documents to read: 1")
    assert states[2] == ("thinking", "step 1 of 20")
    second = await researched(tmp_path)
    assert [state.state for state in second.states][:2] == ["starting", "thinking"]


async def test_nothing_but_the_documents_is_read(tmp_path: Path) -> None:
    async with open_engine(Settings(data_dir=tmp_path / "data")) as manager:
        details = await run_to_end(manager, documents(tmp_path))
        async with manager.database.reading() as reader:
            calls = await journal.calls(reader, details.run.id)
    read = [call for call in calls if call.name == "fetch_url"]
    assert read
    assert all((call.url or "").startswith("docs://lakes/") for call in read)
