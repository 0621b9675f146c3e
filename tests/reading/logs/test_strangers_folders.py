"""Folders of real loggers that a stranger made: parts of a run, empty columns, repairs, patterns, and logs that end between two values."""

from __future__ import annotations

import json
import re
from itertools import product

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.cli.app import run as runoff
from tests.reading.logs.configured import events, guild
from tests.reading.logs.test_layouts import cells

RUNS = [*product(("d4pg", "dmpo"), ("walk", "swim"), (1, 2, 3))]


def rows_of(*names: str) -> str:
    rows = [",".join(str(i) for _ in names) for i in range(1, 5)]
    return "\n".join([",".join(names), *rows]) + "\n"


@pytest.mark.parametrize("folders", [("evaluator", "train"), ("eval", "train", "learner"), ("evaluator", "actor")])
def test_what_actors_and_evaluators_of_acme_log_is_one_run_by_steps_of_the_environment(put, folders):
    heads = {
        "evaluator": "episode_return,evaluator_steps,train_steps",
        "eval": "episode_return,train_steps",
        "train": "episode_return,train_episodes,train_steps",
        "actor": "episode_return,actor_steps",
        "learner": "critic_loss,learner_steps",
    }
    root = None
    for (algorithm, task, run), folder in product(RUNS, folders):
        names = heads[folder].split(",")
        lines = [
            ",".join(str(i * (100 if "steps" in name else 1) / (10 if "learner" in name else 1)) for name in names)
            for i in (1, 2, 3)
        ]
        root = put(f"x/{algorithm}/{task}/{run}/logs/{folder}/logs.csv", "\n".join([heads[folder], *lines]) + "\n")
    curves = ro.read_curves(root.parents[5])
    assert cells(curves) == dict.fromkeys(product(("d4pg", "dmpo"), ("walk", "swim")), 3)
    assert dict(curves.provenance.columns)["score"] == f"{folders[0]}/episode_return"
    assert set(curves.steps) == {100.0, 200.0, 300.0}


def test_a_column_without_any_value_is_not_the_score_where_another_can_be(put):
    rows = "".join(f"{i},{i / 2},0.1,NA,NA\n" for i in range(5))
    for algorithm, run in product(("dqn", "ddqn"), (1, 2, 3)):
        path = put(
            f"k/{algorithm}_seed{run}/training.log", f"epoch,episode_reward,loss,val_episode_reward,val_loss\n{rows}"
        )
    curves = ro.read_curves(path.parents[1])
    assert curves.final().values.tolist() == [2.0] * 6
    assert "columns without any value are not used: 'val_episode_reward'" in curves.provenance.notes
    # the only score stays, and its runs have failed
    alone = put("one/t.csv", "algo,seed,val_return\nA,1,NA\nA,2,NA\nB,1,NA\nB,2,NA\n")
    with pytest.raises(ro.DataError, match="val_return"):
        ro.load(alone)
    # a run that failed keeps its column
    some = put("some/t.csv", "algo,seed,return,eval_return\nA,1,9,1\nA,2,9,2\nB,1,9,NA\nB,2,9,4\n")
    with pytest.raises(ro.DataError, match="eval_return"):
        ro.load(some)


def test_statistics_of_one_measure_are_asked_about_as_columns_of_the_score(put):
    for name, run in product(("cem_ball", "snes_ball"), (0, 1)):
        path = put(f"e/{name}_s{run}.csv", rows_of("iter", "mean_eval", "median_eval", "best_eval"))
    with pytest.raises(ro.DataError, match="mean_eval") as refused:
        ro.load(path.parent)
    assert "columns={'score': 'mean_eval'}" in str(refused.value)
    assert ro.load(path.parent, columns={"score": "mean_eval"}).algorithms == ("cem_ball", "snes_ball")


def test_a_pattern_for_two_runs_of_one_name_parts_no_task(put):
    for name in (
        "Ant-v4__ppo__1__1764400050",
        "Ant-v4__ppo__1__1764400051",
        "Ant-v4__sac__1__1764400052",
        "Walker2d-v4__ppo__1__1764400053",
    ):
        path = put(f"runs/{name}/events.out.tfevents.1.h", events("charts/episodic_return"))
    with pytest.raises(ro.DataError, match="two runs are named") as refused:
        ro.read_curves(path.parents[1])
    pattern = re.search(r"pattern='([^']*)'", str(refused.value))[1]
    curves = ro.read_curves(path.parents[1], pattern=pattern)
    assert cells(curves) == {("ppo", "Ant-v4"): 2, ("sac", "Ant-v4"): 1, ("ppo", "Walker2d-v4"): 1}


