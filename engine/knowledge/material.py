"""What a model's answer is held against: the text itself, and what its sentences may speak of.

Everything it says of a text is read off the text; it must never take a likeness for a quotation.
"""

from collections.abc import Iterable

from engine.domain.dates import stated
from engine.domain.facts import Stated
from engine.domain.keys import name_key
from engine.knowledge.dating import shows_year
from engine.retrieval.quoting import Quotable
from engine.retrieval.tokens import terms

_LEAST_QUOTE_CHARS = 4
_HINT_CHARS = 4
"""So many equal letters at the start of a word hint at a name: Norway where the text has
Norwegian."""


class Material:
    """A whole text, made once; `about` is its source's line and the names the model was given."""

    def __init__(
        self, text: str, *, about: Iterable[str] = (), reference: Stated | None = None
    ) -> None:
        self.text = text
        self.reference = reference
        self._page = Quotable(text)
        self._about = Quotable("\n".join(about))
        found = terms(text)
        self._figures = frozenset(term for term in found if term[0].isdigit())
        self._beginnings = frozenset(term[:_HINT_CHARS] for term in found)

    def place(self, quote: str, *, besides: str = "", after: int = 0) -> tuple[int, int] | None:
        """Where a quotation stands, if it says more than the name `besides`; at `after` or later
        rather than before."""
        if len(quote) < _LEAST_QUOTE_CHARS or name_key(quote) in name_key(besides):
            return None
        return self._page.find(quote, after)

    def worded(self, words: str) -> str:
        """These words as the text writes them; empty when it does not hold them."""
        place = self._page.find(words) if words else None
        return self.text[slice(*place)] if place else ""

    def holds(self, name: str) -> bool:
        return self._page.holds(name)

    def knows(self, name: str) -> bool:
        """Whether the name was given with the text."""
        return self._about.holds(name)

    def hints_at(self, end: str, *, is_value: bool) -> bool:
        """Whether something of the text can be meant by `end`: its figures, or the beginning of
        one of its words. A value of words alone may say it in other words."""
        if stated(end) is not None:
            return shows_year(self.text, end)
        found = terms(end)
        figures = [term for term in found if term[0].isdigit()]
        if figures:
            return self._figures.issuperset(figures)
        return is_value or any(term[:_HINT_CHARS] in self._beginnings for term in found)
