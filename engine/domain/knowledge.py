"""What surfaces give to the knowledge base and get from it. Pure values; nothing is checked here.

Dates of facts are texts as they were stated (`2024`, `2024-03`, `2024-03-15`, `2024-Q1`), never
filled up; system times are as they are stored (`clock.timestamp`). Sources: seeds 000 and 001,
spec E.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.domain.facts import Actor, EventKind, FactStatus, TimeBasis
from engine.domain.run import RunId

DEFAULT_DATASET = "main"
REMEMBER_MOST_CHARS = 200_000
"""Of one text given to the knowledge base; the tool of an agent takes fewer."""
TOOL_MOST_CHARS = 20_000
SESSION_PREFIX = "research-"

RememberStatus = Literal["queued", "running", "completed", "failed", "stored_only"]
RememberKind = Literal["knowledge", "chat", "report", "import", "quoted"]
"""`quoted` are words that the offline model quotes: no language model reads them, unless a person
asks for it."""
Certainty = Literal["", "certain", "possible"]
Role = Literal["created", "restated"]
ArtifactKind: TypeAlias = str
"""`text`, `chunk`, `web_search`, `report`."""


def session_of(run_id: RunId) -> str:
    """Under what everything an agent remembers and asks is kept (seed 001)."""
    return f"{SESSION_PREFIX}{run_id}"


@dataclass(frozen=True, slots=True)
class RememberRequest:
    """A text to be remembered. `date` is when its facts hold or were reported; empty: not known."""

    user: str
    text: str
    source: str = ""
    dataset: str = DEFAULT_DATASET
    date: str = ""
    kind: RememberKind = "knowledge"
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class RememberRun:
    """One text on its way into the knowledge base. Counts are of the text: new ones and others."""

    id: int
    user_id: str
    dataset: str
    kind: RememberKind
    session_id: str
    status: RememberStatus
    artifact_id: int
    source: str
    chars: int
    title: str = ""
    """What a person knows the text by: its source, else its first words."""
    phase: str = ""
    attempt: int = 0
    artifacts: int = 0
    entities: int = 0
    entities_new: int = 0
    facts: int = 0
    facts_new: int = 0
    ended: int = 0
    superseded: int = 0
    invalidated: int = 0
    dropped: int = 0
    """Items of the model's answers that could not be kept."""
    notes: tuple[str, ...] = ()
    """What was wrong with the model's answers, in words."""
    cost_usd: float = 0.0
    error: str = ""
    queued_at: str = ""
    started_at: str | None = None
    finished_at: str | None = None
    next_attempt_at: str = ""


@dataclass(frozen=True, slots=True)
class FactInfo:
    """One fact, as it stands. `target` may be a value, such as `450 Wh/kg`."""

    id: int
    source: str
    relation: str
    target: str
    description: str
    dataset: str
    status: FactStatus = "active"
    valid_from: str | None = None
    valid_to: str | None = None
    negated: bool = False
    superseded_by: int | None = None
    support: int = 1
    """In how many texts it is."""
    source_id: int = 0
    target_id: int = 0
    target_is_value: bool = False
    actor: Actor = "model"
    """Who found it first."""
    certainty: Certainty = ""
    """Whether it held at the time that was asked about; empty when none was."""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class PassageInfo:
    """A sentence of a remembered text; `start` and `end` count characters of the text."""

    artifact_id: int
    source: str
    text: str
    score: float = 0.0
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A question. `as_of` is a stated date or a window in words; empty: what the question says."""

    user: str
    question: str
    dataset: str = DEFAULT_DATASET
    as_of: str = ""
    session_id: str = ""
    top: int = 10


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """`facts` are those the answer is based on: checked by code. Without a model there is no
    answer: then they are the nearest ones."""

    id: int
    answer: str
    empty: bool
    """The dataset does not exist or holds nothing."""
    facts: tuple[FactInfo, ...] = ()
    also: tuple[FactInfo, ...] = ()
    """Found and not used."""
    passages: tuple[PassageInfo, ...] = ()
    is_grounded: bool = False
    """The answer cites stored facts."""
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class EntityInfo:
    """A person, place, organisation, thing or value that facts speak of."""

    id: int
    name: str
    type: str
    description: str
    datasets: tuple[str, ...]
    run_ids: tuple[RunId, ...] = ()
    facts: int = 0
    created: bool = True
    """In the provenance of a run: a text of the run brought it; else it was there before."""


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts are wanted; empty and None: any. `about` is a name, `as_of` and `known_at` are
    stated dates (`known_at` may be a system time). `cursor` is that of a page before."""

    user: str | None = None
    dataset: str = ""
    about: str = ""
    relation: str = ""
    text: str = ""
    as_of: str = ""
    known_at: str = ""
    statuses: tuple[FactStatus, ...] = ()
    """Any of these, as the facts stand at `known_at`."""
    run_id: RunId | None = None
    limit: int = 50
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class FactsPage:
    facts: tuple[FactInfo, ...]
    next_cursor: str = ""


