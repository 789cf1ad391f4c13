"""The small made-up world of `tests/data/knowledge`, read to values."""

from dataclasses import dataclass
from pathlib import Path

from engine.domain.decisions import NewFact
from tests.engine.knowledge.ledger import fact

FOLDER = Path(__file__).resolve().parents[2] / "data" / "knowledge"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its time, and what was answered by hand."""

    text: str
    source: str
    relation: str
    certain: frozenset[str]
    possible: frozenset[str]


def entities() -> list[tuple[str, str, tuple[str, ...]]]:
    """Name, type and other names."""
    return [(name, kind, _names(others)) for name, kind, others in _rows("entities.tsv")]


def facts() -> list[NewFact]:
    return [
        _fact(source, relation, told, one=how == "one")
        for source, relation, how, *objects in _rows("facts.tsv")
        for told in objects
    ]


def questions() -> list[Question]:
    return [
        Question(text, source, relation, frozenset(_names(certain)), frozenset(_names(possible)))
        for text, source, relation, certain, possible in _rows("questions.tsv")
    ]


def _rows(name: str) -> list[list[str]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines]


def _fact(source: str, relation: str, told: str, *, one: bool) -> NewFact:
    target, _, dates = told.partition("@")
    start, _, end = dates.partition("..")
    return fact(f"{source} | {relation} | {target}", start, end, one=one)


def _names(listed: str) -> tuple[str, ...]:
    return tuple(name for name in listed.split(" ; ") if name not in ("", "-"))
