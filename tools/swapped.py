"""Faults in functions that are loaded: hundreds are tried in one process, which has imported the package and collected the tests once.

A module is compiled from its mutated source, and each of its functions that is loaded runs the code of its new self until the tests have ended.
What only an import runs, and what numba has compiled, cannot be changed so.
"""

from __future__ import annotations

import functools
import gc
import importlib
import signal
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Mutation:
    """A file as it is with a fault, and the tests that run its lines, the quickest first."""

    path: str
    source: str
    tests: Sequence[str]


class _TooLong(BaseException):
    """Passes through whatever a test catches."""


def _code(source: str, path: str) -> dict[tuple[str, int], types.CodeType]:
    """Return the code of each function of a source, and of those within, by name and first line."""
    pending, of_name = [compile(source, path, "exec")], {}
    while pending:
        inside = [code for code in pending.pop().co_consts if isinstance(code, types.CodeType)]
        of_name |= {(code.co_qualname, code.co_firstlineno): code for code in inside}
        pending += inside
    return of_name


@dataclass(eq=False)
class Swaps:
    """A plugin of pytest that runs no tests of its own accord, but those of each mutation until one fails."""

    mutations: Sequence[Mutation]
    report: Callable[[Mutation, str], None]
    """Is given each mutation with "survived", "died by" a test, or "no function", where no function that is loaded is another by it."""
    limit: int
    """Seconds, after which the test that runs has failed."""
    functions: dict[str, list[types.FunctionType]] = field(default_factory=dict)
    caches: list[Any] = field(default_factory=list)
    unsound: set[str] = field(default_factory=set)
    """Tests that fail without a fault, after the others."""
    failed: bool = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember that something failed."""
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutations."""
        items = {item.nodeid: item for item in session.items}
        self._load()
        for mutation in self.mutations:
            self.report(mutation, self._outcome(mutation, items))
        return True

    def _load(self) -> None:
        """Import what is mutated, and look for its functions, and for all that remembers results."""
        for path in sorted({mutation.path for mutation in self.mutations}):
            importlib.import_module(".".join(Path(path).with_suffix("").parts[1:]).removesuffix(".__init__"))
        gc.unfreeze()  # what is frozen is not listed
        for each in gc.get_objects():
            if isinstance(each, types.FunctionType):
                self.functions.setdefault(each.__code__.co_filename, []).append(each)
            elif isinstance(each, functools._lru_cache_wrapper) and str(each.__module__).startswith("runoff"):
                self.caches.append(each)

    def _outcome(self, mutation: Mutation, items: dict[str, pytest.Item]) -> str:
        while True:
            tests = [items[name] for name in mutation.tests if name in items and name not in self.unsound]
            if not tests:
                return "no test"
            with self._swapped(mutation) as n_functions:
                if not n_functions:
                    return "no function"
                failure = self._first_failure(tests)
            if not failure:
                return "survived"
            if not self._first_failure([items[failure]]):
                return f"died by {failure}"
            self.unsound.add(failure)

    @contextmanager
    def _swapped(self, mutation: Mutation) -> Iterator[int]:
        """Let loaded functions run the mutated source, and say how many are another by it."""
        path = str(Path(mutation.path).absolute())
        as_it_is, new = (_code(source, path) for source in (Path(path).read_text(encoding="utf-8"), mutation.source))
        old = []
        for function in self.functions.get(path, ()):
            place = function.__code__.co_qualname, function.__code__.co_firstlineno
            # Code that has run is not equal to itself as it was compiled (3.11).
            changed = place in new and new[place] != as_it_is.get(place)
            if changed and len(new[place].co_freevars) == len(function.__code__.co_freevars):
                old.append((function, function.__code__))
                function.__code__ = new[place]
        try:
            yield len(old)
        finally:
            for function, code in old:
                function.__code__ = code

    def _first_failure(self, tests: Sequence[pytest.Item]) -> str:
        """Return the name of the first test that fails, or runs when the time is over; nothing where all pass."""

        def stop(*_: object) -> None:
            self.failed = True
            raise _TooLong

        self._forget()
        before = signal.signal(signal.SIGALRM, stop)
        signal.alarm(self.limit)
        try:
            for i, test in enumerate(tests):
                self.failed = False
                with suppress(_TooLong):  # between its reports; inside of one it is a failure
                    test.config.hook.pytest_runtest_protocol(item=test, nextitem=(*tests, None)[i + 1])
                if self.failed:
                    return test.nodeid
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
            if tests:
                with suppress(Exception):  # fixtures of a module whose other tests do not follow
                    tests[0].session._setupstate.teardown_exact(None)
            self._forget()
        return ""

    def _forget(self) -> None:
        for cache in self.caches:
            cache.cache_clear()
