"""Passages are ranked by words, their kin, and the words that came up with them."""

from engine.offline.conversation import Seen, Window
from engine.offline.library import Library, library
from engine.offline.question import part_of
from engine.offline.ranking import ranked, rarity, synonyms


def _read(*texts: str) -> Library:
    windows = tuple(
        Window(f"docs://kiln/{n}", f"docs://kiln/{n}", 0, len(text), len(text), text)
        for n, text in enumerate(texts)
    )
    return library(Seen("t", (), (), windows, ()))


def _order(question: str, *texts: str) -> list[int]:
    return [one.page for one in ranked(_read(*texts), part_of(question), frozenset()).best]


def test_the_passage_with_the_words_comes_first_and_those_without_not_at_all() -> None:
    assert _order("glaze recipe", "Ash is grey.", "A glaze recipe.", "A glaze.") == [1, 2]


def test_headings_count_for_what_stands_under_them() -> None:
    texts = ("# Bricks\n\nHeat it slowly then.\n", "# Glaze\n\nHeat it slowly then.\n")
    assert _order("glaze", *texts) == [1]


def test_a_synonym_is_found_when_the_word_is_missing() -> None:
    assert _order("delete a glaze", "You can remove it.", "Ash is grey.") == [0]


def test_an_identifier_is_found_by_its_pieces() -> None:
    assert _order("kiln_busy", "The kiln was busy.", "Ash is grey.") == [0]


def test_scores_are_shares_of_the_best() -> None:
    ranking = ranked(_read("A glaze glaze.", "A glaze of old."), part_of("glaze"), frozenset())
    assert max(ranking.scores.values()) == 1.0


def test_pages_of_other_hosts_are_left_out_when_hosts_are_given() -> None:
    assert ranked(_read("A glaze."), part_of("glaze"), frozenset({"oven"})).best == ()


def test_words_that_come_up_with_the_best_are_fed_back() -> None:
    texts = [f"A glaze needs feldspar and sand {n}." for n in range(4)] + ["Ash is grey."]
    feedback = ranked(_read(*texts), part_of("glaze"), frozenset()).feedback
    assert "feldspar" in feedback
    assert all(0 < weight <= 0.3 for weight in feedback.values())


def test_kin_of_words_are_known_by_stem() -> None:
    assert synonyms(["delet"])["remov"] == "delet"
    assert synonyms(["autovacuum"])["vacuum"] == "autovacuum"


def test_a_word_of_every_passage_still_counts() -> None:
    assert rarity([["a", "b"], ["a"]])["a"] > 0
