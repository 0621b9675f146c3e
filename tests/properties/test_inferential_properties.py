"""The law of inferential intervals: two of them overlap if and only if the test does not reject."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize

import runoff as ro
from runoff._inference.inferential import (
    FORMULAS,
    DescriptiveSpread,
    PairFinding,
    _programme,
    facing,
    fair_factors,
    inferential_factors,
    overlap,
)
from tests.amount import examples
from tests.reference.factors import most_pairs_together

few = settings(max_examples=examples(20, 12), deadline=None)
halves = st.integers(0, 12).map(lambda k: k / 4)


@st.composite
def spreads(draw, n):
    """Estimates on a coarse grid, so that ties and touching intervals are frequent; ends may have no reach."""
    return [DescriptiveSpread(draw(st.integers(-6, 6)) / 2, draw(halves), draw(halves)) for _ in range(n)]


@st.composite
def families(draw, least, most):
    n = draw(st.integers(least, most))
    chosen = draw(spreads(n))
    pvalues = st.sampled_from([1e-9, 0.01, 0.0499, 0.05, 0.0501, 0.3, 1.0])
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    drawn = [draw(pvalues) for _ in pairs]
    return chosen, [PairFinding(a, b, p, p <= 0.05, 1.0) for (a, b), p in zip(pairs, drawn, strict=True)]


def agrees(chosen, factors, decision):
    first, second = (chosen[i].ends(factors[i]) for i in (decision.a, decision.b))
    return overlap(first, second) != decision.rejected


@pytest.mark.parametrize("formula", FORMULAS)
@few
@given(family=families(2, 2))
def test_two_intervals_overlap_iff_the_test_does_not_reject_or_no_factor_can(formula, family):
    chosen, (decision,) = family
    factors = inferential_factors(chosen, [decision], formula=formula, alpha=0.05)
    assert agrees(chosen, factors, decision) == facing(chosen, decision).possible
    assert factors[0] == factors[1] >= 0


@few
@given(reach=st.tuples(halves, halves, halves, halves), rejected=st.booleans())
def test_what_is_called_impossible_fails_with_every_factor(reach, rejected):
    equal = [DescriptiveSpread(1.0, *reach[:2]), DescriptiveSpread(1.0, *reach[2:])]
    reachless = [DescriptiveSpread(1.0, reach[0], 0.0), DescriptiveSpread(1.5, 0.0, reach[1])]
    chosen, decision = equal if rejected else reachless, PairFinding(0, 1, 0.01 if rejected else 0.5, rejected, 1.0)
    assert not facing(chosen, decision).possible
    for factors in [(0.0, 0.0), (0.0, 1.0), (1e-6, 0.5), (1.0, 1.0), (50.0, 50.0)]:
        assert not agrees(chosen, factors, decision)


@pytest.mark.slow
@few
@given(family=families(3, 3))
def test_of_three_algorithms_as_few_pairs_as_possible_disagree(family):
    chosen, decisions = family
    factors = inferential_factors(chosen, decisions, formula="modified", alpha=0.05)
    pairs = [facing(chosen, d) for d in decisions]
    binding = [p for p in pairs if p.binding]
    best = sum(p.possible for p in pairs) - len(binding) + most_pairs_together(binding, 3)
    assert sum(agrees(chosen, factors, d) for d in decisions) == best


@few
@given(family=families(3, 6))
def test_factors_are_finite_and_one_where_nothing_demands_another(family):
    chosen, decisions = family
    factors = inferential_factors(chosen, decisions, formula="modified", alpha=0.05)
    assert np.all(np.isfinite(factors))
    assert np.all(factors >= 0)
    if all(agrees(chosen, np.ones(len(chosen)), d) for d in decisions):
        assert factors == pytest.approx(1.0, abs=2e-3)


cells = st.lists(st.integers(0, 4), min_size=1, max_size=5)
data = st.fixed_dictionaries({a: st.fixed_dictionaries({"t": cells, "u": cells}) for a in "AB"})


@few
@given(data=data, formula=st.sampled_from(sorted(FORMULAS)), metric=st.sampled_from(["iqm", "mean", "median"]))
def test_on_tied_ragged_runs_every_pair_agrees_or_is_named(data, formula, metric):
    scores = ro.Scores.from_dict(data)
    assume(any(len({*scores.cell("A", t), *scores.cell("B", t)}) > 1 for t in "tu"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        result = ro.inferential_intervals(
            scores, measure=metric, formula=formula, alpha=0.2, single_value="tested", n_resamples=100
        )
    named = {d.reason for d in result.disagreements}
    (pair,) = result.pairs
    assert named <= {"no_interval", "equal_estimates", "no_width", "direction", "no_verdict"}
    assert (pair.overlap is None) == (not named.isdisjoint({"no_interval", "no_verdict"}))
    assert (pair.pvalue is None) == ("no_verdict" in named)
    if not named - {"direction"}:
        assert pair.overlap != pair.rejected


@pytest.mark.parametrize("test", ["welch", "mann_whitney", "permutation", "brunner_munzel", "van_elteren"])
@settings(max_examples=examples(15, 6), deadline=None)
@given(a=st.lists(st.integers(0, 9), min_size=3, max_size=6), b=st.lists(st.integers(0, 9), min_size=3, max_size=6))
def test_the_law_holds_for_any_test(test, a, b):
    assume(len(set(a)) > 1 and len(set(b)) > 1)
    result = ro.inferential_intervals(
        ro.Scores.from_dict({"A": a, "B": b}), measure="mean", test=test, interval="t", n_resamples=100
    )
    (pair,) = result.pairs
    assert pair.overlap != pair.rejected or result.disagreements[0].reason == "equal_estimates"


# ── fairness ──────────


def best_alone(programme, goal, lower, upper):
    solution = optimize.linprog(
        goal, A_ub=programme.rows, b_ub=programme.bounds, bounds=list(zip(lower, upper, strict=True))
    )
    return solution.x @ goal


@few
@given(family=families(3, 5))
def test_no_interval_is_shrunk_or_widened_more_than_fairness_demands(family):
    """Leximin, by its definition: who is below the target cannot rise unless one that is no better off falls, and the reverse above."""
    chosen, decisions = family
    binding = [pair for pair in (facing(chosen, d) for d in decisions) if pair.binding]
    assume(binding)
    n, slack = len(chosen), 1e-6
    programme = _programme(binding, n, 1.0, 0.05, 1e-3)
    assume(programme.feasible)
    factors = fair_factors(binding, n, 1.0, (0.05, 1e-3))
    floors = np.minimum(factors, 1.0)
    for i in range(n):
        goal, most = np.eye(n)[i], np.full(n, programme.most)
        if factors[i] < 1 - slack:
            kept = np.where(factors <= factors[i] + slack, floors - slack, 0.0)
            kept[i] = 0.0
            assert -best_alone(programme, -goal, kept, most) <= factors[i] + 10 * slack * programme.most
        if factors[i] > 1 + slack:
            capped = np.where(factors >= factors[i] - slack, factors + slack, most)
            capped[i] = programme.most
            assert best_alone(programme, goal, floors - slack, capped) >= factors[i] - 10 * slack * programme.most
