"""Scenes of the knowledge base: datasets with facts that held at different times, texts of every
status, and an engine that holds nothing."""

from dataclasses import replace

from engine.api import (
    EntityInfo,
    EntityPage,
    FactEventInfo,
    FactHistory,
    FactInfo,
    PassageInfo,
    QueryAnswer,
    RunId,
    Support,
)
from tests.fakes.engine import FakeEngine
from tests.fakes.knowledge import FakeKnowledge

WHO = "Who owned Baltica 2 in 2021?"
ORSTED_PAGE = "https://orsted.com/en/media/newsroom/baltica-2"
PGE_PAGE = "https://www.gkpge.pl/en/investor-relations/baltica-offshore-wind-farm"
QUOTE = "PGE and Orsted closed the transaction in May 2021; each holds 50 % of the project."
BEFORE = "The two companies had signed in February. "
AFTER = " The final investment decision followed in January 2025."
ERROR = "the model was overloaded (529), 5 attempts; R tries again"


def fact(number: int, words: str, when: str = "", **fields: object) -> FactInfo:
    """`source | relation | target`, and `from to until`."""
    source, relation, target = (part.strip() for part in words.split("|"))
    start, _, end = when.partition(" to ")
    made = FactInfo(
        number,
        source,
        relation,
        target,
        "",
        "main",
        valid_from=start.strip() or None,
        valid_to=end.strip() or None,
        source_id=1,
        target_id=2,
    )
    return replace(made, **fields)  # type: ignore[arg-type]  # the scene's own


FACTS = (
    fact(1, "Baltica 2 | owned by | PGE", "2019-05 to 2021-05", status="superseded", support=3),
    fact(
        2,
        "Baltica 2 | owned by | PGE and Ørsted in equal parts",
        "2021-05",
        support=4,
        description="a joint venture of both, since the transaction was closed",
    ),
    fact(3, "Baltica 2 | planned capacity | 1,498 MW", "2021-09", target_is_value=True, support=2),
    fact(4, "Baltica 2 | will be completed in | 2030", "2021 to 2024", status="ended"),
    fact(5, "Ørsted | headquartered in | Fredericia", "2006", support=6),
    fact(6, "Baltica 2 | owned by | RWE", status="invalidated", actor="pattern"),
    fact(7, "Baltica 2 | turbine supplier | Siemens Gamesa", "2023-06-15", support=2),
    fact(8, "Polska Grupa Energetyczna | traded at | Warsaw Stock Exchange", "2009-11-06"),
    fact(9, "Baltica 2 | lies off | Łeba", actor="import"),
    fact(10, "華能集団 | 建設 | バルト海の風力発電所", "2018-Q3", negated=True),
)
TIMES: dict[int, tuple[str, str | None]] = {
    1: ("2026-09-02T10:00:00.000Z", "2026-09-02T10:00:41.000Z"),
    2: ("2026-10-20T09:00:00.000Z", "2026-10-20T09:00:00.000Z"),
    3: ("2026-10-30T16:20:00.000Z", "2026-10-30T16:21:00.000Z"),
    4: ("2026-11-01T07:00:00.000Z", "2026-11-01T07:05:00.000Z"),
    5: ("2026-11-01T09:56:00.000Z", None),
    6: ("2026-11-01T09:58:00.000Z", None),
}
"""When each text was queued, and when it was done with."""


def known() -> FakeEngine:
    """Two datasets of this person; texts that wait, work, failed and are done."""
    engine = FakeEngine()
    fill(engine.knowledge)
    return engine


