"""Columns that part the runs of one algorithm and task: joined to a name, or asked, never pooled."""

from __future__ import annotations

import itertools

import polars as pl
import pytest

import runoff as ro

RUNS = itertools.count


def parted(column: str, values: str, *, task: str = "", n: int = 5) -> str:
    """Return a table of two algorithms with n runs of each value, whose ids never repeat."""
    number, head = RUNS(), f"algorithm,{column},{'task,' if task else ''}run_id,score\n"
    cells = itertools.product(("PPO", "SAC"), values.split(), range(n))
    return head + "".join(
        f"{a},{value},{task + ',' if task else ''}r{(i := next(number))},{i}.5\n" for a, value, _ in cells
    )


def n_runs(scores: ro.Scores) -> set[int]:
    return set(scores.n_runs.ravel().tolist())


@pytest.mark.parametrize(
    ("column", "values"),
    [
        *[("n_agents", "3 5"), ("commit", "a1b2c3d e4f5a6b"), ("group", "one two")],
        *[
            ("augmentation", "on off"),
            ("env_version", "v2 v3"),
            ("reward_type", "sparse dense"),
            ("phase", "early late"),
        ],
    ],
)
@pytest.mark.parametrize("task", ["", "run"])
def test_a_column_that_parts_the_runs_of_a_cell_is_asked_for_by_lines_that_read_it(put, column, values, task):
    file = put("runs.csv", parted(column, values, task=task))
    with pytest.raises(ro.DataError, match=rf"column '{column}' divides the 10 runs of algorithm 'PPO'") as refusal:
        ro.read_scores(file)
    joined = f"task/{column}" if task else column
    assert f"columns={{'task': '{joined}'}}" in str(refusal.value)
    assert n_runs(ro.read_scores(file, columns={"algorithm": f"algorithm/{column}"})) == {5}
    assert n_runs(ro.read_scores(file, columns={"task": joined})) == {5}
    unused = ro.read_scores(file, columns={"unused": column})
    assert n_runs(unused) == {10}
    assert f"columns not used, by request: '{column}'" in unused.provenance.notes


@pytest.mark.parametrize("column", ["domain", "difficulty", "dataset", "map", "suite"])
def test_what_parts_environments_is_part_of_the_name_of_the_task(put, column):
    with pytest.warns(ro.RunoffWarning, match=f"columns '{column}' and 'task' name the task together: left/run"):
        scores = ro.read_scores(put("runs.csv", parted(column, "left right", task="run")))
    assert scores.tasks == ("left/run", "right/run")
    assert n_runs(scores) == {5}


@pytest.mark.parametrize("head", ["function", "problem"])
@pytest.mark.parametrize("column", ["dim", "dimension", "n_dims"])
def test_the_number_of_variables_of_a_function_is_part_of_its_name(put, head, column):
    text = parted(column, "10 40", task="sphere")
    with pytest.warns(ro.RunoffWarning, match=f"columns '{head}' and '{column}' name the task together: sphere/10"):
        scores = ro.read_scores(put("runs.csv", text.replace("task", head, 1)), columns={"score": "score"})
    assert (scores.tasks, n_runs(scores)) == (("sphere/10", "sphere/40"), {5})
    assert ro.read_scores(put("runs.csv", text), columns={"settings": column}).tasks == ("sphere",)


@pytest.mark.parametrize("column", ["ablation", "variant", "exploration", "backbone", "arch", "model"])
def test_kinds_of_an_algorithm_are_algorithms(put, column):
    with pytest.warns(ro.RunoffWarning, match="taken as variants, each an algorithm by itself"):
        scores = ro.read_scores(put("runs.csv", parted(column, "full small", task="run")))
    assert scores.algorithms == tuple(f"{a} ({column} {kind})" for a in ("PPO", "SAC") for kind in ("full", "small"))


