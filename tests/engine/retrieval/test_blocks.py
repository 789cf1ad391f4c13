"""The structure of a page's text, read back from its marks."""

from hypothesis import given

from engine.retrieval.blocks import PASSAGE_LEAST_WORDS, PASSAGE_MOST_WORDS, blocks, passages
from tests.engine.retrieval.strategies import PAGES

PAGE = """## WAL mode

WAL is a way to commit.
It has lines.

### Advantages

There are several advantages:

- WAL is faster.
- Readers do not block
  - not even writers
- Fsyncs are fewer

wal_autocheckpoint :: Pages before a checkpoint.

| Name | Bytes |
| page | 4096 |

| Other | Table |

    PRAGMA x;

    PRAGMA y;

## Next

Text.
"""


def told(page: str) -> list[tuple[str, str, str]]:
    return [(block.kind, page[block.start : block.end], block.lead) for block in blocks(page)]


def test_every_mark_is_read_and_left_out() -> None:
    lead = "There are several advantages:"
    assert told(PAGE) == [
        ("heading", "WAL mode", ""),
        ("p", "WAL is a way to commit.\nIt has lines.", ""),
        ("heading", "Advantages", ""),
        ("p", lead, ""),
        ("li", "WAL is faster.", lead),
        ("li", "Readers do not block", lead),
        ("li", "not even writers", "Readers do not block"),
        ("li", "Fsyncs are fewer", lead),
        ("dd", "Pages before a checkpoint.", "wal_autocheckpoint"),
        ("tr", "| Name | Bytes |", ""),
        ("tr", "| page | 4096 |", "Name | Bytes"),
        ("tr", "| Other | Table |", ""),
        ("pre", "    PRAGMA x;\n\n    PRAGMA y;", ""),
        ("heading", "Next", ""),
        ("p", "Text.", ""),
    ]


def test_headings_are_the_path_above_a_block() -> None:
    paths = {PAGE[block.start : block.end]: block.headings for block in blocks(PAGE)}
    assert paths["WAL mode"] == ()
    assert paths["WAL is faster."] == ("WAL mode", "Advantages")
    assert paths["Text."] == ("Next",)


def test_fenced_code_is_one_block_and_its_marks_are_code() -> None:
    assert told("A\n```sh\n# no heading\n\n- no item\n```\nB") == [
        ("p", "A", ""),
        ("pre", "# no heading\n\n- no item", ""),
        ("p", "B", ""),
    ]


def test_a_long_paragraph_leads_no_list_unless_it_ends_in_a_colon() -> None:
    long = "word " * 40
    assert [lead for *_, lead in told(f"{long}end.\n\n- item")][1] == ""
    assert [lead for *_, lead in told(f"{long}these:\n\n- item")][1] == f"{long}these:"


def test_a_term_without_text_and_a_cast_are_paragraphs() -> None:
    assert told("term ::") == [("p", "term", "")]
    assert told("Write 'x'::text here") == [("p", "Write 'x'::text here", "")]


@given(PAGES)
def test_blocks_are_verbatim_ordered_and_disjoint(page: str) -> None:
    found = blocks(page)
    ends = [0, *(block.end for block in found)]
    assert all(end <= block.start < block.end for end, block in zip(ends, found, strict=False))
    assert all(page[block.start : block.end].strip() for block in found)
    assert all(page[block.end - 1].strip() for block in found)


@given(PAGES)
def test_passages_hold_every_block_but_headings_once(page: str) -> None:
    found = blocks(page)
    held = [at for passage in passages(page, found) for at in range(passage.first, passage.last)]
    assert held == [at for at, block in enumerate(found) if block.kind != "heading"]


@given(PAGES)
def test_passages_stay_under_one_heading_path_and_within_their_size(page: str) -> None:
    found = blocks(page)
    for passage in passages(page, found):
        parts = found[passage.first : passage.last]
        assert {part.headings for part in parts} == {passage.headings}
        assert (passage.start, passage.end) == (parts[0].start, parts[-1].end)
        sizes = [len(page[part.start : part.end].split()) for part in parts]
        before_last = sum(sizes[:-1])
        assert sum(sizes) <= PASSAGE_MOST_WORDS or before_last < PASSAGE_LEAST_WORDS


def test_a_new_passage_begins_past_the_least_and_at_the_most() -> None:
    page = "\n\n".join(["w " * 29, "w " * 120, "w " * 29, "w " * 101, "w " * 2])
    assert [(p.first, p.last) for p in passages(page, blocks(page))] == [(0, 2), (2, 4), (4, 5)]
