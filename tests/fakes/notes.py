"""A tool that answers at once, for flows and benchmarks that are not about pages."""

from pydantic import BaseModel

from engine.agent.tool import StateDetail, Tool, ToolContext
from engine.domain.errors import ToolError
from engine.domain.exchange import Reading, ToolResult


class Note(BaseModel):
    text: str


async def _note(_: ToolContext, given: Note) -> ToolResult:
    if given.text == "fail":
        raise ToolError("there is no paper left")
    read = Reading("note://1", "note://1", "text/plain", "A note", given.text)
    return ToolResult(f"noted: {given.text}", read=read if given.text != "plain" else None)


NOTE_TOOL: Tool[Note] = Tool(
    name="note",
    description="Notes a text",
    input_model=Note,
    state=lambda given: StateDetail("using_tool", "note"),
    run=_note,
)
