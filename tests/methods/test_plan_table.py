"""The table of a plan: what each of its rows is, and what is said where a row has no runs."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.planning import family_level

RNG = np.random.default_rng(1)
TASKS = [f"t{t}" for t in range(6)]
BENCH = ro.Scores.from_dict(
    {name: RNG.normal(at, 0.2, (5, 6)) for name, at in (("low", 0.6), ("top", 1.2), ("near", 1.0))}
).normalize(dict.fromkeys(["task 0", *(f"task {t}" for t in range(1, 7))], (0.0, 1.0)), assume_raw=True)
TWO = BENCH.select(algorithms=["near", "top"])


@pytest.mark.parametrize("measure", ["mean", "iqm", "improvement"])
def test_a_share_of_the_leader_is_the_lift_of_a_plan_with_the_leader_first(measure):
    first = ro.Scores.from_dict({"top": TWO.to_dict()["top"], "near": TWO.to_dict()["near"]}, score_unit="shared")
    first = first if first.algorithms[0] == "top" else None
    table = ro.plan(TWO, measure=measure)
    assert (table.a, table.b) == ("top", "near")
    if first is not None:
        planned = ro.plan(first, measure=measure, effect="10%")
        row = table["10%"]
        assert (row.n_runs, row.n_runs_naive) == (planned.n_runs, planned.n_runs_naive)
        assert row.effect == pytest.approx(abs(planned.effect))


def test_of_several_algorithms_it_is_the_leader_and_its_rival_at_the_first_step_of_the_family():
    table = ro.plan(BENCH)
    assert (table.a, table.b, table.n_pairs) == ("top", "near", 3)
    assert table.alpha == pytest.approx(0.05 / 3)
    assert "of the pilot's 3 pairs" in " ".join(table.notes)
    (pair,) = [pair for pair in ro.compare(BENCH).pairs if {pair.a, pair.b} == {"top", "near"}]
    assert table["detectable"].effect == pytest.approx(pair.detectable_difference)
    assert ro.plan(BENCH, effect="10%").alpha == table.alpha


def test_one_algorithm_stands_for_both():
    table = ro.plan(BENCH.select(algorithms=["top"]), hours_per_run=2.0)
    assert [row.question for row in table.rows] == ["margin", "5%", "10%", "20%", "detectable"]
    planned, row = ro.plan(BENCH.select(algorithms=["top"]), effect="20%"), table["20%"]
    assert (row.n_runs, row.n_runs_naive, row.n_runs_average) == (
        planned.n_runs,
        planned.n_runs_naive,
        planned.n_runs_average,
    )
    assert row.hours == 2 * row.total_runs == 2 * planned.total_runs
    assert table["detectable"].n_runs_average == 5


def test_runs_needed_of_runs_is_the_table_and_takes_nothing_that_a_table_has_not():
    assert ro.runs_needed(TWO, power=0.9, alpha=0.01).to_records() == ro.plan(TWO, power=0.9, alpha=0.01).to_records()
    assert ro.runs_needed(TWO, cost_per_run=3.0)["10%"].cost == 3 * ro.plan(TWO)["10%"].total_runs
    with pytest.raises(ro.OptionError, match="because both algorithms get the same number of runs"):
        ro.runs_needed(TWO, cost_per_run=(1, 2))
    with pytest.raises(ro.OptionError, match="effect means nothing of pilot runs"):
        ro.runs_needed(TWO, effect=1.0)
    with pytest.raises(ro.OptionError, match="takes a difference"):
        ro.runs_needed()
    with pytest.raises(KeyError, match="there is no '30%' in this answer; its rows are named by 'margin'"):
        ro.plan(TWO)["30%"]


@pytest.mark.parametrize(
    ("pilot", "level", "question", "reason"),
    [
        (([-1.0, -2.0, -3.0], [-3.0, -2.5, -4.0]), 0.05, "10%", "which must be above 0"),
        (([1.0] * 19 + [0.0], [0.0] * 12 + [1.0] * 8), 0.4, "20%", "lies between 0 and 100 %"),
        pytest.param(
            *(([1.0] + [0.0] * 59, [1.0] + [0.0] * 59), 0.05, "5%", "a t test would take about"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_row_without_runs_says_why(pilot, level, question, reason):
    row = ro.plan(pilot, alpha=level, power=0.5)[question]  # at 0.4 few runs are looked for
    assert row.n_runs is None
    assert reason in row.reason


def test_of_tasks_on_which_a_share_lowers_scores_there_is_no_row():
    runs = {name: {"up": RNG.normal(9, 1, 5), "down": RNG.normal(-2, 1, 5)} for name in ("A", "B")}
    rows = [row for row in ro.plan(runs) if row.question.endswith("%")]
    assert rows
    assert all(row.n_runs is None and "on 'down'; leave such tasks out" in row.reason for row in rows)


def rates(n_runs):
    means = {"A": np.linspace(0.36, 0.86, 6), "B": np.linspace(0.26, 0.76, 6)}
    cells = {
        n: {f"t{t}": [float(i < p * n_runs) for i in range(n_runs)] for t, p in enumerate(m)} for n, m in means.items()
    }
    return ro.Scores.from_dict(cells)


@pytest.mark.slow
def test_a_row_that_is_not_simulated_has_the_runs_on_average_and_says_what_simulates_it():
    table = ro.plan(rates(10), n_repeats=100)
    row = table["5%"]
    assert row.n_runs is None
    assert any("another number of runs for the same size" in note for note in table.notes)
    assert "and plan(effect='5%') simulates them" in row.reason
    assert row.n_runs_average == ro.plan(rates(10), effect="5%", n_repeats=100).n_runs_average


def test_a_probability_has_no_number_of_runs_with_assurance():
    table = ro.plan(TWO, measure="improvement")
    assert {row.question: row.assured for row in table.rows} == {
        "margin": False,
        "5%": True,
        "10%": True,
        "20%": True,
        "detectable": False,
    }
    plan = ro.plan(TWO, measure="improvement", effect=0.7, effect_unit="improvement")
    assert plan.n_runs == plan.n_runs_average
    assert "on average over what the pilot leaves open" in plan.sentence
    assert "with 90" not in plan.sentence


@pytest.mark.parametrize("options", [{}, {"effect": "20%"}])
def test_runs_that_do_not_vary_are_named_in_the_table_and_the_plan(options):
    still = {"A": {"x": [1.0, 1.0, 1.0], "y": [1.0, 2.0, 4.0]}, "B": {"x": [1.0, 2.0, 3.0], "y": [1.0, 2.0, 3.0]}}
    assert "runs of 'A' on 'x' do not vary" in " ".join(ro.plan(still, measure="mean", **options).notes)
    with pytest.raises(ro.DesignError, match="do not vary, so no number of runs can be computed"):
        ro.plan([1.0, 1.0, 1.0], effect=-0.2)


def outlying(score):
    cells = {task: [1.0, 1.1, 0.9, 1.05, 0.95] for task in TASKS}
    return ro.Scores.from_dict({"A": cells, "B": {**cells, "t2": [1.0, 1.1, 0.9, 1.05, score]}}, score_unit="shared")


def test_a_run_that_makes_most_of_the_spread_is_named_and_pooled():
    plan, calm = (ro.plan(outlying(score), effect=0.1, measure="mean") for score in (9.0, 0.951))
    assert (plan.outlying.algorithm, plan.outlying.task, plan.outlying.score) == ("B", "t2", 9.0)
    assert plan.outlying.share > 0.95
    assert plan.n_runs_pooled == calm.n_runs < plan.n_runs
    assert f"One run of B on t2 (9) makes {100 * plan.outlying.share:.0f}" in plan.sentence
    assert (calm.outlying, calm.n_runs_pooled) == (None, None)
    row = ro.plan(outlying(9.0), measure="mean")["10%"]
    assert row.n_runs_pooled < row.n_runs


def test_the_same_run_is_outside_the_middle_half_that_the_iqm_is_of():
    assert ro.plan(outlying(9.0), effect=0.1).outlying is None


@pytest.mark.parametrize(("n_tasks", "n_runs"), [(2, 20), (3, 4), (4, 3)])
def test_in_small_pilots_no_run_is_named(n_tasks, n_runs):
    cells = {f"t{t}": np.linspace(0.9, 1.1, n_runs).tolist() for t in range(n_tasks)}
    far = {**cells, "t0": [*cells["t0"][:-1], 50.0]}
    scores = ro.Scores.from_dict({"A": cells, "B": far}, score_unit="shared")
    assert ro.plan(scores, effect=0.1, measure="mean").outlying is None


def test_the_share_of_a_run_is_what_the_squared_error_loses_with_it():
    share = ro.plan(outlying(9.0), effect=0.1, measure="mean").outlying.share
    calm, far = [1.0, 1.1, 0.9, 1.05, 0.95], [1.0, 1.1, 0.9, 1.05, 9.0]
    total = np.var(far, ddof=1) + (2 * len(TASKS) - 1) * np.var(calm, ddof=1)
    assert share == pytest.approx((np.var(far, ddof=1) - np.var(far[:-1], ddof=1)) / total)


def test_the_leader_of_a_measure_of_which_less_is_better_has_the_least_of_it():
    runs = {
        name: {task: RNG.uniform(low, low + 0.2, 6) for task in TASKS}
        for name, low in zip("ABC", (0.1, 0.7, 0.4), strict=True)
    }
    table = ro.plan(ro.Scores.from_dict(runs, score_unit="shared"), measure="optimality_gap")
    assert (table.a, table.b) == ("B", "C")


@pytest.mark.parametrize("measure", ["mean", "iqm", "optimality_gap", "improvement"])
def test_where_tasks_lack_the_leader_is_ahead_on_the_tasks_that_both_have(measure):
    """A has the best values for it lacks the hard tasks; on the others B is ahead of it."""
    rng = np.random.default_rng(3)
    hard = {"A": TASKS[3:], "B": TASKS, "C": TASKS}
    lead = {"A": 0.5, "B": 0.6, "C": 0.3}
    runs = {
        name: {task: lead[name] - 0.6 * (task in TASKS[:3]) + rng.normal(0, 0.03, 5) for task in tasks}
        for name, tasks in hard.items()
    }
    scores = ro.Scores.from_dict(runs, score_unit="shared")
    table, result = ro.plan(scores, measure=measure), ro.compare(scores, measure=measure)
    assert (table.a, table.b) == ("B", "A")
    assert ro.plan(scores, measure=measure, effect="10%").a == "B"
    assert result["B", "A"].winner == "B"


def test_runs_vary_where_compare_takes_them_to_vary():
    rng = np.random.default_rng(0)
    runs = {name: {task: 1e12 + rng.uniform(0, 1, 4) for task in TASKS} for name in "AB"}
    scores = ro.Scores.from_dict(runs, score_unit="shared")
    table, (pair,) = ro.plan(scores), ro.compare(scores).pairs
    assert table["detectable"].effect == pytest.approx(pair.detectable_difference, rel=1e-3)


def test_the_chance_that_is_planned_for_is_that_of_the_one_named_first():
    """By the averages of pairs A comes first, though B beats it."""
    runs = {"A": [5.0, 5.1, 4.9, 5.2, 6.1], "B": [5.5, 5.6, 3.0, 3.0, 6.2], "C": [4.0, 4.1, 4.2, 4.3, 4.4]}
    scores = ro.Scores.from_dict(
        {name: {"t": np.array(cell), "u": np.array(cell) + 1.0} for name, cell in runs.items()}
    )
    table, result = ro.plan(scores, measure="improvement"), ro.compare(scores, measure="improvement")
    assert [name for name, _ in result.values][:2] == ["A", "B"]
    assert (table.a, table.b) == ("B", "A")
    assert "a true probability of improvement of 0.6 of B over A" in table.sentence


def test_of_a_pilot_that_stands_for_both_half_as_much_is_known_of_the_spread():
    runs = np.array([10.1, 11.0, 9.2, 10.4, 9.8])
    alone, both = (ro.plan(pilot, effect=1.5) for pilot in (runs, [runs, runs + 1.0]))
    assert alone.n_runs_naive == both.n_runs_naive
    assert alone.n_runs_average > both.n_runs_average


def drawn_rates():
    rng = np.random.default_rng(0)
    return ro.Scores.from_dict({name: (rng.random((12, 3)) < p) * 1.0 for name, p in (("A", 0.7), ("B", 0.55))})


def test_rates_have_one_plan_whether_read_as_means_or_as_chances():
    options = {"effect": "10%", "n_repeats": 100}
    mean, chance = (ro.plan(drawn_rates(), measure=measure, **options) for measure in ("mean", "improvement"))
    assert (chance.n_runs, chance.n_runs_average) == (mean.n_runs, mean.n_runs_average)


@pytest.mark.slow
def test_rates_have_one_table_whether_read_as_means_or_as_chances_half_as_far_apart():
    mean, chance = (ro.plan(drawn_rates(), measure=measure) for measure in ("mean", "improvement"))
    for question in ("margin", "5%", "10%", "20%", "detectable"):
        assert chance[question].effect == pytest.approx(mean[question].effect / 2)
        for name in ("n_runs", "n_runs_naive", "n_runs_average"):
            assert getattr(chance[question], name) == getattr(mean[question], name), (question, name)


def test_a_control_has_as_many_pairs_as_others_and_their_first_level():
    assert family_level(BENCH, 0.06) == pytest.approx((0.02, 3))
    assert family_level(BENCH, 0.06, control="low") == pytest.approx((0.03, 2))


@pytest.mark.parametrize("test", ["auto", "jackknife", "mack_skillings"])
def test_the_level_of_a_plan_is_that_of_the_first_step_of_compare(test):
    measure = "improvement" if test == "mack_skillings" else "mean"
    level, n_pairs = family_level(BENCH, 0.05)
    pairs = ro.compare(BENCH, measure=measure, test=test).pairs
    first = min(pairs, key=lambda pair: pair.pvalue)
    assert n_pairs == len(pairs)
    assert first.pvalue_adjusted == pytest.approx(min(first.pvalue * 0.05 / level, 1.0))


def test_whole_runs_count_once_whatever_the_number_of_their_tasks():
    whole = ro.Scores.from_dict(TWO.to_dict(), runs="shared")
    table, separate = ro.plan(whole, hours_per_run=3.0), ro.plan(TWO, hours_per_run=3.0)
    for answer, n_tasks in ((table, 1), (separate, 6)):
        rows = [row for row in answer.rows if row.n_runs is not None]
        assert rows
        assert [row.total_runs for row in rows] == [2 * n_tasks * row.n_runs for row in rows]
        assert [row.hours for row in rows] == [3 * row.total_runs for row in rows]


def test_where_no_size_of_the_table_has_runs_the_reason_is_said_and_no_other_size_takes_its_place(monkeypatch):
    monkeypatch.setattr("runoff._inference.planning.chance.MOST_ROLLOUTS", 100)
    runs = {"A": {"t": [0.0, 1, 1, 0, 1, 1, 0, 1]}, "B": {"t": [0.0, 1, 0, 0, 1, 0, 0, 1]}}
    table = ro.plan(ro.Scores.from_dict(runs), measure="improvement")
    assert [row.question for row in table.rows if row.n_runs is not None] == ["detectable"]
    assert table.sentence.startswith("No number of runs is known for 20\u00a0% of A's mean: ")
    assert table.sentence.endswith("With 8 runs a probability of improvement of 0.799 is found with 80\u00a0% power.")
