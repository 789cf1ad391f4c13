"""How a quotation with its address stands in a report, in both directions.

A quotation is put as the page has it; a backslash is added only before a character that Markdown
would otherwise swallow: `*`, `_` and `~` that could be emphasis, `<` before a tag, `&` before an
entity, `[` of a link, an unpaired backtick, a backslash before punctuation. Pairs of backticks
stay: they show as code. `unescaped` takes exactly those backslashes out again. A line break stays
when the next line reads on in the same paragraph; else spaces stand for it, as many characters.

It must never change another character.
"""

import re
from dataclasses import dataclass

_CODE = r"`[^`\n]+`"
_PUNCTUATION = r"!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~"
_SWALLOWED = re.compile(
    rf"(?P<code>{_CODE})|(?P<sign>"
    rf"\\(?=[{_PUNCTUATION}\n]|\Z)"
    r"|`"
    r"|(?<!\s)\*|\*(?!\s)"
    r"|(?<![^\W_])_|_(?![^\W_])"
    r"|~(?=~)|(?<=~)~"
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?\w{1,31};)"
    r"|\[(?=[^\]]{0,2000}\]\()"
    r")"
)
_ADDED = re.compile(rf"\\(?P<sign>[{_PUNCTUATION}])|(?P<code>{_CODE})")
_NEW_BLOCK = r"[-+*](?:\s|$)|[#>|=:-]|~~~|```|\d{1,9}[.)](?:\s|$)|$"
_BREAK = re.compile(rf"\n[ \t]*(?:\n\s*|(?={_NEW_BLOCK}))", re.MULTILINE)
_UNSAFE_IN_LINKS = re.compile(r"[\s()<>\\]")


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a snapshot: `text` is exactly what stands there from `start` to `end`."""

    address: str
    start: int
    end: int
    text: str


def quotation(span: Span, n: int) -> str:
    """`"text" [n](ADDRESS#chars=START-END)`; `n` is the number of the source in the report."""
    return f'"{escaped(span.text)}" [{n}]({link(span.address)}#chars={span.start}-{span.end})'


def escaped(text: str) -> str:
    """`text` so that Markdown shows all of it in one paragraph."""
    shown = _SWALLOWED.sub(lambda found: found["code"] or f"\\{found['sign']}", text)
    return _BREAK.sub(lambda found: " " * len(found.group()), shown)


def unescaped(text: str) -> str:
    """Without the backslashes of `escaped`: gives the text back, but for changed line breaks."""
    return _ADDED.sub(lambda found: found["code"] or found["sign"], text)


def link(address: str) -> str:
    """`address` as the target of a Markdown link: what would end the target is percent-encoded."""
    return _UNSAFE_IN_LINKS.sub(lambda found: _percent(found.group()), address)


def _percent(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode())
