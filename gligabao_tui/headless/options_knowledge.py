"""What the commands about the knowledge base take: as `options`, a value per command."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import typer

from gligabao_tui.headless.options import Json

AnyDataset: TypeAlias = Annotated[
    str, typer.Option(metavar="D", help="Only this dataset; all if left out.", show_default=False)
]
OneDataset: TypeAlias = Annotated[str, typer.Option(metavar="D", help="Which dataset.")]
AsOf: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="DATE",
        help="What was true then: 2024, 2024-03, 2024-03-15 or 2024-Q1.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class RememberOptions:
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT|-", help="What to remember; - reads it from stdin.", show_default=False
        ),
    ]
    source: Annotated[
        str, typer.Option(metavar="URL", help="Where it is from.", show_default=False)
    ] = ""
    date: Annotated[
        str,
        typer.Option(
            metavar="D", help="When it was written or reported, as 2024-03.", show_default=False
        ),
    ] = ""
    sync: Annotated[
        bool, typer.Option("--sync", help="Wait until its facts are there, then print it.")
    ] = False
    dataset: OneDataset = "main"
    json: Json = False


@dataclass(frozen=True)
class QueryOptions:
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="What to ask.", show_default=False)
    ]
    dataset: OneDataset = "main"
    as_of: AsOf = ""
    top: Annotated[
        int, typer.Option(metavar="N", help="At most so many facts, and so many passages.")
    ] = 10
    json: Json = False


@dataclass(frozen=True)
class FactsOptions:
    about: Annotated[
        str,
        typer.Option(metavar="ENTITY", help="Only with this at one end.", show_default=False),
    ] = ""
    relation: Annotated[
        str, typer.Option(metavar="R", help="Only with this relation.", show_default=False)
    ] = ""
    as_of: AsOf = ""
    known_at: Annotated[
        str,
        typer.Option(metavar="DATE", help="What was known by then.", show_default=False),
    ] = ""
    run: Annotated[
        int | None,
        typer.Option(min=1, metavar="ID", help="Only what this run found.", show_default=False),
    ] = None
    dataset: AnyDataset = ""
    limit: Annotated[int, typer.Option(min=1, max=500, metavar="N", help="At most so many.")] = 50
    json: Json = False


@dataclass(frozen=True)
class ImportOptions:
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help="JSON lines, or - for stdin.", show_default=False),
    ]
    dataset: OneDataset = "main"
    json: Json = False


@dataclass(frozen=True)
class ForgetOptions:
    artifact: Annotated[
        int | None,
        typer.Argument(
            min=1, metavar="[ARTIFACT]", help="The number of a text.", show_default=False
        ),
    ] = None
    source: Annotated[
        str,
        typer.Option(metavar="URL", help="Every text from this source.", show_default=False),
    ] = ""
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False
    json: Json = False


@dataclass(frozen=True)
class QueueOptions:
    status: Annotated[
        str | None,
        typer.Option(
            metavar="S",
            help="queued, running, completed, failed or stored_only.",
            show_default=False,
        ),
    ] = None
    dataset: AnyDataset = ""
    run: Annotated[
        int | None,
        typer.Option(min=1, metavar="ID", help="Only texts of this run.", show_default=False),
    ] = None
    limit: Annotated[int, typer.Option(min=1, max=500, metavar="N", help="At most so many.")] = 50
    json: Json = False


@dataclass(frozen=True)
class RetryOptions:
    id: Annotated[
        int,
        typer.Argument(
            min=1, metavar="ID", help="The number of the remember run.", show_default=False
        ),
    ]
    json: Json = False


@dataclass(frozen=True)
class EntitiesOptions:
    text: Annotated[
        str,
        typer.Argument(
            metavar="[WORDS]", help="A part of the name; all if left out.", show_default=False
        ),
    ] = ""
    dataset: AnyDataset = ""
    limit: Annotated[int, typer.Option(min=1, max=500, metavar="N", help="At most so many.")] = 50
    json: Json = False


@dataclass(frozen=True)
class EntityOptions:
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Its name, or another one.", show_default=False)
    ]
    dataset: AnyDataset = ""
    json: Json = False


@dataclass(frozen=True)
class FactOptions:
    id: Annotated[int, typer.Argument(min=1, metavar="ID", help="The number.", show_default=False)]
    json: Json = False
