"""What a pair of a family has to reach, and what is said where its design cannot."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.family import CORRECTIONS, adjust, best_level, decided_levels, first_level

SMALL = {"A": [1.0, 1.1], "B": [5, 5.1, 5.3, 5.4, 5.5, 5.2, 5.6, 5.7, 5.8], "C": [9, 9.1, 9.2, 9.4]}


@pytest.mark.parametrize(
    ("correction", "first", "best"),
    [
        ("holm", 0.01, 0.03),
        ("shaffer", 0.01, 0.03),
        ("bonferroni", 0.01, 0.01),
        ("bh", 0.01, 0.03),
        ("none", 0.03, 0.03),
        ("by", 0.01 * 6 / 11, 0.03 * 6 / 11),
    ],
)
def test_the_levels_of_three_pairs_at_three_per_cent(correction, first, best):
    assert first_level(0.03, 3, correction) == pytest.approx(first)
    assert best_level(0.03, correction, [None, 1e-6, 1e-3]) == pytest.approx(best)


def test_where_no_pair_can_be_the_first_of_the_family_none_can_be_found():
    assert best_level(0.03, "holm", [0.02, 0.02, 0.015]) == pytest.approx(0.01)
    assert best_level(0.03, "bh", [0.02, 0.02, 0.015]) == pytest.approx(0.03)  # all together
    assert best_level(0.05, "holm", [0.0286, 1e-9, 0.0286]) == pytest.approx(0.025)  # the other two block each other


@pytest.mark.parametrize("seed", range(20))
def test_shaffers_correction_is_the_closure_of_bonferronis_over_partitions_of_three_algorithms(seed):
    p = np.random.default_rng(seed).random(3) ** (seed % 4 + 1)
    # Of three values either all are equal, or one pair alone.
    closed = [min(1.0, max(p[i], 3 * p.min())) for i in range(3)]
    assert adjust(p, "shaffer") == pytest.approx(closed)
    alpha = 0.2
    levels = decided_levels(p.tolist(), closed, "shaffer", alpha)
    assert [level >= value for level, value in zip(levels, p, strict=True)] == [q <= alpha for q in closed]
    assert set(levels) <= {alpha / 3, alpha}


def test_three_algorithms_with_a_value_each_have_shaffers_correction_and_others_holms():
    rng = np.random.default_rng(0)
    three = {name: {f"t{t}": rng.normal(t, 1, 4).tolist() for t in range(3)} for name in "ABC"}
    missing = three | {"C": {"t0": three["C"]["t0"]}}
    kinds = [
        ro.compare(ro.Scores.from_dict(three), measure="mean"),
        ro.compare(ro.Scores.from_dict(three), measure="improvement"),
        ro.compare(ro.Scores.from_dict(missing), measure="mean"),
        ro.compare(ro.Scores.from_dict(three), measure="mean", control="A"),
        ro.compare(ro.Scores.from_dict(three | {"D": three["A"]}), measure="mean", control="A"),
    ]
    assert [kind.correction for kind in kinds] == ["shaffer", "holm", "holm", "holm", "holm"]
    with pytest.raises(ro.OptionError, match="all pairs of three algorithms that have a value each on the same tasks"):
        ro.compare(ro.Scores.from_dict(three), measure="improvement", correction="shaffer")


def test_equivalence_of_three_has_holms_correction_and_differences_those_of_compare():
    scores = ro.Scores.from_dict({"A": [1.0, 1.2, 1.4, 1.1], "B": [1.1, 1.3, 1.5, 1.2], "C": [5.0, 5.2, 5.1, 5.4]})
    pairs = ro.equivalence(scores, margin=1.0).pairs
    assert [pair.pvalue_adjusted for pair in pairs] == [pair.pvalue_adjusted for pair in ro.compare(scores).pairs]
    assert sorted(pair.pvalue_equivalence_adjusted for pair in pairs)[0] == pytest.approx(
        3 * min(pair.pvalue_equivalence for pair in pairs)
    )


def test_a_pair_that_was_told_apart_is_not_said_to_be_beyond_reach():
    pair = ro.compare(ro.Scores.from_dict(SMALL))["A", "B"]
    assert pair.verdict == "b_better"
    assert "R016" not in {advice.code for advice in pair.advice}


def test_benjamini_and_yekutielis_factor_counts_in_what_can_be_found():
    separate = ro.Scores.from_dict({"A": [1.0, 1.1, 1.2, 1.3], "B": [5, 5.1, 5.3, 5.4], "C": [9, 9.1, 9.2, 9.4]})
    assert {pair.verdict for pair in ro.compare(separate, correction="by", test="studentized_permutation").pairs} == {
        "no_difference_found"
    }
    sentence = ro.compare(separate, correction="by", test="studentized_permutation").pairs[0].sentence
    assert "No runs of this design could have shown one" in sentence
    assert "80\u00a0% power" not in sentence


def test_a_limit_of_draws_is_not_blamed_on_the_runs():
    far = ro.Scores.from_dict({f"A{j}": np.random.default_rng(j).normal(10 * j, 1, 12) for j in range(2)})
    pair = ro.compare(far, test="studentized_permutation", alpha=1e-5).pairs[0]
    assert pair.verdict == "no_difference_found"
    assert "Draw more (n_resamples=)" in pair.sentence
    assert "Add runs" not in pair.sentence


def test_where_means_and_ranks_point_apart_the_other_measure_is_said():
    few_high = ro.Scores.from_dict({"A": [0.0] * 8 + [100.0, 120.0], "B": [1.0] * 3 + [2.0] * 7})
    cases = (("welch", "a_better", "B leads by the prob"), ("mann_whitney", "b_better", "A leads by the mean"))
    for test, verdict, words in cases:
        pair = ro.compare(few_high, alpha=0.3, test=test).pairs[0]
        assert (pair.difference > 0, pair.improvement > 0.5, pair.verdict) == (True, False, verdict)
        assert pair.other_measures.holds is False
        assert words in pair.other_measures.sentence


def test_the_sign_of_a_small_difference_survives_a_large_offset():
    e, rng = 2.0**-23, np.random.default_rng(40)
    cells = [
        {f"t{t}": 1e9 + e * rng.integers(low, low + 3, int(rng.integers(2, 20))) for t in range(17)} for low in (0, 1)
    ]
    pair = ro.compare(ro.Scores.from_dict({"A": cells[0], "B": cells[1]}), n_resamples=1_000).pairs[0]
    exact = np.mean([np.mean((cells[0][t] - 1e9) / e) - np.mean((cells[1][t] - 1e9) / e) for t in cells[0]])
    assert pair.difference == pytest.approx(exact * e, rel=1e-6)
    assert np.sign(pair.statistic) == np.sign(pair.difference)


@pytest.mark.parametrize(("n", "m", "warned"), [(3, 3, True), (2, 5, True), (5, 5, False)])
def test_a_t_law_on_the_ranks_of_too_few_runs_is_told_of_pairs_too(n, m, warned):
    pair = ro.compare(ro.Scores.from_dict({"A": list(range(n)), "B": list(range(9, 9 + m))}), test="ranked_t").pairs[0]
    assert ("R109" in {advice.code for advice in pair.advice}) == warned


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_a_pair_reaches_its_level_exactly_where_the_family_finds_it(correction):
    rng, counts = np.random.default_rng(0), set()
    for trial in range(300):
        p = rng.random(3 if correction == "shaffer" else trial % 6 + 1) ** (trial % 4 + 1)
        adjusted = adjust(p, correction)
        levels = decided_levels(p.tolist(), adjusted.tolist(), correction, 0.2)
        assert (p <= np.array(levels) * (1 + 1e-12)).tolist() == (adjusted <= 0.2).tolist(), p
        counts.add(int((adjusted <= 0.2).sum()))
    assert {0, 1, 2, 3} <= counts


@pytest.mark.parametrize("correction", ["holm", "shaffer"])
def test_equal_pvalues_have_one_level(correction):
    for p in ([0.01, 0.2, 0.01], [0.01, 0.01, 0.01], [0.2, 0.03, 0.2]):
        levels = decided_levels(p, adjust(np.array(p), correction).tolist(), correction, 0.05)
        assert len({*zip(p, levels, strict=True)}) == len(set(p))
    assert levels[1] == 0.05 / 3


@pytest.mark.parametrize("measure", ["mean", "iqm", "improvement"])
@pytest.mark.parametrize("scores", ["runs", "rates", "one task of rates"])
def test_at_levels_above_the_power_any_difference_is_detected(measure, scores):
    """Chance alone finds it then, whatever the runs are."""
    rng = np.random.default_rng(4)
    tasks = "s" if "one" in scores else "stu"
    drawn = {name: {task: rng.normal(0, 1, 6) for task in tasks} for name in "AB"}
    if "rates" in scores:
        drawn = {name: {task: (cell > 0) * 1.0 for task, cell in own.items()} for name, own in drawn.items()}
    assert ro.compare(drawn, measure=measure, alpha=0.79)[0].detectable_difference > 0
    assert ro.compare(drawn, measure=measure, alpha=0.9)[0].detectable_difference == 0