@dataclass(frozen=True, slots=True)
class FactEventInfo:
    """Something that happened to a fact: when, by what text, and why."""

    id: int
    kind: EventKind
    at: str | None
    """As stated; None when it is not known."""
    lo: int | None
    hi: int | None
    """Seconds since 1970: when it was, `[lo, hi)`."""
    basis: TimeBasis
    recorded_at: str
    actor: Actor
    dataset: str
    artifact_id: int | None = None
    session_id: str = ""
    run_id: RunId | None = None
    cause_fact_id: int | None = None
    """The fact that superseded it."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """A text that has a fact, with the words it has it in; empty ones when it cannot be shown."""

    artifact_id: int
    source: str
    session_id: str
    run_id: RunId | None
    role: Role
    recorded_at: str
    before: str = ""
    quote: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class FactHistory:
    fact: FactInfo
    events: tuple[FactEventInfo, ...]
    """The oldest first, as they were recorded."""
    supports: tuple[Support, ...]
    conflicts: tuple[FactInfo, ...] = ()
    """Facts that may contradict it, told apart by nobody yet."""


@dataclass(frozen=True, slots=True)
class EntityPage:
    entity: EntityInfo
    aliases: tuple[str, ...]
    facts: tuple[FactInfo, ...]
    """As subject or as object, the active ones first."""
    also_in: tuple[str, ...] = ()
    """Other datasets of the user that have an entity of this name."""


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    id: int
    name: str
    user_id: str
    artifacts: int = 0
    entities: int = 0
    facts: int = 0
    queued: int = 0
    """Texts that wait or are being worked on."""
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A dataset whose facts were worked out anew from their events; `mended` of them had stood
    otherwise, which is 0 unless the file was changed by hand or the program is at fault."""

    dataset: str
    facts: int
    mended: int


@dataclass(frozen=True, slots=True)
class ArtifactInfo:
    """A remembered text, or a part of one."""

    id: int
    kind: ArtifactKind
    title: str
    source: str
    chars: int
    created_at: str
    dataset: str
    parent_id: int | None = None
    run_id: RunId | None = None
    date: str = ""


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """One text by its number, or every text of a source. `is_trial`: only say what would go."""

    user: str | None
    artifact_id: int | None = None
    source: str = ""
    is_trial: bool = False


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What went, or would go: texts, facts that nothing supports any more, facts that stand
    otherwise now, entities, and answers that rested on them."""

    artifacts: tuple[ArtifactInfo, ...]
    facts_gone: int = 0
    facts_changed: int = 0
    entities_gone: int = 0
    answers_emptied: int = 0


@dataclass(frozen=True, slots=True)
class GivenFact:
    """A fact that a person or a program states; `start` and `end` are stated dates."""

    source: str
    relation: str
    target: str
    description: str = ""
    start: str = ""
    end: str = ""
    exclusive: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """Facts with the passage that they are in; they go by the same rules as extracted ones."""

    user: str
    text: str
    facts: tuple[GivenFact, ...]
    source: str = ""
    date: str = ""
    dataset: str = DEFAULT_DATASET


@dataclass(frozen=True, slots=True)
class RememberFilter:
    """Which texts of the queue are wanted, the latest first; empty and None: any."""

    user: str | None = None
    dataset: str = ""
    status: RememberStatus | None = None
    run_id: RunId | None = None
    """Those that this run remembered."""
    limit: int = 50
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class RememberPage:
    runs: tuple[RememberRun, ...]
    next_cursor: str = ""


@dataclass(frozen=True, slots=True)
class EntityFilter:
    """Which entities are wanted, by name; `text` is any part of a name or an alias."""

    user: str | None = None
    dataset: str = ""
    text: str = ""
    limit: int = 50
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class EntitiesPage:
    entities: tuple[EntityInfo, ...]
    next_cursor: str = ""
