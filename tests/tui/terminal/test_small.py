"""Small deciders: the title, the key that must be meant, editors and pagers, notes of runs."""

from dataclasses import replace

import pytest

from engine.api import RunEnded, RunId, RunStarted
from gligabao_tui.terminal.programs import Command, editor, ended_words, pager
from gligabao_tui.terminal.titles import Title
from gligabao_tui.terminal.twice import Twice, pressed
from gligabao_tui.view.desktop_note import ended_note, parting_note
from tests.fakes.engine import FakeEngine


def test_a_title_is_pushed_once_sent_when_it_changes_and_put_back_once() -> None:
    sent: list[str] = []
    title = Title(sent.append)
    for shown in ("gligabao", "gligabao ●1", "gligabao ●1"):
        title.show(shown)
    title.put_back()
    title.put_back()
    assert sent == [
        "\x1b[22;0t\x1b]0;gligabao\x07",
        "\x1b]0;gligabao ●1\x07",
        "\x1b[23;0t",
    ]
    title.show_again()
    assert sent[-1] == "\x1b[22;0t\x1b]0;gligabao ●1\x07"


def test_a_title_that_was_never_shown_is_not_put_back() -> None:
    sent: list[str] = []
    title = Title(sent.append)
    title.put_back()
    title.show_again()
    assert sent == []


@pytest.mark.parametrize(
    ("moments", "meant"), [([0.0], 0), ([0.0, 1.9], 1), ([0.0, 2.1], 0), ([0.0, 1.0, 1.5], 1)]
)
def test_a_key_is_meant_at_its_second_press_within_two_seconds(
    moments: list[float], meant: int
) -> None:
    state, found = Twice(), 0
    for at in moments:
        state = pressed(state, at)
        found += state.is_meant
    assert found == meant


def found(name: str) -> str | None:
    return name if name.startswith("/") else {"nano": "/bin/nano", "less": "/bin/less"}.get(name)


def test_the_person_says_which_editor_with_arguments_and_without_a_shell() -> None:
    environ = {"EDITOR": "/bin/code --wait 'a b' $(x) ; y"}
    assert editor(environ, found).words == ("/bin/code", "--wait", "a b", "$(x)", ";", "y")
    assert editor({**environ, "VISUAL": "/bin/vis"}, found).words == ("/bin/vis",)


def test_without_a_word_of_theirs_what_is_there_is_taken() -> None:
    assert editor({}, found).words == ("/bin/nano",)
    assert pager({"PAGER": " "}, found).words == ("/bin/less",)
    assert editor({}, lambda _: None).problem == "$EDITOR is not set, and there is no nano or vi"


@pytest.mark.parametrize(
    ("chosen", "told"),
    [("'open", "cannot be read"), ("ghost -x", "'ghost', which is not there"), ("''", "''")],
)
def test_an_editor_that_cannot_be_run_is_said(chosen: str, told: str) -> None:
    assert told in editor({"EDITOR": chosen}, found).problem


def test_how_a_program_ended_is_said_only_when_it_matters() -> None:
    command = Command(("/bin/vi",))
    assert ended_words(command, 0) == ""
    assert ended_words(command, 2) == "vi ended with code 2; nothing was changed"
    assert ended_words(command, -15) == "vi was ended by signal 15; nothing was changed"


def test_a_note_names_the_run_and_how_it_ended() -> None:
    engine = FakeEngine()
    first, second = engine.begin("Rivers \x1b[31mof\nŁódź"), engine.begin("Lakes " * 50)
    working = [engine.runs[first], engine.runs[second]]
    ends = [RunEnded(first, 3, "completed", "", ""), RunEnded(second, 3, "failed", "529", "")]
    assert ended_note(working, ends[:1]) == "gligabao: #1 done: Rivers of Łódź"
    assert len(ended_note(working, ends[1:])) < 90
    assert ended_note(working, ends) == "gligabao: #1 done, #2 failed"
    assert ended_note(working, [RunEnded(RunId(9), 1, "failed", "", "")]) == ""
    begun = RunStarted(replace(working[0], id=RunId(9)))
    assert ended_note([], [begun, RunEnded(RunId(9), 1, "failed", "", "")]).startswith(
        "gligabao: #9 failed"
    )


def test_who_leaves_agents_of_another_process_is_told_so() -> None:
    assert parting_note(0, "4711") == ""
    assert parting_note(1, "4711") == "1 agent keeps working in the owner, process 4711"
    assert parting_note(2, "") == "2 agents keep working in the owner"
