"""The app over an engine in memory, for tests that give it a terminal of its own.

`python -m tests.tui.terminal_program DATA_DIR SCENE` ends with the exit code of the app.
"""

import sys
from pathlib import Path

from gligabao_tui.app import run_app
from tests.tui import scenes

if __name__ == "__main__":
    data_dir, scene = sys.argv[1:]
    engine = getattr(scenes, scene)()
    code = run_app(scenes.settings_in(Path(data_dir)), engine.opened)
    sys.exit(70 if engine.is_open else code)
