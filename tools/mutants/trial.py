"""One mutant put to its tests: killed, survived, or out of time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from tools.mutants import fork
from tools.mutants.fork import Tell, in_child
from tools.mutants.mutant import Mutant
from tools.mutants.scratch import Scratch
from tools.mutants.selection import Chosen
from tools.mutants.session import pytest_main, settle
from tools.mutants.testmap import TestMap

START = 60.0
"""Seconds until the first test starts: imports and collection."""
SLACK = 15.0
TIMES = 10.0
"""A test may take so many times its own time, and the slack."""
COMPILING = 40.0
"""Seconds more for each test where kernels are compiled anew."""
SURVIVED = "survived"
NOTHING_COLLECTED = int(pytest.ExitCode.NO_TESTS_COLLECTED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant.

    Attributes
    ----------
    state : "killed", "timeout", "crash" (these three count as killed) or "survived"
    by : the test that killed it or did not end
    n_run : tests that run its line
    n_tried : so many of them were tried, the quickest
    n_others : tests tried besides, of its file or of files that use what it changes
    at_second : whether one of these killed it, so that the map is wrong
    """

    state: str
    by: str
    n_run: int
    n_tried: int
    n_others: int
    at_second: bool
    seconds: float

    @property
    def survived(self) -> bool:
        """Whether no test has noticed."""
        return self.state == SURVIVED


class Picked:
    """A pytest plugin that keeps the wanted tests, in their order, and tells what happens to them.

    A test that the map does not know may be a wanted one, whose name shows a value that the mutant changed.
    """

    def __init__(self, wanted: Sequence[str], known: Collection[str], tell: Tell) -> None:
        self.rank = {name: i for i, name in enumerate(wanted)}
        self.bases = {_base(name): i for name, i in self.rank.items()}
        self.known, self.tell = known, tell

    def pytest_sessionstart(self) -> None:
        """Have hypothesis find a failure, not its smallest form."""
        from hypothesis import Phase, settings

        settings.register_profile("mutants", settings(phases=(Phase.explicit, Phase.generate)))
        settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the wanted tests, in the order wanted."""
        places = [(self._place(item.nodeid), i) for i, item in enumerate(items)]
        items[:] = [items[i] for place, i in sorted(places) if place >= 0]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Tell which test starts."""
        self.tell(f"start {nodeid}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell which test fails."""
        if report.failed:
            self.tell(f"failed {report.nodeid}")

    def _place(self, name: str) -> int:
        return self.rank.get(name, -1) if name in self.known else self.bases.get(_base(name), -1)


@dataclass(frozen=True, slots=True)
class Bench:
    """What every trial needs: a copy of the tree, and what is known of the tests."""

    scratch: Scratch
    tests: TestMap

    def try_out(self, mutant: Mutant, chosen: Chosen, within: float, within_others: float) -> Verdict:
        """Put a mutant to the tests that run it, then to others that might notice it after all."""
        start = monotonic()
        first = self.tests.cheapest_first(chosen.first, within)
        others = self.tests.cheapest_first(chosen.others, within_others)
        with self.scratch.changed(mutant):
            cache = self.scratch.without(chosen.stale)
            state, by = self.run(first, cache, bool(chosen.stale))
            again = state == SURVIVED
            if again:
                state, by = self.run(others, cache, bool(chosen.stale))
        tried = (len(chosen.first), len(first), len(others) if again else 0)
        return Verdict(state, by, *tried, again and state != SURVIVED, monotonic() - start)

    def run(self, names: Sequence[str], numba_cache: Path, compiling: bool = False) -> tuple[str, str]:
        """Return the state after running the tests in a child, and the test that decided it."""
        if not names:
            return SURVIVED, ""
        more = SLACK + (COMPILING if compiling else 0.0)

        def patience(line: str) -> float:
            return TIMES * self.tests.seconds.get(line.removeprefix("start "), 1.0) + more if line else START

        return _verdict(
            in_child(
                self._session(names, numba_cache), self.scratch.folder / f"trial{self.scratch.number}.log", patience
            )
        )

    def _session(self, names: Sequence[str], numba_cache: Path) -> Callable[[Tell], int]:
        def session(tell: Tell) -> int:
            settle(self.scratch.root, self.scratch.tree, numba_cache)
            files = sorted({name.split("::")[0] for name in names})
            return pytest_main(self.scratch.temporary, ["-x", *files], [Picked(names, self.tests.seconds, tell)])

        return session


def _verdict(lines: Sequence[str]) -> tuple[str, str]:
    told = [line.split(" ", 1) for line in lines]
    started = next((rest[0] for word, *rest in reversed(told) if word == "start"), "the import")
    if lines[-1] in (fork.TIMEOUT, fork.CRASH):
        return lines[-1], started
    code = int(lines[-1].removeprefix(fork.DONE))
    failed = next((rest[0] for word, *rest in told if word == "failed"), "the import")
    return (SURVIVED, "") if code in (0, NOTHING_COLLECTED) else ("killed", failed)


def _base(name: str) -> str:
    return name.split("[")[0]
