"""The screens as text: what is where, and in which words, at the three sizes that must work.

`GLIGABAO_WRITE_DUMPS=1 pytest tests/tui/test_dumps.py` writes them anew; read the difference.
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from gligabao_tui.view.start_form import StartForm
from gligabao_tui.view.ui_state import UiState, ui_state_text
from tests.tui import scenes
from tests.tui.base_scenes import WHO
from tests.tui.driving import NARROW, SMALL, WIDE, screen_text, settled, shown
from tests.tui.picture import act

FOLDER = Path(__file__).parent / "dumps"
SIZES = {"wide": WIDE, "narrow": NARROW, "small": SMALL}


@dataclass(frozen=True)
class Dump:
    """A scene, and the keys that lead to the screen; among them acts of the scene, as `@speak`.
    `draft` is a form that was left before."""

    scene: str
    keys: tuple[str, ...] = ()
    key: str = scenes.KEY
    draft: StartForm | None = None
    keymap: tuple[tuple[str, str], ...] = ()


OUTSIDE = ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
"""What links may do depends on them."""
FAULTY = StartForm("", "offline", "99", "free", "nowhere")
DOCUMENTS = StartForm("Rivers of Poland", docs="papers=p")
KEYMAP = (
    ("app.help", "f9,?"),
    ("main.stop_run", "ctrl+k"),
    ("main.wrap_up", "n"),
    ("main.stop", "a"),
    ("main.copy", "ctrl+m"),
)
DUMPS = {
    "main-empty": Dump("nothing"),
    "main-empty-without-key": Dump("nothing", key=""),
    "main-working": Dump("working"),
    "main-failed": Dump("only_failed"),
    "main-completed": Dump("only_completed"),
    "main-mixed": Dump("mixed"),
    "main-search": Dump("mixed", ("/", "r", "i")),
    "main-no-match": Dump("only_completed", ("]",)),
    "main-children": Dump("with_children"),
    "main-filter": Dump("mixed", ("/", *"in status:failed,done cost:>0.03")),
    "main-filter-fault": Dump("mixed", ("/", *"ri since:soon")),
    "knowledge": Dump("knowing", ("enter", "4")),
    "knowledge-in-order": Dump("knowing", ("enter", "4", "o", ">", "space")),
    "knowledge-filter": Dump("knowing", ("enter", "4", "/", *"pge led")),
    "knowledge-none": Dump("knowing_nothing", ("enter", "4")),
    "knowledge-later": Dump("knowing_later", ("enter", "4")),
    "knowledge-stored": Dump("knowing_stored", ("enter", "4")),
    "fact": Dump("knowing", ("enter", "4", "j", "j", "enter", ">", ">", ">")),
    "fact-entity": Dump("knowing", ("enter", "4", "j", "enter")),
    "fact-text": Dump("knowing", ("enter", "4", "G", "enter")),
    "time": Dump("knowing", ("enter", "5")),
    "time-zoomed": Dump("knowing", ("enter", "5", "G", "left", "plus", "plus", "f", "k")),
    "time-ages": Dump("knowing_long", ("enter", "5")),
    "time-crowded": Dump("knowing_much", ("enter", "5", *("j",) * 9)),
    "time-none": Dump("knowing_later", ("enter", "5")),
    "cost-working": Dump("spending", ("enter", "7")),
    "cost-charts": Dump("spending", ("enter", "7", "G")),
    "cost-ended": Dump("spending", ("down", "enter", "7")),
    "cost-offline": Dump("offline_spending", ("enter", "7")),
    "details-working": Dump("mixed", ("down", "enter")),
    "details-completed": Dump("only_completed", ("enter", "1")),
    "details-failed": Dump("only_failed", ("enter",)),
    "details-stopped": Dump("only_stopped", ("enter",)),
    "main-stopped": Dump("only_stopped"),
    "report-failed": Dump("only_failed", ("enter", "2")),
    "report-stopped": Dump("only_stopped", ("enter", "2")),
    "cost-stopped": Dump("only_stopped", ("enter", "7")),
    "details-opened-states": Dump("mixed", ("down", "down", "enter", "E")),
    "details-no-report": Dump("mixed", ("down", "enter", "2")),
    "details-report": Dump("only_completed", ("enter",)),
    "report-outline": Dump("cited_beside", ("down", "enter")),
    "report-outline-asked": Dump("cited", ("enter", "o", "j")),
    "report-link": Dump("cited", ("enter", ">", ">", ">")),
    "report-footnotes": Dump("cited", ("enter", ">", ">", "enter")),
    "report-written": Dump("writing", ("enter", "2", "@speak")),
    "report-written-above": Dump("writing", ("enter", "2", "@speak_long", "k", "k")),
    "passage-exact": Dump("cited", ("enter", *(">",) * 4, "enter")),
    "passage-normalised": Dump("cited", ("enter", *(">",) * 5, "enter")),
    "passage-missing": Dump("cited", ("enter", *(">",) * 7, "enter")),
    "passage-unread": Dump("cited", ("enter", "G", "<", "<", "<", "enter")),
    "link": Dump("cited", ("enter", ">", "enter")),
    "start": Dump("mixed", ("n",)),
    "start-without-key": Dump("mixed", ("n",), key=""),
    "start-faults": Dump("mixed", ("n", "ctrl+j"), draft=FAULTY),
    "start-too-long": Dump("mixed", ("n", "ctrl+j"), draft=StartForm("too long " * 223)),
    "start-nearly-full": Dump("nothing", ("n",), draft=StartForm("nearly " * 272)),
    "start-agents": Dump("with_agents", ("n", "tab", "right")),
    "start-documents": Dump("mixed", ("n", *("tab",) * 4, "end", "a"), draft=DOCUMENTS),
    "start-again": Dump("mixed", ("down", "down", "e", "r")),
    "start-many-agents": Dump("many_agents", ("n", "tab", "a")),
    "start-agent-list": Dump("many_agents", ("n", "tab", "enter", *"scout")),
    "schedules": Dump("scheduled", ("f4",)),
    "schedules-paused": Dump("followed", ("f4", "down", "down")),
    "schedules-none": Dump("nothing", ("f4",)),
    "schedules-run-now": Dump("scheduled", ("f4", "R")),
    "base": Dump("known", ("B",)),
    "base-none": Dump("nothing", ("B",)),
    "base-answer": Dump("known", ("B", *WHO, "enter")),
    "base-no-model": Dump("known", ("B", *"no model", "tab", *"2021", "enter")),
    "base-facts": Dump("known", ("B", "escape", "2")),
    "base-facts-then": Dump("known", ("B", "escape", "2", "/", *"as-of:2021 status:soon")),
    "base-facts-nowhere": Dump("known", ("B", "escape", "2", "/", *"nowhere", "enter")),
    "base-fact": Dump("known", ("B", "escape", "2", "enter")),
    "base-entities": Dump("known", ("B", "escape", "3")),
    "base-queue": Dump("known", ("B", "escape", "4", "j", "j")),
    "base-queue-opened": Dump("known", ("B", "escape", "4", "j", "j", "j", "enter")),
    "base-retry": Dump("known", ("B", "escape", "4", "A")),
    "base-forget": Dump("known", ("B", "escape", "4", "G", "f")),
    "base-remember": Dump("known", ("B", "escape", "n", "ctrl+j")),
    "base-help": Dump("known", ("B", "escape", "?")),
    "main-early": Dump("capped"),
    "report-capped": Dump("capped", ("enter",)),
    "cost-capped": Dump("capped", ("enter", "7")),
    "report-wrapped": Dump("capped", ("down", "down", "enter")),
    "stop": Dump("mixed", ("s",)),
    "stop-all": Dump("mixed", ("S",)),
    "leave": Dump("mixed", ("q",)),
    "error": Dump("mixed", ("down", "down", "e")),
    "error-interrupted": Dump("interrupted", ("e",)),
    "error-stopped": Dump("only_stopped", ("e",)),
    "doctor": Dump("poorly", ("f2",)),
    "agents": Dump("definitions", ("f3", "j")),
    "agents-opened": Dump("definitions", ("f3", "j", "enter")),
    "agents-end": Dump("definitions", ("f3", "j", "enter", "G")),
    "agents-faulty": Dump("faulty_definitions", ("f3",)),
    "agents-faulty-list": Dump("faulty_definitions", ("f3", "escape")),
    "agents-none-own": Dump("packaged_definitions", ("f3",)),
    "agents-filter": Dump("definitions", ("f3", "/", *"own")),
    "agents-help": Dump("definitions", ("f3", "?")),
    "agent-copy": Dump("definitions", ("f3", "G", "c")),
    "handbook": Dump("mixed", ("f1",)),
    "handbook-contents": Dump("mixed", ("f1", "c", ">", ">")),
    "handbook-found": Dump("mixed", ("f1", "/", *"cost cap", "enter")),
    "help-runs": Dump("mixed", ("?",)),
    "help-details": Dump("mixed", ("enter", "?")),
    "help-report": Dump("only_completed", ("enter", "?")),
    "help-keymap": Dump("mixed", ("?",), keymap=KEYMAP),
    "keymap": Dump("mixed", ("enter",), keymap=KEYMAP),
    "palette": Dump("mixed", ("ctrl+p",)),
    "palette-found": Dump("mixed", ("ctrl+p", *"stop")),
    "palette-runs": Dump("mixed", ("ctrl+p", "#")),
    "palette-nothing": Dump("mixed", ("ctrl+p", *"zzqq")),
    "palette-themes": Dump("mixed", ("T",)),
    "jump": Dump("mixed", ("ctrl+o",)),
    "jump-details": Dump("mixed", ("down", "enter", "ctrl+o")),
    "jump-form": Dump("mixed", ("n", "ctrl+o")),
    "copy-menu": Dump("mixed", ("Y",)),
    "copy-menu-report": Dump("only_completed", ("enter", "Y")),
    "zoom": Dump("mixed", ("enter", "z")),
    "paused": Dump("mixed", ("p",)),
}


OPENED_AFRESH = {
    "agents-end",
    *("jump", "jump-details", "jump-form", "cost-charts", "handbook", "passage-normalised"),
    *("report-footnotes", "report-outline-asked", "report-written-above"),
    *("start-nearly-full", "start-too-long"),
}
"""Where a person scrolled before the window changed, or what a change of the window ends."""


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        (name, sizes)
        for name in DUMPS
        for sizes in ([[size] for size in SIZES] if name in OPENED_AFRESH else [[*SIZES]])
    ],
)
async def test_the_screen_is_as_it_was_read_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, sizes: list[str]
) -> None:
    """One app for all sizes: whoever makes the window smaller must find the screen in order."""
    monkeypatch.chdir(tmp_path)  # so that no path of this machine is on the screen
    for variable in OUTSIDE:
        monkeypatch.delenv(variable, raising=False)
    dump = DUMPS[name]
    prepare(dump)
    engine = getattr(scenes, dump.scene)()
    settings = scenes.settings_in(Path("data"), key=dump.key)
    own_keys = replace(settings.app, keymap=dict(dump.keymap))
    app = scenes.app_over(engine, replace(settings, app=own_keys))
    found: dict[str, str] = {}
    async with shown(app, SIZES[sizes[0]]) as pilot:
        for key in dump.keys:
            await act(pilot, app, engine, key)
        found[sizes[0]] = screen_text(app)
        for size in sizes[1:]:
            await pilot.resize_terminal(*SIZES[size])
            await settled(pilot)
            found[size] = screen_text(app)
    files = {size: FOLDER / f"{name}-{size}.txt" for size in sizes}
    if os.environ.get("GLIGABAO_WRITE_DUMPS"):
        for size, file in files.items():
            write(file, found[size])
    assert found == {size: file.read_text(encoding="utf-8") for size, file in files.items()}


def test_every_dump_belongs_to_a_test() -> None:
    wanted = {f"{name}-{size}.txt" for name in DUMPS for size in SIZES}
    assert {file.name for file in FOLDER.iterdir()} == wanted


def prepare(dump: Dump) -> None:
    """The folders of the current one that are on the screens, and what is remembered."""
    for folder in ("data", "papers", "patents"):
        Path(folder).mkdir()
    Path("data/ui_state.json").write_text(ui_state_text(UiState(draft=dump.draft)))


def write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
