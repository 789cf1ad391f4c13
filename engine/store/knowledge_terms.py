"""Postings of what is stored, for a BM25 that ranks the same on every database.

Terms come from `retrieval.tokens` alone: whatever asks must use the same.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, TypeVar

from engine.retrieval.tokens import terms
from engine.store.database import Transaction, Value

Some = TypeVar("Some")
TermKind = Literal["sentence", "fact", "entity"]

IDS_AT_ONCE = 400
"""Values of one statement: well below what every database takes."""
_ROWS_AT_ONCE = 100


def index(
    tx: Transaction, dataset_id: int, kind: TermKind, texts: Iterable[tuple[int, str]]
) -> None:
    """The postings of new things, each with its id and its text."""
    postings: list[tuple[Value, ...]] = []
    lengths: list[tuple[Value, ...]] = []
    for ref_id, text in texts:
        found = terms(text)
        lengths.append((dataset_id, kind, ref_id, len(found)))
        postings += [
            (dataset_id, term, kind, ref_id, count) for term, count in Counter(found).items()
        ]
    _insert(tx, "gb_terms(dataset_id, term, kind, ref_id, tf)", postings)
    _insert(tx, "gb_term_lengths(dataset_id, kind, ref_id, terms)", lengths)


def reindex(
    tx: Transaction, dataset_id: int, kind: TermKind, texts: Sequence[tuple[int, str]]
) -> None:
    """As `index`, for things whose text is another one now; their vectors go too."""
    remove(tx, dataset_id, kind, [ref_id for ref_id, _ in texts])
    index(tx, dataset_id, kind, texts)


def remove(tx: Transaction, dataset_id: int, kind: TermKind, ref_ids: Sequence[int]) -> None:
    """Take away postings, lengths and vectors, whatever tokeniser has made them."""
    for some in in_groups(ref_ids):
        marks = placeholders(some)
        where = f"dataset_id = ? AND kind = ? AND ref_id IN ({marks})"
        for table in ("gb_terms", "gb_term_lengths", "gb_vectors"):
            tx.execute(f"DELETE FROM {table} WHERE {where}", (dataset_id, kind, *some))


def in_groups(values: Sequence[Some]) -> Iterable[Sequence[Some]]:
    """`values` in groups that fit into one statement."""
    return (values[at : at + IDS_AT_ONCE] for at in range(0, len(values), IDS_AT_ONCE))


def placeholders(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _insert(tx: Transaction, into: str, rows: Sequence[tuple[Value, ...]]) -> None:
    """A few statements instead of one a row: a long text has thousands."""
    for at in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[at : at + _ROWS_AT_ONCE]
        one = f"({placeholders(some[0])})"
        tx.execute(
            f"INSERT INTO {into} VALUES {', '.join([one] * len(some))}",
            [value for row in some for value in row],
        )
