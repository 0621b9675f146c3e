"""Mutation testing: cosmic-ray puts small faults into the code one by one, and the fast tests should notice each.

cosmic-ray (its operators, its session database, its HTML report) mutates a file in place and runs a command. This module adds what a large
package with compiled kernels needs: a sample of all mutations, drawn by a seed; the tests of a mutation, the quickest first, from a map
of which test runs which line; and a cache of its own for compiled code where a kernel was mutated, because a kept kernel is compiled anew, and
replaced, wherever the source of any kernel differs. `make mutants MUTANTS='--n 60 --only src/runoff/reading'`.
"""

# ruff: noqa: T201 (a command: its lines are its answer)
from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "mutants"
KERNELS = "src/runoff/_kernels/"
MOST_TESTS = 400
"""So many tests, the quickest of those that run the line, are put to a mutation; a node of the command line costs as long as a test."""
LONGEST = 300.0
"""Seconds: a mutation whose tests take longer hangs, and counts as noticed."""


class TestMap:
    """Which test runs which line, and how long it takes: measured by pytest-cov on the unchanged tree."""

    def __init__(self, folder: Path) -> None:
        self.seconds = {
            case.attrib["classname"].replace(".", "/") + ".py::" + case.attrib["name"]: float(case.attrib["time"])
            for case in ET.parse(folder / "junit.xml").iter("testcase")
        }
        self.tests: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        with sqlite3.connect(folder / "coverage.sqlite") as database:
            rows = database.execute(
                "SELECT file.path, context.context, numbits FROM line_bits"
                " JOIN file ON file.id = file_id JOIN context ON context.id = context_id"
            )
            for path, context, bits in rows:
                test = context.partition("|")[0]
                if test in self.seconds:
                    for line in _lines(bits):
                        self.tests[path][line].add(test)
        self.sources = {path: Path(path).read_text(encoding="utf-8") for path in _python_files("src/runoff")}

    def of(self, path: str, lines: range, function: str | None) -> list[str]:
        """Return the tests that run the lines, the quickest first; of lines that only an import runs, the tests of the file."""
        tests = self._of_kernel(function) if path.startswith(KERNELS) else self._union(path, lines)
        if not tests:
            tests = self._union(path, None)
        return sorted(tests, key=lambda test: self.seconds[test])[:MOST_TESTS]

    def _union(self, path: str, lines: range | None) -> set[str]:
        of_file = self.tests.get(path, {})
        return set().union(*(of_file.get(line, set()) for line in (of_file if lines is None else lines)))

    def _of_kernel(self, function: str | None) -> set[str]:
        """Compiled lines leave no trace: take the tests of the lines, outside the kernels, that name the function or a kernel that names it."""
        names, new, tests = set(), {function} if function else set(), set[str]()
        while new:
            pattern = re.compile(rf"\b({'|'.join(map(re.escape, new))})\b")
            names |= new
            new = set()
            for user, source in self.sources.items():
                numbers = [i for i, line in enumerate(source.split("\n"), 1) if pattern.search(line)]
                if user.startswith(KERNELS):
                    new |= {name for i in numbers if (name := _function_at(source, i))} - names
                else:
                    tests = tests.union(*(self.tests[user][i] for i in numbers))
        return tests


def _lines(bits: bytes) -> Iterator[int]:
    """Return the line numbers of coverage's bit set."""
    return (8 * i + bit for i, byte in enumerate(bits) for bit in range(8) if byte & 1 << bit)


def _function_at(source: str, line: int) -> str | None:
    heads = re.findall(r"^def (\w+)", "\n".join(source.split("\n")[:line]), re.M)
    return heads[-1] if heads else None


def _python_files(folder: str) -> list[str]:
    return sorted(str(path) for path in Path(folder).rglob("*.py"))


