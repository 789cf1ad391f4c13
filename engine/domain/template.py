"""Prompts with `{name}` placeholders, rendered strictly: nothing missing, nothing left over."""

import re
from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def render(template: str, values: Mapping[str, str]) -> str:
    """`template` with every `{name}` replaced. Raises ValueError for a name that has no value
    and for a value that the template does not use; other braces stay as they are."""
    wanted = set(_PLACEHOLDER.findall(template))
    if wanted != set(values):
        missing, unused = sorted(wanted - set(values)), sorted(set(values) - wanted)
        raise ValueError(f"template: missing values {missing}, unused values {unused}")
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)
