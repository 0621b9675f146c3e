"""The tests of `compare`: two algorithms on the tasks they share; one name, one procedure.

mack_skillings, van_elteren, stratified_permutation   task by task (blocked)
studentized_permutation                                the same, of the difference of means over its standard error
welch                                                  the difference of task means; on one task Welch's t test
all other two-sample tests                             one task only
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isinf
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference.about import AboutTest, Compared
from runoff._inference.blocked import BLOCKED, BlockedOutcome, Flat, run_blocked, run_permutations, smallest_pvalue
from runoff._inference.bootstrap import Law
from runoff._inference.pairs.chance import MannWhitneyLaw
from runoff._inference.pairs.items import ItemLaw
from runoff._inference.pairs.law import PairLaw
from runoff._inference.pairs.measure import HODGES_LEHMANN, IMPROVEMENT, OF_PAIRS, measure_of
from runoff._inference.pairs.mover import MoverLaw
from runoff._inference.pairs.outcome import PairOptions, PairOutcome
from runoff._inference.pairs.pair import PairData, widest
from runoff._inference.pairs.rate_tests import (
    BOSCHLOO,
    MIETTINEN_NURMINEN,
    SCORE_OF_RATES,
    boschloo_test,
    outcome_of_rates,
    score_of_rates,
)
from runoff._inference.pairs.rates import RateLaw
from runoff._inference.pairs.signed_rank import SignedRankLaw
from runoff._inference.pairs.small import SmallLaw
from runoff._inference.pairs.whole import WholeLaw
from runoff._inference.power import detectable
from runoff._inference.two_sample import TWO_SAMPLE, run_two_sample
from runoff.answer.unjudged import WITHOUT_SPREAD, plateau_words
from runoff.base.arrays import SMALLEST
from runoff.base.random import in_threads
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.measures import even_of, lead_of
from runoff.words.names import LOWER_IS_BETTER, WITH_PERMUTATIONS, measure_words, measures_words
from runoff.words.speech import Sentence, option, sided

Procedure = Callable[[PairData, PairOptions], PairOutcome]
STUDENTIZED = "studentized_permutation"
JACKKNIFE = "jackknife"
BY_SPREAD = frozenset({"auto", JACKKNIFE, STUDENTIZED, "welch"})
"""Tests by the spread of runs, from which the tasks of a single run are left out."""
EQUAL_MEANS = "the mean scores, averaged over tasks, are equal"
LEAST_DRAWS = 20_000
"""The fewest draws of the studentised permutation test: a p-value of 0.05 then errs by 0.0015, and can pass the first step of a large family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """One name of `compare(test=...)`; `about` is None for "auto", which takes one of the others."""

    run: Procedure
    about: AboutTest | None
    several_tasks: bool


def run_pair(test: str, pair: PairData, options: PairOptions) -> PairOutcome:
    """Return the answer of a test of `PAIR_TESTS` for a pair; "auto" is the test that `chosen_test` names.

    DesignError for a test of one task on several, and for a test of spread where a cell has one run.
    """
    check_choice("test", test, PAIR_TESTS)
    return PAIR_TESTS[test].run(pair, options)


def run_pairs(
    test: str, pairs: Sequence[PairData], options: PairOptions, threads: int | None = None
) -> list[PairOutcome]:
    """Return `run_pair` of every pair; those whose runs are relabelled have their relabellings in common."""
    check_choice("test", test, PAIR_TESTS)
    names = [chosen_test(pair, options.measure) if test == "auto" else test for pair in pairs]
    together = [i for i, name in enumerate(names) if name == STUDENTIZED]
    outcomes = dict(zip(together, _all_studentized([pairs[i] for i in together], options, threads), strict=True))
    others = [i for i in range(len(pairs)) if i not in outcomes]
    # A t law is sooner there than a thread.
    quick = set(names) <= {JACKKNIFE, STUDENTIZED} and not relabelled(pairs, options.measure)
    threads = 1 if quick else threads
    alone = in_threads(lambda i: run_pair(names[i], pairs[i], options), others, threads)
    outcomes |= dict(zip(others, alone, strict=True))
    return [outcomes[i] for i in range(len(pairs))]


