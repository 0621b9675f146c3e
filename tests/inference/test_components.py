"""Components of variance are never negative, and scale with the unit of the scores."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro


def components(cells):
    result = ro.variance(ro.Scores.from_dict({"A": cells}))
    return {record.component: record for record in result.rows}


def of_episodes(*runs):
    """The components of one task whose runs have these episodes."""
    rows = [("A", "x", seed, score) for seed, scores in enumerate(runs) for score in scores]
    table = dict(zip(("algo", "task", "seed", "score"), zip(*rows, strict=True), strict=True))
    with pytest.warns(ro.RunoffWarning, match="evaluation episodes"):
        return {record.component: record for record in ro.variance(table).rows}


@pytest.mark.parametrize("cells", [{"x": [1.0, 3.0], "y": [1.0, 3.0]}, {"x": [0.0, 9.0, 1.0], "y": [5.0, 1.0]}])
def test_tasks_whose_means_are_closer_than_their_runs_allow_have_no_variance(cells):
    result = components(cells)
    assert (result["task"].variance, result["task"].share, result["run"].share) == (0.0, 0.0, 1.0)
    assert [result[name].cut for name in ("task", "run", "episode")] == [True, False, False]
    assert (
        ro.variance(ro.Scores.from_dict({"A": cells})).sentence
        == "A: 0\N{NO-BREAK SPACE}% tasks (estimated below 0, cut), 100\N{NO-BREAK SPACE}% runs."
    )


def test_runs_whose_means_are_closer_than_their_episodes_allow_have_no_variance():
    result = of_episodes([1.0, 5.0], [2.0, 4.1], [0.0, 6.0])
    assert (result["run"].variance, result["run"].share, result["episode"].share) == (0.0, 0.0, 1.0)
    assert (result["run"].cut, result["episode"].cut) == (True, False)
    assert (result["run"].share_of_score, result["episode"].share_of_score) == (0.0, 1.0)


def test_the_noise_in_a_score_is_that_of_runs_of_unequal_episodes_on_average():
    episodes = ([1.0, 5.0], [12.0, 14.1, 9.0, 11.0, 10.0, 8.0, 9.5, 13.0], [-10.0, -16.0, -12.0, -13.0])
    result = of_episodes(*episodes)
    noise = result["episode"].variance * float(np.mean([1 / len(own) for own in episodes]))
    assert result["run"].share_of_score == pytest.approx(result["run"].variance / (result["run"].variance + noise))
    assert 0 < result["run"].share_of_score < 1


def test_of_equal_algorithms_on_equal_tasks_no_component_is_negative_and_shares_sum_to_one():
    rng = np.random.default_rng(0)
    drawn = [components({t: rng.lognormal(size=n) for t, n in zip("xyz", (2, 5, 3), strict=True)}) for _ in range(30)]
    tasks = [result["task"].variance for result in drawn]
    assert min(tasks) == 0.0 < max(tasks)
    assert all(result["task"].share + result["run"].share == pytest.approx(1.0) for result in drawn)


def test_in_other_units_variances_scale_by_the_square_and_shares_stay():
    cells = {"x": [1.0, 3.0, 8.0], "y": [11.0, 12.0]}
    here, there = components(cells), components({t: [1000 * v + 7 for v in cell] for t, cell in cells.items()})
    for name in ("task", "run"):
        assert there[name].variance == pytest.approx(1e6 * here[name].variance)
        assert there[name].share == pytest.approx(here[name].share)


@pytest.mark.parametrize(("n", "rest"), [(6, None), (7, "and 1 more algorithm."), (9, "and 3 more algorithms.")])
def test_the_sentence_on_shares_names_six_algorithms_and_counts_the_others(n, rest):
    runs = np.random.default_rng(0).normal(size=(n, 3)).tolist()
    *named, last = ro.variance({f"a{k}": {"t": cells} for k, cells in enumerate(runs)}).sentence.split("; ")
    assert len(named) == min(n, 6) - (rest is None)
    assert rest in (None, last)
