"""`query`, `facts`, `forget` and `knowledge ...`: what is known, and taking it back."""

from datetime import UTC, datetime
from typing import get_args

from engine.api import (
    EntityFilter,
    EntityInfo,
    FactFilter,
    ForgetRequest,
    KnowledgeBase,
    NotFound,
    Problem,
    QueryRequest,
    RememberFilter,
    RememberStatus,
    RunId,
    UserError,
    dataset_document,
    entity_document,
    entity_page_document,
    fact_document,
    forgotten_document,
    history_document,
    query_document,
    remember_document,
)
from gligabao_tui.headless.asking import NoTerminal, agreed
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.knowledge_words import (
    answer_words,
    datasets_table,
    entities_table,
    entity_words,
    facts_table,
    forgotten_words,
    history_words,
    queue_table,
)
from gligabao_tui.headless.options import OutputOptions
from gligabao_tui.headless.options_knowledge import (
    EntitiesOptions,
    EntityOptions,
    FactOptions,
    FactsOptions,
    ForgetOptions,
    QueryOptions,
    QueueOptions,
)
from gligabao_tui.headless.output import show, show_line, show_object, tell
from gligabao_tui.headless.running import Running
from gligabao_tui.headless.words import room
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.text import flat

NEAREST_NAMES = 5


async def query(running: Running, options: QueryOptions) -> ExitCode:
    request = QueryRequest(
        user=running.settings.user,
        question=options.question,
        dataset=options.dataset,
        as_of=options.as_of,
        top=options.top,
    )
    async with running.engine(stay=True) as engine:
        answer = await engine.knowledge.query(request)
        if options.json:
            show_object(query_document(answer))
        else:
            show("\n".join(answer_words(answer, cells=room())))
    return ExitCode.DONE


async def facts(running: Running, options: FactsOptions) -> ExitCode:
    which = FactFilter(
        user=running.settings.user,
        dataset=options.dataset,
        about=options.about,
        relation=options.relation,
        as_of=options.as_of,
        known_at=options.known_at,
        run_id=None if options.run is None else RunId(options.run),
        limit=options.limit,
    )
    async with running.engine(stay=False) as engine:
        page = await engine.knowledge.facts(which)
    if options.json:
        for fact in page.facts:
            show_line(fact_document(fact))
    elif page.facts:
        lines = facts_table(page.facts, cells=room(), with_certainty=bool(options.as_of))
        show("\n".join(lines))
    else:
        tell("no facts")
    _tell_more(page.next_cursor, options.limit)
    return ExitCode.DONE


async def forget(running: Running, options: ForgetOptions) -> ExitCode:
    """Shows what would go and asks, unless `--yes` has answered before."""
    if (options.artifact is None) == (not options.source.strip()):
        raise UserError(Problem("", "say which text: ARTIFACT, its number, or --source URL"))
    user = running.settings.user
    asked = ForgetRequest(user, options.artifact, options.source, is_trial=True)
    certain = ForgetRequest(user, options.artifact, options.source)
    async with running.engine(stay=True) as engine:
        if not options.yes:
            would_go = await engine.knowledge.forget(asked)
            tell("\n".join(forgotten_words(would_go, is_trial=True)))
            if not await _is_sure():
                tell("nothing was forgotten")
                return ExitCode.FAILED
        gone = await engine.knowledge.forget(certain)
    if options.json:
        show_object(forgotten_document(gone))
    else:
        show("\n".join(forgotten_words(gone, is_trial=False)))
    return ExitCode.DONE


async def datasets(running: Running, options: OutputOptions) -> ExitCode:
    async with running.engine(stay=False) as engine:
        found = await engine.knowledge.datasets(user=running.settings.user)
    if options.json:
        for dataset in found:
            show_line(dataset_document(dataset))
    elif found:
        show("\n".join(datasets_table(found, cells=room())))
    else:
        tell("nothing has been remembered yet: `gligabao remember TEXT` does")
    return ExitCode.DONE


