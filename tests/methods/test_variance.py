import numpy as np
import pytest

import runoff as ro
from runoff._inference.components import nested_components
from tests.amount import examples


def simulated(n_tasks=40, n_runs=6, n_episodes=4, spreads=(3.0, 2.0, 1.0), seed=0):
    """Return the columns of a table with known standard deviations of tasks, runs and episodes."""
    rng = np.random.default_rng(seed)
    shape = (n_tasks, n_runs, n_episodes)
    parts = [rng.normal(0, sd, size=shape[: i + 1]) for i, sd in enumerate(spreads)]
    values = parts[0][:, None, None] + parts[1][:, :, None] + parts[2]
    task, run, _ = np.indices(shape)
    return {"algo": ["A"] * values.size, "task": task.ravel(), "seed": run.ravel(), "score": values.ravel()}


def answered(table, **options):
    with pytest.warns(ro.RunoffWarning, match="evaluation episodes"):
        return ro.variance(table, **options)


def test_known_components_are_recovered():
    result = answered(simulated(n_tasks=400))
    variances = [result["A", part].variance for part in ("task", "run", "episode")]
    assert variances == pytest.approx([9, 4, 1], rel=0.2)
    assert sum(record.share for record in result.rows) == pytest.approx(1.0)
    assert result.notes
    assert "averaged" not in str(result)  # episodes are a part of their own here


def test_estimates_are_unbiased_with_unequal_counts():
    rng = np.random.default_rng(1)
    counts = [(3, 1), (2, 5, 1), (4,), (1, 1, 2, 6), (2, 2)]
    drawn = []
    for _ in range(examples(1000, 300)):
        nest = []
        for runs in counts:
            task = rng.normal(0, 2)
            nest.append([task + rng.normal(0, 1.5) + rng.normal(0, 1, n) for n in runs])
        components = nested_components(nest)
        drawn.append((components.task, components.run, components.episode))
    assert np.mean(drawn, axis=0) == pytest.approx([4.0, 2.25, 1.0], rel=0.12)  # clipping at 0 adds a little


def test_balanced_components_are_the_textbook_ones():
    nest = [[np.array([1.0, 3.0]), np.array([5.0, 5.0])], [np.array([9.0, 7.0]), np.array([8.0, 12.0])]]
    components = nested_components(nest)
    ms_episode, ms_run = (2 + 0 + 2 + 8) / 4, (2 * (2 - 3.5) ** 2 * 2 + 2 * (8 - 9) ** 2 * 2) / 2
    assert components.episode == pytest.approx(ms_episode)
    assert components.run == pytest.approx((ms_run - ms_episode) / 2)
    assert components.task == pytest.approx((4 * 2 * (3.5 - 6.25) ** 2 - ms_run) / 4)


def test_tasks_are_solved_for_with_the_component_of_runs_as_it_is_and_not_as_it_is_cut():
    nest = [[np.array([0.0, 4.0]), np.array([4.0, 0.0])], [np.array([1.0, 5.0]), np.array([5.0, 1.0])]]
    components = nested_components(nest)
    # Mean squares: 8 of episodes, 0 of runs, 2 of tasks, so that of tasks (2 − 0) / 4 is left, and only runs are below 0.
    assert (components.task, components.run, components.episode, components.cut) == (0.5, 0.0, 8.0, ("run",))


@pytest.mark.parametrize("n", [3, 7, 1000])
def test_what_the_means_of_equal_scores_err_by_is_no_spread(n):
    equal = nested_components([[np.full(n, 0.1), np.full(2 * n, 0.1)], [np.full(n, 0.1)]])
    assert (equal.task, equal.run, equal.episode, equal.cut) == (0.0, 0.0, 0.0, ())
    unequal = nested_components([[np.full(n, 0.1), np.full(2 * n, 0.1)], [np.full(n, 0.7)]])
    assert (unequal.run, unequal.episode, unequal.task > 0) == (0.0, 0.0, True)
    assert "tasks" not in ro.variance({"A": {"x": [0.1] * 3, "y": [0.1] * 6}}).sentence


def test_the_noise_in_a_runs_score_shrinks_with_its_episodes():
    few, many = (answered(simulated(n_episodes=n))["A", "episode"].share_of_score for n in (2, 20))
    assert many < few / 5


def test_only_the_final_step_counts():
    table = simulated(n_tasks=3)
    n = len(table["score"])
    both = {name: np.concatenate([column, column]) for name, column in table.items()}
    both["score"] = np.concatenate([table["score"], 100 + 50 * np.arange(n)])
    both["step"] = np.repeat([1000, 10], n)
    assert answered(both).rows == answered(table).rows


def test_curves_lend_their_last_evaluations():
    curves = ro.load_example("classic_control")
    last, five = ro.variance(curves), ro.variance(curves, last=5)
    name = last.algorithms[0]
    assert last[name, "episode"].variance is None
    assert five[name, "episode"].variance >= 0
    assert five[name, "episode"].n_levels == 5 * last[name, "episode"].n_levels


def test_a_curve_that_ended_early_lends_its_own_last_evaluations():
    values = [[10.0 * run + step**2 for step in range(1, 4 if run == 3 else 6)] for run in range(4)]
    rows = [("A", "t", run, step, x) for run, own in enumerate(values) for step, x in enumerate(own, 1)]
    table = dict(zip(("algorithm", "task", "run", "step", "score"), zip(*rows, strict=True), strict=True))
    with pytest.warns(ro.RunoffWarning, match="1 of 4 runs ended early"):
        result = ro.variance(ro.Curves.from_frame(table), last=2)
    twin = nested_components([[np.array(own[-2:]) for own in values]])
    assert (result["A", "run"].variance, result["A", "episode"].variance) == (twin.run, twin.episode)


