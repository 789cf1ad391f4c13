"""WordPiece as the original does it, on a vocabulary one can read."""

from importlib.resources import files

import pytest

from engine.knowledge.wordpiece import WordPiece

PIECES = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "salt", "##y", "sea", "'", "s", "ele", "##ve"),
    *("北", "京", "?", "1", "##0"),
]
SMALL = WordPiece("\n".join(PIECES))


def _pieces(text: str, most: int = 256) -> list[str]:
    return [PIECES[number] for number in SMALL.numbers(text, most)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Salty sea", ["salt", "##y", "sea"]),
        ("sea's?", ["sea", "'", "s", "?"]),
        ("Élève", ["ele", "##ve"]),
        ("北京", ["北", "京"]),
        ("sea\u200b\x00 salt", ["sea", "salt"]),
        ("saltsea unknown", ["[UNK]", "[UNK]"]),
        ("10", ["1", "##0"]),
        ("s" * 101, ["[UNK]"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_the_longest_known_pieces(text: str, pieces: list[str]) -> None:
    assert _pieces(text) == ["[CLS]", *pieces, "[SEP]"]


def test_a_long_text_is_cut_off_with_its_end_mark() -> None:
    assert _pieces("sea " * 50, most=4) == ["[CLS]", "sea", "sea", "[SEP]"]


def test_a_vocabulary_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[CLS\], \[SEP\]"):
        WordPiece("[UNK]\nsalt")


def test_the_packaged_vocabulary_numbers_as_bert_does() -> None:
    vocabulary = (files("engine.knowledge") / "minilm_vocab.txt").read_text(encoding="utf-8")
    numbers = WordPiece(vocabulary).numbers("Hello, world! Unaffable.", 256)
    # As published with the original tokeniser: un ##aff ##able.
    assert numbers == [101, 7592, 1010, 2088, 999, 14477, 20961, 3468, 1012, 102]
