"""Texts with `{{.Name}}` fields: the task of a role, the topic of a schedule.

Only fields are understood, no other action of the template language that the form comes from. Pure.
"""

import re
from collections.abc import Mapping, Sequence

_ACTION = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_FIELD = re.compile(r"\s*\.([A-Za-z]+)\s*")


def fault_of(template: str, fields: Sequence[str]) -> str:
    """What is wrong with `template` when only `fields` have values; empty when nothing is."""
    known = ", ".join(f"{{{{.{name}}}}}" for name in fields)
    for action in _ACTION.finditer(template):
        field = _FIELD.fullmatch(action[1])
        if field is None or field[1] not in fields:
            return f'"{action[0]}" is not known ({known})'
    rest = _ACTION.sub("", template)
    for brace in ("{{", "}}"):
        if brace in rest:
            return f'"{brace}" stands alone: a field is written {known}'
    return ""


def fill(template: str, values: Mapping[str, str]) -> str:
    """`template` with every field replaced, once. Raises KeyError for a field without a value."""
    return _ACTION.sub(lambda action: values[action[1].strip().removeprefix(".")], template)
