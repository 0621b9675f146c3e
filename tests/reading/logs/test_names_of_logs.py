"""Names that logs give their runs themselves: grids in the names of studies and experiments, and what a question about them offers first."""

from __future__ import annotations

import itertools
import json
from hashlib import md5

import pytest

import runoff as ro
from tests.reading.logs.kept import lines_of, zipped
from tests.refusals import patterns_offered

NAMES = ("bcq_safe_insulin_dose", "bcq_safe_ventilator", "cql_insulin_dose", "cql_ventilator")
HEAD = "Epoch\tAverageEpRet\tTotalEnvInteracts\n"


def studies(put):
    """Write a journal of Optuna with a study for each name, whose only parameter is the seed."""
    uniform = json.dumps({"name": "IntDistribution", "attributes": {"low": 0, "high": 9, "step": 1, "log": False}})
    entries, trials = [], itertools.count()
    for at, name in enumerate(NAMES):
        entries.append({"op_code": 0, "worker_id": "w", "study_name": name, "directions": [2]})
        for seed in (0, 1):
            trial = next(trials)
            entries += [
                {"op_code": 4, "worker_id": "w", "study_id": at},
                {
                    "op_code": 5,
                    "worker_id": "w",
                    "trial_id": trial,
                    "param_name": "seed",
                    "param_value_internal": seed,
                    "distribution": uniform,
                },
                {"op_code": 6, "worker_id": "w", "trial_id": trial, "state": 1, "values": [at + seed / 2]},
            ]
    return put("studies/journal.log", lines_of(entries)).parent


def experiments(put):
    """Write experiments of Comet for a later upload, called by algorithm, task and seed."""
    for at, (name, seed) in enumerate(itertools.product(NAMES, (0, 1))):
        messages = [
            {"key": "Name", "value": f"{name}_{seed}"},
            {"param": {"paramName": "seed", "paramValue": seed, "source": "cli"}},
        ]
        metrics = [{"metricName": "eval/return", "metricValue": at / 2, "step": step, "epoch": None} for step in (1, 2)]
        lines = [{"type": "message", "payload": own} for own in messages]
        lines += [{"type": "metric_msg", "payload": {"metric": own}} for own in metrics]
        path = put(
            f"comet/{md5(bytes([at])).hexdigest()}.zip",
            zipped({"messages.json": lines_of(lines), "experiment.json": b"{}"}),
        )
    return path.parent


@pytest.mark.parametrize("write", [studies, experiments])
def test_a_grid_in_names_of_logs_is_asked_about_with_a_pattern_that_parts_these(put, write):
    root = write(put)
    with pytest.raises(ro.DataError, match="4 algorithm") as refusal:
        ro.read_scores(root)
    first, *_ = patterns_offered(refusal.value)
    scores = ro.read_scores(root, pattern=first)
    assert (scores.algorithms, scores.tasks) == (("bcq_safe", "cql"), ("insulin_dose", "ventilator"))
    assert scores.n_runs.tolist() == [[2, 2], [2, 2]]


def spinning_up(put, column, configured):
    for at, (task, algorithm, seed) in enumerate(
        itertools.product(("ev-fleet", "tariff"), ("gae-tf", "oracle-mpc"), (0, 1))
    ):
        head, config = (
            HEAD.replace("AverageEpRet", column),
            {"algo": algorithm, "seed": seed} if configured else {"lr": 1},
        )
        root = put(f"tree/{task}/{algorithm}-seed{seed}/progress.txt", f"{head}0\t{at}.5\t100\n")
        put(f"tree/{task}/{algorithm}-seed{seed}/config.json", json.dumps(config))
    return root.parents[2]


@pytest.mark.parametrize(("configured", "n"), [(True, 1), (False, 2)])
def test_patterns_that_deny_the_algorithms_of_configurations_are_not_offered(put, configured, n):
    root = spinning_up(put, "AverageEpRet", configured)
    with pytest.raises(ro.DataError, match="vary on 2 levels") as refusal:
        ro.read_scores(root)
    offered = patterns_offered(refusal.value)
    assert (len(offered), "{task}/{algorithm}-seed{run}" in offered) == (n, True)
    assert ro.read_scores(root, pattern="{task}/{algorithm}-seed{run}").tasks == ("ev-fleet", "tariff")


@pytest.mark.parametrize(
    ("column", "way"),
    [("eval/profit", "'score': 'eval/profit'"), ("val/ndcg@10", "'score': 'val/ndcg@10'"), ("misc/profit", "series=")],
)
def test_evaluations_of_something_unknown_are_offered_as_scores(put, column, way):
    head = f"Epoch\t{column}\tTotalEnvInteracts\ttrain/loss\tval/loss\tval/epoch\n"
    for seed in (0, 1):
        root = put(f"ppo/seed{seed}/progress.txt", f"{head}0\t1.5\t100\t{seed}.25\t2\t1\n").parents[1]
    with pytest.raises(ro.DataError, match="looks like a score") as refusal:
        ro.read_scores(root)
    use = str(refusal.value).rpartition("; use ")[2]
    assert use.startswith("columns={" + way) if "/" in way else "val/epoch" not in use


def verl(put, statistics):
    for algorithm, seed in itertools.product(("gspo", "cispo"), (1, 2)):
        level = seed + len(algorithm)
        data = {f"val-core/{source}/acc/{own}": level / 10 + at for at, (source, own) in enumerate(statistics.items())}
        data |= {"val-aux/a/b/acc/best@8/mean": 9.0, "critic/score/mean": 5.0, "training/global_step": 7}
        path = put(f"runs/qwen_{algorithm}_seed{seed}.jsonl", json.dumps({"step": 1, "data": data}) + "\n")
    return path.parent


