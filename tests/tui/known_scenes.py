"""Scenes of what runs brought into the knowledge base: facts in several scripts, from -44 on."""

from collections.abc import Sequence
from dataclasses import replace

from engine.api import (
    ArtifactInfo,
    DatasetInfo,
    EntityInfo,
    EntityPage,
    FactEventInfo,
    FactHistory,
    FactInfo,
    KnowledgeSession,
    Provenance,
    ProvenanceFact,
    RunId,
    Support,
    Temporal,
    TemporalEvent,
    session_of,
    stated,
)
from tests.fakes.engine import FakeEngine
from tests.tui.told_facts import ARTIFACTS, ENTITIES, FACTS, STORED, TOPIC, Told


def knowing() -> FakeEngine:
    """A run that knows a good deal, with a sub-agent whose texts were Chinese and Russian."""
    engine = _begun(FACTS)
    run_id = RunId(1)
    engine.runs[run_id] = replace(engine.runs[run_id], children=1)
    _tell(engine, FACTS, with_agents=True)
    _tell(engine, FACTS, with_agents=False)
    return engine


def knowing_long() -> FakeEngine:
    """From Caesar on: what lies far apart on one axis."""
    facts = (
        Told(
            "Iulius Caesar",
            "was dictator of",
            "Rome",
            "-0049",
            "-0044-03-15",
            "ended",
            events=(("created", "-0049", "stated", 1), ("ended", "-0044-03-15", "stated", 1)),
        ),
        Told(
            "Rome",
            "is capital of",
            "Italy",
            "1871-02-03",
            events=(("created", "1871-02-03", "stated", 1),),
        ),
        *FACTS,
    )
    engine = _begun(facts)
    _tell(engine, facts, with_agents=False)
    return engine


def knowing_much(facts: int = 90) -> FakeEngine:
    """More subjects than there are rows."""
    told = tuple(
        Told(
            f"Wind farm {n % 45}",
            "has turbines",
            f"{n + 3}",
            f"{1991 + n * 7 % 34}",
            is_value=True,
            events=(
                ("created", f"{1991 + n * 7 % 34}", "stated", 1),
                ("confirmed", f"{2000 + n * 5 % 25}-{1 + n % 12:02d}", "reference", 2),
            ),
        )
        for n in range(facts)
    )
    engine = _begun(told)
    _tell(engine, told, with_agents=False)
    return engine


def knowing_nothing() -> FakeEngine:
    engine = FakeEngine()
    _ended(engine)
    return engine


def knowing_later() -> FakeEngine:
    """A text waits, one could not be read, and nothing is known yet."""
    engine = FakeEngine()
    run_id = engine.begin(TOPIC)
    engine.enter(run_id, "thinking", "step 1 of 20")
    engine.clock.advance(3)
    engine.knowledge.add_dataset("main")
    _queue(engine, "failed", error="the model API is overloaded: five attempts failed (529)")
    _queue(engine, "queued")
    return engine


def knowing_stored() -> FakeEngine:
    """A text was stored without a model, and no pattern fits it."""
    engine = FakeEngine()
    _ended(engine)
    engine.knowledge.add_dataset("main")
    _queue(engine, "stored_only")
    text = ArtifactInfo(1, "text", "", ARTIFACTS[0][0], 812, STORED, "main", run_id=RunId(1))
    dataset = DatasetInfo(1, "main", "admin", artifacts=1)
    engine.knowledge.provenances[RunId(1), False] = Provenance(
        RunId(1), datasets=(dataset,), artifacts=(text,)
    )
    return engine


def remember_hostile(engine: FakeEngine, run_id: RunId, text: str) -> None:
    """A run that knows a fact, an entity and a text, each of which is `text` all over."""
    event = FactEventInfo(
        *(1, "created", "2024", 0, 10**9, "stated", text, "model", text),
        artifact_id=1,
        run_id=run_id,
        reason=text,
    )
    fact = FactInfo(1, text, text, text, text, text, valid_from=text, source_id=1)
    entity = EntityInfo(1, text, text, text, (text,), facts=1)
    artifact = ArtifactInfo(1, "text", text, text, 9, text, text, run_id=run_id, date=text)
    support = Support(1, text, text, run_id, "created", text, before=text, quote=text, after=text)
    knowledge = engine.knowledge
    knowledge.histories[1] = FactHistory(fact, (event,), (support,), conflicts=(fact,))
    knowledge.pages[1] = EntityPage(entity, (text,), (fact,), (text,))
    knowledge.add_dataset(text)
    knowledge.provenances[run_id, False] = Provenance(
        run_id,
        datasets=(DatasetInfo(1, text, "admin"),),
        artifacts=(artifact,),
        entities=(entity,),
        edges=(ProvenanceFact(fact, True, (text,), (run_id,)),),
    )
    knowledge.temporals[run_id, False] = Temporal(
        run_id, (artifact,), (TemporalEvent(event, fact),)
    )


def _queue(engine: FakeEngine, status: str, **fields: object) -> None:
    run = engine.knowledge.queue("some words", source=ARTIFACTS[0][0])
    engine.knowledge.change(run.id, session_id=session_of(RunId(1)), status=status, **fields)


def _begun(facts: Sequence[Told]) -> FakeEngine:
    engine = FakeEngine()
    _ended(engine)
    for name in ("main", "papers"):
        engine.knowledge.add_dataset(name)
    for number, told in enumerate(facts, start=1):
        engine.knowledge.add_fact(_history(number, told))
    for number in range(1, len(ENTITIES) + 1):
        engine.knowledge.add_entity(_page(engine, number))
    return engine


