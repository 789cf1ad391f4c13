"""Where a person is in the details of a run: the tab, and the place in each, kept per run."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gligabao_tui.view.tabs import TABS, TabName

MOST_OPENED = 500
"""Opened states that are kept of one run: more than that is everything."""
PART_DIGITS = 6


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
    return replace(bookmark, cursor=cursor[0] if cursor else None, report=_part(told.get("report")))


def _numbers(told: object) -> list[int]:
    """Whole numbers that are not negative, at most as many as are kept."""
    if not isinstance(told, list):
        return []
    return [one for one in told[:MOST_OPENED] if type(one) is int and one >= 0]


def _part(told: object) -> float:
    if isinstance(told, bool) or not isinstance(told, int | float):
        return 0.0
    return round(float(told), PART_DIGITS) if 0 <= told <= 1 else 0.0
