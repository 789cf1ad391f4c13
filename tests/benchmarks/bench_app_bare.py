"""The least that a Textual app can be: one label. What `bench_app start` compares with."""

from textual.app import App, ComposeResult
from textual.widgets import Label


class BareApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Label("a bare app")


if __name__ == "__main__":
    BareApp().run()
