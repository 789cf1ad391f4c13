"""Whether what is called certain is right, on timelines that people annotated.

Run it as `python -m tests.benchmarks.bench_timeqa [FILE]`. FILE (or $TIMEQA_DATA, else
`../shared/data/timeqa/human_annotated_train.json`) is a list of `{"index": subject#property,
"questions": [[question, [{"answer": text}]]]}`, as Time-Sensitive-QA has them: the time stands in
the question, and an empty answer says that the text has none for it.

Each answer with the time of its question is a fact. The facts of all timelines are told one at a
time, in a shuffled order, through the rules that a remembered text goes through. Then they are
asked: the questions as people wrote them, and as-of questions in the forms of the harder half of
that set, at every time a timeline covers. What is right is computed from the years in the
questions by other arithmetic than the product's. A `certain` answer is wrong when people give
other answers for that time, or say there is none.

The second part tells only when each fact began, of timelines that hold one answer at a time: then
the ends are what reconciling makes of the starts. It is asked where people give an answer, since
an end that nobody told cannot be known.
"""

import itertools
import json
import os
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.domain.decisions import EntityRef, NewFact, Origin
from engine.domain.facts import Period, Stated, certain, possible
from engine.domain.keys import name_key
from engine.domain.time_words import windows
from tests.engine.knowledge.ledger import Ledger, date

DEFAULT_FILE = Path(__file__).resolve().parents[3] / "shared/data/timeqa/human_annotated_train.json"
SEED = 5
SHOWN = 8
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(MONTHS)})[a-z]*"
_FROM_TO = re.compile(
    rf"\b(?:from|between)\s+(?:(?P<m1>{_MONTH})\.?\s+)?(?P<y1>[0-9]{{3,4}})"
    rf"\s+(?:to|and|until)\s+(?:(?P<m2>{_MONTH})\.?\s+)?(?P<y2>[0-9]{{3,4}})\b",
    re.I,
)
_IN = re.compile(rf"\b(?:in|of|on)\s+(?:(?P<m1>{_MONTH})\.?\s+)?(?P<y1>[0-9]{{3,4}})\b", re.I)
_FLOOR = 0.99

Interval = tuple[int, int]
"""The first and the last month of a time, both included, counted from the year 0."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that people wrote: its time as months, and their answers (none: there is none)."""

    question: str
    interval: Interval
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Timeline:
    subject: str
    asked: tuple[Asked, ...]


@dataclass(slots=True)
class Tally:
    """Of one form of question."""

    asked: int = 0
    certain: int = 0
    """Questions for which a certain fact exists."""
    right: int = 0
    """Of those, the ones of which every certain fact is an answer that people give."""
    found: int = 0
    """Questions with an answer of which a possible fact is one."""
    answerable: int = 0
    returned: int = 0
    wrong: list[str] = field(default_factory=list)


def main() -> None:
    told = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("TIMEQA_DATA")
    timelines, unread = read(Path(told) if told else DEFAULT_FILE)
    questions = sum(len(timeline.asked) for timeline in timelines)
    print(f"{len(timelines)} timelines, {questions} questions; {unread} whose time was not read")
    both = [part("From when to when", timelines)]
    one_at_a_time = [timeline for timeline in timelines if _one_at_a_time(timeline)]
    both.append(part("From when alone", one_at_a_time, starts_only=True))
    if any(tally.right < _FLOOR * tally.certain for tally in both):
        sys.exit(f"of the certain answers fewer than {_FLOOR:.0%} are right")