def relabelled(pairs: Sequence[PairData], measure: str) -> bool:
    """Return whether relabelling has a say in the law of a measure of some pair."""
    return any(pair.over == "runs" and isinstance(pair.law(measure), SmallLaw) for pair in pairs)


def chosen_test(pair: PairData, measure: str = "mean") -> str:
    """Return the test that "auto" takes: by the design and the measure alone, so that no result chooses its own test.

    The jackknife t test, whose interval, equivalence and power follow from the same record. Of scores 0 and 1 Miettinen and Nurminen's score.
    On one task of ranks Mann-Whitney's.
    """
    # In strata each has its own test, and their mean the interval that is made of theirs.
    if pair.over == "tasks" or isinstance(pair.law(measure), MoverLaw):
        return JACKKNIFE
    if pair.rates and measure in ("mean", IMPROVEMENT):
        return MIETTINEN_NURMINEN
    return "mann_whitney" if len(pair.tasks) == 1 and measure == IMPROVEMENT and pair.least > 1 else JACKKNIFE


def of_values(measure: str, pairs: Sequence[PairData], outcomes: Sequence[PairOutcome]) -> bool:
    """Return whether tests are about a value of each algorithm, so that of three two are never equal alone.

    They are not of ranks, nor of measures of pairs, nor where pairs are on other tasks.
    """
    same = len({tuple(pair.tasks) for pair in pairs}) == 1
    return same and measure not in OF_PAIRS and not any(outcome.about.by_rank for outcome in outcomes)


def least_pvalue(pair: PairData) -> float:
    """Return the least two-sided p-value that any runs of this design can have by relabelling within tasks, or of whole runs."""
    return smallest_pvalue(tuple(pair.sizes))


def _blocked(name: str, pair: PairData, options: PairOptions) -> PairOutcome:
    flat = _flat(pair)
    outcome = run_blocked(
        name,
        flat.values,
        flat.offsets,
        2,
        flat.n_tasks,
        streams=options.streams,
        n_resamples=options.n_resamples,
        shared=flat.shared,
    )
    return _of_blocks(BLOCKED[name].about, pair, outcome)


def _studentized(pair: PairData, options: PairOptions) -> PairOutcome:
    return _all_studentized([pair], options)[0]


def _all_studentized(pairs: Sequence[PairData], options: PairOptions, threads: int | None = None) -> list[PairOutcome]:
    for pair in pairs:
        _refuse_single_runs("the studentised permutation test", pair)
    n_resamples = max(options.n_resamples, LEAST_DRAWS)
    outcomes = run_permutations(
        list(map(_flat, pairs)), streams=options.streams, n_resamples=n_resamples, threads=threads
    )
    about = TWO_SAMPLE[STUDENTIZED].about
    return [_of_blocks(about, pair, outcome) for pair, outcome in zip(pairs, outcomes, strict=True)]


def _flat(pair: PairData) -> Flat:
    offsets = np.concatenate([[0], np.cumsum([cell.size for cell in pair.cells])]).astype(np.int64)
    return Flat(values=np.concatenate(pair.cells), offsets=offsets, n_tasks=len(pair.tasks), shared=pair.shared)


def _of_blocks(about: AboutTest, pair: PairData, outcome: BlockedOutcome) -> PairOutcome:
    of_tasks = "on every task the scores of both come from one distribution"
    return PairOutcome(
        about=about,
        statistic=outcome.statistic,
        pvalue=outcome.pvalue,
        pvalue_error=outcome.pvalue_error,
        method=outcome.method,
        df=outcome.df if isinstance(outcome.df, float) or outcome.df is None else None,
        null="the runs of both, each with its scores on all tasks, come from one distribution"
        if pair.shared
        else of_tasks,
        alternative=ALTERNATIVES[about.compares],
        direction=outcome.direction,
        smallest=_smallest(about, pair, outcome.method, outcome.n_resamples),
    )


def _smallest(about: AboutTest, pair: PairData, method: str, n_resamples: int) -> float | None:
    if not about.relabels or method == "asymptotic":
        return None
    least = least_pvalue(pair)
    return max(least, 1 / (1 + n_resamples)) if method == "monte_carlo" else least


