"""Words that only a forgotten text had, and what else was written in them: questions, answers, and
what was noted about other texts while the forgotten one was known.

A word is what `retrieval.tokens` makes of a text; a text still has it when a sentence has it.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.retrieval.tokens import stem, terms, words
from engine.store import knowledge_queries
from engine.store.columns import maybe_text, whole
from engine.store.database import Transaction
from engine.store.knowledge_terms import in_groups, placeholders

_LEAST_CHARS = 3
"""Shorter Latin words stand inside of too many others."""


@dataclass(frozen=True, slots=True)
class Words:
    """`stems` as they were indexed, `written` as the text has them, case-folded."""

    stems: frozenset[str]
    written: frozenset[str]

    def are_in(self, text: str) -> bool:
        return any(term in self.stems for term in terms(text))


def only_in(tx: Transaction, dataset_id: int, text: str) -> Words:
    """The words of a text, whose sentences are gone, that no sentence of the dataset has now."""
    stems = {term for term in set(terms(text)) if not _is_posted(tx, dataset_id, term)}
    written = {word for word in set(words(text)) if stem(word) in stems and _is_long(word)}
    return Words(frozenset(stems), frozenset(written))


def is_grounded(tx: Transaction, dataset_id: int, name: str) -> bool:
    """Whether some sentence of the dataset has all words of a name. One without words always."""
    wanted = sorted(set(terms(name)), key=len, reverse=True)
    if not wanted:
        return True
    # By one word after the other, the longest first, which is likely in the fewest sentences.
    also = " AND EXISTS (SELECT 1 FROM gb_terms other WHERE other.dataset_id = first.dataset_id"
    also += " AND other.kind = first.kind AND other.term = ? AND other.ref_id = first.ref_id)"
    found = tx.row(
        "SELECT 1 AS found FROM gb_terms first WHERE first.dataset_id = ?"
        f" AND first.kind = 'sentence' AND first.term = ?{also * (len(wanted) - 1)} LIMIT 1",
        (dataset_id, *wanted),
    )
    return found is not None


def redact_runs(tx: Transaction, entity_ids: Iterable[int], forgotten: Words) -> None:
    """Take these words out of what was noted about other texts that name the same entities: they
    may have come in by names that were known then."""
    for some in in_groups(sorted(entity_ids)):
        rows = tx.rows(
            "SELECT DISTINCT run.id, run.extraction, run.reconciling"
            " FROM gb_entity_sessions support"
            " JOIN gb_remember_runs run ON run.artifact_id = support.artifact_id"
            f" WHERE support.entity_id IN ({placeholders(some)})",
            some,
        )
        for row in rows:
            noted = [maybe_text(row, "extraction"), maybe_text(row, "reconciling")]
            if any(each is not None and _is_written(each, forgotten) for each in noted):
                tx.execute(
                    "UPDATE gb_remember_runs SET extraction = NULL, reconciling = NULL"
                    " WHERE id = ?",
                    (whole(row, "id"),),
                )


def empty_answers(
    tx: Transaction, user: str, gone: Sequence[tuple[str, int]], forgotten: Words
) -> set[int]:
    """Empty what was answered from these facts and sentences, and the questions that have words of
    the forgotten text; the ids of those queries."""
    touched = knowledge_queries.empty_answers(tx, user, frozenset(gone))
    for query in touched:
        if forgotten.are_in(query.question):
            knowledge_queries.empty_question(tx, query.id)
    return {query.id for query in touched}


def _is_posted(tx: Transaction, dataset_id: int, term: str) -> bool:
    found = tx.row(
        "SELECT 1 AS found FROM gb_terms WHERE dataset_id = ? AND kind = 'sentence' AND term = ?"
        " LIMIT 1",
        (dataset_id, term),
    )
    return found is not None


def _is_long(word: str) -> bool:
    return len(word) >= _LEAST_CHARS or not word.isascii()


def _is_written(noted: str, forgotten: Words) -> bool:
    """Inside of other words, too: rather once too often, for it is only noted to save a call."""
    folded = unicodedata.normalize("NFKC", noted).casefold()
    return any(word in folded for word in forgotten.written)
