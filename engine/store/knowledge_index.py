"""What retrieval reads of the knowledge base: postings, spans, links, names, and rows by id.

Ids grow, so each read takes the last one that is known and gives what came after it. It must never
order or compare people's text in SQL: databases differ in that.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, cast

from engine.domain.facts import Actor, FactStatus, Period, Span, Stated
from engine.domain.knowledge import FactInfo, PassageInfo
from engine.store.columns import maybe_text, maybe_whole, text, whole
from engine.store.database import Reader, Row, Value

TermKind = Literal["sentence", "fact", "entity"]
_MOST_VALUES = 500
"""Of one statement: every database takes so many."""


class Newest(NamedTuple):
    """The last ids of what is searched in a dataset; `event` is that of all datasets."""

    fact: int = 0
    sentence: int = 0
    event: int = 0


NOTHING_YET = Newest()


class FoundFact(NamedTuple):
    """A fact as it stands, and its dates as intervals."""

    info: FactInfo
    period: Period


class After(NamedTuple):
    """Rows of one kind in a dataset whose `ref_id` is greater."""

    dataset_id: int
    kind: TermKind
    ref_id: int


async def newest(reader: Reader, dataset_id: int) -> Newest:
    rows = await reader.rows(
        "SELECT 'fact' AS kind, MAX(ref_id) AS id FROM gb_term_lengths"
        " WHERE dataset_id=? AND kind='fact'"
        " UNION ALL SELECT 'sentence', MAX(id) FROM gb_artifact_parts"
        " UNION ALL SELECT 'event', MAX(id) FROM gb_edge_events",
        (dataset_id,),
    )
    ids = {str(row["kind"]): int(row["id"] or 0) for row in rows}
    return Newest(ids["fact"], ids["sentence"], ids["event"])


async def terms(reader: Reader, after: After) -> list[Row]:
    """Rows `term, ref_id, tf`, in no order."""
    return await reader.rows(
        "SELECT term, ref_id, tf FROM gb_terms WHERE dataset_id=? AND kind=? AND ref_id>?", after
    )


async def lengths(reader: Reader, after: After) -> list[Row]:
    """Rows `ref_id, terms`, in no order."""
    return await reader.rows(
        "SELECT ref_id, terms FROM gb_term_lengths WHERE dataset_id=? AND kind=? AND ref_id>?",
        after,
    )


async def sentence_spans(reader: Reader, dataset_id: int, after: int) -> list[Row]:
    """Rows `id, artifact_id, start_ch, end_ch`, in no order."""
    return await reader.rows(
        "SELECT id, artifact_id, start_ch, end_ch FROM gb_artifact_parts"
        " WHERE id>? AND dataset_id=? AND kind='sentence'",
        (after, dataset_id),
    )


async def fact_ends(reader: Reader, dataset_id: int, after: int) -> list[Row]:
    """Rows `id, source_id, target_id`; an entity that was merged stands as the one it is now."""
    return await reader.rows(
        "SELECT e.id, COALESCE(s.merged_into, s.id) AS source_id,"
        " COALESCE(t.merged_into, t.id) AS target_id FROM gb_edges e"
        " JOIN gb_entities s ON s.id=e.source_id JOIN gb_entities t ON t.id=e.target_id"
        " WHERE e.id>? AND e.dataset_id=?",
        (after, dataset_id),
    )


async def supports(reader: Reader, dataset_id: int, after_event: int) -> list[Row]:
    """Rows `edge_id, artifact_id, quote_start`: the texts that have a fact, by the events that
    say so."""
    return await reader.rows(
        "SELECT v.edge_id, v.artifact_id, COALESCE(s.quote_start, 0) AS quote_start"
        " FROM gb_edge_events v JOIN gb_edge_sessions s"
        " ON s.edge_id=v.edge_id AND s.artifact_id=v.artifact_id"
        " WHERE v.id>? AND v.dataset_id=? AND v.kind IN('created','confirmed')",
        (after_event, dataset_id),
    )


async def dataset_id(reader: Reader, user: str, name: str) -> int | None:
    """The user's dataset of this name, if it holds any text."""
    row = await reader.row(
        "SELECT d.id FROM gb_datasets d WHERE d.user_id=? AND d.name=?"
        " AND EXISTS(SELECT 1 FROM gb_artifacts a WHERE a.dataset_id=d.id)",
        (user, name),
    )
    return None if row is None else whole(row, "id")


