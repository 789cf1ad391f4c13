"""Plays a stored run back: replies from its steps, tool results from its calls, no network."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from engine.agent.agent import Agent
from engine.agent.tool import Tool
from engine.domain.errors import NotFound, Problem, UserError
from engine.domain.exchange import Reading
from engine.domain.knowledge import QueryAnswer, RememberRun
from engine.domain.run import RunId, Snapshot, StoredCall, StoredStep
from engine.limits.caps import closing_sentence
from engine.llm.model import Answering
from engine.manager.outfit import agent_of, own_tools
from engine.manager.spec import RunSpec, from_json
from engine.manager.steering import NOT_EARLY, Closing
from engine.store import journal as rows
from engine.store import runs, snapshots
from engine.store.database import Database, Reader
from engine.tools.recorded import RecordedAnswer, RecordedAnswers, recorded_tool
from engine.web.page import Page
from engine.web.search import Query, SearchOutcome


@dataclass(frozen=True, slots=True)
class Recording:
    """A stored run: what it was started with, what was answered, what its tools gave."""

    spec: RunSpec
    steps: tuple[StoredStep, ...]
    answers: RecordedAnswers
    closing: Closing = NOT_EARLY
    """What was said of its early end, if it had one."""


async def load_recording(database: Database, run_id: RunId, *, user: str) -> Recording:
    """Raises NotFound for a run that is not there or not the user's."""
    async with database.reading() as reader:
        run = await runs.get(reader, run_id)
        if run is None or run.user_id != user:
            raise NotFound(f"no run {run_id}")
        spec = await runs.spec(reader, run_id)
        if spec is None:
            raise NotFound(f"run {run_id} cannot be replayed: it has no spec")
        steps = await rows.steps(reader, run_id)
        answers = await _answers(reader, await rows.calls(reader, run_id))
    closing = Closing(closing_sentence(run.report), run.stop_reason)
    return Recording(from_json(spec), steps, answers, closing)


def topic_of(recording: Recording, given: str) -> str:
    """The recorded topic; another one given with it is a problem."""
    topic = recording.spec.topic
    if given.strip() and given.strip() != topic.strip():
        what = f"a recorded run keeps its own topic, {topic!r}: leave the topic out"
        raise UserError(Problem("topic", what))
    return topic


@asynccontextmanager
async def replaying_agent(
    recording: Recording, model: Answering, extra_tools: tuple[Tool[Any], ...] = ()
) -> AsyncIterator[Agent]:
    """The recorded run's agent: the same tools to the model, answering from the recording."""
    tools = (*own_tools(recording.spec, _NoSearch(), _NoReader(), _NoKnowledge()), *extra_tools)
    told = tuple(recorded_tool(tool, recording.answers) for tool in tools)
    yield agent_of(recording.spec, model, told)


async def _answers(reader: Reader, calls: Sequence[StoredCall]) -> RecordedAnswers:
    return {(call.step, call.ord): await _answer(reader, call) for call in calls}


async def _answer(reader: Reader, call: StoredCall) -> RecordedAnswer:
    snapshot = await snapshots.get(reader, call.snapshot_id) if call.snapshot_id else None
    read = _reading(call, snapshot) if snapshot else None
    return RecordedAnswer(call.result or "", call.is_error, read)


def _reading(call: StoredCall, snapshot: Snapshot) -> Reading:
    return Reading(
        url=call.url or "",
        final_url=call.final_url or "",
        media_type=snapshot.media_type,
        title=snapshot.title,
        text=snapshot.text,
    )


class _NoSearch:
    """Stands where a provider would: a recorded tool never asks it."""

    name = "recorded"

    async def search(self, query: Query) -> SearchOutcome:
        raise AssertionError(f"a replay searched for {query.text!r}")


class _NoKnowledge:
    """Stands where a knowledge base would: a replay adds nothing and asks nothing."""

    async def remember(self, text: str, *, source: str = "", wait: bool = False) -> RememberRun:
        raise AssertionError(f"a replay remembered {text!r} of {source!r} (waiting: {wait})")

    async def query(self, question: str) -> QueryAnswer:
        raise AssertionError(f"a replay asked {question!r}")


class _NoReader:
    """Stands where a page reader would: a recorded tool never asks it."""

    async def read(self, url: str) -> Page:
        raise AssertionError(f"a replay read {url!r}")

    async def aclose(self) -> None: ...
