"""`make bench`: run the benchmarks of this folder and write their numbers to README.md, each section with its machine and day.

`python -m benchmarks.run plan compare` runs those two, and leaves the sections of the others as they are.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

MODULES = [
    path.stem
    for path in sorted(HERE.glob("*.py"))
    if path.stem not in ("__init__", "run") and not path.stem.endswith("_side")
]


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


def load() -> str:
    """Return how many processes wanted a core before the start, and whether that is more than there are: then every second is too long."""
    waiting, cores = os.getloadavg()[0], os.cpu_count() or 1
    return f"load {waiting:.1f}" + (f" on {cores} cores: **a loaded machine**" if waiting > cores else "")


def table(name: str, numbers: dict[str, float], before: str) -> str:
    """Return a section: what the module says it measures, the machine, the numbers, and the load `before` them."""
    doc = (importlib.import_module(f"benchmarks.{name}").__doc__ or "").strip()
    rows = "\n".join(
        f"| {label.removesuffix('_s').removesuffix('_MB')} | {shown(label, value)} |"
        for label, value in numbers.items()
    )
    return f"## {name}\n\n{doc}\n\nOn {machine()}.\n\n| {date.today()}, {before} | |\n| --- | ---: |\n{rows}\n"


def shown(label: str, value: float) -> str:
    """Return a value with its unit, three significant digits."""
    unit = " s" if label.endswith("_s") else " MB" if label.endswith("_MB") else "×" if "ratio" in label else ""
    return f"{value:,.0f}{unit}" if abs(value) >= 100 else f"{value:.3g}{unit}"


def sections_of(text: str) -> dict[str, str]:
    """Return the sections of README.md by the name of their benchmark."""
    return {part.split("\n", 1)[0]: f"## {part.strip()}\n" for part in text.split("\n## ")[1:]}


def main(names: list[str]) -> None:
    readme = HERE / "README.md"
    sections = sections_of(readme.read_text(encoding="utf-8"))
    for name in names or MODULES:
        print(f"{name} …", flush=True)
        module, before = importlib.import_module(f"benchmarks.{name}"), load()
        sections[name] = table(name, module.measure(), before)
        print(sections[name], flush=True)
        write(readme, sections)


def write(readme: Path, sections: dict[str, str]) -> None:
    """Write README.md after every benchmark: one that fails takes nothing from those before it."""
    lines = "Written by `make bench`, each section on its day and machine.\nBoth sides of a ratio were measured in the same run.\n"
    head = f"# Benchmarks\n\n{lines}"
    readme.write_text("\n".join([head, *(sections[name] for name in MODULES if name in sections)]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
