"""The chance that the test rejects with so many runs, and the fewest runs that have a wanted chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import ceil, sqrt

import numpy as np

from runoff._inference.bootstrap import wilson
from runoff._inference.planning.decide import PLAN_TESTS, Experiments, test_of
from runoff._inference.planning.pilot import Pilot
from runoff._inference.planning.world import AS_SEEN, Effect, Margin, Rates, World, stretch_of, world_of
from runoff._inference.power import LEAST, MOST_RUNS, POWER_TESTS, Question, fewest, power_of
from runoff._inference.two_sample import LARGEST, boschloo_power
from runoff.base.random import Streams, in_threads
from runoff.errors import DesignError

BLOCK = 100
"""Repetitions of one block; every block has its own streams."""
MOST_SIMULATED = 1_024
"""Most runs of a cell whose power is simulated."""
BAND = 0.95
"""Confidence level of the Monte Carlo bands of power."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """Power, with its Monte Carlo band if it was simulated."""

    power: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """The options of a plan, besides its pilot: the effect, the test with its level, and how power is simulated."""

    effect: Effect | None
    test: str
    alpha: float
    n_repeats: int
    n_resamples: int
    streams: Streams
    threads: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How power is found: its name, the most runs it is found for, the mean difference that is assumed, `chance(n_runs)`, and `test(n_runs)`."""

    method: str
    most: int
    effect: float
    chance: Callable[[int], Chance]
    test: Callable[[int], str]


def route_of(pilot: Pilot, options: PlanOptions, margin: Margin) -> Route:
    """Return how power is found for a pilot, its variance as far up as the margin says."""
    single = pilot.n_tasks == 1
    if single and not pilot.binary and options.test in ("auto", *POWER_TESTS):
        return _closed(pilot, options, margin)
    world = world_of(pilot, options.effect, margin)
    if single and pilot.binary and options.test in ("auto", "boschloo"):
        return _exact(world, options)
    return Route(
        method="simulated",
        most=MOST_SIMULATED,
        effect=world.effect,
        chance=lambda n: simulated(world, options, n),
        test=lambda n: test_of(experiments_of(world, options, n, 0, 1), options.test),
    )


def _closed(pilot: Pilot, options: PlanOptions, margin: Margin) -> Route:
    effect, test = options.effect, "welch" if options.test == "auto" else options.test
    inflation = margin.inflation(pilot, effect)
    first, second = inflation * np.sqrt(pilot.variances[:, 0])
    stds = (float(first), float(second) * stretch_of(pilot, effect))
    if POWER_TESTS[test].equal_spread:
        stds = (sqrt((stds[0] ** 2 + stds[1] ** 2) / 2),) * 2
    difference = 0.0 if effect is None else float(effect.on_tasks(pilot, inflation)[0])
    question = Question(test=test, stds=stds, alpha=options.alpha, alternative="two-sided", formula="exact")
    return Route(
        method="closed_form",
        most=MOST_RUNS,
        effect=difference,
        chance=lambda n: Chance(power=power_of(question, difference, (n, n))),
        test=lambda _n: test,
    )


def _exact(world: World, options: PlanOptions) -> Route:
    first, second = float(world.first.means[0]), float(world.second.means[0])
    return Route(
        method="exact",
        most=int(sqrt(LARGEST)) - 1,
        effect=world.effect,
        chance=lambda n: Chance(power=boschloo_power(second, n, first, n, options.alpha)),
        test=lambda _n: "boschloo",
    )


# ── simulated ──────────


def simulated(world: World, options: PlanOptions, n_runs: int) -> Chance:
    """Return the share of experiments that the test rejects, with Wilson's interval."""
    sizes = [min(BLOCK, options.n_repeats - first) for first in range(0, options.n_repeats, BLOCK)]
    decide = PLAN_TESTS[options.test].decide
    blocks = in_threads(
        lambda b: decide(experiments_of(world, options, n_runs, b, sizes[b])), range(len(sizes)), options.threads
    )
    decisions = np.concatenate(blocks).astype(np.float64)
    low, high = wilson(decisions, BAND)
    return Chance(power=float(decisions.mean()), low=low, high=high)


def experiments_of(world: World, options: PlanOptions, n_runs: int, block: int, n_batch: int) -> Experiments:
    """Return one block of experiments, the algorithm that is ahead first."""
    first, second = world.draw(options.streams, block, n_batch, n_runs)
    return Experiments(
        x=np.ascontiguousarray(second),
        y=np.ascontiguousarray(first),
        alpha=options.alpha,
        n_resamples=options.n_resamples,
        streams=options.streams,
        key=(n_runs, block),
        shared=world.shared,
        rates=isinstance(world.first, Rates),
    )


def false_positives(pilot: Pilot, options: PlanOptions, n_runs: int) -> Chance:
    """Return the chance of a rejection where both algorithms have the first's means."""
    return simulated(world_of(pilot, None, AS_SEEN), replace(options, effect=None), n_runs)


# ── the fewest runs ──────────


POINTS: dict[str, int] = {"closed_form": 100, "exact": 40, "simulated": 8}
"""A curve has about so many points, by the way in which power is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A way to find power, and what it has computed so far."""

    route: Route
    chances: dict[int, Chance] = field(default_factory=dict)

    def chance(self, n_runs: int) -> Chance:
        """Return power with so many runs of each algorithm on each task, computed once."""
        if n_runs not in self.chances:
            self.chances[n_runs] = self.route.chance(n_runs)
        return self.chances[n_runs]

    def fewest(self, power: float, tell: Callable[[int], None] = lambda _n: None) -> int:
        """Return the fewest runs that have the power, if any have; `tell` hears of each number that is tried."""

        def enough(n: int) -> bool:
            tell(n)
            return self.chance(n).power >= power

        needed = fewest(enough, self.route.most)
        if needed is None:
            most = self.route.most
            raise DesignError(
                f"more than {most:,} runs of each algorithm on each task would be needed for a true difference of {self.route.effect:.4g}: "
                f"with {most:,} the power is {100 * self.chance(most).power:.3g} %; ask for a larger effect."
            )
        return needed

    def curve(self, end: int) -> list[int]:
        """Return the numbers of runs up to `end` at which power is known, after it was found at some evenly spaced ones."""
        step = max(1, ceil((end - LEAST) / POINTS[self.route.method]))
        for n in (*range(LEAST, end + 1, step), end):
            self.chance(n)
        return sorted(n for n in self.chances if n <= end)


def beyond(n_runs: int) -> int:
    """Return where a curve ends whose answer is `n_runs`."""
    return max(10, n_runs + 3, ceil(1.3 * n_runs))
