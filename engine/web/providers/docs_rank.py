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
"""What hits of other folders count when the query names one."""
FOLDER_NAME_WEIGHT = 0.25
_PASSAGES_KEPT = 60
_SUM_SHARE = 0.15
_BY_PAGES = "application/pdf"
_SECTION_MOST_CHARS = 8_000
"""A section's own anchor is given unless the sentence lies further behind it than this."""


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
    """Stem -> weight, without stop words: no index has those."""
    of_names = {stem(word) for name in named for word in words(name)}
    told = [stem(word) for word in asked if word not in STOPWORDS]
    return {term: FOLDER_NAME_WEIGHT if term in of_names else 1.0 for term in told}


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
    best = _best(told, query, index=stored.index)
    return Hit(
        address(
            scored.folder.name,
            scored.page.path,
            _anchor(scored.page, start + best.start, section),
        ),
        scored.page.title,
        _snippet(_heading(text[section:start]), told[best.start : best.end]),
    )


def _best(told: str, query: Mapping[str, float], *, index: Index) -> Sentence:
    """The sentence that says most of what was asked, with the next one while there is room."""
    found = sentences(told) or [Sentence(0, len(told))]
    best = max(range(len(found)), key=lambda at: (_worth(told, found[at], query, index), -at))
    start, end = found[best].start, found[best].end
    if best + 1 < len(found) and found[best + 1].end - start < SNIPPET_MOST_CHARS // 2:
        end = found[best + 1].end
    return Sentence(start, end)


def _worth(told: str, sentence: Sentence, query: Mapping[str, float], index: Index) -> float:
    said = set(terms(told[sentence.start : sentence.end]))
    return sum(weight * index.idf(term) for term, weight in query.items() if term in said)


def _anchor(page: StoredPage, place: int, section: int) -> str:
    """The last anchor before the section; before the sentence in a long section, and in a PDF."""
    is_near = place - section <= _SECTION_MOST_CHARS and page.media_type != _BY_PAGES
    ordered = sorted((at, name) for name, at in page.anchors.items())
    before = bisect_right(ordered, (section if is_near else place, "\U0010ffff")) - 1
    return ordered[before][1] if before >= 0 and ordered[before][0] > 0 else ""


def _heading(section: str) -> str:
    first = section.partition("\n")[0]
    return first.lstrip("#").strip() if first.startswith("#") else ""


def _snippet(heading: str, said: str) -> str:
    return one_line(f"{heading}: {said}" if heading else said, SNIPPET_MOST_CHARS)
