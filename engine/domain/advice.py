"""What a person can do about the error of a run: for every text that the engine itself writes.

    its own end        interrupted · stopped by · no report · a fault of the program
    this machine       the store · the documents · settings
    the model service  key · spending · name · a wait · overload · size · network · its answers

An error is known by its words, since nothing else of it is stored. What is not known gets the one
sentence that is always true; nothing here may guess.
"""

import re

from engine.domain.run import INTERRUPTED, NO_REPORT
from engine.domain.text_safety import one_line

_ADVICE: tuple[tuple[str, str], ...] = (
    (
        rf"^{INTERRUPTED}$",
        "The program ended while this agent was working. Start the research again; what it had "
        "read and spent is kept in its details.",
    ),
    (
        r"^stopped by ",
        "It was ended on request, so there is no report. Start it again, or wrap an agent up next "
        "time: then it reports what it has found so far.",
    ),
    (
        rf"^{NO_REPORT}$",
        "{model} gave an empty answer instead of a report. Start the research again, or choose "
        "another model.",
    ),
    (
        r"^the program has a fault: ",
        "This is a fault of gligabao, not of your research. The log in the data directory has the "
        "whole of it: please report it.",
    ),
    (
        r"the disk is full|disk could not be read or written",
        "Make room on the disk that holds the data directory, or repair it. Then start the "
        "research again.",
    ),
    (
        r"it may not be written|access was refused|directory exists and may be",
        "Give yourself the right to write the data directory and what is in it: the doctor says "
        "what is wrong. Then start the research again.",
    ),
    (
        r"the database is damaged|this is not a database",
        "Move the damaged file aside and restore a backup before you start anything else.",
    ),
    (
        r"another process is writing it|it is locked",
        "Another program holds the database. Let it end, then start the research again.",
    ),
    (
        r"the index of the folder .* cannot be kept",
        "Make room on the disk that holds the data directory, and check that you may write "
        "docs_index in it. Your documents are not at fault.",
    ),
    (
        r"the folder .* cannot be used",
        "Check that the folder exists, can be read and holds documents. Then start the research "
        "again with it.",
    ),
    (
        r"is needed for this search|search\.provider",
        "The configured search is not complete: the doctor names the key that gligabao.toml lacks.",
    ),
    (
        r"the recorded run|a recorded run|the recording has no",
        "The recorded run does not hold what was asked for. Start the research anew with a model "
        "instead of the recording.",
    ),
    (
        r"needs a key|needs an Anthropic API key|check ANTHROPIC_API_KEY",
        "The key of the model service is missing, wrong, or not allowed to use {model}. Set "
        "ANTHROPIC_API_KEY, or anthropic_api_key in gligabao.toml, then start again; the model "
        "“offline” needs no key.",
    ),
    (
        r"raise the limit in the console|credit balance",
        "Your account may spend no more. Raise the limit or buy credit in the console of the "
        "model service, or wait until the limit resets.",
    ),
    (
        r"check the name of the model",
        "The service knows no model {model}. Choose another one, and check [endpoint] base_url in "
        "gligabao.toml.",
    ),
    (
        r"it may be asked again at",
        "The service asked for a longer wait than is allowed. Start again at the time it names, or "
        "raise [retry] max_wait_seconds in gligabao.toml.",
    ),
    (
        r"(?i)rate.?limit|too many requests|HTTP status 429",
        "Too much was asked in a short time. Wait some minutes, run fewer agents at once, then "
        "start again.",
    ),
    (
        r"(?i)overloaded|HTTP status 529",
        "{model} has too much to do at the moment. Wait some minutes and start again, or choose "
        "another model.",
    ),
    (
        r"(?i)too long|too large|context.window|context limit|HTTP status 413",
        "The conversation became too long for {model}. Start again with fewer steps or a narrower "
        "topic, or choose a model that takes more.",
    ),
    (
        r"cut off in a tool call twice|max_tokens",
        "{model} wrote more than one answer may hold. Start again with a narrower topic, or choose "
        "another model.",
    ),
    (
        r"^the model ended the work: ",
        "{model} declined to go on with this topic. Word it differently, or choose another model.",
    ),
    (
        r"cannot be reached|connection to the model API broke|was cut off",
        "The model service could not be reached. Check your network, a proxy, and [endpoint] "
        "base_url in gligabao.toml, then start again.",
    ),
    (
        r"did not finish its reply|stopped answering|(?i:timed? ?out)",
        "{model} took too long to answer. Start again, perhaps later or with another model.",
    ),
    (
        r"(?i)reply that cannot be read|without a message|call of the model API failed"
        r"|internal server error|bad gateway|HTTP status (?:5\d\d|200|408|409)\b",
        "The model service, or something between it and you, answered wrongly. Start again; if it "
        "happens again, check [endpoint] base_url and the status page of the service.",
    ),
    (
        r"the model API answered: |request to the model API cannot be written",
        "The service did not accept what was asked of {model}. Choose another model; if it happens "
        "with every one, please report it.",
    ),
    (
        r"cost cap",
        "The limit on what it may cost was reached. Start again with a higher one.",
    ),
)
_ANYTHING_ELSE = (
    "Start the research again. If it fails in the same way, the log in the data directory says "
    "more."
)


def advice(error: str, *, model: str) -> str:
    """What to do about a run's `error`, in one to three plain sentences; empty without an error.

    `model` is the run's, as it is to be named.
    """
    if not error.strip():
        return ""
    found = next((told for pattern, told in _ADVICE if re.search(pattern, error)), _ANYTHING_ELSE)
    return _capitalised(found.replace("{model}", one_line(model) or "the model"))


def _capitalised(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:] if sentence.startswith("the model") else sentence
