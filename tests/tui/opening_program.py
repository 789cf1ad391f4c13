"""The real program, held where it begins to read its settings: `... FOLDER [ARGUMENT...]`.

By then its first frame must be painted. What was imported until then is written to FOLDER/imported;
it goes on when somebody writes to the pipe FOLDER/go.
"""

import runpy
import sys
from pathlib import Path

HELD_AT = "engine.settings_file"


def main(folder: Path, arguments: list[str]) -> None:
    def heard(event: str, given: tuple[object, ...]) -> None:
        if event == "import" and given[0] == HELD_AT:
            (folder / "imported").write_text("\n".join(sys.modules))
            (folder / "go").read_text()

    sys.addaudithook(heard)
    sys.argv = ["gligabao", *arguments]
    runpy.run_module("gligabao_tui", run_name="__main__")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
