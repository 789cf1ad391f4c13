"""What a link of a report leads to, and what may be said of it: addresses are untrusted text.

Only plain http and https addresses may become hyperlinks of the terminal or be opened in a
browser; every other one is for reading and copying.
"""

import re
from dataclasses import dataclass

from engine.api import clean
from gligabao_tui.view.markdown_inline import LINK, SOURCE
from gligabao_tui.view.text import EMPTY, Line, Span, chop, flat, line, paragraph, width_of

LONGEST_ADDRESS = 2_083
"""Terminals and browsers take no longer one."""
_SAFE = re.compile(r"https?://[A-Za-z0-9._~:/?#\[\]@!$&'(),*;=%+-]+", re.ASCII)
_PARTS = re.compile(r"https?://(?P<user>[^/?#]*@)?(?P<host>\[[^/?#@\]]*\]|[^/?#:@]+)")
_SOURCE = re.compile(r"source:(?P<n>\d+)(?:@(?P<start>\d+)-(?P<end>\d+))?(?: (?P<address>.*))?")


@dataclass(frozen=True, slots=True)
class Cited:
    """Source `n` of a report; `place` are the characters that are quoted, as the report has it."""

    n: int
    place: tuple[int, int] | None = None


def address_of(target: str) -> str:
    """The address that a target of a line leads to; empty when it leads elsewhere."""
    if target.startswith(LINK):
        return target.removeprefix(LINK)
    found = _SOURCE.fullmatch(target)
    return (found["address"] or "") if found else ""


def cited_of(target: str) -> Cited | None:
    """The source that a target leads to, if it leads to one."""
    found = _SOURCE.fullmatch(target) if target.startswith(SOURCE) else None
    if found is None:
        return None
    place = (int(found["start"]), int(found["end"])) if found["start"] else None
    return Cited(int(found["n"]), place)


def hyperlink(target: str) -> str:
    """The address that a terminal may be told; empty unless it is plain http or https."""
    address = address_of(target)
    return address if may_be_opened(address) else ""


def may_be_opened(address: str) -> bool:
    return len(address) <= LONGEST_ADDRESS and bool(_SAFE.fullmatch(address))


def why_not_opened(address: str, *, in_browser: bool, over_ssh: bool, has_display: bool) -> str:
    """Why a link cannot be opened in a browser from here; empty when it can."""
    if not may_be_opened(address):
        return "Only plain http and https addresses are opened in a browser."
    if in_browser:
        return "The app runs in a browser already: copy the address into another tab."
    if over_ssh:
        return "Over SSH a browser would open on the other computer: copy the address."
    return "" if has_display else "There is no display that a browser could open on."


def link_lines(address: str, width: int, why_not: str) -> tuple[Line, ...]:
    """The whole address with its host emphasised, and what is to be known of it."""
    address = flat(address)
    notes = [_warning(address), why_not]
    told = [line for note in notes if note for line in (EMPTY, *paragraph(note, width, "muted"))]
    return (*_address_rows(address, width), *told)


def link_status(target: str, cells: int, ellipsis: str) -> Line:
    """The marked link and what enter does, for the line below a report."""
    if (cited := cited_of(target)) is not None:
        does, where = " what is quoted", f"source {cited.n}"
    elif target.startswith(LINK):
        does, where = " open the link", flat(address_of(target))
    else:
        does, where = " go there", "footnote"
    room = cells - width_of(f" enter {does}  ")
    shown = where if width_of(where) <= room else chop(where, max(1, room - len(ellipsis)))[0]
    cut = ellipsis if shown != where else ""
    return line(Span(shown + cut, "link"), Span("  "), Span("enter", "key"), Span(does, "muted"))


def _address_rows(address: str, width: int) -> tuple[Line, ...]:
    found = _PARTS.match(address)
    first, last = (found.start("host"), found.end("host")) if found else (0, 0)
    rows: list[Line] = []
    at = 0
    for row in chop(clean(address), max(1, width)):
        cuts = [min(max(mark - at, 0), len(row)) for mark in (first, last)]
        parts = (row[: cuts[0]], row[cuts[0] : cuts[1]], row[cuts[1] :])
        toned = (Span(parts[0], "muted"), Span(parts[1], "strong"), Span(parts[2], "muted"))
        rows.append(tuple(span for span in toned if span.text))
        at += len(row)
    return tuple(rows)


def _warning(address: str) -> str:
    found = _PARTS.match(address)
    if found is None:
        return ""
    if found["user"]:
        return f"It leads to {found['host']}, not to what stands before the @."
    if not found["host"].isascii() or "xn--" in found["host"].lower():
        return "Its host has letters that may only look like others."
    return ""
