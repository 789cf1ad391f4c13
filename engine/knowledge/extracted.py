"""What was found in one text before anything is decided: values, and the JSON of the checkpoint.

A checkpoint is read back exactly as it was written, or refused.
"""

from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from engine.domain.facts import Actor


@dataclass(frozen=True, slots=True)
class ExtractedEntity:
    """Somebody or something that a text names."""

    name: str
    type: str
    """In the finder's words (`person`, `city`, ...); `thing` when it gave none."""
    aliases: tuple[str, ...] = ()
    """Other names that the same text gives it."""
    quote: str = ""
    """Words of the text that name it, verbatim; empty when that was not found."""
    mention: str = ""
    """Its name as the text writes it; empty when the text calls it otherwise."""


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """`source relation target: description`, as one text states it. Ends are given by name."""

    source: str
    relation: str
    target: str
    description: str
    quote: str
    """`text[quote_start:quote_end]`; empty when the text words it nowhere in one place."""
    target_is_value: bool = False
    """The target is a figure, a date or words, and no entity of its own."""
    exclusive: bool = False
    """The source has one such target at a time."""
    negated: bool = False
    start: str = ""
    """When it began to be true, in a format of `domain.dates.stated`; empty: not known."""
    end: str = ""
    is_inferred: bool = False
    """The dates are read from `time_words` by the source's date; the text does not write them."""
    time_words: str = ""
    """The words of the text that say when."""
    quote_start: int | None = None
    quote_end: int | None = None
    actor: Actor = "model"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found, and what was not taken and why."""

    entities: tuple[ExtractedEntity, ...] = ()
    facts: tuple[ExtractedFact, ...] = ()
    dropped: int = 0
    """Answered, but not taken: not stated by the text, or not readable."""
    notes: tuple[str, ...] = ()
    """What went wrong on the way, a sentence each, for people."""
    unread_chunks: int = 0
    """How many chunks of the text gave no readable answer: their text is stored only."""


def to_json(extraction: Extraction) -> str:
    return _adapter().dump_json(extraction).decode()


def from_json(text: str) -> Extraction:
    """Raises ValueError for anything that `to_json` did not write."""
    try:
        return _adapter().validate_json(text, strict=False)
    except ValidationError as error:
        raise ValueError(f"the checkpoint of an extraction cannot be read: {error}") from error


def _adapter() -> TypeAdapter[Extraction]:
    return TypeAdapter(Extraction)
