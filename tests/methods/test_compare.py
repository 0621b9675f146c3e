from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff.answer.comparison import detectable_of
from runoff.errors import DesignError, OptionError
from runoff.exits.text import text_of


@pytest.mark.parametrize(
    ("counts", "chosen"),
    [
        ([(2, 2)], "jackknife"),
        ([(4, 4)], "jackknife"),
        ([(2, 3)], "jackknife"),
        ([(2, 2), (2, 2)], "jackknife"),
        ([(1, 3), (2, 2)], "mann_whitney"),
        ([(1, 3), (2, 2), (3, 2)], "jackknife"),
        ([(1, 1), (1, 1)], "jackknife"),
    ],
)
def test_auto_is_chosen_by_the_design_alone(counts, chosen):
    for seed in range(3):
        assert compared(counts, seed).test == chosen


def compared(counts, seed=0, *, bounded=False, **options):
    """A pair of these numbers of runs; bounded: of scores in [0, 1]."""
    rng = np.random.default_rng(seed)
    draw = (lambda side, n: rng.beta(1 + side, 2, n)) if bounded else (lambda side, n: rng.normal(side, 1, n))
    cells = [{f"t{i}": draw(side, n[side]) for i, n in enumerate(counts)} for side in (0, 1)]
    data = ro.Scores.from_dict({"A": cells[0], "B": cells[1]})
    return ro.compare(data, **({"n_resamples": 100} | options)).pairs[0]


@pytest.mark.parametrize(
    ("counts", "bounded", "measure"),
    [
        ([(3, 3)], False, "mean"),
        ([(3, 3)], True, "mean"),
        ([(3, 3)] * 2, True, "mean"),
        ([(2, 3)] * 3, True, "mean"),
        ([(2, 3)] * 4, True, "iqm"),
        ([(1, 3), (2, 2), (2, 2), (1, 1)], True, "iqm"),
        ([(3, 3)] * 2, False, "improvement"),
        ([(3, 3)] * 3, False, "improvement"),
    ],
)
def test_the_measure_is_chosen_by_the_design_and_the_unit_alone(counts, bounded, measure):
    for seed in range(3):
        assert compared(counts, seed, bounded=bounded).measure == measure


