"""How keys are written: by people (`ctrl+k`, `?`, `esc`, `PgDn`), and as the bindings name them.

The names are those of the terminal library, which is not needed here: a test holds them to it.
"""

import unicodedata
from dataclasses import dataclass

SHORT_KEYS = {
    "question_mark": "?",
    "slash": "/",
    "exclamation_mark": "!",
    "colon": ":",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "backspace": "bksp",
    "ctrl+enter": "^enter",
}
"""Keys that are shown in fewer letters than their names have."""
SHORT_NAMES = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
OTHER_NAMES = {
    "esc": "escape",
    "return": "enter",
    "cr": "enter",
    "spacebar": "space",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "page_down": "pagedown",
    "pgup": "pageup",
    "page_up": "pageup",
    "del": "delete",
    "ins": "insert",
    "bksp": "backspace",
    "bs": "backspace",
}
CHARACTERS = {
    "exclamation_mark": "!",
    "quotation_mark": '"',
    "number_sign": "#",
    "dollar_sign": "$",
    "percent_sign": "%",
    "ampersand": "&",
    "apostrophe": "'",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "asterisk": "*",
    "plus": "+",
    "comma": ",",
    "minus": "-",
    "full_stop": ".",
    "slash": "/",
    "colon": ":",
    "semicolon": ";",
    "less_than_sign": "<",
    "equals_sign": "=",
    "greater_than_sign": ">",
    "question_mark": "?",
    "at": "@",
    "left_square_bracket": "[",
    "backslash": "\\",
    "right_square_bracket": "]",
    "circumflex_accent": "^",
    "underscore": "_",
    "grave_accent": "`",
    "left_curly_bracket": "{",
    "vertical_line": "|",
    "right_curly_bracket": "}",
    "tilde": "~",
}
"""The keys that write punctuation."""
MOVERS = {"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete"}
NAMED = {"escape", "enter", "space", "tab", "backspace", *MOVERS, *CHARACTERS} | {
    f"f{number}" for number in range(1, 25)
}
MODIFIERS = {
    "ctrl": "ctrl",
    "control": "ctrl",
    "^": "ctrl",
    "alt": "alt",
    "opt": "alt",
    "option": "alt",
    "shift": "shift",
}
SAME_AS = {
    "ctrl+m": "Enter",
    "ctrl+i": "Tab",
    "ctrl+h": "Backspace",
    "ctrl+left_square_bracket": "Esc",
}
WITH_CTRL = {"backslash", "right_square_bracket", "circumflex_accent", "underscore", "at"}
"""What there is a byte for beside the letters."""
SOMETIMES = {"ctrl+enter", "shift+enter", "alt+enter", "shift+space", "ctrl+space"}
FOCUS_KEYS = {"tab", "shift+tab"}


@dataclass(frozen=True, slots=True)
class NotAKey:
    """Why something that was written is no key that can be used."""

    why: str


def key_word(key: str) -> str:
    """`?`, `esc`, `^p`: a key as people write it."""
    if key in SHORT_KEYS:
        return SHORT_KEYS[key]
    *modifiers, name = key.split("+")
    if modifiers == ["ctrl"]:
        return f"^{key_word(name)}"
    shown = SHORT_KEYS.get(name) or character(name).strip() or name
    return "+".join((*modifiers, shown))


def key_spelled(key: str) -> str:
    """`ctrl+r`, `?`, `esc`: a key in the middle of a sentence."""
    *modifiers, name = key.split("+")
    return "+".join((*modifiers, SHORT_KEYS.get(name) or character(name).strip() or name))


def character(key: str) -> str:
    """What a key writes; empty when it writes nothing."""
    if len(key) == 1:
        return key
    return " " if key == "space" else CHARACTERS.get(key, "")


def key_named(written: str) -> str | NotAKey:
    """The name of the key that somebody wrote, or why it cannot be used."""
    text = written.strip()
    if len(text) > 1 and text[0] == "^":
        text = f"ctrl+{text[1:]}"
    *given, last = text.split("+") if len(text) > 1 and not text.endswith("+") else (text,)
    modifiers = {MODIFIERS.get(one.strip().lower(), "") for one in given}
    name = _name(last.strip())
    if not name or "" in modifiers:
        return NotAKey(f"{written.strip()!r} is no key")
    return _sendable(modifiers, name)


def _name(written: str) -> str:
    if len(written) == 1:
        return written if written.isalnum() else _name_of(written)
    name = written.lower()
    name = OTHER_NAMES.get(name, name)
    return name if name in NAMED else ""


def _name_of(char: str) -> str:
    name = unicodedata.name(char, "").lower().replace("-", "_").replace(" ", "_")
    return SHORT_NAMES.get(name, name)


def _sendable(modifiers: set[str], name: str) -> str | NotAKey:
    if modifiers == {"shift"} and len(name) == 1 and name.isalpha():
        return name.upper()
    if modifiers and len(name) == 1:
        name = name.lower()
    key = "+".join((*sorted(modifiers), name))
    if key in SAME_AS:
        return NotAKey(f"a terminal sends {SAME_AS[key]} for {key_spelled(key)}")
    if key in FOCUS_KEYS:
        return NotAKey(f"{key} moves between the parts of the screen")
    if modifiers and key not in SOMETIMES and not _has_bytes(modifiers, name):
        return NotAKey(f"most terminals cannot send {key_spelled(key)}")
    return key


def _has_bytes(modifiers: set[str], name: str) -> bool:
    """Whether terminals of every kind have a way to send a key with these modifiers."""
    if name in MOVERS or (name[0] == "f" and name[1:].isdigit()):
        return True
    if modifiers == {"ctrl"}:
        return name in WITH_CTRL or (len(name) == 1 and name.isascii() and name.isalpha())
    return modifiers == {"alt"} and len(character(name)) == 1
