"""The pages of the handbook in the order a person reads them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FIRST = "start"


@dataclass(frozen=True, slots=True)
class Page:
    """`name` is the file's name without its ending."""

    name: str
    text: str

    @property
    def title(self) -> str:
        """Its first heading, else its name."""
        headings = (row[2:] for row in self.text.splitlines() if row.startswith("# "))
        return next(headings, self.name).strip()


def in_order(pages: Iterable[Page]) -> tuple[Page, ...]:
    """The page to start with first, then by name."""
    return tuple(sorted(pages, key=lambda page: (page.name != FIRST, page.name)))


def page_title(pages: Sequence[Page], at: int) -> str:
    return f"{pages[at].title}  ({at + 1} of {len(pages)})" if pages else "The handbook is missing"
