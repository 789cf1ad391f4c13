"""A spec is stored whole and read back as it was."""

import json

from hypothesis import given
from hypothesis import strategies as st

from engine.domain.definition import RECENCIES, FetchRules, Location, SearchRules
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
    agent_hash=st.text(),
    max_tokens=st.integers(256, 64_000),
    own_max_cost_usd=st.floats(0, 1_000),
    search=st.builds(
        SearchRules,
        allowed_domains=st.lists(st.just("a.org")).map(tuple),
        recency=st.sampled_from(RECENCIES),
        location=st.builds(Location, country=st.just("DE")),
        instructions=st.just("Prefer dates."),
        max_calls=st.integers(0, 9),
        fetch=st.builds(FetchRules, max_page_chars=st.integers(1000, 100_000)),
    ),
)


@given(SPECS)
def test_what_is_stored_is_read_back(spec: RunSpec) -> None:
    assert from_json(to_json(spec)) == spec


def test_a_spec_of_an_earlier_version_is_read_with_what_was_so_then() -> None:
    spec = RunSpec("t", "ann", "m", 20, 0.5, "default", "1.0.0", "s", ("web_search",), "p")
    stored = json.loads(to_json(spec))
    for name in ("max_tokens", "own_max_cost_usd", "search"):
        del stored[name]
    del stored["agent"]["hash"]
    assert from_json(json.dumps(stored)) == spec