def _refuse_single_runs(title: str, pair: PairData) -> None:
    if pair.single_runs:
        repair = f", or take {option('test', 'mack_skillings')}" if len(pair.tasks) > 1 else ""
        raise DesignError(
            f"{title} of {pair.a!r} and {pair.b!r} needs two runs per cell, but one of them has a single run on task {pair.single_runs[0]!r}; "
            f"add runs{repair}."
        )


def _jackknife(pair: PairData, options: PairOptions) -> PairOutcome:
    """Test a measure by the law of its record; where no run differs from another of its cell, or a cell has one, nothing is found."""
    measure, law = options.measure, pair.law(options.measure)
    # Two laws are another test's, whichever name was asked for: the answer says whose p-value it is.
    if isinstance(law, RateLaw):
        return outcome_of_rates(law)
    if isinstance(law, MannWhitneyLaw):
        return _one_task("mann_whitney", pair, options)
    even = even_of(measure)
    lead = law.value - even
    # Of two laws the one that decides at 5 %: a result shows one statistic and one df, whatever the level is.
    error, df = widest(law, 0.95)
    about = about_over_tasks(measure, law) if pair.over == "tasks" else about_measure(measure)
    about = about_strata(measure) if isinstance(law, MoverLaw) else about
    if isinstance(law, SmallLaw | WholeLaw) and law.method != "asymptotic":
        about = replace(about, aside=WITH_PERMUTATIONS)
    equal = "success rates" if pair.binary and measure == "mean" else measures_words(measure)
    null = f"the {measure_words(measure)} is 50\u00a0%" if even else f"the {equal} are equal"
    if isinstance(law, ItemLaw) and not isinf(law.df):
        df = law.df
    return PairOutcome(
        about=about,
        statistic=law.statistic if isinstance(law, SignedRankLaw | ItemLaw) else lead / error if error else lead,
        pvalue=law.pvalue(even),
        pvalue_error=law.pvalue_error,
        method=law.method,
        df=df,
        null="the Hodges-Lehmann difference is 0" if about is SIGNED_RANK else null,
        alternative="it is not" if even or about is SIGNED_RANK else "they differ",
        direction=lead_of(measure, law.value),
        smallest=law.least or None,
    )


def measure_by(scores: Scores, measure: str, test: str) -> str:
    """Return the measure that is compared: of the design, or of a test by name, which has its own."""
    own = "auto" if test in ("auto", JACKKNIFE) else IMPROVEMENT if about_test(test).by_rank else "mean"
    if own == "auto" or measure in ("auto", own):
        return measure_of(scores, measure) if own == "auto" else own
    measure_of(scores, measure)  # refuses what is none
    raise OptionError(
        f"{option('test', test)} is about {'the order of runs' if own == IMPROVEMENT else 'means'}, not about the {measure_words(measure)}: "
        f"leave it out, or {option('measure', own)}."
    )


COARSE = 4
"""Below this many attainable p-values per level, the test is too discrete for t-test power to apply."""


def power_law(pair: PairData, test: str, about: AboutTest, level: float, measure: str) -> tuple[Law | None, str]:
    """Return the t law for the power of a test at a level, or the reason why there is none; only tests of the same difference have one."""
    law = pair.law(measure)
    if isinstance(law, MoverLaw):
        return None, "each stratum has its own"
    if pair.over == "tasks":
        own = law.spread() if isinstance(law, ItemLaw) else law
        return (own, "") if isinstance(own, Law) else (None, f"the power of {about.title} depends on more than means")
    if test == MIETTINEN_NURMINEN and isinstance(law, RateLaw):
        reach, df = law.detectable(level), float(max(sum(n + m - 2 for n, m in pair.sizes), 1))
        if isinf(reach):
            return None, "with so few runs even rates of 0 and 1 would not be found different often enough"
        return _with_reach(reach, df, level), ""
    if test != JACKKNIFE and (test in ("boschloo", "bootstrap") or about.compares != "means"):
        return None, f"the power of {about.title} depends on more than means"
    # With fewer than four p-values up to the level the test rejects far less often than a t test does.
    if about.relabels and COARSE * least_pvalue(pair) > level:
        return None, "with so few permutations p-values move in large steps"
    if measure == IMPROVEMENT and pair.shared and not pair.rates:
        return None, f"the power of a chance of whole {pair.unit}s depends on how their tasks go together"
    if (lead := pair.lead_found(measure, level)) is not None:
        reach, df = lead
        if isinf(reach):
            return None, "with so few runs not even a lead of all of them would be found often enough"
        return _with_reach(reach, df, level), ""
    law = pair.law_at(measure)
    if law.laws:
        return law, ""
    if pair.single_runs:
        return None, "a single run has no spread"
    varies = bool(pair.law_at("mean").laws)
    return None, plateau_words(measure, pair.unit) if varies else WITHOUT_SPREAD


