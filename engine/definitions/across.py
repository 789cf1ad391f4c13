"""The rules that need all definitions: roles that lead somewhere, versions, steps, no loops.

Pure.
"""

from collections.abc import Iterable, Iterator, Mapping

from engine.definitions.checks import role_label
from engine.definitions.nearest import nearest
from engine.definitions.problems import Fault
from engine.definitions.versions import is_constraint, is_version, meets
from engine.domain.definition import Definition, Role


def faults_across(
    definition: Definition, others: Mapping[str, Definition], *, broken: frozenset[str]
) -> Iterator[Fault]:
    """What is wrong with the roles of one definition among all of them, itself included.

    `broken` are names of files that could not be read: nothing is said of what they would hold.
    """
    for place, role in enumerate(definition.spawn.roles):
        if role.agent in others:
            yield from _version_fault(place, role, others[role.agent])
            yield from _steps_fault(place, role, others[role.agent])
        elif role.agent and role.agent not in broken:
            yield _of_role(place, role, "agent", f".agent: {no_agent(role.agent, others)}")


def no_agent(name: str, known: Iterable[str]) -> str:
    """`no agent called "ghost"`, and the name that was probably meant."""
    near = nearest(name, known)
    return f'no agent called "{name}"' + (f' (did you mean "{near}"?)' if near else "")


def version_mismatch(definition: Definition, constraint: str) -> str:
    """Why a definition does not meet a constraint that can be read; empty when it does."""
    if meets(definition.version, constraint):
        return ""
    at = f'agent "{definition.name}" is at version {definition.version}'
    return f'{at}, which does not meet "{constraint}"'


def loops(definitions: Mapping[str, Definition]) -> Iterator[tuple[str, Fault]]:
    """Each way in which an agent starts itself through its roles: the agent it is told of, and how.

    A loop is told once, of its first name in alphabetical order.
    """
    seen: set[frozenset[str]] = set()
    done: set[str] = set()
    for name in sorted(definitions):
        for loop in _loops_from(name, definitions, done=done):
            if frozenset(loop) not in seen:
                seen.add(frozenset(loop))
                yield _told(loop, definitions)


def _loops_from(
    first: str, definitions: Mapping[str, Definition], *, done: set[str]
) -> Iterator[list[str]]:
    """Walks down from `first`, without the ways that were walked already, in bounded depth."""
    if first in done:
        return
    way = [first]
    ahead = [_started(first, definitions)]
    while way:
        following = next(ahead[-1], None)
        if following is None:
            done.add(way.pop())
            ahead.pop()
        elif following in way:
            yield way[way.index(following) :]
        elif following not in done:
            way.append(following)
            ahead.append(_started(following, definitions))


def _started(name: str, definitions: Mapping[str, Definition]) -> Iterator[str]:
    roles = definitions[name].spawn.roles
    return iter(sorted({role.agent for role in roles if role.agent in definitions}))


def _told(loop: list[str], definitions: Mapping[str, Definition]) -> tuple[str, Fault]:
    start = loop.index(min(loop))
    names = [*loop[start:], *loop[:start]]
    following = names[1] if len(names) > 1 else names[0]
    roles = definitions[names[0]].spawn.roles
    place = next(n for n, role in enumerate(roles) if role.agent == following)
    text = f"{' -> '.join((*names, names[0]))} starts itself through its roles"
    return names[0], Fault(("spawn", "roles", place, "agent"), text)


def _version_fault(place: int, role: Role, other: Definition) -> Iterator[Fault]:
    if is_version(other.version) and is_constraint(role.version):
        mismatch = version_mismatch(other, role.version)
        if mismatch:
            yield Fault(("spawn", "roles", place, "version"), mismatch)


def _steps_fault(place: int, role: Role, other: Definition) -> Iterator[Fault]:
    if other.loop == "investigative":
        if role.max_steps or role.max_steps_limit:
            text = f'the agent "{other.name}" has investigate.max_iterations instead'
            yield _of_role(place, role, "max_steps", f".max_steps: {text}")
        return
    of_other = f'{other.max_steps}, of "{other.name}"'
    if role.max_steps > other.max_steps and not role.max_steps_limit:
        text = f".max_steps: {role.max_steps} is more than max_steps_limit ({of_other})"
        yield _of_role(place, role, "max_steps", text)
    if 0 < role.max_steps_limit < other.max_steps and not role.max_steps:
        text = f".max_steps_limit: {role.max_steps_limit} is less than max_steps ({of_other})"
        yield _of_role(place, role, "max_steps_limit", text)


def _of_role(place: int, role: Role, key: str, text: str) -> Fault:
    return Fault(("spawn", "roles", place, key), role_label(place, {"name": role.name}) + text)
