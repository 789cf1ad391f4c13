"""The themes of the app, and the filters that every line passes on its way to the terminal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from textual.app import App
from textual.filter import LineFilter, Monochrome, NoColor
from textual.theme import Theme

from gligabao_tui.resources import theme_tables

DEFAULT_THEME = "gligabao"


def begin_with_theme(app: App[Any], wanted: str) -> None:
    """Make the app's themes known and use one, or the usual one where there is none of that name.

    Before the app runs: set as a theme is later, everything would be styled twice. What follows
    from a theme is Textual's own doing in 8.2, which is pinned; tests see the colours.
    """
    for name, table in theme_tables().items():
        app.register_theme(replace(Theme(name=name, primary=""), **table))
    name = wanted if wanted in app.available_themes else DEFAULT_THEME
    app.set_reactive(App.theme, name)
    is_dark = app.current_theme.dark
    app.update_classes(
        {f"-theme-{name}": True, "-dark-mode": is_dark, "-light-mode": not is_dark}, update=False
    )
    app._refresh_truecolor_filter(app.ansi_theme)
    app.stylesheet.set_variables(app.get_css_variables())


def without_colours(filters: Sequence[LineFilter], *, is_ansi: bool) -> list[LineFilter]:
    """Under NO_COLOR: greys of our own, or the terminal's own two colours with an ANSI theme.

    Textual decides between the two once, by the theme that it begins with.
    """
    wanted = NO_COLOR if is_ansi else GREYS
    return [wanted if isinstance(one, Monochrome | NoColor) else one for one in filters]


NO_COLOR, GREYS = NoColor(), Monochrome()
