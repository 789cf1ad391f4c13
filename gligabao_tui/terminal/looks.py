"""The themes of the app, and the filters that every line passes on its way to the terminal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from textual.app import App
from textual.filter import LineFilter, Monochrome, NoColor
from textual.theme import Theme

from gligabao_tui.resources import theme_tables

DEFAULT_THEME = "gligabao"


def use_theme(app: App[Any], wanted: str) -> bool:
    """Make the app's themes known, and use one. False when there is none of that name."""
    for name, table in theme_tables().items():
        app.register_theme(replace(Theme(name=name, primary=""), **table))
    is_known = not wanted or wanted in app.available_themes
    app.theme = wanted if wanted and is_known else DEFAULT_THEME
    return is_known


def without_colours(filters: Sequence[LineFilter], *, is_ansi: bool) -> list[LineFilter]:
    """Under NO_COLOR: greys of our own, or the terminal's own two colours with an ANSI theme.

    Textual decides between the two once, by the theme that it begins with.
    """
    wanted = NO_COLOR if is_ansi else GREYS
    return [wanted if isinstance(one, Monochrome | NoColor) else one for one in filters]


NO_COLOR, GREYS = NoColor(), Monochrome()
