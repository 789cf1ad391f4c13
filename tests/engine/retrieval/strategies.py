"""Texts as pages have them: marks of blocks, abbreviations, several scripts, anything at all."""

from hypothesis import strategies as st

PIECES = st.sampled_from(
    [
        *("# Title", "## Part", "### 3. Sub part", "- item one", "  - nested. Two", "1. first"),
        *("term :: its text. More.", "term ::", "| a | b |", "| --- | --- |", "    code(x)", "```"),
        *(
            "The WAL grows. It is e.g. 3.24.0 big, cf. No. 5. See J. Smith!",
            "etc. And so on...",
            "Why?",
        ),
        *(
            "今天好。明天见！",
            "don't stop",
            "wal_autocheckpoint = 1,000",
            "",
            "",
            " ",
            "\t- x",
            "a :: b",
        ),
        *("“Quoted.” he said.", "naïve ﬁle №5", "हिन्दी वाक्य। दूसरा", "ends with colon:"),
    ]
)
PAGES = st.one_of(
    st.lists(PIECES, max_size=14).map("\n".join),
    st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=8).map("\n".join),
)