def fill(base: FakeKnowledge) -> None:
    for one in FACTS:
        base.add_fact(history(one))
    for number, name, kind, told in (
        (1, "Baltica 2", "project", "Offshore wind farm in the Polish Baltic Sea"),
        (2, "Polska Grupa Energetyczna", "organisation", "Polish power utility, called PGE"),
        (3, "Ørsted", "organisation", "Danish power company"),
        (4, "Siemens Gamesa", "organisation", "Maker of wind turbines"),
        (5, "Łeba", "place", ""),
        (6, "華能集団", "organisation", ""),
    ):
        base.add_entity(page_of(EntityInfo(number, name, kind, told, ("main",))))
    base.add_dataset("batteries")
    base.add_fact(fact(11, "cell X | reached | 450 Wh/kg", "2026-02", dataset="batteries"))
    done = base.queue("PGE and Ørsted closed it.", source=ORSTED_PAGE)
    base.settle(
        done.id, facts=7, facts_new=3, entities=5, entities_new=2, superseded=1, cost_usd=0.012
    )
    base.change(done.id, session_id="research-4", chars=8_410)
    stored = base.queue("Notes of a call.", source="call with the harbour office")
    base.settle(stored.id, "stored_only")
    lossy = base.queue("Annual report.", source="PGE annual report 2024")
    notes = ("half an object was left out", "a quotation that the text does not have")
    base.settle(lossy.id, facts=12, facts_new=12, dropped=2, notes=notes, cost_usd=0.034)
    failed = base.queue("Press.", source=PGE_PAGE)
    base.settle(failed.id, "failed", error=ERROR, attempt=5)
    working = base.queue("A long text.", source="")
    base.change(working.id, status="running", phase="extracting", attempt=1, kind="report")
    base.queue("Another.", source="https://www.offshorewind.biz/2025/01/30/baltica-2-fid")
    for number, (queued, finished) in TIMES.items():
        base.change(number, queued_at=queued, finished_at=finished)
    base.known_datasets["main"] = replace(base.known_datasets["main"], queued=2, failed=1)
    base.answers[WHO] = ANSWER
    base.answers["What is the weather?"] = QueryAnswer(2, "Nothing stored says so.", False)
    base.answers["no model"] = NO_MODEL


def history(one: FactInfo) -> FactHistory:
    """With a text that has it, and one event."""
    event = FactEventInfo(
        id=one.id * 10,
        kind="created",
        at=one.valid_from,
        lo=None,
        hi=None,
        basis="stated",
        recorded_at="2026-10-20T09:30:00.000Z",
        actor=one.actor,
        dataset=one.dataset,
        artifact_id=1,
        session_id="research-4",
        run_id=RunId(4),
    )
    text = Support(
        artifact_id=1,
        source=ORSTED_PAGE,
        session_id="research-4",
        run_id=RunId(4),
        role="created",
        recorded_at="2026-10-20T09:30:00.000Z",
        before=BEFORE,
        quote=QUOTE,
        after=AFTER,
    )
    return FactHistory(one, (event,), (text,))


def page_of(entity: EntityInfo) -> EntityPage:
    facts = tuple(one for one in FACTS if entity.name in (one.source, one.target))
    aliases = ("PGE",) if "Polska" in entity.name else ()
    return EntityPage(replace(entity, facts=len(facts)), aliases, facts)


ANSWER = QueryAnswer(
    1,
    "Until May 2021 PGE owned all of Baltica 2 [F1]; then Ørsted bought half of it [F2].",
    False,
    facts=(FACTS[1], FACTS[0]),
    also=(FACTS[2], FACTS[5]),
    passages=(PassageInfo(1, ORSTED_PAGE, BEFORE + QUOTE),),
    is_grounded=True,
    cost_usd=0.0041,
)
NO_MODEL = replace(
    ANSWER,
    answer="No model is set: these are stored passages, not an answer",
    is_grounded=False,
    also=(),
    cost_usd=0.0,
)


def hostile(text: str) -> FakeEngine:
    """Everything that the knowledge base tells is this text."""
    engine, base = FakeEngine(), FakeKnowledge()
    engine.knowledge = base
    told = FactInfo(1, text, text, text, text, text, valid_from=text, valid_to=text)
    page = history(told)
    support = replace(page.supports[0], source=text, before=text, quote=text, after=text)
    event = replace(page.events[0], at=text, reason=text, dataset=text, session_id=text)
    base.add_fact(FactHistory(told, (event,), (support,), (told,)))
    base.add_entity(EntityPage(EntityInfo(1, text, text, text, (text,)), (text,), (told,), (text,)))
    for status in ("queued", "failed", "completed", "stored_only"):
        run = base.queue(text, source=text, dataset=text)
        base.settle(run.id, status, error=text, notes=(text,), dropped=1, session_id=text)
    working = base.queue(text, source=text, dataset=text)
    base.change(working.id, status="running", phase=text, kind=text)
    base.known_datasets[text] = replace(base.known_datasets[text], queued=1, failed=1)
    passage = PassageInfo(1, text, text)
    base.answers["x"] = QueryAnswer(1, text, False, (told,), (told,), (passage,), is_grounded=True)
    return engine
