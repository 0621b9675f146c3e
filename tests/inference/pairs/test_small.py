"""The law of few runs: every p-value is that of a slow twin, and the interval, the p-value and equivalence never deny each other."""

from dataclasses import replace
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import runoff as ro
from runoff._inference.bootstrap import Law, estimate_of, parse_metric
from runoff._inference.pairs.mover import MoverLaw
from runoff._inference.pairs.pair import PairData
from runoff._inference.pairs.small import DRAWS, NEVER, Relabelling, SmallLaw
from runoff.base.random import Streams
from tests.amount import examples

MEASURES = ("mean", "iqm", "iqm_whole")


def pair_of(x, y, **others):
    return PairData(a="a", b="b", x=list(x), y=list(y), tasks=[f"t{t}" for t in range(len(x))], **others)


@pytest.mark.parametrize("sizes", [(3, 4), (2, 2)])
@pytest.mark.parametrize("ragged", [False, True])
def test_the_cells_of_a_pair_are_centred_at_the_median_of_their_task(sizes, ragged):
    rng = np.random.default_rng(4)
    x, y = ([rng.normal(1e6, 1.0, n + (ragged and t == 1)) for t in range(3)] for n in sizes)
    *sides, middles = pair_of(x, y).centred()
    assert middles.tolist() == [np.median(np.concatenate(both)) for both in zip(x, y, strict=True)]
    for cells, own in zip(sides, (x, y), strict=True):
        for t, cell in enumerate(cells):
            assert cell.tolist() == (own[t] - middles[t]).tolist()


def drawn(seed, n_tasks, n, m, shift=0.0):
    rng = np.random.default_rng(seed)
    scales = rng.lognormal(size=n_tasks)
    x = [scale * rng.gamma(1.0, size=n) + shift for scale in scales]
    return x, [scale * rng.gamma(1.0, size=m) for scale in scales]


def statistic(x, y, measure):
    """The difference over its leave-one-run-out error, the slow way."""
    records = [estimate_of(side, parse_metric(measure)) for side in (x, y)]
    return abs(records[0].value - records[1].value) / np.sqrt(records[0].parts.sum() + records[1].parts.sum())


def all_ways(x, y):
    """Every pair of sides that relabelling within tasks makes of the runs."""
    pools = [np.concatenate(both) for both in zip(x, y, strict=True)]
    choices = [list(combinations(range(pool.size), a.size)) for pool, a in zip(pools, x, strict=True)]
    for chosen in product(*choices):
        rest = [np.setdiff1d(np.arange(pool.size), own) for pool, own in zip(pools, chosen, strict=True)]
        yield (
            [pool[list(own)] for pool, own in zip(pools, chosen, strict=True)],
            [pool[own] for pool, own in zip(pools, rest, strict=True)],
        )


def slow_share(x, y, measure, null=0.0):
    shifted = [cell - null for cell in x]
    own = statistic(shifted, y, measure) * (1 - 1e-9)
    reached = [statistic(*way, measure) >= own for way in all_ways(shifted, y)]
    return np.mean(reached)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("design", "null"), [((2, 3, 3), 0.0), ((3, 2, 2), 0.4), ((2, 2, 4), -0.3)])
def test_the_share_of_all_relabellings_is_that_of_a_slow_twin(measure, design, null):
    x, y = drawn(7, *design, shift=0.5)
    law = pair_of(x, y, relabelling=Relabelling(level=0.1)).law(measure)
    assert isinstance(law, SmallLaw)
    assert law.exact
    assert law.relabelled(null) == pytest.approx(slow_share(x, y, measure, null), abs=1e-12)


def test_tasks_with_other_numbers_of_runs_are_relabelled_each_by_itself():
    rng = np.random.default_rng(3)
    x, y = ([rng.normal(size=n) for n in sizes] for sizes in ((2, 4), (3, 2)))
    for measure in MEASURES:
        assert pair_of(x, y).law(measure).relabelled(0.2) == pytest.approx(slow_share(x, y, measure, 0.2), abs=1e-12)


