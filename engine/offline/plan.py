"""Decides what to search and what to read next, from the question and what was seen so far.

    nothing searched    -> a few searches: the question, its parts and sides, hinting words
    nothing read        -> the best pages, at the section that matched
    read once           -> the rest of the best pages; searches for the settings and headings that
                           came up
    searched again      -> the new pages
    then                -> nothing: the report

Nothing is asked for twice. It ends after these rounds whatever comes back.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.offline.conversation import READERS, SEARCH, Hit, Seen, asking, hits_of
from engine.offline.cues import GENERIC_HEADINGS, SYNONYMS
from engine.offline.findings import judged
from engine.offline.library import Library, Page, hosts_of
from engine.offline.question import Part, Question, joined_words
from engine.offline.ranking import synonyms
from engine.retrieval.similarity import jaccard
from engine.retrieval.tokens import terms

MOST_QUERY_CHARS = 400
MOST_QUERIES = 6
MOST_FOLLOW_UPS = 6
FIRST_PAGES = 6
LATER_PAGES = 4
MOST_FRONTS = 4
MOST_RESTS = 2

_RANK_OFFSET = 10
_OTHERS_SHARE = 0.3
_OTHER_HOST_WEIGHT = 0.25
_INTRODUCTION_WEIGHT = 1.5
_TOP_PASSAGES = 6
_TOP_SENTENCES = 12
_MOST_IDENTIFIERS = 2
_MOST_HEADINGS = 1
_MOST_CHAPTERS = 1
_SAME_HEADING = 0.5
_ADDRESS = re.compile(r"(?:https?|docs)://[^\s<>\"')\]]+")
_INTRODUCTION = re.compile(r"(?:introduction|overview|about|basics)\b", re.IGNORECASE)
_TITLE_BREAK = re.compile(r"\s+[-–—|:]\s+")
_IDENTIFIER = re.compile(r"\b[A-Za-z]\w*_\w+\b")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call to ask for."""

    tool: str
    what: str
    """The query or the address."""
    start: int = 0
    """The character to begin at; 0 for searches and for pages from their start or anchor."""


def next_calls(question: Question, read: Library, seen: Seen, tools: frozenset[str]) -> list[Call]:
    """What to do next with these tools; nothing when it is time for the report."""
    reader = next((name for name in READERS if name in tools), "")
    calls = [call for call in _round(question, read, seen, tools) if call.what]
    named = [Call(call.tool or reader, call.what, call.start) for call in calls]
    asked = seen.asked
    fresh = [call for call in named if asking(call.tool, call.what, call.start) not in asked]
    return list(dict.fromkeys(call for call in fresh if call.tool in tools))


def _round(question: Question, read: Library, seen: Seen, tools: frozenset[str]) -> list[Call]:
    """The calls of this round; a page to read has no tool yet."""
    searching = [any(told.startswith(SEARCH) for told in turn) for turn in seen.turns]
    reading = [any(told.startswith(READERS) for told in turn) for turn in seen.turns]
    if SEARCH in tools and not any(searching):
        return _searches(_first_queries(question))
    if not any(reading):
        pages = [*_given(question), *_first_pages(question, seen)]
        again = _simpler_queries(question) if sum(searching) == 1 else []
        return pages or _searches(again)
    match len(reading) - reading.index(True) - 1:
        case 0:
            return [
                *_searches(_follow_ups(question, read, seen)),
                *_continued(question, read, seen),
            ]
        case 1:
            return _later_pages(question, read, seen)
        case _:
            return []


def _searches(queries: Iterable[str]) -> list[Call]:
    cut = [query[:MOST_QUERY_CHARS].strip() for query in queries]
    return [Call(SEARCH, query) for query in dict.fromkeys(cut)]


