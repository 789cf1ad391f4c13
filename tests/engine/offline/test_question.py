"""A question is taken apart by its words alone."""

import pytest

from engine.offline.question import lighter, part_of, understood, with_known_names


@pytest.mark.parametrize(
    ("topic", "kind"),
    [
        ("Compare raw and packed mode", "compare"),
        ("Since which version are there sealed files?", "version"),
        ("What is the maximum size of a glaze?", "limit"),
        ("Does a firing lock the door?", "yesno"),
        ("Why is a firing delayed?", "why"),
        ("How do I open the kiln?", "how"),
        ("When does a firing begin?", "when"),
        ("Where are the glazes stored?", "where"),
        ("Which modes does the kiln have?", "list"),
        ("What is a kiln?", "definition"),
        ("Glazes of the Ming period", "topic"),
    ],
)
def test_kinds_are_told_by_the_question_words(topic: str, kind: str) -> None:
    assert kind in part_of(topic).kinds


def test_asking_words_and_stop_words_are_no_core_words() -> None:
    assert list(part_of("Please explain how the kiln is used").core) == ["kiln"]


def test_generic_words_weigh_little_unless_there_are_no_others() -> None:
    assert part_of("kiln mode").core == {"kiln": 1.0, "mode": 0.35}
    assert part_of("which modes").core == {"mode": 1.0}


def test_what_happens_weighs_least_in_a_question_after_the_moment() -> None:
    assert part_of("When does a firing run?").core["run"] < 0.35


def test_what_is_measured_is_asked_for_though_it_is_not_named() -> None:
    assert "time" in part_of("How long does a firing take?").core


def test_an_identifier_counts_once_and_is_known_by_its_pieces() -> None:
    part = part_of("Why does kiln_busy happen?")
    assert part.core == {"kiln_busy": 1.0}
    assert part.names == {"kiln_busy": ("kiln", "busi")}
    assert with_known_names(part, {"kiln"}).core == {"kiln": 1.0, "busi": 1.0}
    assert with_known_names(part, {"kiln_busy"}).core == part.core


def test_a_dotted_name_is_asked_for_by_its_pieces() -> None:
    assert part_of("What does kiln.fire do?").core == {"kiln": 0.6, "fire": 0.6}


def test_names_of_sources_weigh_little_beside_other_words() -> None:
    names = frozenset({"kiln"})
    assert lighter(part_of("kiln glaze"), names, 0.25).core == {"kiln": 0.25, "glaze": 1.0}
    assert lighter(part_of("What is a kiln?"), names, 0.25).core == {"kiln": 1.0}


def test_two_questions_in_one_are_two_parts_that_share_their_subject() -> None:
    first, second = understood("What is a kiln and when is it lit?").parts
    assert (first.text, second.text) == ("What is a kiln", "when is it lit")
    assert list(second.core) == ["kiln", "lit"]


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ("Compare raw mode and packed mode: speed", ("raw mode", "packed mode", "speed")),
        ("Difference between kiln and oven", ("kiln", "oven", "")),
        ("kiln vs. oven", ("kiln", "oven", "")),
        ("How do kiln and oven differ in heating clay?", ("kiln", "oven", "heating clay")),
        ("How does a kiln differ from an oven?", ("a kiln", "an oven", "")),
        ("How do A and B differ in the way they fire?", ("A", "B", "fire")),
    ],
)
def test_comparisons_name_two_sides_and_an_aspect(topic: str, told: tuple[str, str, str]) -> None:
    found = understood(topic).comparison
    assert found is not None
    assert (found.one, found.other, found.aspect) == told


def test_and_alone_is_no_comparison() -> None:
    assert understood("How are kilns and ovens built?").comparison is None


def test_names_are_words_with_capitals_or_signs_after_the_first() -> None:
    assert understood("Does the Kiln run on Kubernetes with x_y?").named == {
        "kiln",
        "kubernet",
        "x_y",
        "x",
        "y",
    }


def test_a_topic_without_words_is_still_a_question() -> None:
    assert understood("").parts[0].core == {}
    assert understood("???").topic == "???"
