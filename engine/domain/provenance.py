"""What a run did to the knowledge base: what it brought, and what happened to facts over time.

Pure values. Source: seed 001, provenance and temporal plot.
"""

from dataclasses import dataclass

from engine.domain.knowledge import ArtifactInfo, DatasetInfo, EntityInfo, FactEventInfo, FactInfo
from engine.domain.run import RunId


@dataclass(frozen=True, slots=True)
class KnowledgeSession:
    """A run whose texts are in the knowledge base."""

    session_id: str
    run_id: RunId
    name: str
    topic: str


@dataclass(frozen=True, slots=True)
class ProvenanceFact:
    """A fact that a run brought (`created`) or found again."""

    fact: FactInfo
    created: bool
    datasets: tuple[str, ...]
    run_ids: tuple[RunId, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a run, and with its sub-agents theirs, brought into the knowledge base (seed 001)."""

    run_id: RunId
    sessions: tuple[KnowledgeSession, ...] = ()
    datasets: tuple[DatasetInfo, ...] = ()
    artifacts: tuple[ArtifactInfo, ...] = ()
    entities: tuple[EntityInfo, ...] = ()
    edges: tuple[ProvenanceFact, ...] = ()


@dataclass(frozen=True, slots=True)
class TemporalEvent:
    """An event with the fact that it happened to."""

    event: FactEventInfo
    fact: FactInfo


@dataclass(frozen=True, slots=True)
class Temporal:
    """What happened to facts, over event time; those without one last."""

    run_id: RunId | None
    artifacts: tuple[ArtifactInfo, ...] = ()
    events: tuple[TemporalEvent, ...] = ()