def test_settings_of_logs_that_are_not_used_make_no_configuration(put, tmp_path):
    for algorithm, seed in product(("ppo", "sac"), (1, 2)):
        guild(put, algorithm, "Ant", seed, 0.1 * seed)
    assert len(ro.load(tmp_path).variants().algorithms) == 4
    unused = ro.load(tmp_path, columns={"unused": "lr"})
    assert cells(unused) == {("ppo", "Ant"): 2, ("sac", "Ant"): 2}
    assert not unused.sampling.configs
    with pytest.raises(ro.OptionError, match=r"no run has a setting 'l_r'\. Did you mean 'lr'"):
        ro.load(tmp_path, columns={"unused": "l_r"})


def test_a_run_of_guild_whose_process_failed_is_a_failed_run(put, tmp_path):
    for algorithm, seed in product(("ppo", "sac"), (1, 2, 3)):
        guild(put, algorithm, "Ant", seed, 0.1)
    first = min(tmp_path.rglob("exit_status"))
    first.write_text("1")
    with pytest.raises(ro.DataError, match="exit status 1"):
        ro.read_scores(tmp_path)


@pytest.mark.parametrize("files", ["progress.txt", "scores.csv"])
def test_a_pattern_of_folders_is_what_it_matches(put, monkeypatch, capsys, files):
    from runoff.cli import main

    head = (
        "Epoch\tAverageEpRet\tTotalEnvInteracts\n1\t2\t3\n"
        if files == "progress.txt"
        else "task,seed,score\nAnt,1,2\nAnt,2,3\n"
    )
    for algorithm, run in product(("ppo", "sac", "td3"), (1, 2)):
        path = put(f"runs/{algorithm}/s{run}/{files}" if files == "progress.txt" else f"runs/{algorithm}/{files}", head)
    root = path.parents[2] if files == "progress.txt" else path.parents[1]
    monkeypatch.chdir(root)
    assert ro.load("[ps]*").algorithms == ("ppo", "sac")
    with pytest.raises(SystemExit, match="0"):
        main(["scan", "[ps]*"])
    assert "of 2 algorithms" in capsys.readouterr().out


def test_weights_of_d3rlpy_are_no_missing_runs(put, recwarn):
    for algorithm, run in product(("CQL", "DQN"), (1, 2)):
        folder = f"d/{algorithm}_cartpole_{run}_20240101010101"
        path = put(f"{folder}/params.json", "{}")
        put(f"{folder}/environment.csv", "1,100,2.5\n2,200,3.5\n")
        put(f"{folder}/q_func.weight_grad.csv", "a\nb\n")
    assert len(ro.read_curves(path.parents[1]).run_labels) == 4
    assert not [warning for warning in recwarn if "missing" in str(warning.message)]


# ── logs that end between two values ──────────


def curves_of(*ends: tuple[int, int], name: str = "return") -> ro.Curves:
    """Return curves of A and B, two runs each, that log every `interval` steps up to a last one: (interval, last)."""
    labels, steps = [], []
    for algorithm, (interval, last) in zip("AB", ends, strict=True):
        for run in range(2):
            own = np.arange(last, 0, -interval)[::-1]
            labels += [(algorithm, run)] * own.size
            steps += own.tolist()
    columns = {"algo": [a for a, _ in labels], "seed": [r for _, r in labels], "step": steps}
    return ro.Curves.from_frame({**columns, name: np.arange(len(steps)) % 7 + 0.5})


@pytest.mark.parametrize(
    ("ends", "equal"),
    [
        (((256, 2048), (250, 2000)), True),  # 48 steps of 250
        (((250, 2000), (256, 2048)), True),
        (((100, 2000), (100, 1900)), False),  # a whole interval is missing
        (((100, 2000), (300, 1890)), False),  # less than an interval, more than 5 %
        (((10, 2000), (20, 1960)), False),
        (((10, 2000), (50, 1990)), True),  # within 1 %
        (((10, 2000), (1950, 1950)), False),  # one value has no interval
        (((10, 2000), (700, 1950)), False),
    ],
)
def test_a_log_that_ends_less_than_its_interval_before_the_end_is_whole(ends, equal):
    curves = curves_of(*ends)
    with pytest.warns(ro.RunoffWarning) if not equal else _nothing():
        scores = curves.final()
    assert bool(scores.provenance.caveats) is not equal
    if equal:
        assert scores.values.tolist() == [curves.curve(i)[1][-1] for i in range(4)]
        assert any("which counts as equal" in note for note in scores.provenance.notes)
    # a step that was asked for is reached, or not
    step = max(last for _, last in ends)
    with pytest.raises(ro.DesignError, match=r"not at|ended before"):
        curves.at(step)


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


