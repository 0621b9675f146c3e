"""What every dependency costs: the numbers of docs/design/dependencies.md.

    python -m tools.dependencies

makes an environment in build/dependencies and installs runoff there, then each dependency again with what it brings (the files come from pip's
cache: no download is measured), and imports what four commands import.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "build" / "dependencies"
PYTHON = HOME / "bin" / "python"
REPEATS = 7
RUNS = "algorithm,task,seed,score\n" + "".join(
    f"{name},{task},{seed},{(seed * step) % 7 + shift}\n"
    for name, shift in (("a", 1.5), ("b", 0.25))
    for task, step in (("x", 3), ("y", 5))
    for seed in range(1, 6)
)
COMMANDS = {
    "import": ("-c", "import runoff"),
    "--help": ("-m", "runoff", "--help"),
    "compare": ("-m", "runoff", "compare", "runs.csv"),
    "report": ("-m", "runoff", "report", "runs.csv", "-o", "report", "--force"),
}
INSTALLED = """
import json, re
from importlib.metadata import distributions, packages_distributions
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as name

def needs(dist):
    wanted = map(Requirement, dist.requires or ())
    return [name(need.name) for need in wanted if need.marker is None or need.marker.evaluate({"extra": ""})]

print(json.dumps({
    "needs": {name(dist.name): needs(dist) for dist in distributions()},
    "version": {name(dist.name): dist.version for dist in distributions()},
    "bytes": {name(dist.name): sum(f.locate().stat().st_size for f in dist.files or () if f.locate().is_file()) for dist in distributions()},
    "home": {root: name(dists[0]) for root, dists in packages_distributions().items()},
}))
"""


def printed(*command: str, errors: bool = False) -> str:
    """Return what a command of the environment prints."""
    outcome = subprocess.run([PYTHON, *command], cwd=HOME, capture_output=True, text=True, check=True)
    return outcome.stderr if errors else outcome.stdout


def owners(needs: dict[str, list[str]], direct: Sequence[str]) -> dict[str, str]:
    """Return the dependency that each package is counted under: the first whose dependencies have it."""
    owner = {name: name for name in direct}
    for name in direct:
        waiting = list(needs[name])
        while waiting:
            if (package := waiting.pop()) not in owner:
                owner[package] = name
                waiting += needs[package]
    return owner


def seconds_to_install(packages: Iterable[str]) -> float:
    """Return the processor seconds that pip takes for wheels that it has, with byte code."""
    before = os.times()
    printed("-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", *packages)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def imports(command: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the top-level name and the own microseconds of every import of a command."""
    for line in printed("-X", "importtime", *command, errors=True).splitlines():
        if match := re.match(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\w+)", line):
            yield match[2], int(match[1])


def milliseconds(command: Sequence[str], home: dict[str, str], owner: dict[str, str]) -> dict[str, float]:
    """Return the milliseconds of import by dependency, each the least of `REPEATS`."""
    least: dict[str, float] = {}
    for _ in range(REPEATS):
        total: dict[str, float] = {}
        for root, own in imports(command):
            package = home.get(root, "Python")
            total[owner.get(package, package)] = total.get(owner.get(package, package), 0.0) + own / 1000
        least = {name: min(value, least.get(name, value)) for name, value in total.items()}
    return least


def main() -> None:
    """Print the table."""
    subprocess.run([sys.executable, "-m", "venv", "--clear", HOME], check=True)
    printed("-m", "pip", "install", "--quiet", str(ROOT))
    (HOME / "runs.csv").write_text(RUNS, encoding="utf-8")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    direct = [re.split(r"[<>=]", line)[0].lower() for line in declared]
    installed = json.loads(printed("-c", INSTALLED))
    owner = owners(installed["needs"], direct)
    spent = {name: milliseconds(command, installed["home"], owner) for name, command in COMMANDS.items()}
    write = sys.stdout.write
    write(f"| package | MB | s | {' | '.join(spent)} | brings |\n")
    for name in [*direct, "runoff", "Python"]:
        group = [package for package in installed["needs"] if owner.get(package, package) == name]
        pins = [f"{package}=={installed['version'][package]}" for package in group if package != "runoff"]
        megabytes = sum(installed["bytes"][package] for package in group) / 1e6
        seconds = seconds_to_install(pins) if pins else 0.0
        times = " | ".join(f"{spent[command].get(name, 0):.0f}" for command in COMMANDS)
        brings = ", ".join(package for package in group if package != name)
        write(f"| {name} | {megabytes:.1f} | {seconds:.1f} | {times} | {brings} |\n")


if __name__ == "__main__":
    main()
