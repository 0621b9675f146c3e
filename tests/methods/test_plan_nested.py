"""Plans of items × attempts and of trainings × rollouts: the variances that a pilot shows, the power of a plan, and what is cheapest."""

from __future__ import annotations

import json
from math import ceil

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs.items import item_law
from runoff._inference.planning import Nested, of_items, of_trainings
from runoff.cli.app import run

Z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)


def items(seed=0, n=40, attempts=4):
    """Attempts of two models at items, which each has its own chances."""
    rng = np.random.default_rng(seed)
    rate = rng.beta(2, 1, n)
    runs = {"A": rng.random((attempts, n)) < np.minimum(rate + 0.05, 1), "B": rng.random((attempts, n)) < rate}
    return ro.Scores.from_dict({name: own * 1.0 for name, own in runs.items()}, unit="episode")


def trainings(seed=0, n=4, rollouts=20):
    rng = np.random.default_rng(seed)
    rates = {"A": rng.beta(12, 6, n), "B": rng.beta(9, 9, n)}
    return ro.Scores.from_dict({name: {"pick": rng.binomial(rollouts, own) / rollouts} for name, own in rates.items()})


def test_the_items_are_those_of_the_normal_formula():
    scores = items()
    plan = ro.plan(scores, effect=0.04, over="tasks")
    a, b = (np.array([scores.cell(name, task) for task in scores.tasks]) for name in "AB")
    within = a.var(axis=1, ddof=1).mean() + b.var(axis=1, ddof=1).mean()
    between = (a.mean(axis=1) - b.mean(axis=1)).var(ddof=1) - within / 4
    assert (plan.between, plan.within) == pytest.approx((between, within))
    for row in plan.rows:
        assert row.n_units == ceil(Z**2 * (between + within / row.n_repeats) / 0.04**2)
        assert row.total == 2 * row.n_units * row.n_repeats
    assert plan.detectable == pytest.approx(Z * np.sqrt(between / 40), rel=1e-5)
    assert (plan.n_repeats, plan.n_pilot, plan.best_repeats) == (4, 40, None)


def test_pilots_show_the_variances_of_items_without_bias():
    rng, shown = np.random.default_rng(1), []
    for _ in range(60):
        rate = 0.1 + 0.8 * rng.beta(2, 2, 200)
        other = rate + rng.choice([-0.1, 0.1], 200)
        cells = [list((rng.random((200, 10)) < own[:, None]) * 1.0) for own in (rate, other)]
        model = of_items(*cells)
        shown.append((model.between[0], model.within[0]))
    between, within = np.mean(shown, axis=0)
    truth = 2 * (0.25 - 0.64 * 0.05) - 0.01  # E p(1 − p) = ¼ − Var p of both, the second's rates 0.1 further off
    assert between == pytest.approx(0.01, abs=0.002)
    assert within == pytest.approx(truth, abs=0.01)


def test_pilots_show_the_variances_of_trainings():
    rng = np.random.default_rng(2)
    models = [of_trainings(*(rng.binomial(20, rng.beta(6, 6, 8)) / 20 for _ in "ab"), 20) for _ in range(300)]
    assert np.mean([model.between for model in models]) == pytest.approx(0.25 / 13, abs=0.002)
    assert np.mean([model.within for model in models]) == pytest.approx(0.25 * 12 / 13, abs=0.005)


def test_planned_items_have_the_power_in_the_test_that_compares_them():
    rng, rejected = np.random.default_rng(3), []
    rates = rng.beta(2, 2, 100_000) * 0.9
    model = Nested((0.0,), (float((rates * (1 - rates) + (rates + 0.08) * (0.92 - rates)).mean()),), trainings=False)
    n = model.needed(3, 0.08, 0.05, 0.8)
    for _ in range(600):
        own = rng.choice(rates, n)
        leads = (rng.binomial(3, own + 0.08) - rng.binomial(3, own)) / 3
        rejected.append(item_law(leads, None, attempts=np.full(2 * n, 3.0)).pvalue() <= 0.05)
    assert np.mean(rejected) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(("n", "rollouts", "effect"), [(3, 20, 0.45), (5, 10, 0.35), (10, 50, 0.2)])
