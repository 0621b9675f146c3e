"""Names that hold more than their place says: runs named as files are, files named by a metric, tasks beside a table."""

from __future__ import annotations

import io
import itertools

import numpy as np
import pytest

import runoff as ro
from runoff.reading._parts import parts_of

CURVE = "Wall time,Step,Value\n1.5,100,1\n2.5,200,2\n"


def of_two(template: str) -> list[str]:
    return [template.format(a=a, r=r) for a, r in itertools.product(("ppo", "sac"), range(2))]


def test_runs_named_as_files_are_have_an_algorithm_and_a_task(put):
    lines = "".join(f"{name},{i}\n" for i, name in enumerate(of_two("{a}_Ant-v4_seed{r}")))
    scores = ro.read_scores(put("t.csv", f"run,final_score\n{lines}"))
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (("ppo", "sac"), ("Ant-v4",), [[2], [2]])


def test_runs_named_by_an_algorithm_and_a_task_without_a_mark_of_their_own_have_both(put):
    lines = "".join(f"{a}_{t}_s{r},{r}\n" for a in ("sac", "tqc") for t in ("walker", "humanoid") for r in range(2))
    scores = ro.read_scores(put("t.csv", f"run,score\n{lines}"))
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (
        ("sac", "tqc"),
        ("humanoid", "walker"),
        [[2, 2]] * 2,
    )


@pytest.mark.parametrize("name", ["{}_seed{}", "{}-{}"])
def test_runs_named_by_algorithms_that_nobody_knows_are_theirs_where_they_name_nothing_else(put, name):
    lines = "".join(f"{name.format(own, r)},{r}\n" for own in ("mine", "yours") for r in range(2))
    assert ro.read_scores(put("t.csv", f"run,score\n{lines}")).to_dict() == {
        "mine": {"task": [0, 1]},
        "yours": {"task": [0, 1]},
    }


def test_runs_named_by_tasks_and_by_what_nobody_knows_are_refused(put):
    lines = "".join(f"{name}_Ant-v4_seed{r},{r}\n" for name in ("mine", "yours") for r in range(2))
    with pytest.raises(ro.DataError, match="'mine_Ant-v4_seed0', 'mine_Ant-v4_seed1' name more than runs"):
        ro.read_scores(put("t.csv", f"run,score\n{lines}"))


def test_runs_that_are_numbered_behind_their_algorithm_are_parted_beside_columns_of_tasks(put):
    lines = "".join(f"{name}-{r},{r}.5,{r + 3}\n" for name in ("PPO", "SAC") for r in (1, 2))
    scores = ro.read_scores(put("t.csv", f"run,Hopper,Ant\n{lines}"))
    assert scores.to_dict() == {name: {"Ant": [4, 5], "Hopper": [1.5, 2.5]} for name in ("PPO", "SAC")}
    script = "".join(
        f"{name}__{task}__{r},{r}\n" for name in ("ppo", "sac") for task in ("Hopper-v4", "Ant-v4") for r in (0, 1)
    )
    scores = ro.read_scores(put("t.csv", f"run,final_reward\n{script}"))
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (
        ("ppo", "sac"),
        ("Ant-v4", "Hopper-v4"),
        [[2, 2]] * 2,
    )


@pytest.mark.parametrize("name", ["ppo_seed{r}", "seed{r}", "Ant-v4_seed{r}", "run_{r}"])
def test_runs_named_by_no_algorithms_are_those_of_the_file(put, name):
    lines = "".join(f"{name.format(r=r)},{r}\n" for r in range(3))
    assert ro.read_scores(put("mine.csv", f"run,score\n{lines}")).algorithms == ("mine",)


@pytest.mark.parametrize("keys", [None, "run"])
def test_heads_that_name_algorithm_task_and_run_are_read(put, keys):
    content = f"step,{','.join(of_two('{a}_Hopper_s{r}'))}\n100,1,2,3,4\n200,2,3,4,5\n"
    scores = ro.read_scores(put("t.csv", content), keys=keys)
    assert (scores.algorithms, scores.tasks) == (("ppo", "sac"), ("Hopper",))
    assert scores.cell("sac", "Hopper").tolist() == [4, 5]


@pytest.mark.parametrize(
    ("template", "read", "other"),
    [
        ("run-{a}_Hopper-v4_seed{r}-tag-METRIC", "eval_mean_reward", "train_loss"),
        ("{a}_Hopper-v4_seed{r}_METRIC", "return", "length"),
        ("{a}_Hopper-v4_seed{r}_METRIC", "eval", "train"),
    ],
)
def test_a_file_of_another_metric_is_no_algorithm(put, tmp_path, template, read, other):
    for metric, path in itertools.product((read, other), of_two(template)):
        put(f"{path.replace('METRIC', metric)}.csv", CURVE)
    with pytest.warns(ro.RunoffWarning, match=rf"4 file\(s\) .* than '{read}' \('{other}'\)"):
        scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (("ppo", "sac"), ("Hopper-v4",), [[2], [2]])


