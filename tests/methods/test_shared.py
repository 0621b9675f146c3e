"""Runs that are scored on all tasks: kept by the data, redrawn and relabelled as a whole, refused where that makes no sense."""

from __future__ import annotations

from dataclasses import asdict
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from tests.reference import bootstrap as slow
from tests.reference.blocked import midranks

RNG = np.random.default_rng(7)
X, Y, Z = (RNG.normal(m, 1, (n, 3)) + RNG.normal(0, 1, (n, 1)) for m, n in ((0.4, 4), (0.0, 5), (1.5, 4)))
SHARED = ro.Scores.from_dict({"A": X, "B": Y}, runs="shared")
EXACT = {"rel": 1e-9}


def relabellings(x, y, statistic):
    """A statistic of all ways to call n_x of the rows those of x; the first is the data's."""
    rows = [*x, *y]
    for chosen in combinations(range(len(rows)), len(x)):
        rest = [i for i in range(len(rows)) if i not in chosen]
        yield statistic(np.array([rows[i] for i in chosen]), np.array([rows[i] for i in rest]))


def share_as_extreme(x, y, statistic):
    drawn = np.abs(list(relabellings(x, y, statistic)))
    return np.mean(drawn >= drawn[0] * (1 - 1e-9))


def welch_t(x, y):
    return stats.ttest_ind(x.mean(axis=1), y.mean(axis=1), equal_var=False).statistic


def rank_sums(x, y):
    """The sum of the ranks within tasks of the rows of x, about its mean."""
    both = np.concatenate([x, y])
    ranks = np.array([[float(r) for r in midranks(list(task))] for task in both.T]).T.sum(axis=1)
    return ranks[: len(x)].sum() - len(x) * ranks.mean()


# ── tests ──────────


@pytest.mark.parametrize(
    ("test", "statistic"),
    [("studentized_permutation", welch_t), ("mack_skillings", rank_sums), ("van_elteren", rank_sums)],
)
def test_the_pvalue_is_the_share_of_relabellings_of_whole_runs(test, statistic):
    pair = ro.compare(SHARED, test=test).pairs[0]
    assert pair.method == "exact"
    assert pair.pvalue == pytest.approx(share_as_extreme(X, Y, statistic), **EXACT)
    assert "of whole runs" in pair.sentence


def test_the_default_finds_no_more_than_relabelling_whole_runs():
    """Van Elteren's test of tasks with as many runs has the same rank sums."""
    pair, ranks = (ro.compare(SHARED, **how)[0] for how in ({"measure": "improvement"}, {"test": "van_elteren"}))
    assert "the jackknife t test with permutations of whole runs" in pair.sentence
    assert pair.pvalue >= ranks.pvalue > 0


@pytest.mark.parametrize("test", ["welch", "student", "yuen", "permutation"])
def test_tests_of_two_samples_see_the_mean_of_each_run(test):
    pair = ro.compare(SHARED, test=test).pairs[0]
    alone = ro.two_sample_test(X.mean(axis=1), Y.mean(axis=1), test=test)
    assert (pair.statistic, pair.pvalue) == pytest.approx((alone.statistic, alone.pvalue))


def test_difference_its_interval_and_its_p_value_are_the_wider_of_welchs_and_students_of_the_means_of_runs():
    pair = ro.compare(SHARED, measure="mean").pairs[0]
    tests = [stats.ttest_ind(X.mean(axis=1), Y.mean(axis=1), equal_var=equal) for equal in (False, True)]
    wider = max((test.confidence_interval(0.95) for test in tests), key=lambda ends: ends.high - ends.low)
    assert pair.difference == pytest.approx(X.mean() - Y.mean())
    assert (pair.difference_low, pair.difference_high) == (pair.own_low, pair.own_high) == pytest.approx(tuple(wider))
    assert pair.pvalue == pytest.approx(max(test.pvalue for test in tests))


def test_the_iqm_leaves_out_whole_runs():
    shared = ro.Scores.from_dict({"A": X, "B": Y}, runs="shared")
    pair = ro.compare(shared, measure="iqm").pairs[0]
    left = [[slow.iqm(np.delete(rows, j, axis=0).T.tolist(), exact=True) for j in range(len(rows))] for rows in (X, Y)]
    squares = [(len(values) - 1) * np.var(values) for values in left]
    t, df = abs(pair.estimate) / sum(squares) ** 0.5, sum(squares) ** 2 / (squares[0] ** 2 / 3 + squares[1] ** 2 / 4)
    pooled = (12 * squares[0] + 20 * squares[1]) / 7 * (1 / 4 + 1 / 5)
    expected = max(2 * stats.t.sf(t, df), 2 * stats.t.sf(abs(pair.estimate) / pooled**0.5, 7))
    assert pair.pvalue == pytest.approx(expected)