@pytest.mark.sampled(6)
@pytest.mark.parametrize("measure", ["mean", "iqm", "median", "trimmed_mean_10", "improvement"])
@pytest.mark.parametrize("counts", [[(4, 4)], [(2, 3)] * 3, [(3, 9), (5, 2)]], ids=str)
@pytest.mark.parametrize("n_seeds", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_the_p_value_is_at_most_alpha_exactly_where_the_interval_leaves_out_the_null_value(measure, counts, n_seeds):
    if measure == "median" and len(counts) == 1:
        measure = "mean"
    for seed in range(n_seeds):
        free = compared(counts, seed, measure=measure, correction="none")
        for alpha in (1.001 * free.pvalue, 0.999 * free.pvalue):
            if not 0 < alpha < 1:
                continue
            pair = compared(counts, seed, measure=measure, alpha=alpha)
            even = 0.5 if measure == "improvement" else 0.0
            left_out = pair.own_low is not None and not pair.own_low <= even <= pair.own_high
            assert left_out == (free.pvalue <= alpha), (seed, alpha, pair)


def test_an_adjusted_verdict_is_found_exactly_where_the_interval_that_decided_leaves_the_null_value_out(scores):
    for correction in ("holm", "bonferroni", "none"):
        for alpha in (0.001, 0.05, 0.3):
            for pair in ro.compare(scores, correction=correction, alpha=alpha).pairs:
                left_out = not pair.low <= 0 <= pair.high
                assert left_out == (pair.verdict != "no_difference_found")


def test_one_task_is_compared_by_welch_if_asked(scores):
    subset = scores.select(algorithms=["A", "C"], tasks=["task 1"])
    pair = ro.compare(subset, test="welch", n_resamples=200).pairs[0]
    expected = stats.ttest_ind(subset.cell("A", 0), subset.cell("C", 0), equal_var=False)
    assert (pair.test, pair.statistic, pair.pvalue) == (
        "welch",
        pytest.approx(expected.statistic),
        pytest.approx(expected.pvalue),
    )
    interval = expected.confidence_interval()
    assert (pair.own_low, pair.own_high) == pytest.approx((interval.low, interval.high))


@pytest.mark.usefixtures("few_relabellings")
@pytest.mark.parametrize("test", ["jackknife", "studentized_permutation"])
def test_several_tasks_are_compared_task_by_task(scores, test):
    result = ro.compare(scores, test="auto" if test == "jackknife" else test, n_resamples=2000)
    assert {pair.test for pair in result.pairs} == {test}
    assert [pair.verdict for pair in result.pairs] == ["no_difference_found", "b_better", "b_better"]


def test_mack_skillings_of_a_balanced_pair_is_equation_2_19(scores):
    pair = ro.compare(scores, test="mack_skillings", pairs=[("A", "C")], n_resamples=200).pairs[0]
    ranks = [stats.rankdata(np.concatenate([scores.cell("A", t), scores.cell("C", t)])) for t in range(4)]
    sums = [sum(r[:8].mean() for r in ranks), sum(r[8:].mean() for r in ranks)]
    total = 2 * 8 * 4
    expected = 12 / (2 * (total + 4)) * sum((s - (total + 4) / 2) ** 2 for s in sums)
    assert pair.statistic == pytest.approx(expected)


def test_p_values_are_adjusted_over_the_family(scores):
    result = ro.compare(scores, n_resamples=200)
    raw = sorted(pair.pvalue for pair in result.pairs)
    adjusted = sorted(pair.pvalue_adjusted for pair in result.pairs)
    assert adjusted[0] == pytest.approx(3 * raw[0])
    assert all(a >= p for a, p in zip(adjusted, raw, strict=True))


def test_a_control_is_compared_with_each_other_algorithm(scores):
    result = ro.compare(scores, control="B", n_resamples=200)
    assert [(pair.a, pair.b) for pair in result.pairs] == [("A", "B"), ("C", "B")]
    assert result.pairs[1].verdict == "a_better"


def test_no_difference_found_says_what_would_have_been_found(scores):
    for measure in ("mean", "iqm", "improvement"):
        pair = ro.compare(scores, measure=measure)["A", "B"]
        size = pair.detectable_difference + (0.5 if measure == "improvement" else 0)
        assert "No difference was found" in pair.sentence
        shown = f"{100 * size:.3g}\u00a0%" if measure == "improvement" else f"{size:.3g}"
        assert f" is {shown} (80\u00a0% power); smaller" in pair.sentence
        assert "equal" not in pair.sentence


def test_a_pair_uses_the_tasks_both_have(ragged):
    pair = ro.compare(ragged, n_resamples=200).pairs[0]
    assert (pair.n_tasks, pair.n_runs_a, pair.n_runs_b) == (2, (3, 5), (4, 7))


def test_relabelling_the_pair_turns_every_sign(scores):
    first, other = (ro.compare(scores, pairs=[pair], n_resamples=2000).pairs[0] for pair in (("A", "C"), ("C", "A")))
    assert (first.pvalue, first.difference, first.improvement) == pytest.approx(
        (other.pvalue, -other.difference, 1 - other.improvement)
    )
    assert (first.verdict, other.verdict) == ("b_better", "a_better")


@pytest.mark.parametrize("test", ["welch", "van_elteren", "stratified_permutation"])
def test_other_tests_find_the_clear_difference(scores, test):
    pair = ro.compare(scores, test=test, pairs=[("C", "A")], n_resamples=2000).pairs[0]
    assert (pair.test, pair.verdict) == (test, "a_better")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("test", ["student", "yuen", "mann_whitney", "brunner_munzel", "permutation", "bootstrap"])
def test_two_sample_tests_need_one_task(scores, test):
    with pytest.raises(DesignError, match="share 4"):
        ro.compare(scores, test=test)
    assert ro.compare(scores.select(tasks=["task 1"]), test=test, n_resamples=2000)["A", "C"].verdict == "b_better"


def test_one_algorithm_cannot_be_compared(scores):
    with pytest.raises(DesignError, match="needs two algorithms; the data have one, 'A'"):
        ro.compare(scores.select(algorithms=["A"]))


def test_a_pair_without_a_shared_task_is_refused_by_name():
    data = ro.Scores.from_dict({"A": {"x": [1.0, 2.0]}, "B": {"y": [1.0, 2.0]}})
    with pytest.raises(DesignError, match="'A' and 'B' have no task in common"):
        ro.compare(data)


def test_constant_scores_are_refused():
    with pytest.raises(DesignError, match="all 4 scores are equal"):
        ro.compare(ro.Scores.from_dict({"A": [2.0, 2.0], "B": [2.0, 2.0]}))


def test_runs_that_are_constant_but_apart_have_a_defined_answer():
    pair = ro.compare(ro.Scores.from_dict({"A": [1.0] * 3, "B": [2.0] * 3}), n_resamples=200).pairs[0]
    assert (pair.verdict, pair.pvalue, pair.pvalue_adjusted) == ("no_verdict", None, None)
    assert (pair.difference_low, pair.detectable_difference) == (None, None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 5}, "alpha must lie strictly between 0 and 1, not 5"),
        ({"test": "welsh"}, "Did you mean 'welch'"),
        ({"test": "kolmogorov_smirnov"}, "test must be one of"),
        ({"correction": "hom"}, "correction must be one of"),
        ({"pairs": "some"}, "pairs must be 'all'"),
        ({"pairs": [("A", "A")]}, "two different names"),
        ({"pairs": [("A", "B")], "control": "C"}, "either pairs or a control"),
        ({"control": "a"}, "Did you mean 'A'"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(scores, options, words):
    with pytest.raises((OptionError, DesignError), match=words):
        ro.compare(scores, **options)


def test_improvement_of_a_pair_is_that_of_the_method_of_its_own(scores):
    pair = ro.compare(scores, n_resamples=500)["A", "C"]
    record = ro.probability_of_improvement(scores, pairs=[("A", "C")]).rows[0]
    assert (pair.improvement, pair.improvement_low) == (record.estimate, record.low)


def test_a_p_value_is_never_zero_however_far_apart_the_runs_are():
    rng = np.random.default_rng(0)
    cells = {t: rng.normal(size=50) for t in ("x", "y", "z")}
    scores = ro.Scores.from_dict({"A": cells, "B": {t: 1e12 + c for t, c in cells.items()}})
    for test in ("mack_skillings", "welch", "van_elteren"):
        assert 0 < ro.compare(scores, test=test, n_resamples=100).pairs[0].pvalue < 1e-20


def test_a_pair_without_a_shared_task_is_refused_with_what_the_first_has():
    data = ro.Scores.from_dict({"A": {"x": [1.0, 2.0], "y": [1.0, 2.0]}, "B": {"z": [1.0, 2.0]}})
    with pytest.raises(ro.DesignError, match=r"'A' and 'B' have no task in common \('A' has 'x' and 1 more\)"):
        ro.compare(data)


def test_a_design_that_can_tell_nothing_apart_says_so_in_the_sentence_and_by_a_code():
    data = ro.Scores.from_dict({"A": [10.0, 11], "B": [0.0, 1.0, 2.0]})
    pair = ro.compare(data, test="studentized_permutation", n_resamples=100).pairs[0]
    assert (
        "No runs of this design could have shown one: the smallest p-value that the studentised permutation test"
        in pair.sentence
    )
    assert "can give is 0.1, above the 0.05. Add runs." in pair.sentence
    assert (pair.detectable_difference, "80\u00a0% power" in pair.sentence) == (None, False)
    (code,) = [a for a in pair.advice if a.code == "R016"]
    assert code.text.startswith(
        "add runs: the studentised permutation test cannot find a difference between 'A' and 'B' whatever the runs are;"
    )
    assert code.text.endswith("the smallest p-value it can give is 0.1, and the first pair has to reach 0.05.")


@pytest.mark.slow
def test_in_a_family_too_large_for_its_runs_fewer_pairs_are_advised():
    data = ro.Scores.from_dict(
        {name: {"t": np.arange(4.0) + i, "u": [1.0 * i, 2.0]} for i, name in enumerate("ABCDEFGH")}
    )
    (pair, *_) = ro.compare(
        data, test="studentized_permutation", correction="bonferroni", alpha=0.01, n_resamples=9999
    ).pairs
    (code,) = [a for a in pair.advice if a.code == "R016"]
    assert code.text.startswith("add runs, or compare fewer pairs: the studentised")
    assert "above the 0.00036 that the first pair of the family has to reach" in pair.sentence


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pairs": []}, "pairs must be 'all' or a sequence"),
        ({"pairs": None}, "pairs must be 'all' or a sequence"),
        ({"pairs": [("A", "B"), ("B", "A")]}, "the pair of 'B' and 'A' is named twice"),
        ({"control": 3}, "an algorithm is given by its name, not 3"),
        ({"n_resamples": 10**11}, "at most 10,000,000"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(scores, options, words):
    with pytest.raises(OptionError, match=words):
        ro.compare(scores, **options)


@pytest.mark.parametrize("scale", [1e80, 1e-80])
def test_scores_whose_squares_are_no_numbers_are_refused(scale):
    with pytest.raises(ro.DataError, match="choose another unit"):
        ro.Scores.from_dict({"A": [1 * scale, 2 * scale], "B": [0.0, 3 * scale]})


@pytest.mark.parametrize("measure", ["mean", "improvement"])
@pytest.mark.parametrize("scale", [1e-70, 1e-9, 1e9, 1e12, 1e20, 1e70])
def test_the_unit_of_the_scores_changes_no_answer(scale, measure):
    """Times in nanoseconds are as good as seconds."""
    rng = np.random.default_rng(0)
    cells = {a: {t: rng.normal(a == "A", 1, 5) for t in "xy"} for a in "AB"}
    here, there = (
        ro.compare(
            ro.Scores.from_dict({a: {t: s * c for t, c in row.items()} for a, row in cells.items()}), measure=measure
        )
        for s in (1.0, scale)
    )
    assert there.pairs[0].pvalue == pytest.approx(here.pairs[0].pvalue)
    assert here.pairs[0].verdict == there.pairs[0].verdict
    assert there.pairs[0].difference_low == pytest.approx(scale * here.pairs[0].difference_low)


def test_single_runs_that_are_apart_are_advised_on_neither_separation_nor_spread():
    single = ro.Scores.from_dict({"A": {"t": [3.0], "u": [4.0]}, "B": {"t": [1.0], "u": [2.0]}})
    assert not {"R014", "R011"} & {a.code for a in ro.compare(single, n_resamples=100).pairs[0].advice}


def test_the_message_about_a_measure_blames_the_option_that_was_named():
    scores = ro.Scores.from_dict({"A": [[1.0, 2.0], [2.0, 4.0]], "B": [[3.0, 1.0], [4.0, 2.0]]})
    with pytest.raises(OptionError, match="welch' is about means, not about the IQM"):
        ro.compare(scores, measure="iqm", test="welch")


def test_the_improvement_of_rates_has_half_the_detectable_difference_of_the_rates():
    rates = ro.Scores.from_dict(
        {name: (np.arange(40).reshape(8, 5) % 7 < k).astype(float) for name, k in (("A", 3), ("B", 4))}
    )
    of_means, of_chances = (ro.compare(rates, measure=m).pairs[0] for m in ("mean", "improvement"))
    assert of_chances.detectable_difference == pytest.approx(of_means.detectable_difference / 2)


@pytest.mark.parametrize(("top", "there"), [(1.0, False), (1.2, True)])
def test_an_optimality_gap_says_more_than_a_mean_only_where_a_score_is_beyond_1(top, there):
    rng = np.random.default_rng(0)
    data = {name: rng.random((4, 3)) for name in "AB"}
    data["A"][0, 0] = top
    scores = ro.Scores.from_dict(data)
    scores = scores.normalize(dict.fromkeys(scores.tasks, (0.0, 1.0)), assume_raw=True)
    (pair,) = ro.compare(scores).pairs
    assert ("optimality_gap" in {reading.measure for reading in pair.other_readings}) == there


@pytest.mark.parametrize("seed", range(4))
def test_of_scores_below_1_an_optimality_gap_is_the_mean_turned(seed):
    rng = np.random.default_rng(seed)
    data = {
        name: rng.uniform(0.1 * at, 0.5 + 0.1 * at, (3, 3)) for at, name in enumerate(rng.permutation(list("ABCD")))
    }
    by_gap, by_mean = (ro.compare(data, measure=measure) for measure in ("optimality_gap", "mean"))
    for gap, mean in zip(by_gap.pairs, by_mean.pairs, strict=True):
        assert (gap.verdict, gap.ahead.a, gap.lead_tasks) == (mean.verdict, mean.ahead.a, mean.lead_tasks)
        assert (gap.estimate, gap.own_low, gap.own_high) == pytest.approx(
            (-mean.estimate, -mean.own_high, -mean.own_low)
        )
        assert (gap.pvalue, gap.outlook, gap.needed_runs) == (
            pytest.approx(mean.pvalue),
            mean.outlook,
            mean.needed_runs,
        )
    assert [name for name, _ in by_gap.values] == [name for name, _ in by_mean.values]
    assert by_gap.standing.places == by_mean.standing.places
    assert {pair.winner is None for pair in by_mean.pairs} == {True, False}


SOME = {
    name: {f"t{i}": [base + 0.1 * run + 0.01 * i for run in range(4)] for i in tasks}
    for name, base, tasks in (("A", 3.0, range(9)), ("B", 1.0, range(3, 12)), ("C", 1.0, [4]))
}


@pytest.mark.parametrize(
    ("over", "pair", "where"),
    [
        ("runs", ("A", "B"), "over the 6 of 12 tasks that both have"),
        ("runs", ("B", "C"), "over t4, the only one of 12 tasks that both have"),
        ("tasks", ("A", "B"), "over tasks like the 6 of 12 tasks that both have"),
    ],
)
def test_a_pair_says_on_how_many_tasks_both_were_run_where_it_is_not_all(over, pair, where):
    scores = ro.Scores.from_dict(SOME, score_unit="shared")
    assert where in ro.compare(scores, over=over, pairs=[pair]).pairs[0].sentence
    alone = ro.compare(scores.select(algorithms=["C"]).rename(algorithms={"C": "D"}).to_dict() | {"C": SOME["C"]})
    assert "that both have" not in alone.pairs[0].sentence


def test_no_rates_differ_by_more_than_one():
    runs = {"A": [1, 0, 1], "B": [1, 0, 0]}
    scores = ro.Scores.from_dict({name: np.array([runs[name]] * 4).T for name in runs}, runs="shared")
    (pair,) = ro.compare(scores).pairs
    assert pair.detectable_difference > 1
    assert type(pair.detectable_difference) is float
    assert (
        "With the spread of these runs, no true difference of success rates is detectable (80\u00a0% power)."
        in pair.sentence
    )
    assert [text_of(detectable_of(replace(pair, detectable_difference=size))) for size in (0.4, 1.0)] == ["0.4", "> 1"]


def test_no_chance_is_more_than_one_half_above_an_even_one_and_scores_have_no_largest_difference():
    for measure, shown in (
        ("improvement", ["80\u00a0%", "> 100\u00a0%", "> 100\u00a0%"]),
        ("mean", ["0.3", "0.5", "7"]),
    ):
        (pair,) = ro.compare({"A": [1.0, 4.0, 3.0], "B": [2.0, 1.5, 2.5]}, measure=measure).pairs
        own = [replace(pair, detectable_difference=size) for size in (0.3, 0.5, 7.0)]
        assert [text_of(detectable_of(other)) for other in own] == shown


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))])
def test_the_detectable_difference_of_a_pair_of_three_is_that_of_the_pair_alone_at_a_third_of_alpha(seed):
    rng = np.random.default_rng(seed)
    data = {"A": rng.normal(9.0, 1.0, 9), "B": rng.normal(0.0, 2.0 ** rng.normal(), 3), "C": rng.normal(0.0, 1.0, 5)}
    for pair in ro.compare(data, correction="holm", alpha=0.06).pairs:
        (alone,) = ro.compare({name: data[name] for name in (pair.a, pair.b)}, alpha=0.02).pairs
        assert pair.detectable_difference == pytest.approx(alone.detectable_difference)