def _first_queries(question: Question) -> list[str]:
    """The topic as it is, its sides and parts, and its words with hints where answers stand."""
    found = [question.topic]
    if question.comparison is not None:
        between = question.comparison
        found += [f"{side} {between.aspect}" for side in (between.one, between.other)]
    if len(question.parts) > 1:
        found += [joined_words(part, question.surface) for part in question.parts]
    found += [joined_words(part, question.surface) for part in question.parts]
    found += [
        f"{joined_words(part, question.surface)} maximum limit"
        for part in question.parts
        if "limit" in part.kinds and not part.attributes
    ]
    found += [_without_proper_names(question), _alike(question)]
    return found[:MOST_QUERIES]


def _without_proper_names(question: Question) -> str:
    """Names of products are rare words: they can hide what is asked of them."""
    proper = [word for word in question.core if question.surface.get(word, "").istitle()]
    return joined_words(question.parts[0], question.surface, without=proper) if proper else ""


def _alike(question: Question) -> str:
    """The words of the question with others that mean nearly the same."""
    asked = {question.surface.get(word, word).lower() for word in question.core}
    groups = [group for group in SYNONYMS if group & asked]
    other = sorted(word for group in groups for word in group - asked)
    names = [question.surface.get(word, word) for word in question.core]
    return " ".join([*names, *other]) if other else ""


def _simpler_queries(question: Question) -> list[str]:
    """After nothing was found: the weighty words together, then each."""
    weighty = [
        question.surface.get(word, word) for word, value in question.core.items() if value == 1
    ]
    return [" ".join(weighty), *weighty][:MOST_QUERIES]


def _given(question: Question) -> list[Call]:
    """Addresses that stand in the topic itself."""
    return [Call("", found.rstrip(".,;:?!")) for found in _ADDRESS.findall(question.topic)]


def _first_pages(question: Question, seen: Seen) -> list[Call]:
    return _best_pages(question, list(hits_of(seen.searches)), FIRST_PAGES)


def _best_pages(question: Question, hits: Sequence[Hit], most: int) -> list[Call]:
    """Pages by the places that searches gave them, at the section that matched best."""
    named = {word for hit in hits for word in hosts_of(hit.url)} & set(question.core)
    worth: dict[str, list[float]] = {}
    best: dict[str, Hit] = {}
    for hit in hits:
        elsewhere = named and not hosts_of(hit.url) & named
        value = (_OTHER_HOST_WEIGHT if elsewhere else 1.0) / (_RANK_OFFSET + hit.rank)
        value *= _INTRODUCTION_WEIGHT if _INTRODUCTION.match(hit.title) else 1.0
        worth.setdefault(hit.address, []).append(value)
        best[hit.address] = min(best.get(hit.address, hit), hit, key=lambda one: one.rank)
    scores = {
        address: max(values) + _OTHERS_SHARE * (sum(values) - max(values))
        for address, values in worth.items()
    }
    ordered = sorted(scores, key=lambda address: -scores[address])
    return [Call("", best[address].url) for address in _in_turns(ordered, named)[:most]]


def _in_turns(ordered: Sequence[str], named: set[str]) -> list[str]:
    """When the question names several hosts, a page of each in turn."""
    if len(named) < 2:
        return list(ordered)
    of_host = [[one for one in ordered if name in hosts_of(one)] for name in sorted(named)]
    longest = max(len(pages) for pages in of_host)
    mixed = [pages[at] for at in range(longest) for pages in of_host if at < len(pages)]
    return list(dict.fromkeys([*mixed, *ordered]))


def _follow_ups(question: Question, read: Library, seen: Seen) -> list[str]:
    """Settings and headings that came up where the question was met best."""
    named = [word for word in question.core if word in read.hosts]
    found = [joined_words(part, question.surface, without=named) for part in question.parts]
    for part in question.parts:
        view = judged(read, part, frozenset())
        top = view.sentences[:_TOP_SENTENCES]
        texts = [read.pages[one.page].blocks[one.block].text for one in top]
        found += _identifiers(texts, part)[:_MOST_IDENTIFIERS]
        pages = [(read.pages[one.page], one.stretch.first) for one in view.ranking.best]
        found += _headings(pages[:_TOP_PASSAGES], part)[:_MOST_HEADINGS]
    found[1:1] = _chapters(seen, question)[:_MOST_CHAPTERS]
    return found[:MOST_FOLLOW_UPS]


