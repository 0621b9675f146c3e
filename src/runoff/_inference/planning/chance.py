"""What the test decides on simulated experiments; the chance that it rejects with so many runs, and the fewest runs with a wanted chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil, comb, inf, sqrt
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference import pairs as pairing
from runoff._inference.blocked import asymptotic_pvalues, exact_pvalues, relabelled_pvalues
from runoff._inference.bootstrap import mean_pvalues, wilson
from runoff._inference.planning.pilot import Pilot
from runoff._inference.planning.world import PlannedWorld, Rates, SpreadLimit, TrueLead, stretch_of, world_of
from runoff._inference.power import (
    LEAST,
    MOST_RUNS,
    POWER_TESTS,
    PowerQuestion,
    average_power,
    fewest,
    grown,
    halved,
    power_of,
)
from runoff._inference.two_sample import LARGEST, TWO_SAMPLE, boschloo_power, run_two_sample
from runoff.answer.base import filled
from runoff.base.arrays import Bools, Floats
from runoff.base.random import Streams, in_blocks
from runoff.errors import DesignError

FEW = 10_000
"""Up to this many relabellings all are enumerated, as the test itself does; of more, some are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiments:
    """Simulated runs of two algorithms, (n_batch, n_tasks, n_runs) each; key tells blocks apart; shared: whole runs; rates: 0 and 1."""

    x: Floats
    y: Floats
    alpha: float
    n_resamples: int
    streams: Streams
    key: tuple[int, ...]
    shared: bool = False
    rates: bool = False

    @property
    def shape(self) -> tuple[int, int, int]:
        """Return how many experiments, tasks, and runs of each algorithm on each task."""
        n_batch, n_tasks, n_runs = self.x.shape
        return n_batch, n_tasks, n_runs

    def generator(self, purpose: str) -> np.random.Generator:
        return self.streams.block(f"plan/{purpose}", *self.key)

    def pair(self, i: int) -> pairing.PairData:
        """Return one experiment as `compare` sees it."""
        return pairing.PairData(
            a="first",
            b="second",
            x=list(self.x[i]),
            y=list(self.y[i]),
            tasks=[f"task {t}" for t in range(self.x.shape[1])],
            shared=self.shared,
            binary=self.rates,
            rates=self.rates,
            relabelling=pairing.NEVER,
        )


ExperimentDecision = Callable[[Experiments], Bools]


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """One name of `plan(test=...)`: its title, and what it decides."""

    title: str
    decide: ExperimentDecision


# ── one experiment after the other ──────────


def one_by_one(name: str, experiments: Experiments) -> Bools:
    """Return the decisions of the procedure of `compare` itself."""
    # A seed for each experiment, drawn in order: its number does not depend on how many are decided together.
    words = experiments.generator(name).integers(2**63, size=experiments.shape[0]).tolist()
    pvalues = [
        pairing.run_pair(
            name,
            experiments.pair(i),
            pairing.PairOptions(streams=Streams(seed), n_resamples=experiments.n_resamples),
        ).pvalue
        for i, seed in enumerate(words)
    ]
    return np.asarray(pvalues) <= experiments.alpha


# ── short forms ──────────


def welch(experiments: Experiments) -> Bools:
    """Welch's test of the difference of task means, of all experiments at once."""
    if experiments.shared:
        return one_by_one("welch", experiments)
    _, n_tasks, n = experiments.shape
    sides = (experiments.x, experiments.y)
    difference = (sides[0].mean(axis=2) - sides[1].mean(axis=2)).mean(axis=1)
    parts = np.concatenate([side.var(axis=2, ddof=1) for side in sides], axis=1) / (n * n_tasks**2)
    variance = parts.sum(axis=1)
    varied = variance > 0
    df = (n - 1.0) * np.divide(variance**2, np.square(parts).sum(axis=1), out=np.ones_like(variance), where=varied)
    t = np.divide(difference, np.sqrt(variance), out=np.zeros_like(variance), where=varied)
    decided: Bools = 2.0 * special.stdtr(df, -np.abs(t)) <= experiments.alpha
    # As `compare` has it: without any spread the relabelling of runs decides.
    for i in np.flatnonzero(~varied).tolist():
        alone = replace(experiments, x=experiments.x[i : i + 1], y=experiments.y[i : i + 1])
        decided[i] = one_by_one("welch", alone)[0]
    return decided