@pytest.mark.parametrize(("n", "against"), [(1, "B"), (2, "B and C"), (3, "B, C and D"), (4, "the other 4")])
def test_a_leader_compared_with_a_control_alone_is_not_found_above_the_others(n, against):
    rng = np.random.default_rng(0)
    scores = ro.Scores.from_dict({name: rng.normal(9 - k, 0.1, (5, 3)) for k, name in enumerate("ABCDEF"[: n + 2])})
    real = ro.compare(scores, control="ABCDEF"[n + 1]).real
    assert (real.holds, real.sentence.partition("; ")[2]) == (None, f"against {against} it was not tested.")
    assert ro.compare(scores, control="A").real.holds


PLATEAU = {"A": [1.0, 1.0, 0.25, 1.0, 1.0], "B": [0.5, 0.5, 0.5, 0.05, 0.5]}
"""Most runs of each reach one score, and few fail: the runs that an IQM keeps are equal."""


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize(
    ("runs", "why", "repair"),
    [
        (PLATEAU, "whichever run is left out, their IQMs stay the same", "Compare means (compare(measure='mean'))."),
        (
            {"A": [0.5] * 5, "B": [0.6] * 5},
            "none of their runs differs from another of its cell",
            "Look whether the seed of a run has an effect.",
        ),
    ],
)
def test_a_measure_without_an_error_has_no_verdict_but_its_reason(runs, why, repair):
    shift = np.random.default_rng(0).permutation
    two = {name: np.stack([shift(cell) for _ in range(6)], axis=1) for name, cell in runs.items()}
    third = {"C": np.random.default_rng(1).random((5, 6))} if why.startswith("none") else {}
    pair = ro.compare(ro.Scores.from_dict(two | third, score_unit="shared"))["A", "B"]
    assert (pair.verdict, pair.unjudged, pair.own_low, pair.detectable_difference) == ("no_verdict", why, None, None)
    assert pair.sentence.startswith(f"No verdict is given between A and B because {why} (difference of IQMs ")
    assert pair.sentence.endswith(f". {repair}")
    assert "R011" in {advice.code for advice in pair.advice}
    by_means = ro.compare(ro.Scores.from_dict(two | third, score_unit="shared"), measure="mean")["A", "B"]
    read = next(reading for reading in by_means.other_readings if reading.measure == "iqm")
    assert (read.verdict, read.pvalue_adjusted) == ("no_verdict", None)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"over": "tasks"},
        {"strata": {f"t{i}": "u" if i < 3 else "v" for i in range(26)}},
        {"measure": "mean", "score_unit": "shared"},
    ],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_the_values_of_algorithms_do_not_depend_on_which_pairs_are_tested(options, seed):
    rng = np.random.default_rng(seed)
    tasks = {f"t{i}": 10.0**i if len(options) < 2 else 1.0 for i in range(26)}
    data = {
        name: {t: scale * rng.normal(0.3 * at, 1, 4) for t, scale in tasks.items()} for at, name in enumerate("ABCD")
    }
    whole = ro.compare(data, **options)
    for control in "ABCD":
        assert dict(ro.compare(data, control=control, **options).values) == pytest.approx(dict(whole.values), rel=1e-12)
    some = ro.compare(data, pairs=[("A", "B"), ("D", "C")], **options)
    assert dict(some.values) == pytest.approx(dict(whole.values), rel=1e-12)


