"""The model that needs no language model: searches, reads and quotes by word statistics.

`decide` is pure: it sees what any model sees and nothing else, so that a resumed or replayed run
decides the same. It never raises, whatever a conversation holds.
"""

from collections.abc import Sequence

from engine.domain.blocks import Block, text_block
from engine.domain.exchange import Reply, Request, ToolSpec
from engine.domain.usage import Usage
from engine.offline.conversation import READERS, REMEMBER, SEARCH, Seen, seen
from engine.offline.findings import findings
from engine.offline.library import library
from engine.offline.plan import Call, next_calls
from engine.offline.question import understood
from engine.offline.remembering import Snippet, snippets
from engine.offline.report import report

MODEL = "offline"


def decide(request: Request) -> Reply:
    """The next reply: tool calls while there is something to look up, then one turn that remembers
    what will be quoted, then the report.

    With `tool_choice` none or without usable tools the report is written from what is there.
    """
    told = seen(request)
    usable = _usable(request)
    question = understood(told.topic)
    read = library(told)
    calls = [] if told.has_remembered else next_calls(question, read, told, usable)
    if calls:
        return _calling([(call.tool, _input(call)) for call in calls], told)
    found = findings(read, question, told)
    if REMEMBER in usable and not told.has_remembered and (kept := snippets(found)):
        return _calling([(REMEMBER, _kept(one)) for one in kept], told)
    return _reply([text_block(report(question.topic, read, found, told))], "end_turn")


def _usable(request: Request) -> frozenset[str]:
    """The tools that this policy knows and may call now."""
    if request.tool_choice.kind == "none":
        return frozenset()
    offered = {tool.name for tool in request.tools if isinstance(tool, ToolSpec)}
    known = offered & {SEARCH, REMEMBER, *READERS}
    if request.tool_choice.kind == "tool":
        return frozenset(known & {request.tool_choice.name})
    return frozenset(known)


def _calling(calls: Sequence[tuple[str, dict[str, object]]], told: Seen) -> Reply:
    step = len(told.turns) + 1
    uses: list[Block] = [
        {"type": "tool_use", "id": f"offline_{step}_{place}", "name": name, "input": given}
        for place, (name, given) in enumerate(calls, start=1)
    ]
    return _reply(uses, "tool_use")


def _kept(one: Snippet) -> dict[str, object]:
    return {"text": one.text, "source": one.source}


def _input(call: Call) -> dict[str, object]:
    if call.tool == SEARCH:
        return {"query": call.what}
    return {"url": call.what, "from": call.start} if call.start else {"url": call.what}


def _reply(content: Sequence[Block], stop_reason: str) -> Reply:
    return Reply(content=tuple(content), stop_reason=stop_reason, usage=Usage(), model=MODEL)