def _ended(engine: FakeEngine) -> RunId:
    run_id = engine.begin(TOPIC)
    engine.enter(run_id, "thinking", "step 1 of 20")
    engine.clock.advance(4)
    engine.enter(run_id, "remembering", "async: Baltica 2 is owned by PGE")
    engine.clock.advance(2)
    engine.use(run_id, steps=2, cost=0.05, tokens=18_900)
    engine.complete(run_id, "# Owners\n\nPGE and Ørsted, half each.\n")
    engine.clock.advance(600)
    return run_id


def _tell(engine: FakeEngine, facts: Sequence[Told], *, with_agents: bool) -> None:
    """The provenance and the events of the run, with what its sub-agent brought or without."""
    told = [(n, one) for n, one in enumerate(facts, start=1) if with_agents or one.run == 1]
    histories, run_id = engine.knowledge.histories, RunId(1)
    names = {name for _, one in told for name in (one.source, one.target)}
    texts = tuple(_text(n) for n in ((1, 2, 3) if with_agents else (1, 2)))
    engine.knowledge.provenances[run_id, with_agents] = Provenance(
        run_id,
        tuple(_session(n) for n in ((1, 2) if with_agents else (1,))),
        tuple(engine.knowledge.known_datasets[name] for name in {one.dataset for _, one in told}),
        texts,
        tuple(engine.knowledge.pages[n].entity for name, n in _numbers().items() if name in names),
        tuple(
            ProvenanceFact(histories[n].fact, one.created, (one.dataset,), (RunId(one.run),))
            for n, one in told
        ),
    )
    engine.knowledge.temporals[run_id, with_agents] = Temporal(
        run_id,
        texts,
        tuple(
            TemporalEvent(event, histories[n].fact)
            for n, _ in told
            for event in histories[n].events
        ),
    )


def _numbers() -> dict[str, int]:
    return {name: at for at, (name, _, _) in enumerate(ENTITIES, start=1)}


def _session(number: int) -> KnowledgeSession:
    name = "scout" if number > 1 else ""
    return KnowledgeSession(session_of(RunId(number)), RunId(number), name, TOPIC)


def _text(number: int) -> ArtifactInfo:
    source, date, dataset = ARTIFACTS[number - 1]
    run_id = RunId(2 if number > 2 else 1)
    return ArtifactInfo(
        number, "text", "", source, 800 * number + 12, STORED, dataset, run_id=run_id, date=date
    )


def _history(number: int, told: Told) -> FactHistory:
    numbers = _numbers()
    fact = FactInfo(
        id=number,
        source=told.source,
        relation=told.relation,
        target=told.target,
        description=f"{told.source} {told.relation} {told.target}",
        dataset=told.dataset,
        status=told.status,
        valid_from=told.start or None,
        valid_to=told.end or None,
        superseded_by=told.superseded_by,
        support=told.support,
        source_id=numbers.get(told.source, 0),
        target_id=numbers.get(told.target, 0),
        target_is_value=told.is_value,
        actor=told.actor,
    )
    events = tuple(_event(number, at, told) for at in range(len(told.events)))
    return FactHistory(fact, events, _supports(told))


def _event(number: int, at: int, told: Told) -> FactEventInfo:
    kind, date, basis, text = told.events[at]
    lies = stated(date)
    return FactEventInfo(
        id=number * 10 + at,
        kind=kind,
        at=date or None,
        lo=lies.span.lo if lies else None,
        hi=lies.span.hi if lies else None,
        basis=basis,
        recorded_at=STORED,
        actor=told.actor,
        dataset=told.dataset,
        artifact_id=text,
        session_id=session_of(RunId(told.run)),
        run_id=RunId(told.run),
        cause_fact_id=told.superseded_by if kind == "superseded" else None,
        reason="the text says that the shares changed" if kind == "superseded" else "",
    )


def _supports(told: Told) -> tuple[Support, ...]:
    """From the texts that created or confirmed it, with the words around."""
    said = f"{told.source} {told.relation} {told.target}"
    texts = dict.fromkeys(
        text for kind, _, _, text in told.events if kind in ("created", "confirmed")
    )
    return tuple(
        Support(
            artifact_id=text,
            source=ARTIFACTS[text - 1][0],
            session_id=session_of(RunId(told.run)),
            run_id=RunId(told.run),
            role="created" if at == 0 and told.created else "restated",
            recorded_at=STORED,
            before="The annual report gives both owners. As of its date, ",
            quote=said,
            after=", which the press release of the same week says in other words.",
        )
        for at, text in enumerate(texts)
    )


def _page(engine: FakeEngine, number: int) -> EntityPage:
    name, kind, description = ENTITIES[number - 1]
    facts = tuple(
        history.fact
        for history in engine.knowledge.histories.values()
        if name in (history.fact.source, history.fact.target)
    )
    datasets = tuple(sorted({fact.dataset for fact in facts})) or ("main",)
    info = EntityInfo(
        number, name, kind, description, datasets, (RunId(1),), len(facts), created=number != 2
    )
    aliases = ("Baltica-2", "波罗的海二号") if number == 1 else ()
    return EntityPage(info, aliases, facts, ("papers",) if number == 2 else ())
