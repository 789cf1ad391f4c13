"""The knowledge base by the real commands on a real engine, without a key: what is stored is found,
shown with its dates and its passage, and taken back."""

from pathlib import Path

import pytest

from tests.surfaces.conftest import Shell

LINE = '{"text": "%s", "source": "%s", "date": "%s", "facts": [%s]}\n'
FACT = '{"source": "電池 C++", "relation": "reached", "target": "%s", "from": "%s"}'
CANARY = "Zanzibarium"


@pytest.fixture
def stocked(keyless: Shell) -> Shell:
    """Two texts that state one relation at two times."""
    Path("facts").write_text(
        LINE % ("It reached 400.", "https://a.example", "2024-06", FACT % ("400", "2024"))
        + LINE % (f"{CANARY} reached 450.", "https://b.example", "2025", FACT % ("450", "2025-03"))
    )
    assert keyless("facts", "import", "facts").code == 0
    return keyless


@pytest.mark.req("R074")
def test_a_text_is_absorbed_before_its_owner_leaves_and_can_be_searched(keyless: Shell) -> None:
    said = keyless("remember", "Foo 3.12 was released in October 2023.", "--json")
    assert (said.code, said.document["status"]) == (0, "queued")
    (run,) = keyless("knowledge", "queue", "--json").lines
    assert run["status"] == "stored_only"
    assert run["title"] == "Foo 3.12 was released in October 2023."
    answer = keyless("query", "When was Foo 3.12 released?", "--json").document
    assert "No model is set" in answer["answer"]
    assert answer["passages"][0]["text"] == "Foo 3.12 was released in October 2023."


def test_imported_facts_are_listed_of_a_time_and_of_a_name_in_any_script(stocked: Shell) -> None:
    held = stocked("facts", "--about", "電池 c++", "--as-of", "2024-12", "--json").lines
    assert ("400", "possible") in {(fact["target"], fact["certainty"]) for fact in held}
    assert {fact["target"] for fact in stocked("facts", "--json").lines} == {"400", "450"}
    assert [line["name"] for line in stocked("knowledge", "ls", "--json").lines] == ["main"]


def test_a_fact_tells_its_events_and_its_text(stocked: Shell) -> None:
    first = min(fact["id"] for fact in stocked("facts", "--json").lines)
    history = stocked("knowledge", "fact", str(first), "--json").document
    assert history["events"][0]["kind"] == "created"
    assert history["supports"][0]["source"] == "https://a.example"


def test_what_is_forgotten_is_gone_from_every_answer(stocked: Shell) -> None:
    assert CANARY in stocked("query", f"What did {CANARY} reach?").out
    gone = stocked("forget", "--source", "https://b.example", "--yes", "--json").document
    assert (len(gone["artifacts"]), gone["facts_gone"]) == (1, 1)
    assert CANARY not in stocked("query", f"What did {CANARY} reach?").out
    assert [fact["target"] for fact in stocked("facts", "--json").lines] == ["400"]


def test_another_user_sees_nothing_of_it(stocked: Shell) -> None:
    assert stocked("facts", "--user", "bob").err == "no facts\n"
    assert stocked("forget", "1", "--yes", "--user", "bob").code == 4
    assert stocked("knowledge", "fact", "1", "--user", "bob").code == 4
    assert stocked("query", "What reached 450?", "--user", "bob").out == (
        "The knowledge base is empty.\n"
    )
