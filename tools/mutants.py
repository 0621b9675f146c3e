"""Mutation testing: cosmic-ray puts small faults into the code one by one, and the fast tests should notice each.

cosmic-ray (its operators, its session database, its HTML report) mutates a file in place and runs a command. This module adds what a large
package with compiled kernels needs: a sample of all mutations, drawn by a seed; the tests of a mutation, the quickest first, from a map
of which test runs which line; and a cache of its own for compiled code where a kernel was mutated, because a kept kernel is compiled anew, and
replaced, wherever the source of any kernel differs. `make mutants MUTANTS='--n 60 --only src/runoff/reading'`.

Faults by hand go the same way: `make mutants MUTANTS='--faults FILE.json'`, where FILE.json lists {"file", "old", "new", "why"} and `old` stands
once in its file.
"""

# ruff: noqa: T201 (a command: its lines are its answer)
from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import unified_diff
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tools.swapped import Mutation, Swaps

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "mutants"
KERNELS = "src/runoff/_kernels/"
MOST_TESTS = 400
"""So many tests, the quickest of those that run the line, are put to a mutation; a node of the command line costs as long as a test."""
LONGEST = 300.0
"""Seconds: a mutation whose tests take longer hangs, and counts as noticed."""


TRANSCRIPTS = "tests/golden/test_transcripts.py::"
"""They run most lines, a few at once, and notice most faults: they are put to every fault whose line they run, however long they take."""
CHECKS = {
    "ruff": [sys.executable, "-m", "ruff", "check", "-q", "src/runoff"],
    "mypy": [sys.executable, "-m", "mypy"],
}
"""What `make test` asks beside the tests."""
COMPOUND = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.If,
    ast.For,
    ast.While,
    ast.With,
    ast.Try,
    ast.Match,
)


@dataclass(frozen=True)
class Fault:
    """A fault by hand: the text that takes the place of another in one file, and what a user would see of it."""

    file: str
    old: str
    new: str
    why: str = ""

    @cached_property
    def lines(self) -> range:
        """The lines, numbered from 1, in which the two texts differ."""
        before = Path(self.file).read_text(encoding="utf-8").partition(self.old)[0]
        start = _alike(self.old, self.new)
        same = _alike(self.old[start:][::-1], self.new[start:][::-1])
        first = before.count("\n") + self.old[:start].count("\n") + 1
        return range(first, first + self.old[start : len(self.old) - same].rstrip("\n").count("\n") + 1)


def _alike(a: str, b: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


@dataclass(frozen=True)
class Place:
    """What runs when some lines of a file run, and the names by which other lines use them, where only an import runs them."""

    lines: set[int]
    names: set[str] = field(default_factory=set)
    at_import: bool = True


def place_of(source: ast.Module, lines: range) -> Place:
    """Return the statement about the lines; of a function's head its body, and of a module's statement its names as well."""
    about = [node for node in ast.walk(source) if isinstance(node, ast.stmt) and _holds(node, lines)]
    about.sort(key=lambda node: (node.end_lineno or 0) - node.lineno)
    inside = [node for node in about if isinstance(node, ast.FunctionDef) and lines.start >= node.body[0].lineno]
    own = set(lines)
    if about:
        head = about[0].body[0].lineno - 1 if isinstance(about[0], COMPOUND) else about[0].end_lineno or 0
        own |= set(range(about[0].lineno, head + 1))
    if about and isinstance(about[0], ast.FunctionDef):
        own |= _body(about[0])
    names = {name for node in about for name in _names(node)} if not inside else set()
    return Place(own, names, not inside)


def _holds(node: ast.stmt, lines: range) -> bool:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    return first <= lines.start and lines.stop - 1 <= (node.end_lineno or 0)


def _body(function: ast.FunctionDef) -> set[int]:
    return set(range(function.body[0].lineno, (function.end_lineno or 0) + 1))


def _names(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module binds, but for those like `__all__`, in which everything stands."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {
        each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name) and each.id[:2] != "__"
    }