def score_of_rates(experiments: Experiments) -> Bools:
    """Miettinen and Nurminen's score, of all experiments at once."""
    if not experiments.rates:
        return one_by_one(pairing.MIETTINEN_NURMINEN, experiments)
    return pairing.rates_apart(experiments.x, experiments.y, experiments.alpha)


def rank_sums(name: str, experiments: Experiments) -> Bools:
    """Mack-Skillings, and van Elteren, which is the same with as many runs everywhere: exact without ties, χ² with ties or beyond reach."""
    if experiments.shared:
        return one_by_one(name, experiments)
    data = np.stack([experiments.x, experiments.y], axis=1)
    if experiments.rates:
        return asymptotic_pvalues(data) <= experiments.alpha
    try:
        return exact_pvalues(data) <= experiments.alpha
    except DesignError:  # not affordable
        return asymptotic_pvalues(data) <= experiments.alpha


def relabelled(name: str, experiments: Experiments) -> Bools:
    """A permutation test of means on several tasks; one that the t test is far from doubting is not relabelled, the others alike."""
    n = experiments.shape[2]
    if experiments.shared:
        return one_by_one(name, experiments)
    by_law, alpha = mean_pvalues(experiments.x, experiments.y), experiments.alpha
    decided: Bools = by_law <= alpha
    doubtful = np.flatnonzero((by_law > alpha / DOUBT) & (by_law < DOUBT * alpha) | (n <= FEWEST_SURE))
    if doubtful.size:
        pvalues = relabelled_pvalues(
            experiments.x[doubtful],
            experiments.y[doubtful],
            streams=Streams(int(experiments.generator(name).integers(2**63))),
            n_resamples=experiments.n_resamples,
            studentized=name == "studentized_permutation",
        )
        decided[doubtful] = pvalues <= alpha
    return decided


DOUBT, FEWEST_SURE = 5.0, 2
"""A permutation test of means rejects where the t test of the law has a p-value below alpha / DOUBT, and not where it is above DOUBT · alpha:
but for 2 of 28,800 experiments of 3 runs and more on Atari 100k; with 2 runs, where 67 of 7,200 are otherwise, each is relabelled."""


def one_task(name: str, experiments: Experiments) -> Bools:
    """A two-sample test, of all experiments at once."""
    n_batch, n_tasks, n = experiments.shape
    if n_tasks > 1 and name == "studentized_permutation":
        return relabelled(name, experiments)
    if n_tasks > 1:
        return one_by_one(name, experiments)  # refuses it, or takes shared runs as one task
    method = "auto"
    if "monte_carlo" in TWO_SAMPLE[name].methods and name != "bootstrap":
        # The bootstrap is drawn however few runs there are: none of its resamples are enumerated.
        method = "exact" if comb(2 * n, n) <= FEW else "monte_carlo"
    outcome = run_two_sample(
        name,
        experiments.x.reshape(n_batch, n),
        experiments.y.reshape(n_batch, n),
        streams=experiments.streams,
        key=experiments.key,
        n_resamples=experiments.n_resamples,
        method=method,
        threads=1,
    )
    return outcome.pvalue <= experiments.alpha


SHORT: Mapping[str, ExperimentDecision] = MappingProxyType(
    {
        pairing.MIETTINEN_NURMINEN: score_of_rates,
        "welch": welch,
        "mack_skillings": partial(rank_sums, "mack_skillings"),
        "van_elteren": partial(rank_sums, "van_elteren"),
        "stratified_permutation": partial(relabelled, "stratified_permutation"),
    }
)