def test_the_power_of_trainings_is_that_of_welchs_test(n, rollouts, effect):
    rng = np.random.default_rng(4)
    first, second = (
        rng.binomial(rollouts, rng.beta(8 * p, 8 * (1 - p), (20_000, n))) / rollouts
        for p in (0.5 + effect / 2, 0.5 - effect / 2)
    )
    s, r = (own.var(axis=1, ddof=1) / n + 1e-12 for own in (first, second))
    df = (s + r) ** 2 * (n - 1) / (s**2 + r**2)
    p = 2 * stats.t.sf(np.abs(first.mean(axis=1) - second.mean(axis=1)) / np.sqrt(s + r), df)
    rate = 0.25 - (effect / 2) ** 2
    model = Nested((rate / 9, rate / 9), (rate * 8 / 9, rate * 8 / 9), trainings=True)
    assert model.power(n, rollouts, effect, 0.05) == pytest.approx(np.mean(p <= 0.05), abs=0.02)


def test_the_cheapest_number_of_attempts_is_that_of_all_numbers():
    plan = ro.plan(items(), effect=0.04, over="tasks", cost_per_run=1.0, cost_per_task=15.0)
    variance = lambda k: plan.between + plan.within / k  # noqa: E731
    costs = {k: Z**2 * variance(k) / 0.04**2 * (15 + 2 * k) for k in range(1, 200)}
    assert plan.best_repeats == pytest.approx(min(costs, key=costs.get), abs=1)
    cheapest = min(plan.rows, key=lambda row: row.cost)
    assert (plan.n_units, plan.n_repeats) == (cheapest.n_units, cheapest.n_repeats)
    assert cheapest.cost == cheapest.n_units * (15 + 2 * cheapest.n_repeats)
    assert "which costs least of all numbers of attempts" in plan.sentence


@pytest.mark.slow
def test_the_cheapest_number_of_rollouts_weighs_trainings_against_them():
    plan = ro.plan(trainings(), effect=0.2, rollouts=20, cost_per_run=50.0, cost_per_rollout=1.0)
    assert plan.best_repeats == pytest.approx(np.sqrt(plan.within * 50 / plan.between))
    row = next(row for row in plan.rows if row.n_repeats == plan.n_repeats)
    assert row.cost == 2 * row.n_units * (50 + row.n_repeats)
    assert f"It takes {row.n_units} trainings of each algorithm with {row.n_repeats} rollouts of each" in plan.sentence


@pytest.mark.slow
def test_few_trainings_are_said_to_show_little():
    few, many = (ro.plan(trainings(seed=5, n=n), effect=0.2, rollouts=20) for n in (3, 8))
    assert "3 trainings of each show their spread to a factor of 0.6 to 2.9" in few.notes[-1]
    assert "show their spread" not in " ".join(many.notes)
    assert few.detectable > many.detectable > 0


def test_a_pilot_whose_trainings_do_not_spread_is_not_believed():
    same = ro.Scores.from_dict({"A": {"t": [0.5, 0.55, 0.5]}, "B": {"t": [0.4, 0.4, 0.45]}})
    plan = ro.plan(same, effect=0.2, rollouts=20)
    assert (plan.between, plan.detectable) == (0.0, None)
    assert "no spread of trainings beside that of rollouts" in plan.notes[1]


def test_of_several_models_the_plan_is_at_the_level_of_all_their_pairs():
    scores = items()
    third = ro.Scores.from_dict({"C": np.array([scores.cell("A", t) for t in scores.tasks]).T * 0.0}, unit="episode")
    runs = {
        name: np.array([own.cell(name, t) for t in own.tasks]).T
        for own, names in ((scores, "AB"), (third, "C"))
        for name in names
    }
    plan = ro.plan(ro.Scores.from_dict(runs, unit="episode"), effect=0.04, over="tasks")
    assert plan.alpha == pytest.approx(0.05 / 3)
    assert {plan.a, plan.b} == {"A", "B"}
    assert "of the pilot's 3 pairs this is" in plan.notes[-1]
    assert plan.n_units > ro.plan(scores, effect=0.04, over="tasks").n_units


