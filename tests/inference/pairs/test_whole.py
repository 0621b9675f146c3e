"""The law of the chance of whole runs, against relabelling run by run, and its agreement with Mann and Whitney's test where one task varies."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.pairs import PairData, whole_law, whole_pvalues
from runoff._inference.pairs.chance import placements


def law_of(x, y):
    return whole_law(list(x), list(y), placements(list(x), list(y)))


def drawn(seed, n=4, m=5, n_tasks=3, ties=False):
    """Return runs of tasks that agree: (n_tasks, n) and (n_tasks, m)."""
    rng = np.random.default_rng(seed)
    sides = [rng.normal(0, 1, size) + 0.5 * rng.normal(0, 1, (n_tasks, size)) for size in (n, m)]
    return [side.round((ties and 0) or 9) for side in sides]


def chance(x, y):
    return np.mean([(a[:, None] > b).mean() + (a[:, None] == b).mean() / 2 for a, b in zip(x, y, strict=True)])


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_runs_are_relabelled_with_all_their_scores(seed, ties):
    x, y = drawn(seed, ties=ties)
    law, both = law_of(x, y), np.hstack([x, y])
    lead = abs(chance(x, y) - 0.5)
    far = []
    for chosen in combinations(range(both.shape[1]), x.shape[1]):
        rest = [i for i in range(both.shape[1]) if i not in chosen]
        far.append(abs(chance(both[:, list(chosen)], both[:, rest]) - 0.5) >= lead - 1e-12)
    assert law.value == pytest.approx(chance(x, y))
    assert law.sums.beyond(lead / law.share) == pytest.approx(np.mean(far))
    assert law.pvalue(0.5) >= law.sums.beyond(lead / law.share)


def test_tasks_without_spread_take_no_evidence_from_the_others():
    """The p-value is that of the others, and the interval reaches as much less far as these tasks are more."""
    x, y = drawn(3, ties=True)
    y = y - 1.0
    law, still = law_of(x, y), law_of(np.vstack([x, x[:1] * 0 + 7]), np.vstack([y, y[:1] * 0 + 7]))
    assert still.pvalue(0.5) == pytest.approx(law.pvalue(0.5))
    low, high = law.interval(0.9)
    assert still.interval(0.9) == pytest.approx((0.5 + 0.75 * (low - 0.5), 0.5 + 0.75 * (high - 0.5)))
    assert still.equivalence_pvalue(0.3) == pytest.approx(law.equivalence_pvalue(0.4))


@pytest.mark.parametrize("n", [5, 8])
def test_runs_that_are_all_ahead_are_more_evidence_than_runs_that_are_not(n):
    """One task varies beside one that does not: where runs overlap the p-value is Mann and Whitney's."""
    y, still = np.arange(n) * 1.0, np.zeros(n)
    ahead = y + n
    for last, most in ((n - 1.5, None), (n - 2.5, None), (2 * n, 0.05 * 2 ** (5 - n))):
        x = np.append(ahead[:-1], last)
        pvalue = law_of([x, still], [y, still]).pvalue(0.5)
        exact = stats.mannwhitneyu(x, y, method="exact").pvalue
        assert pvalue >= exact * (1 - 1e-12)
        assert pvalue <= (most or exact * (1 + 1e-12))


@pytest.mark.parametrize(("n", "m"), [(4, 4), (5, 5), (4, 6)])
def test_equal_algorithms_are_seldom_called_different_where_tasks_agree(n, m):
    """All arrangements of the runs of one task, which the others copy: the t law alone errs in 6 to 9 % at 5 %, and in 3 to 4 % at 1 %."""
    scores = np.arange(n + m) * 1.0
    chosen = [list(runs) for runs in combinations(range(n + m), n)]
    pvalues = [law_of([scores[runs]] * 3, [np.delete(scores, runs)] * 3).pvalue(0.5) for runs in chosen]
    for level in (0.01, 0.05, 0.1):
        assert np.mean(np.array(pvalues) <= level) <= level


