"""What the app remembers between two starts, as JSON that may be missing, old or broken."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from engine.api import RunId
from gligabao_tui.view.start_form import StartForm

MOST_DOCKED = 200
LARGEST_ID = 2**63 - 1
"""No database numbers its rows higher."""


@dataclass(frozen=True, slots=True)
class UiState:
    """`docked`: the runs whose blocks were not dismissed. `draft`: a start form left unfinished."""

    docked: tuple[RunId, ...] = ()
    selected: RunId | None = None
    draft: StartForm | None = field(default=None)


def ui_state_text(state: UiState) -> str:
    told = {
        "docked": list(state.docked[:MOST_DOCKED]),
        "selected": state.selected,
        "draft": asdict(state.draft) if state.draft else None,
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
    docked, selected, draft = told.get("docked"), told.get("selected"), told.get("draft")
    return UiState(
        docked=_ids(docked) if isinstance(docked, list) else (),
        selected=RunId(selected) if isinstance(selected, int) and _is_id(selected) else None,
        draft=_draft(draft),
    )


def _ids(told: Sequence[object]) -> tuple[RunId, ...]:
    return tuple(RunId(n) for n in told if isinstance(n, int) and _is_id(n))[:MOST_DOCKED]


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_ID


def _draft(told: object) -> StartForm | None:
    if not isinstance(told, dict):
        return None
    known = {name: told[name] for name in asdict(StartForm()) if isinstance(told.get(name), str)}
    return StartForm(**known) if known else None