def test_the_leader_by_chances_is_not_the_control_for_being_tested_alone():
    runs = np.arange(6.0)
    data = {"control": {"x": runs + 4, "y": 10 * runs}, "ours": {"x": runs + 5, "y": 10 * runs + 1}}
    data |= {name: {"x": runs - 9 * at, "y": runs - 10 * at} for at, name in enumerate("PQ")}
    result = ro.compare(data, control="control")
    assert result.values[0][0] == "ours"
    assert result.sentence.startswith(
        "ours has the highest chance to beat a run of another, but these runs cannot tell it from control"
    )


def test_one_that_is_level_with_the_leader_and_was_not_tested_shares_the_lead_in_words():
    data = {"base": [1.0, 2.0, 3.0, 4.0, 2.0], "x": [5.0, 6.0, 7.0, 8.0, 9.0], "y": [9.0, 8.0, 7.0, 6.0, 5.0]}
    sentence = ro.compare(data, control="base").sentence
    assert sentence.startswith("x and y have the highest mean, 4.6 above base")
    assert sentence.endswith("x was not tested against y.")
    data["y"] = [value - 1 for value in data["y"]]
    assert ro.compare(data, control="base").sentence.startswith("x has the highest mean")


def test_an_interval_that_is_printed_is_not_denied_by_advice_on_single_runs():
    data = {
        "A": {"t0": [1, 2, 3, 4, 5.0], "t1": [3.0], "t2": [4.0]},
        "B": {"t0": [3, 4, 5, 6, 7.5], "t1": [1, 2.0], "t2": [2, 3.0]},
    }
    pair = ro.compare(data).pairs[0]
    (advice,) = (item.text for item in pair.advice if item.code == "R002")
    assert pair.low is not None
    assert advice.endswith("so it is compared on the other 1 task.")