def part(title: str, timelines: Sequence[Timeline], *, starts_only: bool = False) -> Tally:
    """Tell, ask and print; the sum of it."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for timeline in timelines:
        ledger = remembered(timeline, starts_only=starts_only)
        for form, question, answers in questions_of(timeline):
            if answers or not starts_only:
                ask(ledger, question, answers, tally=tallies[form])
    whole = total(list(tallies.values()))
    print(f"\n{title}, {len(timelines)} timelines")
    print(f"{'':22}{'asked':>7}{'certain':>9}{'right':>8}{'possible has it':>17}{'returned':>10}")
    for form, tally in {**tallies, "all": whole}.items():
        print(line(form, tally))
    for wrong in whole.wrong[:SHOWN]:
        print(f"  wrong: {wrong}")
    return whole


def _one_at_a_time(timeline: Timeline) -> bool:
    """Whether it has one answer at most at any time, and no two that begin in the same year."""
    held = sorted(asked.interval for asked in timeline.asked if asked.answers)
    single = all(len(asked.answers) <= 1 for asked in timeline.asked)
    return single and all(
        one[1] // 12 <= other[0] // 12 and one[0] // 12 < other[0] // 12
        for one, other in itertools.pairwise(held)
    )


def read(file: Path) -> tuple[list[Timeline], int]:
    """The timelines, and how many questions have a time in a form that is not read here."""
    timelines, unread = [], 0
    for entry in json.loads(file.read_text(encoding="utf-8")):
        asked = []
        for question, given in entry["questions"]:
            interval = interval_of(question)
            if interval is None:
                unread += 1
                continue
            answers = frozenset(name_key(each["answer"]) for each in given if each["answer"])
            asked.append(Asked(question, interval, answers))
        timelines.append(Timeline(entry["index"], tuple(asked)))
    return timelines, unread


def interval_of(question: str) -> Interval | None:
    """The months that a question is about, by a reading of its own: the last `from A to B`, else
    the last `in A`."""
    ranges = list(_FROM_TO.finditer(question))
    if ranges:
        return _months(ranges[-1], "1")[0], _months(ranges[-1], "2")[1]
    points = list(_IN.finditer(question))
    return _months(points[-1], "1") if points else None


def _months(match: re.Match[str], number: str) -> Interval:
    year, month = 12 * int(match[f"y{number}"]), match[f"m{number}"]
    if month is None:
        return year, year + 11
    only = year + MONTHS.index(month[:3].lower())
    return only, only


def remembered(timeline: Timeline, *, starts_only: bool) -> Ledger:
    """The facts of the timeline, each told by a text of its own, in an order that means nothing."""
    ledger = Ledger()
    told = [
        fact
        for asked in timeline.asked
        for answer in sorted(asked.answers)
        if (fact := _fact(timeline, asked, answer)) is not None
    ]
    if starts_only:
        told = [
            replace(fact, period=replace(fact.period, end=None), is_exclusive=True) for fact in told
        ]
    random.Random(SEED).shuffle(told)
    for number, fact in enumerate(told, start=1):
        when = f"2026-01-01T00:00:00.{number:03}Z"
        origin = Origin(date("2026-01-01"), "recorded", when, artifact_id=number)
        ledger.remember([fact], origin)
    return ledger


def _fact(timeline: Timeline, asked: Asked, answer: str) -> NewFact | None:
    """With the dates as the question words them, read by the product."""
    ends = _FROM_TO.findall(asked.question)
    if ends:
        *_, (first_month, first, last_month, last) = ends
        period = Period(_stated(first_month, first), _stated(last_month, last))
    else:
        *_, (month, year) = _IN.findall(asked.question)
        period = Period(_stated(month, year), _stated(month, year))
    return NewFact(
        source=EntityRef(name_key(timeline.subject)),
        relation="has",
        relation_key="has",
        target=EntityRef(answer),
        period=period,
        actor="import",
    )


def _stated(month: str, year: str) -> Stated:
    number = f"-{MONTHS.index(month[:3].lower()) + 1:02}" if month else ""
    return date(f"{int(year):04}{number}")


def questions_of(timeline: Timeline) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Form, question and answers: as people wrote them, then as-of questions within the times that
    they wrote of."""
    for asked in timeline.asked:
        yield "as people asked", asked.question, asked.answers
    for form, words, interval in dict.fromkeys(_as_of(timeline)):
        within = [asked for asked in timeline.asked if _covers(asked.interval, interval)]
        if within:
            answers = frozenset(itertools.chain.from_iterable(each.answers for each in within))
            yield form, f"What was it {words}?", answers


def _as_of(timeline: Timeline) -> Iterator[tuple[str, str, Interval]]:
    for asked in timeline.asked:
        first, last = (month // 12 for month in asked.interval)
        for year in range(first, min(last, first + 150) + 1):
            if year >= 1000:
                yield "in YEAR", f"in {year}", (12 * year, 12 * year + 11)
                yield from _narrower(year)
                yield from _wider(year)


def _narrower(year: int) -> Iterator[tuple[str, str, Interval]]:
    for month in (0, 6):
        at = 12 * year + month
        yield "in MONTH YEAR", f"in {MONTHS[month].capitalize()} {year}", (at, at)


def _wider(year: int) -> Iterator[tuple[str, str, Interval]]:
    span = (12 * year + 2, 12 * year + 12 + 8)
    yield "between A and B", f"between Mar {year} and Sep {year + 1}", span
    if year % 10 == 0:
        yield "early DECADE", f"in the early {year}s", (12 * year, 12 * year + 47)
        yield "late DECADE", f"in the late {year}s", (12 * year + 72, 12 * year + 119)


def _covers(outer: Interval, inner: Interval) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def ask(ledger: Ledger, question: str, answers: frozenset[str], *, tally: Tally) -> None:
    """Answer by the facts that are certain or possible in the window the product reads."""
    tally.asked += 1
    tally.answerable += bool(answers)
    told = windows(question, None)
    if not told:
        return
    span = told[-1].span
    known = ledger.known()
    sure = {fact.target.key for fact in known if certain(fact.period, fact.status, span)}
    may = {fact.target.key for fact in known if possible(fact.period, fact.status, span)}
    tally.returned += len(may)
    tally.found += bool(answers & may)
    if sure:
        tally.certain += 1
        tally.right += sure <= answers
        if not sure <= answers:
            tally.wrong.append(f"{question} {sorted(sure - answers)} not {sorted(answers)}")


def total(tallies: Sequence[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.asked += tally.asked
        whole.certain += tally.certain
        whole.right += tally.right
        whole.found += tally.found
        whole.answerable += tally.answerable
        whole.returned += tally.returned
        whole.wrong += tally.wrong
    return whole


def line(form: str, tally: Tally) -> str:
    right = f"{tally.right / tally.certain:.1%}" if tally.certain else "-"
    found = f"{tally.found / tally.answerable:.1%}" if tally.answerable else "-"
    each = tally.returned / tally.asked if tally.asked else 0
    return f"{form:22}{tally.asked:>7}{tally.certain:>9}{right:>8}{found:>17}{each:>10.2f}"


if __name__ == "__main__":
    main()
