"""The list of the agents, which always shows which of them is chosen, and the field for its words.

The rows are drawn by the view; nothing here knows the engine.
"""

from typing import ClassVar

from textual.binding import BindingType

from gligabao_tui.view.agents import Row
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.fields import PlainInput


class AgentRows(BlockList[Row]):
    @property
    def shows_cursor(self) -> bool:
        """Also while the details have the focus: they are those of this agent."""
        return True


class WordsInput(PlainInput):
    """The field for the words of the list's filter."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("agent_words"))
