"""What an order survives: every variation against a computation from the start, and what it is said to be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff._inference.bootstrap import parse_metric
from runoff._inference.pairs.varied import varied, varied_chances
from tests.amount import examples
from tests.reference import places as slow

RNG = np.random.default_rng(12)
RAGGED = {
    "A": {"t": RNG.normal(1, 1, 4).tolist(), "u": RNG.normal(0, 1, 3).tolist(), "v": RNG.normal(0, 2, 5).tolist()},
    "B": {"t": RNG.normal(0, 1, 3).tolist(), "u": RNG.normal(0.2, 1, 4).tolist(), "v": RNG.normal(0, 1, 2).tolist()},
}
X, Y = (list(RAGGED[name].values()) for name in "AB")


def cell(result, kind, a="A", b="B"):
    return result[a, b, kind]


def counts(leads, base):
    """How many leads keep the sign of the base, and the smallest from its side."""
    turned = [np.sign(base) * lead for lead in leads]
    return sum(lead > 0 for lead in turned), pytest.approx(min(turned))


@pytest.mark.parametrize("metric", ["mean", "iqm", "median", "optimality_gap"])
def test_runs_and_tasks_left_out_are_those_of_computing_everything_again(metric):
    result = ro.robustness(ro.Scores.from_dict(RAGGED, score_unit="shared"), measure=metric)
    base = slow.lead(X, Y, metric)
    assert cell(result, "run").difference == pytest.approx(base)
    runs = slow.without_runs(X, Y, metric)
    assert (cell(result, "run").n_variations, cell(result, "run").kept, cell(result, "run").smallest_lead) == (
        21,
        *counts(runs, base),
    )
    tasks = [slow.lead([*X[:t], *X[t + 1 :]], [*Y[:t], *Y[t + 1 :]], metric) for t in range(3)]
    assert (cell(result, "task").kept, cell(result, "task").smallest_lead) == counts(tasks, base)


@pytest.mark.parametrize("metric", ["mean", "optimality_gap"])
def test_each_task_left_out_of_a_mean_is_that_of_the_others_though_it_is_a_million_million_times_them(metric):
    cells = [np.array([-1e12, -3e12]), *map(np.asarray, X)]
    left = varied(cells, parse_metric(metric)).without_task
    for t, mean in enumerate(left):
        others = [cell for s, cell in enumerate(cells) if s != t]
        expected = np.mean([(cell if metric == "mean" else -np.maximum(1 - cell, 0)).mean() for cell in others])
        assert mean == pytest.approx(expected, rel=1e-12)


def test_another_aggregate_is_that_of_aggregate():
    record = cell(ro.robustness(RAGGED, measure="mean", other_measures=["iqm", "median", "trimmed_mean_10"]), "measure")
    leads = [ro.aggregate(RAGGED, measure=[name]).rows for name in ("iqm", "median", "trimmed_mean_10")]
    differences = [a.estimate - b.estimate for a, b in leads]
    assert (record.kept, record.smallest_lead) == counts(differences, slow.lead(X, Y))


def test_references_are_changed_whatever_the_scores_are_normalised_by():
    tasks = ["Alien", "Pong", "Breakout"]
    raw = ro.Scores.from_dict({"A": RNG.uniform(0, 500, (3, 3)), "B": RNG.uniform(0, 500, (3, 3))}, tasks=tasks)
    of_raw, of_atari = (ro.robustness(some, measure="mean") for some in (raw, raw.normalize("atari", assume_raw=True)))
    assert dict(of_raw.variations)["reference"] == ("atari", "atari_record", "range of the scores")
    assert dict(of_atari.variations)["reference"] == ("atari_record", "no reference", "range of the scores")
    scaled = [
        ro.aggregate(raw.normalize(name, assume_raw=True), measure=["mean"]).rows for name in ("atari", "atari_record")
    ]
    leads = [a.estimate - b.estimate for a, b in scaled]
    record = cell(ro.robustness(raw, measure="mean", other_references=["atari", "atari_record"]), "reference")
    assert (record.kept, record.smallest_lead) == counts(leads, record.difference)
    undone = cell(
        ro.robustness(raw.normalize("atari", assume_raw=True), measure="mean", other_references=["none"]), "reference"
    )
    base = ro.robustness(raw, measure="mean").rows[0].difference
    assert abs(undone.smallest_lead) == pytest.approx(abs(base))


def test_the_range_of_the_runs_maps_the_pairs_lowest_and_highest_to_0_and_1():
    both = [np.array([*x, *y]) for x, y in zip(X, Y, strict=True)]
    x, y = ([[(s - b.min()) / np.ptp(b) for s in cell] for cell, b in zip(side, both, strict=True)] for side in (X, Y))
    record = cell(ro.robustness(RAGGED, measure="mean", other_references=["range"]), "reference")
    assert abs(record.smallest_lead) == pytest.approx(abs(slow.lead(x, y)))


def test_windows_are_those_of_the_curves():
    curves = ro.load_example("classic_control").select(algorithms=["ARS", "CEM"])
    result = ro.robustness(curves, other_last=[3, 7], measure="mean", normalize="classic_control")
    leads = []
    for last in (3, 7):
        final = ro.aggregate(curves.final(last).normalize("classic_control"), measure=["mean"]).rows
        leads.append(final[0].estimate - final[1].estimate)
    record = result["ARS", "CEM", "last"]
    assert (record.kept, record.smallest_lead) == counts(leads, record.difference)
    assert dict(result.variations)["last"] == ("the last 3 evaluations", "the last 7 evaluations")


def test_windows_are_no_longer_than_the_shortest_run():
    rows = [(a, r, s, s + r / 4 + (a == "B")) for a in "AB" for r in range(3) for s in range(0, 13, 1 if r else 4)]
    curves = ro.Curves.from_frame(
        dict(zip(("algorithm", "run", "step", "score"), zip(*rows, strict=True), strict=True))
    )
    windows = dict(ro.robustness(curves, measure="mean").variations)["last"]
    assert windows
    assert all(int(window.split()[2]) <= 4 for window in windows)


def test_shared_runs_are_left_out_as_a_whole():
    rows = {"A": [[1.0, 2.0], [4.0, 0.0], [2.0, 2.5]], "B": [[0.0, 1.0], [3.0, 2.0]]}
    record = ro.robustness(ro.Scores.from_dict(rows, runs="shared"), measure="mean")["A", "B", "run"]
    means = {name: [np.mean(row) for row in some] for name, some in rows.items()}
    leads = [np.mean(np.delete(means["A"], i)) - np.mean(means["B"]) for i in range(3)]
    leads += [np.mean(means["A"]) - np.mean(np.delete(means["B"], i)) for i in range(2)]
    assert (record.n_variations, record.kept, record.smallest_lead) == (5, *counts(leads, record.difference))
    assert "on 'task" not in record.smallest_at


def test_what_turns_the_order_is_named_the_clearest_first():
    data = {"A": {"Pong": [9.0, 10.0], "Hero": [0.0, 0.2]}, "B": {"Pong": [1.0, 2.0], "Hero": [1.0, 1.2]}}
    result = ro.robustness(data, measure="mean")
    assert cell(result, "task").reversed_by == ("without 'Pong'",)
    assert "1 of 2 tasks left out (not without 'Pong')" in result.sentence
    assert "is no test" in result.sentence


def test_a_level_pair_has_no_order_to_keep():
    result = ro.robustness({"A": [1.0, 2.0], "B": [2.0, 1.0], "C": [9.0, 9.5]})
    assert {r.ahead for r in result.rows if (r.a, r.b) == ("A", "B")} == {None}
    assert {r.kept for r in result.rows if (r.a, r.b) == ("A", "B")} == {0}
    assert "A and B are level" in result.sentence


def test_leads_that_cancel_to_0_but_for_rounding_are_ties():
    cells = {"A": {"t": [0, -3], "u": [2, 1]}, "B": {"t": [2, 3, -1, 0], "u": [-2, 3, -3]}}
    row = cell(ro.robustness(cells, measure="mean"), "run")
    # A's mean is (−1.5 + 1.5) / 2 = 0, and without the run 2 of B so is B's, (2/3 − 2/3) / 2; in fractions six leads of B stay.
    assert (row.n_variations, row.kept, row.ahead) == (11, 6, "B")


def test_a_task_of_a_single_run_does_not_count_and_of_others_runs_can_go():
    data = {"A": {"t": [1.0], "u": [2.0, 3.0]}, "B": {"t": [0.0, 0.5], "u": [1.0, 4.0]}}
    result = ro.robustness(data)
    assert [cell(result, kind).n_variations for kind in ("run", "task")] == [4, 0]
    assert "'A' and 'B' has a single run on 't'" in result.advice[0].text
    lonely = ro.robustness({"A": [1.0], "B": [0.5]})
    assert [r.n_variations for r in lonely.rows if r.kind == "run"] == [0]


def test_a_pair_is_the_same_beside_others_and_mirrored_when_turned():
    more = RAGGED | {"C": {"t": [5.0, 6.0], "w": [1.0, 2.0]}}
    alone, beside = (ro.robustness(data, pairs=[("A", "B")]).to_records() for data in (RAGGED, more))
    assert alone == beside
    back = ro.robustness(RAGGED, pairs=[("B", "A")]).rows
    for first, other in zip(ro.robustness(RAGGED).rows, back, strict=True):
        assert (first.ahead, first.n_variations, first.kept, set(first.reversed_by)) == (
            other.ahead,
            other.n_variations,
            other.kept,
            set(other.reversed_by),
        )
        assert first.difference == pytest.approx(-other.difference)


def chance_lead(x, y):
    chances = [((a[:, None] > b) + 0.5 * (a[:, None] == b)).mean() for a, b in zip(x, y, strict=True)]
    return float(np.mean(chances)) - 0.5


def without(cells, t, i, runs):
    return [np.delete(cell, i) if runs == "shared" or s == t else cell for s, cell in enumerate(cells)]


@pytest.mark.parametrize("runs", ["per_task", "shared"])
def test_the_improvement_left_out_is_that_of_computing_everything_again(runs):
    data = ro.Scores.from_dict({"A": RNG.normal(5.4, 1, (4, 3)), "B": RNG.normal(5, 1, (3, 3))}, runs=runs)
    x, y = data.cells("A"), data.cells("B")
    result = ro.robustness(data, other_references=["range"])

    tasks = range(3) if runs == "per_task" else [0]
    left = [chance_lead(without(x, t, i, runs), y) for t in tasks for i in range(4)]
    left += [chance_lead(x, without(y, t, i, runs)) for t in tasks for i in range(3)]
    assert result.measure == "improvement"
    assert cell(result, "run").difference == pytest.approx(chance_lead(x, y))
    assert (cell(result, "run").kept, cell(result, "run").smallest_lead) == counts(left, chance_lead(x, y))
    others = [chance_lead([*x[:t], *x[t + 1 :]], [*y[:t], *y[t + 1 :]]) for t in range(3)]
    assert (cell(result, "task").kept, cell(result, "task").smallest_lead) == counts(others, chance_lead(x, y))
    assert cell(result, "reference").smallest_lead == pytest.approx(abs(chance_lead(x, y)))


@pytest.mark.parametrize("sizes", [([4, 4], [3, 5]), ([3, 5], [4, 4]), ([2, 3], [4, 1])])
def test_leads_without_a_run_are_those_of_computing_again_where_one_side_has_ragged_tasks(sizes):
    x, y = ([RNG.normal(size=n) for n in own] for own in sizes)
    first, other = varied_chances(x, y)
    assert first.value - other.value == pytest.approx(chance_lead(x, y))
    left = [chance_lead(without(x, t, i, "per_task"), y) for t, i in first.which]
    assert first.without_run - other.value == pytest.approx(left)
    left = [chance_lead(x, without(y, t, i, "per_task")) for t, i in other.which]
    assert first.value - other.without_run == pytest.approx(left)


@settings(max_examples=examples(30), deadline=None)
@given(
    st.lists(st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=4), min_size=4, max_size=4),
    st.sampled_from([1e-70, 4.0, 1e70]),
)
def test_units_change_no_count(cells, scale):
    data = {"A": {"t": cells[0], "u": cells[1]}, "B": {"t": cells[2], "u": cells[3]}}
    scaled = {a: {t: [scale * x for x in cell] for t, cell in tasks.items()} for a, tasks in data.items()}
    first, other = (
        ro.robustness(
            some, measure="mean", other_measures=["mean", "iqm"], other_references=["range"], single_value="tested"
        )
        for some in (data, scaled)
    )
    assert [(r.ahead, r.n_variations, r.kept, r.reversed_by) for r in first.rows] == [
        (r.ahead, r.n_variations, r.kept, r.reversed_by) for r in other.rows
    ]


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: ro.robustness({"A": [1.0, 2.0]}), "needs two algorithms"),
        (lambda: ro.robustness(RAGGED, other_last=[2]), "give Curves"),
        (lambda: ro.robustness(RAGGED, other_measures="iqm"), "sequence of names"),
        (lambda: ro.robustness(ro.load_example("classic_control"), other_last=5), r"for example \[5\]"),
        (lambda: ro.robustness(RAGGED, measure="best"), "measures are auto"),
        (lambda: ro.robustness(RAGGED, other_references="atari"), r"for example \['atari'\]"),
        (lambda: ro.robustness(RAGGED, other_references=["atari"]), "no reference scores in 'atari'"),
        (lambda: ro.robustness(RAGGED, other_references=["atrai"]), "no reference scores are registered"),
        (lambda: ro.robustness(RAGGED, other_references=[({"x": 0}, {"x": 1})]), "task: .low, high.., not a tuple"),
        (
            lambda: ro.robustness(RAGGED, normalize=dict.fromkeys("tuv", (-5.0, 5.0)), other_references=["none"]),
            "cannot be undone",
        ),
        (lambda: ro.robustness(ro.load_example("classic_control"), other_last=[10**6]), "fewer than 1000000"),
        (lambda: ro.robustness({"A": {"t": [1.0]}, "B": {"u": [1.0]}}), "no task in common"),
    ],
)
def test_what_cannot_be_varied_is_refused_with_the_repair(ask, words):
    with pytest.raises(ro.RunoffError, match=words):
        ask()


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_costs_stand_on_no_registered_scale_and_keep_their_leader_on_one_of_costs():
    rows = [
        (a, t, s, level + 0.1 * s)
        for a, level in (("A", 1.0), ("B", 2.0))
        for t in ("Pong", "Breakout")
        for s in range(3)
    ]
    costs = ro.load(
        {
            name: list(column)
            for name, column in zip(("algorithm", "task", "run", "loss"), zip(*rows, strict=True), strict=True)
        }
    )
    ends = {"Pong": (4.0, 0.5), "Breakout": (40.0, 0.0)}
    for data, references in ((costs, None), (costs, [ends]), (costs.normalize(ends), None)):
        rows_of = list(ro.robustness(data, measure="mean", other_references=references))
        assert {row.ahead for row in rows_of} == {"A"}
        assert all(row.kept == row.n_variations for row in rows_of)
    with pytest.raises(ro.DataError, match="the scores are costs"):
        ro.robustness(costs, measure="mean", other_references=["atari"])