def test_files_that_name_nothing_beside_those_of_training_are_the_score(put, tmp_path):
    for path, end in itertools.product(of_two("{a}_seed{r}"), ("", "_train")):
        put(f"{path}{end}.csv", CURVE)
    with pytest.warns(ro.RunoffWarning, match=r"4 file\(s\) that are named after a metric \('train'\)"):
        assert ro.read_curves(tmp_path).n_runs.tolist() == [[2], [2]]


@pytest.mark.parametrize("template", ["run-{a}_s{r}-tag-METRIC", "{a}_s{r}_METRIC"])
def test_files_of_several_scores_are_refused_with_a_glob_that_works(put, tmp_path, template):
    for metric, path in itertools.product(("return", "success", "length"), of_two(template)):
        put(f"{path.replace('METRIC', metric)}.csv", CURVE)
    with pytest.raises(ro.DataError, match=r"\*[_-]return\.\*'") as refusal:
        ro.read_scores(tmp_path)
    scores = ro.read_scores(str(refusal.value).split("'")[-2])
    assert (scores.algorithms, scores.n_runs.tolist()) == (("ppo", "sac"), [[2], [2]])


def test_variants_called_by_a_word_stay_algorithms(put, tmp_path):
    for name in ("sac", "sac_success", "ppo"):
        put(f"{name}.csv", "seed,score\n0,1\n1,2\n")
    assert len(ro.read_scores(tmp_path).algorithms) == 3


def test_an_array_whose_path_names_its_task_has_no_axis_of_tasks(put):
    buffer = io.BytesIO()
    np.save(buffer, np.random.default_rng(0).normal(size=(5, 20)))
    file = put("ppo_Hopper.npy", buffer.getvalue())
    with pytest.raises(ro.DataError, match=r"names the task 'Hopper'.*dims='run,step'"):
        ro.read_scores(file)
    assert ro.read_curves(file, dims="run,step").tasks == ("Hopper",)


def test_a_folder_of_cleanrl_with_a_short_stamp_names_a_seed(put, tmp_path):
    for r in (1, 2):
        put(f"Hopper-v4__ppo__{r}__17000000{r}/metrics.csv", "global_step,return\n100,1\n200,2\n")
    assert ro.read_scores(tmp_path).n_runs.tolist() == [[2]]


@pytest.mark.parametrize(
    "name", ["map", "Maze", "scenario", "scenario_name", "level", "difficulty", "Layout", "track_name"]
)
def test_a_column_that_holds_tasks_by_its_name_is_theirs_where_none_is_called_so(put, name):
    lines = "".join(f"{a},{t},{r},1\n" for a in ("rrt", "prm") for r, t in enumerate(("maze", "maze", "office")))
    assert ro.read_scores(put("t.csv", f"algo,{name},seed,score\n{lines}")).tasks == ("maze", "office")


@pytest.mark.parametrize(
    ("head", "values"),
    [("level", (1, 1, 2, 2)), ("level,building", ("easy,A", "easy,B", "hard,B")), ("flavour", tuple("xxyy"))],
)
def test_numbers_two_columns_and_unknown_names_are_never_taken_for_tasks(put, head, values):
    lines = "".join(f"{a},{t},{r},1\n" for a in ("rrt", "prm") for r, t in enumerate(values))
    with pytest.raises(ro.DataError, match=r"'task': '"):
        ro.read_scores(put("t.csv", f"algo,{head},seed,score\n{lines}"))


def test_rewards_beside_returns_of_episodes_are_two_scores(put):
    with pytest.raises(ro.DataError, match="'reward', 'episode_return' could each be the score"):
        ro.read_scores(put("t.csv", "algo,seed,reward,episode_return\nPPO,0,0.25,25\nPPO,1,0.25,26\n"))


RUNS = ("{} (seed {})", "{}_s{}", "{}_seed{}", "{} run {}", "{}_trial{}", "{}-rep{}", "seed{1}_{0}", "{} #{}")
NUMBERS = ("{}-{}", "{} {}", "{} ({})", "{} [{}]", "{}/{}", "{}_{}", "{}_stage_{}", "{} fold {}")
AS_NAMES = "use keys='algorithm' if each name is an algorithm"


@pytest.mark.parametrize("form", RUNS)
def test_rows_of_algorithms_with_their_runs_are_runs_unless_they_are_named_otherwise(put, form):
    rows = [f"{form.format(name, run)},x,{run + 0.5}" for name, n in (("PPO", 3), ("SAC", 2)) for run in range(n)]
    file = put("long.csv", "\n".join(["algo,env,return", *rows, ""]))
    scores = ro.load(file)
    assert scores.to_dict() == {"PPO": {"x": [0.5, 1.5, 2.5]}, "SAC": {"x": [0.5, 1.5]}}
    (note,) = (note for note in scores.provenance.notes if note.startswith("column 'algo' names runs as well"))
    assert note.endswith(AS_NAMES)
    assert len(ro.load(file, keys="algorithm").algorithms) == 5


