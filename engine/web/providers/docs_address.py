"""Addresses of documents, `docs://NAME/relative/path#anchor`, both ways. Pure.

A machine path must never be in one: the path is relative to the folder, always with `/`.
"""

from dataclasses import dataclass
from urllib.parse import quote, unquote, unquote_to_bytes, urlsplit

from engine.domain.errors import ToolError
from engine.domain.text_safety import one_line

SCHEME = "docs"
_PREFIX = f"{SCHEME}://"
_SAFE = "/-._~+,=@:"
_SAFE_IN_FRAGMENTS = "/-._~+,=@:!$?"


@dataclass(frozen=True, slots=True)
class DocsAddress:
    """`path` as the file system has it (undecodable bytes as surrogates), without a leading `/`."""

    name: str
    path: str
    fragment: str = ""


def address(name: str, path: str, fragment: str = "") -> str:
    """The address of a document, with percent signs for what an address may not hold."""
    place = f"{_PREFIX}{quote(name, safe='')}/{quote(path.encode(errors='surrogateescape'), _SAFE)}"
    return f"{place}#{quote(fragment, _SAFE_IN_FRAGMENTS)}" if fragment else place


def is_of_docs(url: str) -> bool:
    """Whether `url` is meant as an address of a document, a right one or not."""
    return url.lower().startswith(f"{SCHEME}:")


def parsed(url: str) -> DocsAddress:
    """Raises ToolError for another scheme, and for a path that would leave the folder."""
    shown = one_line(url)
    if not url.lower().startswith(_PREFIX):
        raise ToolError(f"url: must start with {_PREFIX} in this research ({shown!r} does not)")
    try:
        parts = urlsplit(url)
    except ValueError as exc:
        raise ToolError(f"{shown}: not an address ({one_line(str(exc))})") from exc
    path = unquote_to_bytes(parts.path).decode(errors="surrogateescape").lstrip("/")
    steps = path.split("/")
    if "\0" in path or "\\" in path or ".." in steps:
        raise ToolError(f"{shown}: leaves its folder of documents")
    kept = "/".join(step for step in steps if step not in ("", "."))
    return DocsAddress(unquote(parts.netloc), kept, unquote(parts.fragment))
