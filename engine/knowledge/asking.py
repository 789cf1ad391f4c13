"""One question to a model whose answer is JSON: how it is put, and how it is put once more.

What others wrote stands between two lines with a mark that cannot occur in it; no tools are given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.domain.blocks import Message, text_block, user_message
from engine.domain.exchange import Request
from engine.domain.keys import content_hash
from engine.domain.template import render
from engine.resources import prompt

MAX_TOKENS = 8_192
CUT_SHORT = ("max_tokens", "model_context_window_exceeded")
_MOST_PROBLEMS = 12
_MARK_CHARS = 12


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the prompt by its name, its version, the schema of the answer, the matter."""

    prompt: str
    version: str
    schema: Mapping[str, object]
    matter: str


def request(question: Question, model_name: str) -> Request:
    return Request(
        purpose="remember",
        model=model_name,
        system=render(prompt(question.prompt), {}),
        messages=(user_message(question.matter),),
        max_tokens=MAX_TOKENS,
        output_schema=question.schema,
        prompt_version=question.version,
    )


def once_more(asked: Request, answer: str, problems: Sequence[str]) -> Request:
    """The same question with its answer and what is wrong with it."""
    listed = "\n".join(f"- {problem}" for problem in problems[:_MOST_PROBLEMS])
    repair = render(prompt("remember_repair"), {"problems": listed})
    if not answer.strip():
        matter = "\n\n".join((str(asked.messages[0].content[0]["text"]), repair))
        return replace(asked, messages=(user_message(matter),))
    said = Message("assistant", (text_block(answer),))
    return replace(asked, messages=(*asked.messages, said, user_message(repair)))


def marked(material: str) -> str:
    """The material between two lines with a mark that it cannot have foreseen."""
    line = f"=== {content_hash(material)[:_MARK_CHARS]} ==="
    return f"{line}\n{material}\n{line}"
