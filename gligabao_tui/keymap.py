"""The keys of every action as this person has them: the table's, with those of `[app.keymap]`.

Pure and without the terminal library. An entry that cannot be used is left out and said; nothing
in a settings file can leave an action without a key, or a key with two meanings in one place.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from engine.api import Check, clean
from gligabao_tui.key_names import SOMETIMES, NotAKey, character, key_named, key_spelled, key_word
from gligabao_tui.keys import ACTIONS, EVERYWHERE, IN_FIELDS, WIDER, Action, Scope

_BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}
_MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class KeymapFault:
    """An entry that is not used: what it is for, as written, and why."""

    entry: str
    why: str

    @property
    def words(self) -> str:
        return f"{self.entry}: {self.why}"


@dataclass(frozen=True, slots=True)
class Keymap:
    """`changed` are the keys of the actions that a person gave others than the table does."""

    changed: Mapping[str, tuple[str, ...]]
    faults: tuple[KeymapFault, ...] = ()

    def keys_of(self, action_id: str) -> tuple[str, ...]:
        """The names of its keys, the first to be shown first; none when it has none."""
        if action_id in self.changed:
            return self.changed[action_id]
        return _BY_ID[action_id].default_keys

    def word(self, action_id: str) -> str:
        """The key that is shown for it, as people write it; empty when it has none."""
        return key_word(self.keys_of(action_id)[0]) if self.keys_of(action_id) else ""

    def spelled(self, action_id: str) -> str:
        """The same in the middle of a sentence."""
        return key_spelled(self.keys_of(action_id)[0]) if self.keys_of(action_id) else ""

    def words(self, action_id: str) -> tuple[str, ...]:
        return tuple(key_word(key) for key in self.keys_of(action_id))


DEFAULT_KEYMAP = Keymap({})


def read_keymap(entries: Mapping[str, str]) -> Keymap:
    """The entries of `[app.keymap]`: an action's id, and its keys separated by commas."""
    faults: list[KeymapFault] = []
    wanted: dict[str, tuple[str, ...]] = {}
    for written_id, written in entries.items():
        parsed = _parsed(written_id.strip(), written)
        if isinstance(parsed, KeymapFault):
            faults.append(parsed)
        else:
            wanted[written_id.strip()] = parsed
    clashing = _without_clashes(wanted)
    return Keymap(wanted, (*faults, *clashing))


def keymap_checks(entries: Mapping[str, str]) -> tuple[Check, ...]:
    """What `doctor` says of the user's keys; nothing when there are none."""
    if not entries:
        return ()
    keymap = read_keymap(entries)
    if not keymap.faults:
        count = len(keymap.changed)
        told = f"{count} {'action has' if count == 1 else 'actions have'} keys of your own"
        return (Check("keys", "ok", told),)
    return tuple(
        Check("keys", "warning", f"[app.keymap] {fault.words}; the key of the table stays")
        for fault in keymap.faults
    )


def faults_note(keymap: Keymap) -> str:
    """What is said at the start; empty when every entry is used."""
    count = len(keymap.faults)
    if not count:
        return ""
    entries = "1 entry of [app.keymap] is" if count == 1 else f"{count} entries of [app.keymap] are"
    shows = "what is wrong with it" if count == 1 else "what is wrong with them"
    return f"{entries} not used. {keymap.word('app.help')} shows {shows}."


def are_together(one: Action, other: Action) -> bool:
    """Whether there is a place where the keys of both work."""
    if one.id in EVERYWHERE or other.id in EVERYWHERE:
        return True
    return any({one.scope, other.scope} <= {scope, *wider} for scope, wider in _PLACES.items())


def _parsed(action_id: str, written: str) -> tuple[str, ...] | KeymapFault:
    name = _cut(action_id)
    if action_id not in _BY_ID:
        near = get_close_matches(action_id, _BY_ID, 1)
        return KeymapFault(name, "there is no such action" + (f"; {near[0]}?" if near else ""))
    keys: list[str] = []
    for one in written.split(","):
        key = key_named(_cut(one)) if one.strip() else ""
        if isinstance(key, NotAKey):
            return KeymapFault(name, key.why)
        if key and key not in keys:
            keys.append(key)
    why = _refused(_BY_ID[action_id], keys)
    return KeymapFault(name, why) if why else tuple(keys)


def _refused(action: Action, keys: list[str]) -> str:
    """Why an action cannot have these keys, whatever others have; empty when it can."""
    if not keys:
        return "names no key, and nothing can be left without one" if action.keys else ""
    typed = [key_word(key) for key in keys if character(key)]
    if typed and (action.scope in IN_FIELDS or action.id in EVERYWHERE):
        return f"{typed[0]} would be typed into the field"
    if set(keys) <= SOMETIMES:
        return f"only some terminals send {key_word(keys[0])}; name another key beside it"
    return ""


def _without_clashes(wanted: dict[str, tuple[str, ...]]) -> Iterable[KeymapFault]:
    """Takes entries out of `wanted` until no key means two things in one place: the later of two
    entries, and any entry that takes a key from an action which keeps its own."""
    faults: list[KeymapFault] = []
    while (found := _first_clash(wanted)) is not None:
        entry, key, other = found
        del wanted[entry]
        told = f"{key_word(key)} is already {other.label!r} ({other.id})"
        faults.append(KeymapFault(entry, told))
    return faults


def _first_clash(wanted: dict[str, tuple[str, ...]]) -> tuple[str, str, Action] | None:
    for entry in reversed(wanted):
        action = _BY_ID[entry]
        for other in ACTIONS:
            keys = wanted.get(other.id, other.default_keys)
            shared = [key for key in wanted[entry] if key in keys]
            if shared and other.id != entry and are_together(action, other):
                return entry, shared[0], other
    return None


def _cut(text: str) -> str:
    flat = " ".join(clean(text).split())
    return flat if len(flat) <= _MOST_SHOWN else f"{flat[:_MOST_SHOWN]}..."


_PLACES: dict[Scope, tuple[Scope, ...]] = {
    **{action.scope: () for action in ACTIONS},
    **WIDER,
}
