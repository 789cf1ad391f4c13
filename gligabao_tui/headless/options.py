"""What each command takes, as one value per command: options are declared here and nowhere else.

`taking` turns a command that takes such a value into what typer reads options from.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Annotated, Any, TypeAlias

import typer

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
RunNumber: TypeAlias = Annotated[
    int, typer.Argument(min=1, metavar="ID", help="The number of the run.", show_default=False)
]
Docs: TypeAlias = Annotated[
    list[str],
    typer.Option(
        metavar="[NAME=]DIR",
        help="Search and read this folder of documents; repeatable.",
        show_default=False,
    ),
]
Model: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="M",
        help="A model's name, 'offline' (needs no key) or 'recorded:ID'.",
        show_default=False,
    ),
]
MaxSteps: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Model calls at most, 1 to 40; 20 by default.")
]
MaxCost: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        "--max-cost-usd",
        metavar="USD",
        help="The most that the research may cost.",
    ),
]
Agent: TypeAlias = Annotated[
    str, typer.Option(metavar="NAME", help="Which agent; 'default' if left out.")
]
AgentVersion: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="V", help="What the agent's version must meet, as '^1.2'.", show_default=False
    ),
]
AgentDefsDir: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Where your own agents lie.", show_default=False),
]
AgentName: TypeAlias = Annotated[
    str, typer.Argument(metavar="NAME", help="The name of the agent.", show_default=False)
]
Web: TypeAlias = Annotated[bool, typer.Option("--web", help="With --docs: the web too.")]


@dataclass(frozen=True)
class ProgramOptions:
    """Of every command; they may stand before or after the sub-command."""

    data_dir: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where the data lies.", show_default=False)
    ] = None
    config: Annotated[
        str | None, typer.Option(metavar="FILE", help="The configuration.", show_default=False)
    ] = None
    user: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose runs these are.", show_default=False)
    ] = None
    log_level: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="debug, info, warning or error.", show_default=False),
    ] = None


@dataclass(frozen=True)
class LookOptions:
    """Of every command that shows the app."""

    theme: Annotated[
        str | None, typer.Option(metavar="NAME", help="The app's colours.", show_default=False)
    ] = None
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw the app in plain ASCII.")] = False
    slow_link: Annotated[
        bool, typer.Option("--slow-link", help="Draw less often, for slow connections.")
    ] = False
    no_mouse: Annotated[
        bool, typer.Option("--no-mouse", help="Leave the mouse to the terminal.")
    ] = False

    def given(self) -> dict[str, object]:
        """Key of the setting -> value, of what was given."""
        flags = {
            "theme": self.theme,
            "ascii": self.ascii or None,
            "slow_link": self.slow_link or None,
            "mouse": False if self.no_mouse else None,
        }
        return {key: value for key, value in flags.items() if value is not None}


@dataclass(frozen=True)
class InsteadOptions:
    """What is done instead of showing the app."""

    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False
    serve: Annotated[bool, typer.Option("--serve", help="As the command `serve`.")] = False


@dataclass(frozen=True)
class StartOptions:
    topic: Annotated[
        str, typer.Argument(metavar="TOPIC", help="A question, or a subject.", show_default=False)
    ] = ""
    agent: Agent = ""
    agent_version: AgentVersion = ""
    model: Model = ""
    max_steps: MaxSteps = None
    max_cost: MaxCost = None
    dataset: Annotated[
        str, typer.Option(metavar="D", help="The dataset that the agent works in.")
    ] = ""
    docs: Docs = field(default_factory=list)
    web: Web = False
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait for the end and print the ended run.")
    ] = False
    raw: Annotated[bool, typer.Option("--raw", help="With --wait: print the report alone.")] = False
    body: Annotated[
        str,
        typer.Option(
            "--json", metavar="BODY", help="The request as JSON; options win.", show_default=False
        ),
    ] = ""


@dataclass(frozen=True)
class ListOptions:
    active: Annotated[bool, typer.Option("--active", help="Only those that work now.")] = False
    status: Annotated[
        str | None,
        typer.Option(metavar="S", help="running, completed, failed or stopped."),
    ] = None
    limit: Annotated[int, typer.Option(metavar="N", help="At most so many; up to 500.")] = 50
    json: Json = False


@dataclass(frozen=True)
class GetOptions:
    id: RunNumber
    raw: Annotated[bool, typer.Option("--raw", help="Print the report alone.")] = False
    json: Json = False


@dataclass(frozen=True)
class RunOptions:
    """Of every command that is about one run."""

    id: RunNumber
    json: Json = False


@dataclass(frozen=True)
class OutputOptions:
    """Of every command that only prints."""

    json: Json = False


@dataclass(frozen=True)
class NamedOptions:
    """Of every command that is about one agent."""

    name: AgentName
    json: Json = False


@dataclass(frozen=True)
class ShowOptions:
    name: AgentName
    prompt: Annotated[
        bool, typer.Option("--prompt", help="Print the prompt alone, as it is put together.")
    ] = False
    json: Json = False


@dataclass(frozen=True)
class CheckOptions:
    directory: Annotated[
        str,
        typer.Argument(metavar="[DIR]", help="The configured one if left out.", show_default=False),
    ] = ""
    json: Json = False


@dataclass(frozen=True)
class NewOptions:
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="1 to 40 lowercase letters, digits, - or _.",
            show_default=False,
        ),
    ]
    origin: Annotated[
        str,
        typer.Option("--from", metavar="AGENT", help="Copy this agent.", show_default=False),
    ] = ""
    directory: Annotated[
        str,
        typer.Option(
            "--dir", metavar="DIR", help="Where to; else as configured.", show_default=False
        ),
    ] = ""
    json: Json = False


@dataclass(frozen=True)
class BundleOptions:
    name: AgentName
    file: Annotated[
        str,
        typer.Argument(metavar="[FILE]", help="Else it is printed.", show_default=False),
    ] = ""
    force: Annotated[bool, typer.Option("--force", help="Write over FILE.")] = False


@dataclass(frozen=True)
class ServeOptions:
    agent_defs_dir: AgentDefsDir = None


@dataclass(frozen=True)
class WebOptions:
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="0 takes any that is free.")
    ] = 8417


@dataclass(frozen=True)
class ReadOptions:
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...", help="Addresses or paths of files.", show_default=False
        ),
    ]
    full: Annotated[bool, typer.Option("--full", help="All of it, however long.")] = False
    json: Json = False


@dataclass(frozen=True)
class AgentOptions:
    """Of `gligabao_agent`, which has no sub-commands."""

    topic: Annotated[
        str, typer.Argument(metavar="TOPIC", help="A question, or a subject.", show_default=False)
    ] = ""
    agent: Agent = ""
    agent_version: AgentVersion = ""
    model: Model = ""
    max_steps: MaxSteps = None
    max_cost_usd: MaxCost = None
    docs: Docs = field(default_factory=list)
    web: Web = False
    agent_defs_dir: AgentDefsDir = None
    agent_bundle: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The agents of this bundle instead.", show_default=False),
    ] = None
    json: Annotated[
        bool, typer.Option("--json", help="Print the events as JSON lines, and the run last.")
    ] = False


def taking(*kinds: type[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator: `command(context, a, b)`, a value per kind, becomes what typer calls."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def called(context: typer.Context, **given: Any) -> None:
            command(context, *(_value_of(kind, given) for kind in kinds))

        context = inspect.Parameter(
            "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
        )
        declared = [_parameter(option) for kind in kinds for option in fields(kind)]
        signature = inspect.Signature([context, *declared])
        called.__signature__ = signature  # type: ignore[attr-defined]  # functions may carry one
        called.__annotations__ = {
            name: parameter.annotation for name, parameter in signature.parameters.items()
        }
        called.__doc__ = command.__doc__
        called.__name__ = command.__name__
        return called

    return decorate


def _value_of(kind: type[Any], given: Mapping[str, Any]) -> Any:
    return kind(**{option.name: given[option.name] for option in fields(kind)})


def _parameter(option: Field[Any]) -> inspect.Parameter:
    default = option.default_factory() if option.default_factory is not MISSING else option.default
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if default is MISSING else default,
        annotation=option.type,
    )
