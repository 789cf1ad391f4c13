"""Word tables of the offline policy: which words betray which kind of question or statement.

Data only, grown on questions about other documents than those it is judged by. English only; in
other languages nothing here fits and plain word statistics decide.
"""

import re
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "compare",
    "version",
    "limit",
    "yesno",
    "why",
    "how",
    "when",
    "where",
    "list",
    "definition",
    "topic",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LIST_NOUNS = _words(
    """
    type types level levels mode modes setting settings kind kinds option options method methods
    form forms class classes state states step steps format formats value values category
    categories function functions command commands reason reasons way ways case cases phase phases
    strategy strategies operator operators rule rules section sections field fields parameter
    parameters argument arguments flag flags variable variables file files limitation limitations
    feature features advantage advantages disadvantage disadvantages restriction restrictions
    requirement requirements tool tools event events error errors status statuses exception
    exceptions keyword keywords script scripts priority priorities area areas component components
    """
)

_LIST_ASKED = rf"\b(?:which|what)\b(?:\W+\w+){{0,3}}?\W+(?:{'|'.join(sorted(LIST_NOUNS))})\b"
QUESTION_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "compare",
        re.compile(
            r"\bcompar(?:e|es|ed|ison|ing)\b|\bdifferences?\b|\bdiffers?\b|\bversus\b|\bvs\b"
            r"|\bpros and cons\b|\b(?:better|faster|safer) than\b|\badvantages?\b"
        ),
    ),
    (
        "version",
        re.compile(
            r"\b(?:which|what) (?:version|release|year|date)\b|\bsince (?:when|which|what)\b"
            r"|\bwhen (?:was|were|did)\b.*\b(?:add(?:ed)?|introduced?|released?|removed?"
            r"|deprecated?|start|get|gain|receive|appear|support|become)"
        ),
    ),
    (
        "limit",
        re.compile(
            r"\b(?:maximum|minimum|max|min|limits?|largest|smallest|longest|default|at most)\b"
            r"|\bhow (?:many|much|large|big|often|long|small|deep|far|old|fast)\b"
        ),
    ),
    (
        "yesno",
        re.compile(
            r"^\W*(?:does|do|did|is|are|was|were|can|could|may|must|should|will|has|have)\b"
        ),
    ),
    (
        "why",
        re.compile(
            r"\bwhy\b|\bwhat (?:is|are) the (?:reasons?|causes?)\b|\bfor what reason"
            r"|\bwhat causes\b"
        ),
    ),
    (
        "how",
        re.compile(r"\bhow\b(?! (?:many|much|large|big|often|long|small|deep|far|old|fast)\b)"),
    ),
    (
        "when",
        re.compile(
            r"\bwhen\b|\bhow often\b|\bwhat (?:triggers|starts|initiates)\b"
            r"|\bunder (?:what|which) (?:conditions?|circum)"
        ),
    ),
    ("where", re.compile(r"\bwhere\b|\b(?:which|what) (?:directory|folder|path|place)\b")),
    ("list", re.compile(rf"^\W*(?:list|name|enumerate)\b|{_LIST_ASKED}|\bwhat are the\b")),
    (
        "definition",
        re.compile(
            r"\bwhat(?:'s| is| are| does)\b(?!.*\b(?:maximum|minimum|default|limit|differ))"
            r"|\b(?:define|definition of|meaning of|what .* mean)\b"
        ),
    ),
)
"""A question has every kind whose pattern its lower-case text holds; without any it is a topic."""

ASKING_WORDS = _words(
    """
    since get gets got compare compared comparing comparison difference differences differ
    differs different versus vs mean means please according regarding concerning several various
    certain many much often long large big happen happens one two use used using uses handle
    handles handling way ways
    """
)
"""Words of a question that ask rather than name: never core words."""
OPENING_WORDS = _words(
    """
    list name enumerate explain describe tell give show define know question answer want need needs
    find work works summarize summarise
    """
)
"""The same, as long as they stand among the first words."""
ASKING_PHRASES = re.compile(r"\b(?:definition|meaning|overview|list|explanation) of\b")

EMPTY_VERBS: dict[Kind, frozenset[str]] = {
    "when": _words(
        "run runs running start started starts happen happens occur occurs executed execute called "
        "call triggered triggers trigger invoked performed perform begin begins cause causes"
    ),
    "version": _words("add added introduce introduced support supported supports available appear"),
    "list": _words(
        "available exist exists support supports supported provide provides offer offers"
    ),
    "where": _words("kept keep stored store located found find placed put saved live lives stand"),
}
"""Verbs that, in such a question, say no more than that it is asked."""

GENERIC_WORDS = _words(
    """
    support supports supported make makes made number level levels mode modes setting settings type
    types kind kinds value values option options get set run runs do done change changes enable
    disable start stop create created allow allowed possible available default maximum minimum size
    limit limits version versions release difference time thing things case cases part data system
    file files program command commands feature features return returns method methods function
    functions name names word words reason reasons advantage advantages disadvantage disadvantages
    step steps add added introduce introduced require required kept keep put take takes go goes
    """
)
"""Words that seldom tell what a question is about: they weigh little."""