def test_scores_have_tasks_and_runs_only(scores):
    result = ro.variance(scores)
    assert result["A", "episode"].share is None
    assert result["A", "run"].variance == pytest.approx(np.mean([scores.cell("A", t).var(ddof=1) for t in range(4)]))
    assert "episodes" not in str(result)


def test_episodes_passed_off_as_runs_are_averaged_loudly():
    table = simulated(n_tasks=2, n_runs=3, n_episodes=10)
    with pytest.warns(ro.RunoffWarning, match="60 scores belong to 6 runs, 10 each: .* n is 6, not 60"):
        scores = ro.Scores.from_episodes(table)
    assert scores.n_runs.tolist() == [[3, 3]]
    assert scores.cell("A", "1")[0] == pytest.approx(np.mean(table["score"][30:40]))
    assert any("evaluation episodes" in note for note in scores.provenance.notes)
    assert any("averaged" in treatment for treatment in scores.provenance.treatment)


def test_a_table_of_one_row_a_run_is_as_it_was():
    rows = {"algo": ["A", "A", "B", "B"], "task": ["t"] * 4, "seed": [0, 1, 0, 1], "score": [1.0, 2, 3, 4]}
    assert ro.Scores.from_episodes(rows) == ro.Scores.from_frame(rows)
    assert ro.variance(rows)["B", "run"].variance == pytest.approx(0.5)


@pytest.mark.parametrize("cells", [{"t": [1.0]}, {"t": [1.0, 1.0]}, {"t": [1.0], "u": [2.0]}])
def test_what_is_not_replicated_is_none_and_nothing_is_nan(cells):
    result = ro.variance(ro.Scores.from_dict({"A": cells}))
    assert all(r.variance is None or np.isfinite(r.variance) for r in result.rows)
    assert result["A", "episode"].variance is None


def test_columns_may_be_named_for_tables_only(scores):
    table = simulated(n_tasks=2)
    renamed = {"who": table["algo"], "where": table["task"], "id": table["seed"], "y": table["score"]}
    assert answered(renamed, algorithm="who", task="where", run="id", score="y").rows == answered(table).rows
    with pytest.raises(ro.OptionError, match="columns can be named only for a table"):
        ro.variance(scores, score="y")


def test_curves_that_are_too_short_are_refused():
    with pytest.raises(ro.DesignError, match="fewer than 100000"):
        ro.variance(ro.load_example("classic_control"), last=100_000)


def test_no_table_is_refused():
    with pytest.raises(ro.DataError, match="table of named columns"):
        ro.variance([1, 2, 3])


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize(("runs", "averaged"), [([0, 0, 1], True), ([0, 1, 1], True), ([0, 1, 2], False)])
def test_that_episodes_were_averaged_is_recorded_where_any_run_has_several(runs, averaged):
    scores = ro.Scores.from_episodes({"algo": ["A"] * 3, "seed": runs, "score": [1.0, 3.0, 5.0]})
    assert scores.provenance.treatment == ("episodes of one run are averaged",) * averaged


def test_a_task_that_an_algorithm_lacks_adds_nothing_to_its_components():
    cells = {"A": {"t": [1.0, 2.0, 3.0], "u": [2.0, 3.0, 4.0]}, "B": {"t": [1.0, 2.0, 4.0]}}
    result = ro.variance(ro.Scores.from_dict(cells))
    assert result["B", "run"].variance == pytest.approx(np.var([1.0, 2.0, 4.0], ddof=1))
    assert (result["B", "task"].variance, result["B", "task"].n_levels) == (None, 1)


def test_the_last_evaluations_of_a_table_are_not_asked_for():
    with pytest.raises(ro.OptionError, match=r"last='2' is of Curves, and a table has the episodes of its last step"):
        ro.variance(simulated(n_tasks=2), last=2)


@pytest.mark.parametrize("seed", range(3))
def test_what_shared_runs_have_on_all_tasks_does_not_hide_how_tasks_differ(seed):
    rng = np.random.default_rng(seed)
    grid = rng.normal(0, 1, (6, 1)) + rng.normal(0, 0.3, (6, 5))  # tasks x runs

    def of(values):
        scores = ro.Scores.from_dict({"A": {f"t{t}": own for t, own in enumerate(values)}}, runs="shared")
        return {row.component: row for row in ro.variance(scores).rows}

    rest = grid - grid.mean(axis=0) - grid.mean(axis=1, keepdims=True) + grid.mean()
    wanted = 5 * grid.mean(axis=1).var(ddof=1) - (rest**2).sum() / 20
    moved = of(grid + rng.normal(0, 10, 5))
    assert of(grid)["task"].variance == pytest.approx(wanted / 5)
    assert moved["task"].variance == pytest.approx(wanted / 5)
    assert moved["run"].variance > 10 * of(grid)["run"].variance
    assert (moved["task"].n_levels, moved["run"].n_levels) == (6, 5)


def test_the_noise_of_episodes_is_no_part_of_how_tasks_of_shared_runs_differ():
    rng = np.random.default_rng(0)
    tasks, runs, noise = rng.normal(0, 2, 60), rng.normal(0, 3, 8), 4.0
    nest = [[t + r + rng.normal(0, 0.5) + rng.normal(0, noise, 10) for r in runs] for t in tasks]
    parts = nested_components(nest, shared=True)
    means = np.array([[run.mean() for run in task] for task in nest])
    rest = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    assert parts.task == pytest.approx(means.mean(axis=1).var(ddof=1) - (rest**2).sum() / (59 * 7) / 8)
    assert parts.episode == pytest.approx(np.mean([run.var(ddof=1) for task in nest for run in task]))
