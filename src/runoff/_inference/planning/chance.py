"""The chance that the test rejects with so many runs: in closed form, exactly, or simulated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from runoff._inference.bootstrap import wilson
from runoff._inference.planning.decide import PLAN_TESTS, Experiments, test_of
from runoff._inference.planning.effect import Effect
from runoff._inference.planning.pilot import Pilot
from runoff._inference.planning.world import AS_SEEN, Margin, Rates, World, stretch_of, world_of
from runoff._inference.power import MOST_RUNS, POWER_TESTS, Question, power_of
from runoff._inference.two_sample import LARGEST, boschloo_power
from runoff.base.arrays import Bools
from runoff.base.random import Streams, in_threads

BLOCK = 100
"""Repetitions of one block; every block has its own streams."""
MOST_SIMULATED = 1_024
BAND = 0.95
"""Level of the Monte Carlo bands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """Power, with its Monte Carlo band if it was simulated."""

    power: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is planned for, besides the pilot."""

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


def route_of(pilot: Pilot, asked: Asked, margin: Margin) -> Route:
    """Return how power is found for a pilot, its variance as far up as the margin says."""
    one = pilot.n_tasks == 1
    if one and not pilot.binary and asked.test in ("auto", *POWER_TESTS):
        return _closed(pilot, asked, margin)
    world = world_of(pilot, asked.effect, margin)
    return (
        _exact(world, asked)
        if one and pilot.binary and asked.test in ("auto", "boschloo")
        else _simulated(world, asked)
    )


# ── in closed form ──────────


def _closed(pilot: Pilot, asked: Asked, margin: Margin) -> Route:
    effect, test = asked.effect, "welch" if asked.test == "auto" else asked.test
    inflation = margin.inflation(pilot, effect)
    first, second = inflation * np.sqrt(pilot.variances[:, 0])
    stds = (float(first), float(second) * stretch_of(pilot, effect))
    if POWER_TESTS[test].equal_spread:
        stds = (sqrt((stds[0] ** 2 + stds[1] ** 2) / 2),) * 2
    difference = 0.0 if effect is None else float(effect.on_tasks(pilot, inflation)[0])
    question = Question(test=test, stds=stds, alpha=asked.alpha, alternative="two-sided", formula="exact")
    return Route(
        method="closed_form",
        most=MOST_RUNS,
        effect=difference,
        chance=lambda n: Chance(power=power_of(question, difference, (n, n))),
        test=lambda _n: test,
    )


# ── exactly ──────────


def _exact(world: World, asked: Asked) -> Route:
    first, second = float(world.first.means[0]), float(world.second.means[0])
    return Route(
        method="exact",
        most=int(sqrt(LARGEST)) - 1,
        effect=world.effect,
        chance=lambda n: Chance(power=boschloo_power(second, n, first, n, asked.alpha)),
        test=lambda _n: "boschloo",
    )


# ── simulated ──────────


def _simulated(world: World, asked: Asked) -> Route:
    return Route(
        method="simulated",
        most=MOST_SIMULATED,
        effect=world.effect,
        chance=lambda n: simulated(world, asked, n),
        test=lambda n: test_of(experiments_of(world, asked, n, 0, 1), asked.test),
    )


def simulated(world: World, asked: Asked, n_runs: int) -> Chance:
    """Return the share of experiments that the test rejects, with Wilson's interval."""
    sizes = [min(BLOCK, asked.n_repeats - first) for first in range(0, asked.n_repeats, BLOCK)]
    found = in_threads(lambda b: rejected(world, asked, n_runs, b, sizes[b]), range(len(sizes)), asked.threads)
    decisions = np.concatenate(found).astype(np.float64)
    low, high = wilson(decisions, BAND)
    return Chance(power=float(decisions.mean()), low=low, high=high)


def rejected(world: World, asked: Asked, n_runs: int, block: int, n_batch: int) -> Bools:
    """Return the decisions on one block of experiments."""
    return PLAN_TESTS[asked.test].decide(experiments_of(world, asked, n_runs, block, n_batch))


def experiments_of(world: World, asked: Asked, n_runs: int, block: int, n_batch: int) -> Experiments:
    """Return one block of experiments, the algorithm that is ahead first."""
    first, second = world.draw(asked.streams, block, n_batch, n_runs)
    return Experiments(
        x=np.ascontiguousarray(second),
        y=np.ascontiguousarray(first),
        alpha=asked.alpha,
        n_resamples=asked.n_resamples,
        streams=asked.streams,
        key=(n_runs, block),
        shared=world.shared,
        rates=isinstance(world.first, Rates),
    )


def false_positives(pilot: Pilot, asked: Asked, n_runs: int) -> Chance:
    """Return the chance of a rejection where both algorithms have the first's means."""
    return simulated(world_of(pilot, None, AS_SEEN), replace(asked, effect=None), n_runs)
