"""The tool query: a question to the knowledge base of the agent's user (seed 000)."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from engine.agent.knowledge import Knowledge
from engine.agent.tool import StateDetail, Tool, ToolContext
from engine.domain.errors import ProviderError, ToolError, UserError
from engine.domain.exchange import ToolResult
from engine.domain.text_safety import one_line
from engine.knowledge.wording import tool_text

QUESTION_MOST_CHARS = 2000


class QueryInput(BaseModel):
    """`{"question": "..."}`: 1 to 2000 characters after trimming."""

    model_config = ConfigDict(extra="forbid")

    question: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=QUESTION_MOST_CHARS),
    ]


def query_tool(knowledge: Knowledge) -> Tool[QueryInput]:
    """query over one agent's view of the knowledge base."""

    async def run(_: ToolContext, given: QueryInput) -> ToolResult:
        try:
            answer = await knowledge.query(given.question)
        except (UserError, ProviderError) as error:
            raise ToolError(f"the knowledge base cannot answer: {error}") from error
        return ToolResult(tool_text(answer))

    return Tool(
        name="query",
        description=(
            "Ask the knowledge base of earlier research a question. Gives the answer and the "
            "dated facts that it is based on."
        ),
        input_model=QueryInput,
        state=lambda given: StateDetail("querying", one_line(given.question, QUESTION_MOST_CHARS)),
        run=run,
    )
