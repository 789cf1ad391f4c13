"""A spec is stored whole and read back as it was."""

from hypothesis import given
from hypothesis import strategies as st

from engine.domain.run import DocsFolder
from engine.manager.spec import RunSpec, from_json, to_json

SPECS = st.builds(
    RunSpec,
    topic=st.text(),
    user=st.text(),
    model=st.text(),
    max_steps=st.integers(1, 40),
    max_cost_usd=st.floats(0, 1_000),
    agent_name=st.text(),
    agent_version=st.text(),
    system=st.text(),
    tools=st.tuples(st.text(), st.text()),
    prompt_version=st.text(),
    docs=st.lists(st.builds(DocsFolder, st.text(), st.text())).map(tuple),
    web=st.booleans(),
)


@given(SPECS)
def test_what_is_stored_is_read_back(spec: RunSpec) -> None:
    assert from_json(to_json(spec)) == spec