def test_equal_p_values_have_one_interval_whatever_the_names():
    # Five runs of each lie as far from their neighbours in every pair, so that rounding errors alone order the p-values.
    base = np.array([0.1, 0.35, 0.2, 0.55, 0.3])
    for names in ("abcd", "dbca", "cadb"):
        data = {name: base + 3 * at + np.array([0, 1e-16, 0, -1e-16, 0]) for at, name in enumerate(names)}
        pairs = ro.compare(data, correction="holm").pairs
        by_gap: dict[float, set[float]] = {}
        for pair in pairs:
            by_gap.setdefault(round(abs(pair.difference), 6), set()).add(round(pair.high - pair.low, 6))
        assert {gap: len(widths) for gap, widths in by_gap.items()} == {3.0: 1, 6.0: 1, 9.0: 1}


@pytest.mark.parametrize("test", ["mack_skillings", "van_elteren"])
def test_an_interval_on_the_other_side_of_a_verdict_is_not_printed(test):
    # A rank test weighs tasks by their runs, a chance all alike: A wins the one with twenty, B three with three.
    rng = np.random.default_rng(1)
    data = {"A": {"t0": rng.normal(5, 1, 20)}, "B": {"t0": rng.normal(0, 1, 20)}}
    for name, centre in (("A", 0), ("B", 5)):
        data[name] |= {f"t{i}": rng.normal(centre, 1, 3) for i in range(1, 4)}
    pair = ro.compare(data, test=test)["A", "B"]
    assert (pair.winner, pair.spoken) == ("A", (None, None))
    assert pair.own_high < 0.5
    assert pair.turned().spoken == (None, None)
    assert "25 % [" not in text_of(ro.compare(data, test=test))


