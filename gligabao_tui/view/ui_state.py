"""What the app remembers between two starts, as JSON that may be missing, old or broken."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from engine.api import RunId, Status, clean
from gligabao_tui.view.bookmarks import Bookmark, bookmark_of, bookmark_told
from gligabao_tui.view.listing import FILTERS, SORTS, Sort
from gligabao_tui.view.start_form import StartForm

MOST_DOCKED = 200
MOST_BOOKMARKS = 50
MOST_CHARS = 500
LARGEST_ID = 2**63 - 1
"""No database numbers its rows higher."""


@dataclass(frozen=True, slots=True)
class ListState:
    """Which runs the list shows, and in which order."""

    status: Status | None = None
    text: str = ""
    sort: Sort = "started"


WHOLE_LIST = ListState()


@dataclass(frozen=True, slots=True)
class UiState:
    """`docked`: the runs whose blocks were not dismissed. `opened`: the run whose details were
    shown. `draft`: a start form left unfinished. `bookmarks`: by run, the latest last."""

    docked: tuple[RunId, ...] = ()
    selected: RunId | None = None
    draft: StartForm | None = field(default=None)
    opened: RunId | None = None
    listed: ListState = WHOLE_LIST
    bookmarks: Mapping[RunId, Bookmark] = field(default_factory=dict)


def ui_state_text(state: UiState) -> str:
    bookmarks = list(state.bookmarks.items())[-MOST_BOOKMARKS:]
    told = {
        "docked": list(state.docked[:MOST_DOCKED]),
        "selected": state.selected,
        "opened": state.opened,
        "draft": asdict(state.draft) if state.draft else None,
        "list": asdict(state.listed),
        "bookmarks": {str(run_id): bookmark_told(mark) for run_id, mark in bookmarks},
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def ui_state_of(text: str) -> UiState:
    """What the text says; whatever of it cannot be read is as if it had never been kept."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return UiState()
    if not isinstance(told, dict):
        return UiState()
    docked = told.get("docked")
    return UiState(
        docked=_ids(docked) if isinstance(docked, list) else (),
        selected=_id(told.get("selected")),
        opened=_id(told.get("opened")),
        draft=_draft(told.get("draft")),
        listed=_listed(told.get("list")),
        bookmarks=_bookmarks(told.get("bookmarks")),
    )


def _ids(told: Sequence[object]) -> tuple[RunId, ...]:
    known = (_id(one) for one in told)
    return tuple(run_id for run_id in known if run_id is not None)[:MOST_DOCKED]


def _id(told: object) -> RunId | None:
    return RunId(told) if type(told) is int and 0 < told <= LARGEST_ID else None


def _draft(told: object) -> StartForm | None:
    if not isinstance(told, dict):
        return None
    known = {name: told[name] for name in asdict(StartForm()) if isinstance(told.get(name), str)}
    safe = {name: clean(text) if name == "topic" else _row(text) for name, text in known.items()}
    return StartForm(**safe) if safe else None


def _listed(told: object) -> ListState:
    if not isinstance(told, dict):
        return WHOLE_LIST
    text = told.get("text")
    return ListState(
        status=next((known for known in FILTERS if known == told.get("status")), None),
        text=_row(text)[:MOST_CHARS] if isinstance(text, str) else "",
        sort=next((known for known in SORTS if known == told.get("sort")), WHOLE_LIST.sort),
    )


def _bookmarks(told: object) -> dict[RunId, Bookmark]:
    if not isinstance(told, dict):
        return {}
    numbered = {_id(int(name)): mark for name, mark in told.items() if _is_number(name)}
    kept = [(run_id, bookmark_of(mark)) for run_id, mark in numbered.items() if run_id is not None]
    return dict(kept[-MOST_BOOKMARKS:])


def _row(text: str) -> str:
    """What stands in a field of one row."""
    return clean(text).replace("\n", " ").replace("\t", " ")


def _is_number(name: object) -> bool:
    return isinstance(name, str) and name.isascii() and name.isdigit() and len(name) < 20
