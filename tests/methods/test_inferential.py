import numpy as np
import pytest

import runoff as ro
import runoff._inference.inferential as inference
from runoff._inference.bootstrap import parse_metric
from runoff._inference.inferential import (
    DescriptiveSpread,
    PairFinding,
    disagreements_of,
    inferential_factors,
    overlap,
    read_factors,
)

UNDECIDED = PairFinding(0, 1, 0.5, False, 0.0)


def factor(t1, up, t2, down, pvalue, formula="modified"):
    """Return the common factor of two intervals that face each other."""
    spreads = [DescriptiveSpread(t1, 9.0, up), DescriptiveSpread(t2, down, 9.0)]
    return inferential_factors(spreads, [PairFinding(0, 1, pvalue, pvalue <= 0.05, -1.0)], formula=formula, alpha=0.05)[
        0
    ]


def test_equation_2_28_shrinks_rejected_intervals_that_overlap():
    assert factor(1.0, 0.8, 2.0, 0.7, 0.01) == pytest.approx((1 + 0.01 - 0.05) / (1 + (1.8 - 1.3) / 1.0))


def test_equation_2_27_adds_the_p_value_to_the_distance():
    assert factor(1.0, 0.8, 2.0, 0.7, 0.01, "marasini") == pytest.approx((1.0 + 0.01 - 0.05) / 1.5)


def test_where_equation_2_27_is_negative_equation_2_28_is_used():
    close = factor(1.0, 0.8, 1.01, 0.7, 0.01, "marasini")
    assert close == factor(1.0, 0.8, 1.01, 0.7, 0.01, "modified") > 0


def test_goldstein_and_healy_shrink_equal_intervals_by_the_root_of_a_half():
    assert factor(0.0, 1.0, 1.0, 1.0, 0.3, "goldstein_healy") == pytest.approx(2**-0.5)


def test_goldstein_healy_intervals_of_normal_means_agree_with_the_z_test():
    assert factor(0.0, 1.96, 2.76, 1.96, 0.0520, "goldstein_healy") == pytest.approx(2**-0.5)
    assert factor(0.0, 1.96, 2.79, 1.96, 0.0490, "goldstein_healy") == pytest.approx(2**-0.5)


def test_descriptive_intervals_that_agree_with_the_test_are_kept():
    assert factor(0.0, 0.3, 1.0, 0.3, 0.001) == 1.0
    assert factor(0.0, 0.8, 1.0, 0.8, 0.4) == 1.0


def test_intervals_that_are_apart_without_a_rejection_are_widened_as_the_thesis_code_does():
    assert factor(0.0, 0.3, 1.0, 0.3, 0.4) == pytest.approx(1.35 / 0.6)


def test_three_algorithms_get_one_factor_each_and_the_untouched_keeps_one():
    spreads = [DescriptiveSpread(0.0, 1, 1), DescriptiveSpread(1.0, 1, 1), DescriptiveSpread(9.0, 1, 1)]
    decisions = [
        PairFinding(0, 1, 0.01, True, -1),
        PairFinding(0, 2, 0.01, True, -1),
        PairFinding(1, 2, 0.01, True, -1),
    ]
    factors = inferential_factors(spreads, decisions, formula="modified", alpha=0.05)
    assert factors == pytest.approx([0.475, 0.475, 1.0], abs=1e-6)


def test_decisions_that_contradict_each_other_give_up_one_pair():
    # 0 and 1 must part, so both shrink below touching 2, which reaches nowhere
    spreads = [DescriptiveSpread(0.0, 1, 1), DescriptiveSpread(0.1, 1, 1), DescriptiveSpread(0.4, 0, 0)]
    decisions = [
        PairFinding(0, 1, 0.01, True, -1),
        PairFinding(0, 2, 0.5, False, -1),
        PairFinding(1, 2, 0.5, False, -1),
    ]
    factors = inferential_factors(spreads, decisions, formula="modified", alpha=0.05)
    assert factors[0] + factors[1] > 0.1
    assert min(factors[:2]) >= 0.3


def test_one_overlap_that_the_test_supports_is_given_up_rather_than_two_gaps():
    # 2 and 3 are told apart from their neighbours on both sides, so they cannot reach each other across a distance of 2
    spreads = [DescriptiveSpread(t, 1, 1) for t in (-0.1, 0.1, 0.0, 2.0, 1.9, 2.1)]
    separate = [(2, 0), (2, 1), (3, 4), (3, 5)]
    decisions = [PairFinding(a, b, 0.01, True, -1) for a, b in separate] + [PairFinding(2, 3, 0.5, False, -1)]
    factors = inferential_factors(spreads, decisions, formula="modified", alpha=0.05)
    agrees = [
        overlap(spreads[d.a].ends(factors[d.a]), spreads[d.b].ends(factors[d.b])) != d.rejected for d in decisions
    ]
    assert agrees == [True, True, True, True, False]


