"""Tasks as the sample: the laws of their differences, and the measure that a design allows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs import all_pairs, t_over_tasks, tasks_as_sample
from runoff._inference.pairs.signed_rank import signed_rank_law
from tests.reference import tasks as slow

RNG = np.random.default_rng(5)


def normalised(**runs):
    scores = ro.Scores.from_dict(runs)
    return scores.normalize(dict.fromkeys(scores.tasks, (0.0, 1.0)), assume_raw=True)


@pytest.mark.parametrize("n", [1, 2, 6, 13, 40])
def test_without_ties_the_test_is_scipys_exact_one(n):
    for shift in (0.0, 0.5, 3.0):
        differences = RNG.normal(shift, 1, n)
        law = signed_rank_law(differences)
        expected = stats.wilcoxon(differences, method="exact")
        assert law.pvalue() == pytest.approx(expected.pvalue, rel=1e-12)
        assert (law.statistic + n * (n + 1) / 2) / 2 == pytest.approx(
            stats.wilcoxon(differences, alternative="less").statistic
        )


@pytest.mark.parametrize(
    "sizes", [[1] * 8, [0, 0, 1, 1, 1, 2, 2, 3], [0, 0.1, 0.3, 0.2, 0.4, 0.5, 0.5, 7], [0, 0, 0, 1, 1, 1, 1, 1]]
)
def test_with_ties_no_level_is_exceeded_over_all_signs(sizes):
    flipped = [signed_rank_law(np.array(sizes) * signs).pvalue() for signs in product([-1.0, 1.0], repeat=len(sizes))]
    for level in set(flipped):
        assert np.mean(np.array(flipped) <= level) <= level + 1e-12


@pytest.mark.parametrize("seed", range(12))
def test_the_signed_rank_law_is_its_slow_twin(seed):
    rng = np.random.default_rng(seed)
    differences = np.round(rng.normal(0.6, 1, rng.integers(2, 10)), seed % 3)
    law = signed_rank_law(differences)
    assert law.value == pytest.approx(np.median(slow.walsh(differences)))
    for null in (0.0, 0.5, 1.25):
        assert law.pvalue(null) == pytest.approx(slow.signed_rank_pvalue(differences, null))


@pytest.mark.parametrize("seed", range(40))
def test_the_interval_leaves_a_centre_out_exactly_where_it_is_rejected(seed):
    rng = np.random.default_rng(seed)
    law = signed_rank_law(np.round(rng.standard_t(2, rng.integers(3, 30)) + rng.choice([0, 1]), seed % 4))
    for alpha in (0.2, 0.05, 0.0625, 0.01):
        ends = law.interval(1 - alpha)
        for null in (*law.walsh[:40], 0.0, -0.3, law.value):
            out = ends is not None and not ends[0] <= null <= ends[1]
            assert out == (law.pvalue(null) <= alpha), (alpha, null)


def test_equivalence_is_the_interval_at_twice_alpha_inside_the_margin():
    for seed in range(40):
        law = signed_rank_law(np.random.default_rng(seed).normal(0.1, 1, 14))
        low, high = law.interval(0.9)
        assert (low > -0.7 and high < 0.7) == (law.equivalence_pvalue(0.7, 0.0) <= 0.05)


def test_rounding_makes_no_difference_where_there_is_none():
    law = signed_rank_law(np.array([0.1 + 0.2, -0.3, 1.0, 1.0, 1.0, 1.0, 1.0]))
    assert (law.walsh == 0).sum() == 1


def test_scores_that_are_not_0_or_1_have_the_paired_t_test():
    leads = RNG.normal(0.1, 0.4, 30)
    law = t_over_tasks(leads, 0.0)
    expected = stats.ttest_1samp(leads, 0.0)
    assert law.pvalue(0.0) == pytest.approx(expected.pvalue)
    assert law.interval(0.9) == pytest.approx(tuple(expected.confidence_interval(0.9)))


def test_clusters_of_one_item_change_nothing():
    rng = np.random.default_rng(3)
    for runs in ((rng.random((2, 1, 30)) < 0.6).astype(float), rng.random((2, 1, 30))):
        data = {"A": runs[0], "B": runs[1]}
        alone = {f"task {i}": str(i) for i in range(1, 31)}
        pair, other = (ro.compare(data, over="tasks", cluster=cluster).pairs[0] for cluster in (alone, None))
        assert (pair.test, pair.pvalue, pair.low) == (other.test, other.pvalue, other.low)


def test_a_lead_that_is_the_same_everywhere_has_a_law_and_no_lead_has_none():
    law = t_over_tasks(np.full(12, 0.4), 0.0)
    assert law.pvalue(0.0) == 2.0**-11
    assert law.interval(0.95)[1] < 1.0
    assert t_over_tasks(np.zeros(12), 0.0).interval(0.95) is None


# ── which measure ──────────


def ratings(n: int, shift: float, seed: int = 0) -> ro.Scores:
    """Return ratings from 1 to 10 of n questions, one attempt each."""
    rng = np.random.default_rng(seed)
    question = rng.normal(6.5, 1.5, n)
    own = {a: np.clip(np.rint(question + rng.normal(s, 1, n)), 1, 10)[None] for a, s in (("A", shift), ("B", 0.0))}
    return ro.Scores.from_dict(own, score_unit="shared")


def test_of_ratings_the_one_that_wins_most_questions_is_found():
    scores = ro.Scores.from_dict(
        {"A": [[4.0] * 140 + [3.0] * 60], "B": [[3.0] * 140 + [4.0] * 60]}, score_unit="shared"
    )
    (pair,) = ro.compare(scores, over="tasks").pairs
    assert (pair.verdict, pair.estimate) == ("a_better", 0.7)
    assert pair.pvalue == pytest.approx(stats.binomtest(140, 200).pvalue, rel=1)
    (other,) = ro.compare(scores, over="tasks", measure="hodges_lehmann").pairs
    assert (other.verdict, other.pvalue) == ("no_difference_found", 1.0)


def test_a_margin_is_in_the_unit_of_ratings():
    # 0.3 is three tenths of a point, and no chance of .2 to .8.
    margins = {margin: ro.compare(ratings(80, 0.0), over="tasks", margin=margin).measure for margin in (None, 0.3, 2.0)}
    assert margins == {None: "improvement", 0.3: "hodges_lehmann", 2.0: "hodges_lehmann"}


@pytest.mark.parametrize(("n", "way"), [(100, "measure='improvement'"), (8, "Add tasks")])
def test_of_equal_differences_that_cancel_the_sentence_names_the_measure_that_counts_them(n, way):
    won, lost = [2.0] * (n // 2), [1.0] * (n // 2)
    scores = ro.Scores.from_dict({"A": [won + lost], "B": [lost + won]}, score_unit="shared")
    (pair,) = ro.compare(scores, over="tasks", measure="hodges_lehmann").pairs
    assert (pair.verdict, way in pair.sentence) == ("no_difference_found", True)


def test_the_share_of_equal_differences_is_that_of_pairs_of_tasks():
    cells = ro.Scores.from_dict({"A": [[1, 2, 3, 5.5]], "B": [[0, 3, 3, 3]]}, score_unit="shared")
    (pair,) = tasks_as_sample(cells, all_pairs(cells, [(0, 1)]))
    # +1, −1, 0, 2.5: one pair of six; two tasks on which they are level are no equal differences.
    assert (pair.tied, pair.once) == (pytest.approx(1 / 6), True)
    level = ro.Scores.from_dict({"A": [[1, 2, 3, 5.5]], "B": [[1, 2, 1, 3]]}, score_unit="shared")
    assert tasks_as_sample(level, all_pairs(level, [(0, 1)]))[0].tied == 0.0


@pytest.mark.calibration
@pytest.mark.parametrize("n", [10, 20, 80])
def test_of_ratings_equal_models_are_seldom_called_different_and_half_a_point_is_seen(n):
    wrong, seen = (
        np.mean(
            [
                ro.compare(ratings(n, shift, seed), over="tasks").pairs[0].verdict != "no_difference_found"
                for seed in range(400)
            ]
        )
        for shift in (0.0, 0.5)
    )
    assert wrong <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    assert seen >= {10: 0.07, 20: 0.15, 80: 0.68}[n]


@pytest.mark.parametrize(
    ("scores", "measure", "test"),
    [
        (ro.Scores.from_dict({"A": RNG.random((1, 10)), "B": RNG.random((1, 10))}), "mean", "paired_t"),
        (ro.Scores.from_dict({"A": RNG.random((1, 9)), "B": RNG.random((1, 9))}), "hodges_lehmann", "signed_rank"),
        (normalised(A=RNG.normal(size=(2, 40)), B=RNG.normal(size=(3, 40))), "hodges_lehmann", "signed_rank"),
        (
            ro.Scores.from_dict({"A": RNG.normal(size=(1, 26)), "B": RNG.normal(size=(1, 26))}),
            "improvement",
            "tango",
        ),
        (
            ro.Scores.from_dict({"A": RNG.normal(size=(2, 26)), "B": RNG.normal(size=(1, 26))}),
            "improvement",
            "paired_t",
        ),
        (ratings(80, 0.0), "improvement", "tango"),
        (ratings(9, 0.0), "hodges_lehmann", "signed_rank"),
    ],
)
def test_the_measure_over_tasks_goes_by_the_design_and_the_unit(scores, measure, test):
    result = ro.compare(scores, over="tasks")
    assert (result.measure, result.over) == (measure, "tasks")
    assert {pair.test for pair in result.pairs} == {test}


RAW = ro.Scores.from_dict({"A": RNG.normal(size=(2, 12)), "B": RNG.normal(size=(2, 12))})
UNIT = normalised(A=RNG.normal(size=(2, 12)), B=RNG.normal(size=(2, 12)))


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (RAW, {}, r"12 tasks in units of their own are no sample.*normalize"),
        (
            RAW,
            {"measure": "hodges_lehmann"},
            "does not offer the Hodges-Lehmann difference of these scores: it needs scores in one unit",
        ),
        (
            UNIT,
            {"measure": "mean"},
            "does not offer the mean of these scores: .* misses the true mean .*; take hodges_lehmann",
        ),
        (UNIT, {"measure": "improvement"}, "needs 26 tasks or more"),
        (UNIT, {"measure": "means"}, "Did you mean 'mean'"),
        (UNIT.select(tasks=["task 1"]), {}, "share one, 'task 1': add tasks, or ask about its runs"),
        (UNIT, {"cluster": {}}, "task 'task 1' has no cluster"),
        (UNIT, {"cluster": {"task 1": float("nan")}}, "task 'task 1' has no cluster"),
        (UNIT, {"cluster": "topic"}, "takes the cluster of each task"),
        (UNIT, {"cluster": dict.fromkeys(UNIT.tasks, "x")}, "in one cluster, 'x'"),
        (UNIT, {"cluster": {task: task for task in UNIT.tasks}}, "needs ten tasks with scores in"),
        (UNIT, {"test": "welch"}, "takes tasks as the sample"),
    ],
)
def test_what_tasks_cannot_answer_is_refused_with_the_repair(scores, options, message):
    with pytest.raises(ro.RunoffError, match=message):
        ro.compare(scores, over="tasks", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"over": "task"}, "Did you mean 'tasks'"),
        ({"over": "runs", "cluster": {}}, "use over='tasks' with it"),
        ({"measure": "hodges_lehmann"}, "is of tasks as the sample, compare\\(over='tasks'\\); take"),
    ],
)
def test_what_only_tasks_have_is_refused_of_runs(options, message):
    with pytest.raises(ro.OptionError, match=message):
        ro.compare(UNIT, **options)


# ── what is said ──────────


def only(scores, **options):
    (pair,) = ro.compare(scores, over="tasks", **options).pairs
    return pair


def test_the_sentence_claims_tasks_like_these_and_gives_the_range_of_a_further_one():
    pair = only(normalised(A=RNG.normal(3, 1, (2, 9)), B=RNG.normal(0, 1, (2, 9))))
    assert "A tends to score higher than B over tasks like these 9 (Hodges-Lehmann difference" in pair.sentence
    assert "on a further task (chance 80\u00a0%)" in pair.sentence
    assert pair.predicted_low < pair.estimate < pair.predicted_high
    assert pair.turned().predicted_high == -pair.predicted_low


def test_three_items_that_differ_are_too_few_and_none_has_a_bound():
    lead = np.zeros((1, 40))
    lead[0, :3] = 1
    few = only({"A": lead, "B": np.zeros((1, 40))})
    assert few.verdict == "no_difference_found"
    assert "They differ on 3 tasks, too few to say which is ahead: the smallest p-value" in few.sentence
    level = only({"A": np.ones((1, 40)), "B": np.ones((1, 40))})
    assert "with 95\u00a0% confidence fewer than 7.22\u00a0% of such tasks differ" in level.sentence


def test_below_six_tasks_nothing_is_found_and_said_so():
    pair = only(normalised(A=RNG.normal(30, 1, (2, 5)), B=RNG.normal(0, 1, (2, 5))))
    assert (pair.verdict, pair.own_low) == ("no_difference_found", None)
    assert (
        "too few to say which is ahead: the smallest p-value that Wilcoxon's signed-rank test can give is 0.062"
        in pair.sentence
    )


def test_shared_runs_are_no_part_of_the_claim():
    runs = {"A": RNG.random((2, 12)), "B": RNG.random((2, 12))}
    assert (
        "What other training runs would score is not in this claim."
        in only(ro.Scores.from_dict(runs, runs="shared")).sentence
    )


def test_an_algorithm_with_one_run_beside_runs_is_compared_over_tasks():
    scores = normalised(A=RNG.normal(size=(4, 12)), B=RNG.normal(size=(4, 12)), C=RNG.normal(size=(1, 12)))
    result = ro.compare(scores, over="tasks")
    assert len(result.pairs) == 3
    assert sum(value for _, value in result.values) == pytest.approx(0.0)


def test_where_every_cell_has_one_run_the_advice_offers_tasks_as_the_sample():
    (pair,) = ro.compare({"A": RNG.normal(size=(1, 9)), "B": RNG.normal(size=(1, 9))}).pairs
    text = next(advice.text for advice in pair.advice if advice.code == "R002")
    where = "or, where tasks have one unit, ask about tasks like these (compare(over='tasks'))"
    repair = f"compare ranks (compare(test='mack_skillings')), {where}"
    assert repair in text
    assert repair in pair.sentence


# ── the ends of what is claimed ──────────


def test_an_interval_at_the_least_pvalue_leaves_out_what_is_rejected_there():
    law = t_over_tasks(np.ones(5), 0.0)
    assert law.pvalue(0.0) == law.least == 2.0**-4
    assert law.interval(1 - law.least)[0] > 0
    assert law.interval(1 - law.least / 2) == (-1.0, 1.0)


@pytest.mark.parametrize("side", [1, -1])
def test_leads_and_chances_have_one_interval_within_their_own_ends(side):
    leads = side * np.array([0.5] * 25 + [-0.5])
    lead, chance = t_over_tasks(leads, 0.0), t_over_tasks(leads, 0.5)
    assert chance.pvalue(0.5) == pytest.approx(lead.pvalue(0.0))
    low, high = lead.interval(0.95)
    assert chance.interval(0.95) == pytest.approx((max(low + 0.5, 0.0), min(high + 0.5, 1.0)))
    assert max(high, -low) > 0.5


@pytest.mark.parametrize(("n", "measure"), [(10, "mean"), (26, "improvement")])
def test_the_fewest_tasks_that_offer_a_measure_have_its_interval(n, measure):
    rng = np.random.default_rng(n)
    scale = 1.0 if measure == "mean" else 50.0
    pair = only({name: scale * rng.random((1, n)) for name in "AB"})
    assert pair.measure == measure
    assert pair.own_low < pair.estimate < pair.own_high


@pytest.mark.parametrize(("n_runs", "there"), [(1, False), (2, True)])
def test_the_chance_of_a_further_task_has_a_range_from_two_attempts_on(n_runs, there):
    rng = np.random.default_rng(0)
    pair = only({name: 50 * rng.normal(size=(n_runs, 30)) for name in "AB"})
    assert pair.measure == "improvement"
    assert (pair.predicted_low is not None, pair.predicted_high is not None) == (there, there)


@pytest.mark.parametrize("n_even", range(4))
def test_the_least_pvalue_is_that_of_the_rarest_signs_of_tasks_that_are_not_even(n_even):
    sizes = np.concatenate([np.zeros(n_even), [0.11, 0.23, 0.52, 0.71, 1.3, 1.9]])
    flipped = [
        signed_rank_law(np.concatenate([sizes[:n_even], sizes[n_even:] * signs]))
        for signs in product([-1.0, 1.0], repeat=6)
    ]
    assert {law.least for law in flipped} == {min(law.pvalue() for law in flipped)}


@pytest.mark.parametrize("n_tasks", [3, 5])
def test_of_few_items_more_are_asked_before_they_are_a_sample(n_tasks):
    hits = np.arange(2 * n_tasks).reshape(2, 1, n_tasks) % 3 > 0
    with pytest.raises(ro.DesignError, match="attempted each of the") as refusal:
        ro.compare({"A": hits[0] * 1.0, "B": hits[1] * 1.0})
    assert "repeat the attempts, or add tasks to have 6 or more" in str(refusal.value)


def test_six_items_that_each_attempted_once_are_the_sample_without_being_asked():
    hits = {"A": np.ones((1, 6)), "B": np.array([[1.0, 0, 0, 0, 0, 0]])}
    assert (ro.compare(hits).over, ro.compare(hits)["A", "B"].verdict) == ("tasks", "a_better")
    with pytest.raises(ro.DesignError, match="attempted each of the"):
        ro.compare(hits, over="runs")


def test_the_items_that_only_one_of_two_solved_are_named_and_counted_both_ways():
    hits = {"A": np.array([[1.0, 1, 1, 0, 0, 1, 1]]), "B": np.array([[1.0, 0, 0, 1, 0, 0, 1]])}
    pair = ro.compare(hits).pairs[0]
    assert (pair.won_tasks, pair.lost_tasks) == (("task 2", "task 3", "task 6"), ("task 4",))
    assert pair.pvalue_mcnemar == 0.625
    assert (pair.turned().won_tasks, pair.turned().lost_tasks) == (pair.lost_tasks, pair.won_tasks)
    assert "Only A solved 3 items, only B 1 (cross-check: McNemar's exact test, p = 0.62" in pair.sentence
    assert "Only B solved 1 item, only A 3" in pair.turned().sentence


def test_several_attempts_have_no_flips():
    data = {name: np.random.default_rng(1).random((3, 12)).round() for name in "AB"}
    pair = ro.compare(ro.Scores.from_dict(data), over="tasks").pairs[0]
    assert (pair.won_tasks, pair.pvalue_mcnemar) == ((), None)


def test_items_level_in_every_cluster_say_so_and_no_share_of_items():
    hits = {f"q{i}": [float(i % 2)] for i in range(40)}
    clusters = {task: f"c{i // 4}" for i, task in enumerate(hits)}
    (pair,) = ro.compare({"A": hits, "B": hits}, over="tasks", cluster=clusters).pairs
    assert pair.sentence.endswith("The two are level on every cluster, and which is ahead there cannot be said.")


def test_the_caption_of_pairs_counts_the_clusters_of_tasks():
    rng = np.random.default_rng(3)
    items = {
        name: {f"q{i}": [float(x)] for i, x in enumerate(rng.random(40) < rate)}
        for name, rate in (("A", 0.2), ("B", 0.8))
    }
    clusters = {f"q{i}": f"c{i // 4}" for i in range(40)}
    captions = [ro.compare(items, over="tasks", cluster=c).to_markdown() for c in (clusters, None)]
    assert ["over items like these 40 in 10 clusters" in text for text in captions] == [True, False]
