"""A room of the inference floor has a face: others import from it, not from the files behind it."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module

import pytest

from tests.contracts.syntax import nodes_of
from tests.places import SOURCE

ROOMS = sorted(path.parent for path in (SOURCE / "_inference").glob("*/__init__.py"))


def imported(path) -> list[str]:
    """Return the modules that a file imports from."""
    return [str(node.module) for node in nodes_of(path) if isinstance(node, ast.ImportFrom)]


@cache
def all_imported():
    """Return the modules that each file of the package imports from."""
    return {path: imported(path) for path in SOURCE.rglob("*.py")}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_others_import_from_the_face_of_a_room(room):
    behind = f"runoff._inference.{room.name}."
    others = {path: modules for path, modules in all_imported().items() if room not in path.parents}
    assert [str(path) for path, modules in others.items() for module in modules if module.startswith(behind)] == []


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_face_says_what_it_offers_file_by_file(room):
    face = import_module(f"runoff._inference.{room.name}")
    files = {path.stem for path in room.glob("*.py")} - {"__init__"}
    assert [name for name in files if f"\n{name}" not in face.__doc__] == []