def _with_reach(reach: float, df: float, level: float) -> Law:
    """Return the t law that finds this difference, by which the number of runs for other differences is known too."""
    # At a level as high as the power chance alone finds any difference, 0 too.
    alone = detectable(1.0, df, level)
    return Law(0.0, ((reach / alone if alone else 0.0, df),))


def about_measure(measure: str) -> AboutTest:
    """Return the description of the jackknife t test of a measure."""
    compares: Compared = "means" if measure == "mean" else "order" if measure == IMPROVEMENT else "trimmed_means"
    claim = None
    if compares == "trimmed_means":
        claim = f"has a {'lower' if measure in LOWER_IS_BETTER else 'higher'} {measure_words(measure)} than"
    return AboutTest(JACKKNIFE, "jackknife t", JACKKNIFE_CITED, compares, studentized=True, own_claim=claim)


JACKKNIFE_CITED = (
    "the jackknife t test, with leave-one-run-out errors, the wider of Welch's and Student's (Welch 1947; Tukey 1958)"
)


SIGNED_RANK = AboutTest(
    "signed_rank",
    "Wilcoxon signed-rank",
    "Wilcoxon's signed-rank test over tasks, inverted for an interval of the Hodges-Lehmann difference (Wilcoxon 1945; Hodges & Lehmann 1963)",
    "order",
)
PAIRED_T = AboutTest("paired_t", "paired t", "the paired t test over tasks (Miller 2024)", "means", studentized=True)


TANGO = AboutTest(
    "tango",
    "Tango",
    "the score test of the difference of success rates on the same items, its tail summed over all results at the most likely rate of items on "
    "which the two differ (Tango 1998)",
    "means",
)
SCALED_SCORE = AboutTest(
    "scaled_score",
    "scaled score",
    "the score test of the difference on the same items (Tango 1998), its variance scaled to that of the items' attempts and clusters (Bell & "
    "McCaffrey 2002; Pustejovsky & Tipton 2018)",
    "means",
)


MOVER = AboutTest(
    "mover",
    "weighted mean of strata",
    "the weighted mean of the strata, with the interval that is made of theirs and the level at which it leaves out no difference (MOVER; Zou & "
    "Donner 2008)",
    "means",
)


def about_strata(measure: str) -> AboutTest:
    """Return the description of the test of the weighted mean of strata."""
    return replace(
        MOVER, compares="order" if measure in OF_PAIRS else "means", own_claim=about_measure(measure).own_claim
    )


def about_over_tasks(measure: str, law: PairLaw) -> AboutTest:
    """Return the description of the test of a measure whose sample are the tasks."""
    if isinstance(law, ItemLaw):
        about = TANGO if law.counts else SCALED_SCORE
        return replace(about, compares="order") if measure == IMPROVEMENT else about
    if measure == HODGES_LEHMANN:
        return SIGNED_RANK
    return replace(PAIRED_T, compares="order") if measure == IMPROVEMENT else PAIRED_T


def _welch(pair: PairData, options: PairOptions) -> PairOutcome:
    _refuse_single_runs("Welch's test", pair)
    if len(pair.tasks) == 1:
        return _one_task("welch", pair, options)
    mean = pair.difference
    if mean.df is None:
        # Where no task has spread the t law has nothing to say, but the share of relabellings that are as far apart does.
        exact, about = _studentized(pair, options), TWO_SAMPLE["welch"].about
        return replace(exact, about=about, null=EQUAL_MEANS, alternative="they differ")
    statistic = mean.estimate / mean.error
    return PairOutcome(
        about=TWO_SAMPLE["welch"].about,
        statistic=statistic,
        pvalue=max(float(2 * special.stdtr(mean.df, -abs(statistic))), SMALLEST),
        method="asymptotic",
        df=mean.df,
        null=EQUAL_MEANS,
        alternative="they differ",
        direction=statistic,
    )


