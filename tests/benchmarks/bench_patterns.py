"""What the patterns find in a folder of documents, for judging by hand how often they are right.

    python -m tests.benchmarks.bench_patterns FOLDER... [--sample N] [--seed N] [--pattern NAME]

Prints how many facts each pattern found, and of N of them, chosen by chance, the fact and its
sentence. A wrong fact is worse than none: at least 95 of 100 must be right.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.domain.text_safety import clean
from engine.knowledge.patterns import PatternFact, found_by_pattern

KINDS = (".html", ".htm", ".md", ".txt", ".rst")


def main(folders: Sequence[Path], *, sample: int, seed: int, pattern: str) -> None:
    started, pages, found = time.perf_counter(), 0, []
    for text in texts(folders):
        pages += 1
        found += [fact for fact in found_by_pattern(text) if pattern in ("", fact.pattern)]
    once = list({fact.fact.quote: fact for fact in found}.values())
    print(f"{pages} documents, {len(found)} facts ({len(once)} sentences)")
    for name, number in Counter(fact.pattern for fact in once).most_common():
        print(f"{number:6} {name}")
    print(f"{time.perf_counter() - started:.1f} s, reading the pages counted")
    for number, fact in enumerate(chosen(once, sample, seed), start=1):
        print(f"\n{number}. [{fact.pattern}] {shown(fact)}\n   {' '.join(fact.fact.quote.split())}")


def texts(folders: Sequence[Path]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in KINDS:
                yield text_of(path)


def text_of(path: Path) -> str:
    from engine.web.html import document_text

    body = path.read_bytes()
    is_html = path.suffix in (".html", ".htm")
    return clean(document_text(body).text if is_html else body.decode("utf-8", "replace"))


def chosen(found: Sequence[PatternFact], sample: int, seed: int) -> list[PatternFact]:
    return random.Random(seed).sample(found, min(sample, len(found)))


def shown(found: PatternFact) -> str:
    fact = found.fact
    date = f" ({fact.start})" if fact.start else ""
    return f"{fact.source} | {fact.relation} | {fact.target}{date}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pattern", default="")
    given = parser.parse_args()
    main(given.folders, sample=given.sample, seed=given.seed, pattern=given.pattern)
