"""A few pages about an invented tool, and the two tools of a model over them, in process."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.domain.blocks import Message, ToolUse, tool_result_block, user_message
from engine.domain.exchange import AUTO, NO_TOOLS, Reply, Request, ToolSpec
from engine.offline.policy import decide
from engine.retrieval.tokens import terms

PAGES: Mapping[str, tuple[str, str]] = {
    "docs://kiln/guide.md": (
        "The kiln guide",
        """# The kiln guide

The kiln is a small store for glazes. It keeps every glaze in one file.

## Firing

A firing begins every firing_interval seconds, or when the shelf is full, whichever comes first.
The default settings are 300 seconds and 40 pots, respectively. A firing never runs during a storm.

Reasons to delay a firing are the following:

- The shelf is wet.
- Another kiln uses the *same* chimney_flue.
- A potter has locked the door with `kiln lock --door`.

## Limits

The maximum size of a glaze file is 16 gigabytes. A name has at most 64 characters.
""",
    ),
    "docs://kiln/format.md": (
        "File format of the kiln",
        """# File format of the kiln

The maximum size of a glaze file is 4 gigabytes on older shelves.

Glaze files support three modes: raw, packed and sealed.

## Modes

### Raw mode

Raw mode writes every glaze as it is.

### Packed mode

Packed mode joins glazes, whereas raw mode does not.

### Sealed mode

Sealed mode was added in version 2.4.0 (2021-05-06).
""",
    ),
    "docs://wheel/notes.md": (
        "Notes on the wheel",
        """# Notes on the wheel

The wheel turns clay. It is not a kiln, and only one potter can use it at a time.

firing_interval :: The time between two firings, in seconds.
""",
    ),
}
TOOLS = (ToolSpec("web_search", "", {}), ToolSpec("fetch_page", "", {}))
WITH_KNOWLEDGE = (*TOOLS, ToolSpec("query", "", {}), ToolSpec("remember", "", {}))


@dataclass(frozen=True, slots=True)
class Talk:
    """A whole conversation: what was asked for step by step, and the report."""

    report: str
    steps: int
    uses: tuple[tuple[ToolUse, ...], ...]
    request: Request


@dataclass(frozen=True, slots=True)
class SmallWeb:
    """Answers tool calls in the formats of the real tools. `broken` addresses cannot be read."""

    pages: Mapping[str, tuple[str, str]] = field(default_factory=lambda: PAGES)
    broken: frozenset[str] = frozenset()
    searches_fail: bool = False
    window: int = 15_000
    forgets: bool = False
    """Nothing can be remembered."""

    def talk(self, topic: str, max_steps: int = 20, tools: tuple[ToolSpec, ...] = TOOLS) -> Talk:
        messages = [user_message(topic)]
        uses: list[tuple[ToolUse, ...]] = []
        for step in range(1, max_steps + 1):
            request = _request(messages, tools, last=step == max_steps)
            reply = decide(request)
            if not reply.tool_uses:
                return Talk(reply.text, step, tuple(uses), request)
            uses.append(reply.tool_uses)
            messages += [Message("assistant", reply.content), self._answers(reply)]
        raise AssertionError("the last step asked for a tool")

    def _answers(self, reply: Reply) -> Message:
        return Message("user", tuple(self._answer(use) for use in reply.tool_uses))

    def _answer(self, use: ToolUse) -> Mapping[str, object]:
        if use.name == "web_search":
            if self.searches_fail:
                return tool_result_block(use.id, "web search failed: no service", is_error=True)
            return tool_result_block(use.id, self.search(str(use.input["query"])))
        if use.name == "remember":
            told = "no space is left" if self.forgets else "queued (remember run 1); later"
            return tool_result_block(use.id, told, is_error=self.forgets)
        url = str(use.input["url"])
        address = url.partition("#")[0]
        if address in self.broken or address not in self.pages:
            return tool_result_block(use.id, f"{address}: status 404", is_error=True)
        start = use.input.get("from", 0)
        assert isinstance(start, int)
        return tool_result_block(use.id, self.read(address, start))

    def search(self, query: str) -> str:
        asked = set(terms(query))
        shared = {
            address: len(asked & set(terms(f"{title} {text}")))
            for address, (title, text) in self.pages.items()
        }
        hits = sorted((one for one in shared if shared[one]), key=lambda one: -shared[one])
        if not hits:
            return "nothing was found"
        told = [f"{n}. {self.pages[hit][0]}: a snippet" for n, hit in enumerate(hits, start=1)]
        sources = [f"- {hit} ({self.pages[hit][0]})" for hit in hits]
        return "\n".join([*told, "", "Sources:", *sources])

    def read(self, address: str, start: int) -> str:
        text = self.pages[address][1]
        end = min(len(text), start + self.window)
        told = f"[characters {start} to {end} of {len(text)}, {address}]\n{text[start:end]}"
        on = f"\n[cut at character {end} of {len(text)}: call again with from={end} to read on]"
        return told + on if end < len(text) else told


def _request(messages: list[Message], tools: tuple[ToolSpec, ...], *, last: bool) -> Request:
    choice = NO_TOOLS if last else AUTO
    return Request("agent", "offline", "You research.", tuple(messages), tools, choice)