@pytest.mark.parametrize("statistics", [{"a/b": "mean@1", "c": "mean@1"}, {"a/b": "mean@8", "c": "mean@1"}])
def test_sources_of_validation_of_verl_are_tasks(put, statistics):
    root = verl(put, statistics)
    names = {f"val-core/acc/{own}" for own in statistics.values()}
    if len(names) > 1:
        with pytest.raises(ro.DataError, match="looks like the score is in all runs"):
            ro.read_scores(root)
    scores = ro.read_scores(root, columns={"score": "|".join(sorted(names))})
    assert scores.to_dict()["qwen_cispo"] == {"a/b": pytest.approx([0.6, 0.7]), "c": pytest.approx([1.6, 1.7])}
    gsm = ro.read_scores(root, columns={"score": "val-core/c/acc/mean@1"})
    assert gsm.to_dict()["qwen_gspo"] == {"task": pytest.approx([1.5, 1.6])}


def test_scores_of_tasks_by_their_own_metrics_are_offered_with_all_of_them(tmp_path):
    metrics = {"mmlu": "exact_match,custom-extract", "winogrande": "acc,none", "humaneval": "pass@1,create_test"}
    for model, seed in itertools.product(("sft", "rloo"), (1, 2)):
        results = {task: {"alias": task, own: 0.5 + seed / 10} for task, own in metrics.items()}
        folder = tmp_path / f"{model}_seed{seed}"
        folder.mkdir()
        content = {"results": results, "config": {"model_args": f"pretrained=org/{model}"}}
        (folder / "results_2026-06-01T10-11-12.123456.json").write_text(json.dumps(content))
    with pytest.raises(ro.DataError, match=r"pass@1,create_test") as refusal:
        ro.read_scores(tmp_path)
    family = str(refusal.value).partition("'score': '")[2].partition("'")[0]
    assert {*family.split("|")} == {*metrics.values()}
    assert ro.read_scores(tmp_path, columns={"score": family}).tasks == tuple(sorted(metrics))


@pytest.mark.parametrize("algorithms", [("cpo", "ppo_lagrangian", "focops"), ("cpo", "focops")])
def test_experiments_of_mlflow_are_tasks_where_parameters_name_the_algorithms(put, algorithms):
    for at, (task, algorithm, seed) in enumerate(itertools.product(("smart-hvac", "microgrid"), algorithms, (0, 1))):
        store, folder = f"mlruns/{len(task)}", f"mlruns/{len(task)}/{md5(bytes([at])).hexdigest()}"
        meta = put(f"{store}/meta.yaml", f"name: {task}\nexperiment_id: '{len(task)}'\nlifecycle_stage: active\n")
        run = f"run_id: a\nlifecycle_stage: active\nstatus: 3\nrun_name: {algorithm}-s{seed}\n"
        parameters = {"params/algo": algorithm, "params/seed": str(seed)}
        for name, text in {"meta.yaml": run, "metrics/eval_return": f"0 0.5 10\n1 {at}.25 20\n", **parameters}.items():
            put(f"{folder}/{name}", text)
    root, pattern = meta.parents[1], None
    if len(algorithms) == 2:  # of one that nobody knows beside one
        with pytest.raises(ro.DataError, match="vary on 2 levels") as refusal:
            ro.read_scores(root)
        (pattern,) = patterns_offered(refusal.value)
    scores = ro.read_scores(root, pattern=pattern)
    assert (scores.algorithms, scores.tasks) == (tuple(sorted(algorithms)), ("microgrid", "smart-hvac"))
    assert scores.cell("cpo", "microgrid").tolist() == [2 * len(algorithms) + 0.25, 2 * len(algorithms) + 1.25]


@pytest.mark.parametrize("seeds", ["task_args", "model_generate_config"])
def test_evaluations_of_inspect_with_seeds_are_runs(put, seeds):
    for model, seed in itertools.product(("sft", "rl"), (0, 1)):
        head = {"task": "shop", "model": model, "created": f"2025-0{seed + 1}", seeds: {"seed": seed}}
        score = {"name": "match", "metrics": {"accuracy": {"value": len(model) / 10 + seed / 100}}}
        content = {"version": 2, "status": "success", "eval": head, "results": {"scores": [score]}}
        path = put(f"logs/{model}{seed}.json", json.dumps(content))
    scores = ro.read_scores(path.parent)
    assert scores.to_dict() == {"rl": {"shop": pytest.approx([0.2, 0.21])}, "sft": {"shop": pytest.approx([0.3, 0.31])}}


@pytest.mark.parametrize(
    ("names", "algorithms"),
    [(("dapo-s1", "dapo-s2", "sft-s1", "sft-s2"), 2), (("vit-s16", "vit-s32"), 2), (("llama-3", "llama-4"), 2)],
)
def test_runs_at_the_end_of_the_names_of_all_models_are_runs(tmp_path, names, algorithms):
    for at, name in enumerate(names):
        content = {
            "results": {"gsm8k": {"acc,none": 0.5 + at / 100}},
            "config": {"model_args": f"pretrained=ck/{name}"},
        }
        (tmp_path / name).mkdir()
        (tmp_path / name / "results_2026-06-01T10-11-12.123456.json").write_text(json.dumps(content))
    scores = ro.read_scores(tmp_path)
    assert (len(scores.algorithms), scores.n_runs.sum()) == (2, len(names))
