"""The checkpoint of an extraction is read back as it was written, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.knowledge.extracted import (
    ExtractedEntity,
    ExtractedFact,
    Extraction,
    from_json,
    to_json,
)

WORDS = st.text(st.characters(codec="utf-8"), max_size=12)
ENTITIES = st.builds(
    ExtractedEntity, WORDS, WORDS, aliases=st.lists(WORDS, max_size=2).map(tuple), quote=WORDS
)
FACTS = st.builds(
    ExtractedFact,
    source=WORDS,
    relation=WORDS,
    target=WORDS,
    description=WORDS,
    quote=WORDS,
    negated=st.booleans(),
    start=WORDS,
    quote_start=st.none() | st.integers(0, 9),
    actor=st.sampled_from(["model", "pattern"]),
)
EXTRACTIONS = st.builds(
    Extraction,
    entities=st.lists(ENTITIES, max_size=3).map(tuple),
    facts=st.lists(FACTS, max_size=3).map(tuple),
    dropped=st.integers(0, 5),
    notes=st.lists(WORDS, max_size=2).map(tuple),
)


@given(EXTRACTIONS)
def test_a_checkpoint_comes_back_as_it_was(extraction: Extraction) -> None:
    assert from_json(to_json(extraction)) == extraction


@pytest.mark.parametrize("text", ["", "{", "[]", '{"facts": [1]}', '{"entities": [{"name": 3}]}'])
def test_a_spoiled_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="checkpoint of an extraction"):
        from_json(text)
