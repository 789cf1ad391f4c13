"""Scenes of reports: one with everything a report may have, one that is being written."""

from engine.api import Citation, CitedSource, Passage, RunId
from engine.domain.run import Verdict
from tests.fakes.engine import FakeEngine

WAL, TEMP, LOST = "https://sqlite.org/wal.html", "docs://sqlite/tempfiles.html", "docs://gone.html"
CITED = f"""\
# What write-ahead logging changes in SQLite

SQLite keeps a database whole by one of two journals. This report compares what readers and
writers see of each; the [overview of file formats](https://www.sqlite.org/fileformat2.html#walformat)
has the details[^1], and https://sqlite.org/pragma.html#pragma_journal_mode how to choose.

## Readers and writers

"A reader sees the database as it was when its transaction began" [1]({WAL}#chars=100-162).
"Writers  merely append" [1]({WAL}#chars=300-321), so that nobody waits[^names]. Another source,
"Readers never wait for anybody" [2]({TEMP}#chars=5-35), could not be confirmed.

### What waits

| mode | readers while writing | files |
| --- | --- | --- |
| rollback | blocked | 1 |
| wal | go on | 3 |

### What does not

Readers of an older snapshot go on reading it, see [1].

## Checkpoints

A checkpoint moves pages of the log into the database file:

- it runs by itself after a thousand pages
- it can be asked for with `PRAGMA wal_checkpoint`

```sql
PRAGMA wal_checkpoint(TRUNCATE);
```

### When they cannot finish

A reader that never ends keeps the log growing [3]({LOST}).

## Sources

1. Write-Ahead Logging, {WAL}
2. Temporary Files Used By SQLite, {TEMP}
3. A page that is gone, {LOST}

[^1]: The format has not changed since version 3.7.0 of 2010.

[^names]: The documentation says *nobody*; what it means is no reader.
    Two writers do wait for each other.
"""
BEFORE = (
    "The original content is preserved in the database file and the changes are appended into a "
    "separate WAL file. Because writers do nothing that would interfere with the actions of "
    "readers, writers and readers can run at the same time. "
)
WRITTEN = """\
# Rivers of Poland

The Vistula is the longest, with 1,047 km from its spring to the sea.

## Floods

Floods were counted from 1813 on, in three series:

| series | from | to |
| --- | --- | --- |
| Tczew | 1813 | 2010 |
| Torun | 1845 | 2024 |

## Shares of the whole

What each of them carries is told by the gauges of the last towns before the sea, where the flow
has been measured every day since
"""


def cited() -> FakeEngine:
    """A finished report: quotations of every verdict, links, footnotes, headings."""
    engine = FakeEngine()
    run_id = engine.begin("How does write-ahead logging change what readers see in SQLite?")
    engine.use(run_id, steps=4, cost=0.07, tokens=31_000)
    engine.enter(run_id, "reading", WAL)
    engine.clock.advance(30)
    quotes: tuple[tuple[int, str, Verdict], ...] = (
        (1, "A reader sees the database as it was when its transaction began", "exact"),
        (1, "Writers  merely append", "normalised"),
        (2, "Readers never wait for anybody", "missing"),
    )
    engine.citations[run_id] = (
        *(Citation(at, n, 1, 0, 9, quote, told) for at, (n, quote, told) in enumerate(quotes, 1)),
        Citation(4, 3, None, 0, 0, "", "missing"),
    )
    for source in _sources(run_id, engine.runs[run_id].created_at):
        engine.sources[run_id, source.n] = source
    engine.complete(run_id, CITED)
    engine.clock.advance(1_500)
    return engine


def _sources(run_id: RunId, read_at: str) -> tuple[CitedSource, ...]:
    exact = "A reader sees the database as it was when its transaction began"
    after = ". Every reader may have another view of it, depending on when it began."
    passages = (
        Passage(1, exact, "exact", BEFORE, exact, after),
        Passage(2, "Writers  merely append", "normalised", BEFORE, "Writers merely append", " new"),
    )
    return (
        CitedSource(run_id, 1, WAL, "Write-Ahead Logging", "text/html", read_at, 38_204, passages),
        CitedSource(
            *(run_id, 2, TEMP, "Temporary Files Used By SQLite", "text/html", read_at, 21_940),
            (Passage(3, "Readers never wait for anybody", "missing"),),
        ),
        CitedSource(run_id, 3, LOST, "", "", "", 0, ()),
    )


def writing() -> FakeEngine:
    """At work on its report, of which nothing was heard yet; see `speak`."""
    engine = FakeEngine()
    run_id = engine.begin("Which rivers of Poland flood, and since when is it known?")
    engine.use(run_id, steps=6, cost=0.11, tokens=24_000)
    engine.enter(run_id, "writing_report", "step 7 of 20")
    engine.clock.advance(42)
    return engine


def speak(engine: FakeEngine) -> None:
    """What is written of the report so far; to be told while the app listens."""
    for at in range(0, len(WRITTEN), 40):
        engine.say(RunId(1), WRITTEN[at : at + 40])


def speak_long(engine: FakeEngine) -> None:
    """More than any screen shows."""
    for section in range(1, 9):
        engine.say(RunId(1), f"## Section {section}\n\nSome prose of it.\n\nAnd more of it.\n\n")


def cited_beside() -> FakeEngine:
    """The same beside an agent at work, so that the pane is narrower."""
    engine = cited()
    run_id = engine.begin("Port of Gdansk: container volumes from 2015 to 2024")
    engine.enter(run_id, "thinking", "step 1 of 20")
    engine.clock.advance(12)
    return engine