def _one_task(name: str, pair: PairData, options: PairOptions) -> PairOutcome:
    if pair.shared and not TWO_SAMPLE[name].about.by_rank:
        pair = pair.as_one_task()
    if len(pair.tasks) > 1:
        able = [
            test
            for test, entry in PAIR_TESTS.items()
            if entry.several_tasks and entry.about is not None and (pair.binary or test != MIETTINEN_NURMINEN)
        ]
        raise DesignError(
            f"{name} compares two samples of one task, but {pair.a!r} and {pair.b!r} share {len(pair.tasks)}; "
            f"use {', '.join(able[:-1])} or {able[-1]}, or select one task."
        )
    outcome = run_two_sample(
        name, pair.x[0][None], pair.y[0][None], streams=options.streams, n_resamples=options.n_resamples
    )
    test, statistic, method = TWO_SAMPLE[name], float(outcome.statistic[0]), str(outcome.method[0])
    both = sided(f"{pair.a} and {pair.b}", f"{pair.b} and {pair.a}")
    null, alternative = (Sentence(words.format(both=both)) for words in (test.null, test.claims["two-sided"]))
    return PairOutcome(
        about=test.about,
        statistic=statistic,
        pvalue=float(outcome.pvalue[0]),
        pvalue_error=float(outcome.pvalue_error[0]),
        method=method,
        df=None if outcome.df is None else float(outcome.df[0]),
        null=null,
        alternative=alternative,
        direction=statistic - test.centre(pair.x[0].size, pair.y[0].size),
        smallest=_smallest(test.about, pair, method, options.n_resamples),
    )


BY_LAW: Mapping[str, AboutTest] = MappingProxyType(
    {
        JACKKNIFE: about_measure("mean"),
        "signed_rank": SIGNED_RANK,
        "paired_t": PAIRED_T,
        "tango": TANGO,
        "scaled_score": SCALED_SCORE,
        "mover": MOVER,
        MIETTINEN_NURMINEN: SCORE_OF_RATES,
    }
)
"""Tests that are the law of a pair: over runs, and over tasks."""
ALTERNATIVES = {"order": "on some task one of the two tends to score higher", "means": "the mean scores differ"}
"""The parameter that a test over tasks compares -> its alternative in words."""


def _auto(pair: PairData, options: PairOptions) -> PairOutcome:
    return run_pair(chosen_test(pair, options.measure), pair, options)


PAIR_TESTS: Mapping[str, PairTest] = MappingProxyType(
    {
        "auto": PairTest(run=_auto, about=None, several_tasks=True),
        JACKKNIFE: PairTest(run=_jackknife, about=about_measure("mean"), several_tasks=True),
        "boschloo": PairTest(run=boschloo_test, about=BOSCHLOO, several_tasks=False),
        MIETTINEN_NURMINEN: PairTest(run=score_of_rates, about=SCORE_OF_RATES, several_tasks=True),
    }
    | {
        name: PairTest(run=partial(_blocked, name), about=test.about, several_tasks=True)
        for name, test in BLOCKED.items()
        if test.pairwise
    }
    | {
        name: PairTest(run=partial(_one_task, name), about=test.about, several_tasks=False)
        for name, test in TWO_SAMPLE.items()
        if test.about.claim is not None
    }
    | {
        name: PairTest(run=run, about=TWO_SAMPLE[name].about, several_tasks=True)
        for name, run in (("welch", _welch), (STUDENTIZED, _studentized))
    }
)
"""Every test that names a winner; kolmogorov_smirnov does not (Colas et al. 2018, footnote 3)."""


def about_test(name: str) -> AboutTest:
    """Return the description of a test of pairs, of tasks or of two samples."""
    if name in BY_LAW:
        return BY_LAW[name]
    if name in PAIR_TESTS and (about := PAIR_TESTS[name].about) is not None:
        return about
    return BLOCKED[name].about if name in BLOCKED else TWO_SAMPLE[name].about