def test_goldstein_and_healy_take_one_for_a_pair_without_reach():
    spreads = [DescriptiveSpread(0.0, 0, 0), DescriptiveSpread(1.0, 0, 0), DescriptiveSpread(9.0, 1, 1)]
    decisions = [PairFinding(a, b, 0.01, True, -1) for a, b in [(0, 1), (0, 2), (1, 2)]]
    factors = inferential_factors(spreads, decisions, formula="goldstein_healy", alpha=0.05)
    assert factors == pytest.approx(1.0)  # each pair of the three touches at √(0 + 1) / 1 or has nothing to scale


def test_the_record_holds_both_intervals_and_the_factor_between_them(scores):
    result = ro.inferential_intervals(scores, n_resamples=500)
    for record in result.rows:
        assert record.low == pytest.approx(record.estimate - record.factor * (record.estimate - record.own_low))
    descriptive = ro.aggregate(scores, measure=["iqm"], n_resamples=500)
    assert [r.own_low for r in result.rows] == [r.low for r in descriptive.rows]
    assert [pair.overlap for pair in result.pairs] == [True, False, False]
    assert result.disagreements == ()


@pytest.mark.parametrize("interval", ["percentile", "basic", "bca", "t"])
def test_descriptive_intervals_are_those_of_aggregate(scores, interval):
    result = ro.inferential_intervals(scores, measure="mean", interval=interval, n_resamples=300)
    expected = ro.aggregate(scores, measure=["mean"], interval=interval, n_resamples=300)
    assert [r.own_high for r in result.rows] == pytest.approx([r.high for r in expected.rows])


def test_equal_estimates_that_the_test_tells_apart_are_named():
    a, b = [11, 12, 13, 14, 15, 16, 17, -71], [0, 2, 3, 4, 5, 6, 7, 0]
    result = ro.inferential_intervals(
        ro.Scores.from_dict({"A": a, "B": b}), measure="mean", test="mack_skillings", interval="t"
    )
    assert (result.pairs[0].rejected, result.pairs[0].overlap) == (True, True)
    assert [d.reason for d in result.disagreements] == ["equal_estimates"]
    assert result.disagreements[0].sentence.endswith(
        "but their estimates are equal, so their intervals overlap at any width."
    )


def test_a_cell_of_one_run_has_no_interval_and_the_pair_is_named(scores):
    data = scores.to_dict()
    data["A"]["task 2"] = [0.3]
    with pytest.warns(ro.RunoffWarning, match="single run"):
        result = ro.inferential_intervals(ro.Scores.from_dict(data, score_unit="shared"), n_resamples=200)
    assert result["A"].low is result["A"].factor is None
    assert [(d.a, d.b, d.reason) for d in result.disagreements] == [
        ("A", "B", "no_interval"),
        ("A", "C", "no_interval"),
    ]
    assert "not A and B, A and C" in result.sentence


@pytest.mark.parametrize(
    ("second", "why"),
    [([5.123], "one of the two has a single run"), ([1.123, 2.2, 3.3], "their runs are the same numbers")],
)
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_a_pair_without_a_test_has_no_p_value_and_says_why(second, why):
    runs = {"A": {"T": [1.123, 2.2, 3.3]}, "B": {"T": second}, "C": {"T": [4.0, 7.0, 8.0]}}
    result = ro.inferential_intervals(runs, measure="mean", single_value="tested")
    pair, reasons = result.pairs[0], {(d.a, d.b): d for d in result.disagreements}
    assert (pair.pvalue, pair.pvalue_adjusted, pair.rejected) == (None, None, False)
    assert reasons["A", "B"].reason == "no_verdict"
    assert reasons["A", "B"].sentence == f"No verdict is given between A and B because {why}."
    assert result.pairs[1].pvalue == pytest.approx(
        ro.compare(runs, measure="mean", single_value="tested")["A", "C"].pvalue
    )


def test_tasks_that_an_algorithm_lacks_are_left_out_loudly(ragged):
    with pytest.warns(ro.RunoffWarning, match="1 of 3 tasks, which some algorithm lacks"):
        result = ro.inferential_intervals(ragged, n_resamples=200)
    assert result.tasks == ("t1", "t3")


def test_tasks_in_units_of_their_own_have_no_interval_of_one_algorithm():
    raw = {name: np.random.default_rng(ord(name)).normal(9, 1, (4, 3)) for name in "AB"}
    with pytest.raises(ro.DesignError, match=r"normalise the scores .* or declare that all have one unit"):
        ro.inferential_intervals(raw)


