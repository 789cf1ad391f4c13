"""What a text comes to, as values between reconciling, which decides, and the store, which obeys.

Facts are named by their `fact_key` and entities by their key within the dataset, so that a decision
means the same before and after it was applied: applying it again must change nothing. Pure.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from engine.domain.facts import UNDATED, Actor, EventKind, FactStatus, Period, Stated, TimeBasis

SEPARATOR = "\x1e"
"""Joins the two parts of an entity's key; neither text that was cleaned nor the keys of facts hold
it."""

Verdict: TypeAlias = Literal["same", "updates", "ends", "corrects", "unrelated"]
"""What the reconciling call says of a new fact and a known one; it nominates, dates decide."""


@dataclass(frozen=True, slots=True)
class EntityRef:
    """An entity of the dataset, stored already or not: the two columns that are unique there."""

    name_key: str
    disambig: str = ""

    @property
    def key(self) -> str:
        """The one text that stands for it in the key of a fact."""
        return f"{self.name_key}{SEPARATOR}{self.disambig}" if self.disambig else self.name_key


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity that the text at hand names, stored already or not; values are entities, too."""

    ref: EntityRef
    name: str
    type: str = "thing"
    is_value: bool = False
    aliases: tuple[str, ...] = ()
    """Other names that the text gives it."""
    mention: str = ""
    """As the text itself writes it; empty: as `name`."""
    description: str = ""
    """The first sentence of the text that names it; kept when the entity is new."""


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact of the text at hand, its entities resolved and its dates read."""

    source: EntityRef
    relation: str
    relation_key: str
    target: EntityRef
    target_is_value: bool = False
    description: str = ""
    quote: str = ""
    quote_start: int | None = None
    quote_end: int | None = None
    """Characters of the artifact's text; None: it has no passage of its own."""
    is_exclusive: bool = False
    """True: at one time the source has one target in this relation."""
    negated: bool = False
    period: Period = UNDATED
    basis: Literal["stated", "inferred"] = "stated"
    """Whether the text gives the dates, or words that were read by the source's date."""
    time_words: str = ""
    """The words about time as they stand in the text."""
    actor: Actor = "model"


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A stored fact of the dataset which a new one may touch."""

    id: int
    key: str
    """Its `fact_key`."""
    source: EntityRef
    relation: str
    relation_key: str
    target: EntityRef
    target_is_value: bool = False
    description: str = ""
    is_exclusive: bool = False
    negated: bool = False
    period: Period = UNDATED
    status: FactStatus = "active"
    superseded_by: int | None = None
    seen: Stated | None = None
    """The earliest time of its created and confirmed events of the basis `reference` or `recorded`:
    by then it had begun."""
    last_seen: Stated | None = None
    """The latest time of those of the basis `reference`: then a source still stated it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the facts at hand are from: the same for every row that a remember run writes."""

    reference: Stated
    """The source's date; for want of one the day of recording, and the basis says so."""
    reference_basis: Literal["reference", "recorded"]
    recorded_at: str
    artifact_id: int | None = None
    session_id: str = ""
    remember_run_id: int | None = None


@dataclass(frozen=True, slots=True)
class Create:
    """Store a fact: an edge, its support with role `created`, and its `changes`."""

    key: str
    fact: NewFact


@dataclass(frozen=True, slots=True)
class Confirm:
    """A stored fact is stated again: support with role `restated`; its status stays."""

    key: str
    fact: NewFact


@dataclass(frozen=True, slots=True)
class End:
    """A stored fact ended."""

    key: str
    at: Stated
    basis: TimeBasis
    actor: Actor
    cause: str | None = None
    """Key of the fact that says so, when it is another one."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Supersede:
    """A fact gave way to a newer one of the same source and relation."""

    key: str
    by: str
    """Key of the newer fact."""
    at: Stated
    basis: TimeBasis
    actor: Actor
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Invalidate:
    """A stored fact was never true."""

    key: str
    at: Stated
    basis: TimeBasis
    actor: Actor
    cause: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two facts that nobody could tell apart by dates: both keep their status
    (`gb_edge_conflicts`)."""

    key: str
    other: str
    why: str


Decision: TypeAlias = Create | Confirm | End | Supersede | Invalidate | Conflict
"""In the order in which they are to be applied: a fact is created before it is a cause."""


@dataclass(frozen=True, slots=True)
class Findings:
    """All that one text comes to. Every end of a fact is among the entities."""

    entities: tuple[FoundEntity, ...] = ()
    decisions: tuple[Decision, ...] = ()
    dropped: int = 0
    """Items of the model's answers that could not be kept."""


@dataclass(frozen=True, slots=True)
class FactChange:
    """One event to be written; with an `Origin` it is a whole row of `gb_edge_events`."""

    key: str
    kind: EventKind
    at: Stated
    basis: TimeBasis
    actor: Actor
    cause: str | None = None
    """Key of the fact that caused it."""
    reason: str = ""


def changes(decision: Decision, origin: Origin) -> tuple[FactChange, ...]:
    """The events of a decision, in their order. None for a conflict."""
    match decision:
        case Create(key, fact):
            return (_created(key, fact, origin), *_its_end(key, fact))
        case Confirm(key, fact):
            return _confirmed(key, fact, origin)
        case End(key, at, basis, actor, cause, reason):
            return (FactChange(key, "ended", at, basis, actor, cause, reason),)
        case Supersede(key, by, at, basis, actor, reason):
            return (FactChange(key, "superseded", at, basis, actor, by, reason),)
        case Invalidate(key, at, basis, actor, cause, reason):
            return (FactChange(key, "invalidated", at, basis, actor, cause, reason),)
        case Conflict():
            return ()
    assert_never(decision)


def _created(key: str, fact: NewFact, origin: Origin) -> FactChange:
    start = fact.period.start
    if start is None:
        return FactChange(key, "created", origin.reference, origin.reference_basis, fact.actor)
    return FactChange(key, "created", start, fact.basis, fact.actor)


def _its_end(key: str, fact: NewFact) -> tuple[FactChange, ...]:
    end = fact.period.end
    return () if end is None else (FactChange(key, "ended", end, fact.basis, fact.actor),)


def _confirmed(key: str, fact: NewFact, origin: Origin) -> tuple[FactChange, ...]:
    """By the source's date; and the start once more, when the source states it: it then stays
    known after the first source was forgotten."""
    by = FactChange(key, "confirmed", origin.reference, origin.reference_basis, fact.actor)
    start = fact.period.start
    if start is None:
        return (by,)
    return (by, FactChange(key, "confirmed", start, fact.basis, fact.actor, reason="its start"))
