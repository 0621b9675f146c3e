"""What is given away works elsewhere: the wheel in a fresh environment, its page, the citation, and the site from a fresh clone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

import runoff
from tests.places import ROOT
from tools.site.crawl import broken


def done(*command: str | Path, cwd: Path) -> str:
    """Return what a command prints; it must succeed."""
    outcome = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, f"{outcome.stdout}\n{outcome.stderr}"
    return outcome.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    return next(folder.glob("runoff-*.whl"))


@pytest.fixture(scope="module")
def fresh(wheel) -> Path:
    """An environment with the wheel, and with what checks packages, beside it."""
    done(sys.executable, "-m", "venv", "fresh", cwd=wheel.parent)
    bin_folder = wheel.parent / "fresh" / "bin"
    done(bin_folder / "python", "-m", "pip", "install", "--quiet", wheel, "twine", "cffconvert", cwd=wheel.parent)
    return bin_folder


@pytest.mark.slow
def test_the_wheel_makes_a_report_in_a_fresh_environment(fresh, tmp_path):
    text = done(fresh / "runoff", "demo", "-o", "demo", cwd=tmp_path)
    assert "Sarsa(λ) twin" in text
    assert (tmp_path / "demo" / "report.html").stat().st_size > 10_000


@pytest.mark.slow
def test_the_readme_shows_on_a_package_page(fresh, wheel, tmp_path):
    assert "PASSED" in done(fresh / "twine", "check", "--strict", wheel, cwd=tmp_path)
    with zipfile.ZipFile(wheel) as files:
        name = next(file for file in files.namelist() if file.endswith("METADATA"))
        page = files.read(name).decode().split("\n\n", 1)[1]
    assert re.findall(r"\]\((?!https?://)|<!--|make report|!\[", page) == []
    assert page.startswith("# runoff")
    assert "`ro.compare`" in page


@pytest.mark.slow
def test_the_citation_is_valid(fresh, tmp_path):
    assert "valid" in done(fresh / "cffconvert", "--validate", "-i", ROOT / "CITATION.cff", cwd=tmp_path)


def test_the_citation_names_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"], citation["type"]) == (runoff.__version__, "MIT", "software")


@pytest.mark.slow
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