@pytest.mark.parametrize("every", [20_000, 0])
@pytest.mark.parametrize("seed", range(6))
def test_the_interval_leaves_out_a_half_where_the_pvalue_is_below_its_level(seed, every, monkeypatch):
    monkeypatch.setattr("runoff._inference.pairs.whole.EVERY", every)
    x, y = drawn(seed, n=6)
    law, turned = law_of(x + 0.4 * seed, y), law_of(y, x + 0.4 * seed)
    assert law.method == ("exact" if every else "asymptotic")
    assert turned.pvalue(0.5) == pytest.approx(law.pvalue(0.5))
    for alpha in (law.pvalue(0.5) * factor for factor in (0.7, 0.999, 1.001, 1.4)):
        if alpha < 1:
            low, high = law.interval(1 - alpha)
            assert (low > 0.5 or high < 0.5) == (alpha >= law.pvalue(0.5))
            assert turned.interval(1 - alpha) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("margin", [0.15, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_runs_are_equivalent_where_both_intervals_lie_within_the_margin(seed, margin):
    x, y = drawn(seed, n=8, m=8)
    law = law_of(x + 0.05 * seed, y)
    alpha = law.equivalence_pvalue(margin)
    for level, inside in ((alpha * 1.02, True), (alpha * 0.98, False)):
        if level < 0.5:
            low, high = law.interval(1 - 2 * level)
            assert (0.5 - margin <= low and high <= 0.5 + margin) == inside


def test_the_normal_law_of_many_relabellings_is_near_that_of_all(monkeypatch):
    x, y = np.random.default_rng(8).normal(0, 1, (2, 60, 3, 8))
    x += np.linspace(0, 1.2, 60)[:, None, None]
    exact = whole_pvalues(x, y)
    monkeypatch.setattr("runoff._inference.pairs.whole.EVERY", 0)
    near = whole_pvalues(x, y)
    assert near != pytest.approx(exact, rel=1e-9)
    assert near == pytest.approx(exact, rel=0.1, abs=0.01)
    assert near[:5] == pytest.approx([law_of(a, b).pvalue(0.5) for a, b in zip(x[:5], y[:5], strict=True)])


def test_one_task_has_the_normal_pvalue_of_mann_and_whitney(monkeypatch):
    monkeypatch.setattr("runoff._inference.pairs.whole.EVERY", 0)
    x, y = (side[0] for side in drawn(5, n=6, m=9))
    sums = law_of([x + 0.7, x * 0], [y, y * 0]).sums
    asymptotic = stats.mannwhitneyu(x + 0.7, y, method="asymptotic").pvalue
    assert sums.beyond(abs(sums.value - 0.5)) == pytest.approx(asymptotic)


def test_a_task_on_which_one_side_varies_about_the_other_is_none_without_spread():
    x, y = drawn(2, n=4, m=4)
    about = np.array([-1.0, -1.0, 1.0, 1.0])
    assert law_of([x[0], about * 0], [y[0], about]).share == 1.0
    assert law_of([x[0], about], [y[0], about * 0]).share == 1.0
    assert law_of([x[0], about * 0], [y[0], about * 0]).share == 0.5


def test_a_pair_of_whole_runs_has_this_law_and_a_single_task_that_of_its_ranks():
    x, y = drawn(1)
    pair = PairData(a="A", b="B", x=list(x), y=list(y), tasks=["s", "t", "u"], shared=True)
    assert pair.law("improvement").pvalue(0.5) == law_of(x, y).pvalue(0.5)
    assert law_of(x[:1], y[:1]).kind == "mann_whitney"
    assert not law_of(x[:, :1], y).laws
    equal = law_of(x * 0, y * 0)
    assert (equal.value, equal.pvalue(0.5)) == (0.5, 1.0)
