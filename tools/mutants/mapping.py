"""Which test runs which line and calls which kernel, and how long it takes: the whole fast suite once, watched."""

from __future__ import annotations

import functools
import importlib
import json
import os
import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from tools.mutants.contexts import IMPORT, Contexts, recording_cache
from tools.mutants.dispatch import Compilation, record_kernels
from tools.mutants.fork import Tell
from tools.mutants.scratch import Scratch
from tools.mutants.session import pytest_main, settle

PACKAGE = "runoff"


class Watch:
    """A pytest plugin that names what runs, and keeps the tests and their failures."""

    def __init__(self, contexts: Contexts, tell: Tell) -> None:
        self.contexts, self.tell = contexts, tell
        self.tests: list[str] = []
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        """Record the import of a test file under the name of the file."""
        with self.contexts.inside(_file(collector.nodeid) if isinstance(collector, pytest.Module) else IMPORT):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record a test under its own name; it uses its file and its wide fixtures."""
        self.tell(f"start {item.nodeid}")
        with self.contexts.inside(item.nodeid):
            self.contexts.share(_file(item.nodeid))
            for fixture in _fixtures(item):
                self.contexts.share(_shared(fixture))
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        """Record a wide fixture under a name of its own."""
        if fixturedef.scope == "function":
            return (yield)
        with self.contexts.inside(_shared(fixturedef)):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the test, and whether it failed."""
        if report.when == "setup":
            self.tests.append(report.nodeid)
        if report.failed:
            self.failed.add(report.nodeid)


def measure(scratch: Scratch, out: Path, tell: Tell) -> int:
    """Run all fast tests on the copy and write what they run to `out`; for a forked child."""
    tree = scratch.tree
    settle(scratch.root, tree, scratch.warm)
    # The recorder of Python 3.12 and later tells each line once, not once per test.
    os.environ["COVERAGE_CORE"] = "ctrace"
    import coverage

    recorder = coverage.Coverage(data_file=None, config_file=False, source=[str(tree / "src")], messages=False)
    compilation = Compilation()
    # Less the time of compiling, which is done once.
    contexts = Contexts(recorder.switch_context, lambda: monotonic() - compilation.seconds)
    recording = recording_cache(contexts, lambda path: path.startswith(str(tree)))
    functools.lru_cache, functools.cache = recording, recording(maxsize=None)
    compiled = record_kernels(tree, contexts.call)
    watch = Watch(contexts, tell)
    recorder.start()
    _import_all()
    code = pytest_main(scratch.temporary, [], [watch])
    recorder.stop()
    out.write_text(json.dumps(_table(tree, recorder.get_data(), watch) | {"compiled": sorted(compiled)}))
    return code


def _import_all() -> None:
    """Import every module, so that no test is credited with the lines of an import."""
    package = importlib.import_module(PACKAGE)
    for module in pkgutil.walk_packages(package.__path__, f"{PACKAGE}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def _file(nodeid: str) -> str:
    return f"file:{nodeid.split('::')[0]}"


def _fixtures(item: pytest.Item) -> list[Any]:
    closure = getattr(item, "_fixtureinfo", None)
    return [one for all_of_name in closure.name2fixturedefs.values() for one in all_of_name] if closure else []


def _shared(fixture: Any) -> str:
    return f"fixture:{fixture.baseid}:{fixture.argname}"


def _table(tree: Path, data: Any, watch: Watch) -> dict[str, Any]:
    """Return the map; a set of tests that occurs often is written once, and named by its number."""
    contexts, sets = watch.contexts, _Sets(watch.contexts, watch.tests)
    lines = {
        str(Path(path).relative_to(tree)): {
            line: sets.of(found) for line, found in data.contexts_by_lineno(path).items()
        }
        for path in sorted(data.measured_files())
    }
    calls: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, kernels in contexts.kernels.items():
        for kernel in kernels:
            calls[kernel].append(name)
    return {
        "tests": watch.tests,
        "uses": [sorted(contexts.reachable(test) & set(contexts.seconds)) for test in watch.tests],
        "seconds": contexts.seconds,
        "failed": sorted(watch.failed),
        "lines": lines,
        "kernels": [[*kernel, sets.of(found)] for kernel, found in sorted(calls.items())],
        "sets": sets.all,
    }


class _Sets:
    """Sets of tests by number."""

    def __init__(self, contexts: Contexts, tests: list[str]) -> None:
        self.users: dict[str, set[int]] = defaultdict(set)
        for number, test in enumerate(tests):
            for name in contexts.reachable(test):
                self.users[name].add(number)
        self.numbers: dict[tuple[int, ...], int] = {}

    def of(self, names: list[str]) -> int:
        """Return the number of the set of tests that use one of the names."""
        tests = tuple(sorted(set().union(*(self.users.get(name, ()) for name in names))))
        return self.numbers.setdefault(tests, len(self.numbers))

    @property
    def all(self) -> list[tuple[int, ...]]:
        """All sets, in the order of their numbers."""
        return list(self.numbers)
