"""The tool remember: a snippet goes into the knowledge base of the agent's user (seed 000)."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from engine.agent.knowledge import Knowledge
from engine.agent.tool import StateDetail, Tool, ToolContext
from engine.domain.errors import ProviderError, ToolError, UserError
from engine.domain.exchange import ToolResult
from engine.domain.knowledge import TOOL_MOST_CHARS, RememberRun
from engine.domain.text_safety import one_line

DETAIL_CHARS = 100
SOURCE_MOST_CHARS = 2000


class RememberInput(BaseModel):
    """`{"text": "...", "source": "https://...", "sync": false}`; only `text` is required."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(description="One to three sentences that can be understood alone")
    source: str = Field(
        default="",
        max_length=SOURCE_MOST_CHARS,
        description="The address of the page that it is from",
    )
    sync: bool = Field(
        default=False,
        description="Wait until it is in the knowledge base; only when it is needed right away",
    )

    @field_validator("text")
    @classmethod
    def _fits(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("text: is empty: give the snippet to remember")
        if len(text) > TOOL_MOST_CHARS:
            raise ValueError(
                f"text: {len(text)} characters are too many ({TOOL_MOST_CHARS} at most): keep to "
                "the important parts, or split it over several calls"
            )
        return text


def remember_tool(knowledge: Knowledge) -> Tool[RememberInput]:
    """remember over one agent's view of the knowledge base."""

    async def run(_: ToolContext, given: RememberInput) -> ToolResult:
        source = one_line(given.source, SOURCE_MOST_CHARS).strip()
        text = f"Source: {source}\n\n{given.text}" if source else given.text
        try:
            stored = await knowledge.remember(text, source=source, wait=given.sync)
        except (UserError, ProviderError) as error:
            raise ToolError(str(error)) from error
        return ToolResult(told(stored), is_error=stored.status == "failed")

    return Tool(
        name="remember",
        description=(
            "Add a snippet to the knowledge base. It is stored at once and taken apart into dated "
            "facts in the background."
        ),
        input_model=RememberInput,
        state=lambda given: StateDetail("remembering", _detail(given)),
        run=run,
    )


def told(stored: RememberRun) -> str:
    """What the agent is told of its text; the beginnings are the seed's."""
    which = f"(remember run {stored.id})"
    match stored.status:
        case "completed":
            return f"remembered {which}: {_counts(stored)} in the knowledge base"
        case "stored_only":
            return f"stored {which}: query finds its sentences, {_counts(stored)} were read from it"
        case "failed":
            return f"not remembered {which}: {stored.error}"
        case "queued" | "running" if stored.error:
            return f"queued {which}; it is tried again later, since it failed: {stored.error}"
        case "queued" | "running":
            later = "it is absorbed in the background and may not be found by query yet"
            return f"queued {which}; {later}"


def _counts(stored: RememberRun) -> str:
    entities = f"{stored.entities} {'entity' if stored.entities == 1 else 'entities'}"
    return f"{entities} and {stored.facts} {'fact' if stored.facts == 1 else 'facts'}"


def _detail(given: RememberInput) -> str:
    how = "sync" if given.sync else "async"
    return f"{how}: {one_line(given.text, DETAIL_CHARS)}"
