"""Who is better when both try as many configurations, and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff import plots


def sweep(means: dict[str, list[float]], *, n_runs: int = 4, tasks: str = "t", noise: float = 0.1) -> dict[str, list]:
    """Return a table: configuration c of an algorithm has runs about its c-th mean on every task."""
    rng, rows = np.random.default_rng(2), []
    for name, values in means.items():
        for task in tasks:
            for c, mean in enumerate(values):
                rows += [(name, task, f"c{c}", str(j), mean + noise * rng.normal()) for j in range(n_runs)]
    return dict(zip(("algorithm", "task", "config", "seed", "score"), map(list, zip(*rows, strict=True)), strict=True))


CROSSING = {"flat": [3.0, 3.0, 3.0, 3.0], "steep": [0.0, 1.0, 2.0, 8.0]}


def test_who_needs_tuning_is_behind_untuned_and_ahead_from_a_number_of_configurations_on():
    result = ro.tuning(sweep(CROSSING))
    assert [row.verdict for row in result["flat", "steep"]] == ["a_better", "b_better", "b_better", "b_better"]
    assert result.sentence.startswith("steep beats flat when both try k ≥ 2 of their configurations (at k = 4 by 4.")
    assert result.sentence.endswith("at k = 1 flat beats steep.")


def test_a_leader_is_named_only_where_the_interval_leaves_0_out():
    result = ro.tuning(sweep({"A": [0.0, 1.0], "B": [0.1, 1.1]}, noise=2.0))
    row = result.pairs[-1]
    assert (row.verdict, row.low < 0 < row.high) == ("no_difference_found", True)
    assert result.sentence.startswith("No difference was found between")
    assert "at any k up to 2" in result.sentence


def test_three_algorithms_have_a_leader_and_those_that_it_beats():
    result = ro.tuning(sweep({**CROSSING, "low": [0.0, 0.5, 0.2, 0.1]}))
    assert result.sentence.startswith("With k = 4 configurations tried, steep has the highest mean, 7.")
    assert result.sentence.endswith("and beats flat and low.")
    assert result.pair_level == pytest.approx(1 - 0.05 / 6)


def test_the_verdicts_of_a_sentence_are_those_at_the_number_of_configurations_that_it_names():
    late = {"flat": [3.0] * 4, "steep": [2.0, 2.0, 2.0, 4.0], "low": [0.0, 0.1]}
    result = ro.tuning(sweep(late))
    verdicts = [row.verdict for row in result["flat", "steep"]]
    k = result["low"][-1].k
    assert (k, verdicts[k - 1], verdicts[-1]) == (2, "no_difference_found", "b_better")
    assert result.sentence.startswith("With k = 2 configurations tried, ")
    assert re.search("cannot be told from (flat|steep)", result.sentence)


def test_an_algorithm_of_one_configuration_is_named_and_not_compared_with_the_best_of_several():
    result = ro.tuning(sweep({**CROSSING, "one": [9.0]}))
    assert result.sentence.endswith("and beats flat. Not compared at k = 4, with one configuration: one.")
    untuned = ro.tuning(sweep({"steep": CROSSING["steep"], "one": [9.0], "two": [0.0]})).sentence
    assert untuned.startswith("With k = 1 configuration tried, one has the highest mean, 8.9")


def test_runs_per_configuration_that_differ_between_algorithms_are_noted():
    more, few = sweep({"A": [0.0, 1.0]}, n_runs=10), sweep({"B": [0.0, 1.0]}, n_runs=2)
    result = ro.tuning({name: [*more[name], *few[name]] for name in more})
    assert result.notes == ("runs per configuration differ, and more runs select better: A 10, B 2",)


def test_runs_that_are_all_equal_have_no_interval_and_the_notes_say_why():
    result = ro.tuning(sweep({"A": [0.0, 1.0], "B": [0.0, 1.0]}, noise=0.0))
    assert result.notes == ("no interval where all runs that judge score the same: A, B",)


def test_runs_that_select_overstate_pure_noise_and_the_run_set_aside_does_not():
    table = sweep({"A": [0.0] * 16}, n_runs=2, tasks="tuvwxyz", noise=0.01)
    last = ro.tuning(ro.Scores.from_frame(table, score_unit="shared")).rows[-1]
    assert abs(last.estimate) < 0.01 < last.overstatement
    assert last.overstatement_std > 1.5


def test_costs_are_negated_and_the_cheapest_configuration_is_selected(tmp_path):
    table = sweep({"A": [1.0, 5.0]})
    rows = ["algorithm,task,config,seed,score", *(",".join(map(str, row)) for row in zip(*table.values(), strict=True))]
    (tmp_path / "costs.csv").write_text("\n".join(rows))
    scores = ro.read_scores(tmp_path / "costs.csv", lower_is_better=True)
    assert ro.tuning(scores).rows[-1].estimate == pytest.approx(-1.0, abs=0.2)


def test_tasks_that_some_algorithm_lacks_and_uneven_numbers_of_configurations_are_noted():
    table = sweep({"A": [0.0, 1.0, 2.0], "B": [0.0, 1.0]}, tasks="tuv")
    kept = [a == "A" or t != "v" for a, t in zip(table["algorithm"], table["task"], strict=True)]
    kept = [k and (t, c) != ("u", "c2") for k, t, c in zip(kept, table["task"], table["config"], strict=True)]
    table = {name: [v for v, k in zip(values, kept, strict=True) if k] for name, values in table.items()}
    result = ro.tuning(ro.Scores.from_frame(table, score_unit="shared"))
    assert (result.tasks, result.n_configs) == (("t", "u"), {"A": 2, "B": 2})
    assert [note.split(":")[1] for note in result.notes] == [" v", " k goes up to 2"]


def one_run_of(config: str) -> dict[str, list]:
    table = sweep({"A": [0.0, 1.0]})
    kept = [c != config or seed == "0" for c, seed in zip(table["config"], table["seed"], strict=True)]
    return {name: [v for v, k in zip(values, kept, strict=True) if k] for name, values in table.items()}


@pytest.mark.parametrize(
    ("given", "options", "sentence"),
    [
        ({"A": {"t": [1.0, 2.0]}}, {}, r"no algorithm has runs of two configurations on one task.* config='COLUMN'"),
        (sweep({"A": [0.0, 1.0]}), {"config": "lr"}, r"there is no column 'lr' to be the config"),
        (sweep({"A": [0.0, 1.0]}), {"config": "seed,task"}, r"no column 'seed,task' .*join several into one first"),
        (sweep({"A": [0.0]}), {"config": "config"}, r"one configuration on some task, .* compare\(\) compares them"),
        (one_run_of("c1"), {}, r"configuration 'c1' of algorithm 'A' has one run on task 't': .*run it again"),
        (sweep({"A": [0.0, np.inf]}), {}, r"the score .* is inf"),
        (sweep({"A": [0.0, np.nan]}), {}, r"the score .* is nan"),
        (ro.Scores.from_frame(sweep({"A": [0.0, 1.0]})), {"config": "lr"}, r"config= names a column of a table"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_sentence(given, options, sentence):
    with pytest.raises(ro.RunoffError, match=sentence):
        ro.tuning(given, **options)


def test_a_sweep_of_one_run_a_configuration_has_none_to_be_judged_by():
    scores = ro.archive.load("brax_tuning", tasks=["ant"])
    with pytest.raises(ro.DesignError, match=r"has one run on task 'ant', as \d+ more have: a run that selects"):
        ro.tuning(scores)


def test_the_published_sweep_overstates_its_other_seeds():
    """The best of 16 configurations by one seed, beside another seed of it: here on 3 of the 52 tasks."""
    tasks = ["Hopper-v3-low-100", "Walker2d-v3-low-100", "ib-low-100"]
    scores = ro.archive.load("neorl_tuning", algorithms=["mopo"], tasks=tasks).subsample(48)
    over = [ro.tuning(scores.select(tasks=[task])).rows[-1].overstatement_std for task in tasks]
    assert min(over) > 0.2


def test_the_figure_and_its_caption_say_what_judged():
    result = ro.tuning(sweep(CROSSING))
    ax = plots.tuning(result)
    assert [line.get_label() for line in ax.get_lines()] == ["steep (of 4)", "flat (of 4)"]
    assert "judged on runs that did not select it" in plots.caption(result)


def test_the_interval_over_two_tasks_alike_is_that_of_their_mean():
    def width(tasks: str) -> float:
        table = sweep({"A": [0.0, 1.0]}, n_runs=8, tasks="t")
        rows = {name: column * len(tasks) for name, column in table.items()}
        rows["task"] = [task for task in tasks for _ in table["task"]]
        record = ro.tuning(ro.Scores.from_frame(rows, score_unit="shared")).rows[0]
        return record.high - record.low

    assert 0.6 < width("tu") / width("t") < 0.5**0.5  # more degrees of freedom make it narrower still


def test_a_verdict_ends_where_the_other_one_is_ahead():
    from runoff.methods.tuning import _Curve, _pair

    def curve(*values: float) -> _Curve:
        n = len(values)
        error, freedom = np.full((1, n), 0.01), np.array([50.0])
        return _Curve(n, np.array(values), np.zeros(n), None, error, freedom, error, freedom, 3.0)

    rows = _pair(("a", "b"), (curve(-1.0, 1.0, 0.0, 1.0), curve(0.0, 0.0, 0.0, 0.0)), 0.95)
    none = "no_difference_found"
    assert [row.verdict for row in rows] == ["b_better", none, none, "a_better"]


def test_one_configuration_of_an_algorithm_is_overstated_by_nothing():
    rows = [(a, c, s, s + 0.1 * c) for a, n in (("A", 2), ("B", 1)) for c in range(n) for s in (0.1, 0.2, 0.7)]
    table = dict(zip(("algorithm", "config", "seed", "score"), map(list, zip(*rows, strict=True)), strict=True))
    assert [row.overstatement for row in ro.tuning(table).rows if row.k == 1] == [0.0, 0.0]


def test_what_selecting_overstates_is_of_all_configurations_as_in_the_table():
    result = ro.tuning(sweep({"A": [0.0] * 5, "B": [0.0] * 3}))
    rows = [replace(row, overstatement_std=9.0 if row.k == 2 else row.k / 10) for row in result.rows]
    assert "the best of 5 configurations of A overstate" in replace(result, rows=tuple(rows)).overstatement


def test_an_overstatement_of_rounding_is_none():
    result = ro.tuning(sweep({"A": [0.0, 1.0], "B": [0.0, 2.0]}))
    rows = [replace(row, overstatement=5.6e-17, overstatement_std=5.6e-17) for row in result.rows]
    assert replace(result, rows=tuple(rows)).overstatement == ""
    assert replace(result, rows=(*rows, replace(rows[0], overstatement_std=0.2))).overstatement.endswith("here.")


def test_the_best_configuration_of_each_task_is_named_by_its_mean_and_ties_are_counted():
    table = sweep({"A": [0.0, 3.0, 1.0], "B": [5.0, 5.0, 2.0]}, tasks="tu", noise=0.0)
    rows = zip(table["score"], table["task"], table["config"], strict=True)
    table["score"] = [score - 9.0 * (task == "u" and config == "c1") for score, task, config in rows]
    result = ro.tuning(table, scale="none")
    rows = {(row.algorithm, row.task): (row.config, row.n_tied, row.n_configs, row.mean) for row in result.best}
    assert rows["A", "t"] == ("c1", 1, 3, 3.0)
    assert rows["A", "u"] == ("c2", 1, 3, 1.0)
    assert rows["B", "t"] == ("c0", 2, 3, 5.0)
    assert rows["B", "u"] == ("c0", 1, 3, 5.0)
    cells = {column.head: list(column.cells) for column in result.tables()[1].columns}
    assert (cells["A"], cells["B"]) == (["c1", "c2"], ["c0 or 1 other", "c0"])
    assert "too high" in result.tables()[1].caption


def test_means_of_the_same_scores_in_another_order_are_level():
    table = {"algorithm": ["A"] * 9, "seed": [0, 1, 2] * 3, "config": ["c1"] * 3 + ["c2"] * 3 + ["c3"] * 3}
    table["score"] = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 0.0, 0.1, 0.2]
    best = ro.tuning(table).best[0]
    assert (best.config, best.n_tied, best.words) == ("c1", 2, "c1 or 1 other")


def test_print_shows_the_best_configurations_as_far_as_they_fit():
    shown = str(ro.tuning(sweep(CROSSING, tasks="tu")))
    heads, t, u = shown.splitlines()[
        shown.splitlines().index(next(line for line in shown.splitlines() if line.startswith("Task"))) :
    ][:3]
    assert (heads.split(), u.split()[0], t.split()[-1]) == (["Task", "flat", "steep"], "u", "c3")
    assert "that mean is too high" in shown
    many = "".join(map(chr, range(0x4E00, 0x4E00 + 60)))
    long = str(ro.tuning(sweep(CROSSING, tasks=many, n_runs=2)))
    assert len(long.splitlines()) <= 40
    assert "that mean is too high" not in long
