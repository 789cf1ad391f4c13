"""The one door: every name of the engine that a surface may use.

Names are looked up when they are first asked for, so that importing the door costs nothing; it must
never import a part of the engine while it is being imported itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same names again, so that a type checker sees what they are
    from engine.contract import Engine
    from engine.definitions.bundle import make_bundle
    from engine.definitions.catalog import load_catalog
    from engine.definitions.copying import write_copy
    from engine.definitions.inspecting import (
        Finding,
        Inspected,
        findings_in,
        inspect_directory,
    )
    from engine.definitions.starter import write_starter
    from engine.documents import (
        agent_details_document,
        agent_document,
        agents_read_document,
        check_document,
        cited_source_document,
        costs_document,
        details_document,
        event_document,
        filter_from,
        run_document,
        schedule_document,
        source_document,
        start_from,
    )
    from engine.domain.advice import advice
    from engine.domain.answers import (
        AgentDetails,
        AgentInfo,
        AgentKnowledge,
        AgentRole,
        AgentSchedule,
        AgentsRead,
        Check,
        ScheduledRun,
        ScheduleInfo,
        Schedules,
        SourceText,
    )
    from engine.domain.clock import Clock, moment, timestamp
    from engine.domain.costs import Charge, RunCosts
    from engine.domain.dates import shown, stated
    from engine.domain.definition import DEFAULT_AGENT, Definition, Role, SearchRules, Skill
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
    from engine.domain.facts import (
        EVENT_KINDS,
        LONG_AGO,
        Actor,
        EventKind,
        FactStatus,
        Span,
        Stated,
        TimeBasis,
    )
    from engine.domain.knowledge import (
        DEFAULT_DATASET,
        REMEMBER_MOST_CHARS,
        ArtifactInfo,
        Certainty,
        DatasetInfo,
        EntitiesPage,
        EntityFilter,
        EntityInfo,
        EntityPage,
        FactEventInfo,
        FactFilter,
        FactHistory,
        FactInfo,
        FactsPage,
        ForgetRequest,
        Forgotten,
        GivenFact,
        ImportRequest,
        PassageInfo,
        QueryAnswer,
        QueryRequest,
        Rebuilt,
        RememberFilter,
        RememberKind,
        RememberPage,
        RememberRequest,
        RememberRun,
        RememberStatus,
        Support,
        session_of,
    )
    from engine.domain.provenance import (
        KnowledgeSession,
        Provenance,
        ProvenanceFact,
        Temporal,
        TemporalEvent,
    )
    from engine.domain.run import (
        DEFAULT_MAX_STEPS,
        MOST_STEPS,
        MOST_WORKING_PER_USER,
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
    from engine.domain.sources import CitedSource, Passage
    from engine.domain.text_safety import clean, one_line
    from engine.domain.timing import Timing
    from engine.knowledge_contract import KnowledgeBase
    from engine.knowledge_documents import (
        dataset_document,
        entity_document,
        entity_page_document,
        fact_document,
        forgotten_document,
        history_document,
        import_from,
        provenance_document,
        query_document,
        query_from,
        remember_document,
        remember_from,
        temporal_document,
    )
    from engine.knowledge_relay import RelayedKnowledge
    from engine.logs import JsonLines
    from engine.manager.doctor import examine_machine
    from engine.manager.reading import read_source
    from engine.remote.session import AttachedEngine
    from engine.resources import docs_dir
    from engine.settings import (
        DEFAULT_MODEL,
        LOG_LEVELS,
        OFFLINE_MODEL,
        AppSettings,
        Settings,
        app_settings_at_once,
        load_settings,
    )
    from engine.wiring import connect, has_data, join

__all__ = [
    "DEFAULT_AGENT",
    "DEFAULT_DATASET",
    "DEFAULT_MAX_STEPS",
    "DEFAULT_MODEL",
    "EVENT_KINDS",
    "LOG_LEVELS",
    "LONG_AGO",
    "MOST_STEPS",
    "MOST_WORKING_PER_USER",
    "OFFLINE_MODEL",
    "REMEMBER_MOST_CHARS",
    "STATUSES",
    "TOPIC_MOST_CHARS",
    "Actor",
    "AgentDetails",
    "AgentInfo",
    "AgentKnowledge",
    "AgentRole",
    "AgentSchedule",
    "AgentsRead",
    "AppSettings",
    "ArtifactInfo",
    "AttachedEngine",
    "CannotStart",
    "Certainty",
    "Charge",
    "Check",
    "Citation",
    "CitedSource",
    "Clock",
    "DatasetInfo",
    "Definition",
    "DocsFolder",
    "Engine",
    "EngineUnreachable",
    "EntitiesPage",
    "EntityFilter",
    "EntityInfo",
    "EntityPage",
    "Event",
    "EventKind",
    "FactEventInfo",
    "FactFilter",
    "FactHistory",
    "FactInfo",
    "FactStatus",
    "FactsPage",
    "Finding",
    "ForgetRequest",
    "Forgotten",
    "GivenFact",
    "GligabaoError",
    "ImportRequest",
    "Inspected",
    "JsonLines",
    "KnowledgeBase",
    "KnowledgeSession",
    "NotFound",
    "Passage",
    "PassageInfo",
    "Problem",
    "Provenance",
    "ProvenanceFact",
    "ProviderError",
    "QueryAnswer",
    "QueryRequest",
    "Rebuilt",
    "Refused",
    "RelayedKnowledge",
    "RememberFilter",
    "RememberKind",
    "RememberPage",
    "RememberRequest",
    "RememberRun",
    "RememberStatus",
    "ReplyDelta",
    "ReplyDiscarded",
    "ReportReady",
    "Resync",
    "Role",
    "Run",
    "RunCosts",
    "RunCounts",
    "RunDetails",
    "RunEnded",
    "RunFilter",
    "RunId",
    "RunPage",
    "RunStarted",
    "ScheduleInfo",
    "ScheduledRun",
    "Schedules",
    "SearchRules",
    "Settings",
    "Skill",
    "SourceText",
    "Span",
    "StartRequest",
    "State",
    "StateEnded",
    "StateEntered",
    "StateName",
    "Stated",
    "Status",
    "StoreError",
    "Support",
    "Temporal",
    "TemporalEvent",
    "TimeBasis",
    "Timing",
    "UsageChanged",
    "UserError",
    "advice",
    "agent_details_document",
    "agent_document",
    "agents_read_document",
    "app_settings_at_once",
    "check_document",
    "cited_source_document",
    "clean",
    "connect",
    "costs_document",
    "dataset_document",
    "details_document",
    "docs_dir",
    "entity_document",
    "entity_page_document",
    "event_document",
    "event_id",
    "examine_machine",
    "fact_document",
    "filter_from",
    "findings_in",
    "forgotten_document",
    "has_data",
    "history_document",
    "import_from",
    "inspect_directory",
    "join",
    "load_catalog",
    "load_settings",
    "make_bundle",
    "moment",
    "one_line",
    "problems_of",
    "provenance_document",
    "query_document",
    "query_from",
    "read_source",
    "remember_document",
    "remember_from",
    "run_document",
    "run_id_of",
    "schedule_document",
    "session_of",
    "shown",
    "source_document",
    "start_from",
    "stated",
    "temporal_document",
    "timestamp",
    "write_copy",
    "write_starter",
]

_HOMES = {
    "engine.contract": "Engine",
    "engine.definitions.bundle": "make_bundle",
    "engine.definitions.catalog": "load_catalog",
    "engine.definitions.copying": "write_copy",
    "engine.definitions.inspecting": "Finding Inspected findings_in inspect_directory",
    "engine.definitions.starter": "write_starter",
    "engine.domain.advice": "advice",
    "engine.domain.answers": (
        "AgentDetails AgentInfo AgentKnowledge AgentRole AgentSchedule AgentsRead Check "
        "ScheduleInfo ScheduledRun Schedules SourceText"
    ),
    "engine.domain.definition": "DEFAULT_AGENT Definition Role SearchRules Skill",
    "engine.documents": (
        "agent_details_document agent_document agents_read_document check_document "
        "cited_source_document costs_document details_document event_document filter_from "
        "run_document schedule_document source_document start_from"
    ),
    "engine.domain.clock": "Clock moment timestamp",
    "engine.domain.costs": "Charge RunCosts",
    "engine.domain.errors": (
        "CannotStart EngineUnreachable GligabaoError NotFound Problem ProviderError Refused "
        "StoreError UserError problems_of"
    ),
    "engine.domain.events": (
        "Event ReplyDelta ReplyDiscarded ReportReady Resync RunEnded RunStarted StateEnded "
        "StateEntered UsageChanged event_id run_id_of"
    ),
    "engine.domain.dates": "shown stated",
    "engine.domain.facts": (
        "EVENT_KINDS LONG_AGO Actor EventKind FactStatus Span Stated TimeBasis"
    ),
    "engine.domain.knowledge": (
        "DEFAULT_DATASET REMEMBER_MOST_CHARS ArtifactInfo Certainty DatasetInfo EntitiesPage "
        "EntityFilter EntityInfo EntityPage FactEventInfo FactFilter FactHistory FactInfo "
        "FactsPage ForgetRequest Forgotten GivenFact ImportRequest "
        "PassageInfo QueryAnswer QueryRequest Rebuilt RememberFilter "
        "RememberKind RememberPage RememberRequest RememberRun RememberStatus Support "
        "session_of"
    ),
    "engine.domain.provenance": (
        "KnowledgeSession Provenance ProvenanceFact Temporal TemporalEvent"
    ),
    "engine.knowledge_contract": "KnowledgeBase",
    "engine.domain.run": (
        "DEFAULT_MAX_STEPS MOST_STEPS MOST_WORKING_PER_USER STATUSES TOPIC_MOST_CHARS "
        "Citation DocsFolder Run RunCounts RunDetails RunFilter RunId RunPage StartRequest State "
        "StateName Status"
    ),
    "engine.domain.sources": "CitedSource Passage",
    "engine.domain.text_safety": "clean one_line",
    "engine.domain.timing": "Timing",
    "engine.knowledge_documents": (
        "dataset_document entity_document entity_page_document fact_document "
        "forgotten_document history_document import_from provenance_document query_document "
        "query_from remember_document remember_from temporal_document"
    ),
    "engine.knowledge_relay": "RelayedKnowledge",
    "engine.logs": "JsonLines",
    "engine.manager.doctor": "examine_machine",
    "engine.manager.reading": "read_source",
    "engine.remote.session": "AttachedEngine",
    "engine.resources": "docs_dir",
    "engine.settings": (
        "DEFAULT_MODEL LOG_LEVELS OFFLINE_MODEL AppSettings Settings app_settings_at_once "
        "load_settings"
    ),
    "engine.wiring": "connect has_data join",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)
