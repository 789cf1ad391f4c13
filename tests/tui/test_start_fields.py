"""The fields of the start form: agents, faults, folders, and the web beside documents."""

import gc
import warnings

import pytest
from textual.widgets import Input

from engine.api import AgentInfo, Settings
from gligabao_tui.screens.start import StartDialog
from gligabao_tui.widgets.fields import Choice, PlainInput
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, click, press, screen_text, shown
from tests.tui.scenes import app_over, with_agents


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.mark.req("R563")
async def test_the_agents_are_offered_with_what_they_do(settings: Settings) -> None:
    engine = with_agents()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        text = screen_text(app)
        assert "◉ default   ○ investigator" in text
        assert "searches, reads, reports" in text
        await press(pilot, "tab", "right")
        assert "follows claims to their sources" in screen_text(app)
        await press(pilot, "ctrl+j")
        assert engine.started[0].agent == "investigator"


async def test_a_single_agent_is_shown_as_such(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        assert "the only agent there is: searches, reads, reports" in screen_text(app)
        await press(pilot, "ctrl+j")
        assert engine.started[0].agent == ""


async def test_many_agents_are_turned_through_where_they_do_not_fit(settings: Settings) -> None:
    engine = with_agents()
    engine.kinds = tuple(AgentInfo(f"agent-of-kind-{n}", "1", f"does {n}", 20) for n in range(1, 8))
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "n", "tab")
        assert "< agent-of-kind-1 >  1 of 7" in screen_text(app)
        await click(pilot, "#agent", at=(19, 0))
        assert "< agent-of-kind-2 >  2 of 7" in screen_text(app)
        assert "does 2" in screen_text(app)
        await press(pilot, "left", "left")
        assert "7 of 7" in screen_text(app)


async def test_a_fault_is_said_when_its_field_is_left_and_not_while_one_types(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        app.screen.query_one("#max_steps", PlainInput).focus()
        await press(pilot, *"99")
        assert "A whole number" not in screen_text(app)
        await press(pilot, "tab")
        assert "A whole number from 1 to 40." in screen_text(app)
        await press(pilot, "shift+tab", "7")
        assert "A whole number" not in screen_text(app)


async def test_an_empty_topic_is_no_fault_before_it_is_sent(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", "tab")
        assert "Say what to research" not in screen_text(app)


async def test_folders_are_suggested_and_completed_with_tab(
    engine: FakeEngine, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("papers")
    for name in ("drafts", "drawings", "final"):
        (folder / name).mkdir()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        field = app.screen.query_one("#docs", PlainInput)
        field.focus()
        field.value = f"p={folder}/d"
        await press(pilot)
        assert "tab drafts/  drawings/" in screen_text(app)
        await press(pilot, "tab")
        assert field.value == f"p={folder}/dra"
        await press(pilot, "f", "tab")
        assert field.value == f"p={folder}/drafts/"
        await press(pilot, "tab")
        assert not field.has_focus
        await press(pilot, "ctrl+j")
        (docs,) = engine.started[0].docs
        assert (docs.name, docs.path) == ("p", str(folder / "drafts"))


async def test_what_is_typed_faster_than_it_is_looked_up_leaves_nothing_undone(
    engine: FakeEngine, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("papers")
    app = app_over(engine, settings)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        async with shown(app) as pilot:
            await press(pilot, "n")
            assert isinstance(app.screen, StartDialog)
            field = app.screen.query_one("#docs", PlainInput)
            for typed in (f"{folder}/a", f"{folder}/ab"):
                app.screen.on_input_changed(Input.Changed(field, typed))
            await press(pilot)
        gc.collect()
    assert [str(one.message) for one in told] == []


async def test_a_suggested_folder_is_taken_with_the_mouse(
    engine: FakeEngine, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("papers")
    (folder / "drafts").mkdir()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        field = app.screen.query_one("#docs", PlainInput)
        field.value = f"{folder}/"
        await press(pilot)
        await click(pilot, "#folders", at=(18, 0))
        assert field.value == f"{folder}/drafts/"
        assert field.has_focus


async def test_with_documents_the_web_is_a_choice(
    engine: FakeEngine, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("handbook")
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "n", *"Rivers")
        assert "only the documents" not in screen_text(app)
        app.screen.query_one("#docs", PlainInput).value = str(folder)
        await press(pilot)
        assert "◉ only the documents   ○ and the web" in screen_text(app)
        app.screen.query_one("#web", Choice).focus()
        await press(pilot, "right", "ctrl+j")
        assert engine.started[0].web
        assert len(engine.started[0].docs) == 1
