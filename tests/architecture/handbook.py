"""Reads README, changelog and handbook as Markdown, for the tests that hold them to the program."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.architecture.sources import ROOT

PROGRAMS = ("gligabao", "gligabao_agent")

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Document:
    """One Markdown file: where it is, and what it says."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def prose(self) -> str:
        """Without code blocks, each paragraph and list item on one line."""
        return re.sub(r"(?<!\n)\n(?![\n#>|-]|\d+\.)\s*", " ", _FENCE.sub("", self.text))

    def blocks(self, language: str) -> list[str]:
        return [code for kind, code in _FENCE.findall(self.text) if kind == language]

    def links(self) -> list[str]:
        """Targets of links that lead into the checkout."""
        found = _LINK.findall(_FENCE.sub("", self.text))
        return [target for target in found if "://" not in target and "ADDRESS" not in target]

    def anchors(self) -> set[str]:
        """What a `#fragment` may name: headings as Markdown viewers turn them into anchors."""
        headings = _HEADING.findall(_FENCE.sub("", self.text))
        return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in headings}

    def section(self, heading: str) -> str:
        """The prose under a heading, down to the next heading of any level."""
        _, _, rest = self.prose.partition(f"# {heading}\n")
        return re.split(r"^#+ ", rest, maxsplit=1, flags=re.MULTILINE)[0]

    def commands(self) -> Iterator[list[str]]:
        """Every call of our programs in a shell block, split into words."""
        for line in "\n".join(self.blocks("sh")).splitlines():
            for call in line.split(" && "):
                program, *words = shlex.split(call, comments=True) or [""]
                if Path(program).name in PROGRAMS:
                    yield [Path(program).name, *words]


def documents() -> tuple[Document, ...]:
    paths = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return tuple(Document(path, path.read_text(encoding="utf-8")) for path in paths)


def document(name: str) -> Document:
    return next(found for found in documents() if found.name == name)
