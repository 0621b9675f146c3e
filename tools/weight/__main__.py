"""Print the ruler: `make weight`; what each line means stands in `tools/weight/__init__.py`.

`python -m tools.weight --list WHAT` lists what is behind a line: `types`, `helpers`, `presentation`, `reach`, or a public function's name for
the modules that it reaches.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median

from tools.weight import FILES, PRESENTATION
from tools.weight.counts import branches_of, lines_of, lone_helpers, private_functions, room_lines, types
from tools.weight.modules import Module, Node, read
from tools.weight.reach import Graph, graph_of, public_functions, reached

SOURCE = Path(__file__).resolve().parents[2] / "src" / "runoff"
LARGEST = 5


@dataclass(frozen=True)
class Reach:
    """What a function reaches: its modules with their lines, and the lines without those that read files."""

    modules: dict[str, int]
    without_files: int

    @property
    def lines(self) -> int:
        return sum(self.modules.values())

    def __str__(self) -> str:
        return f"{self.lines:,} in {len(self.modules)} modules; without files {self.without_files:,}"


class Ruler:
    """The measures of the package that lies in a folder."""

    def __init__(self, folder: Path) -> None:
        self.package = folder.name
        self.modules: dict[str, Module] = read(folder)

    @cached_property
    def graph(self) -> Graph:
        return graph_of(self.modules)

    @cached_property
    def reach(self) -> dict[str, Reach]:
        """What each public function reaches, the most lines first."""
        functions = public_functions(self.modules, self.package)
        reaches = {name: self._reach_of(node) for name, node in functions.items()}
        return dict(sorted(reaches.items(), key=lambda item: -item[1].lines))

    def _reach_of(self, node: Node) -> Reach:
        cut = [f"{self.package}.{room}" for room in FILES]
        every, fewer = ({name.module for name in reached(self.graph, node, rooms)} for rooms in ((), cut))
        return Reach(
            {name: self.modules[name].lines for name in sorted(every)}, sum(self.modules[name].lines for name in fewer)
        )

    def table(self) -> Iterator[tuple[str, str]]:
        """Yield each measure with its number."""
        code, docstrings, comments, blank = (
            sum(kind) for kind in zip(*map(lines_of, self.modules.values()), strict=True)
        )
        branches = sum(map(branches_of, self.modules.values()))
        names = types(self.modules)
        yield "lines", f"{code + docstrings + comments + blank:,}"
        yield "files", f"{len(self.modules):,}"
        yield "lines of code", f"{code:,}"
        yield "branches per 100 lines of code", f"{100 * branches / code:.1f}"
        yield "comments per 100 lines of code", f"{100 * comments / code:.1f}"
        yield (
            "type names defined more than once",
            f"{sum(len(places) > 1 for places in names.values())} of {len(names)}",
        )
        yield from self._reached()
        yield "presentation", f"{sum(room_lines(self.modules, self.package, PRESENTATION).values()):,}"
        helpers, private = lone_helpers(self.modules, self.graph), private_functions(self.modules)
        yield "private functions with one caller", f"{len(helpers):,} of {len(private):,}"

    def _reached(self) -> Iterator[tuple[str, str]]:
        reaches = list(self.reach.values())
        if reaches:
            halves = median(reach.lines for reach in reaches), median(reach.without_files for reach in reaches)
            yield (
                f"reached by a public function, median of {len(reaches)}",
                "{:,.0f}; without files {:,.0f}".format(*halves),
            )
        for name, reach in list(self.reach.items())[:LARGEST]:
            yield f"reached by {name}", str(reach)
        if "compare" in list(self.reach)[LARGEST:]:
            yield "reached by compare", str(self.reach["compare"])

    def listing(self, what: str) -> list[str]:
        """Return the lines behind a measure, or the modules that a public function reaches."""
        if what == "types":
            several = {name: places for name, places in types(self.modules).items() if len(places) > 1}
            ranked = sorted(several.items(), key=lambda item: -len(item[1]))
            return [f"{len(places)} {name}: {', '.join(places)}" for name, places in ranked]
        if what == "helpers":
            helpers = lone_helpers(self.modules, self.graph).items()
            return [
                f"{node.module}: {node.name} <- {caller.module}: {caller.name or 'the module'}"
                for node, caller in helpers
            ]
        if what == "presentation":
            return [f"{n:,} {room}" for room, n in room_lines(self.modules, self.package, PRESENTATION).items()]
        if what == "reach":
            return [f"{name}: {reach}" for name, reach in self.reach.items()]
        if what in self.reach:
            return [f"{n:,} {module}" for module, n in self.reach[what].modules.items()]
        sys.exit(f"--list takes types, helpers, presentation, reach or the name of a public function, not {what!r}.")


def imports_by_name(modules: dict[str, Module]) -> list[str]:
    """Return where a module is imported whose name is computed: the ruler does not follow these."""
    calls = [(module.name, node) for module in modules.values() for node in module.nodes if isinstance(node, ast.Call)]
    return [
        f"{name}:{call.lineno}"
        for name, call in calls
        if _is_import(call) and not isinstance(call.args[0], ast.Constant)
    ]


def _is_import(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "import_module" and bool(call.args)


def main() -> None:
    """Print the table, or a list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", metavar="WHAT", help="what is behind a line")
    what = parser.parse_args().list
    ruler = Ruler(SOURCE)
    lines = ruler.listing(what) if what else summary(ruler)
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def summary(ruler: Ruler) -> list[str]:
    """Return the table, the type names that are defined more than once, and what is not followed."""
    return [
        *(f"{name:<48}{number}" for name, number in ruler.table()),
        "",
        "Type names defined more than once (python -m tools.weight --list types, helpers, presentation, reach or compare):",
        *(f"  {line}" for line in ruler.listing("types")),
        "",
        f"Not followed, because the name of the module is computed: {', '.join(imports_by_name(ruler.modules))}",
    ]


if __name__ == "__main__":
    main()
