"""Caveats about rows that are no independent runs: R022 to R024, R030, R031, each given where it should be and silent where it should not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.advice import about_data
from runoff.page.answers.all import answer
from runoff.page.words.headline import sentences
from tests.amount import examples

RNG = np.random.default_rng


def codes(scores):
    return {advice.code for advice in about_data(scores)} & {"R022", "R023", "R024", "R030", "R031"}


def text_of(scores, code):
    return next(advice.text for advice in about_data(scores) if advice.code == code)


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


def test_all_runs_that_stand_twice_in_a_table_are_named():
    twice, other = RNG(3).normal(size=(6, 2)), RNG(4).normal(size=(6, 2))
    twice[4], other[2] = twice[1], twice[3]
    result = ro.compare(ro.Scores.from_dict({"A": twice, "B": other}))
    text = next(advice.text for advice in result.advice if advice.code == "R023")
    assert "run '1' of 'A' and run '4' of 'A', run '3' of 'A' and run '2' of 'B' have the same scores" in text


@pytest.mark.parametrize(
    ("shared", "where"),
    [(range(5), "on 5 of 6 tasks ('task 1', 'task 2'"), ([3], "on 'task 4'"), (range(6), "on every task")],
)
def test_runs_that_are_equal_on_some_tasks_are_told(shared, where):
    own, other = RNG(3).normal(size=(6, 6)), RNG(4).normal(size=(6, 6))
    own[1, [*shared]] = own[4, [*shared]] = np.mean([own[0], other[0]], axis=0)[[*shared]]
    text = text_of(ro.Scores.from_dict({"A": own, "B": other}), "R023")
    assert f"run '1' of 'A' and run '4' of 'A' have the same scores {where}" in text


def test_a_copy_is_told_beside_a_task_on_which_it_has_no_run():
    own = {task: RNG(k).normal(size=6).tolist() for k, task in enumerate("xyz")}
    other = {task: [*RNG(9 + k).normal(size=5).tolist(), 0.123 * own[task][0]] for k, task in enumerate("xyz")}
    own |= {task: [*own[task], other[task][5]] for task in "xy"}
    assert "on 2 of 3 tasks" in text_of(ro.Scores.from_dict({"A": own, "B": other}), "R023")


@pytest.mark.parametrize(
    "draw", [lambda rng: rng.poisson(300, (6, 6)) / 7, lambda rng: rng.normal(20, 2, (6, 6)).round(3)]
)
def test_some_equal_scores_of_few_values_are_no_copies(draw):
    samples = [[draw(RNG(2 * i + k)) for k in (0, 1)] for i in range(examples(40, 12))]
    assert any(np.intersect1d(*sample).size for sample in samples)
    assert not any("R023" in codes(ro.Scores.from_dict(dict(zip("AB", sample, strict=True)))) for sample in samples)


def test_equal_scores_where_many_runs_end_are_no_copies_though_the_scale_is_fine():
    # Normalised returns of steps of 0.05, of which most lie about a place where episodes end.
    ends = 7540 + np.array([-4400.05, -1700.4, -31.5, -23.6, -14.1, 0.0, 0.0, 0.4, 1101.15, -9.7])
    scores = {"A": (ends - 1021) / 29317.4, "B": (np.linspace(3100, 9800, 10).round(1) - 1021) / 29317.4}
    assert "R023" not in codes(ro.Scores.from_dict(scores))


def test_steps_are_those_of_the_algorithm_whose_runs_are_equal():
    short = np.array([[0.0, 17, 21, 17, 9], [2.0, 8, 17, 30, 5]]).T / 1271.3
    assert "R023" not in codes(ro.Scores.from_dict({"A": short, "B": RNG(0).normal(0.7, 0.1, size=(5, 2))}))


def test_runs_that_never_vary_are_asked_about_for_a_seed_without_effect_makes_copies():
    still = {
        "A": {"s": [3105.27] * 3, "t": [2988.41] * 3, "u": [1.0, 2.5, 4.0]},
        "B": {"s": [2710.93] * 3, "t": [3007.55] * 3, "u": [0.5, 2.0, 3.0]},
    }
    text = text_of(ro.Scores.from_dict(still), "R023")
    assert (
        "all runs of 'A' have one score on 2 of 3 tasks ('s', 't'), all runs of 'B' have one score on 2 of 3 tasks ('s', 't')"
        in text
    )
    # Beside two runs that are one, of another algorithm.
    twice = RNG(3).normal(2900, 30, 6)
    twice[4] = twice[1]
    both = text_of(
        ro.Scores.from_dict({name: {"s": cells["s"]} for name, cells in still.items()} | {"C": {"s": twice.tolist()}}),
        "R023",
    )
    assert "run '1' of 'C' and run '4' of 'C' have the same scores" in both
    assert "check that the seed has an effect: all runs of 'A' have one score, all runs of 'B' have one score" in both
    between = {"A": {"s": [3105.27] * 3}, "B": {"s": RNG(1).normal(3000, 500, 9).round(2)}}
    assert "all runs of 'A' have one score, to the last digit" in text_of(ro.Scores.from_dict(between), "R023")


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ([1000.0] * 3, [-21.0] * 3),  # a ceiling and a floor
        ([0.66667] * 3, [0.33333] * 3),  # shares of three episodes
        ([3105.27] * 3, [0.66667] * 3),
        ([3105.27] * 3, [1.5, 2.5, 3.5]),  # the best that can be reached
        ([3105.27], [2710.93] * 3),
        ([3105.27] * 3, [3105.27] * 3),
    ],
)
def test_a_place_where_runs_may_all_end_is_no_copy(own, other):
    assert "R023" not in codes(ro.Scores.from_dict({"A": {"s": own}, "B": {"s": other}}))
    scaled = ro.Scores.from_dict({"A": {"s": [310.5] * 3}, "B": {"s": [271.5] * 3}}).normalize({"s": (1.7, 31.3)})
    assert "R023" not in codes(scaled)


# ── R031 ──────────


RUNS = RNG(7).normal(500, 100, size=(5, 3))
OTHERS = RNG(8).normal(500, 100, size=(5, 3))
WRITTEN = {
    "as it is": RUNS,
    "of single precision": RUNS.astype(np.float32).astype(float),
    "with one decimal": np.round(RUNS, 1),
}
written = pytest.mark.parametrize("runs", WRITTEN.values(), ids=WRITTEN)


@written
@pytest.mark.parametrize("n_tasks", [1, 3])
def test_algorithms_with_the_same_runs_in_any_order_have_no_verdict(runs, n_tasks):
    same = {"A": runs[:, :n_tasks], "B": RNG(1).permuted(runs, axis=0)[:, :n_tasks]}
    scores = ro.Scores.from_dict(same, score_unit="shared")
    assert codes(scores) == {"R031"}
    result = ro.compare(scores, margin=300.0)
    pair = result.pairs[0]
    assert result.sentence == pair.sentence == pair.turned().turned().sentence
    assert pair.sentence == "No verdict is given between A and B because their runs are the same numbers."
    assert (pair.verdict, pair.detectable_difference) == ("no_verdict", None)
    three = ro.Scores.from_dict({**same, "C": OTHERS[:, :n_tasks]}, score_unit="shared")
    assert ro.equivalence(three, margin=300.0)["A", "B"].verdict == "no_verdict"


SINGLE = {
    "doubles": lambda runs: runs.astype(np.float32).astype(float),
    "shortest decimals": np.vectorize(lambda score: float(str(np.float32(score)))),
}
single = pytest.mark.parametrize("single", SINGLE.values(), ids=SINGLE)


@single
@pytest.mark.parametrize("unit", [1.0, 0.001])
def test_runs_are_the_same_in_single_and_in_double_precision(single, unit):
    runs, others, copied = RUNS * unit, OTHERS * unit, np.array(RUNS * unit)
    copied[3] = single(copied[1])
    assert codes(ro.Scores.from_dict({"A": runs, "B": single(runs)})) == {"R031"}
    assert codes(ro.Scores.from_dict({"A": copied, "B": others})) == {"R023"}
    assert codes(ro.Scores.from_dict({"A": others, "B": np.r_[runs[:3], single(others[3:])]})) == {"R023"}


@written
def test_a_task_on_which_two_algorithms_have_the_same_runs_is_named_and_the_verdict_stays(runs):
    scores = ro.Scores.from_dict({"A": runs, "B": np.c_[OTHERS[:, :2], runs[::-1, 2]], "C": OTHERS + 7})
    assert "the runs of 'A' and 'B' are the same numbers on 'task 3'." in text_of(scores, "R031")
    assert not any(pair.unjudged for pair in ro.compare(scores).pairs)


def test_the_report_says_of_the_same_runs_first_that_they_are():
    runs = RUNS[:, :2]
    scores = ro.Scores.from_dict({"A": runs, "B": runs, "C": runs - 400}, score_unit="shared")
    lines = sentences(answer(scores, alpha=0.05, seed=0, n_resamples=200, command=""))
    assert lines[0].startswith("A has the highest mean, 400 above C ")
    assert lines[0].endswith("; against B no verdict is given because their runs are the same numbers.")
    assert any(line.startswith("R031: Check that the setting in which they differ has an effect") for line in lines)
    assert lines[-1].startswith("Check that the setting in which A and B differ has an effect.")


def test_numbers_by_label_tell_where_the_numbers_alone_may_be_chance():
    columns = {"algorithm": ["A"] * 6 + ["B"] * 6, "task": list("xyxyxy" * 2), "seed": [0, 0, 1, 1, 2, 2] * 2}
    counts = [17, 3, 20, 9, 12, 14]
    same = ro.Scores.from_frame({**columns, "score": counts * 2})
    order = ro.Scores.from_frame({**columns, "score": [*counts, *counts[2:], *counts[:2]]})
    assert (codes(same), codes(order)) == ({"R031"}, set())


@pytest.mark.parametrize("levels", [[0.0, 1.0], [7.0], [10.0, 11.0, 12.0]])
def test_few_levels_may_give_two_algorithms_the_same_runs(levels):
    cells = np.tile(levels, 6)[:6, None]
    assert "R031" not in codes(ro.Scores.from_dict({"A": cells, "B": cells[::-1]}))


# ── R030 ──────────


def in_order(order, column="seed", **options):
    """A and B whose scores on four tasks are in the order of their labels, or in none."""
    rng = RNG(5)
    cells = {(a, t): rng.normal(size=5)[:: order or 1] for a in "AB" for t in "wxyz"}
    cells = {place: np.sort(cell)[::order] if order else cell for place, cell in cells.items()}
    rows = [(a, t, str(r), v) for (a, t), cell in cells.items() for r, v in enumerate(cell.tolist())]
    names = ("algorithm", "task", column, "score")
    return ro.Scores.from_frame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), **options)


@pytest.mark.parametrize("order", [1, -1])
def test_scores_in_the_order_of_their_labels_move_together_for_no_other_reason(order):
    assert codes(in_order(order)) == {"R030"}
    (advice,) = [advice for advice in about_data(in_order(order)) if advice.code == "R030"]
    assert advice.severity == "info"
    assert "scores of 'A', 'B' are in the order of their labels in 8 of 8 cells" in advice.text


def test_scores_in_the_order_of_their_labels_are_no_shared_runs():
    (advice,) = [advice for advice in about_data(in_order(1, runs="shared")) if advice.code == "R030"]
    assert (advice.severity, advice.text[:23]) == ("warning", "use runs='per_task': sc")


def test_counts_of_successes_have_no_order(tmp_path):
    file = tmp_path / "counts.csv"
    file.write_text("policy,task,successes,n\nact,fold,12,20\npi0,fold,17,20\nact,pour,9,20\npi0,pour,11,20\n")
    assert codes(ro.read_scores(file, unit="episode")) == set()


@pytest.mark.parametrize("levels", [[0.0, 1.0], [10.0, 11.0, 12.0, 13.0]])
def test_scores_of_few_digits_may_be_equal_by_chance(levels):
    scores = ro.Scores.from_dict({name: RNG(seed).choice(levels, size=(8, 2)) for seed, name in enumerate("AB")})
    assert "R023" not in codes(scores)


@pytest.mark.parametrize(
    ("noise", "code", "scores_of"), [(0.1, "R024", "consecutive scores of"), (0.01, "R030", "scores of")]
)
def test_evaluations_of_one_run_that_pass_for_runs_are_told(noise, code, scores_of):
    one_run = np.linspace(0, 1, 12)[:, None] + noise * RNG(0).normal(size=(12, 1))
    scores = ro.Scores.from_dict({"A": one_run, "B": RNG(1).normal(size=(12, 1))})
    assert codes(scores) == {code}
    assert text_of(scores, code).startswith(
        f"add columns that name the run and the step, if rows are evaluations of one run: {scores_of} 'A'"
    )


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


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (0, "are one run; every number of theirs is equal, so one run was counted twice."),
        (
            5,
            "are one run from step 60 on; every number of theirs there is equal, so one run seems to be counted twice.",
        ),
    ],
)
def test_learning_curves_that_are_equal_from_a_step_on_are_told(first, words):
    runs = RNG(0).normal(size=(3, 20))
    runs[2, first:] = runs[0, first:]
    (caveat,) = [caveat for caveat in curves(runs).final().provenance.caveats if caveat.code == "R023"]
    assert words in caveat.text
    assert "run '0'" in caveat.text
    assert "run '2'" in caveat.text


@single
def test_learning_curves_are_equal_in_single_and_in_double_precision(single):
    runs = RNG(0).normal(size=(3, 20))
    runs[2, 4:] = single(runs[0, 4:])
    (caveat,) = [caveat for caveat in curves(runs).final().provenance.caveats if caveat.code == "R023"]
    assert "are one run from step 50 on" in caveat.text


def test_learning_curves_that_end_at_one_ceiling_are_no_twins():
    runs = RNG(0).normal(size=(3, 20))
    runs[:, 8:] = 500.0
    assert not curves(runs).final().provenance.caveats


@pytest.mark.parametrize("n_seeds", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_rows_that_move_together_over_tasks_do_not_follow_each_other(n_seeds):
    tables = (drawn(seed, n=10, n_tasks=26, share=0.9, runs="shared") for seed in range(n_seeds))
    assert sum("R024" in codes(table) for table in tables) <= most(0.001, n_seeds)