def test_many_algorithms_are_ranked_within_tasks_and_relabelled_as_whole_runs():
    data = ro.Scores.from_dict({"A": X[:2], "B": Y[:2], "C": Z[:2]}, runs="shared")
    rows = np.concatenate([X[:2], Y[:2], Z[:2]])
    ranks = np.array([[float(r) for r in midranks(list(task))] for task in rows.T]).T.sum(axis=1)
    spread = [
        sum(np.sum(ranks[list(order[2 * a : 2 * a + 2])] - ranks.mean()) ** 2 for a in range(3))
        for order in permutations(range(6))
    ]
    result = ro.rank_test(data)
    assert result.pvalue == pytest.approx(np.mean(np.array(spread) >= spread[0] * (1 - 1e-9)), **EXACT)
    assert result.n_tasks == 3
    assert sum(result.rank_sums) == pytest.approx(3 * 3 * 3.5)


# ── estimates ──────────


def jackknife(rows, metric):
    """The jackknife's standard error over whole rows, of an aggregate of the list of tasks."""
    left = [slow.statistics([list(task) for task in np.delete(rows, i, axis=0).T], 1.0) for i in range(len(rows))]
    values = [values_left[("mean", "median", "optimality_gap", "iqm").index(metric)] for values_left in left]
    n = len(rows)
    return np.sqrt((n - 1) / n * np.sum((values - np.mean(values)) ** 2))


@pytest.mark.parametrize("metric", ["mean", "iqm", "optimality_gap"])
def test_intervals_of_aggregates_have_the_jackknifes_error_of_whole_runs(metric):
    record = ro.aggregate(SHARED, measure=[metric])["B", metric]
    half = stats.t.ppf(0.975, 4) * jackknife(Y, metric)
    assert (record.low, record.high) == pytest.approx((record.estimate - half, record.estimate + half))


def test_percentile_intervals_redraw_whole_runs():
    record = ro.aggregate(SHARED, measure=["mean"], interval="percentile")["A", "mean"]
    means = X.mean(axis=1)
    law = np.sort([np.mean(means[list(drawn)]) for drawn in np.ndindex(4, 4, 4, 4)])
    assert (record.low, record.high) == pytest.approx(np.quantile(law, [0.025, 0.975]), abs=0.03)


def test_the_interval_of_the_improvement_is_that_of_mean_placements_and_wider_than_of_runs_per_task():
    wide, narrow = (
        ro.compare(ro.Scores.from_dict({"A": X, "B": Y}, runs=kind)).pairs[0] for kind in ("shared", "per_task")
    )
    assert wide.improvement == pytest.approx(narrow.improvement)
    assert wide.improvement_high - wide.improvement_low > narrow.improvement_high - narrow.improvement_low


def test_one_task_is_the_same_whether_its_runs_are_shared_or_not():
    result, other = (ro.Scores.from_dict({"A": X[:, 0], "B": Y[:, 0]}, runs=kind) for kind in ("shared", "per_task"))
    assert ro.compare(result) == ro.compare(other)
    assert ro.aggregate(result) == ro.aggregate(other)


@pytest.mark.parametrize("effect", ["difference", "iqm_difference", "ratio", "hedges_g", "cliffs_delta", "improvement"])
def test_every_effect_size_is_that_of_runs_per_task_with_an_interval_of_its_own(effect):
    up = {name: cell + 9 for name, cell in (("A", X), ("B", Y))}
    own, other = (
        ro.effect_sizes(ro.Scores.from_dict(up, runs=kind), effect_size=[effect]).rows[0]
        for kind in ("shared", "per_task")
    )
    assert own.estimate == pytest.approx(other.estimate)
    assert own.low < own.estimate < own.high
    assert (own.low, own.high) != (other.low, other.high)


# ── order and refusals ──────────


def test_no_order_of_tasks_rows_or_algorithms_shows():
    rows, tasks = RNG.permutation(4), RNG.permutation(3)
    names = [f"task {t + 1}" for t in tasks]
    turned = ro.Scores.from_dict({"B": Y[:, tasks], "A": X[rows][:, tasks]}, tasks=names, runs="shared")
    for test in ("auto", "mack_skillings"):
        result, other = (ro.compare(data, test=test, n_resamples=500).pairs[0] for data in (SHARED, turned))
        assert (result.pvalue, abs(result.difference)) == pytest.approx((other.pvalue, abs(other.difference)), **EXACT)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: ro.rank_test(SHARED, test="friedman"), "takes tasks for independent"),
        (lambda: ro.aggregate(SHARED, interval="bca"), "use 't' or 'percentile' or 'basic'"),
        (lambda: ro.aggregate(SHARED, interval="percentile", over="runs_and_tasks"), "use 't'"),
        (lambda: ro.compare(SHARED, test="mann_whitney"), "compares two samples of one task"),
        (
            lambda: ro.Scores.from_dict({"A": {"t": [1.0, 2.0], "u": [1.0]}}, runs="shared"),
            "run '1' of algorithm 'A' has no score",
        ),
        (
            lambda: ro.Scores.from_frame({"algorithm": ["A"], "task": ["t"], "score": [1.0]}, runs="shared"),
            "names the runs",
        ),
        (lambda: ro.Scores.from_dict({"A": [1.0]}, runs="common"), "per_task"),
    ],
)
def test_what_makes_no_sense_of_shared_runs_is_refused_with_the_repair(ask, words):
    with pytest.raises((ro.DesignError, ro.OptionError, ro.DataError), match=words):
        ask()