MEASURES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), tuple(asked.split()))
    for pattern, asked in (
        (
            r"\bhow long (?:can|may|must|should|is|are)\b(?!.*\b(?:kept|wait|take|last))",
            "maximum length",
        ),
        (r"\bhow (?:long|old)\b", "time"),
        (r"\bhow often\b", "interval"),
        (r"\bhow (?:large|big) (?:can|may)\b", "maximum size"),
        (r"\bhow (?:large|big)\b", "size"),
        (r"\bhow many\b.*\b(?:can|may)\b", "maximum number"),
        (r"\bhow many\b", "number"),
        (r"\bhow much\b", "amount"),
        (r"\bhow deep\b", "depth"),
        (r"\bhow fast\b", "speed"),
    )
)
"""What a question asks for without naming it; the first that fits."""

PHRASAL_VERBS = {
    "back up": "backup",
    "set up": "setup",
    "shut down": "shutdown",
    "log in": "login",
    "roll back": "rollback",
    "rolled back": "rollback",
    "clean up": "cleanup",
    "time out": "timeout",
    "look up": "lookup",
    "start up": "startup",
    "turn on": "enable",
    "turned on": "enabled",
    "switch on": "enable",
    "switched on": "enabled",
    "turn off": "disable",
    "turned off": "disabled",
    "switch off": "disable",
    "switched off": "disabled",
}
"""Verbs of two words that documents rather write as one."""

ATTRIBUTE_WORDS = _words(
    """
    maximum minimum max min largest smallest longest limit limits size length number count amount
    default value time timeout interval version release date year width depth age rate cost
    """
)
"""What a limit or version question asks of its subject."""

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
STRONG_CUES: dict[Kind, re.Pattern[str]] = {
    "how": re.compile(
        r"\b(?:us(?:e|ing)|set(?:ting)?|run(?:ning)?|calls?|calling|execut\w+|configur\w+|enabl\w+"
        r"|must first|controlled by|automatically|invok\w+|specify\w*|by \w+ing|pass(?:ing)?"
        r"|to do (?:so|this|that))\b"
    ),
    "why": re.compile(
        r"\b(?:because|reasons?|so that|in order to|therefore|due to|otherwise|as a result"
        r"|which means|causes?|caused|prevents?|in case|to ensure|to avoid|hence|purpose|since)\b"
    ),
    "when": re.compile(
        r"\b(?:when(?:ever)?|as soon as|exceed(?:s|ed)?|thresholds?|intervals?|trigger(?:s|ed)?"
        r"|periodically|whichever|reach(?:es|ed)?|every|each time|(?:more|less|wider|larger|longer)"
        r" than|about to|at the end|begins?|begun|performed|initiated|only if|if the number)\b"
    ),
    "where": re.compile(
        r"\b(?:located|placed|stored|installed|found in|kept|lives?|resides?|director(?:y|ies)"
        r"|folders?|inside)\b|(?:^|\s)[~.]?/\w+"
    ),
    "version": re.compile(
        r"\bversions? \d|\b\d+\.\d+|\b(?:since|beginning with|starting with|as of|prior to|added"
        rf"|introduced|deprecated|removed|new in|changed in)\b|\b{_MONTH} \d|\b\d{{4}}-\d\d"
    ),
    "limit": re.compile(
        r"\b(?:maxim(?:um|al)|minim(?:um|al)|at most|at least|cannot exceed|up to|default\w*|bytes"
        r"|[kmgt]i?b|(?:kilo|mega|giga|tera)bytes?|unlimited|rows|seconds|minutes|hours|days"
        r"|limit(?:ed|s)?|no more than|longer than|no limit|larger than|exceed\w*)\b"
    ),
    "yesno": re.compile(
        r"\b(?:not|never|cannot|can't|without|no longer|only|unless|except|always|allowed|permit\w*"
        r"|prohibit\w*|possible|support\w*|requir\w+|even while|even if|conflicts?|safe\w*|must|may"
        r"|can|doesn['’]t|don['’]t|won['’]t|able|acceptable|forbidden)\b"
    ),
    "compare": re.compile(
        r"\b(?:whereas|unlike|compared?|contrast|differen\w+|differs?|advantages?|disadvantages?"
        r"|than|faster|slower|instead|rather|while|however|both|similar\w*|same|equivalent"
        r"|on the other hand|neither|between|distinction|alternative|only|at a time|any number"
        r"|unlimited|but|main|major)\b"
    ),
    "definition": re.compile(
        r"\b(?:is an?|are|is one|is the|refers? to|is called|means|known as|stands for"
        r"|consists? of|represents?|provides?|describes?|is used (?:to|for)|denotes?|defined as"
        r"|causes|allows|lets|makes|sets|returns|enables|performs|tells|indicates|specifies"
        r"|controls|creates|declares|executes|runs)\b"
    ),
    "list": re.compile(
        r"\b(?:following|includ\w+|types|kinds|modes|levels|one of|several|there are"
        r"|(?:two|three|four|five|six|seven|eight|nine|ten) \w+)\b|\bare:"
    ),
}
"""Words that a sentence of such an answer is likely to have."""

