"""What can be a name and what is a value: words about words, the same for models and patterns.

When in doubt something is a name: a value is never looked up again.
"""

import re

NAME_MOST_CHARS = 160
_PRONOUNS_TEXT = """
    i me my we us our you your he him his she her hers it its they them their theirs this that
    these those who whom whose which what there here one ones someone somebody everyone everybody
    anyone nobody something anything everything nothing itself himself herself themselves each both
    all some many most others another none former latter user assistant
    er sie es wir ihr ihnen il elle ils elles nous vous el ella ellos ellas
    他 她 它 他们 她们 它们 我 我们 你 彼 彼女 それ これ あれ 私
"""
_PRONOUNS = frozenset(_PRONOUNS_TEXT.split())
_GENERIC = re.compile(
    r"(?:the|this|that|these|those|its|his|her|their|our|my|your|such|an?)\s+[a-z][a-z -]*",
)
_UNITS = r"(?:\s?(?:%|°|[A-Za-zµΩ°²³·/^$€£¥-]{1,12}|million|billion|trillion|thousand)){0,3}"
_QUANTITY = re.compile(
    rf"(?:about |around |approximately |over |under |~|≈|<|>|≤|≥)?[$€£¥+−-]?\d[\d.,_ ]*{_UNITS}",
    re.IGNORECASE,
)


def is_name(words: str) -> bool:
    """Whether this can name one thing: no pronoun, no `the company`, no whole sentence."""
    bare = words.strip()
    if not bare or len(bare) > NAME_MOST_CHARS or "\n" in bare:
        return False
    return bare.casefold() not in _PRONOUNS and not _GENERIC.fullmatch(bare)


def is_quantity(words: str) -> bool:
    """Whether this is a figure with or without a unit: `450 Wh/kg`, `$4.2 billion`, `2024`."""
    return bool(_QUANTITY.fullmatch(words.strip()))
