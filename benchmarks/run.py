"""`make bench`: run every benchmark of this folder and write their numbers to README.md, with the machine they were taken on."""

from __future__ import annotations

import importlib
import os
import platform
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

MODULES = [path.stem for path in sorted(HERE.glob("*.py")) if path.stem not in ("__init__", "run", "rliable_side")]


def machine() -> str:
    """Return processor, cores and versions in one line."""
    import numba
    import numpy
    import scipy

    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    versions = f"NumPy {numpy.__version__}, SciPy {scipy.__version__}, numba {numba.__version__}"
    return f"{model}, {os.cpu_count()} cores; Python {platform.python_version()}, {versions}"


def table(name: str, numbers: dict[str, float]) -> str:
    """Return a section: what the module says it measures, and its numbers."""
    doc = (importlib.import_module(f"benchmarks.{name}").__doc__ or "").strip()
    rows = "\n".join(
        f"| {label.removesuffix('_s').removesuffix('_MB')} | {shown(label, value)} |"
        for label, value in numbers.items()
    )
    return f"## {name}\n\n{doc}\n\n| | |\n| --- | ---: |\n{rows}\n"


def shown(label: str, value: float) -> str:
    """Return a value with its unit, three significant digits."""
    unit = " s" if label.endswith("_s") else " MB" if label.endswith("_MB") else "×" if "ratio" in label else ""
    return f"{value:,.0f}{unit}" if abs(value) >= 100 else f"{value:.3g}{unit}"


def main(names: list[str]) -> None:
    sections = []
    for name in names or MODULES:
        print(f"{name} …", flush=True)
        numbers = importlib.import_module(f"benchmarks.{name}").measure()
        sections.append(table(name, numbers))
        print(sections[-1], flush=True)
    if not names:
        head = f"# Benchmarks\n\nWritten by `make bench` on {date.today()}: {machine()}. Both sides of a ratio were measured in the same run.\n"
        (HERE / "README.md").write_text("\n".join([head, *sections]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
