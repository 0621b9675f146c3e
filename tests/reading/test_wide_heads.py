"""Wide tables: heads that name runs as well, and columns beside algorithms that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.words.speech import in_shell

ROWS = "x,1,2,3,4\ny,5,6,7,8\n"


def read(tmp_path: Path, text: str, **how: Any) -> Any:
    file = tmp_path / "results.csv"
    file.write_text(text, encoding="utf-8")
    return ro.load(file, **how)


def cells(scores: Any) -> dict[str, dict[str, list[float]]]:
    return {a: {t: sorted(scores.cell(a, t)) for t in scores.tasks} for a in scores.algorithms}


PPO_AND_A2C = {"PPO": {"x": [1, 2], "y": [5, 6]}, "A2C": {"x": [3, 4], "y": [7, 8]}}


# ── heads that name runs as well ──────────


@pytest.mark.parametrize("head", ["{}_seed{}", "{}-s{}", "{}_s{}", "{}_run{}", "{} (seed {})", "s{1}_{0}"])
def test_heads_of_algorithms_with_their_runs_are_both_beside_a_column_of_tasks(tmp_path, head):
    heads = [head.format(name, run) for name in ("PPO", "A2C") for run in (1, 2)]
    assert cells(read(tmp_path, f"task,{','.join(heads)}\n{ROWS}")) == PPO_AND_A2C


def test_a_frame_with_such_heads_is_read_as_the_same_file():
    frame = {"task": ["x", "y"], "PPO_seed1": [1, 5], "PPO_seed2": [2, 6], "A2C_seed1": [3, 7], "A2C_seed2": [4, 8]}
    assert cells(ro.load(pd.DataFrame(frame))) == PPO_AND_A2C


@pytest.mark.parametrize("keys", [None, "run", "task/run"])
def test_heads_of_tasks_with_their_runs_are_both_beside_a_column_of_algorithms(tmp_path, keys):
    text = "algorithm,Pong_seed1,Pong_seed2,Breakout_seed1,Breakout_seed2\nA,1,2,30,40\nB,5,6,70,80\n"
    expected = {"A": {"Pong": [1, 2], "Breakout": [30, 40]}, "B": {"Pong": [5, 6], "Breakout": [70, 80]}}
    assert cells(read(tmp_path, text, keys=keys)) == expected


def test_a_second_column_of_what_the_heads_name_is_refused_with_a_repair_that_works(tmp_path):
    text = "task,algorithm,PPO_seed1,PPO_seed2,A2C_seed1,A2C_seed2\nx,q,1,2,3,4\ny,q,5,6,7,8\n"
    with pytest.raises(ro.DataError, match="column 'algorithm' names the algorithms already") as refusal:
        read(tmp_path, text)
    assert "--columns unused=algorithm" in in_shell(refusal.value.args[0])
    assert cells(read(tmp_path, text, columns={"unused": "algorithm"})) == PPO_AND_A2C


# ── columns beside algorithms, or tasks, that are none ──────────

NO_ALGORITHMS = (
    "gpu_hours,rank,n,index,version,year,se,p-value,cpu_h,num_seeds,winner,date,Improvement,difference,Unnamed: 4,"
    "Average rank,Human Gap,# runs,delta rank"
)


def beside(values: str, head: str) -> str:
    rows = zip(("x,1", "x,2", "y,1", "y,2"), (21.5, 22.5, 31.5, 33.5), values.split(), strict=True)
    return f"task,seed,PPO,Mine,{head}\n" + "".join(f"{key},{ppo},{ppo + 3.3},{value}\n" for key, ppo, value in rows)


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize("head", NO_ALGORITHMS.split(","))
def test_a_column_that_is_no_algorithm_by_its_name_is_none_with_and_without_keys(tmp_path, head):
    text = beside("7 7 9 9", head)
    assert read(tmp_path, text).algorithms == ("Mine", "PPO")
    assert read(tmp_path, text, keys="algorithm").algorithms == ("Mine", "PPO")


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize("keys", [None, "task"])
def test_costs_and_ranks_beside_tasks_are_no_tasks_with_and_without_keys(tmp_path, keys):
    text = "algorithm,seed,CartPole-v1,Acrobot-v1,gpu_hours,rank\nA,1,10,20,1,1\nA,2,12,24,2,1\nB,1,11,21,15,2\nB,2,10,23,16,2\n"
    assert read(tmp_path, text, keys=keys).tasks == ("Acrobot-v1", "CartPole-v1")


@pytest.mark.parametrize(
    ("head", "values", "why"),
    [
        ("cohort", "7 7 8 8", "repeats a few whole numbers"),
        ("loss", "0.1 0.2 0.3 0.4", "is named like a setting or a metric"),
        ("Δ", "0.1 0.2 0.3 0.4", "is named like a setting or a metric"),
        ("joules", "91000 92000 92100 92200", "differs from all others by a factor of 1000"),
        ("pooled", "23.15 24.15 33.15 35.15", "is the mean or the sum of the other columns"),
    ],
)
def test_a_column_that_may_be_none_is_asked_for_and_each_repair_works(tmp_path, head, values, why):
    text = beside(values, head)
    with pytest.raises(ro.DataError, match=f"column '{head}' stands beside .*'{head}' {why}") as refusal:
        read(tmp_path, text)
    assert f"--columns unused={head}" in in_shell(refusal.value.args[0])
    assert read(tmp_path, text, columns={"unused": head}).algorithms == ("Mine", "PPO")
    assert head in read(tmp_path, text, keys="algorithm").algorithms


def test_a_setting_that_parts_the_runs_of_a_wide_table_is_asked_for_and_each_repair_works(tmp_path):
    rows = "".join(f"x,{seed},{size},{seed + size},{seed}.5\n" for seed, size in ((1, 32), (2, 32), (3, 64), (4, 64)))
    text = f"task,seed,batch_size,PPO,A2C\n{rows}"
    with pytest.raises(ro.DataError, match=r"'batch_size' divides the rows into groups .*32, 64") as refusal:
        read(tmp_path, text)
    assert "--columns task=task/batch_size" in in_shell(refusal.value.args[0])
    assert read(tmp_path, text, columns={"task": "task/batch_size"}).tasks == ("x/32", "x/64")
    assert read(tmp_path, text, columns={"unused": "batch_size"}).n_runs.tolist() == [[4], [4]]


def test_letters_and_methods_that_score_nothing_are_algorithms(tmp_path):
    assert read(tmp_path, "n,m,p\n1,2,3\n4,5,7\n").algorithms == ("m", "n", "p")
    assert read(tmp_path, "alpha,beta,gamma\n1,2,3\n4,5,7\n").algorithms == ("alpha", "beta", "gamma")
    text = "task,Full model,no entropy,w/o GAE,State\nx,1,2.5,3,4\ny,4,5.5,7,9\n"
    assert read(tmp_path, text).algorithms == ("Full model", "State", "no entropy", "w/o GAE")
    counts = "".join(f"{t},{s},{s % 3},{3 * s + t},{(5 * s) % 7 + t}\n" for t in range(2) for s in range(4))
    assert read(tmp_path, f"task,seed,Mine,Other,Third\n{counts}").algorithms == ("Mine", "Other", "Third")
    assert "Mine" in read(tmp_path, "task,PPO,A2C,Mine\nw,1,2,0\nx,3,4,0\ny,5,6,0\nz,5,7,0\n").algorithms


def test_columns_that_are_left_out_one_after_the_other_are_all_left_out(tmp_path, capsys):
    file = tmp_path / "runs.csv"
    file.write_text("task,seed,batch_size,commit,PPO,A2C\nx,1,32,7,1,2\nx,2,32,7,3,4\nx,3,64,8,50,60\nx,4,64,8,52,61\n")
    options = ["--columns", "unused=commit", "--columns", "unused=batch_size"]
    assert run(["aggregate", str(file), *options]) == 0
    assert "'PPO', 'A2C' is taken as an algorithm" in capsys.readouterr().out


UNKNOWN = (
    "FlowQ",
    "HyperNet",
    "Ours w/o aug",
    "no entropy",
    "Octo",
    "GPT-4o",
    "Llama-3-70B",
    "full model",
    "v2",
    "State",
    "+ data aug",
)


@pytest.mark.parametrize("seed", range(20))
def test_methods_that_nobody_knows_are_algorithms_whatever_they_score(tmp_path, seed):
    """Of 600 such tables one was asked about; the scores are returns, rates, counts of ten and outcomes."""
    g = np.random.default_rng(seed)
    heads = sorted(map(str, g.choice(UNKNOWN, int(g.integers(2, 6)), replace=False)))
    rows = [(t, s) for t in "xyz" for s in range(int(g.integers(1, 6)))]
    size = (len(rows), len(heads))
    kinds = (
        g.normal(500, 200, size).round(2),
        g.integers(0, 51, size) / 50,
        g.integers(0, 11, size),
        g.integers(0, 2, size),
    )
    scores = kinds[seed % 4]
    lines = [f"{t},{s},{','.join(map(str, row))}" for (t, s), row in zip(rows, scores.tolist(), strict=True)]
    read_back = read(tmp_path, "\n".join(["task,seed," + ",".join(heads), *lines]))
    assert sorted(read_back.algorithms) == heads


@pytest.mark.parametrize("labels", ["1 2 1 2 1 2", "0 1 0 1 0 1", "3 3 3 4 4 4"])
def test_labels_that_come_in_turn_or_lie_together_are_asked_for_among_counts(tmp_path, labels):
    counts = zip(labels.split(), (7, 2, 9, 4, 7, 0), (3, 3, 8, 10, 3, 5), (1, 0, 4, 0, 1, 0), strict=True)
    rows = "".join(f"x,{s},{a},{b},{c},{label}\n" for s, (label, a, b, c) in enumerate(counts))
    with pytest.raises(ro.DataError, match="'lvl' repeats a few whole numbers, unlike the other columns") as refusal:
        read(tmp_path, f"task,seed,FlowQ,Octo,HyperNet,lvl\n{rows}")
    assert "--columns task=task/lvl" in in_shell(refusal.value.args[0])
    by_task = read(tmp_path, f"task,seed,FlowQ,Octo,HyperNet,lvl\n{rows}", columns={"task": "task/lvl"})
    assert (len(by_task.tasks), by_task.n_runs.sum()) == (2, 18)


@pytest.mark.parametrize("head", ["SAC - PPO", "SAC vs PPO", "SAC over PPO", "Margin"])
def test_a_comparison_of_two_heads_is_no_algorithm(put, head):
    scores = ro.load(put("wide.csv", f"env,seed,PPO,SAC,{head}\nx,0,1.5,2.5,1.0\nx,1,1.25,2.75,1.5\n"))
    assert scores.algorithms == ("PPO", "SAC")
    assert f"columns not used: {head!r}" in scores.provenance.notes


def test_a_name_that_may_compare_two_heads_is_asked_unless_it_is_a_known_algorithm(put):
    table = "env,seed,{0}\nH,0,1.5,2.5,1.0\nH,1,1.25,2.75,1.5\n"
    with pytest.raises(ro.DataError, match=r"'SAC/PPO' is named like a comparison .* columns=\{'unused': 'SAC/PPO'\}"):
        ro.load(put("wide.csv", table.format("PPO,SAC,SAC/PPO")))
    assert ro.load(put("known.csv", table.format("TD3,BC,TD3-BC"))).algorithms == ("BC", "TD3", "TD3-BC")


@pytest.mark.parametrize("head", ["N", "rank", "best seed"])
def test_a_count_or_a_measure_beside_runs_is_left_out(put, head):
    file = put("wide.csv", f"algo,env,seed1,seed2,seed3,{head}\nA,x,1.5,2.5,3.5,9\nB,x,1,2,4,9\n")
    assert ro.load(file).cell("A", "x").tolist() == [1.5, 2.5, 3.5]
    assert f"columns not used: {head!r}" in ro.load(file).provenance.notes


@pytest.mark.parametrize("head", ["Human", "range"])
def test_a_column_beside_runs_that_is_none_is_named_with_a_repair_that_works(put, head):
    file = put("wide.csv", f"algo,env,seed1,seed2,seed3,{head}\nA,x,1.5,2.5,3.5,9\nB,x,1,2,4,9\n")
    with pytest.raises(ro.DataError, match=rf"are runs, use columns=\{{'unused': '{head}'\}}"):
        ro.load(file)
    assert ro.load(file, columns={"unused": head}).cell("A", "x").tolist() == [1.5, 2.5, 3.5]


def test_a_score_beside_columns_of_known_tasks_is_asked_and_both_repairs_work(put):
    file = put("wide.csv", "algo,seed,Hopper,Walker2d,Score\nA,0,1,2,1.5\nA,1,3,4,3.5\nB,0,1,3,2\nB,1,2,4,3\n")
    with pytest.raises(ro.DataError, match=r"are headed by tasks, .*\{'unused': 'Score'\}"):
        ro.load(file)
    assert ro.load(file, columns={"unused": "Score"}).to_dict()["A"] == {"Hopper": [1, 3], "Walker2d": [2, 4]}
    assert ro.load(file, columns={"score": "Score"}).cell("A", "task").tolist() == [1.5, 3.5]


@pytest.mark.parametrize("lengths", [(3, 2, 1), (2, 3, 1), (1, 2, 3), (3, 3, 1), (1, 3, 3), (2, 2, 3)])
def test_every_column_that_ends_before_the_longest_is_told_with_its_runs(put, lengths):
    names = ("PPO", "SAC", "TD3")
    rows = [",".join(f"{i + k}.5" if i < n else "" for k, n in enumerate(lengths)) for i in range(3)]
    scores = ro.read_scores(put("runs.csv", "\n".join([",".join(names), *rows, ""])))
    assert scores.n_runs[:, 0].tolist() == list(lengths)
    short = ", ".join(f"{name!r} has {n}" for name, n in zip(names, lengths, strict=True) if n < 3)
    (note,) = (note for note in scores.provenance.notes if "runs that were not made" in note)
    assert note.endswith(f"{short} of 3")


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ("algo,seed,Ant-v4,Hopper-v4\nPPO,0,1,2\nSAC,0,2,3\nSAC,1,,\n", "line 4, column 'Ant-v4'"),
        ("algo,Ant-v4,Hopper-v4\nPPO,1,2\nPPO,3,4\nSAC,,\nSAC,,\n", "line 4, column 'Ant-v4'"),
        ("seed,PPO,SAC\n0,1,2\n1,2,\n2,,\n", "line 4, column 'PPO'"),
        ("algo,seed,Ant-v4,Hopper-v4\nPPO,0,1,2\nSAC,0,2,3\nSAC,1,,5\n", "line 4, column 'Ant-v4'"),
        ("task,seed,PPO,SAC\nx,0,1,2\nx,1,2,3\ny,0,1,2\ny,1,,2\n", "line 5, column 'PPO'"),
    ],
)
def test_named_rows_at_the_end_without_any_score_are_missing_not_left_out(put, rows, place):
    file = put("wide.csv", rows)
    with pytest.raises(ro.DataError, match=f"{place}: the score is missing"):
        ro.load(file)
    with pytest.raises(ro.DataError, match=r"row \d, column '(Ant-v4|PPO)': the score is missing"):
        ro.load(pd.read_csv(file))
    assert ro.load(put("blank.csv", "PPO,SAC\n1,2\n2,4\n,\n")).to_dict() == {
        "PPO": {"task": [1, 2]},
        "SAC": {"task": [2, 4]},
    }


def test_of_many_logs_with_unknown_measures_the_score_is_asked_for_first(put):
    for name in ("ppo_0", "ppo_1", "sac_0", "sac_1"):
        file = put(
            f"{name}/log.csv", "it,foo,bar\n" + "".join(f"{10 * i},{i * 7 % 5}.5,{i * 3 % 5}.25\n" for i in range(5))
        )
    with pytest.raises(ro.DataError, match=r"columns=\{'score': 'foo'\}, if each file is of one run, or use keys="):
        ro.load(file.parents[1])


GRID = [("PPO", "Hopper"), ("PPO", "Ant"), ("SAC", "Hopper"), ("SAC", "Ant")]


@pytest.mark.parametrize("head", ["{0}/{1}/{2}", "{0}_{1}_{2}", "{1} {0} {2}", "{0}-{1}-seed{2}"])
def test_heads_that_name_known_algorithms_tasks_and_runs_together_are_read(put, head):
    heads = [head.format(a, t, r) for a, t in GRID for r in range(3)]
    file = put("runs.csv", f"{','.join(heads)}\n{','.join(str(i + 0.5) for i in range(12))}\n")
    scores = ro.read_scores(file)
    assert (scores.algorithms, scores.tasks) == (("PPO", "SAC"), ("Ant", "Hopper"))
    assert [cell.tolist() for cell in scores.cells(1)] == [[9.5, 10.5, 11.5], [6.5, 7.5, 8.5]]
    assert (
        ro.read_scores(put("curves.csv", f"step,{','.join(heads)}\n{','.join(map(str, range(13)))}\n")).tasks
        == scores.tasks
    )


@pytest.mark.parametrize(
    "text", [",Pong,Breakout\nours,21,20\nbase,21,30\n", "Pong,seed,Breakout,algo\n21,0,20,ours\n21,0,30,base\n"]
)
def test_known_tasks_are_those_of_labels_without_a_head_and_though_all_score_the_same(put, text):
    assert ro.read_scores(put("runs.csv", text)).to_dict()["base"] == {"Pong": [21], "Breakout": [30]}


def test_random_beside_tasks_of_algorithms_is_no_task(put):
    with pytest.warns(ro.RunoffWarning, match="columns 'Random', which are reference scores"):
        scores = ro.read_scores(
            put("runs.csv", "algo,seed,Ant,Hopper,Random\nPPO,0,4,5,1\nPPO,1,6,7,1\nSAC,0,5,6,2\nSAC,1,7,8,1\n")
        )
    assert scores.tasks == ("Ant", "Hopper")


def test_heads_that_name_algorithms_and_tasks_beside_runs_are_read(put):
    rows = [",".join(map(str, (i, *(10 * k + i for k in range(4))))) for i in range(3)]
    text = "\n".join([f"seed,{','.join(map('_'.join, GRID))}", *rows])
    assert ro.read_scores(put("runs.csv", text)).to_dict()["SAC"] == {"Ant": [30, 31, 32], "Hopper": [20, 21, 22]}


def test_heads_of_several_levels_of_unknown_names_are_asked_and_read_as_the_answer_says(put):
    heads = [f"{a}/{t}/{r}" for a in ("foo", "bar") for t in ("a", "b") for r in range(3)]
    file = put("runs.csv", f"{','.join(heads)}\n{','.join(str(i + 0.5) for i in range(12))}\n")
    with pytest.raises(ro.DataError, match=r"names of 3 levels; .*keys='algorithm/task/run'"):
        ro.read_scores(file)
    scores = ro.read_scores(file, keys="algorithm/task/run")
    assert scores.to_dict()["bar"] == {"a": [6.5, 7.5, 8.5], "b": [9.5, 10.5, 11.5]}


def test_subtotals_and_remarks_are_no_runs(put):
    rows = [
        "env,seed,PPO,SAC",
        "Hopper,0,1,2",
        "Hopper,1,2,3",
        "Hopper mean,,1.5,2.5",
        "Ant,0,4,5",
        "Ant,1,6,7",
        "* tuned by hand,,,",
    ]
    with pytest.warns(ro.RunoffWarning, match="1 row"):
        scores = ro.read_scores(put("runs.csv", "\n".join([*rows, ""])))
    assert (scores.tasks, scores.n_runs.tolist()) == (("Ant", "Hopper"), [[2, 2]] * 2)


def test_the_quotes_of_r_are_no_part_of_names(put):
    rows = ['"algo" "env" "return"', *(f'"{i}" "{a}" "Half Cheetah" {i}.5' for i, a in enumerate(("PPO", "SAC") * 3))]
    scores = ro.read_scores(put("runs.txt", "\n".join([*rows, ""])))
    assert (scores.algorithms, scores.tasks) == (("PPO", "SAC"), ("Half Cheetah",))


@pytest.mark.parametrize(
    "rows",
    [
        ["Task,PPO,SAC", "100k,,", "Pong,10,13", "Qbert,11,14", "200k,,", "Pong,12,15", "Qbert,11.5,14.5"],
        ["Method,Pong,Qbert", "Atari 100k,,", "PPO,10,13", "SAC,11,14", "Atari 200k,,", "PPO,12,15", "SAC,11.5,14.5"],
    ],
)
def test_rows_that_several_sections_have_are_not_pooled(put, rows):
    with pytest.raises(ro.DataError, match="nothing says what they name; write the name into a column"):
        ro.read_scores(put("runs.csv", "\n".join([*rows, ""])))


@pytest.mark.parametrize("keys", [None, "suite/task"])
def test_names_merged_over_tasks_are_their_suites(put, keys):
    head = ",Atari,Atari,MuJoCo,MuJoCo\nAlgorithm,Pong,Qbert,Hopper,Ant\n"
    file = put("runs.csv", head + "PPO,1,2,3,4\nPPO,2,3,4,5\nSAC,2,4,5,6\nSAC,3,4,6,7\n")
    scores = ro.read_scores(file, keys=keys)
    assert (scores.tasks, scores.n_runs.tolist()) == (("Ant", "Hopper", "Pong", "Qbert"), [[2] * 4] * 2)


@pytest.mark.parametrize("keys", ["foo", "foo/task"])
def test_a_level_that_is_none_is_refused(put, keys):
    with pytest.raises(ro.RunoffError, match="keys"):
        ro.read_scores(put("runs.csv", "seed,PPO,SAC\n0,1,2\n1,2,4\n"), keys=keys)


def test_curves_under_heads_that_end_in_numbers_are_asked_and_read(put):
    rows = [f"{step},{','.join(str(step * k + 0.5) for k in range(1, 5))}" for step in (10_000, 20_000, 30_000)]
    file = put("runs.csv", "\n".join(["step,PPO_0,PPO_1,SAC_0,SAC_1", *rows, ""]))
    with pytest.raises(ro.DataError, match=r"end in numbers, runs or versions; use keys='algorithm/run'"):
        ro.read_curves(file)
    curves = ro.read_curves(file, keys="algorithm/run")
    assert (curves.algorithms, curves.n_runs.tolist()) == (("PPO", "SAC"), [[2], [2]])
    assert ro.read_curves(file, keys="algorithm").n_runs.tolist() == [[1]] * 4


@pytest.mark.parametrize(
    ("head", "values"), [("agents", (2, 4, 8, 16)), ("k", (16, 8, 4, 2)), ("n_agents", (2, 4, 8, 16))]
)
def test_what_is_varied_from_row_to_row_is_no_algorithm_whatever_the_scores(put, head, values):
    rows = [f"{value},{10 + i},{12 + i}" for i, value in enumerate(values)]
    with pytest.raises(ro.DataError, match="rises or falls from row to row"):
        ro.load(put("runs.csv", "\n".join([f"{head},ppo,sac", *rows])))


@pytest.mark.parametrize(
    ("heads", "tasks"),
    [
        (("kuka_goal", "kuka_10"), True),
        (("det_precision", "det_recall"), False),  # measures
        (("nav_collision", "nav_timeout"), False),  # costs
        (("grounding", "fluency"), False),  # of no family
    ],
)
@pytest.mark.parametrize("sign", ["%", ""])
def test_percentages_under_names_of_one_family_are_tasks(put, heads, tasks, sign):
    rows = [f"{m},{run},{50 + run}{sign},{60 + run}{sign}" for m in "AB" for run in range(3)]
    file = put("runs.csv", "\n".join([f"model,seed,{','.join(heads)}", *rows, ""]))
    if tasks and sign:
        assert ro.load(file).to_dict()["B"] == {heads[0]: [50, 51, 52], heads[1]: [60, 61, 62]}
    else:
        with pytest.raises(ro.DataError, match="no column is recognised as the score"):
            ro.load(file)


@pytest.mark.parametrize(("heads", "place"), [("PPO,SAC", "Hopper/seed_{}.csv"), ("Hopper,Ant", "PPO/seed_{}.csv")])
def test_files_of_runs_that_share_heads_of_known_names_beside_steps_hold_a_curve_below_each(put, heads, place):
    for seed in (0, 1):
        folder = put(place.format(seed), f"timestep,{heads}\n1000,1,2\n2000,3,{seed + 4}\n").parents[1]
    read = ro.load(folder)
    assert read.final(1).to_dict()[read.algorithms[-1]][read.tasks[0]] == (
        [3.0, 3.0] if "Ant" in heads[:3] else [4.0, 5.0]
    )


@pytest.mark.parametrize("heads", ["PPO,SAC", "ours,other"])
def test_one_file_of_curves_beside_steps_is_read_if_the_user_says_that_its_heads_are_algorithms(put, heads):
    file = put("curves.csv", f"step,{heads}\n1000,1.5,2.5\n2000,3.5,4.5\n3000,2.5,4.0\n")
    with pytest.raises(
        ro.DataError, match="or use keys='algorithm' if each other column is the curve of one algorithm"
    ):
        ro.load(file)
    assert sorted(ro.load(file, keys="algorithm").final(1).values.tolist()) == [2.5, 4.0]


def test_losses_beside_steps_are_no_curves_of_algorithms_whatever_keys_say(put):
    with pytest.raises(ro.DataError):
        ro.load(put("log.csv", "step,loss,entropy\n1000,1,2\n2000,3,4\n"), keys="algorithm")


@pytest.mark.parametrize("head", ["step", "k", "frames_x", "zz"])
@pytest.mark.parametrize("last", [1000, 2000])
def test_a_column_that_is_named_as_the_step_holds_it_whatever_it_is_called_and_holds(put, head, last):
    file = put("t.csv", f"{head},seed,PPO,SAC\n1000,1,1,2\n{last},2,3,4\n")
    with pytest.raises(
        ro.DataError, match=r"use keys='algorithm' if each other column is the curve of one algorithm\."
    ):
        ro.load(file, columns={"step": head})
    curves = ro.load(file, columns={"step": head}, keys="algorithm")
    assert curves.to_frame()["step"].to_list() == [1000, last] * 2
    assert curves.to_frame()["score"].to_list() == [1, 3, 2, 4]


def test_one_algorithm_in_percent_beside_shares_is_refused_beside_tasks_as_well(put):
    text = "task,ppo,sac\nreach,50%,0.5\npush,70%,0.6\n"
    with pytest.raises(ro.DataError, match="'ppo' is in percent and column 'sac' is not"):
        ro.read_scores(put("t.csv", text))
