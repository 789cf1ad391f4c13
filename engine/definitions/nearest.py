"""The nearest right name for a wrong one, so that a message can offer it. Pure."""

from collections.abc import Iterable
from difflib import get_close_matches

from engine.definitions.keys import TABLES, names_in

_MOST_CHARS = 60
"""Of a name that is worth comparing: the time grows with the square."""


def suggestion(table: str, name: str) -> str:
    """What a key that `table` does not know was probably meant to be, as it is to be shown.

    A key that belongs into another table, as happens below a table's header, is named with it.
    """
    near = nearest(name, names_in(table))
    home = next((other for other in TABLES if name in TABLES[other] and other != table), None)
    if home is not None:
        return f"{home}.{name}" if home else f"{name} at the top of the file"
    return f"{table}.{near}" if near and table else near


def nearest(name: str, names: Iterable[str]) -> str:
    """The one of `names` that is most like `name`; empty when none is."""
    found = get_close_matches(name.lower(), list(names), n=1) if len(name) <= _MOST_CHARS else []
    return found[0] if found else ""
