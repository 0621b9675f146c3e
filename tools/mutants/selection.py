"""Which tests may notice a mutant, and which kernels must be compiled anew to hold it."""

from __future__ import annotations

from dataclasses import dataclass

from tools.mutants.mutant import Mutant
from tools.mutants.names import Kernel, Names
from tools.mutants.testmap import TestMap, Tests


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tests of a mutant.

    Attributes
    ----------
    first : those that run it
    others : those that touch its file besides, or a file that uses a name it changes
    stale : the kernels whose compiled code would not hold it
    """

    first: Tests
    others: Tests
    stale: frozenset[Kernel]


def chosen(mutant: Mutant, tests: TestMap, names: Names) -> Chosen:
    """Return the tests of a mutant: by its line; of what is compiled or run at import, by the names that depend on it."""
    compiled = any(_is_in(mutant, kernel) for kernel in tests.kernels)
    by_line = tests.of_lines((mutant.path, line) for line in mutant.lines)
    at_import = mutant.runs_at_import or (not by_line and tests.is_imported(mutant.path, mutant.lines))
    if not compiled and not at_import:
        return Chosen(by_line, tests.of_files({mutant.path}) - by_line, frozenset())
    dependent = names.dependent(names.given_on(mutant.path, mutant.line), tests.kernels)
    stale = frozenset(kernel for kernel in tests.kernels if (kernel[0], kernel[1].split(".")[0]) in dependent)
    used = names.lines(dependent) if at_import else set()
    first = by_line | tests.of_kernels(stale) | tests.of_lines(used)
    return Chosen(first, tests.of_files({mutant.path, *(path for path, _ in used)}) - first, stale)


def _is_in(mutant: Mutant, kernel: Kernel) -> bool:
    path, name = kernel[0], kernel[1].replace(".<locals>", "")
    return path == mutant.path and f"{mutant.qualname}.".startswith(f"{name}.")