def prepared(worker: int) -> Path:
    """Return a copy of the tracked files and of those that git does not ignore, as they are now."""
    tree = BUILD / f"tree{worker}"
    shutil.rmtree(tree, ignore_errors=True)
    names = subprocess.check_output(["git", "ls-files", "-zco", "--exclude-standard"], cwd=ROOT).decode().split("\0")
    for name in names:
        if name and (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    return tree


def environment(tree: Path, cache: str) -> dict[str, str]:
    """Return the environment in which the copy is the only runoff there is."""
    return {
        **os.environ,
        "PYTHONPATH": str(tree / "src"),
        "NUMBA_CACHE_DIR": cache,
        "COVERAGE_FILE": str(BUILD / "coverage.sqlite"),
    }


def measure(tree: Path) -> None:
    """Run all fast tests once, to see what each of them runs."""
    print("running all fast tests once, to see what each of them runs (minutes) …", flush=True)
    (tree / ".coveragerc").write_text("[run]\nrelative_files = true\n")
    options = ["-n", "2", "--cov=src/runoff", "--cov-context=test", "--cov-report=", "--junitxml=../junit.xml"]
    command = [sys.executable, "-m", "pytest", "-q", *options]
    subprocess.run(command, cwd=tree, env=environment(tree, str(BUILD / "numba")), check=False)


def sampled(n: int, seed: int, only: str) -> list[object]:
    """Draw n mutations: a file by its lines, then one of its mutations that no earlier draw took."""
    from cosmic_ray.commands.init import _all_work_items

    rng = random.Random(seed)
    files = [path for path in _python_files("src/runoff") if path.startswith(only)]
    sizes = [Path(path).read_text(encoding="utf-8").count("\n") for path in files]
    picked = []
    for path, count in sorted(Counter(rng.choices(files, sizes, k=n)).items()):
        items = [item for item in _all_work_items([Path(path)], {}) if item.mutations[0].definition_name]
        picked += rng.sample(items, min(count, len(items)))
    return picked


def tried(arguments: tuple[int, list[object]]) -> None:
    """Put each mutation into the copy of a worker, run its tests there and keep the outcome in the session."""
    from cosmic_ray.mutating import mutate_and_test
    from cosmic_ray.work_db import WorkDB, use_db

    worker, items = arguments
    os.chdir(BUILD / f"tree{worker}")
    tests = TestMap(BUILD)
    with use_db(BUILD / f"session{worker}.sqlite", WorkDB.Mode.create) as database:
        database.clear()
        database.add_work_items(items)
        for item in items:
            mutation = item.mutations[0]
            path = str(mutation.module_path)
            chosen = tests.of(path, range(mutation.start_pos[0], mutation.end_pos[0] + 1), mutation.definition_name)
            cache = tempfile.mkdtemp(dir=BUILD) if path.startswith(KERNELS) else str(BUILD / "numba")
            os.environ.update(environment(Path.cwd(), cache))
            command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *chosen]
            result = mutate_and_test(item.mutations, shlex.join(command), LONGEST) if chosen else None
            if cache != str(BUILD / "numba"):
                shutil.rmtree(cache, ignore_errors=True)
            outcome = "no test" if result is None else result.test_outcome.value
            if result is not None:
                database.set_result(item.job_id, result)
            print(
                f"{outcome} {path}:{mutation.start_pos[0]} {mutation.definition_name} {mutation.operator_name}",
                flush=True,
            )
            if outcome == "survived":
                print(result.diff, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try a sample of mutations and say which survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--n", type=int, default=100, help="so many mutations (100)")
    parser.add_argument("--seed", type=int, default=0, help="draws them (0)")
    parser.add_argument(
        "--only", default="", metavar="PATH", help="only files whose path begins so: src/runoff/reading"
    )
    parser.add_argument("--workers", type=int, default=2, help="so many side by side (2)")
    parser.add_argument(
        "--keep-map", action="store_true", help="use the map of the last call: the tests have not changed"
    )
    options = parser.parse_args(arguments)
    trees = [prepared(worker) for worker in range(options.workers)]
    if not (options.keep_map and (BUILD / "junit.xml").exists()):
        measure(trees[0])
    os.chdir(trees[0])
    picked = sampled(options.n, options.seed, options.only)
    shares = [(worker, picked[worker :: options.workers]) for worker in range(options.workers)]
    with get_context("spawn").Pool(options.workers) as pool:
        pool.map(tried, shares, chunksize=1)
    print(f"cr-html {BUILD.relative_to(ROOT)}/session0.sqlite shows every mutation of the first worker")
    return 0


if __name__ == "__main__":
    sys.exit(main())
