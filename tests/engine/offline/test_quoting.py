"""A quotation looks in Markdown as it stands in its page."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from engine.offline.quoting import escaped, unescaped

SIGNS = st.text(alphabet="ab 1.)*_`~<>&;[]()!\\#-+|=\n\"'", max_size=40)


def _shown(markdown: str) -> str:
    """What a reader sees of one list item."""
    tokens = MarkdownIt("commonmark").enable(["strikethrough", "table"]).parse(f'- "{markdown}"')
    kinds = [token.type for token in tokens if token.level <= 3 and token.type != "inline"]
    assert kinds[:3] == ["bullet_list_open", "list_item_open", "paragraph_open"]
    [inline] = [token for token in tokens if token.type == "inline"]
    parts = [
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in inline.children or []
        if child.type in ("text", "code_inline", "softbreak", "hardbreak")
    ]
    return "".join(parts)


def _signs(text: str) -> str:
    """Without white space and backticks, which may show as code."""
    return "".join(text.replace("`", "").split())


@example("[\n]()")
@given(SIGNS)
def test_a_reader_sees_every_character(text: str) -> None:
    assert _signs(_shown(escaped(text))) == _signs(f'"{text}"')


@given(SIGNS)
def test_escaping_is_undone_but_for_line_breaks(text: str) -> None:
    back = unescaped(escaped(text))
    assert len(back) == len(text)
    assert back.split() == text.split()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM t WHERE a_b = 1",
        "SQLITE_BUSY and wal_autocheckpoint stay",
        "run `gligabao demo --team` first",
        "a < b, 1 & 2, [n], x > y",
    ],
)
def test_what_markdown_leaves_alone_is_left_alone(text: str) -> None:
    assert escaped(text) == text


def test_emphasis_tags_and_links_are_kept_visible() -> None:
    assert escaped("*a* __init__ <b> [x](y)") == r"\*a\* \_\_init\_\_ \<b> \[x](y)"


def test_a_line_break_within_a_paragraph_stays_and_one_before_a_block_goes() -> None:
    assert escaped("one\ntwo\n`three`") == "one\ntwo\n`three`"
    assert escaped("one\n- two\n\n# three") == "one - two  # three"
