"""`gligabao remember | query | facts | forget | knowledge`: where each of them is carried out.

As `cli`: nothing but typer is imported before a command runs.
"""

from functools import partial

import typer

from gligabao_tui.headless.carrying import EPILOG, carry_out
from gligabao_tui.headless.options import OutputOptions, taking
from gligabao_tui.headless.options_knowledge import (
    EntitiesOptions,
    EntityOptions,
    FactOptions,
    FactsOptions,
    ForgetOptions,
    ImportOptions,
    QueryOptions,
    QueueOptions,
    RememberOptions,
    RetryOptions,
)

program = typer.Typer()
"""Its commands become the program's own."""
facts = typer.Typer(
    help="List facts with their dates; import facts.",
    epilog=EPILOG,
    rich_markup_mode=None,
)
knowledge = typer.Typer(
    help="Look into the knowledge base: datasets, texts, entities, facts.",
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
)


def add_knowledge(to: typer.Typer) -> None:
    to.registered_commands += program.registered_commands
    to.add_typer(facts, name="facts")
    to.add_typer(knowledge, name="knowledge")


@facts.callback(invoke_without_command=True, epilog=EPILOG)
@taking(FactsOptions)
def list_facts(context: typer.Context, options: FactsOptions) -> None:
    """List facts with their dates; import facts."""
    from gligabao_tui.headless import commands_knowledge

    if context.invoked_subcommand is None:
        carry_out(context, partial(commands_knowledge.facts, options=options))


@program.command("remember", epilog=EPILOG)
@taking(RememberOptions)
def remember(context: typer.Context, options: RememberOptions) -> None:
    """Store a text; its facts are extracted in the background."""
    from gligabao_tui.headless import commands_remember

    carry_out(context, partial(commands_remember.remember, options=options))


@program.command("query", epilog=EPILOG)
@taking(QueryOptions)
def query(context: typer.Context, options: QueryOptions) -> None:
    """Answer a question from the stored facts."""
    from gligabao_tui.headless import commands_knowledge

    carry_out(context, partial(commands_knowledge.query, options=options))


@program.command("forget", epilog=EPILOG)
@taking(ForgetOptions)
def forget(context: typer.Context, options: ForgetOptions) -> None:
    """Take a text back, with all that only it supports."""
    from gligabao_tui.headless import commands_knowledge

    carry_out(context, partial(commands_knowledge.forget, options=options))


@facts.command("import", epilog=EPILOG)
@taking(ImportOptions)
def import_facts(context: typer.Context, options: ImportOptions) -> None:
    """Store facts with their passages, without a model."""
    from gligabao_tui.headless import commands_remember

    carry_out(context, partial(commands_remember.import_facts, options=options))


@knowledge.command("ls", epilog=EPILOG)
@taking(OutputOptions)
def list_datasets(context: typer.Context, options: OutputOptions) -> None:
    """List the datasets."""
    from gligabao_tui.headless import commands_knowledge

    carry_out(context, partial(commands_knowledge.datasets, options=options))


@knowledge.command("check", epilog=EPILOG)
@taking(OutputOptions)
def check(context: typer.Context, options: OutputOptions) -> None:
    """Work out every fact anew from its history, and mend what stands otherwise."""
    from gligabao_tui.headless import commands_knowledge

    carry_out(context, partial(commands_knowledge.check, options=options))


@knowledge.command("queue", epilog=EPILOG)
@taking(QueueOptions)
def queue(context: typer.Context, options: QueueOptions) -> None:
    """List remembered texts, and what became of them."""
    from gligabao_tui.headless import commands_knowledge

    carry_out(context, partial(commands_knowledge.queue, options=options))


@knowledge.command("retry", epilog=EPILOG)
@taking(RetryOptions)
def retry(context: typer.Context, options: RetryOptions) -> None:
    """Extract the facts of a failed or stored text again."""
    from gligabao_tui.headless import commands_remember

    carry_out(context, partial(commands_remember.retry, options=options))


@knowledge.command("entities", epilog=EPILOG)
@taking(EntitiesOptions)
def entities(context: typer.Context, options: EntitiesOptions) -> None:
    """List entities by name."""
    from gligabao_tui.headless import commands_knowledge

    carry_out(context, partial(commands_knowledge.entities, options=options))


@knowledge.command("entity", epilog=EPILOG)
@taking(EntityOptions)
def entity(context: typer.Context, options: EntityOptions) -> None:
    """Show an entity with its facts."""
    from gligabao_tui.headless import commands_knowledge

    carry_out(context, partial(commands_knowledge.entity, options=options))


@knowledge.command("fact", epilog=EPILOG)
@taking(FactOptions)
def fact(context: typer.Context, options: FactOptions) -> None:
    """Show what happened to a fact, and the texts it is in."""
    from gligabao_tui.headless import commands_knowledge

    carry_out(context, partial(commands_knowledge.fact, options=options))
