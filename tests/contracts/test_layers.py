"""The rooms of a layer import only downwards, as docs/design/layers.md says; between layers import-linter watches."""

from __future__ import annotations

import ast
import re

import pytest

from tests.places import DOCS, SOURCE

(BLOCK,) = re.findall(r"```rooms\n(.*?)```", (DOCS / "design" / "layers.md").read_text("utf-8"), re.DOTALL)
FLOORS = {
    layer: [floor.split(" · ") for floor in rest.split(" → ")]
    for layer, rest in (line.split(": ") for line in BLOCK.strip().splitlines())
}
each_layer = pytest.mark.parametrize("layer", FLOORS)


def arrows(layer: str) -> set[tuple[str, str]]:
    """Return which room of a layer imports which other room."""
    found = set()
    for path in (SOURCE / layer).rglob("*.py"):
        room = path.relative_to(SOURCE / layer).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                modules = [f"{node.module}.{alias.name}." for alias in node.names]
                inside = [m.split(".")[2] for m in modules if m.startswith(f"runoff.{layer}.")]
                found |= {(room, other) for other in inside if other != room}
    return found


@each_layer
def test_every_room_has_its_floor(layer):
    there = {path.name.removesuffix(".py") for path in (SOURCE / layer).iterdir()} - {"__init__", "__pycache__"}
    assert there == {room for floor in FLOORS[layer] for room in floor}


@each_layer
def test_rooms_import_only_from_lower_floors(layer):
    depth = {room: i for i, floor in enumerate(FLOORS[layer]) for room in floor}
    assert [(room, other) for room, other in sorted(arrows(layer)) if depth[room] >= depth[other]] == []
