"""What runs brought into the knowledge base: by their sessions, in whichever dataset (seed 001).

An item that several sessions or datasets have is one item, which names them all.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from engine.domain.knowledge import SESSION_PREFIX, ArtifactInfo, EntityInfo, session_of
from engine.domain.provenance import KnowledgeSession, Provenance, ProvenanceFact
from engine.domain.run import RunId
from engine.store import knowledge_runs
from engine.store.columns import maybe_text, maybe_whole, text, whole
from engine.store.database import Reader, Row
from engine.store.knowledge_facts import FACT_COLUMNS, FACT_TABLES, fact_of
from engine.store.knowledge_terms import in_groups, placeholders

Item = TypeVar("Item")
Key: TypeAlias = tuple[str, str]


async def sessions(
    reader: Reader, run_id: RunId, *, include_subagents: bool
) -> tuple[KnowledgeSession, ...]:
    """The run, and with `include_subagents` every run below it; empty when there is no such run."""
    rows = await reader.rows(_TREE if include_subagents else _ALONE, (run_id,))
    return tuple(
        KnowledgeSession(
            session_id=session_of(RunId(whole(row, "id"))),
            run_id=RunId(whole(row, "id")),
            name=text(row, "name"),
            topic=text(row, "topic"),
        )
        for row in rows
    )


async def provenance(reader: Reader, run_id: RunId, of: Sequence[KnowledgeSession]) -> Provenance:
    """Everything that these sessions brought, found again included."""
    runs = {each.session_id: each.run_id for each in of}
    artifact_rows = await _of_sessions(reader, _ARTIFACTS, runs)
    entities = await _of_sessions(reader, _ENTITIES, runs)
    edges = await _of_sessions(reader, _EDGES, runs)
    ids = sorted({whole(row, "dataset_id") for row in (*artifact_rows, *entities, *edges)})
    return Provenance(
        run_id=run_id,
        sessions=tuple(of),
        datasets=await knowledge_runs.datasets(reader, None, ids=ids),
        artifacts=tuple(artifact_of(row) for row in artifact_rows),
        entities=_merged(entities, _entity_key, lambda rows: _entity(rows, runs)),
        edges=_merged(edges, _fact_key, lambda rows: _fact(rows, runs)),
    )


async def artifacts(reader: Reader, of: Sequence[KnowledgeSession]) -> tuple[ArtifactInfo, ...]:
    """The texts of these sessions, without their chunks."""
    runs = {each.session_id: each.run_id for each in of}
    rows = await _of_sessions(reader, _OF_SESSIONS, runs)
    return tuple(artifact_of(row) for row in rows)


async def artifacts_by_ids(reader: Reader, ids: Sequence[int]) -> tuple[ArtifactInfo, ...]:
    rows = [
        row
        for some in in_groups(ids)
        for row in await reader.rows(
            f"{TEXTS} WHERE artifact.id IN ({placeholders(some)}) ORDER BY artifact.id", some
        )
    ]
    return tuple(artifact_of(row) for row in rows)


def artifact_of(row: Row) -> ArtifactInfo:
    """A text, or a chunk of one with the text as `parent_id`."""
    return ArtifactInfo(
        id=whole(row, "id"),
        kind=text(row, "kind"),
        title=text(row, "title") or text(row, "source"),
        source=text(row, "source"),
        chars=whole(row, "chars"),
        created_at=text(row, "created_at"),
        dataset=text(row, "dataset"),
        parent_id=maybe_whole(row, "parent_id"),
        run_id=run_id_of(text(row, "session_id")),
        date=maybe_text(row, "ref_time") or "",
    )


def run_id_of(session_id: str) -> RunId | None:
    """The run that a session is of; None for one that is of none."""
    number = session_id.removeprefix(SESSION_PREFIX)
    is_run = number != session_id and number.isascii() and number.isdigit()
    return RunId(int(number)) if is_run else None


_ALONE = "SELECT id, name, topic FROM gb_agent_research_runs WHERE id = ?"
_TREE = (
    "WITH RECURSIVE tree(id) AS (SELECT id FROM gb_agent_research_runs WHERE id = ?"
    " UNION SELECT child.id FROM gb_agent_research_runs child"
    " JOIN tree ON child.parent_id = tree.id)"
    " SELECT run.id, run.name, run.topic FROM gb_agent_research_runs run"
    " JOIN tree ON tree.id = run.id ORDER BY run.id"
)
_SHOWN = (
    "artifact.title, artifact.source, artifact.created_at, artifact.session_id,"
    " artifact.ref_time, artifact.dataset_id, dataset.name AS dataset"
)
TEXTS = (
    f"SELECT artifact.id, artifact.kind, artifact.chars, NULL AS parent_id, {_SHOWN}"
    " FROM gb_artifacts artifact JOIN gb_datasets dataset ON dataset.id = artifact.dataset_id"
)
_OF_SESSIONS = TEXTS + " WHERE artifact.session_id IN ({}) ORDER BY artifact.id"
_ARTIFACTS = (
    f"SELECT * FROM ({TEXTS} WHERE artifact.session_id IN ({{}})"
    " UNION ALL SELECT part.id, part.kind, part.end_ch - part.start_ch, artifact.id,"
    f" {_SHOWN} FROM gb_artifacts artifact"
    " JOIN gb_datasets dataset ON dataset.id = artifact.dataset_id"
    " JOIN gb_artifact_parts part ON part.artifact_id = artifact.id AND part.kind = 'chunk'"
    " WHERE artifact.session_id IN ({})) item"
    " ORDER BY COALESCE(parent_id, id), CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END, id"
)
_ENTITIES = (
    "SELECT support.session_id, support.role, entity.id, entity.name, entity.type,"
    " entity.description, entity.name_key, entity.disambig, entity.dataset_id,"
    " dataset.name AS dataset,"
    " (SELECT COUNT(*) FROM gb_edges edge WHERE edge.source_id = entity.id"
    " OR edge.target_id = entity.id) AS facts"
    " FROM gb_entity_sessions support JOIN gb_entities entity ON entity.id = support.entity_id"
    " JOIN gb_datasets dataset ON dataset.id = entity.dataset_id"
    " WHERE support.session_id IN ({}) AND entity.is_value = 0 ORDER BY entity.id"
)
_EDGES = (
    f"SELECT support.session_id, support.role, {FACT_COLUMNS} FROM gb_edge_sessions support"
    f" JOIN {FACT_TABLES.replace('gb_edges edge', 'gb_edges edge ON edge.id = support.edge_id', 1)}"
    " WHERE support.session_id IN ({}) ORDER BY edge.id"
)


async def _of_sessions(reader: Reader, query: str, runs: Mapping[str, RunId]) -> list[Row]:
    """The rows of any number of sessions; `{}` stands for their ids, as often as it is there."""
    times = query.count("{}")
    return [
        row
        for some in in_groups(sorted(runs))
        for row in await reader.rows(query.replace("{}", placeholders(some)), [*some] * times)
    ]


def _merged(
    rows: Iterable[Row], key: Callable[[Row], Key], item: Callable[[list[Row]], Item]
) -> tuple[Item, ...]:
    """One item for the rows with the same key, in the order of the first of each."""
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return tuple(item(group) for group in groups.values())


def _entity_key(row: Row) -> Key:
    return text(row, "name_key"), text(row, "disambig")


def _fact_key(row: Row) -> Key:
    return text(row, "fact_key"), ""


def _entity(rows: Sequence[Row], runs: Mapping[str, RunId]) -> EntityInfo:
    first = rows[0]
    return EntityInfo(
        id=whole(first, "id"),
        name=text(first, "name"),
        type=text(first, "type"),
        description=text(first, "description"),
        datasets=_datasets(rows),
        run_ids=_run_ids(rows, runs),
        facts=sum({whole(row, "id"): whole(row, "facts") for row in rows}.values()),
        created=_is_created(rows),
    )


def _fact(rows: Sequence[Row], runs: Mapping[str, RunId]) -> ProvenanceFact:
    return ProvenanceFact(
        fact=fact_of(rows[0]),
        created=_is_created(rows),
        datasets=_datasets(rows),
        run_ids=_run_ids(rows, runs),
    )


def _datasets(rows: Iterable[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text(row, "dataset") for row in rows))


def _run_ids(rows: Iterable[Row], runs: Mapping[str, RunId]) -> tuple[RunId, ...]:
    return tuple(sorted({runs[text(row, "session_id")] for row in rows}))


def _is_created(rows: Iterable[Row]) -> bool:
    return any(text(row, "role") == "created" for row in rows)