@pytest.mark.parametrize(
    ("shared", "options"),
    [
        (0, {}),
        (1, {"strata": 2}),
        (5, {"over": "tasks"}),
        (5, {"over": "tasks", "measure": "improvement"}),
        (1, {"measure": "improvement"}),
    ],
)
def test_pairs_that_cannot_be_compared_do_not_stop_those_of_a_control_that_can(shared, options):
    rng = np.random.default_rng(0)
    tasks = [f"t{i:02}" for i in range(60)]
    own = (
        {"A": tasks, "B": tasks[:35], "C": tasks[35 - shared :]}
        if options
        else {"A": tasks, "B": tasks[:30], "C": tasks[30:]}
    )
    data = {name: {t: rng.normal("CBA".index(name), 1, 4).tolist() for t in names} for name, names in own.items()}
    if "strata" in options:
        options = {"strata": {t: f"s{i % 2}" for i, t in enumerate(tasks)}}
    result = ro.compare(data, control="A", **options)
    assert result.leader == "A"
    assert result.values[0][0] == "A"
    assert len(result.pairs) == 2


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_every_task_is_won_tied_or_lost(order):
    cells = {"A": [[1.0, 5.0, 2.0, 0.0], [3.0, 6.0, 2.0, 1.0]], "B": [[2.0, 1.0, 2.0, 4.0], [2.0, 2.0, 2.0, 3.0]]}
    pair = ro.compare({name: cells[name] for name in order})[0]
    assert (pair.wins, pair.ties, pair.losses) == (1, 2, 1)
    assert {pair.a, pair.b} == {"A", "B"}
