"""What was read becomes pages whose sentences know their places."""

from engine.offline.conversation import Hit, Search, Seen, Window
from engine.offline.library import hosts_of, joined, library, titles_of

TEXT = (
    "# Kiln\n\nOne is here. Two is there.\n\n- Three follows.\n\n## Fire\n\n"
    "Four burns_hot. Five ends."
)


def _window(start: int, end: int, asked: str = "docs://pots/k.md") -> Window:
    return Window(asked, "docs://pots/k.md", start, end, len(TEXT), TEXT[start:end])


def _sentences(*windows: Window) -> list[str]:
    pages = library(Seen("t", (), (), windows, ())).pages
    return [
        piece.text
        for page in pages
        for block in page.blocks
        if block.kind != "heading"
        for piece in block.pieces
    ]


def test_every_sentence_stands_in_the_snapshot_where_it_says() -> None:
    [page] = library(Seen("t", (), (), (_window(0, len(TEXT)),), ())).pages
    pieces = [piece for block in page.blocks for piece in block.pieces]
    assert len(pieces) == 7
    assert all(TEXT[piece.start : piece.end] == piece.text for piece in pieces)
    assert all(TEXT[block.start : block.end] == block.text for block in page.blocks)


def test_windows_that_meet_or_overlap_are_one() -> None:
    parts = [_window(30, 60), _window(0, 20), _window(15, 30), _window(60, len(TEXT))]
    [whole] = joined(parts)
    assert (whole.start, whole.end, whole.text) == (0, len(TEXT), TEXT)


def test_windows_apart_stay_apart() -> None:
    assert [(one.start, one.end) for one in joined([_window(40, 60), _window(0, 20)])] == [
        (0, 20),
        (40, 60),
    ]


def test_a_page_that_changed_between_two_readings_keeps_its_first_text() -> None:
    changed = Window("docs://pots/k.md", "docs://pots/k.md", 0, 5, 5, "Other")
    assert joined([_window(0, len(TEXT)), changed]) == [_window(0, len(TEXT))]


def test_a_sentence_that_a_cut_went_through_is_left_out() -> None:
    end = TEXT.index("is there")
    assert _sentences(_window(0, end)) == ["One is here."]
    start = TEXT.index("burns_hot")
    assert _sentences(_window(start, len(TEXT))) == ["Five ends."]


def test_a_section_that_was_asked_for_begins_with_a_whole_sentence() -> None:
    start = TEXT.index("## Fire")
    assert _sentences(_window(start, len(TEXT), "docs://pots/k.md#fire")) == [
        "Four burns_hot.",
        "Five ends.",
    ]


def test_words_inside_identifiers_are_told_apart() -> None:
    [page] = library(Seen("t", (), (), (_window(0, len(TEXT)),), ())).pages
    embedded = [piece.embedded for block in page.blocks for piece in block.pieces if piece.embedded]
    assert embedded == [frozenset({"burn", "hot"})]


def test_pages_keep_the_order_and_the_titles_of_the_searches() -> None:
    hits = (Hit("docs://pots/k.md#x", "docs://pots/k.md", "Kiln guide - Fire", "", 0),)
    seen = Seen("t", (), (Search("q", hits),), (_window(0, 20),), ())
    [page] = library(seen).pages
    assert (page.title, page.hosts, page.rank) == ("Kiln guide - Fire", frozenset({"pot"}), 0)


def test_the_title_of_a_page_is_what_its_hits_have_in_common() -> None:
    hits = [
        Hit("", "docs://pots/k", title, "", 0)
        for title in ("Kiln guide - Fire", "Kiln guide - Ash")
    ]
    assert titles_of(hits) == {"docs://pots/k": "Kiln guide"}


def test_a_page_without_a_title_is_called_by_its_name() -> None:
    assert library(Seen("t", (), (), (_window(0, 20),), ())).pages[0].title == "k.md"


def test_hosts_are_folder_names_or_the_telling_labels_of_a_host() -> None:
    assert hosts_of("docs://big-kiln/a.md") == {"big", "kiln"}
    assert hosts_of("https://www.kilns.org/x") == {"kiln"}
    assert hosts_of("http://[bad") == frozenset()
