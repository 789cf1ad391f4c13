"""What is told of a directory can be opened: the file that it is in, and the line."""

from pathlib import Path

from engine.definitions.inspecting import Finding, findings_in, inspect_directory
from engine.domain.errors import Problem
from engine.resources import definitions_dir
from tests.engine.definitions.files import ROLE, toml, write


def test_a_sound_directory_names_its_agents(tmp_path: Path) -> None:
    write(tmp_path / "own", {"a.toml": toml("a"), "b.toml": toml("b")})
    found = inspect_directory(tmp_path / "own")
    assert (found.agents, found.problems, found.warnings) == (("a", "b"), (), ())
    assert found.directory == str(tmp_path / "own")


def test_every_finding_has_its_file_and_line(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"a.toml": toml("a", 'modle = "m"\nskills = ["gone"]\n')})
    found = inspect_directory(own)
    (problem,), (warning,) = found.problems, found.warnings
    assert problem == Finding(str(own / "a.toml"), 6, "unknown key(s): modle (did you mean model?)")
    assert (warning.path, warning.line) == (str(own / "a.toml"), 7)
    assert "file does not exist" in warning.what


def test_a_file_of_the_program_that_one_s_own_agent_breaks_is_found(tmp_path: Path) -> None:
    rest = ROLE + 'agent = "news_scanner"\n'
    own = write(tmp_path / "own", {"regional_scout.toml": toml("regional_scout", rest)})
    (problem,) = inspect_directory(own).problems
    assert "starts itself through its roles" in problem.what
    assert problem.path == str(definitions_dir() / "news_scanner.toml")
    assert Path(problem.path).is_file()
    assert "regional_scout" in Path(problem.path).read_text().splitlines()[problem.line - 1]


def test_what_is_about_the_whole_directory_names_the_directory(tmp_path: Path) -> None:
    (warning,) = inspect_directory(tmp_path / "none").warnings
    assert (warning.path, warning.line) == (str(tmp_path / "none"), 0)
    assert inspect_directory(tmp_path / "none", is_expected=False).warnings == ()
    (tmp_path / "file").write_text("x")
    (problem,) = inspect_directory(tmp_path / "file").problems
    assert problem.path == str(tmp_path / "file")


def test_a_file_that_only_looks_like_one_of_the_program_is_one_s_own(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"packaged x.toml": "schema = 2\n"})
    assert {one.path for one in inspect_directory(own).problems} == {str(own / "packaged x.toml")}


def test_a_problem_without_a_place_has_none(tmp_path: Path) -> None:
    assert findings_in(tmp_path, [Problem("", "x")]) == (Finding("", 0, "x"),)
