"""JSON in columns: everything a model can send comes back equal."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.store.columns import blocks, mapping, to_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@settings(max_examples=50)
@given(st.dictionaries(st.text(), VALUES))
def test_an_object_comes_back_equal_and_can_always_be_encoded(value: dict[str, object]) -> None:
    told = to_json(value)
    assert json.loads(told.encode()) == value
    assert mapping({"input": told}, "input") == value
    assert blocks({"content": f"[{told}]"}, "content") == (value,)


def test_text_stays_in_its_script() -> None:
    assert to_json({"topic": "東京"}) == '{"topic":"東京"}'
    assert to_json({"topic": "東\ud83d"}) == '{"topic":"\\u6771\\ud83d"}'
