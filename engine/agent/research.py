"""The research agent: the simple loop with the research prompt and the web tools (seed 000)."""

from collections.abc import Sequence
from typing import Any

from engine.agent import loop
from engine.agent.agent import Agent, Result
from engine.agent.tool import Tool
from engine.llm.model import Answering
from engine.resources import prompt

PROMPT_VERSION = "research-1"


def research_agent(model: Answering, tools: Sequence[Tool[Any]], *, model_name: str = "") -> Agent:
    """The default agent over `model`; change it with `dataclasses.replace` before a run."""
    return Agent(
        model=model,
        model_name=model_name,
        system=prompt("research"),
        tools=tuple(tools),
        prompt_version=PROMPT_VERSION,
    )


async def research(model: Answering, question: str, *, tools: Sequence[Tool[Any]]) -> Result:
    """Research one question once, outside any store. Raises as `loop.run`."""
    return await loop.run(research_agent(model, tools), question)