PLAN_TESTS: Mapping[str, PlannedTest] = MappingProxyType(
    {
        name: PlannedTest(
            "the test that compare takes" if test.about is None else test.about.title,
            SHORT.get(name) or partial(one_task if name in TWO_SAMPLE else one_by_one, name),
        )
        for name, test in pairing.PAIR_TESTS.items()
    }
)
"""Every test of `compare`, by name."""


BLOCK = 100
"""Repetitions of one block; every block has its own streams."""
MOST_SIMULATED = 1_024
"""Most runs of a cell whose power is simulated."""
MOST_ROLLOUTS = 100_000
"""Most rollouts of a policy for which the power of a score is summed over all results, in a tenth of a second."""
BAND = 0.95
"""Confidence level of the Monte Carlo bands of power."""
GLANCE, CLEAR = 5, 4.0
"""A first look takes a fifth of the experiments; so many standard errors from the required power it is enough (errs once in 16,000)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerEstimate:
    """Power, with its Monte Carlo band if it was simulated, and the standard error that it has about ½."""

    power: float
    low: float | None = None
    high: float | None = None
    error: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """The options of a plan, besides its pilot: the effect, the test with its level, and how power is simulated."""

    effect: TrueLead
    test: str
    alpha: float
    n_repeats: int
    n_resamples: int
    streams: Streams
    threads: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How power is found, and what was computed so far.

    method: its name; most: the most runs it is found for; effect: the mean difference that is assumed; find: power with so many runs of each
    algorithm on each task; test: its name. Of a simulation, glance: power by fewer experiments; likely: the closed form that it lies near.
    unit: what an effect that is too small is counted in, where that may be a slip.
    """

    method: str
    most: int
    effect: float
    find: Callable[[int], PowerEstimate]
    test: str
    glance: Callable[[int], PowerEstimate] | None = None
    likely: Search | None = None
    unit: str = ""
    chances: dict[int, PowerEstimate] = field(default_factory=dict)
    glances: dict[int, PowerEstimate] = field(default_factory=dict)

    def chance(self, n_runs: int) -> PowerEstimate:
        """Return power with so many runs, computed once."""
        if n_runs not in self.chances:
            self.chances[n_runs] = self.find(n_runs)
        return self.chances[n_runs]

    def near(self, n_runs: int, power: float) -> PowerEstimate:
        """Return the power with this number of runs, from fewer experiments if these distinguish it from the required power."""
        if self.glance is None or n_runs in self.chances:
            return self.chance(n_runs)
        if n_runs not in self.glances:
            self.glances[n_runs] = self.glance(n_runs)
        rough = self.glances[n_runs]
        assert rough.error is not None
        # The error about ½ is the largest that a share can have: it is too careful elsewhere, never too bold.
        return rough if abs(rough.power - power) > CLEAR * rough.error else self.chance(n_runs)

    def fewest(self, power: float) -> int:
        """Return the fewest runs that have the power, if any have; looked for from where the closed form has them on."""
        most = self.most

        def enough(n: int) -> bool:
            return self.near(n, power).power >= power

        # A simulated power is costly and noisy, a closed one neither: the search begins where that one ends.
        start = None if self.likely is None else self.likely.fewest(power)
        needed = fewest(enough, most) if start is None else fewest_from(enough, most, min(start, most))
        if needed is None:
            about = "" if start is None else f", a t test would take about {start:,}"
            unit = self.unit and f": {self.unit}"
            raise DesignError(
                f"more than {most:,} runs of each algorithm on each task would be needed for a true difference of {self.effect:.4g}: "
                f"with {most:,} the power is {100 * self.chance(most).power:.3g} %{about}; ask for a larger effect{unit}."
            )
        return needed

    def curve(self, end: int, power: float) -> dict[int, PowerEstimate]:
        """Return power by numbers of runs up to `end`: what was computed, and some evenly spaced ones."""
        step = max(1, ceil((end - LEAST) / POINTS[self.method]))
        for n in (*range(LEAST, end + 1, step), end):
            self.near(n, power)
        return {n: chance for n, chance in sorted({**self.glances, **self.chances}.items()) if n <= end}


