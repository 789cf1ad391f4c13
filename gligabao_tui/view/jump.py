"""The letters of jump mode: short, and none the beginning of another."""

LETTERS = "asdfghjklqwertyuiopzxcvbnm"


def jump_words(count: int) -> tuple[str, ...]:
    """A word of one or two letters for each of so many targets; at most 26 times 26 of them."""
    size = len(LETTERS)
    firsts = next(n for n in range(size + 1) if n == size or size - n + n * size >= count)
    single = LETTERS[: size - firsts]
    double = [first + second for first in LETTERS[size - firsts :] for second in LETTERS]
    return (*single, *double)[:count]
