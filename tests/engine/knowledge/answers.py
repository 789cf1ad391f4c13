"""A text, and answers of a model about it, for the tests of what is taken from them."""

import json
from collections.abc import Mapping

TEXT = (
    "SQLite 3.35.0 was released on 12 March 2021. It added the RETURNING clause.\n\n"
    "D. Richard Hipp wrote SQLite. The company Hwaci maintains it since 2001."
)
RETURNING: dict[str, object] = {
    "source": "SQLite",
    "relation": "added",
    "target": "RETURNING clause",
    "description": "SQLite 3.35.0 added the RETURNING clause.",
    "quote": "It added the RETURNING clause",
}
HIPP: dict[str, object] = {
    "source": "D. Richard Hipp",
    "relation": "wrote",
    "target": "SQLite",
    "quote": "D. Richard Hipp wrote SQLite.",
}
INVENTED: dict[str, object] = {
    "source": "Sherlock Holmes",
    "relation": "lives in",
    "target": "Baker Street",
    "quote": "Holmes lives in Baker Street",
}


def entity(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "type": "thing", "aliases": [], "quote": name, **more}


def answer(*facts: Mapping[str, object], entities: tuple[Mapping[str, object], ...] = ()) -> str:
    return json.dumps({"entities": entities, "facts": facts})
