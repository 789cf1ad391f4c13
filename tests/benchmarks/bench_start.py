"""How long the commands take to answer: `python -m tests.benchmarks.bench_start [TIMES]`.

CPU seconds (user and system) of whole processes, the least of several, so that other work on the
machine counts little. `--help` may cost at most 2.5 times what `import typer` alone does.
"""

import os
import subprocess
import sys
import tempfile

TIMES = 10
LIMIT = 2.5

PYTHON = (sys.executable, "-c")
PROGRAM = (sys.executable, "-m", "gligabao_tui")
PROCESSES: dict[str, tuple[str, ...]] = {
    "python, nothing": (*PYTHON, "pass"),
    "import typer": (*PYTHON, "import typer"),
    "import engine.api": (*PYTHON, "import engine.api"),
    "gligabao --help": (*PROGRAM, "--help"),
    "gligabao research start --help": (*PROGRAM, "research", "start", "--help"),
    "gligabao research ls": (*PROGRAM, "research", "ls"),
    "gligabao research get 1": (*PROGRAM, "research", "get", "1"),
}


def main(times: int) -> None:
    with tempfile.TemporaryDirectory() as data_dir:
        environment = {**os.environ, "GLIGABAO_DATA_DIR": data_dir}
        figures = {
            name: min(cpu_seconds(command, environment) for _ in range(times))
            for name, command in PROCESSES.items()
        }
    for name, seconds in figures.items():
        print(f"{name:<32} {seconds * 1000:7.0f} ms CPU")
    ratio = figures["gligabao --help"] / figures["import typer"]
    print(f"--help costs {ratio:.2f} times `import typer` (at most {LIMIT})")


def cpu_seconds(command: tuple[str, ...], environment: dict[str, str]) -> float:
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0  # waited for above, which subprocess does not know
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES)
