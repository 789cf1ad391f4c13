"""The calls about the knowledge base that the owner answers over its socket.

One line per method of `engine.knowledge_contract.KnowledgeBase`: arguments in, the answer as a
document out.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.domain.json_values import read, written
from engine.domain.knowledge import (
    EntityFilter,
    FactFilter,
    ForgetRequest,
    ImportRequest,
    QueryRequest,
    RememberFilter,
    RememberRequest,
)
from engine.domain.run import RunId
from engine.knowledge_contract import KnowledgeBase

Arguments: TypeAlias = dict[str, Any]
KnowledgeMethod: TypeAlias = Callable[[KnowledgeBase, Arguments], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class OfNumber:
    """Which fact, entity or remembered text, for whom (None: anybody's)."""

    number: int
    user: str | None = None


@dataclass(frozen=True, slots=True)
class OfOwner:
    """Whose datasets; None: anybody's."""

    user: str | None = None


@dataclass(frozen=True, slots=True)
class OfSubject:
    """Which run, with or without its sub-agents."""

    run_id: RunId
    include_subagents: bool = False
    user: str | None = None


async def _remember(known: KnowledgeBase, given: Arguments) -> Any:
    """Never waits: who waits asks for `remember_settled`, and may go away."""
    return written(await known.remember(read(RememberRequest, given)))


async def _remember_run(known: KnowledgeBase, given: Arguments) -> Any:
    asked = read(OfNumber, given)
    return written(await known.remember_run(asked.number, user=asked.user))


async def _remember_settled(known: KnowledgeBase, given: Arguments) -> Any:
    asked = read(OfNumber, given)
    return written(await known.remember_settled(asked.number, user=asked.user))


async def _remember_runs(known: KnowledgeBase, given: Arguments) -> Any:
    return written(await known.remember_runs(read(RememberFilter, given)))


async def _retry_remember(known: KnowledgeBase, given: Arguments) -> Any:
    asked = read(OfNumber, given)
    return written(await known.retry_remember(asked.number, user=asked.user))


async def _query(known: KnowledgeBase, given: Arguments) -> Any:
    return written(await known.query(read(QueryRequest, given)))


async def _rebuild(known: KnowledgeBase, given: Arguments) -> Any:
    return [written(one) for one in await known.rebuild(user=read(OfOwner, given).user)]


async def _datasets(known: KnowledgeBase, given: Arguments) -> Any:
    return [written(info) for info in await known.datasets(user=read(OfOwner, given).user)]


async def _facts(known: KnowledgeBase, given: Arguments) -> Any:
    return written(await known.facts(read(FactFilter, given)))


async def _fact(known: KnowledgeBase, given: Arguments) -> Any:
    asked = read(OfNumber, given)
    return written(await known.fact(asked.number, user=asked.user))


async def _entities(known: KnowledgeBase, given: Arguments) -> Any:
    return written(await known.entities(read(EntityFilter, given)))


async def _entity(known: KnowledgeBase, given: Arguments) -> Any:
    asked = read(OfNumber, given)
    return written(await known.entity(asked.number, user=asked.user))


async def _import_facts(known: KnowledgeBase, given: Arguments) -> Any:
    return written(await known.import_facts(read(ImportRequest, given)))


async def _forget(known: KnowledgeBase, given: Arguments) -> Any:
    return written(await known.forget(read(ForgetRequest, given)))


async def _provenance(known: KnowledgeBase, given: Arguments) -> Any:
    asked = read(OfSubject, given)
    found = await known.provenance(
        asked.run_id, include_subagents=asked.include_subagents, user=asked.user
    )
    return written(found)


async def _temporal(known: KnowledgeBase, given: Arguments) -> Any:
    asked = read(OfSubject, given)
    found = await known.temporal(
        asked.run_id, include_subagents=asked.include_subagents, user=asked.user
    )
    return written(found)


async def _remember_temporal(known: KnowledgeBase, given: Arguments) -> Any:
    asked = read(OfNumber, given)
    return written(await known.remember_temporal(asked.number, user=asked.user))


KNOWLEDGE_METHODS: Mapping[str, KnowledgeMethod] = {
    "remember": _remember,
    "remember_run": _remember_run,
    "remember_settled": _remember_settled,
    "remember_runs": _remember_runs,
    "retry_remember": _retry_remember,
    "query": _query,
    "datasets": _datasets,
    "rebuild_facts": _rebuild,
    "facts": _facts,
    "fact": _fact,
    "entities": _entities,
    "entity": _entity,
    "import_facts": _import_facts,
    "forget": _forget,
    "provenance": _provenance,
    "temporal": _temporal,
    "remember_temporal": _remember_temporal,
}

KNOWLEDGE_CHANGING = frozenset({"remember", "retry_remember", "import_facts", "forget"})
"""A question is not among them: it costs money, so it is given up when nobody waits for the answer
any more; it is not repeated either, which its caller sees to."""
