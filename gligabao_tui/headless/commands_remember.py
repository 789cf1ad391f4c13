"""`remember`, `knowledge retry` and `facts import`: texts and facts on their way into the knowledge
base.

A text is on the disk before anything is printed; whoever owns the data stays until its facts are
there, and a text that is left waiting is absorbed by the next process that owns the data.
"""

import json
import sys
from pathlib import Path

from engine.api import (
    AttachedEngine,
    ImportRequest,
    KnowledgeBase,
    Problem,
    RememberRequest,
    RememberRun,
    UserError,
    clean,
    import_from,
    remember_document,
)
from gligabao_tui.headless.asking import whole_input
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.knowledge_words import run_words
from gligabao_tui.headless.options_knowledge import ImportOptions, RememberOptions, RetryOptions
from gligabao_tui.headless.output import show, show_line, show_object, tell
from gligabao_tui.headless.running import Running
from gligabao_tui.view.formatting import count_of

STDIN = "-"
LEAVE_IT = "Ctrl-C leaves the text in the queue"


async def remember(running: Running, options: RememberOptions) -> ExitCode:
    text = await _text(options.text)
    request = RememberRequest(
        user=running.settings.user,
        text=text,
        source=options.source,
        dataset=options.dataset,
        date=options.date,
    )
    async with running.engine(stay=True) as engine:
        run = await engine.knowledge.remember(request)
        return await _stay_with(run, engine, as_json=options.json, to_the_end=options.sync)


async def retry(running: Running, options: RetryOptions) -> ExitCode:
    async with running.engine(stay=True) as engine:
        run = await engine.knowledge.retry_remember(options.id, user=running.settings.user)
        return await _stay_with(run, engine, as_json=options.json, to_the_end=False)


async def import_facts(running: Running, options: ImportOptions) -> ExitCode:
    """Every line that is sound is imported, whatever is wrong with others."""
    content = await _lines(options.file)
    importing = _Importing(running, options)
    async with running.engine(stay=True) as engine:
        for number, line in enumerate(content.splitlines(), start=1):
            if line.strip():
                await importing.take(number, line, engine.knowledge)
    importing.tell_sum()
    return ExitCode.FAILED if importing.failed else ExitCode.DONE


async def _text(given: str) -> str:
    if given != STDIN:
        return clean(given)
    return (await whole_input("the text")).decode("utf-8", "replace")


async def _stay_with(
    run: RememberRun, engine: AttachedEngine, *, as_json: bool, to_the_end: bool
) -> ExitCode:
    """Print the run at once, or with `to_the_end` the ended one; the exit code is its own."""
    if not to_the_end:
        _show(run, as_json=as_json)
    if _is_open(run) and (to_the_end or engine.owned):
        if sys.stderr.isatty():
            tell(f"{run_words(run)}; {LEAVE_IT}" if to_the_end else LEAVE_IT)
        run = await engine.knowledge.remember_settled(run.id)
        if not to_the_end:
            tell(run_words(run))
    if to_the_end:
        _show(run, as_json=as_json)
    failed = run.status == "failed" or (to_the_end and _is_open(run))
    return ExitCode.FAILED if failed else ExitCode.DONE


def _is_open(run: RememberRun) -> bool:
    return run.status in ("queued", "running")


def _show(run: RememberRun, *, as_json: bool) -> None:
    if as_json:
        show_object(remember_document(run))
    else:
        show(run_words(run))


class _Importing:
    """What came of the lines so far."""

    def __init__(self, running: Running, options: ImportOptions) -> None:
        self._user = running.settings.user
        self._options = options
        self._done: list[RememberRun] = []
        self.failed = 0

    async def take(self, number: int, line: bytes, known: KnowledgeBase) -> None:
        try:
            run = await known.import_facts(self._request(line))
        except UserError as error:
            self.failed += 1
            for problem in error.problems:
                tell(f"line {number}: {problem}")
            return
        self._done.append(run)
        if run.status == "failed":
            self.failed += 1
            tell(f"line {number}: {run_words(run)}")
        if self._options.json:
            show_line(remember_document(run))

    def tell_sum(self) -> None:
        facts, new = sum(run.facts for run in self._done), sum(run.facts_new for run in self._done)
        texts = count_of(len(self._done), "text", "texts")
        told = f"{texts} with {count_of(facts, 'fact', 'facts')} ({new} new)"
        left = f"; {count_of(self.failed, 'line', 'lines')} failed" if self.failed else ""
        whole = f"imported into {self._options.dataset}: {told}{left}"
        tell(whole) if self._options.json else show(whole)

    def _request(self, line: bytes) -> ImportRequest:
        try:
            document = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as exc:
            raise UserError(Problem("", f"is not JSON: {exc}")) from exc
        return import_from(document, user=self._user, dataset=self._options.dataset)


async def _lines(given: str) -> bytes:
    if given == STDIN:
        return await whole_input("the facts, a JSON object a line")
    return _file(given)


def _file(given: str) -> bytes:
    try:
        return Path(given).expanduser().read_bytes()
    except OSError as exc:
        raise UserError(Problem(given, f"cannot be read: {exc.strerror or exc}")) from exc
