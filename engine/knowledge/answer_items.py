"""The items of an extraction's answer: the schema a model is given, and the reading of one item.

An item that cannot be read says why, in words that the model can act on; nothing is filled in.
"""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from engine.domain.text_safety import clean, one_line
from engine.knowledge.namelike import NAME_MOST_CHARS

RELATION_MOST_CHARS = 120
LINE_MOST_CHARS = 1_000
_WORDS = {"type": "string"}
_FLAG = {"type": "boolean"}


def _list_of(**fields: object) -> dict[str, object]:
    item = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return {"type": "array", "items": item}


SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "entities": _list_of(
            name=_WORDS,
            type=_WORDS,
            aliases={"type": "array", "items": _WORDS},
            quote=_WORDS,
        ),
        "facts": _list_of(
            **dict.fromkeys(("source", "relation", "target"), _WORDS),
            target_is_value=_FLAG,
            **dict.fromkeys(("description", "quote"), _WORDS),
            **dict.fromkeys(("exclusive", "negated"), _FLAG),
            **dict.fromkeys(("from", "to", "time_words"), _WORDS),
        ),
    },
    "required": ["entities", "facts"],
    "additionalProperties": False,
}


def _flag(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.strip().casefold() in ("true", "yes"))


def _words(value: object) -> str:
    """Words or a figure; anything else counts as not given."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return clean(str(value)).strip()


def _line(value: object) -> str:
    return one_line(_words(value), LINE_MOST_CHARS)


def _name(value: object) -> str:
    """A name must be words: a figure is an index into a list that nobody has."""
    if not isinstance(value, str):
        raise ValueError("give the name itself, not a number or a list")
    name = one_line(value, NAME_MOST_CHARS + 1)
    if not name:
        raise ValueError("give a name")
    if len(name) > NAME_MOST_CHARS:
        raise ValueError(f"give a name of at most {NAME_MOST_CHARS} characters")
    return name


def _relation(value: object) -> str:
    relation = _name(value)
    if len(relation) > RELATION_MOST_CHARS:
        raise ValueError(f"give a relation of at most {RELATION_MOST_CHARS} characters")
    return relation


def _target(value: object) -> str:
    """May be a figure: a value."""
    is_figure = isinstance(value, int | float) and not isinstance(value, bool)
    return _name(str(value) if is_figure else value)


def _names(value: object) -> list[str]:
    given = value if isinstance(value, list) else []
    return [name for name in map(_line, given) if name]


class AnsweredEntity(BaseModel):
    """An entity as a model gave it, cleaned."""

    model_config = ConfigDict(frozen=True)

    name: Annotated[str, BeforeValidator(_name)]
    type: Annotated[str, BeforeValidator(_line)] = ""
    aliases: Annotated[list[str], BeforeValidator(_names)] = []
    quote: Annotated[str, BeforeValidator(_words)] = ""


class AnsweredFact(BaseModel):
    """A fact as a model gave it, cleaned; its dates are not looked at yet."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    source: Annotated[str, BeforeValidator(_name)]
    relation: Annotated[str, BeforeValidator(_relation)]
    target: Annotated[str, BeforeValidator(_target)]
    description: Annotated[str, BeforeValidator(_line)] = ""
    quote: Annotated[str, BeforeValidator(_words)] = ""
    target_is_value: Annotated[bool, BeforeValidator(_flag)] = False
    exclusive: Annotated[bool, BeforeValidator(_flag)] = False
    negated: Annotated[bool, BeforeValidator(_flag)] = False
    start: Annotated[str, BeforeValidator(_line), Field(alias="from")] = ""
    end: Annotated[str, BeforeValidator(_line), Field(alias="to")] = ""
    time_words: Annotated[str, BeforeValidator(_line)] = ""


def entity(item: object) -> AnsweredEntity | str:
    """One item of `entities`, or why it cannot be read."""
    try:
        return AnsweredEntity.model_validate(item)
    except ValidationError as error:
        return f"an entity cannot be read: {_faults(error)}"


def fact(item: object) -> AnsweredFact | str:
    """One item of `facts`, or why it cannot be read."""
    try:
        return AnsweredFact.model_validate(item)
    except ValidationError as error:
        return f"a fact cannot be read: {_faults(error)}"


def _faults(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{_where(fault['loc'])}: {_why(fault['msg'])}" for fault in faults)


def _where(place: tuple[int | str, ...]) -> str:
    return ".".join(map(str, place)) or "item"


def _why(message: str) -> str:
    return message.removeprefix("Value error, ")
