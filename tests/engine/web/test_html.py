"""HTML: structure is kept, what is no content is left out, places lead where they should."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.text_safety import clean
from engine.web.html import article_text, document_text, inline_words


def text(html: str) -> str:
    return document_text(f"<html><body>{html}</body></html>").text


@pytest.mark.req("R057")
def test_scripts_styles_noscript_and_tags_are_gone_and_white_space_is_one_space() -> None:
    html = "<p>a\n  <b>b</b>\t&nbsp;c<script>x</script><style>y</style><noscript>z</noscript> d</p>"
    assert text(html) == "a b c d"


def test_headings_keep_their_depth_and_lose_their_numbers() -> None:
    html = "<h1>A</h1><h2>13.2. B</h2><h3><span>1.2.3. </span>C</h3><h4>2008 D</h4>"
    assert text(html) == "## A\n\n## B\n\n### C\n\n#### 2008 D"


def test_a_page_of_first_level_headings_keeps_sections_below_them() -> None:
    assert text("<h1>A</h1><h2>a</h2><h1>B</h1>") == "## A\n\n### a\n\n## B"


def test_a_bare_number_goes_only_where_the_class_says_that_it_counts_sections() -> None:
    assert text('<h3 class="section">19.1 Basics</h3>') == "### Basics"
    assert text("<h3>3.11.4 final</h3>") == "### 3.11.4 final"
    assert text("<h3>3 ways to do it</h3>") == "### 3 ways to do it"


def test_the_word_over_a_remark_is_no_heading() -> None:
    html = '<h3>Part</h3><div class="note"><h3>Note</h3><p>words</p></div><h3>Notes on it</h3>'
    assert text(html) == "### Part\n\nNote\n\nwords\n\n### Notes on it"


def test_items_stand_line_by_line_below_their_lead_and_lists_in_lists_are_indented() -> None:
    html = "<p>Reasons:</p><ol><li>one</li><li><p>two</p><p>more</p><ul><li>in</ul><li>three</ol>"
    assert text(html) == "Reasons:\n\n- one\n- two\n\nmore\n\n  - in\n- three"


def test_items_of_an_unclosed_list_are_items() -> None:
    assert text("<ul><li>one<li>two</ul>after") == "- one\n- two\n\nafter"


def test_terms_stand_before_what_they_mean() -> None:
    html = (
        "<dl><dt>a</dt><dt>b</dt><dd><p>first</p><p>second</p></dd>"
        "<dt>c</dt><dd><ul><li>item</ul></dd><dt>lonely</dt></dl>"
    )
    assert text(html) == "a, b :: first\n\nsecond\n\nc ::\n\n- item\n\n- lonely"


def test_rows_of_data_stand_line_by_line_and_spans_are_repeated() -> None:
    html = (
        "<table><caption>Sizes</caption><tr><th>Name<th>Size</tr>"
        "<tr><td rowspan=2>int<td>2|4</tr><tr><td>8</tr></table>"
    )
    assert text(html) == "Sizes\n\n| Name | Size |\n| int | 2\\|4 |\n| int | 8 |"


def test_a_table_that_only_arranges_is_read_as_prose() -> None:
    html = "<table><tr><td><h2>A</h2><p>one</p></td><td><p>two</p></td></tr></table>"
    assert text(html) == "## A\n\none\n\ntwo"
    assert text("<table><tr><td>alone</td></tr></table>") == "alone"


def test_code_keeps_its_lines_and_its_indent() -> None:
    html = "<p>So:</p><pre>\n  if x:\n\n    <b>y</b>()  \n</pre><p>after</p>"
    assert text(html) == "So:\n\n      if x:\n\n        y()\n\nafter"


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ("2<sup>64</sup> bytes", "2^64 bytes"),
        ("10<sup>-3</sup>", "10^-3"),
        ("the 1<sup>st</sup>", "the 1st"),
        ("claim<sup>[3]</sup>.", "claim."),
        ('claim<sup><a href="#n">3</a></sup>.', "claim."),
        ("<ruby>漢字<rt>かんじ</rt></ruby>", "漢字"),
    ],
)
def test_raised_numbers_are_powers_and_notes_are_left_out(html: str, told: str) -> None:
    assert text(f"<p>{html}</p>") == told


@pytest.mark.parametrize(
    "gone",
    [
        *("<nav>x</nav>", "<header>x</header>", "<footer>x</footer>", "<s>x</s>", "<del>x</del>"),
        *("<strike>x</strike>", "<p hidden>x</p>", '<p style="display: none">x</p>'),
        *('<p aria-hidden="true">x</p>', '<div role="navigation">x</div>', "<button>x</button>"),
        *('<div class="toc"><a href=a>x</a></div>', '<div id="fancy_toc"><a href=a>x</a></div>'),
        *('<div class="navheader">x</div>', '<a class="headerlink">x</a>', "<svg>x</svg>"),
        *('<ul class="site-menu"><li><a href=a>x</a></ul>', "<template>x</template>"),
        *("<select><option>x</select>", "<textarea>x</textarea>", "<title>x</title>", "<!--x-->"),
    ],
)
def test_what_is_no_content_is_left_out(gone: str) -> None:
    body = "<p>" + "kept words " * 30 + "</p>"
    assert text(gone + body) == ("kept words " * 30).strip()


def test_what_is_called_a_menu_but_holds_the_page_is_kept() -> None:
    html = '<div class="sidebar-fixed"><p><a href=a>' + "linked words " * 30 + "</a></p></div>"
    assert "linked words" in text(html + "<p>short</p>")


def test_a_header_inside_an_article_is_content() -> None:
    html = "<article><header><h1>Title</h1></header><p>words</p></article>"
    assert text(html) == "## Title\n\nwords"


@pytest.mark.parametrize(
    "html",
    [
        "<!doctype html><title>T</title><main>words</main>",
        "<html><head><meta charset=x><title>T</title><!-- c --></head><section>words",
        "<?xml version='1.0'?><link rel=x><script>a<b</script><title>T</title><x-y>words</x-y>",
        "<title>T</title>words",
    ],
)
def test_a_page_may_leave_out_its_body(html: str) -> None:
    found = document_text(html)
    assert (found.title, found.text) == ("T", "words")


def test_a_page_that_is_only_contents_is_read_with_them() -> None:
    html = '<h1>A</h1><div class="toc"><p><b>Table</b></p><a href=b>B</a> <a href=c>C</a></div>'
    assert "B C" in text(html)


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ("<p><b>A subject</b></p><p>words", "### A subject\n\nwords"),
        ("<p><b>PRAGMA x =</b> <i>N</i><b>;</b></p>", "### PRAGMA x = N;"),
        ("<p><b>Note</b></p>", "Note"),
        ("<p><b>Table 8.2. Types</b></p>", "Table 8.2. Types"),
        ("<p><b>Not</b> wholly</p>", "Not wholly"),
        ("<p><b>A whole sentence in bold.</b></p>", "A whole sentence in bold."),
        ("<p><b>" + "long " * 30 + "</b></p>", ("long " * 30).strip()),
        ("<ul><li><p><b>Head</b></p><p>words</p></ul>", "### Head\n\nwords"),
        ("<ul><li><b>item</b></ul>", "- item"),
    ],
)
def test_a_short_paragraph_wholly_in_bold_is_a_heading(html: str, told: str) -> None:
    assert text(html) == told


def test_one_break_is_a_line_and_two_are_a_paragraph() -> None:
    assert text("<p>a<br>b<br>\n<br>c</p><ul><li>d<br>e</ul>") == "a\nb\n\nc\n\n- d e"


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>13.2. Isolation</title>", "", "Isolation"),
        (
            "<title>A</title><link rel=up title='Chapter 13. Concurrency Control'>",
            "",
            "A - Concurrency Control",
        ),
        ("<title>A</title>", "<a accesskey=u title='Chapter 2. B'>Up</a>", "A - B"),
        ("<title>A</title>", "<a rel=up>Up</a>", "A"),
        (
            "<title>A</title>",
            "<nav class=breadcrumb><a>Home</a><a>Guide</a><a>Part</a></nav>",
            "A - Part - Guide",
        ),
        ("<title>2 Conditions</title>", "<h2 class=chapter>2 Conditions</h2>", "Conditions"),
        ("", "<h1>From the page</h1>", "From the page"),
        ("<title>a\u202eb&#27;[2J\n c</title>", "", "ab c"),
    ],
)
def test_the_title_names_the_chapter_and_has_no_number(head: str, body: str, title: str) -> None:
    assert document_text(f"<html><head>{head}</head><body>{body}<p>x</body>").title == title


def test_anchors_lead_to_the_block_they_stand_in_or_before() -> None:
    found = document_text(
        "<body id=top><p>first <a name=middle></a>words <a name=end></a></p><h2 id=h>Head</h2>"
        "<ul><li id=i>item</ul><div class=toc id=t><a href=x>y</a></div><pre id=c>code</pre>"
        "<table><tr id=r><td>a<td>b</tr><tr><td>c<td><a name=cell></a>d</tr></table><a name=z></a>"
    )
    starts = {name: found.text[place:].split("\n")[0] for name, place in found.anchors.items()}
    assert starts == {
        **{"top": "first words", "middle": "first words", "end": "## Head", "h": "## Head"},
        **{"i": "- item", "t": "    code", "c": "    code", "r": "| a | b |"},
        **{"cell": "| c | d |", "z": "| c | d |"},
    }


def test_bytes_are_decoded_by_what_the_page_says_of_itself() -> None:
    html = '<meta charset="windows-1251"><p>привет</p>'
    assert document_text(html.encode("cp1251")).text == "привет"
    assert document_text(b"\xef\xbb\xbf" + "<p>ü".encode()).text == "ü"


def test_entities_cannot_smuggle_control_characters() -> None:
    html = "<p>a&#27;]52;c;x&#7;b &#x202e;c &#x2028;d&#27;[2J</p><pre>&#27;[2J</pre>"
    assert text(html) == "ab c d"


@pytest.mark.parametrize("html", ["", "   ", "<!-- -->", "<p>", "\x00", b"", b"\xff\xfe"])
def test_a_page_without_words_is_empty(html: str | bytes) -> None:
    for read in (document_text, article_text):
        found = read(html)
        assert (found.title, found.text, dict(found.anchors)) == ("", "", {})


PIECES = st.sampled_from(
    (
        *("<p>", "</p>", "<b>", "</b>", "<table>", "<tr>", "<td>", "</table>", "<dl>", "<dt>"),
        *("<dd>", "</dl>", "<ul>", "<li>", "</ul>", "<pre>", "</pre>", "<h2>", "</h2>", "<sup>"),
        *("</sup>", "<br>", "<a name=q>", "<a href=x id=y>", "</a>", "<div class=toc>", "</div>"),
        *("words of a sentence.", "1.2. ", "&#27;[2J", "\x9b31m", "\u202e", "\n\n", "|", "::"),
        *("<script>", "</script>", "<!--", "-->", "<svg>", "</svg>", "</body>", "\x00", "\ud800"),
    )
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=60))
def test_any_page_gives_clean_text_and_places_inside_it(pieces: list[str]) -> None:
    html = "".join(pieces)
    for read in (document_text, article_text):
        found = read(html)
        assert clean(found.text) == found.text
        assert clean(found.title) == found.title
        assert "\n\n\n" not in found.text
        assert all(0 <= place < len(found.text) for place in found.anchors.values())


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_read_as_a_page(html: str) -> None:
    assert clean(document_text(html).text) == document_text(html).text
    assert "\n" not in inline_words(html)


@pytest.mark.parametrize(
    "hostile",
    [
        *(
            "<div>" * 50_000,
            "<div class=toc>" * 20_000,
            "<table><tr><td>" * 15_000,
            "<b>x" * 50_000,
        ),
        *("<p " + " ".join(f"a{n}=1" for n in range(40_000)) + ">x", "<dl><dt>x<dd>y" * 15_000),
        *("<!--" * 60_000, "<" * 200_000, "<script>" * 30_000, "<a name=x></a>" * 15_000),
    ],
    ids=["div", "toc", "table", "b", "attributes", "dl", "comments", "lt", "script", "anchors"],
)
def test_no_nesting_or_swelling_stops_the_reading(hostile: str) -> None:
    assert "the end" in document_text(f"<p>the end</p>{hostile}").text


NEWS = "<p>" + "The council met on Tuesday and decided about the new bridge over the river. " * 6
MENU = (
    "<ul>" + "".join(f"<li><a href=/{n}>Department {n} of it</a></li>" for n in range(40)) + "</ul>"
)


def page(body: str, *, head: str = "") -> str:
    return f"<html><head><title>T</title>{head}</head><body>{body}</body></html>"


def test_the_article_of_a_page_is_found_among_menus_and_keeps_its_structure() -> None:
    article = (
        f"<article id=main><h1>The bridge</h1>{NEWS}</p>"
        f"<h2>2. Costs</h2>{NEWS.replace('met', 'sat')}</p>"
        "<table><tr><th>Year<th>Cost</tr><tr><td>2024<td>10 million</tr></table>"
        f"<p id=last>{NEWS.replace('met', 'stood')}</p></article>"
    )
    found = article_text(page(f"<ul>{MENU}</ul>{article}<ul>{MENU}</ul>"))
    assert "Department" not in found.text
    assert "## 2. Costs" in found.text
    assert "| Year | Cost |\n| 2024 | 10 million |" in found.text
    assert found.text[found.anchors["last"] :].startswith("The council stood on Tuesday")


def test_a_page_without_an_article_is_read_whole() -> None:
    manual = "<dl>" + "".join(
        f"<dt><code>option{n}</code></dt><dd>Sets the number of things of kind {n} that the "
        f"program keeps, which is {n} unless it is told otherwise.</dd>"
        for n in range(30)
    )
    found = article_text(page(f"<h1>Options</h1><p>See below.</p>{manual}</dl>"))
    assert "option29 :: Sets the number of things of kind 29" in found.text


def test_a_directory_of_links_is_read_whole() -> None:
    found = article_text(page(f"<h1>Index</h1><ul>{MENU}</ul>"))
    assert "- Department 0 of it" in found.text
    assert "- Department 39 of it" in found.text


def test_places_of_what_is_left_out_lead_to_what_follows() -> None:
    body = f"<ul id=menu>{MENU}</ul><article><h2 id=head>Costs</h2><p>{NEWS}</p></article>"
    found = article_text(page(body))
    assert found.anchors["menu"] == found.anchors["head"] == 0
    assert found.text.startswith("## Costs\n\nThe council")


def test_a_teaser_that_repeats_a_paragraph_of_an_article_is_said_once() -> None:
    parts = [NEWS.replace("bridge", thing) for thing in ("bridge", "school", "tower")]
    told = "".join(f"<p>{part}</p>" for part in (*parts, parts[1]))
    assert article_text(page(f"<article>{told}</article>")).text.count("new school") == 6


def test_a_manual_may_say_the_same_of_several_things() -> None:
    told = "".join(
        f"<h2>f{n}</h2><p>With one argument, return a matrix of that many rows and columns.</p>"
        f"<p>The function number {n} is only described here, in a sentence of its own.</p>"
        for n in range(6)
    )
    assert article_text(page(told)).text.count("With one argument") == 6


def test_a_colon_before_a_term_is_left_out() -> None:
    html = "<dl><dt><span>: </span><code>e</code></dt><dd>a number</dd></dl>"
    assert text(html) == "e :: a number"


@pytest.mark.parametrize(
    "page",
    [
        "<p id=a>" * 40_000,
        "<p>" + "x<br><br>" * 20_000 + "<a id=a></a>" * 20_000,
        "<p>" + "<a id=a></a>x<br><br>" * 20_000,
        "<dl><dt>" + "<p id=a>x" * 30_000,
        "<p>x" + "<sup>1</sup>a" * 30_000,
    ],
    ids=["places alone", "then places", "places and breaks", "in a term", "raised"],
)
def test_many_places_and_breaks_take_linear_time(page: str) -> None:
    began = time.process_time()
    document_text(page)
    assert time.process_time() - began < 3.0  # what is quadratic takes many times as long


def test_places_lead_to_the_part_that_follows_them() -> None:
    page = "<p id=a><p id=b></p><p>one<a id=c></a><br><br><a id=d></a>two<br><br><a id=e></a></p>"
    read = document_text(page + "<pre id=f>code</pre><p id=g>")
    one, two, code = (read.text.index(word) for word in ("one", "two", "    code"))
    assert read.anchors == {"a": one, "b": one, "c": two, "d": two, "e": code, "f": code, "g": code}