@pytest.mark.parametrize("column", ["hostname", "gpu", "date", "user", "notes", "state", "python_version"])
def test_runs_that_differ_in_circumstances_are_runs_all_the_same(put, column):
    assert n_runs(ro.read_scores(put("runs.csv", parted(column, "left right", task="run")))) == {10}


def test_the_file_of_the_model_of_each_run_is_no_kind_of_its_algorithm(put):
    rows = "".join(f"{a},/models/{a}{i},{i},{i}.5\n" for a in ("PPO", "SAC") for i in range(5))
    assert n_runs(ro.read_scores(put("runs.csv", f"algorithm,model_path,seed,score\n{rows}"))) == {5}


def test_columns_that_are_constant_or_follow_from_others_need_no_word(put):
    lines = "".join(f"{a},{d}{a},dmc,run,{a}{d}{i},{i}\n" for a in ("PPO", "SAC") for d in ("x",) for i in range(6))
    scores = ro.read_scores(put("runs.csv", "algorithm,backbone,domain,task,run_id,score\n" + lines))
    assert (scores.algorithms, scores.tasks, n_runs(scores)) == (("PPO", "SAC"), ("run",), {6})


@pytest.mark.parametrize("values", ["0 1 1 0 1 0 0 1 1 0", "2 0 1 1 2 0 0 1 2 1"])
def test_whole_numbers_in_no_order_were_measured(put, values):
    lines = "".join(f"{a},{v},{a}{i},{i}\n" for a in ("PPO", "SAC") for i, v in enumerate(values.split()))
    assert n_runs(ro.read_scores(put("runs.csv", "algorithm,collisions,run_id,score\n" + lines))) == {10}


def test_a_column_with_a_value_of_its_own_for_each_run_parts_nothing(put):
    lines = "".join(f"{a},{a}{i},{a}{i},{i}\n" for a in ("PPO", "SAC") for i in range(6))
    assert n_runs(ro.read_scores(put("runs.csv", "algorithm,artifact,run_id,score\n" + lines))) == {6}


def test_one_run_of_each_value_in_every_cell_is_a_design_too(put):
    text = parted("opponent", "weak strong", n=1)
    with pytest.raises(ro.DataError, match="column 'opponent' divides the 2 runs"):
        ro.read_scores(put("runs.csv", text))


def test_learning_curves_are_parted_by_what_does_not_change_within_a_run(put):
    lines = "".join(
        f"PPO,{d},{d}{i},{s},{s + i},{s % 2}\n" for d in ("left", "right") for i in range(3) for s in range(1, 5)
    )
    file = put("runs.csv", "algorithm,camera,run_id,step,return,phase_of_day\n" + lines)
    with pytest.raises(ro.DataError, match="column 'camera' divides the 6 runs"):
        ro.read_curves(file)
    assert ro.read_curves(file, columns={"task": "camera"}).tasks == ("left", "right")


@pytest.mark.parametrize("door", [ro.load, ro.compare])
def test_frames_are_asked_as_files_are(door, put):
    frame = pl.read_csv(put("runs.csv", parted("group", "left right")))
    with pytest.raises(ro.DataError, match=r"'group' divides .*task='group' if it names tasks, or drop the column"):
        door(frame)
    assert n_runs(ro.load(frame, task="group")) == {5}
    assert n_runs(ro.load(frame, columns={"unused": "group"})) == {10}


def test_scores_from_a_frame_are_asked_and_take_two_columns_for_a_name(put):
    frame = pl.read_csv(put("runs.csv", parted("group", "left right", task="run")))
    with pytest.raises(ro.DataError, match="'group' divides"):
        ro.Scores.from_frame(frame)
    assert ro.Scores.from_frame(frame, task="task/group").tasks == ("run/left", "run/right")


def test_a_dictionary_of_columns_is_asked(put):
    frame = pl.read_csv(put("runs.csv", parted("group", "left right")))
    with pytest.raises(ro.DataError, match="'group' divides"):
        ro.compare(frame.to_dict(as_series=False))


