"""The text within a block of Markdown as toned spans, and what its links lead to.

A target is a kind and what it names: `link:ADDRESS`; `source:N ADDRESS`, a source of the report
(`source:N@START-END ADDRESS` with the place that is quoted); `note:LABEL`, a footnote;
`back:LABEL`, where a footnote is referred to. Nothing is followed here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.tree import SyntaxTreeNode as Node

from engine.api import clean
from gligabao_tui.view.glyphs import DRAWN, Glyphs
from gligabao_tui.view.text import Span, Tone

LINK, SOURCE, NOTE, BACK = "link:", "source:", "note:", "back:"
_NOTE_MARK = re.compile(r"\[\^([^\]\s]{1,80})\]")
_BARE = re.compile(r"(?P<address>https?://[^\s<>\"`\u201c\u201d]+)|\[(?P<n>\d{1,6})\]")
_PLACE = re.compile(r"#chars=(\d{1,9}-\d{1,9})$")
_AFTER_ADDRESS = ".,;:!?'*_~\u2019"
_BRACKETS = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Marks:
    """What the marks of a report can lead to: the numbers of its sources, the numbers of its
    footnotes by their labels, and the addresses that its links name elsewhere (by markdown-it)."""

    sources: frozenset[int] = frozenset()
    notes: Mapping[str, int] = field(default_factory=dict)
    references: Mapping[str, Any] = field(default_factory=dict)


NO_MARKS = Marks()


@cache
def parser() -> MarkdownIt:
    """HTML stays as it is written; footnote marks are known by the labels of `env["notes"]`."""
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    made.inline.ruler.before("link", "note", _note)
    return made


def note_mark(number: int, glyphs: Glyphs) -> str:
    """Not in the brackets of a citation, so that nobody takes one for the other."""
    if glyphs.raised:
        return "".join(glyphs.raised[int(digit)] for digit in str(number))
    return f"[^{number}]"


def plain_text(node: Node) -> str:
    """The text of a node and all below it."""
    if node.children:
        return "".join(plain_text(child) for child in node.children)
    return clean(node.content) if node.type not in ("softbreak", "hardbreak") else " "


def inline(
    node: Node, tone: Tone, *, marks: Marks = NO_MARKS, glyphs: Glyphs = DRAWN
) -> list[Span]:
    """The text of a node and all below it, in their tones."""
    return _Writer(marks, glyphs).spans(node, tone)


@dataclass(frozen=True, slots=True)
class _Writer:
    marks: Marks
    glyphs: Glyphs

    def spans(self, node: Node, tone: Tone) -> list[Span]:
        found: list[Span] = []
        for child in node.children:
            found.extend(self._of(child, tone))
        if not node.children and node.type not in ("root", "paragraph", "inline"):
            found.extend(self._leaf(node, tone))
        return found

    def _of(self, node: Node, tone: Tone) -> Sequence[Span]:
        match node.type:
            case "strong":
                return self.spans(node, "strong")
            case "em":
                return self.spans(node, tone or "em")
            case "link":
                return self._link(node)
            case "image":
                return (Span(f"[image: {plain_text(node)}]", "muted"),)
            case "inline" | "s":
                return self.spans(node, tone)
            case _:
                return self._leaf(node, tone)

    def _leaf(self, node: Node, tone: Tone) -> Sequence[Span]:
        match node.type:
            case "softbreak":
                return (Span(" ", tone),)
            case "hardbreak":
                return (Span("\n", tone),)
            case "code_inline":
                return (Span(clean(node.content), "code"),)
            case "note":
                label = str(node.meta["label"])
                mark = note_mark(self.marks.notes[label], self.glyphs)
                return (Span(mark, "link", NOTE + label),)
            case _:
                return tuple(self._text(clean(node.content), tone))

    def _text(self, text: str, tone: Tone) -> Iterator[Span]:
        """With the addresses and the numbers of sources that stand in it bare."""
        at = 0
        for found in _BARE.finditer(text):
            shown, target = self._bare(found)
            if target and found.start() >= at:
                if found.start() > at:
                    yield Span(text[at : found.start()], tone)
                yield Span(shown, "link", target)
                at = found.start() + len(shown)
        if at < len(text) or not text:
            yield Span(text[at:], tone)

    def _bare(self, found: re.Match[str]) -> tuple[str, str]:
        if found["n"]:
            is_source = int(found["n"]) in self.marks.sources
            return found[0], f"{SOURCE}{int(found['n'])}" if is_source else ""
        address = _trimmed(found["address"])
        return address, LINK + address

    def _link(self, node: Node) -> Sequence[Span]:
        """A citation's number is shown in brackets, as in a printed text."""
        address = clean(str(node.attrs.get("href", "")))
        text = plain_text(node) or address
        if not (text.isascii() and text.isdigit() and len(text) <= 6):
            return (Span(text, "link", LINK + address),)
        place = _PLACE.search(address)
        target = f"{SOURCE}{int(text)}{'@' + place[1] if place else ''} {address}"
        is_source = int(text) in self.marks.sources
        return (Span(f"[{text}]", "link", target if is_source else LINK + address),)


def _trimmed(address: str) -> str:
    """Without the marks of the sentence that it stands in."""
    while address:
        last = address[-1]
        is_single = last in _BRACKETS and address.count(last) > address.count(_BRACKETS[last])
        if last not in _AFTER_ADDRESS and not is_single:
            break
        address = address[:-1]
    return address


def _note(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # markdown-it's signature
    """A rule of markdown-it: `[^label]` where a footnote of that label is defined."""
    found = _NOTE_MARK.match(state.src, state.pos)
    if found is None or found[1] not in state.env.get("notes", ()):
        return False
    if not silent:
        state.push("note", "", 0).meta = {"label": found[1]}
    state.pos = found.end()
    return True
