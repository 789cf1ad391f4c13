"""Makes untrusted text safe to store and to show: no terminal sequences, no hidden characters.

Every inlet (pages, titles, model output, file names) passes `clean` once before it is stored for
display, and every outlet may pass it again: cleaning twice changes nothing (D16).
"""

import re

_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS, ...
    r"|\x1b[ -/]*[0-~]?"  # two-character escapes
)
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_NEWLINES = re.compile(r"\r\n?")
_SPACES = re.compile(r"\s+")


def clean(text: str) -> str:
    """Without escape sequences, control, bidi, zero-width and tag characters, lone surrogates.

    Newlines and tabs stay (CR and CRLF become LF); so do U+200C and U+200D, which scripts and
    emoji need. `clean(clean(t)) == clean(t)`.
    """
    if text.isascii() and text.isprintable():
        return text
    unified = _NEWLINES.sub("\n", text)
    return _CONTROLS.sub("", _SEQUENCES.sub("", unified))


def one_line(text: str, most: int = 200) -> str:
    """Cleaned, white space collapsed to single spaces, cut to `most` characters with `…`."""
    flat = _SPACES.sub(" ", clean(text)).strip()
    return flat if len(flat) <= most else flat[: most - 1] + "…"
