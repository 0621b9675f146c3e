"""`anytime`: claims that hold however often one looks, and refusals of what would not be batches of one experiment."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

import runoff as ro
from runoff.methods.anytime import FOUND
from runoff.words.numbers import digits
from tools.site.tables import read

RNG = np.random.default_rng(5)
MEANS = {"A": 0.0, "B": 0.1, "C": 4.0}


def one_batch(names="ABC", n=5, tasks=("T", "U")):
    return {name: {task: RNG.normal(MEANS[name], 1, n) for task in tasks} for name in names}


BATCHES = [one_batch() for _ in range(3)]


@cache
def after(n):
    """What is said after the first batches."""
    return ro.anytime(BATCHES[:n])


def named(batch, seed):
    rows = [
        (name, task, f"{seed}-{i}", float(score))
        for name, by_task in batch.items()
        for task, cell in by_task.items()
        for i, score in enumerate(cell)
    ]
    return dict(zip(("algorithm", "task", "run", "score"), map(list, zip(*rows, strict=True)), strict=True))


def test_a_large_difference_is_found_and_a_small_one_is_not():
    result = after(3)
    assert [(p.a, p.b, p.decision) for p in result.pairs] == [
        ("A", "B", "go_on"),
        ("A", "C", "b_better"),
        ("B", "C", "b_better"),
    ]
    assert result.sentence.startswith(
        "After 3 batches C is better than A; C is better than B; 1 pair is not decided yet: "
    )
    assert [pair.more_batches is None for pair in result.pairs[1:]] == [True, True]


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (
            1.0,
            r"not.* decided yet: if differences and spreads stay as they are, about \d+ further batch(es)? would decide",
        ),
        (0.0, "nothing is decided yet: if .* as they are, over 100 further batches would decide"),
    ],
)
def test_an_open_answer_says_how_many_more_batches_and_names_planned_looks(ahead, words):
    cell = np.array([-1.2, -0.4, 0.1, 0.5, 1.0])
    result = ro.anytime([{"A": cell + ahead, "B": [*cell[:4], 1.01]}])
    assert re.search(words, result.sentence)
    assert (result.pairs[0].more_batches is None) == (ahead == 0.0)
    assert result.notes[0].startswith(
        "Planned looks (ro.SequentialDesign(looks=(5, 10, 15, 20))) find more with the same runs"
    )
    assert ro.anytime([{"A": cell + ahead + 9 * k, "B": cell - 9 * k} for k in (1, 2, 3)]).notes == ()


def test_success_rates_of_one_task_are_sent_to_the_boundary_on_counts():
    runs = {"A": {"t": [0.0, 1.0, 0.0]}, "B": {"t": [1.0, 1.0, 0.0]}}
    (note,) = ro.anytime([ro.Scores.from_dict(runs, unit="episode")]).notes
    assert "find more with the same episodes" in note
    (note,) = ro.anytime([ro.Scores.from_dict(runs)]).notes
    assert "find more with the same runs" in note


def test_the_price_that_is_named_is_that_of_the_table():
    table = {tuple(row[:3]): row[3] for row in read("anytime_price")}
    planned, anytime = FOUND
    assert table["1 σ", "planned looks, each 5 runs", "20"] == f"{planned:.2f}"
    assert table["1 σ", "any time, batches of 5", "20"] == f"{anytime:.2f}"


def test_interval_decision_and_p_value_say_the_same():
    for pair in after(3).pairs:
        decided = pair.decision != "go_on"
        assert decided == (pair.pvalue_adjusted <= 0.05)
        assert decided == (pair.low > 0 or pair.high < 0)
        assert pair.low < pair.difference < pair.high


def test_evidence_for_neither_is_no_p_value_above_1():
    same = {"T": [1.0, 2.0, 3.0, 4.0], "U": [4.0, 5.0, 7.0, 9.0]}
    pair = ro.anytime(
        [{"A": same, "B": same | {"T": [1.0, 2.0, 3.0, 4.1]}}, {"A": same | {"T": [1.0, 2.0, 3.0, 4.1]}, "B": same}]
    )[0]
    assert (pair.pvalue, pair.pvalue_adjusted) == (1.0, 1.0)


def test_what_was_said_of_early_batches_stays_when_more_come():
    early, late = (after(k)["A", "C"] for k in (2, 3))
    assert late.pvalue <= early.pvalue
    assert early.high is None or late.high <= early.high
    assert [p.e_value for p in after(2).trajectory if p.b == "C"] == pytest.approx(
        [p.e_value for p in after(3).trajectory if p.b == "C" and p.batch < 3]
    )


def test_the_order_of_rows_and_algorithms_does_not_matter():
    few = [one_batch(n=3) for _ in range(2)]
    turned = [{name: {t: cell[::-1] for t, cell in batch[name].items()} for name in "CBA"} for batch in few]
    ahead, behind = ro.anytime(few)["A", "C"], ro.anytime(turned)["C", "A"]
    assert (ahead.a, behind.a) == ("A", "C")
    assert ahead.e_value == pytest.approx(behind.e_value)
    assert (ahead.low, ahead.high) == pytest.approx((-behind.high, -behind.low))


def test_a_pair_is_turned_round():
    result = after(3)
    ahead, behind = result["C", "A"], result["A", "C"]
    assert (ahead.decision, behind.decision) == ("a_better", "b_better")
    assert (ahead.difference, ahead.low, ahead.high) == (-behind.difference, -behind.high, -behind.low)
    assert ahead.sentence == behind.sentence
    assert result["B", "A"].sentence.startswith("B and A: not decided yet (difference B − A ")
    with pytest.raises(KeyError, match="there is no 'D'"):
        result["A", "D"]


def test_an_algorithm_may_leave():
    result = ro.anytime([*BATCHES, one_batch("AB")])
    assert [result[*names].n_batches for names in ("AB", "AC", "BC")] == [4, 3, 3]
    assert result["A", "B"].n_runs_a == 20


def test_equal_algorithms_are_equivalent_within_a_wide_margin():
    result = ro.anytime([one_batch("AB", n=10) for _ in range(4)], margin=2.0)
    assert result.pairs[0].decision == "equivalent"
    assert "A and B are equivalent within a margin of 2" in result.pairs[0].sentence


def test_shared_runs_are_drawn_whole():
    rng = np.random.default_rng(1)
    table = np.array([[[0.0]], [[1.0]]]) + rng.normal(size=(2, 6, 1)) + 0.01 * rng.normal(size=(2, 6, 9))
    shared = ro.Scores.from_dict({"A": table[0], "B": table[1]}, runs="shared")
    by_task, whole = ro.anytime([ro.Scores.from_dict({"A": table[0], "B": table[1]})]), ro.anytime([shared])
    alone = ro.anytime([{"A": table[0].mean(axis=1), "B": table[1].mean(axis=1)}])
    assert whole.pairs[0].e_value == pytest.approx(alone.pairs[0].e_value)
    assert by_task.pairs[0].e_value != pytest.approx(alone.pairs[0].e_value)


REFUSED = {
    "no batch": ([], "there is no batch"),
    "one algorithm": ([one_batch("A")], "runs of 'A' only"),
    "another task": (
        [one_batch("AB"), one_batch("AB", tasks=("T", "V"))],
        "task 'U' is in batch 1, but not in batch 2",
    ),
    "a lacking cell": (
        [{"A": {"T": [1.0, 2.0], "U": [1.0, 3.0]}, "B": {"T": [2.0, 3.0]}}],
        "batch 1 has no run of 'B' on 'U'",
    ),
    "unequal numbers": ([one_batch("A") | one_batch("B", n=4)], "5 runs of 'A' on 'T', but 4 of 'B'"),
    "the same scores": ([BATCHES[0], BATCHES[0]], "all scores of 'A' in batch 2 are those of batch 1"),
    "the same runs": (
        [named(one_batch(), 1), named(one_batch(), 1)],
        "of 'A' on 'T' in batch 2 was in batch 1 already, with another score .*; a run counts once",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_are_no_batches_of_one_experiment(case):
    batches, words = REFUSED[case]
    with pytest.raises(ro.RunoffError, match=words):
        ro.anytime(batches)


@pytest.mark.parametrize(
    "wrong",
    [{"alpha": 0.0}, {"alpha": 1.0}, {"margin": 0.0}, {"margin": -1.0}, {"margin": np.inf}, {"n_resamples": 3}],
)
def test_options_that_mean_nothing_are_refused(wrong):
    with pytest.raises(ro.OptionError, match=next(iter(wrong))):
        ro.anytime(BATCHES, **wrong)


def test_a_margin_that_no_rates_can_exceed_is_refused():
    with pytest.raises(ro.OptionError, match="success rates differ by 1 at most"):
        ro.anytime(successes((3, 5)), margin=5)


def test_batches_that_were_normalised_otherwise_are_refused():
    scores = ro.load_example("classic_control").final().subsample(5)
    with pytest.raises(ro.DesignError, match=r"batch 1 was read with not normalised, batch 2 with normalised"):
        ro.anytime([scores, scores.normalize("classic_control")])


def test_where_an_interval_ends_the_adjusted_p_value_is_alpha():
    few = [one_batch(n=3) for _ in range(3)]  # all 400 ways to name their runs are tried
    end = ro.anytime(few)["A", "C"].high
    moved = [{**batch, "A": {task: cell - end for task, cell in batch["A"].items()}} for batch in few]
    assert ro.anytime(moved)["A", "C"].pvalue_adjusted == pytest.approx(0.05, rel=1e-4)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_sentence_of_a_pair_has_its_bounds_seen_from_the_better(n):
    for pair in after(n).pairs:
        sign = -1 if pair.decision == "b_better" else 1
        low, high = sorted((sign * pair.low, sign * pair.high)) if pair.low is not None else (None, None)
        bounds = "no bound yet" if low is None else f"at any time between {digits(low)} and {digits(high)};"
        assert f"{digits(sign * pair.difference)}, {bounds}" in pair.sentence


@pytest.mark.parametrize(
    "judge",
    [
        lambda measure: ro.anytime([{"A": [1.0, 2.0], "B": [2.0, 3.0]}], measure=measure),
        lambda measure: ro.SequentialDesign(looks=(5, 10), measure=measure),
        lambda measure: ro.gate({"A": [1.0, 2.0, 3.0]}, {"A": [2.0, 3.0, 5.0]}, margin=1.0, measure=measure),
    ],
)
def test_a_measure_that_relabelling_does_not_carry_is_refused_with_what_to_do(judge):
    judge("mean")
    for measure, words in (
        ("improvement", "probability of improvement once"),
        ("iqm", "the IQM once"),
        ("iqn", "measures are auto"),
    ):
        with pytest.raises(ro.OptionError, match=words):
            judge(measure)


def test_pairs_that_are_near_and_far_are_not_one_range_of_batches():
    cell = np.array([-1.2, -0.4, 0.1, 0.5, 1.0])
    words = r"about \d+ further batch(es)? would decide the nearest pair, and over 100 the farthest\."
    assert re.search(words, ro.anytime([{"A": cell, "B": [*cell[:4], 1.01], "C": cell + 1.0}]).sentence)


def successes(*rates, n=5):
    """Batches of runs that succeed in so many of n."""
    return [{"A": [1.0] * a + [0.0] * (n - a), "B": [1.0] * b + [0.0] * (n - b)} for a, b in rates]


ALIKE = {
    "all succeed": successes((5, 5), (5, 5)),
    "all succeed but one": successes((5, 5), (5, 4)),
    "a ceiling": [{"A": [21.0] * 5, "B": [21.0] * 5}] * 2,
    "two scores": [{"A": [-1.0, -1.0, 1.0], "B": [-1.0, 1.0, 1.0]}] * 6,
    "one task of two": [{a: {"T": [0.5] * 5, "U": RNG.normal(0, 0.01, 5)} for a in "AB"} for _ in range(4)],
    "each batch without spread": [{"A": [k] * 5, "B": [k] * 5} for k in range(4)],
}


@pytest.mark.parametrize("case", ALIKE)
def test_runs_with_few_scores_are_not_equivalent(case):
    (pair,) = ro.anytime(ALIKE[case], margin=0.1).pairs
    assert pair.decision == "go_on"
    assert pair.low is None or pair.low < -0.4
    assert pair.high is None or pair.high > 0.4


@pytest.mark.parametrize(("case", "noted"), [("a ceiling", True), ("one task of two", True), ("all succeed", False)])
def test_a_note_says_of_which_runs_there_is_no_interval(case, noted):
    notes = ro.anytime(ALIKE[case]).notes
    assert any("A and B have no interval and no equivalence" in note for note in notes) == noted


def test_many_runs_that_all_succeed_are_equivalent():
    (pair,) = ro.anytime(successes(*[(50, 50)] * 10, n=50), margin=0.2, n_resamples=1_000).pairs
    assert pair.decision == "equivalent"
    assert -0.2 < pair.low < 0.0 < pair.high < 0.2


@pytest.mark.parametrize("rates", [[(5, 0)] * 2, [(4, 1)] * 4, [(1, 4)] * 4, [(3, 3)] * 4, [(5, 0)] + [(0, 5)] * 6])
def test_the_interval_of_rates_says_what_the_p_value_says_and_holds_the_estimate(rates):
    (pair,) = ro.anytime(successes(*rates)).pairs
    if pair.empty:
        assert pair.difference < 0 < pair.e_value
        return
    assert pair.low <= pair.difference <= pair.high
    assert (pair.low >= 0 or pair.high <= 0) == (pair.pvalue_adjusted <= 0.05) == (pair.decision != "go_on")


@pytest.mark.parametrize("batches", [None, 5, "runs.csv", {"A": [1.0, 2.0], "B": [2.0, 3.0]}])
def test_what_is_no_list_of_batches_is_refused_in_a_sentence(batches):
    with pytest.raises(ro.OptionError, match=r"batches must be a list.*of one: \[scores\]"):
        ro.anytime(batches)


def test_means_over_tasks_of_unlike_sizes_are_refused_in_both_plans():
    runs = np.random.default_rng(0)
    own = {a: {"small": runs.normal(1, 0.1, 5).tolist(), "large": runs.normal(1e3, 100, 5).tolist()} for a in "AB"}
    alone = {a: {t: scores for t, scores in tasks.items() if t == "large"} for a, tasks in own.items()}
    shared = ro.load(own, score_unit="shared")
    design = ro.SequentialDesign(looks=(5, 10), algorithms=("A", "B"), tasks=("large", "small"))
    for judged in (lambda data: ro.anytime([data]), lambda data: ro.sequential(data, design=design)):
        with pytest.raises(ro.DesignError, match=r"normalise the scores \(normalize=\), or declare .* different units"):
            judged(own)
        assert judged(shared).pairs
        assert judged(ro.load(own).normalize({"small": (0.0, 1.0), "large": (0.0, 1e3)})).pairs
    assert ro.anytime([alone]).pairs


def test_means_over_tasks_of_no_unit_in_common_are_noted_in_both_plans():
    runs = np.random.default_rng(0)
    own = {a: {t: runs.normal(size, size / 10, 5).tolist() for t, size in (("x", 20), ("y", 90))} for a in "AB"}
    design = ro.SequentialDesign(looks=(5, 10))
    for judged in (lambda data: ro.anytime([data]), lambda data: ro.sequential(data, design=design)):
        note = next(note for note in judged(own).notes if "a unit of its own" in note)
        assert "normalize=" in note
        assert "score_unit='shared'" in note
        declared = (ro.load(own, score_unit="shared"), ro.load(own).normalize({"x": (0.0, 40.0), "y": (0.0, 180.0)}))
        for data in (*declared, {a: {"x": tasks["x"]} for a, tasks in own.items()}):
            assert not any("a unit of its own" in note for note in judged(data).notes)


def test_an_experiment_that_has_begun_goes_on_whatever_later_scores_are():
    def look(size, seed):
        runs = np.random.default_rng(seed)
        return {a: {"x": runs.normal(10, 1, 5).tolist(), "y": runs.normal(size, 1, 5).tolist()} for a in "AB"}

    first, later = look(100, 1), look(1_000, 2)
    design = ro.SequentialDesign(looks=(5, 10), algorithms=("A", "B"), tasks=("x", "y"))
    assert ro.sequential(later, design=design, earlier=[first]).pairs
    assert ro.anytime([first, later]).pairs
    with pytest.raises(ro.DesignError, match="different units"):
        ro.anytime([later, first])


def test_a_pair_without_a_batch_in_common_makes_no_claim_and_costs_none():
    first, second = one_batch("AB"), one_batch("AC")
    pairs = ro.anytime([first, second]).pairs
    assert [(pair.a, pair.b) for pair in pairs] == [("A", "B"), ("A", "C")]
    (alone,) = ro.anytime([first], alpha=0.025).pairs
    assert (pairs[0].low, pairs[0].high) == pytest.approx((alone.low, alone.high))


def test_two_with_the_same_runs_in_a_batch_are_not_judged_and_others_pay_for_them():
    batches = [{**batch, "B": batch["A"]} for batch in BATCHES]
    result, without = ro.anytime(batches), ro.anytime(BATCHES)
    assert [(pair.a, pair.b) for pair in result.pairs] == [("A", "C"), ("B", "C")]
    assert result["A", "C"].pvalue_adjusted == pytest.approx(without["A", "C"].pvalue_adjusted)
    assert "C is better than A" in result.sentence
    assert result.sentence.endswith("No verdict is given between A and B because their runs are the same numbers.")


def test_where_each_pair_had_the_same_runs_once_no_verdict_is_given():
    x, y = one_batch("AC"), one_batch("AB")
    batches = [{**x, "B": x["A"]}, {**y, "C": y["B"]}, {**(z := one_batch("AB")), "C": z["A"]}]
    assert ro.anytime(batches).sentence.count("No verdict is given between") == 3


@pytest.mark.parametrize("factors", [(1, 100), (100, 1), (1, 1, 100)])
def test_a_batch_in_percent_beside_fractions_is_refused(factors):
    batches = [
        {name: {t: [factor * v for v in RNG.beta(5, 3, 4)] for t in "TU"} for name in "AB"} for factor in factors
    ]
    earlier = r"batch 1 to 2" if len(factors) == 3 else r"batch 1"
    with pytest.raises(ro.DesignError, match=rf"^bring both to one unit: the scores of .*'{earlier}'"):
        ro.anytime(batches)
    assert ro.anytime(batches[:1]).n_batches == 1
