"""What is quoted for a question, over pages made for one rule each."""

import pytest

from engine.offline.conversation import Seen, Window
from engine.offline.findings import Findings, findings
from engine.offline.library import library
from engine.offline.question import understood


def _found(question: str, *texts: str, host: str = "kiln") -> Findings:
    windows = tuple(
        Window(f"docs://{host}/{n}", f"docs://{host}/{n}", 0, len(text), len(text), text)
        for n, text in enumerate(texts)
    )
    told = Seen(question, (), (), windows, ())
    return findings(library(told), understood(question), told)


def _first(question: str, *texts: str) -> str:
    return _found(question, *texts).sections[0].quotes[0].bits[0].span.text


def _all(found: Findings) -> str:
    quotes = [quote for section in found.sections for quote in section.quotes]
    return "\n".join(bit.span.text for quote in quotes for bit in quote.bits)


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        (
            "What is a saggar?",
            "A saggar is a box of fireclay.",
            "Put the saggar and another saggar into the saggar rack.",
        ),
        (
            "What is the maximum weight of a saggar?",
            "The maximum weight of a saggar is 20 kilograms.",
            "The maximum weight of a saggar matters to every potter.",
        ),
        (
            "Since which version are there saggars?",
            "Saggars were added in version 3.1.0 (2020-01-02).",
            "Prior to version 2 nobody knew of saggars.",
        ),
        (
            "When does the saggar open?",
            "The saggar opens when the heat exceeds the threshold.",
            "The saggar is brown, and some say that the saggar is grey.",
        ),
        (
            "Why is the saggar closed?",
            "The saggar is closed because ash would spoil the glaze.",
            "The saggar is closed with a lid of clay.",
        ),
        (
            "Where are saggars kept?",
            "Saggars are stored in the directory /var/saggars.",
            "Saggars are kept warm and kept dry by the potter.",
        ),
    ],
)
def test_the_sentence_worded_like_an_answer_comes_first(
    question: str, answer: str, other: str
) -> None:
    assert _first(question, f"# Pots\n\n{other}\n\n{answer}\n") == answer


def test_a_short_form_that_is_spelled_out_is_a_definition() -> None:
    text = "# Clay\n\nSTONE is hard, STONE is old.\n\nThis is STONE (Sintered Top Of New Earth).\n"
    assert _first("What is STONE?", text).startswith("This is STONE (Sintered")


def test_an_entry_of_a_glossary_is_a_definition() -> None:
    text = "# Words\n\nbisque :: Clay that was fired once.\n\nA bisque bowl is a bisque thing.\n"
    assert _first("What is bisque?", text) == "Clay that was fired once."


def test_a_setting_is_found_by_the_words_that_it_is_made_of() -> None:
    text = (
        "# Sets\n\nshelf_height_limit (default: 90) :: In metres.\n\nshelf_colour :: Of a shelf.\n"
    )
    found = _found("What is the shelf height limit?", text)
    assert found.sections[0].quotes[0].bits[0].term == "shelf_height_limit (default: 90)"


def test_what_refers_back_is_quoted_with_what_it_refers_to() -> None:
    text = "# Kiln\n\nThe oven door is heavy. It closes the kiln when a firing begins.\n"
    assert _first("When does a firing close the kiln?", text).startswith("The oven door is heavy.")


def test_code_follows_its_sentence_in_an_answer_to_how() -> None:
    text = (
        "# Kiln\n\nTo light the kiln, run this command:\n\n    kiln light --now\n\nAsh is grey.\n"
    )
    assert "kiln light --now" in _all(_found("How do I light the kiln?", text))


def test_a_sentence_on_two_pages_is_quoted_once() -> None:
    text = "# Kiln\n\nA firing begins when the shelf is full.\n"
    assert _all(_found("When does a firing begin?", text, text)).count("shelf is full") == 1


