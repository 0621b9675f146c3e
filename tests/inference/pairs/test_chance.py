"""The law of the probability of improvement: what its interval and its equivalence say is one thing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import runoff as ro
from runoff._inference.pairs import PairData, improvement_law, place, whole_law, whole_pvalues
from runoff._inference.pairs.chance import detectable_lead, placements
from runoff._inference.power import detectable


@pytest.mark.parametrize("seed", range(12))
def test_on_one_task_equivalence_is_the_interval_at_twice_alpha_inside_the_margin(seed):
    rng, answers = np.random.default_rng(seed), set()
    for shift in (0.0, 0.2, -0.4):
        law = improvement_law([rng.normal(shift, 1, 10)], [rng.normal(0, 1, rng.integers(8, 13))])
        for margin in (0.15, 0.25, 0.35, 0.45):
            for alpha in (0.02, 0.05, 0.1, 0.2):
                low, high = law.interval(1 - 2 * alpha)
                inside = low > 0.5 - margin and high < 0.5 + margin
                assert inside == (law.equivalence_pvalue(margin) <= alpha), (shift, margin, alpha)
                answers.add(inside)
    assert answers == {True, False}


@pytest.mark.parametrize("n", range(2, 12))
def test_the_interval_of_runs_that_all_win_holds_their_chance_to_the_last_bit(n):
    for m in range(2, 12):
        scores = {"A": [10.0 + 0.1 * i for i in range(n)], "B": [0.1 * i for i in range(m)]}
        pair = ro.compare(scores, measure="improvement").pairs[0]
        assert pair.improvement == 1.0
        assert pair.high == pair.own_high == 1.0


def test_as_many_wins_as_losses_are_even_odds_to_the_last_bit():
    # 18 of 36 pairs are won, which sums of sixths give as 0.49999999999999994.
    x = np.array([4.0, 8.0, 10.0, 6.0, 9.0, 2.0])
    y = np.array([5.0, 7.0, 12.0, 3.0, 11.0, 1.0])

    assert improvement_law([x], [y]).value == 0.5
    assert improvement_law([x, x[:3]], [y, x[:3]]).value == 0.5


def errors_of_chances(chances, sizes):
    """Return the error and df of their mean, task by task, as the docstring of `improvement_law` writes it."""
    parts, freedom = [], []
    for chance, (n, m) in zip(chances, sizes, strict=True):
        e = 3 * n * m / (n + m + 1)

        def variance(p, n=n, m=m):
            wins = (n - 1) * (p / (2 - p) - p**2) + (m - 1) * (2 * p**2 / (1 + p) - p**2)
            return (p * (1 - p) + wins) / (n * m)

        placed = 0.0 if chance == 0.5 and (n, m) == STILL else variance(chance)
        parts.append((placed + variance((chance * e + 2) / (e + 4))) / 2 / len(sizes) ** 2)
        freedom.append(2 * min(n, m) - 2)
    return np.sqrt(sum(parts)), sum(parts) ** 2 / sum(p**2 / d for p, d in zip(parts, freedom, strict=True))


STILL = (7, 7)


@pytest.mark.parametrize("sizes", [((5, 5),) * 4, ((4, 9), (6, 3), (5, 5)), (STILL, (6, 8), (8, 6), (9, 9))])
def test_the_detectable_lead_is_the_least_whose_chances_are_far_enough_from_a_half(sizes):
    still = tuple(size == STILL for size in sizes)
    lead, df = detectable_lead(sizes, 0.05, 0.8, still)
    leads = [0.0 if stays else lead * len(sizes) / (len(sizes) - sum(still)) for stays in still]
    laws = [errors_of_chances([0.5 + side * own for own in leads], sizes) for side in (1, -1)]
    assert lead == pytest.approx(max(detectable(*law, 0.05, own_df=np.inf) for law in laws), rel=1e-6)
    assert df == pytest.approx(max(laws)[1], rel=1e-9)
    assert detectable_lead(tuple((m, n) for n, m in sizes), 0.05, 0.8, still)[0] == pytest.approx(lead, rel=1e-9)


def test_the_detectable_probability_is_that_of_the_runs_and_not_of_the_lead_they_show():
    rng = np.random.default_rng(0)
    runs = {name: rng.normal(0, 1, (3, 6)) for name in "AB"}
    pairs = [ro.compare({"A": runs["A"] + lead, "B": runs["B"]}, measure="improvement")[0] for lead in (0.0, 1.0, 9.0)]
    assert len({pair.detectable_difference for pair in pairs}) == 1
    far = float(special.ndtri(0.5 + pairs[0].detectable_difference)) * np.sqrt(2)
    rejected = [
        ro.compare({"A": rng.normal(far, 1, (3, 6)), "B": rng.normal(0, 1, (3, 6))}, measure="improvement")[0].pvalue
        <= 0.05
        for _ in range(200)
    ]
    assert abs(np.mean(rejected) - 0.8) < 3 * np.sqrt(0.16 / len(rejected))


def test_pairs_that_are_placed_together_are_placed_as_each_alone(monkeypatch):
    """In blocks of a few, of tasks with other numbers of runs each, of pairs with other numbers of tasks."""
    monkeypatch.setattr("runoff._inference.pairs.pair.DUELS", 60)
    rng = np.random.default_rng(11)
    sides = [[[rng.integers(0, 4, n) + 0.5 for n in rng.integers(1, 6, 1 + i % 4)] for _ in "ab"] for i in range(12)]
    pairs = [PairData(a="A", b="B", x=x, y=y, tasks=[f"t{t}" for t in range(len(x))]) for x, y in sides]
    rates = PairData(a="A", b="B", x=[np.ones(3)], y=[np.zeros(3)], tasks=["t"], binary=True, rates=True)
    assert "placed" not in vars(place([*pairs, rates])[-1])
    for pair in pairs:
        (chances, errors, runs), alone = vars(pair)["placed"], placements(pair.x, pair.y)
        ahead = [np.mean([[(a > b) + (a == b) / 2 for b in y] for a in x]) for x, y in zip(pair.x, pair.y, strict=True)]
        assert chances.tolist() == pytest.approx(ahead)
        assert (errors == alone[1]).all()
        assert [[side.tolist() for side in both] for both in runs] == [[s.tolist() for s in both] for both in alone[2]]


@pytest.mark.parametrize("every", [20_000, 0])
@pytest.mark.parametrize("n_tasks", [2, 5])
def test_whole_runs_of_many_experiments_have_the_pvalues_of_one_after_the_other(n_tasks, every, monkeypatch):
    monkeypatch.setattr("runoff._inference.pairs.whole.EVERY", every)
    rng = np.random.default_rng(n_tasks)
    x, y = rng.normal(0, 1, (2, 40, n_tasks, 4)).round(1)
    x[20:] += np.linspace(0.5, 9, 20)[:, None, None]
    x[:, -1] = y[:, -1] = 7.0
    alone = [whole_law(list(a), list(b), placements(list(a), list(b))).pvalue(0.5) for a, b in zip(x, y, strict=True)]
    assert whole_pvalues(x, y) == pytest.approx(alone, rel=1e-9)
    assert min(alone) < 0.05 < max(alone)


def test_a_task_stands_still_where_the_runs_of_neither_vary():
    """One side alone does not vary on three tasks, so that these may lead; where both do not, on one, the detectable mean is another."""
    varied = np.random.default_rng(5).normal(0, 1, (2, 4, 5))
    runs = {name: {f"t{t}": row for t, row in enumerate(side)} for name, side in zip("AB", varied, strict=True)}
    free = ro.compare(runs, measure="improvement")[0].detectable_difference
    runs["A"] |= {f"t{t}": np.full(5, 0.1) for t in range(3)}
    assert ro.compare(runs, measure="improvement")[0].detectable_difference == free
    runs["B"]["t0"] = np.full(5, 0.1)
    assert ro.compare(runs, measure="improvement")[0].detectable_difference != free


def test_what_is_detected_after_more_runs_is_that_of_these_runs():
    """The second has many more runs on its task, and the runs go to the first: exchanged numbers would detect another lead."""
    rng = np.random.default_rng(2)
    runs = {
        "A": {"s": rng.normal(0, 1, 3), "t": rng.normal(0, 1, 4)},
        "B": {"s": rng.normal(0, 1, 9), "t": rng.normal(0, 1, 12)},
    }
    result = ro.next_runs(runs, budget=5, measure="improvement")
    more = {(row.algorithm, row.task): row.n_runs + row.more for row in result.rows}
    sizes = tuple((more["A", task], more["B", task]) for task in "st")
    assert sum(map(sum, sizes)) == 28 + 5
    assert result.detectable_after == pytest.approx(detectable_lead(sizes, 0.05)[0], rel=1e-9)


@pytest.mark.parametrize("n", [1, 8])
def test_where_one_of_both_has_a_single_run_on_every_task_no_chance_is_detected(n):
    rng = np.random.default_rng(n)
    runs = {name: {task: rng.normal(0, 1, size) for task in "stu"} for name, size in (("A", 1), ("B", n))}
    pair = ro.compare(runs, over="runs", measure="improvement", single_value="tested")[0]
    assert pair.verdict == "no_verdict"
    assert pair.detectable_difference is None


def test_so_few_runs_that_not_even_a_certain_lead_is_found_detect_nothing():
    assert detectable_lead(((2, 2), (2, 2)), 0.05)[0] == np.inf
    runs = {"A": {"s": [1.0, 2.0], "t": [1.0, 5.0]}, "B": {"s": [1.5, 2.5], "t": [3.0, 2.0]}}
    (pair,) = ro.compare(runs, measure="improvement")
    assert pair.detectable_difference is None
    sees = ro.next_runs(runs, budget=12, measure="improvement")
    assert sees.detectable is None
    assert 0 < sees.detectable_after < 0.5
    assert f"power from none to {sees.detectable_after:.4g}" in sees.sentence
