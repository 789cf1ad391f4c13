"""Reads a directory of definitions whole: every one of them, and every problem of every file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.definitions.across import faults_across, loops
from engine.definitions.checks import Known
from engine.definitions.folder import MOST_FILES, NO_SKILLS, DefinitionFile, Folder
from engine.definitions.problems import Fault, Place
from engine.definitions.reading import Draft, read_definition
from engine.definitions.syntax import SyntaxFault, read_document
from engine.domain.definition import Definition
from engine.domain.errors import Problem
from engine.domain.text_safety import one_line


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a directory holds. With problems, nothing of it may run."""

    definitions: Mapping[str, Definition] = field(default_factory=dict)
    """By name, also the faulty ones as far as they are sound."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """By name of the definition."""
    broken: frozenset[str] = frozenset()
    """The names that files without a readable name would have."""
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()


def load_directory(
    root: Path, known: Known, *, shared: Mapping[str, str] = NO_SKILLS, label: str = ""
) -> Loaded:
    """Everything in `root`. Never raises: a directory that cannot be read is a problem.

    `shared` are skills that the directory need not have itself; `label` comes before the names of
    its files in problems.
    """
    folder = Folder(root, shared)
    try:
        files = folder.definition_files()
    except FileNotFoundError:
        text = "there is no such directory: only the agents that come with the program are there"
        return Loaded(warnings=(Problem(directory_name(root), text),))
    except OSError as exc:
        return Loaded(problems=(Problem(directory_name(root), _unreadable(exc)),))
    if len(files) > MOST_FILES:
        text = f"holds more than {MOST_FILES} definitions"
        return Loaded(problems=(Problem(directory_name(root), text),))
    loading = _Loading(folder, known, label)
    for file in files:
        loading.add(file)
    return loading.loaded()


def problems_across(
    definitions: Mapping[str, Definition],
    places: Mapping[str, Place],
    *,
    broken: frozenset[str] = frozenset(),
) -> Iterator[Problem]:
    """What is wrong among all definitions: their roles, and loops through them."""
    nowhere = Place("")
    for name, definition in sorted(definitions.items()):
        for fault in faults_across(definition, definitions, broken=broken):
            yield places.get(name, nowhere).problem(fault)
    for name, fault in loops(definitions):
        yield places.get(name, nowhere).problem(fault)


def directory_name(root: Path) -> str:
    """As problems of the whole directory name it."""
    return one_line(str(root), 300)


class _Loading:
    """The files of a directory as they are read one after the other."""

    def __init__(self, folder: Folder, known: Known, label: str) -> None:
        self._folder = folder
        self._known = known
        self._label = label
        self._definitions: dict[str, Definition] = {}
        self._places: dict[str, Place] = {}
        self._broken: set[str] = set()
        self._problems: list[Problem] = []
        self._warnings: list[Problem] = []

    def add(self, file: DefinitionFile) -> None:
        name = self._label + one_line(file.name)
        if file.fault:
            return self._give_up(file, Problem(name, file.fault))
        read = read_document(file.data, file.form)
        if isinstance(read, SyntaxFault):
            return self._give_up(file, Place(name, {(): read.line}).problem(Fault((), read.what)))
        draft = read_definition(read.table, self._folder, self._known)
        self._keep(file, Place(name, read.lines), draft)

    def loaded(self) -> Loaded:
        return Loaded(
            definitions=self._definitions,
            places=self._places,
            broken=frozenset(self._broken),
            problems=tuple(self._problems),
            warnings=tuple(self._warnings),
        )

    def _give_up(self, file: DefinitionFile, problem: Problem) -> None:
        self._problems.append(problem)
        self._broken.add(file.stem)

    def _keep(self, file: DefinitionFile, place: Place, draft: Draft) -> None:
        self._problems += place.problems(draft.faults)
        self._warnings += [
            place.problem(replace(fault, text=f"{fault.text}; the agent works without it"))
            for fault in draft.warnings
        ]
        name = draft.definition.name
        if not name:
            self._broken.add(file.stem)
        elif name in self._places:
            text = f'name: "{name}" is also in {self._places[name].file}'
            self._problems.append(place.problem(Fault(("name",), text)))
        else:
            self._places[name] = place
            self._definitions[name] = replace(draft.definition, source=place.file)


def _unreadable(error: OSError) -> str:
    return f"cannot be read as a directory of agents: {error.strerror or error}"