def test_a_column_to_be_left_unused_must_be_there(put):
    file = put("runs.csv", parted("group", "left right"))
    with pytest.raises(ro.OptionError, match=r"no column 'gruop' to leave unused.*Did you mean 'group'"):
        ro.read_scores(file, columns={"unused": "gruop"})


def test_several_columns_are_left_unused_together(put):
    text = parted("group", "left right").replace("\n", ",x\n").replace("score,x", "score,camera", 1)
    scores = ro.read_scores(put("runs.csv", text), columns={"unused": "group, camera"})
    assert "columns not used, by request: 'group', 'camera'" in scores.provenance.notes


@pytest.mark.parametrize("column", ["temperature", "entropy"])
def test_a_setting_that_may_be_measured_makes_configurations_where_runs_share_its_values(put, column):
    scores = ro.read_scores(put("runs.csv", parted(column, "0 1", task="run")))
    assert scores.sampling.configs
    measured = "".join(f"{a},run,r{i}{a},0.{i}{ord(a[0])},{i}.5\n" for a in ("PPO", "SAC") for i in range(5))
    assert not ro.read_scores(put("other.csv", f"algorithm,task,run_id,{column},score\n{measured}")).sampling.configs


def test_folds_that_part_the_runs_of_a_cell_are_asked_for(put):
    with pytest.raises(ro.DataError, match=r"column 'fold' divides the 10 runs .*columns=\{'task': 'task/fold'\}"):
        ro.read_scores(put("runs.csv", parted("fold", "0 1", task="run")))


def test_numbers_that_count_something_and_part_all_cells_alike_are_asked_about_in_any_order(put):
    lines = "".join(f"{a},{n},{i},{i}.5\n" for a in ("QMIX", "VDN") for i, n in enumerate("2442242442"))
    with pytest.raises(ro.DataError, match="column 'num_agents' divides the 10 runs of algorithm 'QMIX' into groups"):
        ro.read_scores(put("t.csv", f"algorithm,num_agents,seed,score\n{lines}"))
    # As measured numbers are, which part them differently.
    assert n_runs(ro.read_scores(put("u.csv", f"algorithm,falls,seed,score\n{lines}VDN,4,10,1.5\n"))) == {10, 11}


@pytest.mark.parametrize("head", ["architecture", "arch", "encoder", "backbone", "exploration", "variant"])
def test_runs_of_several_kinds_of_an_algorithm_are_variants(put, head):
    rows = [(a, s, "mlp" if s < 3 else "cnn", f"{s}.5") for a in ("A", "B") for s in range(6)]
    text = f"algo,seed,{head},score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    with pytest.warns(ro.RunoffWarning, match=f"differ in '{head}' and are taken as variants"):
        scores = ro.load(put("r.csv", text))
    assert scores.algorithms == tuple(f"{a} ({head} {kind})" for a in ("A", "B") for kind in ("cnn", "mlp"))


def test_a_number_that_runs_have_in_turn_is_asked_about_and_tasks_with_decimals_are(put):
    rows = [(a, s, s % 2, f"{s}.5") for a in ("A", "B") for s in range(6)]
    body = "".join(",".join(map(str, row)) + "\n" for row in rows)
    with pytest.raises(ro.DataError, match=r"column 'zone' divides the 6 runs of algorithm 'A' into groups"):
        ro.load(put("a.csv", f"algo,seed,zone,score\n{body}"))
    rows = [(a, s, t, f"{s}.5") for a in ("A", "B") for t in (0.1, 0.2) for s in range(3)]
    body = "".join(",".join(map(str, row)) + "\n" for row in rows)
    with pytest.raises(
        ro.DataError, match=r"column 'task' holds numbers .0\.1, 0\.2., which are seldom names of tasks"
    ):
        ro.load(put("b.csv", f"algo,seed,task,score\n{body}"))
