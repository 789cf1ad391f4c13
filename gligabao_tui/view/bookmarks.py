"""Where a person is in the details of a run: the tab, and the place in each, kept per run."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.api import EVENT_KINDS
from gligabao_tui.view.provenance import SECTIONS, Shelf
from gligabao_tui.view.tabs import TABS, TabName
from gligabao_tui.view.timeline import EVERYTHING, LEAST_SPAN, Look

MOST_OPENED = 500
"""Opened states that are kept of one run: more than that is everything."""
PART_DIGITS = 6
MOST_SECOND = 2**53
SHELF = Shelf()


@dataclass(frozen=True, slots=True)
class Bookmark:
    """`top` is the state at the top of the view and the line within it, `cursor` the chosen
    state, both by seq; `opened` are the states that were opened (True) or closed by hand.
    `report` is how far the report was read, from 0 to 1."""

    tab: TabName = "states"
    follows: bool = False
    top: tuple[int, int] | None = None
    cursor: int | None = None
    opened: Mapping[int, bool] = field(default_factory=dict)
    report: float = 0.0
    shelf: Shelf = SHELF
    item: str = ""
    """The row of the Knowledge tab that has the cursor."""
    look: Look = EVERYTHING
    with_agents: bool | None = None
    """Whether sub-agents are included in what it knows; None: if it has any."""


START = Bookmark()


def bookmark_told(bookmark: Bookmark) -> dict[str, object]:
    """As JSON can carry it: the states opened and closed by hand as two lists."""
    by_hand = list(bookmark.opened.items())[-MOST_OPENED:]
    return {
        "tab": bookmark.tab,
        "follows": bookmark.follows,
        "top": list(bookmark.top) if bookmark.top else None,
        "cursor": bookmark.cursor,
        "opened": [seq for seq, is_open in by_hand if is_open],
        "closed": [seq for seq, is_open in by_hand if not is_open],
        "report": round(bookmark.report, PART_DIGITS),
        "knowledge": {
            "folded": sorted(bookmark.shelf.folded),
            "by_entity": bookmark.shelf.by_entity,
            "item": bookmark.item,
        },
        "time": {
            "span": list(bookmark.look.span) if bookmark.look.span else None,
            "event": bookmark.look.cursor,
            "off": sorted(bookmark.look.off),
        },
        "with_agents": bookmark.with_agents,
    }


def bookmark_of(told: object) -> Bookmark:
    """What was kept; whatever of it cannot be read is as at the start."""
    if not isinstance(told, dict):
        return START
    tab = next((known for known in TABS if known == told.get("tab")), START.tab)
    opened = {seq: True for seq in _numbers(told.get("opened"))}
    closed = {seq: False for seq in _numbers(told.get("closed"))}
    top = _numbers(told.get("top"))
    cursor = _numbers([told.get("cursor")])
    bookmark = Bookmark(tab, told.get("follows") is True, opened={**opened, **closed})
    if len(top) == len(("seq", "row")):
        bookmark = replace(bookmark, top=(top[0], top[1]))
    agents = told.get("with_agents")
    return replace(
        _knowing(bookmark, told.get("knowledge"), told.get("time")),
        cursor=cursor[0] if cursor else None,
        report=_part(told.get("report")),
        with_agents=agents if isinstance(agents, bool) else None,
    )


def _knowing(bookmark: Bookmark, knowledge: object, time: object) -> Bookmark:
    """With the places in what is known and in time."""
    if isinstance(knowledge, dict):
        folded = knowledge.get("folded")
        names = folded if isinstance(folded, list) else []
        shelf = Shelf(
            frozenset(section for section in SECTIONS if section in names),
            by_entity=knowledge.get("by_entity") is not False,
        )
        item = knowledge.get("item")
        bookmark = replace(bookmark, shelf=shelf, item=item if isinstance(item, str) else "")
    return replace(bookmark, look=_look(time)) if isinstance(time, dict) else bookmark


def _look(told: dict[object, object]) -> Look:
    off, event = told.get("off"), told.get("event")
    kinds = off if isinstance(off, list) else []
    return Look(
        _span(told.get("span")),
        event if type(event) is int else None,
        frozenset(kind for kind in EVENT_KINDS if kind in kinds),
    )


def _span(told: object) -> tuple[int, int] | None:
    if not isinstance(told, list) or len(told) != len(("lo", "hi")):
        return None
    lo, hi = told
    is_whole = type(lo) is int and type(hi) is int
    return (
        (lo, hi) if is_whole and lo > -MOST_SECOND and lo + LEAST_SPAN <= hi < MOST_SECOND else None
    )


def _numbers(told: object) -> list[int]:
    """Whole numbers that are not negative, at most as many as are kept."""
    if not isinstance(told, list):
        return []
    return [one for one in told[:MOST_OPENED] if type(one) is int and one >= 0]


def _part(told: object) -> float:
    if isinstance(told, bool) or not isinstance(told, int | float):
        return 0.0
    return round(float(told), PART_DIGITS) if 0 <= told <= 1 else 0.0