async def entities_named(reader: Reader, dataset: int, keys: Sequence[str]) -> list[int]:
    """The things that have one of these keys as a name or an alias; merged ones as they are now."""
    found: set[int] = set()
    for some in _in_parts(keys):
        marks = ", ".join("?" * len(some))
        rows = await reader.rows(
            "SELECT COALESCE(n.merged_into, n.id) AS id FROM gb_entities n"
            f" WHERE n.dataset_id=? AND n.name_key IN ({marks})"
            " UNION SELECT COALESCE(n.merged_into, n.id) FROM gb_entity_aliases a"
            " JOIN gb_entities n ON n.id=a.entity_id"
            f" WHERE a.dataset_id=? AND a.alias_key IN ({marks})",
            (dataset, *some, dataset, *some),
        )
        found.update(whole(row, "id") for row in rows)
    return sorted(found)


async def facts(reader: Reader, ids: Sequence[int]) -> dict[int, FoundFact]:
    """By id; those that were forgotten are left out."""
    found: dict[int, FoundFact] = {}
    for some in _in_parts(ids):
        rows = await reader.rows(f"{_FACTS} WHERE e.id IN ({', '.join('?' * len(some))})", some)
        found.update({whole(row, "id"): _fact(row) for row in rows})
    return found


async def sentences(reader: Reader, ids: Sequence[int]) -> dict[int, PassageInfo]:
    """By the id of the sentence; those that were forgotten are left out."""
    found: dict[int, PassageInfo] = {}
    for some in _in_parts(ids):
        rows = await reader.rows(f"{_SENTENCES} WHERE p.id IN ({', '.join('?' * len(some))})", some)
        found.update({whole(row, "id"): _sentence(row) for row in rows})
    return found


async def excerpts(reader: Reader, places: Sequence[tuple[int, int]], most: int) -> list[str]:
    """`most` characters of each text from a place on; of one that was forgotten nothing."""
    found = []
    for artifact, start in places:
        row = await reader.row(
            "SELECT SUBSTR(text, ?, ?) AS excerpt FROM gb_artifacts WHERE id=?",
            (start + 1, most, artifact),
        )
        found.append("" if row is None else text(row, "excerpt"))
    return found


_FACTS = (
    "SELECT e.*, t.is_value, COALESCE(s.merged_into, s.id) AS subject_id,"
    " COALESCE(t.merged_into, t.id) AS object_id, COALESCE(sm.name, s.name) AS subject,"
    " COALESCE(tm.name, t.name) AS object, d.name AS dataset,"
    " (SELECT v.actor FROM gb_edge_events v WHERE v.edge_id=e.id ORDER BY v.id LIMIT 1) AS actor"
    " FROM gb_edges e JOIN gb_datasets d ON d.id=e.dataset_id"
    " JOIN gb_entities s ON s.id=e.source_id LEFT JOIN gb_entities sm ON sm.id=s.merged_into"
    " JOIN gb_entities t ON t.id=e.target_id LEFT JOIN gb_entities tm ON tm.id=t.merged_into"
)
_SENTENCES = (
    "SELECT p.id, p.artifact_id, p.start_ch, p.end_ch, a.source, a.title,"
    " SUBSTR(a.text, p.start_ch + 1, p.end_ch - p.start_ch) AS words"
    " FROM gb_artifact_parts p JOIN gb_artifacts a ON a.id=p.artifact_id"
)


def _fact(row: Row) -> FoundFact:
    start = _stated(row, "valid_from", "vf")
    end = _stated(row, "valid_to", "vt")
    info = FactInfo(
        id=whole(row, "id"),
        source=text(row, "subject"),
        relation=text(row, "relation"),
        target=text(row, "object"),
        description=text(row, "description"),
        dataset=text(row, "dataset"),
        status=cast("FactStatus", text(row, "status")),
        valid_from=maybe_text(row, "valid_from"),
        valid_to=maybe_text(row, "valid_to"),
        negated=bool(whole(row, "negated")),
        superseded_by=maybe_whole(row, "superseded_by"),
        support=whole(row, "support"),
        source_id=whole(row, "subject_id"),
        target_id=whole(row, "object_id"),
        target_is_value=bool(whole(row, "is_value")),
        actor=cast("Actor", maybe_text(row, "actor") or "model"),
    )
    return FoundFact(info, Period(start, end))


def _stated(row: Row, column: str, bounds: str) -> Stated | None:
    written = maybe_text(row, column)
    if written is None:
        return None
    return Stated(written, Span(whole(row, f"{bounds}_lo"), whole(row, f"{bounds}_hi")))


def _sentence(row: Row) -> PassageInfo:
    return PassageInfo(
        artifact_id=whole(row, "artifact_id"),
        source=text(row, "source") or text(row, "title"),
        text=text(row, "words"),
        start=whole(row, "start_ch"),
        end=whole(row, "end_ch"),
    )


def _in_parts(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    for at in range(0, len(values), _MOST_VALUES):
        yield values[at : at + _MOST_VALUES]


async def dataset_ids(reader: Reader) -> list[int]:
    """Every dataset, the oldest first."""
    return [whole(row, "id") for row in await reader.rows("SELECT id FROM gb_datasets ORDER BY id")]
