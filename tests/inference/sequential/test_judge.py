"""Decisions over the looks: closed testing, equivalence, futility, budget, leaving."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.sequential import judge
from runoff._inference.sequential.crossings import NOT_YET
from runoff._inference.sequential.futility import conditional_power
from runoff._inference.sequential.judge import Closed
from tests.reference import sequential as slow

RNG = np.random.default_rng(2)
FAST = {"n_resamples": 999}


def simulated(means, *, n_looks=3, n=5, n_tasks=2, seed=1):
    rng = np.random.default_rng(seed)
    return [{(a, t): rng.normal(m, 1, n) for a, m in enumerate(means) for t in range(n_tasks)} for _ in range(n_looks)]


def decided(design, looks, k, n_tasks=2):
    decisions = {}
    for judged in judge(design, looks, k, n_tasks):
        decisions |= {finding.pair: (finding.decision, finding.reason, finding.look) for finding in judged.findings}
    return decisions


def test_a_clear_difference_stops_at_the_first_look_and_names_the_higher():
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    assert decided(design, simulated((3.0, 0.0)), 2) == {(0, 1): ("a_better", None, 0)}
    assert decided(design, simulated((0.0, 3.0)), 2) == {(0, 1): ("b_better", None, 0)}


def test_a_decision_is_final_and_ends_the_path():
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    looks = simulated((3.0, 0.0))
    turned = [looks[0], *({(1 - a, t): cell for (a, t), cell in look.items()} for look in looks[1:])]
    judged = judge(design, turned, 2, 2)
    assert [[f.decision for f in look.findings] for look in judged] == [["a_better"], [], []]
    assert [look.needed for look in judged] == [(), (), ()]


def test_nothing_found_by_the_last_look_is_inconclusive_and_not_equivalent():
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    assert decided(design, simulated((0.0, 0.0)), 2) == {(0, 1): ("inconclusive", "last_look", 2)}


def test_runs_that_differ_by_less_than_the_margin_are_equivalent():
    design = ro.SequentialDesign(looks=(20, 40, 60), margin=0.5, **FAST)
    assert decided(design, simulated((0.0, 0.05), n=20), 2)[0, 1][0] == "equivalent"
    assert decided(design, simulated((0.0, 1.5), n=20), 2)[0, 1][0] == "b_better"


def test_a_pair_that_differs_by_less_than_the_margin_is_equivalent():
    design = ro.SequentialDesign(looks=(400,), margin=1.0, **FAST)
    assert decided(design, simulated((0.0, 0.3), n=400, n_looks=1), 2) == {(0, 1): ("equivalent", None, 0)}


def test_a_pair_that_would_hardly_be_found_stops_as_inconclusive():
    looks = [{(a, t): look[0, t] for a in range(2) for t in range(2)} for look in simulated((0.0, 0.0), n=20)]
    stopped = decided(ro.SequentialDesign(looks=(20, 40, 60), effect=0.4, **FAST), looks, 2)
    assert stopped == {(0, 1): ("inconclusive", "futility", 1)}
    assert decided(ro.SequentialDesign(looks=(20, 40, 60), **FAST), looks, 2)[0, 1][1] == "last_look"


def test_conditional_power_is_that_of_simulated_normal_looks():
    design = ro.SequentialDesign(looks=(10, 20, 30), effect=0.6)
    rng, n = np.random.default_rng(5), 200_000
    z, error = 1.2, np.sqrt(2 / 10)
    first = z * error * 10
    hits = np.zeros(n, bool)
    total = np.full(n, first)
    for look in (1, 2):
        total = total + rng.normal(10 * 0.6, np.sqrt(2 * 10), n)
        hits |= total / np.sqrt(2 * 10 * (look + 1)) > design.boundaries[look]
    power = conditional_power(design, 0, z * error, error)
    assert power == pytest.approx(hits.mean(), abs=5 * hits.std() / np.sqrt(n))


def test_conditional_power_is_unknown_without_an_effect_a_look_or_an_error():
    design = ro.SequentialDesign(looks=(10, 20), effect=0.6)
    assert conditional_power(design, 1, 0.3, 0.4) is None
    assert conditional_power(design, 0, 0.3, 0.0) is None
    assert conditional_power(ro.SequentialDesign(looks=(10, 20)), 0, 0.3, 0.4) is None


def test_a_budget_that_does_not_pay_for_the_next_look_ends_it():
    looks = simulated((0.0, 0.0))
    pays = ro.SequentialDesign(looks=(5, 10, 15), budget=40.0, **FAST)
    assert [look.needed for look in judge(pays, looks[:2], 2, 2)] == [(0, 1), ()]
    assert judge(pays, looks[:2], 2, 2)[1].findings[0].reason == "budget"
    dear = ro.SequentialDesign(looks=(5, 10, 15), budget=40.0, cost_per_run=1.01, **FAST)
    assert judge(dear, looks[:1], 2, 2)[0].findings[0].reason == "budget"


def test_a_pair_is_apart_when_every_partition_that_holds_it_is_rejected():
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    closed = Closed(design, simulated((0.0, 0.0, 1.0, 1.2), n_tasks=2), 4, 2)
    for pair in combinations(range(4), 2):
        holding = [
            i for i, classes in enumerate(closed.partitions) if any(set(pair) <= set(members) for members in classes)
        ]
        assert len(holding) == 5
        for look in range(3):
            assert closed.differ(pair, look) == all(closed.tested(i).by(look) for i in holding)


@pytest.mark.parametrize("seed", range(4))
def test_a_pair_is_above_its_bound_exactly_where_it_is_apart(seed):
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    closed = Closed(design, simulated((0.0, 0.3, 0.9, 1.2), seed=seed), 4, 2)
    first = {
        pair: [closed.differ(pair, look) for look in range(3)].index(True)
        for pair in closed.pairs
        if closed.differ(pair, 2)
    }
    assert first
    for pair in closed.pairs:
        for look in range(first.get(pair, 2) + 1):
            assert (abs(closed.observed(pair)[look]) > closed.critical(pair, look)) == closed.differ(pair, look)


def test_a_pair_that_crosses_for_all_leaves_another_the_bound_of_two_alone():
    design, looks = ro.SequentialDesign(looks=(4, 8)), simulated((0.0, 0.7, 2.4), n_looks=1, n=4, seed=28)
    cells = [[looks[0][a, t] for t in range(2)] for a in range(3)]
    share = 1 - design.spent[0]
    alone = np.quantile(slow.of_every_relabelling(cells[1], cells[2]), share)
    all_three = np.quantile(slow.largest_of_drawn(cells, 4_000, np.random.default_rng(0)), share)
    outer, near = (abs(slow.welch(cells[a], cells[2])) for a in (0, 1))
    assert outer > all_three + 0.1 > near + 0.2 > alone + 0.4
    finding = next(f for f in judge(design, looks, 3, 2)[0].findings if f.pair == (1, 2))
    assert (finding.decision, finding.critical) == ("b_better", pytest.approx(alone, abs=0.06))


def test_the_bound_of_a_look_counts_the_tests_that_no_earlier_look_decided():
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    closed = Closed(design, simulated((0.0, 0.9)), 2, 2)
    own = closed.tested(0)
    assert own.look == 1  # not at the first look, at which every bound would be the same
    assert closed.critical((0, 1), own.look) == own.critical[own.look] > 0
    assert closed.critical((0, 1), own.look + 1) == 0.0


def test_a_pair_whose_own_test_has_not_crossed_has_no_direction():
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    closed = Closed(design, simulated((0.0, 0.05)), 2, 2)
    assert closed.tested(0).look == NOT_YET
    assert closed.observed((0, 1))[-1] != 0.0
    assert closed.direction((0, 1)) == 0.0


def test_an_algorithm_leaves_when_it_is_told_apart_from_all_others():
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    assert [look.needed for look in judge(design, simulated((0.0, 0.1, 4.0)), 3, 2)] == [(0, 1), (0, 1), ()]


def test_an_equivalent_algorithm_goes_on_while_a_partition_needs_it():
    closed = Closed(ro.SequentialDesign(looks=(5, 10), **FAST), simulated((0.0, 0.0, 0.0), n_looks=1), 3, 2)
    assert closed.needed({(0, 1)}, 0) == (0, 1, 2)


def test_leaving_changes_no_decision_on_those_who_stay():
    design = ro.SequentialDesign(looks=(5, 10, 15), **FAST)
    looks = simulated((0.0, 0.9, 4.0), seed=4)
    without = [looks[0], *({at: cell for at, cell in look.items() if at[0] != 2} for look in looks[1:])]
    assert decided(design, looks, 3) == decided(design, without, 3)


def test_no_spread_has_an_infinite_statistic_and_no_spread_at_all_none():
    design = ro.SequentialDesign(looks=(5, 10), effect=1.0, **FAST)
    looks = [{(a, t): np.full(5, float(a)) for a in range(2) for t in range(2)} for _ in range(2)]
    finding = judge(design, looks, 2, 2)[0].findings[0]
    assert (finding.statistic, finding.decision, finding.error) == (-np.inf, "b_better", 0.0)
    same = [{(a, t): np.full(5, 1.0) for a in range(2) for t in range(2)} for _ in range(2)]
    assert decided(design, same, 2) == {(0, 1): ("inconclusive", "last_look", 1)}


def test_a_pair_that_turned_since_its_own_test_crossed_is_not_told_apart():
    """B is far below A at the first look and above it since; C decides the tests of all three at the second."""
    rng = np.random.default_rng(0)
    shifts = [(3.0, 0.0, 1.5), (-9.0, 0.0, 40.0)]
    looks = [{(a, t): rng.normal(m, 0.5, 8) for a, m in enumerate(means) for t in range(2)} for means in shifts]
    design = ro.SequentialDesign(looks=(8, 16), **FAST)
    closed = Closed(design, looks, 3, 2)
    assert closed.direction((0, 1)) == 1
    claims = [
        finding for judged in judge(design, looks[:1], 3, 2) for finding in judged.findings if finding.pair == (0, 1)
    ]
    assert claims[0].decision in ("a_better", "go_on")
    for finding in (f for judged in judge(design, looks, 3, 2) for f in judged.findings):
        if finding.decision in ("a_better", "b_better"):
            assert (finding.statistic > 0) == (finding.decision == "a_better")
            assert closed.direction(finding.pair) == np.sign(finding.statistic)


def test_equivalence_is_claimed_only_while_the_difference_is_within_the_margin():
    """Each side of the margin is crossed at another look, and at the second the difference is far beyond it."""
    rng = np.random.default_rng(3)
    design = ro.SequentialDesign(looks=(8, 16), margin=0.5, **FAST)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        looks = [
            {(0, 0): rng.normal(0.6, 0.5, 8), (1, 0): rng.normal(0.0, 0.5, 8)},
            {(0, 0): rng.normal(-3.0, 0.2, 8), (1, 0): rng.normal(0.0, 0.2, 8)},
        ]
        for finding in (f for judged in judge(design, looks, 2, 1) for f in judged.findings):
            assert finding.decision != "equivalent" or abs(finding.difference) < 0.5


@pytest.mark.parametrize(("then", "decision"), [(1.0, "a_better"), (-1.0, "go_on"), (0.0, "go_on")])
def test_a_direction_is_claimed_only_if_it_is_that_of_the_pairs_own_crossing(monkeypatch, then, decision):
    monkeypatch.setattr(Closed, "direction", lambda _self, _pair: then)
    first = judge(ro.SequentialDesign(looks=(5, 10, 15), **FAST), simulated((3.0, 0.0)), 2, 2)[0]
    assert [finding.decision for finding in first.findings] == [decision]
    assert first.needed == (() if decision == "a_better" else (0, 1))
