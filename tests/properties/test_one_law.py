"""Never apart: the verdict, the interval, equivalence, places and power of a pair follow from one law."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import pytest

import runoff as ro
from runoff._inference.family import first_level
from runoff._inference.pairs import chance_law, improvement_law
from tests.amount import amounts
from tests.reference import record as slow

pytestmark = pytest.mark.usefixtures("few_relabellings")
MEASURES = ["mean", "iqm", "median", "trimmed_mean_10", "improvement"]


def even(pair):
    return 0.5 if pair.measure == "improvement" else 0.0


@cache
def design(seed):
    """A random design: 2 to 4 algorithms, 1 to 12 tasks, 2 to 8 runs, equal and unequal counts, whole and real scores, of five pools."""
    rng = np.random.default_rng(seed)
    k, n_tasks = int(rng.integers(2, 5)), int(rng.choice([1, 2, 3, 4, 6, 12]))
    data = {}
    for a in range(k):
        least = int(rng.integers(2, 6))
        data[f"A{a}"] = {
            f"t{t}": np.round(
                rng.choice([rng.normal, rng.standard_t, rng.lognormal][seed % 3 : seed % 3 + 1])(
                    *((0, 1) if seed % 3 != 1 else (3,)), size=least + int(rng.integers(0, 3)) * (seed % 2)
                )
                * (1 + t)
                + a * rng.exponential(1.0),
                1 if seed % 5 == 0 else 9,
            )
            for t in range(n_tasks)
        }
    return ro.Scores.from_dict(data)


def designs(n):
    return ((seed, design(seed)) for seed in range(n))


@lru_cache(maxsize=100)
def compared(seed, **options):
    """What `compare` says of a design, computed once for all laws."""
    return ro.compare(design(seed), **options)


def out(low, high, value):
    return low is not None and not low <= value <= high


CASES = list(designs(8))
FEW = CASES[::3]
"""A design with ties, one of a single task and unequal counts, and one of three algorithms with equal counts."""
some = pytest.mark.parametrize("cases", [FEW, pytest.param(CASES, marks=pytest.mark.slow)], ids=["few", "all"])
sizes = pytest.mark.parametrize("n", amounts(3, 40, 400))
CORRECTIONS = ["holm", "bonferroni", "hommel", "bh", "none"]


@sizes
@pytest.mark.parametrize("measure", MEASURES)
def test_verdict_interval_and_decided_interval_are_never_apart(measure, n):
    for seed in range(n):
        for options in ({"correction": CORRECTIONS[seed % len(CORRECTIONS)]}, {}):
            result = compared(seed, measure=measure, **options)
            for pair in result.pairs:
                place = seed, options, pair.a, pair.b
                assert out(pair.own_low, pair.own_high, even(pair)) == (pair.pvalue <= 0.05), place
                different = pair.verdict != "no_difference_found"
                assert out(pair.low, pair.high, even(pair)) == different, place
                assert different == (pair.pvalue_adjusted <= 0.05), place
                lead = pair.estimate - even(pair)
                if different:
                    assert (pair.verdict == "a_better") == (lead > 0), place
                elif pair.detectable_difference is not None:
                    assert pair.detectable_difference > abs(lead), place


def samples_of_tasks(n):
    """Random designs over tasks: few and many, whole, graded and real scores, ties, clusters, missing tasks."""
    for seed in range(n):
        rng = np.random.default_rng(seed)
        n_tasks, n_runs = int(rng.choice([2, 5, 6, 9, 10, 30])), int(rng.integers(1, 4))
        shape = n_runs, n_tasks
        sides = {"A": 0.5, "B": 0.5 + 0.4 * rng.random(), "C": 0.6}
        data = {
            name: rng.random(shape) ** (1 / p - 1) if seed % 2 else (rng.random(shape) < p).astype(float)
            for name, p in sides.items()
        }
        if seed % 3 == 0:
            data = {name: np.round(runs * 7 - seed % 7, seed % 4) for name, runs in data.items()}
        scores = ro.Scores.from_dict(data)
        if seed % 3 == 0:
            scores = scores.normalize(dict.fromkeys(scores.tasks, (0.0, 1.0)), assume_raw=True)
        clusters = dict(zip(scores.tasks, rng.integers(0, 5, n_tasks).tolist(), strict=True))
        bounded = scores.values.min() >= 0 and scores.values.max() <= 1
        yield seed, scores, clusters if seed % 5 == 0 and bounded and n_tasks >= 10 else None


@sizes
def test_over_tasks_verdict_interval_and_equivalence_are_never_apart(n):
    for seed, scores, cluster in samples_of_tasks(5 * n):
        margin = 0.4 * float(np.ptp(scores.values) or 1.0)
        result = ro.compare(
            scores, over="tasks", cluster=cluster, margin=margin, correction=CORRECTIONS[seed % len(CORRECTIONS)]
        )
        for pair in result.pairs:
            # Fewer than five clusters cannot tell.
            assert (pair.unjudged != "") == (cluster is not None and len({*cluster.values()}) < 5), seed
            if pair.unjudged:
                assert (pair.verdict, pair.pvalue, pair.pvalue_equivalence) == ("no_verdict", None, None), seed
                continue
            assert out(pair.own_low, pair.own_high, even(pair)) == (pair.pvalue <= 0.05), seed
            different = pair.verdict in ("a_better", "b_better")
            assert out(pair.low, pair.high, even(pair)) == different == (pair.pvalue_adjusted <= 0.05), seed
            if different:
                assert (pair.verdict == "a_better") == (pair.estimate > even(pair)), seed
            assert (pair.verdict == "equivalent") == (not different and pair.pvalue_equivalence_adjusted <= 0.05), seed
            if pair.own_low is not None and -margin < pair.own_low and pair.own_high < margin:
                assert pair.pvalue_equivalence <= 0.025, seed


@sizes
@pytest.mark.parametrize("measure", ["auto", *MEASURES])
def test_the_leader_may_be_first_and_what_is_found_below_another_may_not(measure, n):
    for seed, scores in designs(n):
        result = compared(seed, measure=measure)
        places = ro.rank_intervals(scores, measure=measure)
        assert places.measure == result.measure
        beaten = {pair.b if pair.verdict == "a_better" else pair.a for pair in result.pairs if "better" in pair.verdict}
        for name in scores.algorithms:
            assert (places[name].joint_low > 1) == (name in beaten), seed
            assert places[name].low > 1 or name not in beaten, seed
        if measure != "improvement":  # whose verdicts may form a circle
            assert places[result.leader].low == 1, seed


@pytest.mark.sampled(4)
@pytest.mark.parametrize("runs", ["per_task", "shared"])
@pytest.mark.parametrize("seed", range(6))
def test_success_rates_have_the_places_of_their_verdicts(seed, runs):
    rng = np.random.default_rng(seed)
    data = {f"A{a}": (rng.random((12, 1 + seed % 3)) < 0.15 + 0.25 * a).astype(float) for a in range(4)}
    scores = ro.Scores.from_dict(data, runs=runs)
    result, places = ro.compare(scores), ro.rank_intervals(scores)
    beaten = {pair.b if pair.verdict == "a_better" else pair.a for pair in result.pairs if "better" in pair.verdict}
    assert {r.algorithm for r in places.rows if r.joint_low > 1} == beaten
    assert places[result.leader].low == 1


def two_alike(seed):
    """Two algorithms on one to twelve tasks, as many runs of each in every cell."""
    rng = np.random.default_rng(seed)
    n, n_tasks = int(rng.integers(2, 8)), int(rng.choice([1, 3, 4, 6, 12]))
    lead, spread = rng.exponential(0.8), rng.lognormal(0, 0.5, n_tasks)
    return n, ro.Scores.from_dict(
        {name: rng.normal(by, spread, (n, n_tasks)) for name, by in (("A", lead), ("B", 0.0))}
    )


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n_seeds", amounts(5, 40, 400))
def test_plan_and_next_runs_name_the_numbers_of_compare(measure, n_seeds):
    unit = "improvement" if measure == "improvement" else "raw"
    for seed in range(n_seeds):
        n, scores = two_alike(seed)
        (pair,) = ro.compare(scores, measure=measure).pairs
        if (
            pair.test != "jackknife"
            or pair.detectable_difference is None
            or even(pair) + pair.detectable_difference >= 1
        ):
            continue
        difference = pair.detectable_difference * (1 + 1e-7) + even(pair)
        planned = ro.plan(scores, effect=difference, effect_unit=unit, measure=measure)
        assert planned.n_runs_average == n, seed
        following = ro.next_runs(scores, budget=1, measure=measure)
        assert following.detectable == pytest.approx(pair.detectable_difference, rel=1e-9), seed


@pytest.mark.parametrize(
    "test",
    ["welch", "student", "permutation", "bootstrap", pytest.param("stratified_permutation", marks=pytest.mark.slow)],
)
def test_no_test_by_name_names_a_smaller_difference_than_one_that_it_did_not_find(test):
    for seed, scores in CASES:
        if test in ("welch", "stratified_permutation") or scores.n_tasks == 1:
            for pair in ro.compare(scores, test=test, n_resamples=200).pairs:
                if pair.verdict == "no_difference_found" and pair.detectable_difference is not None:
                    assert pair.detectable_difference > abs(pair.estimate), seed


@some
@pytest.mark.parametrize("measure", ["mean", "iqm", "improvement"])
def test_equivalence_and_the_interval_never_contradict_each_other(measure, cases):
    even = 0.5 if measure == "improvement" else 0.0
    for seed, scores in cases:
        spread = float(np.std(scores.values)) if measure != "improvement" else 0.2
        margin = spread * (0.3 + (seed % 7) / 4)
        pairs = ro.compare(scores, measure=measure, margin=margin).pairs
        for pair in pairs:
            assert pair.verdict != "equivalent" or pair.pvalue_equivalence_adjusted <= 0.05, seed
            if pair.own_low is not None and len(pairs) == 1:
                inside = -margin < pair.low - even and pair.high - even < margin
                assert inside == (pair.pvalue_equivalence <= 0.05), seed


@pytest.mark.parametrize("seed", range(8))
def test_the_improvement_over_tasks_is_its_slow_twin(seed):
    rng = np.random.default_rng(seed)
    n_tasks = int(rng.integers(2, 6))
    x, y = ([np.round(rng.normal(s, 1, rng.integers(2, 6)), 1) for _ in range(n_tasks)] for s in (0.0, 0.6))
    law = improvement_law(x, y)
    value, half, pvalue = slow.improvement(x, y, 0.9)
    assert law.value == pytest.approx(value)
    assert law.half(0.9) == pytest.approx(half)
    assert law.pvalue(0.5) == pytest.approx(max(pvalue, law.least))


def test_nothing_is_claimed_below_the_rarest_relabelling():
    x, y = [np.array([5.0, 6.0])] * 2, [np.array([1.0, 2.0])] * 2
    law = improvement_law(x, y)
    assert law.least == pytest.approx(2 / 36)
    assert law.pvalue(0.5) >= 2 / 36
    assert law.interval(0.95) == (0.0, 1.0)


def test_a_huge_difference_on_one_task_of_three_is_found_by_the_mean():
    scores = ro.Scores.from_dict(
        {
            "A": {"x": [5.0, 6, 7], "y": [5.1, 6.2, 6.9], "z": [901.0, 905, 910]},
            "B": {"x": [5.5, 6.1, 7.3], "y": [6.3, 5.9, 6.6], "z": [101.0, 104, 99]},
        }
    )
    (pair,) = ro.compare(scores, measure="mean").pairs
    assert pair.verdict == "a_better"
    assert pair.pvalue < 1e-4


@pytest.mark.parametrize("seed", range(8))
def test_the_chance_to_beat_others_is_its_slow_twin(seed):
    rng = np.random.default_rng(seed)
    n_tasks, k = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    own, *others = ([np.round(rng.normal(a * 0.3, 1, rng.integers(2, 6)), 1) for _ in range(n_tasks)] for a in range(k))
    law, (value, parts) = chance_law(own, others), slow.chance_to_beat(own, others)
    assert (law.value, law.error) == pytest.approx((value, np.sqrt(sum(parts))))
    freedom = [2 * min(len(cells[t]) for cells in (own, *others)) - 2 for t in range(n_tasks)]
    assert law.laws[0][1] == pytest.approx(slow.satterthwaite(parts, freedom))


@some
@pytest.mark.parametrize(
    "correction", ["auto", *(pytest.param(other, marks=pytest.mark.slow) for other in ("bonferroni", "bh", "none"))]
)
def test_what_other_measures_say_is_what_compare_says_by_them(correction, cases):
    counts = set()
    for seed, scores in cases:
        scores = scores.normalize(dict.fromkeys(scores.tasks, (0.0, 1.0)), assume_raw=True)
        result = ro.compare(scores, measure="mean", correction=correction)
        for place, reading in enumerate(result.pairs[0].other_readings):
            by_it = ro.compare(scores, measure=reading.measure, correction=correction)
            for pair, own in zip(result.pairs, by_it.pairs, strict=True):
                other = pair.other_readings[place]
                assert (other.measure, other.verdict) == (own.measure, own.verdict), seed
                assert (other.estimate, other.pvalue_adjusted) == pytest.approx((own.estimate, own.pvalue_adjusted)), (
                    seed
                )
        counts.add(len(result.pairs))
    assert {3, 6} <= counts


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "by", "none"])
def test_what_a_pair_of_a_family_can_find_is_what_it_finds_alone_at_the_first_level(correction):
    compared = 0
    for seed, scores in FEW:
        result = ro.compare(scores, measure="mean", correction=correction, alpha=0.06)
        first = first_level(0.06, len(result.pairs), correction)
        for pair in result.pairs:
            (alone,) = ro.compare(scores, measure="mean", pairs=[(pair.a, pair.b)], alpha=first).pairs
            if None not in (pair.detectable_difference, alone.detectable_difference):
                together, own = ((p.detectable_difference, p.detectable_df) for p in (pair, alone))
                assert together == pytest.approx(own), seed
                compared += len(result.pairs) > 1
    assert compared > 3


@pytest.mark.parametrize("measure", MEASURES)
def test_every_number_of_a_pair_is_that_of_its_own_question(measure):
    options = {"alpha": 0.3, "n_resamples": 100}
    for seed, scores in FEW:
        result = compared(seed, measure=measure, **options)
        chances, means = (compared(seed, measure=by, **options).pairs for by in ("improvement", "mean"))
        for pair, chance, mean in zip(result.pairs, chances, means, strict=True):
            ends = pair.improvement_low, pair.improvement_high, pair.difference_low, pair.difference_high
            assert ends == pytest.approx((chance.own_low, chance.own_high, mean.own_low, mean.own_high)), seed
            assert (pair.improvement, pair.difference) == pytest.approx((chance.estimate, mean.estimate)), seed
        places = ro.rank_intervals(scores, measure=measure, n_resamples=100)
        assert dict(result.values) == pytest.approx({r.algorithm: r.estimate for r in places.rows}), seed
        if measure == "improvement":
            assert np.mean([value for _, value in result.values]) == pytest.approx(0.5), seed
