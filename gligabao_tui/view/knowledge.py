"""The frame of the knowledge screen: the chosen dataset, the views of it, and what to do when there
is nothing yet. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from engine.api import DEFAULT_DATASET, DatasetInfo
from gligabao_tui.keymap import Keymap
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.palette import Entry
from gligabao_tui.view.text import Line, Span, crop, fit, flat, line, paragraph, spread

ViewName: TypeAlias = Literal["ask", "facts", "entities", "queue"]
VIEWS: tuple[ViewName, ...] = get_args(ViewName)
VIEW_WORDS: dict[ViewName, str] = {
    "ask": "Ask",
    "facts": "Facts",
    "entities": "Entities",
    "queue": "Queue",
}
BACK, ON, CHOOSE, VIEW = "dataset:back", "dataset:on", "dataset:choose", "view:"
NAME_MOST_CELLS = 24


@dataclass(frozen=True, slots=True)
class Shelf:
    """The datasets there are, those of `user` first, and which of them is chosen. There is always
    a chosen one: before anything was remembered, an empty one."""

    user: str
    datasets: tuple[DatasetInfo, ...] = ()
    at: int = 0
    is_read: bool = False

    @property
    def chosen(self) -> DatasetInfo:
        if self.datasets:
            return self.datasets[self.at]
        return DatasetInfo(0, DEFAULT_DATASET, self.user)

    def name_of(self, dataset: DatasetInfo) -> str:
        """With its owner when that is somebody else."""
        own = dataset.user_id == self.user
        return flat(dataset.name if own else f"{dataset.name} of {dataset.user_id}")


def filled(shelf: Shelf, found: Sequence[DatasetInfo], *, wanted: str = "") -> Shelf:
    """With the datasets as they are now. The chosen one stays chosen; at first that is `wanted`,
    else the person's main one, else any that holds something."""
    order = sorted(found, key=lambda one: (one.user_id != shelf.user, one.user_id, one.name))
    chosen = shelf.chosen.id if shelf.datasets else None
    own = [one for one in order if one.user_id == shelf.user]
    best = [
        *(one for one in order if one.id == chosen),
        *(one for one in own if one.name == wanted),
        *(one for one in own if one.name == DEFAULT_DATASET),
        *order,
    ]
    at = order.index(best[0]) if best else 0
    return replace(shelf, datasets=tuple(order), at=at, is_read=True)


def turned(shelf: Shelf, by: int) -> Shelf:
    return replace(shelf, at=(shelf.at + by) % max(1, len(shelf.datasets)))


def placed(shelf: Shelf, number: int) -> Shelf:
    """With the dataset of this number chosen, if it is there."""
    at = next((at for at, one in enumerate(shelf.datasets) if one.id == number), shelf.at)
    return replace(shelf, at=at)


def view_after(view: ViewName, by: int) -> ViewName:
    return VIEWS[(VIEWS.index(view) + by) % len(VIEWS)]


def dataset_line(shelf: Shelf, width: int, *, doing: str = "") -> Line:
    """`Knowledge  < main >  1 of 3` and at the right what is going on in it."""
    left = [Span(" Knowledge ", "title"), Span(" ")]
    name = fit(shelf.name_of(shelf.chosen), NAME_MOST_CELLS)
    if len(shelf.datasets) > 1:
        left += [Span("< ", "key", BACK), Span(name, "strong", CHOOSE), Span(" >", "key", ON)]
        left.append(Span(f"  {shelf.at + 1} of {len(shelf.datasets)}", "quiet", CHOOSE))
    elif shelf.datasets:
        left.append(Span(name, "strong"))
    right = (Span(f"{doing} ", "warn"),) if doing else _under_way(shelf.chosen)
    return spread(tuple(left), right, width)


def tabs_line(shelf: Shelf, view: ViewName, width: int, glyphs: Glyphs) -> Line:
    """`Ask  Facts 1,204  Entities 312  Queue 41`, the chosen one marked; each is a target."""
    counts = _counts(shelf.chosen)
    spans = [Span(" ")]
    for name in VIEWS:
        count = f" {counts[name]:,}" if counts.get(name) else ""
        is_chosen = name == view
        label = f"{VIEW_WORDS[name]}{count}"
        label = f"[{label}]" if is_chosen and glyphs.cursor == ">" else f" {label} "
        spans.append(Span(label, "pill-on" if is_chosen else "muted", f"{VIEW}{name}"))
        spans.append(Span(" "))
    return crop(tuple(spans), width)


def nothing_known(width: int, keymap: Keymap) -> tuple[Line, ...]:
    """What a knowledge base is for, and three ways to fill it."""
    ways = (
        (keymap.word("base.remember"), "remember a text by hand: paste it, say where it is from"),
        ("", f"run an agent ({keymap.word('main.new_run')} in the workspace) that may remember"),
        ("", "gligabao facts import FILE takes facts that you already have"),
    )
    rows: list[Line] = [
        (),
        line(Span("Nothing is known yet", "title")),
        *paragraph(
            "The knowledge base holds facts with their dates, and for each the texts that it is"
            " from. It can be asked, also about what was true at some time.",
            min(width, 76),
            "muted",
        ),
        (),
    ]
    for key, told in ways:
        head = Span(f" {key} " if key else "   ", "key", "base.remember" if "hand" in told else "")
        first, *more = paragraph(told, min(width, 76) - 4)
        rows.append((head, Span(" "), *first))
        rows.extend((Span("    "), *row) for row in more)
    return tuple((Span(" "), *row) if row else row for row in rows)


def chooser_entries(shelf: Shelf) -> tuple[Entry, ...]:
    """The datasets to choose from, for the palette."""
    return tuple(
        Entry(str(one.id), "Dataset", shelf.name_of(one), dataset_words(one))
        for one in shelf.datasets
    )


def dataset_words(dataset: DatasetInfo) -> str:
    """`41 texts, 1,204 facts about 312 entities, 2 waiting`."""
    told = [
        _counted(dataset.artifacts, "text", "texts"),
        f"{_counted(dataset.facts, 'fact', 'facts')} about"
        f" {_counted(dataset.entities, 'entity', 'entities')}",
    ]
    told += [f"{dataset.queued:,} waiting"] if dataset.queued else []
    told += [f"{dataset.failed:,} failed"] if dataset.failed else []
    return ", ".join(told)


def _counts(dataset: DatasetInfo) -> dict[ViewName, int]:
    return {"facts": dataset.facts, "entities": dataset.entities, "queue": dataset.artifacts}


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _under_way(dataset: DatasetInfo) -> Line:
    """What waits and what failed; nothing when nothing does."""
    waiting = Span(f"{dataset.queued:,} waiting" if dataset.queued else "", "warn", f"{VIEW}queue")
    failed = Span(f"{dataset.failed:,} failed" if dataset.failed else "", "bad", f"{VIEW}queue")
    told = tuple(span for span in (waiting, failed) if span.text)
    if not told:
        texts = count_of(dataset.artifacts, "text", "texts") if dataset.artifacts else ""
        return (Span(f"{texts} ", "muted"),) if texts else ()
    joined = (told[0], Span(", ", "muted"), told[1]) if len(told) == 2 else told
    return (*joined, Span(" "))