@pytest.mark.parametrize("form", NUMBERS)
@pytest.mark.parametrize("layout", ["long", "wide"])
@pytest.mark.parametrize("n_runs", [(2, 2), (2, 3)])
def test_numbers_behind_names_are_asked_for_and_both_repairs_work(put, form, layout, n_runs):
    names = [form.format(name, run) for name, n in zip(("PPO", "SAC"), n_runs, strict=True) for run in range(n)]
    rows = [f"{name},x,{i + 0.5}" for i, name in enumerate(names)]
    wide = f"env,{','.join(names)}\nx,{','.join(str(i + 0.5) for i in range(len(names)))}\n"
    file = put("table.csv", wide if layout == "wide" else "\n".join(["algo,env,return", *rows, ""]))
    with pytest.raises(ro.DataError, match="end in numbers, runs or versions") as refusal:
        ro.load(file)
    assert "keys='algorithm/run'" in str(refusal.value)
    assert str(refusal.value).endswith("keys='algorithm' if each name is an algorithm.")
    assert ro.load(file, keys="algorithm").algorithms == tuple(sorted(names))
    assert ro.load(file, keys="algorithm/run").n_runs.tolist() == [[n] for n in n_runs]


def test_sizes_behind_a_mere_s_are_asked_for(put):
    file = put("wide.csv", "env,ViT_s1,ViT_s2,ViT_s4\nx,1,2,3\ny,2,3,5\n")
    with pytest.raises(ro.DataError, match="end in numbers, runs or versions"):
        ro.load(file)
    assert ro.load(file, keys="algorithm").algorithms == ("ViT_s1", "ViT_s2", "ViT_s4")


def test_rows_of_tasks_with_their_runs_are_runs_and_numbers_of_tasks_are_not(put):
    rows = [f"{task}{{}}{run},{run},{run + 1}" for task in "xy" for run in (1, 2)]
    file = put("wide.csv", "\n".join(["env,PPO,SAC", *rows, ""]).format(*["_s"] * 4))
    assert ro.load(file).to_dict()["SAC"] == {"x": [2, 3], "y": [2, 3]}
    file = put("numbers.csv", "\n".join(["env,PPO,SAC", *rows, ""]).format(*["-"] * 4))
    assert ro.load(file).tasks == ("x-1", "x-2", "y-1", "y-2")


@pytest.mark.parametrize(
    "names", ["PPO-1 PPO-2", "GPT-3 GPT-4", "PPO-1 PPO-2 SAC-1", "Ours-2 Ours-3 PPO-2 PPO-3", "TD(0) TD(1)", "Q-0 Q-1"]
)
def test_numbers_that_may_be_versions_are_no_runs(put, names):
    rows = [f"{name},x,{run}" for name in names.split() for run in (1.5, 2.5)]
    assert len(ro.load(put("long.csv", "\n".join(["algo,env,return", *rows, ""]))).algorithms) == len(names.split())


def test_numbers_of_runs_that_no_run_counts_are_versions(put):
    assert ro.load(put("llm.csv", "run,score\ngpt-3,1\ngpt-4,2\nllama-3,3\nllama-4,4\n")).algorithms == ("llm",)


@pytest.mark.parametrize("tasks", list(itertools.product(["", "_Hopper-v4"], repeat=3)))
def test_names_have_tasks_only_where_each_of_them_names_its_task(tasks):
    names = [f"{name}{task}_seed{i}" for i, (name, task) in enumerate(zip(("PPO", "SAC", "TD3"), tasks, strict=True))]
    parts = parts_of(names)
    assert [part["algorithm"] for part in parts] == ["PPO", "SAC", "TD3"]
    assert [part["run"] for part in parts] == ["0", "1", "2"]
    assert [part.get("task") for part in parts] == (["Hopper-v4"] * 3 if all(tasks) else [None] * 3)


def test_runs_named_by_tasks_are_of_these_and_not_of_one(put):
    lines = "".join(f"{task}_seed{r},{r + 1}\n" for task in ("Hopper", "Ant") for r in (0, 1))
    assert ro.read_scores(put("mine.csv", f"run,score\n{lines}")).to_dict() == {
        "mine": {"Ant": [1, 2], "Hopper": [1, 2]}
    }


@pytest.mark.parametrize("names", ["A A-0 A-1", "A A-0 A-1 B", "A A-0 A-1 B B-0 B-1", "B A A-1 A-2"])
def test_a_name_beside_itself_with_numbers_is_asked_about_and_is_a_run_by_request(put, names):
    path = put("t.csv", "algorithm,score\n" + "".join(f"{name},{i}.5\n" for i, name in enumerate(names.split())))
    with pytest.raises(ro.DataError, match="end in numbers, runs or versions"):
        ro.read_scores(path)
    assert ro.read_scores(path, keys="algorithm/run").n_runs[0].tolist() == [3]
    assert ro.read_scores(path, keys="algorithm").algorithms == tuple(sorted(names.split()))


@pytest.mark.parametrize("names", ["PPO PPO-2 SAC", "A A-1 B", "GPT-3 GPT-4 A"])
def test_a_single_number_behind_a_name_is_a_version(put, names):
    lines = "".join(f"{name},{i}.5\n" for i, name in enumerate(names.split()))
    assert ro.read_scores(put("t.csv", f"algorithm,score\n{lines}")).algorithms == tuple(sorted(names.split()))
