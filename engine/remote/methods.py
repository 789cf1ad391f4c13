"""The calls that the owner answers over its socket: arguments in, the answer as a document out.

One line per method of the Engine protocol, so that a joined process sees exactly what it would see
inside. `watch` is not here: it answers more than once.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.contract import Engine
from engine.documents import (
    counts_document,
    details_document,
    page_document,
    read,
    run_document,
    written,
)
from engine.domain.run import RunFilter, RunId, StartRequest
from engine.remote.knowledge_methods import (
    KNOWLEDGE_CHANGING,
    KNOWLEDGE_METHODS,
    Arguments,
    KnowledgeMethod,
)

Method: TypeAlias = Callable[[Engine, Arguments], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class OfRun:
    """Which run, for whom (None: anybody's), and who asks for its end."""

    run_id: RunId
    user: str | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class OfCitation:
    """Which source of which run's report."""

    run_id: RunId
    n: int
    user: str | None = None


@dataclass(frozen=True, slots=True)
class OfWatch:
    """One run; None for all."""

    run_id: RunId | None = None


@dataclass(frozen=True, slots=True)
class OfUser:
    user: str | None = None


@dataclass(frozen=True, slots=True)
class OfAgent:
    name: str


@dataclass(frozen=True, slots=True)
class OfSchedule:
    agent: str
    paused: bool = False


@dataclass(frozen=True, slots=True)
class OfSource:
    source: str
    full: bool = False


async def _start(engine: Engine, given: Arguments) -> Any:
    return run_document(await engine.start(request_of(given)))


async def _get(engine: Engine, given: Arguments) -> Any:
    asked = read(OfRun, given)
    return details_document(await engine.get(asked.run_id, user=asked.user))


async def _list(engine: Engine, given: Arguments) -> Any:
    return page_document(await engine.list(read(RunFilter, given)))


async def _counts(engine: Engine, given: Arguments) -> Any:
    return counts_document(await engine.counts(user=read(OfUser, given).user))


async def _report(engine: Engine, given: Arguments) -> Any:
    asked = read(OfRun, given)
    return await engine.report(asked.run_id, user=asked.user)


async def _costs(engine: Engine, given: Arguments) -> Any:
    asked = read(OfRun, given)
    return written(await engine.costs(asked.run_id, user=asked.user))


async def _source(engine: Engine, given: Arguments) -> Any:
    asked = read(OfCitation, given)
    return written(await engine.source(asked.run_id, asked.n, user=asked.user))


async def _stop(engine: Engine, given: Arguments) -> Any:
    asked = read(OfRun, given)
    return run_document(await engine.stop(asked.run_id, by=asked.by, user=asked.user))


async def _wrap_up(engine: Engine, given: Arguments) -> Any:
    asked = read(OfRun, given)
    return run_document(await engine.wrap_up(asked.run_id, by=asked.by, user=asked.user))


async def _agents(engine: Engine, _: Arguments) -> Any:
    return [written(agent) for agent in await engine.agents()]


async def _agent(engine: Engine, given: Arguments) -> Any:
    return written(await engine.agent(read(OfAgent, given).name))


async def _agents_read(engine: Engine, _: Arguments) -> Any:
    return written(await engine.agents_read())


async def _reload_agents(engine: Engine, _: Arguments) -> Any:
    return written(await engine.reload_agents())


async def _schedules(engine: Engine, _: Arguments) -> Any:
    return written(await engine.schedules())


async def _pause_schedule(engine: Engine, given: Arguments) -> Any:
    asked = read(OfSchedule, given)
    return written(await engine.pause_schedule(asked.agent, paused=asked.paused))


async def _run_schedule(engine: Engine, given: Arguments) -> Any:
    return run_document(await engine.run_schedule(read(OfSchedule, given).agent))


async def _read(engine: Engine, given: Arguments) -> Any:
    asked = read(OfSource, given)
    return written(await engine.read(asked.source, full=asked.full))


async def _doctor(engine: Engine, _: Arguments) -> Any:
    return [written(check) for check in await engine.doctor()]


def _of_knowledge(method: KnowledgeMethod) -> Method:
    async def answer(engine: Engine, given: Arguments) -> Any:
        return await method(engine.knowledge, given)

    return answer


METHODS: Mapping[str, Method] = {
    "start": _start,
    "get": _get,
    "list": _list,
    "counts": _counts,
    "report": _report,
    "costs": _costs,
    "source": _source,
    "stop": _stop,
    "wrap_up": _wrap_up,
    "agents": _agents,
    "agent": _agent,
    "agents_read": _agents_read,
    "reload_agents": _reload_agents,
    "schedules": _schedules,
    "pause_schedule": _pause_schedule,
    "run_schedule": _run_schedule,
    "read": _read,
    "doctor": _doctor,
    **{name: _of_knowledge(method) for name, method in KNOWLEDGE_METHODS.items()},
}

CHANGING = KNOWLEDGE_CHANGING | {"start", "stop", "wrap_up", "pause_schedule", "run_schedule"}
"""Carried out to the end even when the caller has gone, and never repeated by a caller."""


def request_of(given: Arguments) -> StartRequest:
    """The request as it was given: what is wrong with it is for whoever starts it to say."""
    renamed = {"user" if name == "user_id" else name: value for name, value in given.items()}
    return read(StartRequest, renamed)
