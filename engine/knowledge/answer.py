"""One call of a model that answers from stored facts, and the check of what it cites.

A model sees facts as marked material, has no tools, and is believed only as far as it cites: code
looks every citation up, and an answer that cites nothing says so itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.blocks import user_message
from engine.domain.errors import ProviderError
from engine.domain.exchange import Request
from engine.domain.text_safety import clean
from engine.knowledge.asking import marked
from engine.knowledge.selecting import Shown
from engine.knowledge.wording import NOT_GROUNDED, fact_line, passage_line
from engine.llm.model import Answering, Attempts, no_delta
from engine.resources import prompt

PROMPT = "query_answer"
PROMPT_VERSION = "query-answer-1"
MAX_TOKENS = 2_048
CUT_SHORT = "max_tokens"
_CITED = re.compile(r"[ \t]*\[((?:[FP]\d+)(?:\s*[,;&]?\s*[FP]?\d+)*)\]")
_NUMBER = re.compile(r"([FP]?)(\d+)")


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer whose citations all exist."""

    text: str
    fact_ids: tuple[int, ...]
    """In the order in which they are cited first."""
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Answerer:
    """The model that answers."""

    model: Answering
    model_name: str


async def answer(question: str, shown: Shown, *, by: Answerer, attempts: Attempts) -> Answered:
    """Raises ProviderError when the model's service fails, or the model says nothing."""
    reply = await by.model.reply(
        request(question, shown, by.model_name), no_delta, attempts=attempts
    )
    if reply.stop_reason == "refusal":
        raise ProviderError("refusal", f"{by.model_name} refused to answer the question")
    if not reply.text.strip():
        raise ProviderError("bad_reply", f"{by.model_name} gave an empty answer")
    text = reply.text + (" …" if reply.stop_reason == CUT_SHORT else "")
    checked = checked_answer(text, shown)
    return Answered(checked.text, checked.fact_ids, reply.usage.cost_usd)


def request(question: str, shown: Shown, model_name: str) -> Request:
    passages = [
        passage_line(number, passage.info) for number, passage in enumerate(shown.passages, 1)
    ]
    material = "\n".join([*(fact_line(fact) for fact in shown.facts), *passages])
    return Request(
        purpose="query",
        model=model_name,
        system=prompt(PROMPT),
        messages=(user_message(f"{marked(material)}\n\nQuestion: {clean(question)}"),),
        max_tokens=MAX_TOKENS,
        cache=False,
        prompt_version=PROMPT_VERSION,
    )


def checked_answer(text: str, shown: Shown) -> Answered:
    """The answer with citations of what was shown; others are taken out."""
    known = {f"F{fact.id}" for fact in shown.facts}
    known |= {f"P{number}" for number in range(1, len(shown.passages) + 1)}
    cited: dict[str, None] = {}

    def kept(match: re.Match[str]) -> str:
        real = [name for name in _names(match[1]) if name in known]
        cited.update(dict.fromkeys(real))
        return "".join(f" [{name}]" for name in real)

    written = _CITED.sub(kept, clean(text)).strip()
    fact_ids = tuple(int(name[1:]) for name in cited if name.startswith("F"))
    return Answered(written if fact_ids else f"{written}\n\n{NOT_GROUNDED}", fact_ids)


def _names(inside: str) -> Sequence[str]:
    """`F7, 9; P1` names F7, F9 and P1."""
    found, letter = [], "F"
    for match in _NUMBER.finditer(inside):
        letter = match[1] or letter
        found.append(f"{letter}{int(match[2])}")
    return found