def fewest_from(enough: Callable[[int], bool], most: int, start: int) -> int | None:
    """Return the fewest runs that are enough, as `fewest` does, tried from `start` on in steps of 1, 2, 4 …; None if `most` are too few."""
    step = 1
    if enough(start):
        high, low = start, start - 1
        while low >= LEAST and enough(low):
            step *= 2
            high, low = low, max(low - step, LEAST - 1)
    else:
        low, high = start, min(start + 1, most)
        while not enough(high):
            if high == most:
                return None
            step *= 2
            low, high = high, min(high + step, most)
    return halved(enough, low, high)


def search_of(pilot: Pilot, options: PlanOptions, margin: SpreadLimit) -> Search:
    """Return how power is found for a pilot, its variance as far up as the margin says."""
    single = pilot.n_tasks == 1
    # How well the chance of whole runs is known depends on how their tasks go together, which the pilot's runs show and no formula.
    whole = options.test == pairing.JACKKNIFE and pilot.of_whole_runs
    if options.test == pairing.JACKKNIFE and not whole:
        return _by_record(pilot, options, margin)
    if single and not pilot.binary and options.test in POWER_TESTS:
        return _closed(pilot, options, margin)
    world = world_of(pilot, options.effect, margin)
    if single and pilot.binary and options.test in EXACT_POWER:
        return _exact(world, options, _by_record(pilot, options, margin))
    decide = _whole_chances if whole else PLAN_TESTS[options.test].decide
    few = replace(options, n_repeats=max(BLOCK, options.n_repeats // GLANCE))
    likely = _by_record(pilot, options, margin)
    return Search(
        method="simulated",
        most=MOST_SIMULATED,
        # In the measure of the pilot: of ranks the distance of the chance from ½, not the shift of the runs.
        effect=likely.effect if pilot.measure == pairing.IMPROVEMENT else world.effect,
        find=lambda n: simulated(world, options, n, decide),
        test=options.test,
        glance=lambda n: simulated(world, few, n, decide),
        likely=likely,
    )


def _whole_chances(experiments: Experiments) -> Bools:
    """The jackknife t test of the chance of whole runs, of all experiments at once."""
    return pairing.whole_pvalues(experiments.x, experiments.y) <= experiments.alpha


def _by_record(pilot: Pilot, options: PlanOptions, margin: SpreadLimit) -> Search:
    """Power by the law of `compare`: the error shrinks with the root of the number of runs, the degrees of freedom grow as those of cells."""
    inflation = margin.inflation(pilot, options.effect)
    lead = options.effect.lead(pilot, inflation)
    if pilot.without_unit:
        return _of_chances(pilot, options, lead, options.effect.chances(pilot, inflation), average=margin.average)
    spread = pilot.spread(options.alpha, stretch_of(pilot, options.effect))
    error = spread.error * inflation
    # A lead in standard deviations grows with the error, so there is nothing to average over.
    fixed = options.effect.relative and pilot.measure != pairing.IMPROVEMENT
    own_df = spread.own_df if margin.average and not fixed else inf

    def find(n: int) -> PowerEstimate:
        shift, freedom = abs(lead) / error * sqrt(n / spread.n_runs), grown(spread.df, spread.n_runs, n)
        return PowerEstimate(power=average_power(shift, own_df, freedom, options.alpha))

    return Search(method="closed_form", most=MOST_RUNS, effect=lead, find=find, test=options.test)


def _of_chances(pilot: Pilot, options: PlanOptions, lead: float, chances: Floats, *, average: bool) -> Search:
    """Power to find the mean of these chances, (n_tasks,), which say with the number of runs how well they are known."""
    # How far runs spread is known by the pilot's; a chance or a lead in standard deviations that is stated asks nothing of it.
    own_df = pilot.spread(options.alpha).own_df if average and not options.effect.relative else inf
    tied = ~pilot.varying & (chances == pairing.EVEN)
    surest = np.where(tied, pairing.EVEN, 1.0)

    def find(n: int) -> PowerEstimate:
        runs = np.full(chances.size, float(n))
        # No p-value is below that of all runs ahead that can be, nor below that of their rarest order.
        error, df = pairing.law_of_chances(surest, runs, runs, tied)
        least = 2.0 * float(special.stdtr(df, -float(surest.mean() - pairing.EVEN) / error))
        if max(least, pairing.rarest_order(runs[~tied], runs[~tied])) > options.alpha:
            return PowerEstimate(power=0.0)
        error, df = pairing.law_of_chances(chances, runs, runs, tied)
        return PowerEstimate(power=average_power(abs(lead) / error, own_df, df, options.alpha))

    return Search(method="closed_form", most=MOST_RUNS, effect=lead, find=find, test=options.test)


def _closed(pilot: Pilot, options: PlanOptions, margin: SpreadLimit) -> Search:
    effect, test = options.effect, options.test
    inflation = margin.inflation(pilot, effect)
    first, second = inflation * np.sqrt(pilot.variances[:, 0])
    stds = (float(first), float(second) * stretch_of(pilot, effect))
    if POWER_TESTS[test].equal_spread:
        # Student's test pools: with equal numbers of runs it sees the mean variance.
        stds = (sqrt((stds[0] ** 2 + stds[1] ** 2) / 2),) * 2
    difference = float(effect.on_tasks(pilot, inflation)[0])
    question = PowerQuestion(test=test, stds=stds, alpha=options.alpha, alternative="two-sided", formula="exact")
    return Search(
        method="closed_form",
        most=MOST_RUNS,
        effect=difference,
        find=lambda n: PowerEstimate(power=power_of(question, difference, (n, n))),
        test=test,
    )


EXACT_POWER: Mapping[str, Callable[[float, int, float, int, float], float]] = MappingProxyType(
    {"boschloo": boschloo_power, pairing.MIETTINEN_NURMINEN: pairing.rates_power}
)
"""Tests of two success rates on one task -> their power over all results."""


def _exact(world: PlannedWorld, options: PlanOptions, likely: Search) -> Search:
    first, second = float(world.first.means[0]), float(world.second.means[0])
    return Search(
        method="exact",
        # Boschloo's (n + 1)² results are looked up, up to LARGEST; those of a score have a normal tail beyond.
        most=MOST_ROLLOUTS if options.test == pairing.MIETTINEN_NURMINEN else int(sqrt(LARGEST)) - 1,
        effect=world.effect,
        find=lambda n: PowerEstimate(power=EXACT_POWER[options.test](second, n, first, n, options.alpha)),
        test=options.test,
        likely=likely,
    )


# ── simulated ──────────


def simulated(world: PlannedWorld, options: PlanOptions, n_runs: int, decide: ExperimentDecision) -> PowerEstimate:
    """Return the share of experiments that the test rejects, with Wilson's interval."""

    def rejected(b: int, n: int) -> Bools:
        return decide(experiments_of(world, options, n_runs, b, n))

    decisions = in_blocks(options.n_repeats, rejected, BLOCK, options.threads).astype(np.float64)
    low, high = wilson([decisions], BAND)
    # √(¼/n): the error that a share has about ½, where it is largest.
    return PowerEstimate(power=float(decisions.mean()), low=low, high=high, error=sqrt(0.25 / decisions.size))


def experiments_of(world: PlannedWorld, options: PlanOptions, n_runs: int, block: int, n_batch: int) -> Experiments:
    """Return one block of experiments, the algorithm that is ahead first."""
    first, second = world.draw(options.streams, block, n_batch, n_runs)
    return filled(
        Experiments,
        options,
        x=np.ascontiguousarray(second),
        y=np.ascontiguousarray(first),
        key=(n_runs, block),
        shared=world.shared,
        rates=isinstance(world.first, Rates),
    )


# ── the fewest runs ──────────


POINTS: dict[str, int] = {"closed_form": 100, "exact": 40, "simulated": 8}
"""A curve has about so many points, by the way in which power is found."""


def beyond(n_runs: int) -> int:
    """Return where a curve ends whose answer is `n_runs`."""
    # A little beyond the answer, so that the curve shows that it is passed.
    return max(10, n_runs + 3, ceil(1.3 * n_runs))
