"""Completing a folder as it is typed."""

from pathlib import Path

import pytest

from gligabao_tui.resources import folder_names
from gligabao_tui.view.folder_names import (
    TypedFolder,
    completed,
    split_folder,
    suggestion_line,
    with_name,
)
from gligabao_tui.view.text import line_width, plain, target_at


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("", TypedFolder("", "", "")),
        ("do", TypedFolder("", "", "do")),
        ("~/pa", TypedFolder("", "~/", "pa")),
        ("notes=/srv/do", TypedFolder("notes=", "/srv/", "do")),
        ("/srv/", TypedFolder("", "/srv/", "")),
    ],
)
def test_what_is_typed_is_a_name_a_folder_and_the_start_of_another(
    typed: str, parts: TypedFolder
) -> None:
    assert split_folder(typed) == parts


def test_tab_goes_as_far_as_all_names_agree() -> None:
    assert completed("n=/srv/do", ("docs", "docs-old")) == "n=/srv/docs"
    assert completed("/srv/do", ("docs",)) == "/srv/docs/"
    assert completed("/srv/x", ()) == "/srv/x"
    assert completed("/srv/", ("a", "b")) == "/srv/"
    assert with_name("n=/srv/do", "docs-old") == "n=/srv/docs-old/"


def test_as_many_names_are_shown_as_fit_and_each_can_be_clicked() -> None:
    row = suggestion_line(("alpha", "beta", "gamma"), 24)
    assert plain(row) == "tab alpha/  2 more"
    assert target_at(row, 5) == "alpha"
    assert suggestion_line((), 24) == ()
    assert line_width(suggestion_line(tuple("abcdefgh"), 20)) <= 20


def test_folders_are_read_from_the_disk_and_hidden_ones_only_when_asked_for(
    tmp_path: Path,
) -> None:
    for name in ("docs", "drafts", ".git"):
        (tmp_path / name).mkdir()
    (tmp_path / "data.txt").write_text("no folder")
    assert folder_names(f"{tmp_path}/", "d") == ("docs", "drafts")
    assert folder_names(f"{tmp_path}/", "") == ("docs", "drafts")
    assert folder_names(f"{tmp_path}/", ".") == (".git",)
    assert folder_names(f"{tmp_path}/nowhere/", "") == ()