# ── rows of several kinds in one log, settings, parts of configurations ──────────

RUNS_OF_TWO = [(a, s) for a in ("ppo", "sac") for s in (1, 2, 3)]
LAST = {a: {"Hop": [10.0 * (a == "sac") + s for s in (1, 2, 3)]} for a in ("ppo", "sac")}


def folder_of(put, files, config=lambda a, s: {"algo": a, "env": "Hop", "seed": s}, place="x{i}/{name}"):
    """Write a folder for each run, with `files` by name, functions of its last score, and its configuration; return the root."""
    for i, (algorithm, seed) in enumerate(RUNS_OF_TWO):
        score = LAST[algorithm]["Hop"][seed - 1]
        for name, content in files.items():
            put("t/" + place.format(i=i, name=name, a=algorithm, s=seed), content(score))
        put(
            f"t/{place.split('/')[0].format(i=i, a=algorithm, s=seed)}/config.json", json.dumps(config(algorithm, seed))
        )
    return put("t/README.md", "runs").parent


def lines_of(*rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("name", ["log.jsonl", "metrics.jsonl", "metrics.csv", "history.json"])
@pytest.mark.parametrize(
    ("key", "train", "eval_"),
    [
        ("phase", "train", "eval"),
        ("split", "train", "test"),
        ("eval", False, True),
        ("event", "warm up", "eval"),
        ("is_eval", 0, 1),
        ("training", True, False),
        ("explore", 1, 0),
        ("greedy", False, True),
        ("mode", "rollout", "evaluate"),
    ],
)
def test_of_training_and_evaluations_under_one_name_the_evaluations_are_read(put, name, key, train, eval_):
    def content(score):
        rows = [
            {"step": t, key: kind, "return": score * t / 3 if kind == eval_ else 999.0}
            for t in (1, 2, 3)
            for kind in (train, eval_)
        ]
        if name.endswith(".csv"):
            return "".join(",".join(map(str, row)) + "\n" for row in (rows[0], *(r.values() for r in rows)))
        return json.dumps(rows) if name.endswith(".json") else lines_of(*rows)

    root = folder_of(put, {name if name != "history.json" else "results.json": content})
    curves = ro.read_curves(root)
    assert curves.final(1).to_dict() == LAST
    assert any("scores of several kinds" in note for note in curves.provenance.notes)


@pytest.mark.parametrize("name", ["task_id", "level", "goal", "seed", "run_id", "lr"])
def test_numbers_of_tasks_runs_and_settings_at_one_step_are_refused_and_those_of_episodes_averaged(put, name):
    def logged(key):
        rows = [(t, i) for t in (1, 2) for i in (0, 1)]
        return {
            "metrics.jsonl": lambda v: lines_of(*({"step": t, key: i, "eval_return": v - 1 + 2 * i} for t, i in rows))
        }

    with pytest.raises(ro.DataError, match=rf"several '{name}' \('0', '1'\): write a file for each"):
        ro.load(folder_of(put, logged(name)))
    for of_evaluations in ("eval_seed", "env_idx", "episode"):
        assert ro.read_curves(folder_of(put, logged(of_evaluations))).final(1).to_dict() == LAST


def test_scores_of_two_tasks_at_one_step_of_one_log_are_refused(put):
    rows = [{"step": t, "env": env} for t in (1, 2) for env in ("Hop", "Walk")]
    root = folder_of(put, {"metrics.jsonl": lambda v: lines_of(*({**row, "return": v} for row in rows))})
    with pytest.raises(ro.DataError, match=r"several 'env' \('Hop', 'Walk'\): write a file for each"):
        ro.load(root)
    # one after the other they are one log, as loss and return in lines of their own are
    loss = {"step": 1, "kind": "loss", "loss": 5}
    root = folder_of(put, {"metrics.jsonl": lambda v: lines_of(loss, {"step": 1, "kind": "ret", "return": v})})
    assert ro.read_curves(root).final(1).to_dict() == LAST


@pytest.mark.parametrize(
    ("key", "first", "second"),
    [
        ("hidden", [64], [256, 256]),
        ("betas", [0.9, 0.99], [0.9, 0.999]),
        ("optimizer", {"name": "adam"}, {"name": "sgd"}),
        ("per", None, True),
    ],
)
def test_lists_names_and_switches_are_settings(put, key, first, second):
    for i, (algorithm, seed, value) in enumerate((a, s, v) for a, s in RUNS_OF_TWO for v in (first, second)):
        config = {"algo": algorithm, "env": "Hop", "seed": seed} | ({} if value is None else {key: value})
        put(f"t/x{i}/config.json", json.dumps(config))
        path = put(f"t/x{i}/metrics.json", '{"return": 1.5}')
    scores = ro.load(path.parents[1])
    assert sorted(cells(scores.variants()).values()) == [3, 3, 3, 3]


def test_names_of_runs_and_lists_of_arguments_are_no_settings(put):
    def config(algorithm, seed):
        own = {
            "wandb": {"name": f"{algorithm}-{seed % 2}"},
            "argv": ["--seed", str(seed)],
            "experiment": {"name": str(seed % 2)},
        }
        return {"algo": algorithm, "env": "Hop", "seed": seed, **own}

    root = folder_of(put, {"metrics.json": lambda v: json.dumps({"return": v})}, config)
    assert ro.load(root).final().to_dict() == LAST


@pytest.mark.parametrize(
    "content",
    [
        lambda v: {"eval_returns": {"100": 1, "1000": v, "200": 2}},
        lambda v: {"eval": {"100": {"return": 1}, "1000": {"return": v}}},
        lambda v: [{"step": 1, "return": 0}, {"step": 2, "return": v}],
        lambda v: {"steps": [1, 2], "returns": [[1, 2, 3], [v - 1, v, v + 1]]},
        lambda v: {"return_after_training": v, "initial_return": 5},
        lambda v: {"train": {"steps": [1, 2], "returns": [99, 99]}, "eval": {"steps": [2, 4], "returns": [0, v]}},
        lambda v: {"train": [{"step": 2, "return": 99}], "test": [{"step": 2, "return": v}]},
        lambda v: {"history": [{"step": 1, "loss": 0.5}, {"step": 2, "loss": 0.25}], "eval_return": v},
    ],
)
def test_scores_of_a_run_have_many_shapes(put, content):
    root = folder_of(put, {"results.json": lambda v: json.dumps(content(v))})
    assert ro.read_curves(root).final(1).to_dict() == LAST


def test_a_configuration_above_its_seeds_names_them(put):
    root = folder_of(
        put,
        {"metrics.json": lambda v: json.dumps({"return": v})},
        lambda a, _: {"algo": a, "env": "Hop"},
        "{a}_exp/seed_{s}/{name}",
    )
    assert ro.load(root).final().to_dict() == LAST
    assert ro.load(root / "ppo_exp").final().to_dict() == {"ppo": LAST["ppo"]}
    # that of all runs names none, and folders of tasks are no seeds
    for algorithm, task, seed in product(("ppo", "sac"), ("Hop", "Walk"), (1, 2)):
        path = put(f"u/{algorithm}/{task}/seed_{seed}/metrics.csv", "step,eval/return\n1,2\n")
        put(f"u/{algorithm}/config.json", json.dumps({"algo": algorithm, "env": "Hop"}))
    put("u/config.json", json.dumps({"algo": "ppo", "env": "Hop"}))
    assert cells(ro.load(path.parents[3])) == dict.fromkeys(product(("ppo", "sac"), ("Hop", "Walk")), 2)


def test_files_of_results_by_a_pattern_are_named_by_their_configurations(put):
    root = folder_of(put, {"results.json": lambda v: json.dumps({"return": v})})
    assert ro.load(f"{root}/*/results.json").final().to_dict() == LAST


def test_a_run_with_a_status_of_failure_is_one(put):
    root = folder_of(
        put, {"metrics.json": lambda v: json.dumps({"return": v, "status": "crashed" if v == 2 else "finished"})}
    )
    with pytest.raises(ro.DataError, match="did not finish successfully"):
        ro.load(root).final()


def test_a_second_log_in_the_folder_of_a_run_is_warned_of(put):
    root = folder_of(
        put,
        {
            "metrics.jsonl": lambda v: lines_of({"step": 1, "return": v}),
            "sweep.jsonl": lambda v: lines_of({"step": 1, "return": v}),
        },
    )
    with pytest.warns(ro.RunoffWarning, match=r"6 file\(s\) .*sweep\.jsonl"):
        ro.load(root)


@pytest.mark.parametrize("form", ["{}.jsonl", "{}/metrics.json", "{}/metrics.jsonl"])
def test_evaluations_beside_training_are_the_score_whatever_parts_them(put, form):
    write = json.dumps if form.endswith(".json") else lambda rows: lines_of(*rows)

    def content(trained):
        return lambda v: write([{"step": t, "return": 999.0 if trained else v * t / 2} for t in (1, 2)])

    root = folder_of(put, {form.format("train"): content(True), form.format("eval"): content(False)})
    curves = ro.read_curves(root)
    assert curves.final(1).to_dict() == LAST
    assert dict(curves.provenance.columns)["score"] == "eval/return"


def test_jobs_of_hydra_name_results_and_those_without_any_are_missing(put):
    for i, (algorithm, seed) in enumerate(RUNS_OF_TWO):
        put(f"h/2024-01-01/12-00-0{i}/.hydra/config.yaml", f"algo:\n  name: {algorithm}\nenv: Hop\nseed: {seed}\n")
        path = put(f"h/2024-01-01/12-00-0{i}/metrics.json", json.dumps({"return": LAST[algorithm]["Hop"][seed - 1]}))
    root = path.parents[2]
    assert ro.load(root).final().to_dict() == LAST
    path.unlink()
    with pytest.warns(ro.RunoffWarning, match="1 folder.* and no scores.*12-00-05"):
        assert cells(ro.load(root)) == {("ppo", "Hop"): 3, ("sac", "Hop"): 2}


def test_configurations_and_results_may_have_folders_of_their_own(put):
    for i, (algorithm, seed) in enumerate(RUNS_OF_TWO):
        put(f"f/x{i}/configs/config.yaml", f"algo: {algorithm}\nenv: Hop\nseed: {seed}\n")
        path = put(f"f/x{i}/results/metrics.json", json.dumps({"return": LAST[algorithm]["Hop"][seed - 1]}))
    assert ro.load(path.parents[2]).final().to_dict() == LAST


@pytest.mark.parametrize(
    "content",
    [lambda v: {"returns": {"0": 1, "1": v, "2": 3}}, lambda v: {"steps": [1, 2], "returns": [[1, 2], [v, v]]}],
)
def test_numbers_that_may_be_seeds_or_episodes_are_no_steps(put, content):
    root = folder_of(put, {"results.json": lambda v: json.dumps(content(v))})
    with pytest.raises((ro.DataError, ro.RunoffWarning)):
        ro.load(root)
    root = folder_of(put, {"results.json": lambda v: json.dumps({"epochs": {"0": {"return": 1}, "1": {"return": v}}})})
    assert ro.read_curves(root).final(1).to_dict() == LAST


@pytest.mark.filterwarnings("error::runoff.RunoffWarning")
def test_configurations_above_and_inside_runs_are_no_missing_runs(put):
    config = lambda a, s: json.dumps({"algo": a, "env": "Hop", **({} if s is None else {"seed": s})})  # noqa: E731
    put("t/x0/config.json", config("ppo", 1))
    put("t/x0/metrics.json", '{"return": 1.0}')
    put("t/x0/best/config.json", config("ppo", 1))  # inside a run, as deep as others
    for seed in (2, 3):
        put(f"t/y/seed_{seed}/config.json", config("ppo", seed))
        put(f"t/y/seed_{seed}/metrics.json", json.dumps({"return": float(seed)}))
    put("t/y/config.json", config("ppo", None))  # above runs, as deep as another
    for seed in (1, 2, 3):
        put(f"t/z{seed}/config.json", config("sac", seed))
        path = put(f"t/z{seed}/metrics.json", json.dumps({"return": 10.0 + seed}))
    with pytest.warns(ro.RunoffWarning, match="'ppo x0' and 'ppo y'"):
        assert len(ro.read_curves(path.parents[1]).run_labels) == 6


def test_a_list_in_a_configuration_is_no_name(put):
    root = folder_of(
        put, {"metrics.json": lambda v: json.dumps({"return": v})}, lambda a, s: {"algo": a, "env": ["Hop"], "seed": s}
    )
    assert ro.load(root).tasks == ("task",)


@pytest.mark.parametrize(
    "own", [lambda s: {"experiment": {"name": str(s % 2)}}, lambda s: {"lr": 0.1} if s < 3 else {}]
)
def test_a_name_of_an_experiment_and_a_setting_that_one_run_lacks_part_no_runs(put, own):
    n_runs = 4 if "experiment" in own(1) else 3
    for i, (algorithm, seed) in enumerate(product(("ppo", "sac"), range(1, n_runs + 1))):
        put(f"t/x{i}/config.json", json.dumps({"algo": algorithm, "env": "Hop", "seed": seed, **own(seed)}))
        path = put(f"t/x{i}/metrics.json", json.dumps({"return": 1.5 * seed}))
    assert not ro.load(path.parents[1]).sampling.configs


def test_episodes_that_end_otherwise_at_one_step_are_of_one_log(put):
    rows = [
        {"step": 1, "truncated": False, "return": 0.0},
        {"step": 2, "truncated": False},
        {"step": 2, "truncated": True},
    ]
    root = folder_of(put, {"metrics.jsonl": lambda v: lines_of(rows[0], *({**row, "return": v} for row in rows[1:]))})
    assert ro.read_curves(root).final(1).to_dict() == LAST


# ── results and configurations of more kinds ──────────


def write_config(put, path, own):
    lines = [f"{k}: {v}" if path.endswith(("yaml", "yml")) else f"{k} = {v!r}" for k, v in own.items()]
    if path.endswith(("txt", "sh")):
        flags = " ".join(f"--{k} {v}" for k, v in own.items())
        whole = f" Namespace({', '.join(f'{k}={v!r}' for k, v in own.items())})"
        return put(path, whole if "args" in path else f"python train.py {flags}\n").parent
    return put(path, json.dumps(own) if path.endswith("json") else "\n".join(lines)).parent


def write_results(folder, kind, steps, returns):
    """Write a curve in a form that scripts use, with the heads that these have."""
    columns = {"step": steps, "eval_return": returns}
    rows = [{"step": t, "eval_return": v} for t, v in zip(steps, returns, strict=True)]
    if kind in ("npz", "npy", "parquet"):
        write = {
            "npz": lambda path: np.savez(path, eval_steps=steps, eval_returns=returns),
            "npy": lambda path: np.save(path, np.array(returns[-1:])),
            "parquet": lambda path: pl.DataFrame(columns).write_parquet(path),
        }
        return write[kind](folder / f"eval.{kind}")
    if kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        text = "\n".join([mark.join(columns), *(mark.join(map(str, row.values())) for row in rows), ""])
    elif kind == "txt":
        text = "".join(f"{t} {v}\n" for t, v in zip(steps, returns, strict=True))
    else:
        text = json.dumps(columns) if kind == "json" else lines_of(*rows)
    return (folder / f"metrics.{kind}").write_text(text)


@pytest.mark.sampled(37)
@pytest.mark.parametrize(
    "config",
    [
        *("config.json", "settings.yaml", "hyperparameters.yml", "options.json", "setup.json", "config.toml"),
        *("args.txt", "command.txt", "meta.json", "cmd.sh"),
    ],
)
@pytest.mark.parametrize("kind", ["json", "csv", "jsonl", "tsv", "npz", "parquet", "npy", "txt"])
def test_settings_beside_results_of_any_kind_are_never_pooled(put, tmp_path, config, kind):
    """Runs of two learning rates beside one another are configurations, or refused; what the folders are called says nothing of them."""
    for i, (algorithm, seed, lr) in enumerate(product(("ppo", "sac"), (1, 2), (0.5, 0.25))):
        own = {"algo": algorithm, "env": "Hop", "seed": seed, "lr": lr}
        folder = write_config(put, f"{algorithm}_{i}/{config}", own)
        write_results(folder, kind, [1, 2, 3], [0.5, 1.5, 100 * lr + seed])
    if kind in ("npy", "txt"):
        with pytest.raises(ro.DataError, match=r"differ in 'lr' \(0.5, 0.25\)"):
            ro.load(tmp_path)
        return
    scores = ro.load(tmp_path).final(1).variants()
    own = [runs["Hop"] for label, runs in scores.to_dict().items() if "ppo" in label]
    assert sorted(map(sorted, own)) == [[26.0, 27.0], [51.0, 52.0]]


@pytest.mark.parametrize(
    ("names", "score"),
    [
        (("log_train.jsonl", "log_eval.jsonl"), "eval/return"),
        (("metrics.jsonl", "evaluation.jsonl"), "evaluation/return"),
        (("train_metrics.json", "eval_metrics.json"), "eval/return"),
        (("train.jsonl", "test_results.json"), "test/return"),
        (("progress.tsv", "eval_log.jsonl"), "eval/return"),
    ],
)
def test_files_of_training_and_evaluations_of_one_run_are_its_parts(put, names, score):
    def content(name, scale):
        def of(v):
            rows = [{"step": t, "return": scale * v * t / 2} for t in (1, 2)]
            if name.endswith("tsv"):
                return "step\treturn\n" + "".join(f"{r['step']}\t{r['return']}\n" for r in rows)
            return json.dumps(rows) if name.endswith(".json") else lines_of(*rows)

        return of

    root = folder_of(put, {name: content(name, scale) for name, scale in zip(names, (9, 1), strict=True)})
    curves = ro.read_curves(root)
    assert curves.final(1).to_dict() == LAST
    assert any(f"the score is '{score}'" in note for note in curves.provenance.notes)


@pytest.mark.parametrize("log", ["train.jsonl", "log.jsonl", "metrics.jsonl"])
def test_one_evaluation_at_the_end_is_asked_about_beside_returns_of_training(put, log):
    files = {
        log: lambda v: lines_of(*({"step": t, "return": 999.0} for t in (1, 2))),
        "final_eval.json": lambda v: json.dumps({"mean_return": v}),
    }
    root = folder_of(put, files)
    with pytest.raises(ro.DataError, match=r"reads final_eval.json.* reads (train|log|metrics).jsonl") as refused:
        ro.load(root)
    columns = eval(str(refused.value).partition("columns=")[2].partition(" reads")[0])  # noqa: S307
    assert ro.read_scores(root, columns=columns).to_dict() == LAST


def test_scores_of_the_agent_come_before_those_of_others(put):
    row = {"step": 1, "expert_return": 500.0, "random_return": 0.0}
    root = folder_of(put, {"metrics.jsonl": lambda v: lines_of({**row, "agent_return": v})})
    assert ro.load(root).final(1).to_dict() == LAST


@pytest.mark.parametrize("name", ["eval_error", "avg_cost", "rmse", "val_loss"])
@pytest.mark.parametrize("file", ["metrics.csv", "metrics.jsonl", "metrics.json"])
def test_costs_alone_are_asked_about_by_a_call_that_reads_them(put, capsys, name, file):
    def content(v):
        rows = [{"step": t, name: v * t / 2} for t in (1, 2)]
        if file.endswith("csv"):
            return f"step,{name}\n" + "".join(f"{row['step']},{row[name]}\n" for row in rows)
        return json.dumps(rows) if file.endswith("json") else lines_of(*rows)

    root = folder_of(put, {file: content})
    assert runoff(["compare", str(root)]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff ")]
    assert line.endswith(f"--columns score={name} --lower-is-better")
    with pytest.raises(ro.DataError, match="lower_is_better=True"):
        ro.load(root)
    negated = {a: {t: [-v for v in xs] for t, xs in own.items()} for a, own in LAST.items()}
    assert ro.load(root, columns={"score": name}, lower_is_better=True).final(1).to_dict() == negated


def test_a_score_under_the_name_of_its_metric_has_its_direction(put):
    root = folder_of(put, {"result.json": lambda v: json.dumps({"metric": "rmse", "score": v})})
    with pytest.raises(ro.DataError, match="'score': 'rmse'}, lower_is_better=True"):
        ro.load(root)
    root = folder_of(put, {"result.json": lambda v: json.dumps({"metric": "return", "score": v})})
    assert ro.load(root).final().to_dict() == LAST


@pytest.mark.parametrize("seeds", ["{s}", "seed_{s}", "{s}/eval", "runs/{s}"])
@pytest.mark.parametrize("file", ["log.jsonl", "eval.csv", "metrics.json"])
def test_a_configuration_above_numbered_runs_names_them(put, seeds, file):
    for i, (algorithm, task) in enumerate(product(("ppo", "sac"), ("Hop", "Walk"))):
        put(f"g{i}/config.yaml", f"algo: {algorithm}\nenv: {task}\n")
        for seed in (1, 2):
            rows = [{"step": t, "eval_return": 10.0 * i + seed * t} for t in (1, 2)]
            text = "step,eval_return\n" + "".join(f"{r['step']},{r['eval_return']}\n" for r in rows)
            text = text if file.endswith("csv") else json.dumps(rows) if file.endswith("json") else lines_of(*rows)
            path = put(f"g{i}/{seeds.format(s=seed)}/{file}", text)
    root = next(parent for parent in path.parents if (parent / "g0").is_dir())
    read = ro.load(root).final(1)
    assert cells(read) == dict.fromkeys(product(("ppo", "sac"), ("Hop", "Walk")), 2)
    assert read.to_dict()["sac"]["Hop"] == [22.0, 24.0]


@pytest.mark.parametrize("agent", [{"class": "{A}"}, {"_target_": "agents.{a}.{A}Agent"}, {"cls": "{A}Learner"}])
def test_the_class_of_an_agent_names_its_algorithm(put, agent):
    def config(algorithm, seed):
        own = {key: value.format(a=algorithm, A=algorithm.upper()) for key, value in agent.items()}
        return {"agent": {**own, "gamma": 0.99}, "env": "Hop", "seed": seed}

    root = folder_of(put, {"metrics.json": lambda v: json.dumps({"return": v})}, config)
    assert ro.load(root).final().to_dict() == {a.upper(): runs for a, runs in LAST.items()}


def test_a_configuration_beside_rows_of_one_file_names_them(put):
    for i, (algorithm, task) in enumerate(product(("ppo", "sac"), ("Hop", "Walk"))):
        rows = [{"seed": seed, "return": 10.0 * i + seed} for seed in (1, 2, 3)]
        path = put(f"{algorithm}_{i}.json", json.dumps({"config": {"algo": algorithm, "env": task}, "results": rows}))
    assert cells(ro.load(path.parent)) == dict.fromkeys(product(("ppo", "sac"), ("Hop", "Walk")), 3)


def test_lists_without_steps_beside_the_configuration_of_one_run_are_asked_about(put):
    root = folder_of(put, {"result.json": lambda v: json.dumps({"eval_returns": [v - 1, v, v + 1]})})
    with pytest.raises(ro.DataError, match="'eval_returns' has 3 numbers without steps"):
        ro.load(root)
    root = folder_of(put, {"result.json": lambda v: json.dumps({"eval_returns": [v - 1, v, v + 1], "mean_return": v})})
    assert ro.load(root).final().to_dict() == LAST


def test_several_scores_below_the_folder_of_a_run_are_no_runs(put):
    for algorithm, seed in RUNS_OF_TWO:
        path = put(f"{algorithm}/Hop/seed_{seed}/eval.json", json.dumps({"returns": [1.0 * seed, 2.0, 3.0]}))
    with pytest.raises(ro.DataError, match="its path names a run, 'seed_1', and it holds several scores"):
        ro.load(path.parents[3])


@pytest.mark.parametrize(("folder", "named"), [("ppo_{i}", {"ppo"}), ("ppo_noclip", {"ppo_noclip"})])
def test_a_configuration_names_numbered_folders_and_no_variants(put, folder, named):
    """Results of one number each, which are no log; runs of two algorithms may differ in what is tuned."""
    for i, (algorithm, seed) in enumerate(RUNS_OF_TWO):
        own = folder.format(i=i) if algorithm == "ppo" else f"sac_{i}"
        config = {"algo": algorithm, "env": "Hop", "seed": seed, "lr": 0.5 if algorithm == "ppo" else 0.25}
        path = write_config(put, f"{own}/config.json", config)
        np.save(path / "returns.npy", np.array([float(seed)]))
    assert {*ro.load(path.parent).algorithms} == named | {"sac"}


def test_the_seed_of_a_configuration_makes_no_run_of_several_rows(put):
    for algorithm in ("ppo", "sac"):
        rows = [{"episodic_return": float(i)} for i in range(3)]
        content = {"config": {"algo": algorithm, "env": "Hop", "seed": 7}, "results": rows}
        path = put(f"{algorithm}_all.json", json.dumps(content))
    assert cells(ro.load(path.parent)) == {("ppo", "Hop"): 3, ("sac", "Hop"): 3}


@pytest.mark.parametrize("name", ["run.json", "experiment.json", "info.json"])
def test_results_with_their_configuration_inside_are_none_beside_others(put, name):
    for i, (algorithm, seed) in enumerate(RUNS_OF_TWO):
        content = {
            "config": {"algo": algorithm, "env": "Hop", "seed": seed},
            "return": LAST[algorithm]["Hop"][seed - 1],
        }
        path = put(f"x{i}/{name}", json.dumps(content))
    # As a configuration it would be none that a script's results are looked for in.
    assert {row.tool for row in ro.scan(path.parents[1]).rows} == {"a script"}
    frame = ro.load(path.parents[1]).to_frame()
    read = {(row["algorithm"], row["task"], row["score"]) for row in frame.iter_rows(named=True)}
    assert read == {(a, "Hop", LAST[a]["Hop"][s - 1]) for a, s in RUNS_OF_TWO}
