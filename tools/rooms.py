"""Draw the rooms of the package and the imports between them: `make rooms` writes docs/images/rooms.svg."""

from __future__ import annotations

import tomllib
from pathlib import Path

import grimp
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
HEIGHT = 0.42
"""Height of a box; 1 is the distance between two rows."""
SALT = "runoff"
"""matplotlib names the parts of an SVG by random numbers unless it has a salt: the same rooms are the same bytes."""


def layers() -> list[list[str]]:
    """Return the rooms from the top to the bottom, as the first contract of import-linter has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [row.split(" | ") for row in settings["tool"]["importlinter"]["contracts"][0]["layers"]]


def arrows(rooms: list[str]) -> dict[tuple[str, str], int]:
    """Return how many imports lead from a room to another."""
    graph = grimp.build_graph("runoff", cache_dir=None)
    homes = {module: module.split(".")[1] for module in graph.modules if "." in module}
    counts: dict[tuple[str, str], int] = {}
    for module, room in homes.items():
        for imported in graph.find_modules_directly_imported_by(module):
            pair = room, homes.get(imported, room)
            if pair[0] != pair[1] and set(pair) <= set(rooms):
                counts[pair] = counts.get(pair, 0) + 1
    return counts


def needed(counts: dict[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """Leave out an arrow where a longer way leads to the same room: nearly every room imports the lowest ones."""
    below: dict[str, set[str]] = {}
    for source, target in counts:
        below.setdefault(source, set()).add(target)

    def reached(room: str) -> set[str]:
        return {room}.union(*(reached(lower) for lower in below.get(room, ())))

    return {
        (source, target): count
        for (source, target), count in counts.items()
        if not any(target in reached(other) for other in below[source] - {target})
    }


def picture() -> Figure:
    """Draw each layer as a row; an arrow is the thicker the more imports it stands for."""
    rows = layers()
    places = {
        room: (1.8 * (i - (len(row) - 1) / 2), -float(y)) for y, row in enumerate(rows) for i, room in enumerate(row)
    }
    figure = Figure(figsize=(5.4, 7.2), layout="constrained")
    ax = figure.add_subplot()
    for (source, target), count in needed(arrows(list(places))).items():
        (x, y), (to_x, to_y) = places[source], places[target]
        # Arrows that skip rows bend around the boxes between.
        bend = 0.0 if y - to_y < 1.5 else 0.22 if (x, source) <= (to_x, target) else -0.22
        arrow = FancyArrowPatch(
            (x, y - HEIGHT / 2),
            (to_x, to_y + HEIGHT / 2),
            arrowstyle="-|>",
            mutation_scale=7,
            connectionstyle=f"arc3,rad={bend}",
            color="0.55",
            alpha=0.7,
            linewidth=0.3 + count**0.5 / 8,
            zorder=1,
        )
        ax.add_patch(arrow)
    for room, (x, y) in places.items():
        box = {"boxstyle": "round,pad=0.35", "facecolor": "#eaf2fb", "edgecolor": "#0072b2"}
        ax.text(x, y, room, ha="center", va="center", bbox=box, zorder=2, family="monospace", fontsize=9)
    ax.set(xlim=(-2.6, 2.6), ylim=(-len(rows) + 0.4, 0.6))
    ax.set_axis_off()
    return figure


def main() -> None:
    """Write the picture."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": SALT, "svg.fonttype": "none"}):
        FigureCanvasSVG(picture()).print_svg(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