async def check(running: Running, options: OutputOptions) -> ExitCode:
    """The exit code is 1 when something had to be mended."""
    async with running.engine(stay=False) as engine:
        found = await engine.knowledge.rebuild(user=running.settings.user)
    for one in found:
        if options.json:
            show_line({"dataset": one.dataset, "facts": one.facts, "mended": one.mended})
        else:
            told = f"{one.mended} mended" if one.mended else "all stand as their history says"
            show(f"{one.dataset}: {count_of(one.facts, 'fact', 'facts')}, {told}")
    if not found and not options.json:
        tell("nothing has been remembered yet: `gligabao remember TEXT` does")
    return ExitCode.FAILED if any(one.mended for one in found) else ExitCode.DONE


async def queue(running: Running, options: QueueOptions) -> ExitCode:
    which = RememberFilter(
        user=running.settings.user,
        dataset=options.dataset,
        status=_status(options.status),
        run_id=None if options.run is None else RunId(options.run),
        limit=options.limit,
    )
    async with running.engine(stay=False) as engine:
        page = await engine.knowledge.remember_runs(which)
    if options.json:
        for run in page.runs:
            show_line(remember_document(run))
    elif page.runs:
        show("\n".join(queue_table(page.runs, datetime.now(UTC), cells=room())))
    else:
        tell("no texts")
    _tell_more(page.next_cursor, options.limit)
    return ExitCode.DONE


async def entities(running: Running, options: EntitiesOptions) -> ExitCode:
    user = running.settings.user
    which = EntityFilter(user, options.dataset, options.text, options.limit)
    async with running.engine(stay=False) as engine:
        page = await engine.knowledge.entities(which)
    if options.json:
        for entity in page.entities:
            show_line(entity_document(entity))
    elif page.entities:
        show("\n".join(entities_table(page.entities, cells=room())))
    else:
        tell("no entities")
    _tell_more(page.next_cursor, options.limit)
    return ExitCode.DONE


async def entity(running: Running, options: EntityOptions) -> ExitCode:
    """In every dataset that has one of this name. Raises NotFound, with names that are near."""
    user = running.settings.user
    async with running.engine(stay=False) as engine:
        known = engine.knowledge
        named = await _named(known, EntityFilter(user, options.dataset, options.name, 500))
        pages = [await known.entity(one.id, user=user) for one in named]
    if options.json:
        for page in pages:
            show_line(entity_page_document(page))
    else:
        show("\n\n".join("\n".join(entity_words(page, cells=room())) for page in pages))
    return ExitCode.DONE


async def fact(running: Running, options: FactOptions) -> ExitCode:
    async with running.engine(stay=False) as engine:
        history = await engine.knowledge.fact(options.id, user=running.settings.user)
    if options.json:
        show_object(history_document(history))
    else:
        show("\n".join(history_words(history, cells=room())))
    return ExitCode.DONE


async def _named(known: KnowledgeBase, which: EntityFilter) -> list[EntityInfo]:
    """Those that are called so; one that only another name of it finds counts where it is the
    only one."""
    found = (await known.entities(which)).entities
    exact = [one for one in found if one.name.casefold() == which.text.casefold()]
    if exact or len(found) == 1:
        return exact or list(found)
    near = ", ".join(flat(one.name) for one in found[:NEAREST_NAMES])
    hint = f"; there is {near}" if near else ""
    raise NotFound(f'no entity is called "{which.text}"{hint}')


async def _is_sure() -> bool:
    try:
        return await agreed("forget this? It cannot be undone. [y/N] ")
    except NoTerminal:
        told = "is needed where there is no terminal to ask on: nothing was forgotten"
        raise UserError(Problem("--yes", told)) from None


def _status(given: str | None) -> RememberStatus | None:
    words: tuple[RememberStatus, ...] = get_args(RememberStatus)
    if given is None:
        return None
    for word in words:
        if word == given:
            return word
    raise UserError(Problem("--status", f'"{given}" must be one of {", ".join(words)}'))


def _tell_more(cursor: str, limit: int) -> None:
    if cursor:
        tell(f"there are more than {limit}: see them with --limit, 500 at most")
