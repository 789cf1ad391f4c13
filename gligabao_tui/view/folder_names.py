"""Completing the folder that a person types, as a shell does: pure, the disk is read elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from gligabao_tui.view.text import Line, Span, flat, line, line_width

GAP = "  "


@dataclass(frozen=True, slots=True)
class TypedFolder:
    """`NAME=` with its sign, the folder that is named whole, and the start of a name in it."""

    named: str
    parent: str
    start: str


def split_folder(typed: str) -> TypedFolder:
    name, equals, rest = typed.lstrip().partition("=")
    folder = rest if equals else name
    parent, slash, start = folder.rpartition("/")
    return TypedFolder(name + equals if equals else "", parent + slash, start)


def completed(typed: str, names: Sequence[str]) -> str:
    """`typed` with what all these names go on with; with a slash when there is only one."""
    if not names:
        return typed
    folder = split_folder(typed)
    common = _common_start(min(names), max(names))
    if len(common) < len(folder.start):
        return typed
    return folder.named + folder.parent + common + ("/" if len(names) == 1 else "")


def with_name(typed: str, name: str) -> str:
    """`typed` with this folder at its end."""
    folder = split_folder(typed)
    return f"{folder.named}{folder.parent}{name}/"


def suggestion_line(names: Sequence[str], width: int) -> Line:
    """As many names as fit, each a target of its own, and how many more there are."""
    if not names:
        return ()
    spans: list[Span] = [Span("tab ", "key")]
    for place, name in enumerate(names):
        left = len(names) - place
        more = f"{left} more" if left > 1 else ""
        shown = Span(f"{flat(name)}/", "accent", name)
        if line_width((*spans, shown, Span(GAP + more))) > width and place:
            return (*spans, Span(f"{left} more", "muted"))
        spans += [shown, Span(GAP)]
    return line(*spans)


def _common_start(one: str, other: str) -> str:
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    return one[:same]
