"""Ranks the pages of opened folders for one query: plain BM25F over passages, best pages first.

Needs numpy: import it only where a search is made. It must never rewrite a query: making good
queries is the business of whoever asks.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.domain.text_safety import one_line
from engine.retrieval.bm25 import Index
from engine.retrieval.sentences import Sentence, sentences
from engine.retrieval.tokens import STOPWORDS, stem, terms, words
from engine.web.providers.docs_address import address
from engine.web.providers.docs_folder import Folder
from engine.web.providers.docs_store import StoredPage
from engine.web.search import Hit

MOST_HITS = 10
SNIPPET_MOST_CHARS = 320
OTHER_FOLDERS_SHARE = 0.25
"""What hits of other folders count when the query names one (offline.md, 2.4)."""
FOLDER_NAME_WEIGHT = 0.25
_PASSAGES_KEPT = 60
_SUM_SHARE = 0.15
_SECTION_MOST_CHARS = 8_000
"""A section's own anchor is given unless the passage lies further behind it than this."""


class _Scored(NamedTuple):
    score: float
    folder: Folder
    page: StoredPage
    passage: int
    """The best passage of the page."""


def hits_for(text: str, folders: Sequence[Folder], *, most: int = MOST_HITS) -> tuple[Hit, ...]:
    """The best pages, each once, with the address of the section that fits best."""
    asked = words(text)
    named = {folder.name for folder in folders if _is_named(folder.name, asked)}
    query = _query(asked, named)
    pages = [
        scored
        for folder in folders
        for scored in _pages(folder, query, share=_share(folder.name, named))
    ]
    pages.sort(key=lambda scored: (-scored.score, scored.folder.name, scored.page.path))
    return tuple(_hit(scored, query) for scored in pages[: min(most, MOST_HITS)])


def _is_named(name: str, asked: Sequence[str]) -> bool:
    parts = words(name)
    return bool(parts) and set(parts) <= set(asked)


def _query(asked: Sequence[str], named: set[str]) -> dict[str, float]:
    """Stem -> weight. A query of stop words alone is asked as it is."""
    of_names = {stem(word) for name in named for word in words(name)}
    told = [word for word in asked if word not in STOPWORDS] or asked
    query = {stem(word): 1.0 for word in told}
    return {term: FOLDER_NAME_WEIGHT if term in of_names else 1.0 for term in query}


def _share(name: str, named: set[str]) -> float:
    return 1.0 if not named or name in named else OTHER_FOLDERS_SHARE


def _pages(folder: Folder, query: Mapping[str, float], *, share: float) -> Iterator[_Scored]:
    """Pages by their best passage and a little of all their others."""
    of_page: dict[int, list[tuple[float, int]]] = {}
    for passage, score in folder.stored.index.top(query, _PASSAGES_KEPT):
        page = int(folder.stored.passages.page[passage])
        of_page.setdefault(page, []).append((score, passage))
    for page, found in of_page.items():
        best, passage = found[0]
        score = share * (best + _SUM_SHARE * sum(other for other, _ in found))
        yield _Scored(score, folder, folder.stored.pages[page], passage)


def _hit(scored: _Scored, query: Mapping[str, float]) -> Hit:
    stored, passage = scored.folder.stored, scored.passage
    start = int(stored.passages.start[passage])
    section = int(stored.passages.section[passage])
    text = stored.text(scored.page)
    told = text[start : int(stored.passages.end[passage])]
    return Hit(
        address(scored.folder.name, scored.page.path, _anchor(scored.page, start, section)),
        scored.page.title,
        _snippet(_heading(text[section:start]), told, query, index=stored.index),
    )


def _anchor(page: StoredPage, start: int, section: int) -> str:
    """The last anchor before the section, or before the passage where the section is long."""
    before = section if start - section <= _SECTION_MOST_CHARS else start
    ordered = sorted((place, name) for name, place in page.anchors.items())
    at = bisect_right(ordered, (before, "\U0010ffff")) - 1
    return ordered[at][1] if at >= 0 and ordered[at][0] > 0 else ""


def _heading(section: str) -> str:
    first = section.partition("\n")[0]
    return first.lstrip("#").strip() if first.startswith("#") else ""


def _snippet(heading: str, told: str, query: Mapping[str, float], *, index: Index) -> str:
    """The sentence that says most of what was asked, the next one too while there is room."""
    found = sentences(told)
    if not found:
        return one_line(heading, SNIPPET_MOST_CHARS)
    best = max(range(len(found)), key=lambda at: (_worth(told, found[at], query, index), -at))
    end = found[best].end
    if best + 1 < len(found) and found[best + 1].end - found[best].start < SNIPPET_MOST_CHARS // 2:
        end = found[best + 1].end
    chosen = told[found[best].start : end]
    return one_line(f"{heading}: {chosen}" if heading else chosen, SNIPPET_MOST_CHARS)


def _worth(told: str, sentence: Sentence, query: Mapping[str, float], index: Index) -> float:
    said = set(terms(told[sentence.start : sentence.end]))
    return sum(weight * index.idf(term) for term, weight in query.items() if term in said)