def test_no_stretch_is_quoted_twice() -> None:
    text = "# Kiln\n\n" + " ".join(f"A firing begins when shelf {n} is full." for n in range(9))
    told = _found("What is a firing and when does a firing begin?", text)
    spans = [
        bit.span for section in told.sections for quote in section.quotes for bit in quote.bits
    ]
    for one in spans:
        inside = [two for two in spans if one.start < two.end and two.start < one.end]
        assert inside == [one]


def test_release_notes_answer_questions_about_versions_only() -> None:
    notes = "# Release 2.0\n\nA firing now begins when the bell rings.\n"
    guide = "# Guide\n\nA firing begins when the shelf is full.\n"
    assert "shelf" in _first("When does a firing begin?", notes, guide)


def test_other_folders_are_left_out_when_the_question_names_one() -> None:
    assert _found("When does a kiln firing begin?", "# A\n\nA firing begins at noon.\n").is_found


def test_what_is_named_and_nowhere_used_is_absent() -> None:
    found = _found("Does the kiln support Kubernetes?", "# Kiln\n\nThe kiln supports clay.\n")
    assert (found.is_found, found.absent) == (False, ("Kubernetes",))


def test_an_odd_word_does_not_hide_what_is_there() -> None:
    text = "# Kiln\n\nThe kiln door protects the private shelf.\n"
    found = _found("How does the kiln door safeguard the private shelf?", text)
    assert found.is_found
    assert found.uncovered == ("safeguard",)


def test_nothing_read_is_nothing_found() -> None:
    found = _found("When does a firing begin?")
    assert not found.is_found
    assert _all(found) == ""


def test_a_comparison_comes_as_what_names_both_and_what_names_one() -> None:
    text = (
        "# Modes\n\nRaw mode keeps glaze as it is, whereas packed mode joins it.\n\n"
        "Raw mode is the older one of all.\n\nPacked mode saves a lot of room.\n"
    )
    both, one, other = _found("Compare raw mode and packed mode", text).sections
    assert both.quotes[0].bits[0].span.text.startswith("Raw mode keeps")
    assert [section.title for section in (one, other)] == ["raw mode", "packed mode"]
    assert one.quotes[0].bits[0].span.text.startswith("Raw mode is")
    assert other.quotes[0].bits[0].span.text.startswith("Packed mode saves")


def test_pros_and_cons_are_printed_whole() -> None:
    text = (
        "# Gas\n\nThere are advantages and disadvantages to gas instead of wood. "
        "Advantages include:\n\n- Gas is clean.\n- Gas is quick.\n\n"
        "But there are also disadvantages:\n\n- Gas leaks.\n"
    )
    told = _all(_found("Compare gas and wood", text))
    assert all(f"Gas {word}." in told for word in ("is clean", "is quick", "leaks"))


def test_numbers_of_other_things_do_not_differ() -> None:
    text = (
        "# Limits\n\nThe maximum size of a glaze file is 16 gigabytes.\n\n"
        "The maximum size of a glaze file name is 64 characters.\n"
    )
    assert _found("What is the maximum size of a glaze file?", text).numbers == ()


def test_numbers_that_time_explains_say_so() -> None:
    texts = (
        "# A\n\nThe maximum size of a glaze file is 4 gigabytes before version 2.\n",
        "# B\n\nThe maximum size of a glaze file is 16 gigabytes.\n",
    )
    [pair] = _found("What is the maximum size of a glaze file?", *texts).numbers
    assert pair.names_time
    assert {pair.one_number, pair.other_number} == {"4 gigabytes", "16 gigabytes"}


def test_terms_of_a_section_are_a_list_whatever_stands_between() -> None:
    text = (
        "# Kiln\n\n## Firing modes\n\nThe kiln has these modes.\n\nslow :: For bowls.\n\n"
        "Mind the door.\n\nfast :: For cups.\n\n    code\n\nwild :: For nothing.\n"
    )
    [listing] = _found("Which firing modes does the kiln have?", text).lists
    assert [bit.term for bit in listing.bits] == ["slow", "fast", "wild"]