def _identifiers(texts: Iterable[str], part: Part) -> list[str]:
    """Names with an underscore that hold a word of the question, the most frequent first."""
    counts: dict[str, int] = {}
    for text in texts:
        for name in _IDENTIFIER.findall(text):
            whole, *pieces = terms(name) or [""]
            held = any(part.core.get(piece, 0.0) == 1 for piece in pieces)
            if held and whole not in part.core:
                counts[name] = counts.get(name, 0) + 1
    return sorted(counts, key=lambda name: -counts[name])


def _chapters(seen: Seen, question: Question) -> list[str]:
    """What titles name behind a dash, when it is near to what was asked: the most frequent."""
    near = {*question.core, *synonyms(question.core)}
    counts: dict[str, float] = {}
    for hit in hits_of(seen.searches):
        for chapter in _TITLE_BREAK.split(hit.title)[1:]:
            hosts = hosts_of(hit.url)
            told = set(terms(chapter)) - hosts
            if told & near and told - set(question.core):
                named = [question.surface[host] for host in sorted(hosts & set(question.core))]
                query = " ".join([chapter, *named])
                counts[query] = counts.get(query, 0.0) + 1 / (_RANK_OFFSET + hit.rank)
    return sorted(counts, key=lambda chapter: -counts[chapter])


def _headings(places: Iterable[tuple[Page, int]], part: Part) -> list[str]:
    """Headings that say something else than the question does, with its words."""
    found: list[str] = []
    for page, number in places:
        heading = page.blocks[number].heading
        new = [term for term in terms(heading) if term not in part.core]
        told = any(jaccard(terms(heading), terms(other)) >= _SAME_HEADING for other in found)
        if new and not told and not set(heading.lower().split()) <= GENERIC_HEADINGS:
            found.append(heading)
    return found


def _continued(question: Question, read: Library, seen: Seen) -> list[Call]:
    """What is missing of the best pages: first their beginnings, where they say what they are
    about, then what follows the part that was read."""
    best = _best_read(question, read)
    fronts = [call for address in best[:MOST_FRONTS] for call in _front(seen, address)]
    rests = [call for address in best[:MOST_RESTS] for call in _rest(seen, address)]
    return [*fronts, *rests]


def _best_read(question: Question, read: Library) -> list[str]:
    """Addresses of the pages that were read: good in the searches and good in their passages."""
    places: dict[str, int] = {page.address: page.rank for page in read.pages}
    found: list[str] = []
    for part in question.parts:
        best = judged(read, part, frozenset()).ranking.best
        found += [read.pages[one.page].address for one in best]
    ordered = list(dict.fromkeys(found))
    return sorted(ordered, key=lambda address: ordered.index(address) + places[address])


def _front(seen: Seen, address: str) -> list[Call]:
    first = min(window.start for window in seen.windows if window.address == address)
    return [Call("", address)] if first > 0 else []


def _rest(seen: Seen, address: str) -> list[Call]:
    windows = [window for window in seen.windows if window.address == address]
    last = max(windows, key=lambda window: window.end)
    return [Call("", address, last.end)] if last.end < last.total else []


def _later_pages(question: Question, read: Library, seen: Seen) -> list[Call]:
    """Pages that only the later searches named, and the rest of the very best page."""
    known = {page.address for page in read.pages}
    asked = seen.asked
    first = {asking(SEARCH, query) for query in _first_queries(question)}
    later = [search for search in seen.searches if asking(SEARCH, search.query) not in first]
    hits = [
        hit
        for hit in hits_of(later)
        if hit.address not in known and not any(hit.address in told for told in asked)
    ]
    pages = _best_pages(question, hits, LATER_PAGES + 2 * (question.comparison is not None))
    rests = [
        call for address in _best_read(question, read)[:MOST_RESTS] for call in _rest(seen, address)
    ]
    return [*pages, *rests]
