"""What `mapping` measured, to be asked: the tests of a line, of a kernel, of a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from pathlib import Path

from tools.mutants.names import Kernel

Tests = frozenset[int]


@dataclass(frozen=True, slots=True)
class TestMap:
    """Tests are numbers, in the order in which they were run.

    Attributes
    ----------
    work : of each test the seconds of its own work and of each piece that it shares with others
    lines : path -> line -> tests
    calls : kernel -> tests that have Python call it
    kernels : all compiled functions, those too that only other kernels call
    failed : tests that failed while they were watched
    """

    __test__ = False

    work: dict[str, dict[str, float]]
    lines: dict[str, dict[int, Tests]]
    calls: dict[Kernel, Tests]
    kernels: frozenset[Kernel]
    failed: tuple[str, ...]

    def of_lines(self, lines: Iterable[tuple[str, int]]) -> Tests:
        """Return the tests that run one of the lines."""
        return _union(self.lines.get(path, {}).get(line, frozenset()) for path, line in lines)

    def of_kernels(self, kernels: Iterable[Kernel]) -> Tests:
        """Return the tests that have Python call one of the kernels."""
        return _union(self.calls.get(kernel, frozenset()) for kernel in kernels)

    def of_files(self, paths: Iterable[str]) -> Tests:
        """Return the tests that run a line or call a kernel of one of the files."""
        paths = set(paths)
        lines = _union(tests for path in paths for tests in self.lines.get(path, {}).values())
        return lines | self.of_kernels(kernel for kernel in self.calls if kernel[0] in paths)

    def is_imported(self, path: str, lines: Iterable[int]) -> bool:
        """Return whether lines were run, but by no test: by the import."""
        known = self.lines.get(path, {})
        return any(line in known and not known[line] for line in lines)

    def seconds(self, name: str) -> float:
        """Return how long a test takes alone; a second if it is not known."""
        return sum(self.work[name].values()) if name in self.work else 1.0

    def cheapest_first(self, tests: Iterable[int], within: float = inf) -> list[str]:
        """Return the names of tests, the quickest first, as many as take no more seconds than `within` one after the other."""
        named = list(self.work)
        ordered = sorted((named[test] for test in tests), key=self.seconds)
        done: set[str] = set()
        found, total = [], 0.0
        for name in ordered:
            total += sum(seconds for part, seconds in self.work[name].items() if part not in done)
            done |= self.work[name].keys()
            if total > within:
                break
            found.append(name)
        return found


def read(path: Path) -> TestMap:
    """Return the map in a file of `mapping`."""
    table = json.loads(path.read_text())
    seconds = table["seconds"]
    sets = [frozenset(tests) for tests in table["sets"]]
    return TestMap(
        {
            test: {name: seconds[name] for name in uses}
            for test, uses in zip(table["tests"], table["uses"], strict=True)
        },
        {path: {int(line): sets[i] for line, i in lines.items()} for path, lines in table["lines"].items()},
        {(path, name): sets[i] for path, name, i in table["kernels"]},
        frozenset((path, name) for path, name in table["compiled"]),
        tuple(table["failed"]),
    )


def _union(sets: Iterable[Tests]) -> Tests:
    return frozenset().union(*sets)
