"""What the golden files are made with, and one sentence where something of it is missing.

`python tests/golden/needs.py` looks for what the system has to give, R, and exits 2 without it; it needs no package itself. With
`--only python` among its arguments, which are those of `tests.golden.make`, no R is needed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec

R_PACKAGES = ("boot", "coin", "jsonlite", "rpact")
PYTHON_PACKAGES = ("numpy", "scipy", "statsmodels", "mpmath", "rliable")
OLDEST = (3, 11)


def debian(packages: list[str]) -> str:
    """Return how Debian installs R packages."""
    return "on Debian, apt-get install r-base-core " + " ".join(f"r-cran-{name}" for name in packages)


def missing_r() -> str | None:
    """Return what is missing of R."""
    if shutil.which("Rscript") is None:
        packages = ", ".join(R_PACKAGES)
        debians = debian(list(R_PACKAGES))
        return f'make golden needs Rscript with the packages {packages}: {debians}; without R: make golden ARGS="--only python"'
    wanted = ", ".join(f"'{name}'" for name in R_PACKAGES)
    code = f"for (name in c({wanted})) if (!requireNamespace(name, quietly = TRUE)) cat(name, '')"
    lacking = subprocess.run(
        ["Rscript", "--vanilla", "-e", code], capture_output=True, text=True, check=True
    ).stdout.split()
    return f"make golden needs the R packages {', '.join(lacking)}: {debian(lacking)}" if lacking else None


def missing_python() -> str | None:
    """Return what is missing of Python."""
    if sys.version_info < OLDEST:
        return "make golden needs Python 3.11 or newer; name one with: make PYTHON=python3.12 golden"
    return None


def missing_packages() -> str | None:
    """Return which Python packages are missing."""
    lacking = [name for name in PYTHON_PACKAGES if find_spec(name) is None]
    where = "python -m pip install -r tests/golden/requirements.txt, or run make golden"
    return f"the golden files need the Python packages {', '.join(lacking)}: {where}" if lacking else None


def stop(*sentences: str | None) -> None:
    """Exit 2 with the first sentence there is."""
    for sentence in sentences:
        if sentence:
            print(sentence, file=sys.stderr)
            sys.exit(2)


if __name__ == "__main__":
    stop(missing_python(), None if "python" in sys.argv[1:] else missing_r())
