"""Every row of the table of actions, done by its key in the real app.

A row without a case here, or a named test of its own, fails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual.widget import Widget

from engine.api import RunId, Settings
from gligabao_tui.app import GligabaoApp
from gligabao_tui.keys import ACTIONS
from gligabao_tui.screens.fact import FactDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.widgets.agents import AgentRows, WordsInput
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.dock import Dock
from gligabao_tui.widgets.fields import PlainInput
from gligabao_tui.widgets.knowledge_page import KnowledgePage
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.time_page import TimePage
from tests.tui import base_scenes, report_scenes, scenes
from tests.tui.driving import NARROW, WIDE, press, screen_text, shown

Holds = Callable[[GligabaoApp], object]
FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """The keys that lead to where the action is possible, and what its own key then does: what is
    on the screen only after it, or only before it, what opens, what is copied, or what holds."""

    scene: str = "mixed"
    keys: tuple[str, ...] = ()
    shows: str = ""
    hides: str = ""
    opens: str = ""
    copies: str = ""
    changes: bool = False
    holds: Holds | None = None
    size: tuple[int, int] = WIDE


def is_at(run_id: int | None) -> Holds:
    return lambda app: app.main._chosen.opened == run_id


def docked(*run_ids: int) -> Holds:
    return lambda app: set(app.main._reader.desk.board.docked) == set(map(RunId, run_ids))


def works(*run_ids: int) -> Holds:
    return lambda app: {run.id for run in app.main.working} == set(run_ids)


def selects(run_id: int) -> Holds:
    return lambda app: app.screen.query_one(Dock).selected == run_id


def in_scope(scope: str) -> Holds:
    return lambda app: isinstance(app.screen, MainScreen) and app.main.scopes()[0] == scope


def has_focus(kind: type[Widget]) -> Holds:
    return lambda app: isinstance(app.focused, kind)


def at_entry(place: int) -> Holds:
    return lambda app: app.screen.query_one("#palette-choices", BlockList)._cursor == place


def in_file(start: str) -> Holds:
    return lambda _: any(path.read_text().startswith(start) for path in Path().glob("gligabao-*"))


def on_item(key: str) -> Holds:
    return lambda app: (item := app.screen.query_one(KnowledgePage).item) and item.key == key


def at_event(key: int) -> Holds:
    return lambda app: (mark := app.screen.query_one(TimePage).chosen) and mark.key == key


def marks(target: str) -> Holds:
    return lambda app: isinstance(app.screen, FactDialog) and app.screen._marked == target


MAIN, STOP, FORM = "MainScreen", ("s",), ("n", "w", "a", "l")
SECOND, FAILED_RUN = ("down", "enter"), ("down", "down", "e")
PLANNED, AGENTS = "scheduled", "definitions"
REPORT, CITED, PASSAGE = "only_completed", "cited", ("enter", *[">"] * 4, "enter")
HELP_ROWS, BOOK = ("f1",), "HandbookDialog"
KNOWN, TIME = "knowing", ("enter", "5")
KNOWN_BASE, FACTS_VIEW, QUEUE_VIEW = "known", ("B", "escape", "2"), ("B", "escape", "4")
FACT_PAGE = ("enter", "4", "j", "j", "enter")
CASES: dict[str, Case] = {
    "app.help": Case(opens="HelpDialog"),
    "app.handbook": Case(opens=BOOK),
    "app.doctor": Case(opens="DoctorDialog"),
    "app.leave": Case(opens="LeaveDialog"),
    "app.interrupt": Case(shows="again leaves"),
    "app.command_palette": Case(opens="PaletteDialog"),
    "app.jump": Case(opens="JumpScreen"),
    "app.change_theme": Case(opens="PaletteDialog"),
    "main.new_run": Case(opens="StartDialog"),
    "main.stop_run": Case(opens="StopDialog"),
    "main.stop_all": Case(opens="StopAllDialog"),
    "main.wrap_up": Case(shows="#5 writes its report"),
    "main.show_error": Case(keys=("down", "down"), opens="FailureDialog"),
    "main.undock": Case(keys=(*STOP, "s"), holds=docked(4)),
    "main.undock_all": Case(keys=(*STOP, "s"), holds=docked(4)),
    "main.show_runs": Case(keys=("enter",), holds=in_scope("runs")),
    "main.next_agent": Case(keys=("enter",), holds=is_at(4)),
    "main.previous_agent": Case(keys=SECOND, holds=is_at(5)),
    "main.copy": Case(copies="Port of Gdansk"),
    "main.copy_menu": Case(opens="CopyMenu"),
    "main.zoom": Case(hides="today"),
    "main.pause": Case(shows="paused: nothing new"),
    "main.next_tab": Case(hides="Timeline of the releases"),
    "main.previous_tab": Case(hides="Timeline of the releases"),
    "main.demo": Case("nothing", holds=lambda app: len(app.main.working) == 1),
    "runs.open": Case(holds=is_at(5)),
    "runs.search": Case(holds=lambda app: app.focused is app.screen.query_one("#run-search")),
    "runs.sort": Case(hides="newest first"),
    "search.submit": Case(keys=("/", "r", "o", "u"), holds=in_scope("runs")),
    "search.leave": Case(keys=("/", "f", "e", "r", "r"), shows="Timeline of"),
    "details.back": Case(keys=("enter",), holds=is_at(None)),
    "details.show_states": Case(keys=("enter", "2"), holds=in_scope("states")),
    "details.show_report": Case(keys=("enter",), holds=in_scope("report")),
    "details.show_knowledge": Case(KNOWN, keys=("enter",), shows="11 created, 2 restated"),
    "details.show_time": Case(KNOWN, keys=("enter",), shows="never true 1"),
    "knowledge.open": Case(KNOWN, keys=("enter", "4", "j", "j"), opens="FactDialog"),
    "knowledge.fold": Case(KNOWN, keys=("enter", "4", "j"), hides="Dariusz Marzec"),
    "knowledge.filter": Case(KNOWN, keys=("enter", "4"), shows="words of facts"),
    "knowledge.order": Case(KNOWN, keys=("enter", "4"), shows="Baltica 2 owned by"),
    "knowledge.with_agents": Case(KNOWN, keys=("enter", "4"), hides="papers"),
    "knowledge.next_section": Case(KNOWN, keys=("enter", "4"), holds=on_item("section:entities")),
    "knowledge.previous_section": Case(
        KNOWN, keys=("enter", "4", "G"), holds=on_item("section:texts")
    ),
    "knowledge_words.submit": Case(
        KNOWN, keys=("enter", "4", "/", "p", "g"), holds=in_scope("knowledge")
    ),
    "knowledge_words.leave": Case(KNOWN, keys=("enter", "4", "/", "p", "g"), shows="Газпром"),
    "time.open": Case(KNOWN, keys=TIME, opens="FactDialog"),
    "time.later": Case(KNOWN, keys=TIME, holds=at_event(111)),
    "time.earlier": Case(KNOWN, keys=(*TIME, "right"), holds=at_event(110)),
    "time.zoom_in": Case(KNOWN, keys=TIME, shows="later ▸"),
    "time.zoom_out": Case(KNOWN, keys=(*TIME, "plus"), hides="Zoom out"),
    "time.fit": Case(KNOWN, keys=(*TIME, "plus", "plus"), hides="Zoom out"),
    "time.created": Case(KNOWN, keys=TIME, shows="13 off"),
    "time.confirmed": Case(KNOWN, keys=TIME, shows="confirmed 2 off"),
    "time.ended": Case(KNOWN, keys=TIME, shows="ended 2 off"),
    "time.invalidated": Case(KNOWN, keys=TIME, shows="never true 1 off"),
    "time.superseded": Case(KNOWN, keys=TIME, shows="superseded 1 off"),
    "time.with_agents": Case(KNOWN, keys=TIME, hides="papers"),
    "fact.close": Case(KNOWN, keys=FACT_PAGE, opens=MAIN),
    "fact.turn_on": Case(KNOWN, keys=FACT_PAGE, shows="Fact 2 "),
    "fact.turn_back": Case(KNOWN, keys=(*FACT_PAGE, "right"), shows="Fact 1 "),
    "fact.next_link": Case(KNOWN, keys=FACT_PAGE, holds=marks("entity:1")),
    "fact.previous_link": Case(KNOWN, keys=(*FACT_PAGE, ">", ">"), holds=marks("entity:1")),
    "fact.follow": Case(KNOWN, keys=(*FACT_PAGE, ">"), shows="also called"),
    "fact.return": Case(KNOWN, keys=(*FACT_PAGE, ">", "enter"), shows="Superseded by"),
    "fact.copy": Case(KNOWN, keys=FACT_PAGE, copies="Fact 1"),
    "details.show_cost": Case(keys=("enter",), holds=in_scope("cost")),
    "details.write_report": Case(REPORT, ("enter",), holds=in_file("# Write-ahead")),
    "states.expand": Case(keys=("enter", "g"), shows="began"),
    "states.follow": Case(keys=("enter",), hides="following"),
    "states.next_failure": Case(keys=(*SECOND, "g"), shows="began"),
    "states.open_all": Case(keys=("enter",), changes=True),
    "states.close_all": Case(keys=("enter", "E"), changes=True),
    "report.next_link": Case(CITED, ("enter",), changes=True),
    "report.previous_link": Case(CITED, ("enter", ">", ">"), changes=True),
    "report.follow_link": Case(CITED, ("enter", ">"), opens="LinkDialog"),
    "report.outline": Case(CITED, ("enter",), changes=True),
    "outline.choose": Case(CITED, ("enter", "o", "j", "j"), changes=True, size=NARROW),
    "outline.leave": Case(CITED, ("enter", "o"), holds=in_scope("report"), size=NARROW),
    "moves.down": Case(keys=("f1",), changes=True, size=NARROW),
    "moves.up": Case(keys=("f1", "G"), changes=True, size=NARROW),
    "moves.half_down": Case(keys=("f1",), changes=True, size=NARROW),
    "moves.half_up": Case(keys=("f1", "G"), changes=True, size=NARROW),
    "moves.page_down": Case(keys=("f1",), changes=True, size=NARROW),
    "moves.page_up": Case(keys=("f1", "G"), changes=True, size=NARROW),
    "moves.start": Case(keys=("f1", "G"), changes=True, size=NARROW),
    "moves.end": Case(keys=("f1",), changes=True, size=NARROW),
    "dock.right": Case(keys=("tab",), holds=selects(4)),
    "dock.left": Case(keys=("tab", "l"), holds=selects(5)),
    "dock.choose": Case(keys=("tab", "down"), holds=is_at(4)),
    "start.submit": Case(keys=FORM, opens=MAIN, holds=lambda app: len(app.main.working) == 3),
    "start.cancel": Case(keys=FORM, opens=MAIN, holds=works(4, 5)),
    "start.like_last": Case("only_stopped", ("n",), shows="40"),
    "stop.keep": Case(keys=STOP, opens=MAIN, holds=works(4, 5)),
    "stop.wrap_up": Case(keys=STOP, shows="#5 writes its report"),
    "stop.stop_now": Case(keys=STOP, opens=MAIN, holds=works(4)),
    "stop_all.keep": Case(keys=("S",), opens=MAIN, holds=works(4, 5)),
    "stop_all.wrap_up": Case(keys=("S",), opens=MAIN, changes=True),
    "stop_all.stop_now": Case(keys=("S",), opens=MAIN, holds=works()),
    "quit.stay": Case(keys=("q",), opens=MAIN, holds=works(4, 5)),
    "quit.stop_all": Case(keys=("q",), holds=lambda app: app.return_code == 0),
    "error.close": Case(keys=FAILED_RUN, opens=MAIN),
    "error.go_to_state": Case(keys=FAILED_RUN, holds=in_scope("states")),
    "error.copy": Case(keys=FAILED_RUN, copies="#3 failed"),
    "error.again": Case(keys=FAILED_RUN, opens="StartDialog"),
    "help.handbook": Case(keys=("?",), opens=BOOK),
    "help.close": Case(keys=("?",), opens=MAIN),
    "handbook.close": Case(keys=("f1",), opens=MAIN),
    "handbook.contents": Case(keys=("f1",), changes=True),
    "handbook.search": Case(keys=("f1",), changes=True),
    "handbook.turn_back": Case(keys=("f1",), changes=True),
    "handbook.turn_on": Case(keys=("f1",), changes=True),
    "handbook.previous_link": Case(keys=("f1", "tab", "tab", "tab"), changes=True),
    "handbook.next_link": Case(keys=("f1",), changes=True),
    "handbook.follow": Case(keys=("f1", "tab"), changes=True),
    "handbook.return": Case(keys=("f1", "tab", "enter"), changes=True),
    "found.submit": Case(
        keys=("f1", "/", "s", "t", "o", "p"), holds=lambda app: isinstance(app.focused, LineView)
    ),
    "found.leave": Case(keys=("f1", "/", "s", "t"), changes=True),
    "copy_menu.text": Case(keys=("Y",), copies="#5 Port of Gdansk", opens=MAIN),
    "copy_menu.markdown": Case(keys=("Y",), copies="- **#5** Port", opens=MAIN),
    "copy_menu.json": Case(keys=("Y",), copies='{\n  "id": 5,', opens=MAIN),
    "copy_menu.id": Case(keys=("Y",), copies="#5", opens=MAIN),
    "copy_menu.file": Case(keys=("Y",), holds=in_file("#5 Port of Gdansk"), opens=MAIN),
    "copy_menu.json_file": Case(keys=("Y",), holds=in_file('{\n  "id": 5,'), opens=MAIN),
    "copy_menu.close": Case(keys=("Y",), opens=MAIN),
    "jump.leave": Case(keys=("ctrl+o",), opens=MAIN),
    "palette.choose": Case(keys=("ctrl+p", "n", "e", "w"), opens="StartDialog"),
    "palette.close": Case(keys=("ctrl+p",), opens=MAIN),
    "palette.down": Case(keys=("ctrl+p",), holds=at_entry(1)),
    "palette.up": Case(keys=("ctrl+p", "down", "down"), holds=at_entry(1)),
    "palette.page_down": Case(keys=("ctrl+p",), changes=True),
    "palette.page_up": Case(keys=("ctrl+p", "pagedown", "pagedown"), changes=True),
    "passage.close": Case(CITED, PASSAGE, opens=MAIN),
    "passage.next_quote": Case(CITED, PASSAGE, changes=True),
    "passage.previous_quote": Case(CITED, (*PASSAGE, "n"), changes=True),
    "passage.turn_back": Case(CITED, PASSAGE, changes=True),
    "passage.turn_on": Case(CITED, PASSAGE, changes=True),
    "passage.copy": Case(CITED, PASSAGE, copies="A reader sees the database"),
    "passage.copy_address": Case(CITED, PASSAGE, copies="https://sqlite.org/wal.html"),
    "link.close": Case(CITED, ("enter", ">", "enter"), opens=MAIN),
    "link.copy": Case(CITED, ("enter", ">", "enter"), copies="https://www.sqlite.org/fileformat2"),
    "app.agents": Case(opens="AgentsScreen"),
    "agents.open": Case(AGENTS, ("f3",), holds=has_focus(LineView)),
    "agents.back": Case(AGENTS, ("f3",), opens=MAIN),
    "agents.close": Case(AGENTS, ("f3", "enter"), opens=MAIN),
    "agents.start": Case(AGENTS, ("f3", "j"), opens="StartDialog"),
    "agents.own_copy": Case(AGENTS, ("f3",), opens="OwnCopyDialog"),
    "agents.problems": Case(AGENTS, ("f3",), shows="weekly_review.toml"),
    "agents.reload": Case(AGENTS, ("f3",), shows="The files were read again"),
    "agents.filter": Case(AGENTS, ("f3",), holds=has_focus(WordsInput)),
    "agents.schedule": Case(AGENTS, ("f3", "j"), opens="SchedulesScreen"),
    "agents.copy": Case(AGENTS, ("f3", "j"), copies="You follow the news"),
    "agents.next_agent": Case(AGENTS, ("f3", "enter"), shows="Scans recent news"),
    "agents.previous_agent": Case(AGENTS, ("f3", "j", "enter"), hides="Scans recent news"),
    "agent_words.submit": Case(AGENTS, ("f3", "/", "w"), holds=has_focus(AgentRows)),
    "agent_words.leave": Case(AGENTS, ("f3", "/", *"news"), shows="docs_reader"),
    "own_copy.cancel": Case(AGENTS, ("f3", "c"), opens="AgentsScreen"),
    "app.schedules": Case(opens="SchedulesScreen"),
    "schedules.close": Case(PLANNED, ("f4",), opens=MAIN),
    "schedules.open": Case(PLANNED, ("f4",), opens=MAIN, holds=is_at(2)),
    "schedules.pause": Case(PLANNED, ("f4",), shows="news_scanner is paused here"),
    "schedules.run_now": Case(PLANNED, ("f4",), opens="RunNowDialog"),
    "schedules.agent": Case(PLANNED, ("f4",), opens="AgentsScreen"),
    "run_now.keep": Case(PLANNED, ("f4", "R"), opens="SchedulesScreen", holds=works(2)),
    "run_now.run_now": Case(PLANNED, ("f4", "R"), shows="#3 was started"),
    "app.knowledge_base": Case(KNOWN_BASE, opens="KnowledgeScreen"),
    "fact.forget": Case(KNOWN_BASE, (*FACTS_VIEW, "enter"), opens="ForgetDialog"),
    "base.open": Case(KNOWN_BASE, FACTS_VIEW, opens="FactDialog"),
    "base.close": Case(KNOWN_BASE, FACTS_VIEW, opens=MAIN),
    "base.field": Case(KNOWN_BASE, FACTS_VIEW, holds=has_focus(PlainInput)),
    "base.next_view": Case(KNOWN_BASE, FACTS_VIEW, shows="Maker of wind turbines"),
    "base.previous_view": Case(KNOWN_BASE, FACTS_VIEW, hides="superseded"),
    "base.show_ask": Case(KNOWN_BASE, FACTS_VIEW, hides="superseded"),
    "base.show_facts": Case(KNOWN_BASE, ("B", "escape"), shows="superseded"),
    "base.show_entities": Case(KNOWN_BASE, FACTS_VIEW, shows="Maker of wind turbines"),
    "base.show_queue": Case(KNOWN_BASE, FACTS_VIEW, shows="overloaded"),
    "base.retry": Case(KNOWN_BASE, (*QUEUE_VIEW, "j", "j"), shows="#4 waits for its turn again."),
    "base.retry_failed": Case(KNOWN_BASE, QUEUE_VIEW, opens="RetryFailedDialog"),
    "base.remember": Case(KNOWN_BASE, FACTS_VIEW, opens="RememberDialog"),
    "base.forget": Case(KNOWN_BASE, QUEUE_VIEW, opens="ForgetDialog"),
    "base.choose_dataset": Case(KNOWN_BASE, FACTS_VIEW, opens="PaletteDialog"),
    "base.next_dataset": Case(KNOWN_BASE, FACTS_VIEW, shows="cell X"),
    "base.previous_dataset": Case(KNOWN_BASE, FACTS_VIEW, shows="cell X"),
    "base.copy": Case(KNOWN_BASE, FACTS_VIEW, copies="[F1] Baltica 2"),
    "base.export": Case(KNOWN_BASE, FACTS_VIEW, holds=in_file("")),
    "base_words.submit": Case(
        KNOWN_BASE, ("B", "escape", "2", "/", *"gamesa"), holds=has_focus(BlockList)
    ),
    "base_words.leave": Case(KNOWN_BASE, ("B", "escape", "2", "/", *"gamesa"), shows="superseded"),
    "remember.cancel": Case(KNOWN_BASE, (*FACTS_VIEW, "n"), opens="KnowledgeScreen"),
    "remember.submit": Case(KNOWN_BASE, (*FACTS_VIEW, "n", "a"), opens="KnowledgeScreen"),
    "forget.keep": Case(KNOWN_BASE, (*QUEUE_VIEW, "f"), opens="KnowledgeScreen"),
    "forget.forget": Case(KNOWN_BASE, (*QUEUE_VIEW, "f"), opens="KnowledgeScreen"),
    "retry_failed.keep": Case(KNOWN_BASE, (*QUEUE_VIEW, "A"), opens="KnowledgeScreen"),
    "retry_failed.retry": Case(KNOWN_BASE, (*QUEUE_VIEW, "A"), opens="KnowledgeScreen"),
    "doctor.close": Case(keys=("f2",), opens=MAIN),
    "doctor.copy": Case(keys=("f2",), copies="Doctor"),
}
SHOWN_ELSEWHERE: dict[str, str] = {
    "app.suspend_process": "test_terminal_state.py::"
    "test_the_terminal_is_given_back_while_the_app_is_suspended",
    "app.reconnect": "test_dock.py::test_a_lost_engine_turns_the_dock_red_and_can_be_opened_again",
    "app.slow_link": "test_actions.py::test_an_action_without_a_key_is_done_by_the_palette",
    "report.follow": "test_report.py::test_what_is_written_is_followed_until_one_scrolls_up",
    "details.page_report": "test_terminal_texts.py::"
    "test_the_pager_shows_the_text_and_gives_the_terminal_back",
    "start.edit": "test_start.py::test_the_topic_comes_back_from_the_editor",
    "link.open": "test_reading.py::test_a_link_is_opened_only_when_that_is_asked_for",
    "agents.edit": "test_terminal_texts.py::"
    "test_the_file_of_an_agent_is_edited_where_it_is_and_read_again",
    "own_copy.make": "test_agent_files.py::test_a_copy_of_ones_own_is_made_under_a_new_name",
    "faults.leave": "test_agent_files.py::test_faulty_definitions_are_all_shown_instead_of_the_app",
    "faults.again": "test_agent_files.py::"
    "test_mended_definitions_are_read_again_and_the_app_goes_on",
    "faults.edit": "test_agent_files.py::"
    "test_a_faulty_file_is_mended_from_within_the_program_before_anything_is_written",
    "faults.copy": "test_agent_files.py::test_all_problems_can_be_copied",
    "base.again": "test_knowledge_screen.py::test_everything_is_read_again_at_a_key",
    "remember.edit": "test_knowledge_texts.py::test_the_text_comes_back_from_the_editor",
    "schedules.again": "test_schedules.py::test_schedules_are_read_again_at_a_key",
    "doctor.again": "test_doctor.py::test_the_doctor_looks_again_at_a_key",
}


def test_every_action_has_a_case_or_a_test_of_its_own() -> None:
    assert {action.id for action in ACTIONS} == CASES.keys() | SHOWN_ELSEWHERE.keys()
    assert not CASES.keys() & SHOWN_ELSEWHERE.keys()
    for named in SHOWN_ELSEWHERE.values():
        file, test = named.split("::")
        assert f"def {test}" in (FOLDER / file).read_text(encoding="utf-8"), named


@pytest.mark.parametrize("action_id", CASES)
async def test_the_first_key_of_an_action_does_it(
    action_id: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    case = CASES[action_id]
    places = (scenes, report_scenes, base_scenes)
    engine = next(getattr(place, case.scene) for place in places if hasattr(place, case.scene))
    app = scenes.app_over(engine(), settings)
    action = next(one for one in ACTIONS if one.id == action_id)
    async with shown(app, case.size) as pilot:
        await press(pilot, *case.keys)
        before = screen_text(app)
        await press(pilot, action.default_keys[0])
        after = screen_text(app) if app.return_code is None else ""
        _assert_case(case, app, before=before, after=after)


async def test_an_action_without_a_key_is_done_by_the_palette(settings: Settings) -> None:
    app = scenes.app_over(scenes.mixed(), settings)
    async with shown(app) as pilot:
        was_slow = app.terminal.slow_link.pace.is_slow
        await press(pilot, "ctrl+p", *"slow", "enter")
        assert app.terminal.slow_link.pace.is_slow != was_slow


def _assert_case(case: Case, app: GligabaoApp, *, before: str, after: str) -> None:
    assert not case.shows or (case.shows in after and case.shows not in before)
    assert not case.hides or (case.hides in before and case.hides not in after)
    assert not case.changes or before != after
    assert not case.opens or type(app.screen).__name__ == case.opens
    assert app.clipboard.startswith(case.copies)
    assert case.holds is None or case.holds(app)
    assert any((case.shows, case.hides, case.changes, case.opens, case.copies, case.holds))