@pytest.mark.parametrize(
    ("tasks", "message"),
    [("tu", r"no task in common\.$"), ("ttu", r"in common: compare fewer of them \(scores\.select")],
)
def test_algorithms_without_a_common_task_are_refused(tasks: str, message: str):
    with pytest.raises(ro.DesignError, match=message):
        ro.inferential_intervals({name: {task: [1.0, 2.0]} for name, task in zip("ABC", tasks, strict=False)})


def test_one_algorithm_is_refused():
    with pytest.raises(ro.DesignError, match="two algorithms"):
        ro.inferential_intervals(ro.Scores.from_dict({"A": [1.0, 2.0]}))


def test_scores_that_are_all_equal_are_refused():
    with pytest.raises(ro.DesignError, match="nothing to compare"):
        ro.inferential_intervals(ro.Scores.from_dict({"A": [2.0, 2.0], "B": [2.0, 2.0]}))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("measure", "igm", "Did you mean 'iqm'"),
        ("test", "mackskillings", "Did you mean 'mack_skillings'"),
        ("formula", "modify", "modified, marasini, goldstein_healy"),
        ("interval", "bootstrap", "percentile, basic"),
        ("correction", "holms", "bonferroni"),
        ("alpha", 1.0, "strictly between 0 and 1"),
        ("confidence_level", 95, "strictly between 0 and 1"),
        ("n_resamples", 1, "at least 100"),
    ],
)
def test_bad_options_are_refused_with_what_is_known(scores, option, value, message):
    with pytest.raises(ro.OptionError, match=message):
        ro.inferential_intervals(scores, **{option: value})


def test_a_test_that_speaks_for_the_lower_estimate_is_named():
    a = np.array([10.0, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, -900.0])
    b = np.array([1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7])
    result = ro.inferential_intervals(
        ro.Scores.from_dict({"A": a, "B": b}), measure="mean", test="mack_skillings", n_resamples=500
    )
    assert (result.pairs[0].rejected, result.pairs[0].overlap) == (True, False)
    assert [d.reason for d in result.disagreements] == ["direction"]
    assert "favours the one with the lower estimate" in result.disagreements[0].sentence


def test_intervals_that_cannot_reach_each_other_are_named_with_the_reason():
    reading = read_factors([0.0, 1.0], [(-1.0, 0.0), (1.0, 2.0)], [UNDECIDED], "modified", 0.05)
    (disagreement,) = disagreements_of(("A", "B"), reading, [UNDECIDED], parse_metric("mean"), ["welch"])
    assert disagreement.reason == "no_width"
    assert disagreement.sentence.endswith(
        "but their intervals do not reach towards each other, so no factor makes them overlap."
    )


def test_equation_2_27_is_not_2_28_where_the_distance_is_not_one():
    assert factor(1.0, 1.8, 3.0, 0.7, 0.01, "marasini") == pytest.approx((2.0 + 0.01 - 0.05) / 2.5)
    assert factor(1.0, 1.8, 3.0, 0.7, 0.01, "modified") == pytest.approx(2.0 * 0.96 / 2.5)


def test_many_algorithms_take_a_programme_a_level_not_one_for_each_of_them(monkeypatch):
    solved, solve = [], inference.Programme.solve
    monkeypatch.setattr(inference.Programme, "solve", lambda *given: solved.append(1) or solve(*given))
    rng = np.random.default_rng(0)
    cells = {f"a{i}": {f"t{j}": rng.normal(i / 10, 1, 5) for j in range(4)} for i in range(16)}
    ro.inferential_intervals(cells, measure="mean")
    assert 1 < len(solved) < 64


def test_a_pair_whose_p_value_is_alpha_is_rejected_as_compare_rejects_it():
    data = {"A": [1.0, 2.0, 3.0, 4.0], "B": [5.0, 6.0, 7.0, 3.5]}
    exact = ro.inferential_intervals(data, measure="mean", test="permutation").pairs[0].pvalue_adjusted
    for alpha, rejected in ((exact, True), (float(np.nextafter(exact, 0)), False)):
        (pair,) = ro.inferential_intervals(data, measure="mean", test="permutation", alpha=alpha).pairs
        (judged,) = ro.compare(data, measure="mean", test="permutation", alpha=alpha).pairs
        assert pair.rejected is rejected is (judged.winner is not None)


def test_a_test_that_speaks_for_the_smaller_gap_agrees_with_the_intervals_of_gaps():
    data = ro.Scores.from_dict({"bad": [0.1, 0.2, 0.15, 0.12], "good": [0.9, 0.95, 0.92, 0.88]})
    result = ro.inferential_intervals(data, measure="optimality_gap", n_resamples=500)
    assert result.pairs[0].rejected
    assert [d.reason for d in result.disagreements] != ["direction"]
