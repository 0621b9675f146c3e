"""Caveats about rows that are no independent runs: R022 to R024, each given where it should be and silent where it should not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.advice import about_data

RNG = np.random.default_rng


def codes(scores):
    return {advice.code for advice in about_data(scores)} & {"R022", "R023", "R024"}


def drawn(seed, n=6, n_tasks=6, share=0.0, **options):
    """A and B, `share` of whose variance belongs to the run."""
    rng = RNG(seed)
    cells = {
        name: np.sqrt(share) * rng.normal(size=(n, 1)) + np.sqrt(1 - share) * rng.normal(size=(n, n_tasks))
        for name in ("A", "B")
    }
    return ro.Scores.from_dict(cells, **options)


def test_runs_that_move_together_over_tasks_are_told_unless_they_are_said_to_be_shared():
    assert "R022" in codes(drawn(1, n=10, share=0.5))
    assert codes(drawn(1, n=10, share=0.5, runs="shared")) == set()


SEEDS = pytest.mark.parametrize("n_seeds", [60, pytest.param(600, marks=pytest.mark.slow)])


def most(rate, n):
    """Return the number of hits among n, each of this rate, that is exceeded once in a thousand times."""
    return stats.binom.ppf(0.999, n, rate)


@SEEDS
def test_independent_runs_are_said_to_move_together_in_one_case_of_a_hundred(n_seeds):
    assert sum("R022" in codes(drawn(seed, n=5, n_tasks=4)) for seed in range(n_seeds)) <= most(0.01, n_seeds)


def test_labels_that_differ_from_task_to_task_say_nothing():
    rows = [(a, t, f"{t}-{r}", 1.0 * r) for a in "AB" for t in "xyz" for r in range(6)]
    names = ("algorithm", "task", "run", "score")
    table = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    assert "R022" not in codes(ro.Scores.from_frame(table))


def test_a_run_that_stands_twice_in_a_table_is_named():
    twice = RNG(3).normal(size=(6, 2))
    twice[4] = twice[1]
    result = ro.compare(ro.Scores.from_dict({"A": twice, "B": RNG(4).normal(size=(6, 2))}))
    text = next(advice.text for advice in result.advice if advice.code == "R023")
    assert "run '1' of 'A' and run '4' of 'A' have the same scores" in text


@pytest.mark.parametrize("levels", [[0.0, 1.0], [10.0, 11.0, 12.0, 13.0]])
def test_scores_of_few_digits_may_be_equal_by_chance(levels):
    scores = ro.Scores.from_dict({name: RNG(seed).choice(levels, size=(8, 2)) for seed, name in enumerate("AB")})
    assert "R023" not in codes(scores)


def test_evaluations_of_one_run_that_pass_for_runs_are_told():
    one_run = np.linspace(0, 1, 12)[:, None] + 0.01 * RNG(0).normal(size=(12, 1))
    assert codes(ro.Scores.from_dict({"A": one_run, "B": RNG(1).normal(size=(12, 1))})) == {"R024"}


@SEEDS
def test_independent_rows_of_any_shape_do_not_follow_each_other(n_seeds):
    code_sets = [
        codes(
            ro.Scores.from_dict({"A": RNG(seed).lognormal(size=(10, 2)), "B": RNG(seed).integers(0, 2, (10, 2)) * 1.0})
        )
        for seed in range(n_seeds)
    ]
    assert sum("R024" in codes_of_table for codes_of_table in code_sets) <= most(0.001, n_seeds)


def curves(values):
    """Curves of A with these scores at steps 10, 20, …, one row a run."""
    rows = [("A", r, 10.0 * (i + 1), v) for r, run in enumerate(values) for i, v in enumerate(run)]
    names = ("algorithm", "run", "step", "score")
    return ro.Curves.from_frame(
        {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    )


@pytest.mark.parametrize(("first", "words"), [(0, "are one run;"), (5, "are one run from step 60 on")])
def test_learning_curves_that_are_equal_from_a_step_on_are_told(first, words):
    runs = RNG(0).normal(size=(3, 20))
    runs[2, first:] = runs[0, first:]
    (caveat,) = [caveat for caveat in curves(runs).final().provenance.caveats if caveat.code == "R023"]
    assert words in caveat.text
    assert "run '0'" in caveat.text
    assert "run '2'" in caveat.text


def test_learning_curves_that_end_at_one_ceiling_are_no_twins():
    runs = RNG(0).normal(size=(3, 20))
    runs[:, 8:] = 500.0
    assert not curves(runs).final().provenance.caveats


@pytest.mark.parametrize("n_seeds", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_rows_that_move_together_over_tasks_do_not_follow_each_other(n_seeds):
    tables = (drawn(seed, n=10, n_tasks=26, share=0.9, runs="shared") for seed in range(n_seeds))
    assert sum("R024" in codes(table) for table in tables) <= most(0.001, n_seeds)
