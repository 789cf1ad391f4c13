"""Builds an index of documents as a program of its own: killed without harm, holding up nobody.

`python -m engine.web.providers.docs_build FOLDER INDEX_FOLDER` prints a line `READ OF` after each
document. It must print nothing else on stdout.
"""

import sys
from pathlib import Path

from engine.web.providers.docs_index import Building, build
from engine.web.providers.docs_pdf import read_pdf
from engine.web.providers.docs_store import DamagedIndex, IndexUnwritable, StoredIndex, load, save

UNWRITABLE = 3
"""The exit code when there is no writing in INDEX_FOLDER."""


def build_and_save(root: Path, where: Path, how: Building) -> None:
    """Bring the stored index in `where` up to date.

    Raises OSError for the folder itself, IndexUnwritable for `where`, BuildingStopped.
    """
    save(build(root, stored_in(where), how), where)


def stored_in(where: Path) -> StoredIndex | None:
    """The stored index, or None when there is none that can be used."""
    try:
        return load(where)
    except (DamagedIndex, FileNotFoundError):
        return None


def _print_progress(read: int, of: int) -> None:
    sys.stdout.write(f"{read} {of}\n")
    sys.stdout.flush()


def main(root: str, where: str) -> int:
    try:
        build_and_save(Path(root), Path(where), Building(read_pdf, _print_progress))
    except OSError as exc:
        sys.stderr.write(f"{exc.strerror or exc}\n")
        return 1
    except IndexUnwritable as exc:
        sys.stderr.write(f"{exc}\n")
        return UNWRITABLE
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
