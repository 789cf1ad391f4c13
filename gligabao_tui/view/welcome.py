"""What is shown before anything was researched: what is set up, and what one can do now."""

from collections.abc import Sequence

from engine.api import OFFLINE_MODEL, Settings
from gligabao_tui.keymap import DEFAULT_KEYMAP, Keymap
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    Line,
    Span,
    Tone,
    crop,
    fit,
    flat,
    line,
    line_width,
    pad,
    width_of,
)

TITLE = "Nothing has been researched yet"
INTRODUCTION = (
    "Type a question, watch the agent work state by state,",
    "and read a report whose quotations you can check.",
)
OFFERS = (
    ("main.new_run", "start a research"),
    ("main.demo", "watch the demo: no key needed"),
    ("app.handbook", "read the handbook"),
    ("app.doctor", "check what is set up"),
)
"""Actions of the table and what is said of them here; a click on one presses its key."""
BLOCK_CELLS = 62
LABEL_CELLS = 9
TARGET = "do:"


def welcome(
    settings: Settings, width: int, glyphs: Glyphs, *, keymap: Keymap = DEFAULT_KEYMAP
) -> tuple[Line, ...]:
    """Fits 58 columns and 12 rows."""
    cells = min(width - 2, BLOCK_CELLS)
    rows = (
        line(Span(TITLE, "title")),
        *(line(Span(row, "muted")) for row in INTRODUCTION),
        (),
        *_offers(cells, keymap),
        (),
        *(
            _fact(label, Span(_end_of(flat(told), cells - LABEL_CELLS, glyphs), tone))
            for label, told, tone in _facts(settings, glyphs)
        ),
    )
    left = Span(" " * max(0, (width - cells) // 2))
    return tuple((left, *row) if row else row for row in rows)


def search_of(settings: Settings) -> str:
    """The provider that finds pages."""
    return settings.search.provider or ("anthropic" if settings.anthropic_api_key else "ddgs")


def _offers(cells: int, keymap: Keymap) -> Sequence[Line]:
    """In two columns, since rows are scarce where the screen is small."""
    shown = [_offer(name, told, keymap) for name, told in OFFERS]
    column = max(line_width(offer) for offer in shown[::2]) + 2
    return [
        crop((*left, Span(" " * (column - line_width(left))), *right), cells)
        for left, right in zip(shown[::2], shown[1::2], strict=True)
    ]


def _offer(name: str, told: str, keymap: Keymap) -> Line:
    target = "".join((TARGET, *keymap.keys_of(name)[:1]))
    return line(Span(pad(keymap.word(name), 3), "key", target), Span(told, "", target))


def _facts(settings: Settings, glyphs: Glyphs) -> Sequence[tuple[str, str, Tone]]:
    key = settings.anthropic_api_key
    is_offline = settings.model == OFFLINE_MODEL
    if key:
        told: tuple[str, Tone] = (f"{glyphs.done} an API key is set", "good")
    elif is_offline:
        told = (f"{glyphs.done} none needed", "good")
    else:
        told = ("! none: set ANTHROPIC_API_KEY; offline needs none", "warn")
    model = "offline: quotes, writes nothing" if is_offline else settings.model
    config = str(settings.config_file) if settings.config_file else "no file: defaults are used"
    return (
        ("model", model, ""),
        ("key", *told),
        ("search", search_of(settings), ""),
        ("config", config, ""),
        ("data", str(settings.data_dir), ""),
    )


def _fact(label: str, told: Span) -> Line:
    return line(Span(pad(label, LABEL_CELLS), "quiet"), told)


def _end_of(text: str, cells: int, glyphs: Glyphs) -> str:
    """The end of a path tells more than its start."""
    if width_of(text) <= cells or not text.startswith("/"):
        return fit(text, cells, glyphs.ellipsis)
    kept = text
    while width_of(kept) > cells - width_of(glyphs.ellipsis):
        kept = kept[1:]
    return glyphs.ellipsis + kept
