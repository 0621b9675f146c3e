"""What every generator uses: inputs, R scripts, one way to write a golden file, and how far two of them are apart."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from math import isclose
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Golden:
    """One golden file: what computed it (software and version) and its cases."""

    software: list[str]
    cases: list[Case]

    def text(self) -> str:
        """Return the file, one case per line and one row per line, so that a change of a value is a change of a line."""
        lines = ",\n".join("  " + line_of(case) for case in self.cases)
        return f'{{\n "software": {json.dumps(self.software)},\n "cases": [\n{lines}\n ]\n}}\n'


def line_of(case: Case) -> str:
    """Return a case as JSON; rows, the list `values`, come last and below."""
    if "values" not in case:
        return json.dumps(case)
    head = json.dumps({key: value for key, value in case.items() if key != "values"})
    rows = ",\n".join("    " + json.dumps(row) for row in case["values"])
    return f'{head[:-1]}, "values": [\n{rows}]}}'


def inputs(name: str) -> list[Case]:
    """Return the cases of inputs/NAME.json, in order."""
    return json.loads((HERE / "inputs" / f"{name}.json").read_text(encoding="utf-8"))


def run_r(script: str, cases: list[Case]) -> tuple[list[str], list[Case]]:
    """Run an R script on cases as JSON; return the software it names and its answers, one for each case."""
    command = ["Rscript", "--vanilla", str(HERE / script)]
    done = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{script} failed:\n{done.stderr}")
    answer = json.loads(done.stdout)
    return answer["software"], answer["cases"]


def packages(*names: str) -> list[str]:
    """Return installed Python packages with their versions."""
    return [f"{name} {version(name)}" for name in names]


def agree(what: str, value: float, other: float, rel: float = 1e-9) -> float:
    """Return the first of two values that independent software found, or stop where they differ."""
    if not isclose(value, other, rel_tol=rel, abs_tol=1e-13):
        raise SystemExit(f"{what}: one source says {value!r}, the other {other!r}")
    return value


# ── how far two golden files are apart ──────────

DRAWN = ("mc_p", "mc_se", "intervals", "bca", "bca_error", "drawn")
"""Keys below which values are sampled."""


def differences(old: Any, other: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Yield each number's path and relative difference; infinite where the files differ in anything but a number."""
    if isinstance(old, dict) and isinstance(other, dict) and old.keys() == other.keys():
        for key in old:
            yield from differences(old[key], other[key], f"{path}/{key}")
    elif isinstance(old, list) and isinstance(other, list) and len(old) == len(other):
        for i, (a, b) in enumerate(zip(old, other, strict=True)):
            yield from differences(a, b, f"{path}/{name_of(a, i)}")
    elif is_number(old) and is_number(other):
        yield path, abs(old - other) / max(abs(old), abs(other), 1e-13)
    elif old != other:
        yield path, float("inf")


def name_of(case: Any, i: int) -> str:
    """Return what a reader calls an entry of a list."""
    return str(case.get("name", i)) if isinstance(case, dict) else str(i)


def is_number(value: Any) -> bool:
    """Return whether this is a number and not a truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def largest(pairs: Iterable[tuple[str, float]]) -> tuple[str, float]:
    """Return where the largest difference is, as " at ...", and how large."""
    where, worst = max(pairs, key=lambda pair: pair[1], default=("", 0.0))
    return f" at {where}" if worst else "", worst


def is_drawn(path: str) -> bool:
    """Return whether the value at this path is sampled."""
    return any(part in DRAWN for part in path.split("/"))
