"""One mutant put to its tests: killed, survived, or out of time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from time import monotonic

import pytest

from tools.mutants import fork
from tools.mutants.fork import Tell, in_child
from tools.mutants.mutant import Mutant
from tools.mutants.names import Kernel
from tools.mutants.scratch import Scratch
from tools.mutants.selection import Chosen
from tools.mutants.session import pytest_main, settle
from tools.mutants.testmap import TestMap

START = 60.0
"""Seconds until the first test starts: imports and collection."""
SLACK = 15.0
TIMES = 10.0
"""A test may take so many times its own time, and the slack."""
COMPILING = 30.0
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
    n_alone : so many of them, the quickest, were tried on this mutant alone
    n_together : tests tried on all survivors together, of those that run it or touch its file
    expected : whether the test that killed it was known to run it
    """

    state: str
    by: str
    n_run: int
    n_alone: int
    seconds: float
    n_together: int = 0
    expected: bool = True

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

    def try_out(self, mutant: Mutant, chosen: Chosen, within: float) -> Verdict:
        """Put a mutant to the tests that run it, as many of the quickest as take no more seconds than `within`."""
        start, names = monotonic(), self.tests.cheapest_first(chosen.first, within)
        state, by = self.try_alone(mutant, chosen.stale, names)
        return Verdict(state, by, len(chosen.first), len(names), monotonic() - start)

    def try_alone(self, mutant: Mutant, stale: Collection[Kernel], names: Sequence[str]) -> tuple[str, str]:
        """Return the state of a mutant after the tests, and the test that decided it."""
        with self.scratch.changed([mutant]):
            return _verdict(self._told(names, stale, ["-x"])) if names else (SURVIVED, "")

    def failures(
        self, names: Sequence[str], mutants: Collection[Mutant] = (), stale: Collection[Kernel] = ()
    ) -> list[str]:
        """Return the tests that fail with all the mutants in place, or with none."""
        failing, left = [], list(names)
        with self.scratch.changed(mutants):
            while left:
                lines = self._told(left, stale, [])
                failing += [line.removeprefix("failed ") for line in lines if line.startswith("failed ")]
                started = [line.removeprefix("start ") for line in lines if line.startswith("start ")]
                if lines[-1].startswith(fork.DONE):
                    break
                failing += started[-1:]
                # What crashes before any test would crash again.
                left = [name for name in left if name not in started] if started else []
        return list(dict.fromkeys(failing))

    def _told(self, names: Sequence[str], stale: Collection[Kernel], options: Sequence[str]) -> list[str]:
        """Return what a child tells that runs the tests."""
        cache, more = self.scratch.without(stale), SLACK + (COMPILING if stale else 0.0)
        files = sorted({name.split("::")[0] for name in names})

        def patience(line: str) -> float:
            return TIMES * self.tests.seconds(line.removeprefix("start ")) + more if line else START

        def session(tell: Tell) -> int:
            settle(self.scratch.root, self.scratch.tree, cache)
            return pytest_main(self.scratch.temporary, [*options, *files], [Picked(names, self.tests.work, tell)])

        return in_child(session, self.scratch.folder / f"trial{self.scratch.number}.log", patience)


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
