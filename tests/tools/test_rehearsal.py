"""The workflows run what the Makefile has, and a tag is released only where nothing is missing."""

import re

import pytest
import yaml

from tests.places import ROOT
from tools import rehearsal

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def steps(workflow):
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_targets_that_the_makefile_has(workflow):
    named = {name for step in steps(workflow) for name in re.findall(r"\bmake ([\w-]+)", step.get("run", ""))}
    assert named <= TARGETS
    assert named


def test_a_workflow_lists_every_python_that_the_package_names():
    matrix = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))["jobs"]["fast"]
    named = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(named) <= set(matrix["strategy"]["matrix"]["python"])


def test_a_tag_of_another_version_is_not_released():
    assert "the tag is v9.9.9, and pyproject.toml says " in next(rehearsal.untagged("v9.9.9"))


def test_a_page_with_a_placeholder_for_an_address_is_in_the_way_of_a_release(tmp_path, monkeypatch):
    for name in ("pyproject.toml", "action.yml"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    with (tmp_path / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('[project.urls]\nHomepage = "https://example.org"\n')
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("uses: runoff@v1", encoding="utf-8")
    monkeypatch.setattr(rehearsal, "ROOT", tmp_path)
    tag = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n", encoding="utf-8")
    assert list(rehearsal.untagged(f"v{tag}")) == [f"the first heading of CHANGELOG.md is no date of {tag}"]
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {tag} (2026-11-27)\n", encoding="utf-8")
    assert list(rehearsal.untagged(f"v{tag}")) == []
    (tmp_path / "docs" / "page.md").write_text("uses: " + rehearsal.PLACEHOLDER + "runoff", encoding="utf-8")
    assert list(rehearsal.untagged(f"v{tag}")) == [f"docs/page.md has {rehearsal.PLACEHOLDER} in place of an address"]
