"""What is given away works elsewhere: the wheel in a fresh environment, its page, the citation, and the site from a fresh clone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.places import DOCS, ROOT
from tools.site.crawl import broken

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def done(*command: str | Path, cwd: Path, code: int = 0) -> str:
    """Return what a command prints, which must end with a code and sees no other package than those of its environment."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    outcome = subprocess.run([*map(str, command)], cwd=cwd, env=own, capture_output=True, text=True, check=False)
    assert outcome.returncode == code, f"{outcome.stdout}\n{outcome.stderr}"
    return outcome.stdout


@pytest.fixture(scope="module")
def tools(tmp_path_factory) -> Path:
    """An environment with what builds and checks packages, and nothing else."""
    return environment(tmp_path_factory.mktemp("tools"), "build", "twine", "cffconvert")


@pytest.fixture(scope="module")
def built(tools, tmp_path_factory) -> Path:
    """A folder with the source distribution, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("built")
    done(tools / "python", "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built) -> Path:
    return next(built.glob("runoff-*.whl"))


@pytest.fixture(scope="module")
def fresh(wheel, tmp_path_factory) -> Path:
    """An environment with the wheel and pytest."""
    return environment(tmp_path_factory.mktemp("fresh"), wheel, "pytest")


def environment(folder: Path, *packages: str | Path) -> Path:
    """Return the programs of a new environment with packages."""
    done(sys.executable, "-m", "venv", folder, cwd=folder)
    done(folder / "bin" / "python", "-m", "pip", "install", "--quiet", *packages, cwd=folder)
    return folder / "bin"


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as files:
        return {name: files.read(name) for name in files.namelist()}


@pytest.mark.slow
def test_the_wheel_holds_the_files_of_the_package_and_no_other(wheel):
    outcome = subprocess.run(["git", "ls-files", "-z", "src"], cwd=ROOT, capture_output=True, check=False)
    if outcome.returncode:
        pytest.skip("this is no checkout")
    files = contents(wheel)
    kept = {name.removeprefix("src/") for name in outcome.stdout.decode().split("\0") if name}
    assert {name for name in files if ".dist-info/" not in name} == kept
    assert {"runoff/py.typed", "runoff/__init__.pyi", "runoff/archive/alm/LICENSE"} <= kept
    assert {name.split("/", 1)[1] for name in files if "/licenses/" in name} == {"licenses/LICENSE", "licenses/NOTICE"}
    assert [
        name for name, body in files.items() if str(ROOT).encode() in body or str(Path.home()).encode() in body
    ] == []
    assert wheel.stat().st_size < 8_000_000


@pytest.mark.slow
def test_the_source_distribution_builds_the_wheel_of_the_tree(wheel, tools, tmp_path):
    done(tools / "python", "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    assert contents(tmp_path / wheel.name) == contents(wheel)


@pytest.mark.slow
def test_the_wheel_makes_a_report_in_a_fresh_environment(fresh, tmp_path):
    text = done(fresh / "runoff", "demo", "-o", "demo", cwd=tmp_path)
    assert "Sarsa(λ) twin" in text
    assert (tmp_path / "demo" / "report.html").stat().st_size > 10_000


RUNS = """algorithm,task,seed,score
ours,maze,1,63.2
ours,maze,2,65.8
ours,maze,3,64.1
baseline,maze,1,61.4
baseline,maze,2,57.2
baseline,maze,3,59.9
"""
NIGHT = """
import pytest

@pytest.mark.runoff_gate(baseline="kept.json")
@pytest.mark.parametrize("shift", [1.5, -20.0])
def test_agent(runoff_gate, shift):
    runoff_gate({"ours": {"maze": [63.0 + shift, 65.5 + shift, 64.4 + shift]}})
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    """A project beside which runoff is installed: runs, a night that is worse, and tests."""
    (tmp_path / "runs.csv").write_text(RUNS)
    (tmp_path / "same.csv").write_text(RUNS.replace(".", ".0"))
    (tmp_path / "night.csv").write_text(RUNS.replace(",6", ",4").replace(",57.2", ",47.5"))
    (tmp_path / "test_agent.py").write_text(NIGHT)
    (tmp_path / "pytest.ini").touch()
    return tmp_path


@pytest.mark.slow
def test_every_way_into_the_package_works_from_the_wheel(fresh, folder):
    assert "baseline" in done(fresh / "runoff", "report", "runs.csv", "-o", "out", cwd=folder)
    assert json.loads((folder / "out" / "results.json").read_text())["version"] == VERSION
    assert "dreamerv3_atari57" in done(fresh / "runoff", "archive", cwd=folder)
    code = "import runoff as ro; print(ro.__version__, ro.compare('runs.csv').pairs[0].verdict)"
    assert done(fresh / "python", "-c", code, cwd=folder).split() == [VERSION, "b_better"]


@pytest.mark.slow
def test_the_gate_and_the_plugin_of_pytest_work_from_the_wheel(fresh, folder):
    kept = ("runs.csv", "--algorithm", "ours", "--margin", "4", "--save", "kept.json")
    done(fresh / "runoff", "gate", *kept, cwd=folder)
    gate = (fresh / "runoff", "gate", "kept.json", "--candidate-algorithm", "ours")
    assert "held" in done(*gate, "same.csv", cwd=folder)
    assert "regressed" in done(*gate, "night.csv", cwd=folder, code=1)
    text = done(fresh / "pytest", "-q", "--strict-markers", cwd=folder, code=1)
    assert "1 failed, 1 passed" in text
    assert "= runoff gates =" in text


@pytest.mark.slow
def test_the_readme_shows_on_a_package_page(tools, built, wheel, tmp_path):
    assert done(tools / "twine", "check", "--strict", *built.iterdir(), cwd=tmp_path).count("PASSED") == 2
    page = (
        next(body for name, body in contents(wheel).items() if name.endswith("METADATA")).decode().split("\n\n", 1)[1]
    )
    assert re.findall(r"\]\((?!https?://)|<!--|make report|!\[", page) == []
    assert page.startswith("# runoff")
    assert "ro.compare(" in page


@pytest.mark.slow
def test_the_citation_is_valid(tools, tmp_path):
    assert "valid" in done(tools / "cffconvert", "--validate", "-i", ROOT / "CITATION.cff", cwd=tmp_path)


def test_the_citation_the_changelog_and_the_action_name_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"], citation["type"]) == (VERSION, "MIT", "software")
    changes = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    latest = next(head for head in changes if head != "Unreleased")
    assert latest in (f"{VERSION} ({citation['date-released']})", f"{VERSION} (unreleased)")
    assert f"runoff@v{VERSION}\n" in (DOCS / "guides" / "gate-your-agent.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.long
def test_the_site_is_built_from_a_fresh_clone(tmp_path):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("this is no checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    text = done("make", "docs", f"PYTHON={sys.executable}", cwd=tmp_path)
    assert "index.html: " in text
    assert list(broken(tmp_path / "build" / "site")) == []
    assert len(list((tmp_path / "build" / "site" / "_images").glob("*.png"))) >= 50
