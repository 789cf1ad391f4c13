"""The one door: every name of the engine that a surface may use.

Names are looked up when they are first asked for, so that importing the door costs nothing; it must
never import a part of the engine while it is being imported itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same names again, so that a type checker sees what they are
    from engine.contract import AgentInfo, Check, Engine, SourceText
    from engine.domain.clock import Clock, moment, timestamp
    from engine.domain.errors import (
        CannotStart,
        EngineUnreachable,
        GligabaoError,
        NotFound,
        Problem,
        ProviderError,
        Refused,
        StoreError,
        UserError,
        problems_of,
    )
    from engine.domain.events import (
        Event,
        ReplyDelta,
        ReplyDiscarded,
        ReportReady,
        Resync,
        RunEnded,
        RunStarted,
        StateEnded,
        StateEntered,
        UsageChanged,
        event_id,
        run_id_of,
    )
    from engine.domain.run import (
        DEFAULT_MAX_STEPS,
        MOST_STEPS,
        STATUSES,
        TOPIC_MOST_CHARS,
        Citation,
        DocsFolder,
        Run,
        RunCounts,
        RunDetails,
        RunFilter,
        RunId,
        RunPage,
        StartRequest,
        State,
        StateName,
        Status,
    )
    from engine.domain.text_safety import clean, one_line
    from engine.settings import DEFAULT_MODEL, OFFLINE_MODEL, AppSettings, Settings

__all__ = [
    "DEFAULT_MAX_STEPS",
    "DEFAULT_MODEL",
    "MOST_STEPS",
    "OFFLINE_MODEL",
    "STATUSES",
    "TOPIC_MOST_CHARS",
    "AgentInfo",
    "AppSettings",
    "CannotStart",
    "Check",
    "Citation",
    "Clock",
    "DocsFolder",
    "Engine",
    "EngineUnreachable",
    "Event",
    "GligabaoError",
    "NotFound",
    "Problem",
    "ProviderError",
    "Refused",
    "ReplyDelta",
    "ReplyDiscarded",
    "ReportReady",
    "Resync",
    "Run",
    "RunCounts",
    "RunDetails",
    "RunEnded",
    "RunFilter",
    "RunId",
    "RunPage",
    "RunStarted",
    "Settings",
    "SourceText",
    "StartRequest",
    "State",
    "StateEnded",
    "StateEntered",
    "StateName",
    "Status",
    "StoreError",
    "UsageChanged",
    "UserError",
    "clean",
    "event_id",
    "moment",
    "one_line",
    "problems_of",
    "run_id_of",
    "timestamp",
]

_HOMES = {
    "engine.contract": "AgentInfo Check Engine SourceText",
    "engine.domain.clock": "Clock moment timestamp",
    "engine.domain.errors": (
        "CannotStart EngineUnreachable GligabaoError NotFound Problem ProviderError Refused "
        "StoreError UserError problems_of"
    ),
    "engine.domain.events": (
        "Event ReplyDelta ReplyDiscarded ReportReady Resync RunEnded RunStarted StateEnded "
        "StateEntered UsageChanged event_id run_id_of"
    ),
    "engine.domain.run": (
        "DEFAULT_MAX_STEPS MOST_STEPS STATUSES TOPIC_MOST_CHARS Citation DocsFolder Run RunCounts "
        "RunDetails RunFilter RunId RunPage StartRequest State StateName Status"
    ),
    "engine.domain.text_safety": "clean one_line",
    "engine.settings": "DEFAULT_MODEL OFFLINE_MODEL AppSettings Settings",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)
