"""How well the article of a page is found, beside the libraries that are known for it.

Run it as `python -m tests.benchmarks.bench_extraction [FOLDER]`. FOLDER (or $EXTRACTION_DATA, else
`../shared/data/extraction`) holds `ground-truth.json` (`{page: {"articleBody": text}}`) and
`html/PAGE.html.gz`, as the article-extraction-benchmark has them. Scores are that benchmark's:
multisets of shingles of four words, precision and recall per page, F1 of their means. Words are
runs of letters and digits, so marks of structure count for nobody.
"""

import gzip
import json
import os
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import trafilatura
from readability import Document  # type: ignore[import-untyped]  # it has no types

from engine.web.html import article_text, document_text

SHINGLE_WORDS = 4
DEFAULT_FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "extraction"

Extract = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Score:
    precision: float
    recall: float
    """Of one page; None of both counts where nothing was found."""
    found_any: bool
    cpu_ms: float


def main() -> None:
    told = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("EXTRACTION_DATA")
    folder = Path(told) if told else DEFAULT_FOLDER
    pages = pages_of(folder)
    print(f"{len(pages)} pages of {folder.name}")
    print(f"{'':24}{'F1':>8}{'precision':>11}{'recall':>8}{'CPU ms':>8}{'worst':>8}")
    for name, extract in EXTRACTORS.items():
        print(line(name, [score(extract, html, article) for html, article in pages]))


def pages_of(folder: Path) -> list[tuple[str, str]]:
    """HTML and article of every page, in the order of the truth."""
    truth = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    return [
        (_html(folder / "html" / f"{name}.html.gz"), page["articleBody"])
        for name, page in truth.items()
    ]


def score(extract: Extract, html: str, article: str) -> Score:
    began = time.process_time()
    told = extract(html)
    cpu_ms = (time.process_time() - began) * 1000
    true, found = shingles(article), shingles(told)
    common = sum((true & found).values())
    return Score(
        precision=common / found.total() if found else 0.0,
        recall=common / true.total() if true else 1.0,
        found_any=bool(found),
        cpu_ms=cpu_ms,
    )


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Every run of four words, as often as it occurs; of a shorter text all its words as one."""
    words = re.findall(r"\w+", text)
    last = max(1, len(words) - SHINGLE_WORDS + 1) if words else 0
    return Counter(tuple(words[at : at + SHINGLE_WORDS]) for at in range(last))


def line(name: str, scores: list[Score]) -> str:
    precision = statistics.mean(page.precision for page in scores if page.found_any)
    recall = statistics.mean(page.recall for page in scores)
    f1 = f1_of(precision, recall)
    cpu = statistics.mean(page.cpu_ms for page in scores)
    worst = max(page.cpu_ms for page in scores)
    return f"{name:24}{f1:8.4f}{precision:11.4f}{recall:8.4f}{cpu:8.1f}{worst:8.0f}"


def f1_of(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _html(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode("utf-8", errors="replace")


def _readability(html: str) -> str:
    return document_text(Document(html).summary()).text


EXTRACTORS: dict[str, Extract] = {
    "ours (article_text)": lambda html: article_text(html).text,
    "ours (document_text)": lambda html: document_text(html).text,
    "trafilatura, fast": lambda html: (
        trafilatura.extract(html, fast=True, include_comments=False) or ""
    ),
    "trafilatura, default": lambda html: trafilatura.extract(html) or "",
    "readability-lxml": _readability,
}

if __name__ == "__main__":
    main()
