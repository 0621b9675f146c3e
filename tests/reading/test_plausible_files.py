"""Files that people write and no other test needs: blanks behind commas, constants, capitals, columns that say the same twice."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import runoff as ro

CURVE = "step,return\n1,1.5\n2,2.5\n"
SCORES = "seed,return\n0,1.5\n1,2.5\n"


@pytest.mark.parametrize(
    "text",
    [
        "policy, k, n\nA,7,10\nB,5,10\n",
        "policy,success,date\nA,7/10,1/12\nB,5/10,2/12/2024\n",
        "policy,success_rate,trials\nA, 70 % ,10\nB,50%,10\n",
        "policy,success_rate,trials\nA,7e-1,10\nB,5e-1,10\n",
    ],
)
def test_attempts_are_counted_however_their_numbers_are_written(put, text):
    scores = ro.load(put("trials.csv", text), unit="episode").to_dict()
    assert {name: sum(cells["task"]) for name, cells in scores.items()} == {"A": 7, "B": 5}


TABLES = {
    "a number below 0 is no rate of attempts": (
        "policy,success,trials\nA,-10,10\nB,55,10\n",
        {"unit": "episode"},
        {"A": {"task": [-10]}, "B": {"task": [55]}},
    ),
    "a setting counts no attempts": (
        "task,lr,A,B,trials\nx,3,1,0,10\ny,4,0,1,10\n",
        {"unit": "episode"},
        {"A": {"x": [1], "y": [0]}, "B": {"x": [0], "y": [1]}},
    ),
    "a chosen column that a metric is called like": (
        "algo,seed,metric,reward,speed\nA,0,speed,4,1\nA,0,reward,5,2\nB,0,speed,6,3\nB,0,reward,7,4\n",
        {"columns": {"score": "speed"}},
        {"A": {"task": [2]}, "B": {"task": [4]}},
    ),
    "a chosen column that the metric of all rows is called like": (
        "algo,seed,metric,loss,return\nA,0,loss,1,3\nA,1,loss,2,4\nB,0,loss,3,5\nB,1,loss,5,4\n",
        {"columns": {"score": "loss"}},
        {"A": {"task": [-1, -2]}, "B": {"task": [-3, -5]}},
    ),
    "a measure without values beside another": (
        "algo,task,acc,exact_match\nA,x,1,\nA,y,2,\nB,x,3,\nB,y,4,\n",
        {},
        {"A": {"x": [1], "y": [2]}, "B": {"x": [3], "y": [4]}},
    ),
    "labels without a name beside runs of algorithms": (
        "algo,,seed 1,seed 2\nA,x,1,2\nA,y,3,4\nB,x,5,6\nB,z,7,8\n",
        {},
        {"A": {"x": [1, 2], "y": [3, 4]}, "B": {"x": [5, 6], "z": [7, 8]}},
    ),
    "labels that hold an algorithm beside tasks": (
        "what,Hopper,Ant\nmy-PPO,1,2\nbar,3,4\n",
        {},
        {"my-PPO": {"Hopper": [1], "Ant": [2]}, "bar": {"Hopper": [3], "Ant": [4]}},
    ),
    "a blank within an algorithm before two other levels": (
        "step,my PPO_Hopper_0,my SAC_Hopper_0\n1,1,2\n2,3,4\n",
        {"keys": "algorithm/task/run"},
        {"my PPO": {"Hopper": [3]}, "my SAC": {"Hopper": [4]}},
    ),
    "blanks around heads of two levels": (
        "seed, foo Hopper , bar Hopper \n1,1,2\n2,3,4\n",
        {"keys": "algorithm/task"},
        {"foo": {"Hopper": [1, 3]}, "bar": {"Hopper": [2, 4]}},
    ),
    "values of a setting behind algorithms": (
        "seed,ppo_lr1,ppo_lr2,sac_lr1,sac_lr2\n0,1,2,3,4\n",
        {},
        {name: {"task": [i + 1]} for i, name in enumerate(("ppo_lr1", "ppo_lr2", "sac_lr1", "sac_lr2"))},
    ),
    "names that several marks part": (
        "seed,ppo_a,ppo-b,sac_a,sac-b\n0,1,2,3,4\n",
        {},
        {name: {"task": [i + 1]} for i, name in enumerate(("ppo_a", "ppo-b", "sac_a", "sac-b"))},
    ),
    "a name that holds a word twice": (
        "task,seed,Self,SelfPlay,Self-Self\nx,0,1.5,2.5,3.5\n",
        {},
        {"Self": {"x": [1.5]}, "SelfPlay": {"x": [2.5]}, "Self-Self": {"x": [3.5]}},
    ),
}


@pytest.mark.filterwarnings("ignore:.*left out. 2 row", "ignore:.*less is better. the scores are negated")
@pytest.mark.parametrize("case", TABLES)
def test_a_table_is_read(put, case):
    text, options, expected = TABLES[case]
    data = ro.load(put("table.csv", text), **options)
    assert (data.final() if isinstance(data, ro.Curves) else data).to_dict() == expected
    assert not any("each task has one measure" in note for note in data.provenance.notes)


@pytest.mark.parametrize(
    ("text", "options", "match"),
    [
        (
            "policy,hits,trials\nA,1,10\nB,2,10\n",
            {"unit": "episode", "score": "accuracy"},
            "no column 'accuracy' to be",
        ),
        ("policy,score,failures\nA,2,3\nB,1,4\n", {"unit": "episode"}, "2 of 3 in line 2"),
        (
            "policy,depth,reached,trials\nA,8,3,10\nB,4,2,10\n",
            {"unit": "episode"},
            "column 'reached' may count what happened",
        ),
        ("Noise,A,B\n.4,3.25,4.15\n.4,2.15,3.35\n.2,1.55,2.55\n.0,1.75,2.65\n", {}, "'Noise' rises or falls"),
        ("task,A,B\nx, Yes , no \nx, no , yes\n", {}, "rows of 'A' may be attempts"),
        ("algo,seed,return\nRandom,,0\nHuman,,9\n", {}, "line 2: the run .column 'seed'. is empty"),
        ("task, A-1 , A-2 , B-1 , B-2 \nx,1,2,3,4\ny,4,3,2,1\n", {}, "end in numbers, runs or versions"),
        ("task,seed,A-1,A-2,B-1,B-2\nx,0,1,2,3,4\ny,0,4,3,2,1\n", {}, "'seed' names the runs already"),
        ("seed,q_level1,q_level2,z_level1,z_level2\n0,1,2,3,4\n1,4,3,2,1\n", {}, "names of 2 levels"),
        (
            "algo,seed,part,return\nA,0,.1,1\nA,1,.1,2\nA,0,.2,3\nA,1,.2,4\n",
            {},
            "'step': 'part'. if it is the progress",
        ),
        ("wall_time,seed,return\n1:10,0,1\n1:20,0,2\n1:10,1,3\n1:20,1,4\n", {}, "use duplicates='last'"),
    ],
)
def test_a_table_is_asked_about(put, text, options, match):
    with pytest.raises(ro.RunoffError, match=match):
        ro.load(put("table.csv", text), **options)


NAMES = ["{}/seed_{}", "Env=Hopper,Algo={},Seed={}", "模型\u3000{}/seed_{}", "{}/k\xad/seed_{}"]


@pytest.mark.parametrize("names", NAMES)
def test_folders_name_algorithms_in_capitals_and_in_all_scripts(put, tmp_path, names):
    for name, run in (("ppo", 0), ("ppo", 1), ("sac", 0), ("sac", 1)):
        put(f"{names.format(name, run)}/log.csv", CURVE)
    algorithms = ro.load(tmp_path).algorithms
    assert [name.split()[-1] for name in algorithms] == ["ppo", "sac"]


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"algo": "{}", "domain": "cartpole", "task": "cartpole_swingup"}, "cartpole_swingup"),
        ({"agent": "rnn", "method": "{}", "env": "3m"}, "3m"),
        ({"agent": "{}", "agent._target_": "agents.Agent", "env": "3m"}, "3m"),
    ],
)
def test_configurations_name_a_domain_again_and_an_agent_beside_the_method(put, tmp_path, config, expected):
    for i, name in enumerate(("qmix", "vdn")):
        put(f"{i}/log.csv", CURVE)
        put(f"{i}/config.json", json.dumps(config).replace("{}", name))
    curves = ro.load(tmp_path)
    assert (curves.algorithms, curves.tasks) == (("qmix", "vdn"), (expected,))


PATTERNS = {
    "runs/**/{algorithm}/seed_{run}": ["runs/ppo/seed_0", "runs/a/b/sac/seed_0"],
    "*_lr{config.lr}": ["out/ppo_lr0.1", "out/sac_lr0.1"],
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_fits_paths_of_any_depth_and_leaves_the_algorithm_to_the_file(put, tmp_path, pattern):
    for path in PATTERNS[pattern]:
        put(f"{path}.csv", CURVE)
    assert [name.split("_")[0] for name in ro.load(tmp_path, pattern=pattern).algorithms] == ["ppo", "sac"]
    with pytest.raises(ro.OptionError, match="a brace is not closed"):
        ro.load(tmp_path, pattern="{algorithm}}/*")


def test_names_that_end_in_runs_of_two_kinds_have_no_pattern_in_common(put, tmp_path):
    for name in ("ppo_a_1", "ppo_b_seed2", "sac_a_1", "sac_b_seed2"):
        put(f"{name}.csv", CURVE)
    with pytest.raises(ro.DataError, match=r"for each level of 'ppo_a_1'\.$"):
        ro.load(tmp_path)


def test_files_that_are_called_by_numbers_are_no_jobs(put, tmp_path):
    for name in ("0.1", "0.01"):
        put(f"{name}.csv", CURVE)
    assert ro.load(tmp_path).algorithms == ("0.01", "0.1")


def test_a_folder_with_its_description_alone_is_warned_of(put, tmp_path):
    for name in ("ppo", "sac"):
        put(f"{name}/seed_0/r.csv", "task,return\nx,1\ny,2\n")
    put("ppo/seed_1/README.md", "It crashed.\n")
    with pytest.warns(ro.RunoffWarning, match="hold no scores"):
        ro.load(tmp_path)


@pytest.mark.filterwarnings("ignore:1 file.s. have no readable runs")
def test_a_line_of_costs_speaks_of_no_table_of_something_else_and_a_copy_of_words_is_no_attempt(put, tmp_path):
    put("a.csv", "# lower is better\nalgo,seed,value\nA,0,1\nB,0,2\n")
    put("b.csv", "algo,params\nA,1000\nB,2000\n")
    with pytest.warns(ro.RunoffWarning, match="give lower_is_better=True"):
        assert ro.load(tmp_path).to_dict() == {"A": {"task": [1]}, "B": {"task": [2]}}
    for name in ("ppo", "ppo big (1)"):
        put(f"runs/{name}/seed_0.csv", CURVE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ro.load(tmp_path / "runs").algorithms == ("ppo", "ppo big (1)")


def test_arrays_of_unlike_lengths_have_runs_along_their_first_axis(tmp_path):
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "a.npz", PPO=rng.normal(size=(57, 5)), SAC=rng.normal(size=(50, 5)))
    assert ro.load(tmp_path / "a.npz").n_runs.tolist() == [[57] * 5, [50] * 5]


@pytest.mark.parametrize("names", [("seed_0", "seed_1"), ("0", "1")])
def test_runs_below_folders_that_say_nothing_are_of_one_algorithm(put, tmp_path, names):
    for name in names:
        put(f"results/logs/runs/{name}.csv", CURVE)
    with pytest.warns(ro.RunoffWarning, match="nothing names the algorithm or the task of 2 runs"):
        assert ro.load(tmp_path / "results/logs/runs").algorithms == ("runs",)


def test_numbers_of_jobs_below_folders_that_say_nothing_are_asked_about(put, tmp_path):
    for name in ("1234567", "1234568"):
        put(f"results/logs/runs/{name}.csv", CURVE)
    with pytest.raises(ro.DataError, match="are numbers of jobs"):
        ro.load(tmp_path / "results/logs/runs")


def test_tables_in_texts_are_read_beside_files_that_speak_of_runs(put, tmp_path):
    for name, score in (("ppo", 1.5), ("sac", 2.5)):
        put(f"d/{name}.md", f"| task | seed | return |\n|---|---|---|\n| Ant | 0 | {score} |\n")
    put("d/meta.json", '{"date": "2024"}')
    assert ro.load(tmp_path / "d").to_dict() == {"ppo": {"Ant": [1.5]}, "sac": {"Ant": [2.5]}}


def test_outcomes_of_trials_in_columns_of_policies_are_asked_about_as_those_in_rows(put):
    rows = "".join(f"{task},{k},{k % 2},{(k + 1) % 2}\n" for task in ("cup", "lid") for k in range(4))
    file = put("trials.csv", f"task,trial,PPO,SAC\n{rows}")
    with pytest.raises(ro.DataError, match=r"column 'trial' may number attempts.*use unit='episode'"):
        ro.load(file)
    assert ro.load(file, unit="episode").sampling.unit == "episode"
    assert ro.load(file, columns={"run": "trial"}).n_runs.tolist() == [[4, 4], [4, 4]]


@pytest.mark.parametrize(("n", "noted"), [(20, False), (21, True)])
def test_trials_that_are_many_for_trainings_get_a_note(put, n, noted):
    rows = "".join(f"{a},{i},{i + 0.5}\n" for a in ("ours", "base") for i in range(n))
    notes = ro.load(put("runs.csv", f"method,trial,return\n{rows}")).provenance.notes
    assert any("if they are attempts of one policy: unit='episode'" in note for note in notes) is noted
