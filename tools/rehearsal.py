"""The packages of dist/ as a stranger gets them: installed into an empty environment, away from this clone, and tried.

    python -m tools.rehearsal [--python python3.12 …]    installs the wheel; README, demo, notebook, type checkers, licences
    python -m tools.rehearsal --tag v0.3.0               whether this tag may be released: it is the version, and every address is set

`make rehearsal` builds the packages first. Nothing is published.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.notebook import NOTEBOOK

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "build" / "rehearsal"
PLACEHOLDER = "OWNER" + "/"
"""What stands in pages for the address that nobody has given yet."""
TYPED = """
import runoff as ro

scores = ro.load_example("classic_control").final()
for row in ro.compare(scores):
    estimate: float = row.estimate
    verdict: str = row.verdict
ro.compare(scores, test="welchh")
"""
"""What a user's type checker sees: the misspelt test of the last line is its one error."""
LICENCES = """
from importlib.metadata import distributions
for d in sorted(distributions(), key=lambda d: d.name.lower()):
    m = d.metadata
    of = m.get("License-Expression") or "; ".join(c.rpartition(" :: ")[2] for c in m.get_all("Classifier", []) if c.startswith("License ::"))
    print(f"{d.name} {d.version}: {of or (m.get('License') or 'not said').splitlines()[0]}")
"""


def untagged(tag: str) -> Iterator[str]:
    """Yield what is in the way of releasing this tag."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if tag != f"v{project['version']}":
        yield f"the tag is {tag}, and pyproject.toml says {project['version']}"
    if not project.get("urls"):
        yield "pyproject.toml has no [project.urls]"
    heading = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if heading is None or not heading[1].startswith(f"{project['version']} (2"):
        yield f"the first heading of CHANGELOG.md is no date of {project['version']}"
    for page in [ROOT / "README.md", ROOT / "action.yml", *sorted((ROOT / "docs").rglob("*.md"))]:
        if PLACEHOLDER in page.read_text(encoding="utf-8"):
            yield f"{page.relative_to(ROOT)} has {PLACEHOLDER} in place of an address"


def rehearse(python: str) -> None:
    """Install the wheel for one Python into an empty environment, and try it in an empty folder."""
    wheel, *more = sorted((ROOT / "dist").glob("runoff-*.whl"))
    if more:
        sys.exit("dist/ holds several wheels; make dist builds one")
    home = HOME / Path(python).name
    subprocess.run([python, "-m", "venv", "--clear", home], check=True)
    own = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    work = home / "work"
    work.mkdir()
    # Neither the clone nor what this shell has set is there.
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

    def call(title: str, *command: str | Path, code: int = 0) -> str:
        run = subprocess.run([own, *command], cwd=work, env=env, capture_output=True, text=True, check=False)
        if run.returncode != code:
            sys.exit(f"{title}: exit {run.returncode}, not {code}\n{run.stdout}{run.stderr}")
        print(f"  {title}: ok")
        return run.stdout

    print(
        f"{subprocess.run([own, '--version'], capture_output=True, text=True, check=True).stdout.strip()}, {wheel.name}"
    )
    call("installs", "-m", "pip", "install", "--quiet", wheel)
    call("no requirement is broken (pip check)", "-m", "pip", "check")
    licences = call("licences", "-c", LICENCES)
    call("runoff --version", "-m", "runoff", "--version", "-v")
    call("runoff demo", "-m", "runoff", "demo", "-o", "report")
    call("figures of the demo", "-m", "runoff", "demo", "-o", "figures", "--figures", "pdf")
    if not (work / "report" / "report.html").stat().st_size > 50_000:
        sys.exit("the report of the demo is no page")
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (work / "my_runs.csv").write_text("".join(re.findall(r"^```csv[^\n]*\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)))
    call("runoff report, the rows of the README", "-m", "runoff", "report", "my_runs.csv")
    for at, block in enumerate(re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)):
        call(f"block {at + 1} of Python in the README", "-c", block)
    (work / "own.ipynb").write_text(NOTEBOOK.read_text(encoding="utf-8"), encoding="utf-8")
    call("what a notebook needs", "-m", "pip", "install", "--quiet", "nbclient", "ipykernel", "pandas")
    executed = "import nbformat as f, nbclient as c; c.NotebookClient(f.read('own.ipynb', 4), timeout=120).execute()"
    call("the notebook", "-c", executed)
    _typed(call, work)
    print("  " + "\n  ".join(licences.splitlines()))


def _typed(call: object, work: Path) -> None:
    """Let two type checkers see the installed package: each must see types, and the one misspelt option."""
    assert callable(call)
    (work / "typed.py").write_text(TYPED, encoding="utf-8")
    call("type checkers", "-m", "pip", "install", "--quiet", "mypy", "pyright[nodejs]")
    told = call("mypy --strict", "-m", "mypy", "--strict", "typed.py", code=1)
    if "Found 1 error" not in told or "welchh" not in told:
        sys.exit(f"mypy says something else:\n{told}")
    report = json.loads(call("pyright", "-m", "pyright", "--outputjson", "typed.py", code=1))
    errors = [item["message"] for item in report["generalDiagnostics"] if item["severity"] == "error"]
    if len(errors) != 1 or "welchh" not in errors[0]:
        sys.exit(f"pyright says something else: {errors}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--python", action="append", metavar="PYTHON", help="a Python to install for; repeatable (default: this one)"
    )
    parser.add_argument("--tag", help="only say whether this tag may be released")
    options = parser.parse_args(arguments)
    if options.tag is not None:
        reasons = list(untagged(options.tag))
        sys.exit("".join(f"{reason}\n" for reason in reasons) or None)
    for python in options.python or [sys.executable]:
        rehearse(python)


if __name__ == "__main__":
    main()
