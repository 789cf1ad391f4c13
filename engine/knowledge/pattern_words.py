"""The words of the patterns: what can be a name, a version, a date, a figure; as expressions and as
judgements. What is doubtful is no name.
"""

import re
from collections.abc import Mapping

_MONTH = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:1[5-9]|20)\d\d"
DATE = (
    rf"(?:(?:(?:{_DAY}\s+(?:of\s+)?)?{_MONTH}\.?,?\s+(?:{_DAY},\s*)?)?{_YEAR}(?:-\d\d(?:-\d\d)?)?)"
    r"(?!\w|\.\d|-\d)"
)
_WORDY = r"[A-Z][\w+#]*(?:-[A-Z]\w*)?"
VERSION = (
    rf"(?:(?P<product>{_WORDY}(?:\s+{_WORDY}){{0,2}})\s+)?"
    r"(?P<worded>(?:version|release|v\.?)\s*)?"
    r"(?P<number>\d+(?:\.\d+)*(?:(?:rc|b|a|beta|alpha)\d+)?)(?:\s+release)?(?![\w-]|\.\w)"
)
_TOKEN = r"[^\s,;:()\"'“”‘’`?!]+(?:\([\w]{0,12}\))?"
_QUOTED = r"[\"“‘'`][^\"”’'`\n]{1,60}[\"”’'`]"
NAME = rf"(?:{_QUOTED}|{_TOKEN}(?:\s+{_TOKEN}){{0,3}}?)"
KIND = (
    "(?:function|method|option|parameter|argument|module|class|command|pragma|feature|clause"
    "|constant|variable|keyword|attribute|statement|flag|interface|setting|operator|directive"
    "|extension|server|service|package|utility|tool|macro|field|property|tag|hook|type|mode"
    "|library|API|syntax|expression|opcode|column|table|view|exception|decorator|action|event"
    "|support|protocol|program|daemon|client|switch|descriptor)"
)
CHANGE = "(?:added|introduced|deprecated|removed|dropped|released)"
THERE = "(?:available|supported|present)"
VERB = "(?:added|adds|introduced|introduces|deprecated|deprecates|removed|removes|dropped|drops)"
RELATIONS: Mapping[str, str] = {
    **dict.fromkeys(("added", "adds"), "was added in"),
    **dict.fromkeys(("introduced", "introduces"), "was introduced in"),
    **dict.fromkeys(("deprecated", "deprecates"), "was deprecated in"),
    **dict.fromkeys(("removed", "removes", "dropped", "drops"), "was removed in"),
    "released": "was released in",
    "available": "has been available since",
    "supported": "has been supported since",
    "present": "has been present since",
}
UNIT = (
    "(?:bytes?|bits?|[kKMGT]i?B|kilobytes?|megabytes?|gigabytes?|pages?|blocks?|ms|s|us"
    "|microseconds?|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|%|percent|pixels?|points?"
    "|lines?|characters?|columns?|digits?|entries|rows?|connections?|attempts?|times?|threads?)"
)
NUMBER = rf"(?P<value>[-+]?\d[\d,_]*(?:\.\d+)?(?:\s?{UNIT})?)"
AFTER_NUMBER = r"(?=\s*(?:\.(?!\w)|;|$|\(|,\s+(?:which|so|and\s+(?:the|it)|but)\b))"

