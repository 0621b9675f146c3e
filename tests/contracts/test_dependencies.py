"""What the package imports is declared, and what is declared is imported and has its row in the table of dependencies."""

from __future__ import annotations

import ast
import re
import sys
import tomllib

from tests.contracts.syntax import nodes_of
from tests.places import DOCS, ROOT, SOURCE

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TABLE, EXTRAS = (DOCS / "design" / "dependencies.md").read_text(encoding="utf-8").split("\n## Extras")
USERS = {"pandas", "pytest", "seaborn", "mcp", "mcp_types", "zstandard", "fastexcel", "h5py"}
"""What only those need who have it: frames that are asked for, the plugin, palettes of the drop-in, `runoff mcp`, packed logs, workbooks."""


DISTRIBUTIONS = {"yaml": "PyYAML"}
"""Packages that are installed by another name."""


def bare(requirement: str) -> str:
    return re.split(r"[<>=\[; ]", requirement)[0].lower()


def imported() -> set[str]:
    """Return the packages that any module imports, at its head or later."""
    nodes = [node for path in SOURCE.rglob("*.py") for node in nodes_of(path)]
    roots = {name.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for name in node.names}
    roots |= {(node.module or "").split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)}
    return {DISTRIBUTIONS.get(root, root).lower() for root in roots - sys.stdlib_module_names - {"runoff", ""}}


def test_every_package_that_is_imported_is_declared_and_no_other():
    assert imported() - USERS == {bare(name) for name in PROJECT["dependencies"]}


def test_every_dependency_has_its_row_in_the_table():
    rows = re.findall(r"^\| (\w+) \|", TABLE, re.MULTILINE)
    assert [name.lower() for name in rows[1:-1]] == [bare(name) for name in PROJECT["dependencies"]]


def test_every_package_of_an_extra_stands_in_its_table():
    named = {name.lower() for name in re.findall(r"[\w-]+", EXTRAS)}
    extras = PROJECT["optional-dependencies"]
    short = {"pytest-xdist": "xdist", "pytest-randomly": "randomly"}
    assert {short.get(bare(name), bare(name)) for names in extras.values() for name in names} - named == set()
    assert set(extras) <= named