def slow_t_pvalue(x, y, null):
    """Welch 1947 with c = 2 of the mean over tasks, written out, and Student's of variances pooled within tasks."""
    n_tasks = len(x)
    lead = np.mean([a.mean() - b.mean() for a, b in zip(x, y, strict=True)]) - null
    v = np.array([[side.var(ddof=1) / side.size / n_tasks**2 for side in both] for both in zip(x, y, strict=True)])
    d = np.array([[side.size - 1 for side in both] for both in zip(x, y, strict=True)], float)
    n = d + 1
    pooled = (v * n * d).sum(axis=1) / d.sum(axis=1) * (1 / n).sum(axis=1)
    pvalues = []
    for parts, freedom in ((v, d), (pooled, d.sum(axis=1))):
        df = parts.sum() ** 2 / (parts**2 / (freedom + 2)).sum() - 2
        df = np.clip(df, freedom.min(), freedom.sum())
        pvalues.append(2 * stats.t.sf(abs(lead) / np.sqrt(parts.sum()), df))
    return max(pvalues)


@pytest.mark.parametrize("design", [(6, 2, 2), (3, 3, 3), (6, 2, 8), (4, 2, 3)])
def test_the_t_laws_have_the_degrees_of_freedom_of_welch(design):
    x, y = drawn(1, *design, shift=0.4)
    law = pair_of(x, y).law("mean")
    assert Law.pvalue(law, 0.1) == pytest.approx(slow_t_pvalue(x, y, 0.1), rel=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
def test_draws_agree_with_all_arrangements(measure):
    x, y = drawn(2, 3, 3, 3, shift=0.4)
    law = pair_of(x, y).law(measure)
    assert law.exact
    assert comb(6, 3) ** 3 == 8_000
    drawn_law = replace(law, exact=False, streams=Streams(5), pvalues={})
    p = law.relabelled(0.0)
    assert drawn_law.relabelled(0.0) == pytest.approx(p, abs=5 * np.sqrt(p * (1 - p) / DRAWS))


@settings(max_examples=examples(40), deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([(2, 3, 3), (3, 2, 2), (6, 2, 2), (2, 2, 5)]),
    st.sampled_from(MEASURES),
    st.sampled_from([0.8, 0.9, 0.95]),
)
def test_the_interval_leaves_0_out_exactly_where_p_says_so(seed, design, measure, level):
    x, y = drawn(seed, *design, shift=np.random.default_rng(seed).normal())
    law = pair_of(x, y, relabelling=Relabelling(level=1 - level)).law(measure)
    low, high = law.interval(level)
    assert low < law.value < high
    assert (law.pvalue() <= 1 - level + 1e-12) == (not low <= 0.0 <= high)
    t = Law(law.value, law.laws).interval(level)
    assert low <= max(t[0], 0.0)
    assert high >= min(t[1], 0.0)


@pytest.mark.parametrize(
    "n_tasks", [2, 3]
)  # of 400 arrangements many an end has a p-value of 0.05 itself, along a long step
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("measure", MEASURES)
def test_an_end_is_rejected_and_what_lies_a_little_nearer_is_not(measure, seed, n_tasks):
    law = pair_of(*drawn(seed, n_tasks, 3, 3, shift=0.3)).law(measure)
    for end in law.interval(0.95):
        assert law.pvalue(end) <= 0.05 * (1 + 1e-6) < law.pvalue(law.value + 0.97 * (end - law.value))


def test_drawn_p_values_are_never_0_and_their_draws_come_from_the_seed():
    x, y = drawn(3, 6, 3, 3)
    far = pair_of([cell + 1e6 for cell in x], y).law("mean")
    assert far.relabelled(0.0) == 1 / (1 + DRAWS)
    first, second = (pair_of(x, y, relabelling=Relabelling(streams=Streams(seed))).law("mean") for seed in (1, 2))
    assert first.relabelled(0.0) != second.relabelled(0.0)
    assert first.relabelled(0.0) == pytest.approx(second.relabelled(0.0), abs=0.03)


@settings(max_examples=examples(20, most=5), deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([(2, 3, 3), (6, 2, 2), (3, 2, 4)]), st.sampled_from(MEASURES))
def test_neither_sides_names_rows_tasks_nor_units_change_an_answer(seed, design, measure):
    rng = np.random.default_rng(seed)
    x, y = drawn(seed, *design, shift=rng.normal())
    p, ends = (law := pair_of(x, y).law(measure)).pvalue(), law.interval(0.9)
    turned = pair_of(y, x).law(measure)
    assert turned.pvalue() == pytest.approx(p, rel=1e-9)
    assert turned.interval(0.9) == pytest.approx((-ends[1], -ends[0]), rel=1e-6)
    order = rng.permutation(len(x))
    moved = pair_of(*([rng.permutation(7 * side[t] + 3) for t in order] for side in (x, y))).law(measure)
    assert moved.pvalue() == pytest.approx(p, rel=1e-6)
    assert moved.interval(0.9) == pytest.approx((7 * ends[0], 7 * ends[1]), rel=1e-3)


def test_what_the_t_law_finds_at_a_tenth_of_the_level_is_found_though_one_task_alone_has_few_arrangements():
    x, y = [[5.0, 6, 7], [5.1, 6.2, 6.9], [901.0, 905, 910]], [[5.5, 6.1, 7.3], [6.3, 5.9, 6.6], [101.0, 104, 99]]
    law = pair_of(*(list(map(np.array, side)) for side in (x, y))).law("mean")
    assert law.relabelled(0.0) > 0.05
    assert law.pvalue() == 10 * law.alone.pvalue() < 0.001
    assert law.value - law.alone.half(0.995) <= law.interval(0.95)[0] < law.value - law.half(0.95)


def test_equivalence_is_half_the_larger_p_of_the_margins():
    x, y = drawn(4, 3, 3, 3)
    law = pair_of(x, y).law("mean")
    margin = abs(law.value) + 0.5
    expected = max(law.pvalue(margin), law.pvalue(-margin)) / 2
    assert law.equivalence_pvalue(margin, 0.0) == expected < 0.5
    assert law.equivalence_pvalue(abs(law.value) / 2, 0.0) > 0.5


@pytest.mark.parametrize(
    ("design", "level", "in_force"),
    [
        ((1, 5, 5), 0.05, False),  # one task
        ((2, 2, 2), 0.05, False),  # 2 of 36 arrangements
        ((2, 3, 3), 0.05, True),
        ((2, 3, 3), 0.006, True),  # 2 of 400
        ((2, 3, 3), 0.0049, False),
        ((3, 2, 2), 0.05, True),  # 2 of 216
        ((3, 2, 2), 0.005, False),
        ((16, 2, 2), 0.05, True),  # 32 degrees of freedom
        ((17, 2, 2), 0.05, False),
        ((6, 2, 8), 0.05, True),
        ((6, 5, 5), 0.05, False),
        ((6, 3, 3), 0.001, True),
        ((6, 3, 3), 0.0009, False),  # 9,999 draws are too coarse
    ],
)
def test_few_runs_are_a_question_of_the_design(design, level, in_force):
    x, y = drawn(0, *design)
    for measure in MEASURES:
        law = pair_of(x, y, relabelling=Relabelling(level=level)).law(measure)
        assert isinstance(law, SmallLaw) == in_force


@pytest.mark.parametrize(
    ("design", "n_varied", "in_force"),
    [((2, 3, 3), 1, False), ((3, 5, 5), 1, True), ((7, 5, 5), 2, True), ((11, 5, 5), 3, True), ((11, 5, 5), 5, False)],
)
def test_tasks_without_spread_have_one_arrangement_and_no_freedom(design, n_varied, in_force):
    x, y = drawn(0, *design)
    for side in (x, y):
        for cell in side[n_varied:]:
            cell[:] = 0.0
    for measure in MEASURES:
        # A mean over one such task and others is that of one task; an IQM rests on its extremes.
        assert isinstance(pair_of(x, y).law(measure), SmallLaw) == (in_force and (n_varied > 1 or measure != "mean"))


@pytest.mark.parametrize("seed", range(6))
def test_one_task_beside_constant_ones_has_the_p_value_and_the_interval_of_one_task(seed):
    x, y = drawn(seed, 1, 5, 4, shift=1.0)
    still = [np.full(5, 3.0), np.full(5, 7.0)], [np.full(4, 3.0), np.full(4, 7.0)]
    alone, beside = pair_of(x, y).law("mean"), pair_of([*x, *still[0]], [*y, *still[1]]).law("mean")
    assert beside.pvalue() == pytest.approx(alone.pvalue(), rel=1e-9)
    assert 3 * np.array(beside.interval(0.95)) == pytest.approx(np.array(alone.interval(0.95)))


@pytest.mark.parametrize("others", [{"relabelling": NEVER}, {"shared": True}])
def test_planned_pairs_and_whole_runs_have_the_t_law(others):
    assert not isinstance(pair_of(*drawn(0, 3, 3, 3), **others).law("mean"), SmallLaw)


def test_large_scores_and_small_differences_lose_no_digit():
    x, y = drawn(9, 3, 3, 3, shift=1.0)
    p = pair_of(x, y).law("iqm").pvalue()
    for scale, offset in ((1e150, 0.0), (1e-150, 0.0), (1.0, 1e6)):
        far = pair_of(*([scale * cell + offset for cell in side] for side in (x, y))).law("iqm")
        assert far.pvalue() == pytest.approx(p, rel=1e-6)


@pytest.mark.slow
def test_compare_equivalence_and_ranks_have_one_law_and_the_same_bits_on_any_threads():
    x = {f"a{i}": {f"t{t}": list(0.1 * i + cell) for t, cell in enumerate(drawn(i, 6, 3, 3)[0])} for i in range(4)}
    scores = ro.Scores.from_dict(x, score_unit="shared")
    first, second = (ro.compare(scores, threads=threads, rng=3) for threads in (1, 2))
    assert first == second
    assert {pair.method for pair in first.pairs} == {"monte_carlo"}
    alike = ro.equivalence(scores, margin=10.0, rng=3)
    assert [pair.pvalue for pair in alike.pairs] == [pair.pvalue for pair in first.pairs]


def test_an_interval_of_few_runs_holds_no_difference_where_its_p_value_does(monkeypatch):
    law = pair_of(*drawn(3, 3, 3, 3)).law("mean")
    assert isinstance(law, SmallLaw)
    assert law.pvalue() > 0.05
    monkeypatch.setattr(SmallLaw, "_reach", lambda *_: abs(law.value) / 2)
    inner, outer = sorted((-1, 1), key=lambda side: side * law.value)
    assert (law.end(0.95, inner), law.end(0.95, outer)) == (0.0, 1.5 * law.value)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_an_interval_of_strata_of_few_runs_has_the_ends_of_their_intervals(level):
    parts = [pair_of(*drawn(seed, 3, 3, 4, shift=0.4)).law("mean") for seed in (5, 6)]
    assert all(isinstance(part, SmallLaw) for part in parts)
    far = [np.abs(np.array(part.interval(level)) - part.value) for part in parts]
    law = MoverLaw(parts=tuple(parts), weights=(0.25, 0.75))
    reach = np.sqrt(0.25**2 * far[0] ** 2 + 0.75**2 * far[1] ** 2)
    np.testing.assert_allclose(law.interval(level), law.value + np.array([-1, 1]) * reach, rtol=1e-12)
