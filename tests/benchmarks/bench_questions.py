"""Scores the offline model's reports on questions with known facts; run by hand, never a test.

    python -m tests.benchmarks.bench_questions --docs sqlite=DIR --docs postgresql=DIR
    python -m tests.benchmarks.bench_questions --set grown --docs python=DIR --docs git=DIR ...

Prints per question what is missing, how its quotations were checked, and the CPU time that
`decide` took in all; then the score.
"""

import argparse
import asyncio
import re
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.agent.calling import call_tool, parse_call
from engine.agent.tool import Tool, ToolContext
from engine.domain.blocks import Message, ToolUse, tool_result_block, user_message
from engine.domain.exchange import AUTO, NO_TOOLS, Request, ToolSpec
from engine.domain.run import DEFAULT_MAX_STEPS, DocsFolder, RunId
from engine.evidence.check import check, quotations
from engine.offline.policy import decide
from engine.offline.quoting import unescaped
from engine.tools.fetch_page import fetch_tool
from engine.tools.web_search import web_search_tool
from engine.web.providers.docs import DocsLibrary, DocsSearch
from engine.web.providers.docs_reader import DocsReader
from tests.benchmarks.fresh_questions import GROWN, HELD
from tests.benchmarks.questions import EXTRA, LATE, PARAPHRASED, QUESTIONS, Asked, Must

SETS = {
    "given": QUESTIONS,
    "extra": EXTRA,
    "late": LATE,
    "paraphrased": PARAPHRASED,
    "grown": GROWN,
    "held": HELD,
}
MOST_NEAREST = 3
_SPACE = re.compile(r" (?!\?)")
_LINK = re.compile(r"\[\d+\]\(([^)\s]+)#chars=\d+-\d+\)")


@dataclass(frozen=True, slots=True)
class Answer:
    """One report, what it read, and what it took."""

    report: str
    texts: Mapping[str, str]
    """Address -> the whole text that was read."""
    steps: int
    cpu_seconds: float
    trace: tuple[str, ...]


async def answer(topic: str, library: DocsLibrary, *, max_steps: int = DEFAULT_MAX_STEPS) -> Answer:
    """The report of the offline model on `topic`, through the real tools."""
    tools: list[Tool[Any]] = [
        web_search_tool(DocsSearch(library)),
        fetch_tool(DocsReader(library)),
    ]
    specs = tuple(ToolSpec(tool.name, tool.description, {}) for tool in tools)
    messages: list[Message] = [user_message(topic)]
    texts: dict[str, str] = {}
    trace: list[str] = []
    cpu = 0.0
    for step in range(1, max_steps + 1):
        choice = NO_TOOLS if step == max_steps else AUTO
        request = Request("agent", "offline", "", tuple(messages), specs, choice)
        began = time.process_time()
        reply = decide(request)
        cpu += time.process_time() - began
        if not reply.tool_uses:
            return Answer(reply.text, texts, step, cpu, tuple(trace))
        messages.append(Message("assistant", reply.content))
        results = [await _result(tools, use, texts) for use in reply.tool_uses]
        messages.append(Message("user", tuple(results)))
        trace += [f"{step} {use.name} {dict(use.input)}" for use in reply.tool_uses]
    raise AssertionError("the last step is answered without tools")


async def _result(tools: Sequence[Tool[Any]], use: ToolUse, texts: dict[str, str]) -> Any:
    context = ToolContext(RunId(1), "bench", 1, 1, attempts=None)  # type: ignore[arg-type]  # unused
    result = await call_tool(parse_call(tools, use), context)
    if result.read is not None:
        texts[result.read.final_url] = result.read.text
    return tool_result_block(use.id, result.text, is_error=result.is_error)


def faults(asked: Asked, report: str) -> list[str]:
    """What a good report on this question has and this one has not."""
    found = [must.pattern for must in asked.musts if not _holds(must, report)]
    if asked.is_absent:
        found += ["no banner that nothing was found"] if "**Not found.**" not in report else []
        found += ["too many quotations"] if len(quotations(report)) > MOST_NEAREST else []
    if asked.section and f"## {asked.section}" not in report:
        found.append(f"no section {asked.section!r}")
    return found


def _holds(must: Must, report: str) -> bool:
    pattern = _pattern(must)
    lines = report.partition("\n## Sources\n")[0].splitlines()
    if not must.page:
        return any(pattern.search(line) for line in lines)
    page = re.compile(f"{must.page}$")
    return any(
        pattern.search(_plain(line))
        for line in lines
        if any(page.search(address) for address in _LINK.findall(line))
    )


def _pattern(must: Must) -> re.Pattern[str]:
    return re.compile(_SPACE.sub(r"\\s+", must.pattern), re.IGNORECASE)


def _plain(line: str) -> str:
    return unescaped(_LINK.sub("", line))


def leads_with_fact(asked: Asked, report: str) -> bool:
    """Whether the closest quotation, with what stands right below it, holds a fact asked for."""
    opening = report.partition("**Closest quotation:**")[2].partition("\n## ")[0]
    return any(_pattern(must).search(_plain(opening)) for must in asked.musts)


def verdicts(found: Answer) -> Counter[str]:
    """How the quotations of a report were checked."""
    return Counter(
        check(quotation, found.texts.get(quotation.address, ""))
        for quotation in quotations(found.report)
    )


async def score(questions: Sequence[Asked], library: DocsLibrary) -> None:
    passed, leading, cpu, checked = 0, 0, 0.0, Counter[str]()
    for number, asked in enumerate(questions, start=1):
        found = await answer(asked.question, library)
        missing = faults(asked, found.report)
        of_report = verdicts(found)
        passed += not missing
        leading += asked.is_absent or leads_with_fact(asked, found.report)
        cpu += found.cpu_seconds
        checked += of_report
        told = "pass" if not missing else f"FAIL {missing}"
        print(
            f"{number:2d} {found.steps} steps {found.cpu_seconds:.2f} s {len(found.report)} chars "
            f"{dict(of_report)} {asked.question[:60]}: {told}"
        )
    share = checked["exact"] / max(1, checked.total())
    print(
        f"{passed} of {len(questions)} pass, {leading} open with a fact; "
        f"{checked.total()} quotations, {share:.1%} exact, {checked['missing']} missing; "
        f"{cpu / len(questions):.2f} s CPU a report"
    )


async def main(arguments: argparse.Namespace) -> None:
    folders = [DocsFolder(*given.split("=", 1)) for given in arguments.docs]
    with tempfile.TemporaryDirectory() as temporary:
        library = await DocsLibrary.open(folders, Path(arguments.index or temporary))
        for topic in arguments.ask:
            found = await answer(topic, library, max_steps=arguments.max_steps)
            print("\n".join([*found.trace, found.report, str(dict(verdicts(found)))]))
        if not arguments.ask:
            for name in arguments.set or ["given", "extra"]:
                print(f"== {name}")
                await score(SETS[name], library)


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", action="append", required=True, metavar="NAME=DIR")
    parser.add_argument("--set", action="append", choices=sorted(SETS))
    parser.add_argument("--index", default="", help="keep the index here between calls")
    parser.add_argument("--ask", action="append", default=[], help="show the report on this topic")
    parser.add_argument("--max-steps", type=int, default=DEFAULT_MAX_STEPS)
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_parsed()))