def test_three_runs_each_cannot_be_told_apart_by_relabelling_and_it_is_said():
    rows = RNG.normal(size=(3, 6))
    pair = ro.compare(
        ro.Scores.from_dict({"A": rows + 9, "B": RNG.normal(size=(3, 6))}, runs="shared"), test="mack_skillings"
    ).pairs[0]
    assert pair.verdict == "no_difference_found"
    assert "No runs of this design could have shown one" in pair.sentence
    assert "R016" in {note.code for note in pair.advice}


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.select(tasks=["task 1", "task 2"]),
        lambda s: s.subsample(3),
        lambda s: s.rename(algorithms={"A": "C"}),
    ],
)
def test_the_reading_of_runs_is_kept_by_whatever_is_made_of_the_scores(change):
    changed = change(SHARED)
    assert changed.sampling == SHARED.sampling
    assert changed.sampling.shared


def test_subsampling_keeps_the_scores_of_a_run_together():
    rows = {tuple(row) for row in Y.tolist()}
    assert {tuple(row) for row in SHARED.subsample(3, rng=2).dense("B").tolist()} <= rows


def test_files_and_the_command_line_take_the_reading(tmp_path, capsys):
    from runoff.cli.app import run

    lines = [
        f"{a},{t},{r},{cell[r][t]}" for a, cell in (("A", X), ("B", Y)) for r in range(len(cell)) for t in range(3)
    ]
    file = tmp_path / "runs.csv"
    file.write_text("algorithm,task,seed,score\n" + "\n".join(lines) + "\n")
    read = ro.read_scores(file, runs="shared")
    assert ro.compare(read).pairs[0].pvalue == pytest.approx(ro.compare(SHARED).pairs[0].pvalue)
    assert run(["compare", str(file), "--runs", "shared"]) == 0
    assert "of whole runs" in capsys.readouterr().out


def test_success_rates_of_shared_runs_are_called_so_and_stay_between_their_ends():
    cells = {"A": [[1, 1], [1, 1], [1, 1]], "B": [[0, 0], [0, 1], [0, 0]]}
    (pair,) = ro.compare(ro.Scores.from_dict(cells, runs="shared")).pairs
    assert "difference of success rates 0.83 " in pair.sentence
    assert pair.difference_high == 1.0 > pair.difference > pair.difference_low > 0


ANSWERS = {
    "compare": ro.compare,
    "ranks": lambda scores: ro.compare(scores, test="mack_skillings"),
    "means": ro.aggregate,
    "chances": lambda scores: ro.aggregate(scores, measure="improvement"),
    "rank": ro.rank,
    "rank_intervals": ro.rank_intervals,
    "next_runs": lambda scores: ro.next_runs(scores, budget=9),
    "plan": lambda scores: ro.plan(scores, effect=1.0),
    "effect_sizes": ro.effect_sizes,
    "variance": ro.variance,
    "inferential_intervals": ro.inferential_intervals,
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_shared_runs_of_a_single_task_are_runs_like_any_other(answer):
    cells = {name: runs[:, :1] for name, runs in (("A", X), ("B", Y), ("C", Z))}
    shared, own = (ANSWERS[answer](ro.Scores.from_dict(cells, runs=runs)) for runs in ("shared", "per_task"))
    assert [*map(asdict, getattr(shared, "rows", shared))] == [*map(asdict, getattr(own, "rows", own))]


def test_an_algorithm_may_lack_a_task_on_which_all_others_have_their_runs():
    lacks = {"A": {"t": X[:, 0], "u": X[:, 1]}, "B": {"t": Y[:, 0]}}
    shared, own = (ro.compare(ro.Scores.from_dict(lacks, runs=runs)).pairs[0] for runs in ("shared", "per_task"))
    assert (shared.pvalue, shared.low, shared.high) == (own.pvalue, own.low, own.high)
    assert shared.n_tasks == 1