def test_one_attempt_at_each_item_is_planned_for_alone():
    plan = ro.plan(items(attempts=1), effect=0.05, over="tasks")
    assert (plan.within, plan.detectable, [row.n_repeats for row in plan.rows]) == (None, None, [1])
    assert "two at each show it" in plan.notes[-1]


TWO_TASKS = ro.Scores.from_dict({name: {"pick": [0.2, p], "place": [0.1, p]} for name, p in (("A", 0.3), ("B", 0.6))})


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (items(), {"over": "tasks", "rollouts": 20}, "not for both at once"),
        (items(), {"over": "tasks", "test": "welch"}, "test= means nothing with over='tasks' or rollouts="),
        (items(), {"over": "tasks", "cost_per_rollout": 1.0}, "cost_per_rollout= is no cost of items and attempts"),
        (items(), {"over": "tasks", "effect": "10%"}, "in .0, 1. here, such as 0.05, not '10%'"),
        (items(), {"over": "tasks", "effect": 1.0}, "such as 0.05, not 1.0"),
        (items(), {"over": "attempts"}, "Did you mean|takes|must be|over"),
        (TWO_TASKS, {"rollouts": 20}, "one task at a time, and the pilot has 2"),
        (items(n=1), {"over": "tasks"}, "share one item"),
        (items().select(algorithms=["A"]), {"over": "tasks"}, "the pilot has one algorithm, 'A'"),
        (trainings(), {"rollouts": 1}, "rollouts"),
        (trainings(n=1), {"rollouts": 20}, "a single training"),
        (trainings(), {"cost_per_rollout": 1.0}, "cost_per_rollout= means nothing without"),
        (ro.Scores.from_dict({"A": {"t": [3.0, 5.0]}, "B": {"t": [1.0, 2.0]}}), {"rollouts": 9}, r"scores in \[0, 1\]"),
    ],
)
def test_what_is_no_plan_of_items_or_trainings_is_refused(scores, options, message):
    with pytest.raises(ro.RunoffError, match=message):
        ro.plan(scores, **{"effect": 0.1, **options})


@pytest.mark.slow
def test_the_command_line_plans_items_and_trainings(tmp_path, capsys):
    path = tmp_path / "pilot.csv"
    items().to_frame().write_csv(path)
    assert run(["plan", str(path), "--unit", "episode", "--over", "tasks", "--effect", "0.04", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["units"], answer["records"][0]["n_repeats"]) == ("items", 1)
    trainings().to_frame().write_csv(path)
    call = ["plan", str(path), "--rollouts", "20", "--effect", "0.2", "--cost-per-run", "50", "--cost-per-rollout", "1"]
    assert run(call) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "which costs least of all numbers of rollouts" in printed
    assert "Rollouts of each" in printed


@pytest.mark.parametrize("words", [["A=17/20", "B=11/20"], ["c.csv", "--unit", "episode"], ["c.csv"]])
def test_episodes_of_one_policy_plan_no_trainings(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.csv").write_text("policy,successes,trials\nA,17,20\nB,11,20\n")
    assert run(["plan", *words, "--rollouts", "20", "--effect", "0.1"]) == 2
    error = capsys.readouterr().err
    assert "--rollouts plans for trainings" in error
    assert "two or more" in error
    assert "--unit episode" not in error


@pytest.mark.parametrize("prices", [{}, {"cost_per_task": 20.0, "cost_per_run": 1.0}])
def test_a_pilot_without_a_spread_of_items_plans_its_own_attempts(prices):
    alike = ro.Scores.from_dict(
        {m: {f"q{i}": [1.0] * k + [0.0] * (4 - k) for i in range(30)} for m, k in (("A", 1), ("B", 2))}
    )
    plan = ro.plan(alike, effect=0.1, over="tasks", **prices)
    assert (plan.between, plan.n_repeats) == (0.0, 4)
    assert "costs least" not in plan.sentence
    assert "at each" not in plan.sentence
    assert "believe no plan with more attempts at each than its 4" in plan.notes[1]
