"""Entities, one line each: name, kind, how many facts speak of it, and what it is. Pure."""

from dataclasses import dataclass

from engine.api import EntityInfo
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.text import Line, Span, crop, flat, line, pad, pad_left

NAME_SHARE, NAME_LEAST, NAME_MOST = 3, 18, 44
KIND_CELLS, FACTS_CELLS, KIND_FROM = 14, 8, 60


@dataclass(frozen=True, slots=True)
class EntityRow:
    entity: EntityInfo

    @property
    def key(self) -> int:
        return self.entity.id

    @property
    def is_live(self) -> bool:
        return False


def entity_row(entity: EntityInfo, width: int) -> Line:
    """`PGE  organisation  12  Polish power utility`; what does not fit goes from the right."""
    kind = pad(flat(entity.type), KIND_CELLS - 1) + " " if width >= KIND_FROM else ""
    spans = line(
        Span(f" {pad(flat(entity.name), _name_cells(width) - 1)} ", "strong"),
        Span(kind, "accent"),
        Span(pad_left(f"{entity.facts:,}", FACTS_CELLS - 3) + "   ", "muted"),
        Span(flat(entity.description), "quiet"),
    )
    return crop(spans, width)


def entities_header(width: int) -> Line:
    kind = pad("kind", KIND_CELLS) if width >= KIND_FROM else ""
    facts = pad_left("facts", FACTS_CELLS - 3) + "   "
    return line(Span(f" {pad('name', _name_cells(width))}{kind}{facts}", "quiet"))


def entity_text(entity: EntityInfo) -> str:
    """For the clipboard."""
    told = f": {flat(entity.description)}" if entity.description.strip() else ""
    facts = count_of(entity.facts, "fact", "facts")
    return f"{flat(entity.name)} ({flat(entity.type)}, {facts}){told}"


def _name_cells(width: int) -> int:
    return min(NAME_MOST, max(NAME_LEAST, width // NAME_SHARE))