WEAK_CUES: dict[Kind, re.Pattern[str]] = {
    "how": re.compile(
        r"\b(?:used|uses|runs|chang\w+|add(?:ing)?|creat\w+|type|command|option|example"
        r"|perform\w*|first|then)\b"
    ),
    "why": re.compile(
        r"\b(?:avoid\w*|allows?|would|lets?|makes? it (?:possible|easy|easier)|for this|thus)\b"
    ),
    "when": re.compile(
        r"\b(?:if|after|before|during|once|upon|until|as long as|while|starts?|started|occurs?"
        r"|launched|called|invoked|automatically|seconds|minutes)\b"
    ),
}

LIST_LEADS = re.compile(
    r"\b(?:reasons?|steps?|following|includes?|advantages?|disadvantages?|cases?|ways?|situations?"
    r"|conditions?|rules?|restrictions?|options?|values?|types?|kinds?|limitations?|levels?|modes?"
    r"|requirements?|consequences?|differences?|methods?|categories|factors?|circumstances|causes?"
    r"|as follows|below|one of)\b"
)
ANAPHORIC = re.compile(
    r"[\W_]*(?:this|that|these|those|it|its|they|their|such|however|but|also|thus|otherwise"
    r"|for example|instead|therefore|hence|so|then|in this|in that|in these|in addition|he|she"
    r"|similarly|likewise|nevertheless|moreover|furthermore|consequently|as a result"
    r"|because of this|and|or"
    r"|as (?:previously |already )?(?:stated|mentioned|noted)|the latter|the former|for instance"
    r"|in such|in other words"
    r"|in either|in both)\b",
    re.IGNORECASE,
)
REFERRING_ON = re.compile(
    r"[\W_]*(?:this|these|it|they|such|however|but|the default|in this|that|otherwise|for example"
    r"|instead|also|then)\b",
    re.IGNORECASE,
)
ASIDE = re.compile(
    r"[\W_]*(?:note|important|warning|tip|caution|remember|beware|in particular|similarly"
    r"|you (?:can|may) also)\b",
    re.IGNORECASE,
)
"""Beginnings of sentences that add to what was said before."""
ENUMERATION = re.compile(r"(?:, [\w'\"“”.-]{1,40}(?: [\w-]{1,30})?){1,12},? (?:and|or) \w")
POINTERS = re.compile(
    r"\b(?:see|refer to|described (?:in|below|above)|discussed in|consult|documented (?:in|at))\b"
    r"|\b(?:this|the (?:following|next|previous)) (?:section|chapter|document|page|table)\b"
)

NUMBER_WORD = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|million)\b"
)
LIMIT_NAMING = re.compile(
    r"\bdefaults?\b[^.;]{0,60}?\b(?:is|are|of|to|:)\W+[\w'\"-]*\d|\bdefault\w* \W?\d"
)
VERSION_NAMING = re.compile(
    r"\b(?:added|as of|since|introduced|beginning with|starting with|new in|available in"
    r"|appeared)\b"
    r"[^.;]{0,60}?\b\d+\.\d+"
)
CONTRAST = re.compile(
    r"\b(?:while|whereas|but|unlike|than|rather|instead|however|in contrast|compared (?:to|with))\b"
)
ORDINARY = re.compile(r"\b(?:plain|standard|ordinary|simple|regular|normal|basic|by default)\b")
CHANGE_NOTE = re.compile(
    r"[\W_]*(?:changed in|new in|deprecated since|added in) version", re.IGNORECASE
)
PRIOR = re.compile(r"\bprior to|\bbefore version|\bearlier versions?\b|\bolder versions?\b")

SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in """
    reclaim recover free
    delete remove drop erase
    create make add build
    enable activate on
    disable deactivate off
    lock locked locking lockable
    detect check find notice
    maximum largest limit most greatest
    minimum smallest least
    size length long bytes
    time lifetime timeout duration period interval
    number count
    automatically automatic auto
    concurrent concurrency simultaneous parallel
    writer write writing
    reader read reading
    run execute start launch invoke
    happen occur perform begin
    compress compressed compression
    change modify alter update
    error failure fail exception raise
    last latest recent
    fast speed performance quick
    list sequence array
    kind type sort
    folder directory
    file path
    stop end terminate abort
    allow permit enable
    forbid prohibit disallow
    show display print
    copy duplicate clone
    undo revert reset restore
    merge combine join
    argument parameter
    default standard
    version release
    require need must
    ignore skip exclude
    install installation
    store stored save persist keep kept
    support provide allow
    cost price
    cache buffer
    backup back
    setup set
    rollback roll
    shutdown shut
    login log
    """.strip().splitlines()
)
RELEASE_NOTES = re.compile(
    r"\b(?:release (?:notes|history|\d)|change ?log|changes|what['’]s new|news|history of"
    r"|version \d|upgrading)\b",
    re.IGNORECASE,
)
"""Titles of pages that tell what changed: they answer questions about versions only."""
GENERIC_HEADINGS = _words(
    """
    overview introduction description notes note examples example see also compatibility parameters
    outputs syntax summary background details general history contents options name synopsis
    """
)