class TestMap:
    """Which test runs which line, and how long it takes: measured by pytest-cov on the unchanged tree."""

    def __init__(self, folder: Path) -> None:
        self.seconds = {
            case.attrib["classname"].replace(".", "/") + ".py::" + case.attrib["name"]: float(case.attrib["time"])
            for case in ET.parse(folder / "junit.xml").iter("testcase")
            if case.find("failure") is None and case.find("error") is None
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
        self.trees = {path: ast.parse(source) for path, source in self.sources.items()}
        self.inside = {
            path: set().union(*(_body(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)))
            for path, tree in self.trees.items()
        }

    def of(self, path: str, lines: range) -> list[str]:
        """Return the tests that run the lines, the quickest first; of lines that only an import runs, those of the file and its names."""
        if path not in self.trees:  # data: the tests of the lines that name the file
            return self._quickest(self._of_names({Path(path).name}))
        if path.startswith(KERNELS):
            return self._quickest(self._of_names(self._owners(path, lines)))
        place = place_of(self.trees[path], lines)
        of_import = self._of_names(place.names) | self._union(path, None) if place.at_import else set()
        return self._quickest(self._union(path, place.lines) | of_import)

    def leave_traces(self, path: str, lines: range) -> bool:
        """Return whether the lines run inside a function that is not compiled, where the map sees which test runs them."""
        return not path.startswith(KERNELS) and not place_of(self.trees[path], lines).at_import

    def steps(self, fault: Fault) -> Iterator[list[str]]:
        """Return what is put to a fault: the quickest tests of its lines, with the transcripts; the rest."""
        own = self.of(fault.file, fault.lines)
        first = own[:MOST_TESTS] + [test for test in own[MOST_TESTS:] if test.startswith(TRANSCRIPTS)]
        yield first
        yield sorted(set(own) - set(first), key=own.index)

    def _quickest(self, tests: Collection[str]) -> list[str]:
        return sorted(tests, key=lambda test: self.seconds[test])

    def _union(self, path: str, lines: Collection[int] | None) -> set[str]:
        of_file = self.tests.get(path, {})
        return set().union(*(of_file.get(line, set()) for line in (of_file if lines is None else lines)))

    def _owners(self, path: str, lines: range) -> set[str]:
        """Return the names of the statements of a module in which the lines stand."""
        return {name for node in self.trees[path].body if _holds(node, lines) for name in _names(node)}

    def _of_names(self, names: set[str]) -> set[str]:
        """Lines that an import or a compiled kernel runs leave no trace: take the tests of lines that name them, or name what names them."""
        seen, new, tests = set[str](), set(names), set[str]()
        while new:
            pattern = re.compile(rf"\b({'|'.join(map(re.escape, new))})\b")
            seen |= new
            new = set()
            for user, source in self.sources.items():
                for i in (i for i, line in enumerate(source.split("\n"), 1) if pattern.search(line)):
                    if user.startswith(KERNELS) or i not in self.inside[user]:
                        new |= self._owners(user, range(i, i + 1)) - seen
                    else:
                        tests |= self.tests[user][i]
        return tests


def _lines(bits: bytes) -> Iterator[int]:
    """Return the line numbers of coverage's bit set."""
    return (8 * i + bit for i, byte in enumerate(bits) for bit in range(8) if byte & 1 << bit)


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
        "RUNOFF_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "",  # else each run compiles all tests again
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


@contextmanager
def surroundings(path: str) -> Iterator[None]:
    """Let what is computed inside have the copy for runoff, and an empty cache of compiled code where a kernel is changed."""
    cache = tempfile.mkdtemp(dir=BUILD) if path.startswith(KERNELS) else str(BUILD / "numba")
    with patch.dict(os.environ, environment(Path.cwd(), cache)):
        yield
    if cache != str(BUILD / "numba"):
        shutil.rmtree(cache, ignore_errors=True)


def command(tests: Sequence[str]) -> list[str]:
    """Return how tests are run one after the other until one fails."""
    options = ["-q", "-x", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
    return [sys.executable, "-m", "pytest", *options, *tests]


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
    """Put each mutation into the loaded functions of a worker's copy, or else into its file, and keep the outcome in the session."""
    from cosmic_ray.work_db import WorkDB, use_db

    worker, items = arguments
    os.chdir(BUILD / f"tree{worker}")
    sys.path.insert(0, str(Path("src").absolute()))
    tests = TestMap(BUILD)
    with use_db(BUILD / f"session{worker}.sqlite", WorkDB.Mode.create) as database:
        database.clear()
        database.add_work_items(items)
        loaded = {item.job_id: _mutation(item, tests) for item in items if tests.leave_traces(*_lines_of(item))}
        rest = [item for item in items if item.job_id not in loaded]

        def keep(mutation: Mutation, outcome: str) -> None:
            item = next(item for item in items if loaded.get(item.job_id) is mutation)
            if outcome == "no function":
                rest.append(item)
            else:
                _keep(database, item, mutation, outcome)

        files = sorted({test.partition("::")[0] for mutation in loaded.values() for test in mutation.tests})
        options = ["-q", "-s", "--tb=no", "-rN", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
        with surroundings(""):
            if files and pytest.main([*options, *files], plugins=[Swaps([*loaded.values()], keep, int(LONGEST))]) > 1:
                raise RuntimeError(f"the tests of {files} cannot be collected")
        for item in rest:
            mutation = _mutation(item, tests)
            _keep(database, item, mutation, _in_its_file(item, mutation.tests))


def _lines_of(item: Any) -> tuple[str, range]:
    """Return the file and the lines of a work item of cosmic-ray."""
    mutation = item.mutations[0]
    return str(mutation.module_path), range(mutation.start_pos[0], mutation.end_pos[0] + 1)


def _mutation(item: Any, tests: TestMap) -> Mutation:
    """Return the source with a mutation of cosmic-ray's, and the tests of its lines."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    spec, (path, lines) = item.mutations[0], _lines_of(item)
    operator = get_operator(spec.operator_name)(**spec.operator_args)
    source = mutate_code(tests.sources[path], operator, spec.occurrence)
    return Mutation(path, source, tests.of(path, lines)[:MOST_TESTS])


def _in_its_file(item: Any, tests: Sequence[str]) -> str:
    """Return what becomes of a mutation that an import runs, or a kernel: a process of its own imports it, or compiles it."""
    from cosmic_ray.mutating import mutate_and_test
    from cosmic_ray.work_item import TestOutcome

    if not tests:
        return "no test"
    with surroundings(str(item.mutations[0].module_path)):
        result = mutate_and_test(item.mutations, shlex.join(command(tests)), LONGEST)
    return "survived" if result.test_outcome is TestOutcome.SURVIVED else "died"


def _keep(database: Any, item: Any, mutation: Mutation, outcome: str) -> None:
    """Print an outcome and keep it where cosmic-ray's own pages look for it."""
    from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

    spec = item.mutations[0]
    kind = TestOutcome.SURVIVED if outcome in ("survived", "no test") else TestOutcome.KILLED
    before = Path(mutation.path).read_text(encoding="utf-8").split("\n")
    diff = "\n".join(unified_diff(before, mutation.source.split("\n"), mutation.path, lineterm="", n=1))
    database.set_result(item.job_id, WorkResult(WorkerOutcome.NORMAL, outcome, kind, diff))
    # A new line, because pytest prints its points.
    print(f"\n{outcome}\t{mutation.path}:{spec.start_pos[0]} {spec.definition_name} {spec.operator_name}", flush=True)
    if kind is TestOutcome.SURVIVED:
        print(diff, flush=True)


class Judge:
    """Puts faults into the copy in which it stands and looks what notices them: ruff, tests or mypy, as in `make test`."""

    def __init__(self, only: Sequence[str]) -> None:
        self.only = list(only)
        self.tests = None if only else TestMap(BUILD)
        self.sound: dict[str, bool] = {}

    def outcome(self, fault: Fault) -> str:
        """Return "died by" what noticed the fault, "survived", "no test", "not there" or "not judged"."""
        path = Path(fault.file)
        source = path.read_text(encoding="utf-8") if path.is_file() else ""
        if source.count(fault.old) != 1:
            return "not there"
        steps = [self.only] if self.tests is None else [step for step in self.tests.steps(fault) if step]
        tests = [[test for test in step if test not in CHECKS] for step in steps]
        notice = [["ruff"], *tests, *(["mypy"] for _ in {"mypy"} & set(self.only))]
        with surroundings(fault.file):
            while True:
                path.write_text(source.replace(fault.old, fault.new), encoding="utf-8")
                try:
                    answer = next((text for text in map(self._answer, notice) if text), "")
                finally:
                    path.write_text(source, encoding="utf-8")
                if not answer.startswith("died by ") or self._passes(answer.removeprefix("died by ")):
                    return answer or ("survived" if steps else "no test")

    def _answer(self, tests: list[str]) -> str:
        """Return what a check or the tests say of the copy as it is: nothing where all pass."""
        listing = BUILD / f"{Path.cwd().name}.txt"
        limit = (
            LONGEST if os.environ["NUMBA_CACHE_DIR"] == str(BUILD / "numba") else 3 * LONGEST
        )  # all kernels are compiled anew
        while tests := [test for test in tests if self.sound.get(test, True)]:
            listing.write_text("\n".join(tests), encoding="utf-8")
            try:
                ended = subprocess.run(
                    CHECKS.get(tests[0]) or command([f"@{listing}"]), capture_output=True, text=True, timeout=limit
                )
            except subprocess.TimeoutExpired:
                return f"not judged: longer than {limit:.0f} s"
            missing = re.findall(rf"^ERROR: not found: {re.escape(str(Path.cwd()))}/(.*)$", ended.stderr, re.M)
            if not set(missing) & {test.partition("[")[0] for test in tests}:
                return _died_by(ended, tests)
            # The fault takes cases of a test away: all cases there are take the place of those that were.
            left = [
                test.partition("[")[0] if test.partition("[")[0] in missing else test
                for test in tests
                if test not in missing
            ]
            tests = list(dict.fromkeys(left))
        return ""

    def _passes(self, what: str) -> bool:
        """Return whether what noticed a fault passes without it; where not, it is asked no more."""
        if what not in self.sound:
            self.sound[what] = not self._answer([what])
        return self.sound[what]


def _died_by(ended: subprocess.CompletedProcess[str], tests: list[str]) -> str:
    """Return which check or test failed first; nothing where all passed."""
    if not ended.returncode:
        return ""
    if tests[0] in CHECKS:
        return f"died by {tests[0]}"
    failed = _failed(ended.stdout, tests)
    return f"died by {failed[0]}" if failed else f"not judged: {(ended.stderr or ended.stdout)[-300:]!r}"


def _failed(summary: str, tests: Collection[str]) -> list[str]:
    """Return what failed by pytest's summary, whose lines go on with what was raised, and may have the same signs inside a name."""
    lines = re.findall(r"^(?:FAILED|ERROR) (tests/.*)$", summary, re.M)
    return [
        max((test for test in tests if line.startswith(test)), key=len, default=line.partition(" - ")[0])
        for line in lines
    ]


def tried_by_hand(arguments: tuple[int, list[Fault], list[str]]) -> dict[Fault, str]:
    """Put each fault into the copy of a worker and say what notices it."""
    worker, faults, only = arguments
    os.chdir(BUILD / f"tree{worker}")
    judge = Judge(only)
    outcomes = {}
    for fault in faults:
        started = time.monotonic()
        outcomes[fault] = judge.outcome(fault)
        place = f"{fault.file}:{fault.lines.start}" if outcomes[fault] != "not there" else fault.file
        print(f"{outcomes[fault]}\t{place}\t{time.monotonic() - started:.0f} s\t{fault.why}", flush=True)
    return outcomes


def failing_together(faults: Sequence[Fault], workers: int) -> list[str]:
    """Put many faults into this copy at once, and return which of all fast tests fail then, and whether the types do."""
    before = {fault.file: Path(fault.file).read_text(encoding="utf-8") for fault in faults}
    for fault in faults:
        path = Path(fault.file)
        path.write_text(path.read_text(encoding="utf-8").replace(fault.old, fault.new), encoding="utf-8")
    suite = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-p", "no:cov"]
    try:
        with surroundings(max(before, key=lambda file: file.startswith(KERNELS))):
            ended = subprocess.run([*suite, "-n", str(workers), "--dist", "worksteal"], capture_output=True, text=True)
            typed = subprocess.run(CHECKS["mypy"], capture_output=True).returncode
    finally:
        for file, text in before.items():
            Path(file).write_text(text, encoding="utf-8")
    return [*_failed(ended.stdout, TestMap(BUILD).seconds), *(["mypy"] if typed else [])]


def all_tried_by_hand(faults: Sequence[Fault], tests: list[str], workers: int) -> str:
    """Try faults by the tests of their lines; what lives by all others, which only what lives together makes fail; return the share."""

    def tried_beside(some: Sequence[Fault], only: list[str]) -> dict[Fault, str]:
        shares = [(worker, list(some[worker::workers]), only) for worker in range(workers)]
        with get_context("spawn").Pool(workers) as pool:
            return {fault: text for own in pool.map(tried_by_hand, shares, chunksize=1) for fault, text in own.items()}

    outcomes = tried_beside(faults, tests)
    lived = [fault for fault, text in outcomes.items() if text in ("survived", "no test")]
    if lived and not tests:
        print(f"all tests, with the {len(lived)} that live, together (minutes) …", flush=True)
        if failing := failing_together(lived, workers):
            print(f"{len(failing)} fail then, and are put to each", flush=True)
            outcomes |= tried_beside(lived, failing)
    return share_of(list(outcomes.values()))


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
    parser.add_argument(
        "--faults", type=Path, metavar="FILE", help="faults by hand in place of mutations, from a list in JSON"
    )
    parser.add_argument(
        "--tests", nargs="+", default=[], metavar="TEST", help="only these tests are put to the faults of --faults"
    )
    options = parser.parse_args(arguments)
    faults = (
        [Fault(**entry) for entry in json.loads(options.faults.read_text(encoding="utf-8"))] if options.faults else []
    )
    trees = [prepared(worker) for worker in range(options.workers)]
    if not (options.tests or (options.keep_map and (BUILD / "junit.xml").exists())):
        measure(trees[0])
    os.chdir(trees[0])
    if options.faults:
        print(all_tried_by_hand(faults, options.tests, options.workers))
        return 0
    picked = sampled(options.n, options.seed, options.only)
    with get_context("spawn").Pool(options.workers) as pool:
        pool.map(tried, [(worker, picked[worker :: options.workers]) for worker in range(options.workers)], chunksize=1)
    print(f"cr-html {BUILD.relative_to(ROOT)}/session0.sqlite shows every mutation of the first worker")
    return 0


def share_of(outcomes: Sequence[str]) -> str:
    """Return how many faults were noticed of those that were judged."""
    kinds = Counter(re.split(r" by |:", text)[0] for text in outcomes)
    noticed, lived = kinds["died"], kinds["survived"] + kinds["no test"]
    share = f"{noticed / (noticed + lived):.0%}" if noticed + lived else "none"
    return f"{share} of {noticed + lived} were noticed ({', '.join(f'{kind} {n}' for kind, n in kinds.most_common())})"


if __name__ == "__main__":
    sys.exit(main())
