"""Answers what a run has cost and what its report's sources said, from the rows of its journal."""

from engine.domain.costs import RunCosts
from engine.domain.errors import NotFound
from engine.domain.knowledge import session_of
from engine.domain.run import Citation, Run
from engine.domain.sources import CitedSource, Passage
from engine.evidence.check import quotations
from engine.evidence.passages import passage
from engine.limits.caps import lowest
from engine.limits.prices import lacks_price
from engine.llm.price_table import PriceTable
from engine.manager.charges import Books, charges_of, models_of
from engine.manager.spec import RunSpec, from_json
from engine.store import citations, journal, readings, runs, spending
from engine.store.database import Database, Reader


async def run_costs(database: Database, run: Run, prices: PriceTable) -> RunCosts:
    """The run's charges. A model counts as unpriced when its tokens cost nothing and should."""
    async with database.reading() as reader:
        books = Books(
            states=await runs.states(reader, run.id),
            attempts=await journal.attempts(reader, run.id),
            calls=await spending.call_costs(reader, run.id),
        )
        spec = await runs.spec(reader, run.id)
        knowledge_usd = await spending.knowledge_cost(reader, session_of(run.id))
    cap = _cap(from_json(spec)) if spec else 0.0
    unpriced: list[str] = []
    for model, used in models_of(books).items():
        await prices.prepare(model)
        if lacks_price(prices.price(model), used):
            unpriced.append(model)
    return RunCosts(
        run_id=run.id,
        charges=charges_of(books, is_unpriced=unpriced.__contains__),
        max_cost_usd=cap,
        unpriced=tuple(unpriced),
        knowledge_usd=knowledge_usd,
    )


def _cap(spec: RunSpec) -> float:
    """What ends the work: the lower of its own cap and that of the research."""
    return lowest(spec.own_max_cost_usd, spec.max_cost_usd)


async def cited_source(reader: Reader, run: Run, n: int) -> CitedSource:
    """Source `n` of the run's report. Raises NotFound when nothing is cited from it."""
    cited = [each for each in await citations.of_run(reader, run.id) if each.n == n]
    if not cited:
        raise NotFound(f"the report of run {run.id} cites no source {n}")
    read = {
        call_id: await readings.get(reader, run.id, call_id)
        for call_id in {each.tool_call_id for each in cited if each.tool_call_id is not None}
    }
    texts = {call_id: found.snapshot.text for call_id, found in read.items() if found}
    passages = tuple(passage(each, texts.get(each.tool_call_id or 0, "")) for each in cited)
    found = next((found for found in read.values() if found), None)
    if found is None:
        return _never_read(run, cited, passages)
    snapshot = found.snapshot
    return CitedSource(
        run_id=run.id,
        n=n,
        url=found.address,
        title=snapshot.title,
        media_type=snapshot.media_type,
        read_at=found.read_at,
        chars=snapshot.chars,
        passages=passages,
    )


def _never_read(run: Run, cited: list[Citation], passages: tuple[Passage, ...]) -> CitedSource:
    """What a report cites without that anything was read there."""
    first = cited[0]
    addresses = [quotation.address for quotation in quotations(run.report)]
    address = addresses[first.ord - 1] if first.ord <= len(addresses) else ""
    return CitedSource(run.id, first.n, address, "", "", "", 0, passages)