_LOCAL_KINDS_TEXT = """
    method attribute argument parameter field property column event action switch flag
"""
_LOCAL_KINDS = frozenset(_LOCAL_KINDS_TEXT.split())
_GLOBAL_KINDS = frozenset(("pragma", "setting", "variable", "directive", "macro", "constant"))
_CODE = re.compile(
    r"--[A-Za-z][\w-]*|-[A-Za-z]"  # an option
    r"|[$%@]?\w*[A-Za-z]\w*_\w*|_\w+"  # with an underscore
    r"|[A-Za-z_][\w.:-]*\(\w*\)"  # called, or with its section of the manual
    r"|[A-Za-z_]\w+(?:(?:\.|::)[A-Za-z_]\w+)+"  # inside something
    r"|[A-Za-z]*[a-z][A-Z]\w*"  # camelCase
    r"|\w*[A-Za-z]{2}\w*\d\w*"  # with a figure
)
_CAPITALS = re.compile(r"[A-Z][A-Z0-9_+#-]+")
_CAPITALISED = re.compile(r"[A-Z][\w+#-]+")
_FILE = re.compile(r".*\.(?:html?|txt|pdf|md|png|svg|css|js|org|com|net|io)")
# Words that stand in capitals without being names of anything, marks of notes among them.
_NO_NAME_TEXT = """
    API APIs SQL CLI GUI UI ID IDs OS IO NOTE WARNING TODO FIXME BUG BUGS NEW OLD NOT AND OR IF NULL
    TRUE FALSE OK URL URLs HTTP HTTPS ASCII UTF-8 UTF8 The This That These Those It Its They There
    Support Version Release
"""
_NO_NAMES = frozenset(_NO_NAME_TEXT.split())
_NO_PRODUCT_TEXT = """
    Section Chapter Appendix Figure Table Step Part Page RFC PEP Issue Bug Ticket Example Note Level
    Phase Stage Round Commit Version Release Update Patch Build Beta Alpha Revision Draft Item Rule
    Article Annex Clause Volume Number No Since In On With By As From The This That And Or Both
    Either API ABI SQL Edition Question Section's Case Test Type
"""
_NO_PRODUCTS = frozenset(_NO_PRODUCT_TEXT.split()) | {
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
}
_ADJECTIVES_TEXT = """
    new old same first second third last next latter former other another whole entire main original
    current default extra special standard separate following above previous given core extension
    optional built-in builtin only one two such given main following base basic simple generic local
    global public private internal external test file data string name list system user code time
"""
_ADJECTIVES = frozenset(_ADJECTIVES_TEXT.split())
_CODE_WORD = re.compile(r"\b([a-z]\w+)(?=\.[a-z_]\w*(?:\b|\()|\(\))|(?<=import )[a-z]\w+")
_QUOTES = "\"“”‘’'`"
_MID_CAPITALISED = re.compile(r"(?<=[a-z0-9,] )[A-Z][\w+#-]*")
_LOWER = re.compile(r"\b[a-z][\w-]*")
_MOST_TOKENS = 4


class Proper:
    """Which capitalised words are names, as far as one text shows."""

    def __init__(self, text: str) -> None:
        self._capitalised = frozenset(_MID_CAPITALISED.findall(text))
        self._lower = frozenset(_LOWER.findall(text))
        self._code = frozenset(match[0] for match in _CODE_WORD.finditer(text)) - _ADJECTIVES

    def is_name(self, words: str, *, kind: str) -> bool:
        """Whether these words name one thing by themselves."""
        bare = words.strip(_QUOTES)
        tokens = bare.split()
        if not 0 < len(tokens) <= _MOST_TOKENS or bare in _NO_NAMES:
            return False
        if bare != words:
            return any(sign.isalpha() for sign in bare)
        if kind and len(tokens) == 1 and bare in self._code:
            return True
        return all(map(self._is_named, tokens)) and not (kind and len(bare) == 1)

    def is_product(self, words: str | None) -> bool:
        """Whether a version can be one of this."""
        tokens = (words or "").split()
        return bool(tokens) and not any(token in _NO_PRODUCTS for token in tokens)

    def _is_named(self, token: str) -> bool:
        if token in _NO_NAMES or _FILE.fullmatch(token):
            return False
        if is_code(token) or _CAPITALS.fullmatch(token):
            return True
        shown = token in self._capitalised and token.lower() not in self._lower
        return bool(_CAPITALISED.fullmatch(token)) and shown


def is_code(token: str) -> bool:
    """Whether a word is written as names in programs are and words of a language are not."""
    return bool(_CODE.fullmatch(token))


def subject(name: str, kind: str) -> str:
    """A name in words goes with its kind (`RETURNING clause`); one of code stands alone."""
    bare = unquoted(name)
    if kind != "support" and all(map(is_code, bare.split())):
        return bare
    return f"{name} {kind}" if kind else bare


def unquoted(name: str) -> str:
    """A name without the marks of code or quotation around it."""
    return name.strip(_QUOTES)


def is_one_of_many(name: str, kind: str) -> bool:
    """Whether other things have such a part of this name, too: the `key` argument, the `set()`
    method. A name that says where it belongs, or a long one, is of one thing."""
    inner = name.strip("_$%@")
    belongs = re.search(r"\w(?:\.|::)\w", inner) or inner.count("_") > 1
    return kind in _LOCAL_KINDS and not (belongs or ("_" in inner and inner.isupper()))


def is_global(name: str, kind: str) -> bool:
    """Whether a default of this name is of one thing everywhere: a setting, no parameter."""
    inner = name.strip("_")
    if name.startswith("-") or is_one_of_many(name, kind):
        return False
    is_long = inner.count("_") > 1 or ("_" in inner and inner.isupper()) or name[0] == "$"
    return is_long or kind in _GLOBAL_KINDS


def version_named(match: re.Match[str]) -> str | None:
    """`SQLite 3.35.0`; None without a product. A bare whole number is no version."""
    product = match["product"]
    return f"{product} {match['number']}" if product else None


def is_version(match: re.Match[str]) -> bool:
    """Whether the figure is a version: dotted, or called so, or with a product before it."""
    return "." in match["number"] or bool(match["worded"]) or bool(match["product"])
