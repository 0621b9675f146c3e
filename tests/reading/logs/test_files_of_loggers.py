"""Folders of loggers that a stranger made from memory: what names their runs, what is their score, and what lies beside it."""

from __future__ import annotations

import json
from itertools import product

import pytest

import runoff as ro
from tests.reading.logs.configured import events

CURVE = "step,normalized_score\n1000,0.25\n2000,0.5\n"


@pytest.mark.parametrize("name", ["XQLite", "newone", "mine_v2"])
@pytest.mark.parametrize("date", ["", "_20231105120007"])
def test_an_unknown_name_before_the_id_of_a_task_is_the_algorithm_beside_known_ones(put, tmp_path, name, date):
    for algorithm, task, seed in product(("CQL", name), ("hopper-medium-v2", "walker2d-medium-v2"), range(2)):
        folder = f"{algorithm}_{task}_seed{seed}{date}"
        put(f"{folder}/params.json", '{"config": {"params": {"gamma": 0.99}}}')
        put(f"{folder}/environment.csv", "1,1000,0.5\n2,2000,0.75\n")
    curves = ro.read_curves(tmp_path)
    assert {*curves.algorithms} == {"CQL", name}
    assert curves.n_runs.tolist() == [[2, 2], [2, 2]]


@pytest.mark.parametrize("prefix", ["Noisy_", "noisy_", ""])
def test_a_word_before_the_id_of_a_task_below_the_name_of_an_algorithm_is_one_of_the_task(put, tmp_path, prefix):
    for algorithm, task, seed in product(("CQL", "SAC"), ("hopper-v2", f"{prefix}hopper-v2"), range(2)):
        put(f"{algorithm}/{task}/seed{seed}/params.json", "{}")
        put(f"{algorithm}/{task}/seed{seed}/environment.csv", "1,1000,0.5\n2,2000,0.75\n")
    assert {*ro.read_curves(tmp_path).tasks} == {"hopper-v2", f"{prefix}hopper-v2"}


@pytest.mark.parametrize("beside", ["value_loss", "critic_value_loss"])
def test_the_value_beside_the_loss_of_a_critic_is_no_score(put, beside):
    head = f"algorithm,seed,frames,return_std,value,{beside},return_mean,return_max"
    rows = [f"{a},{seed},{step},0.1,0.6,0.02,0.{step},0.98" for a in "ab" for seed in (0, 1) for step in (1, 2)]
    curves = ro.read_curves(put("log.csv", "\n".join([head, *rows, ""])))
    assert dict(curves.provenance.columns)["score"] == "return_mean"


@pytest.mark.parametrize(("configured", "others"), [(True, True), (True, False), (False, False)])
@pytest.mark.filterwarnings("ignore:16 file.s. have the names|8 run.s. do not have the series")
def test_logs_of_hardware_and_tables_of_times_and_losses_keep_no_evaluations_from_being_read(
    put, tmp_path, configured, others
):
    for algorithm, task, seed in product(("cql", "edac"), ("hopper-expert", "hopper-medium"), range(2)):
        folder = f"runs/{algorithm}/{task}/seed_{seed}"
        put(f"{folder}/eval.csv", CURVE)
        put(f"{folder}/hw/events.out.tfevents.1.h", events("gpu/temp"))
        if configured:
            put(f"{folder}/config.yaml", f"algo: {algorithm}\ndataset: {task}\nseed: {seed}\n")
        if others:
            put(f"{folder}/losses.csv", "step,critic_loss\n0,9.0\n1000,4.5\n")
            put(f"{folder}/action_hist.csv", "bin,count\n0,888\n1,4\n")
    curves = ro.read_curves(tmp_path / "runs")
    assert (curves.n_runs.tolist(), curves.values.tolist()) == ([[2, 2], [2, 2]], [0.25, 0.5] * 8)


@pytest.mark.parametrize("file", ["{}/run{}/logs/summary.json", "{}/run{}/scalars/all_scalars.json", "{}_seed{}.json"])
@pytest.mark.parametrize("tags", [("eval_win_rate/eval_win_rate", "loss/loss"), ("test/return", "train/return")])
def test_scalars_of_tensorboardx_are_series_whatever_their_file_is_called(put, tmp_path, file, tags):
    for algorithm, seed in product(("ppo", "sac"), (1, 2)):
        writer = f"/scratch/test/r/{algorithm}/run{seed}/logs"
        points = {tag: [[1700000000.5 + i, 10 * i, i / 4 + seed] for i in (1, 2)] for tag in tags}
        put(file.format(algorithm, seed), json.dumps({f"{writer}/{tag}": own for tag, own in points.items()}))
    curves = ro.read_curves(tmp_path)
    assert dict(curves.provenance.columns)["score"] == tags[0]
    assert (curves.algorithms, curves.values.tolist()) == (("ppo", "sac"), [1.25, 1.5, 2.25, 2.5] * 2)


@pytest.mark.parametrize("heads", [1, 3])
def test_rows_of_torchbeast_are_a_run_and_the_names_of_its_fields_none(put, tmp_path, heads):
    names = "_tick,_time,frames,mean_episode_return,total_loss,pg_loss\n"
    for algorithm, task, seed in product(("impala", "mine-lstm"), ("MiniHack-Room-15x15-v0", "Pong-v4"), (0, 1)):
        folder = f"torchbeast/{algorithm}_{task}_{seed}"
        put(f"{folder}/logs.csv", f"# {names}0,16650.1,1000,nan,13.5,2.5\n1,16651.5,2000,0.5,9.5,1.5\n")
        put(f"{folder}/fields.csv", names * heads)
        put(f"{folder}/meta.json", json.dumps({"args": {"env": task, "seed": seed, "use_lstm": "lstm" in algorithm}}))
    curves = ro.read_curves(tmp_path)
    assert ({*curves.algorithms}, curves.n_runs.tolist()) == ({"impala", "mine-lstm"}, [[2, 2], [2, 2]])
    assert (curves.steps.tolist(), curves.values.tolist()) == ([2000.0] * 8, [0.5] * 8)


def test_rollouts_that_robomimic_printed_are_those_of_its_event_files(put, tmp_path):
    rolled = 'Epoch {} Rollouts took 11.2s (avg) with results:\nEnv: Lift\n{{\n    "Return": 9.0,\n    "Success_Rate": {}\n}}\n\n'
    for enabled, seed in product((False, True), (1, 2)):
        text = f'** warning **\n\nTrain Epoch 50\n{{\n    "Loss": -3.5\n}}\n\n{rolled.format(50, 0.25)}{rolled.format(100, seed / 4)}'
        config = {"algo_name": "bc", "algo": {"rnn": {"enabled": enabled}}, "train": {"seed": seed}}
        put(f"x/lift_{enabled}/{seed}/logs/log.txt", text)
        put(f"x/lift_{enabled}/{seed}/config.json", json.dumps(config))
    curves = ro.read_curves(tmp_path, series="Rollout/Success_Rate")
    assert (curves.algorithms, curves.tasks, curves.steps.tolist()) == (("bc", "bc_rnn"), ("Lift",), [50.0, 100.0] * 4)
    assert curves.values.tolist() == [0.25, 0.25, 0.25, 0.5] * 2
    with (tmp_path / "x/lift_True/2/logs/log.txt").open("a") as log:
        log.write(rolled.format(150, 0.75)[:-9])
    with pytest.warns(ro.RunoffWarning, match="log.txt"):
        ro.read_curves(tmp_path)


def test_the_loss_of_a_policy_gradient_is_no_algorithm(put, tmp_path):
    for algorithm, seed in product("ab", (0, 1)):
        put(f"{algorithm}/s{seed}.csv", f"frames,mean_episode_return,pg_loss\n1,0.{seed},2.2\n2,1.5,1.1\n")
    assert dict(ro.read_curves(tmp_path).provenance.columns)["score"] == "mean_episode_return"


@pytest.mark.parametrize("file", ["logs.json.txt", "metrics.json", "scalars.json"])
@pytest.mark.parametrize("folder", ["2023.03.02/1{}.02.03_{}_pusht_image", "{1}_pusht_image/1{0}"])
def test_lines_of_json_beside_a_configuration_are_a_run_whatever_their_file_is_called(put, tmp_path, file, folder):
    for name, seed in product(("train_unet", "train_transformer"), (1, 2)):
        place = folder.format(seed, name)
        put(f"{place}/.hydra/config.yaml", f"task_name: pusht_image\ntraining:\n  seed: {seed}\n  lr: 0.1\n")
        lines = [{"train_loss": 0.5, "global_step": step} for step in range(0, 90, 10)]
        lines += [{"train_loss": 0.5, "global_step": 90, "train/mean_score": 1.5, "test/mean_score": seed / 4}]
        put(f"{place}/{file}", "".join(json.dumps(line) + "\n" for line in lines))
    curves = ro.read_curves(tmp_path)
    assert ({*curves.algorithms}, curves.tasks) == ({"train_unet", "train_transformer"}, ("pusht_image",))
    assert (curves.steps.tolist(), curves.values.tolist()) == ([90.0] * 4, [0.25, 0.5] * 2)


@pytest.mark.parametrize(("seeds", "n_runs"), [((1, 2, 3), 3), ((7, 7, 7), 1), ((None, None, None), 1)])
@pytest.mark.filterwarnings("ignore:1 folder.s. have several evaluations")
def test_evaluations_of_inspect_are_runs_where_their_seeds_differ(put, tmp_path, seeds, n_runs):
    for model, (i, seed) in product(("a/small", "a/base"), enumerate(seeds)):
        header = {"created": f"2026-01-0{i + 1}", "task": "gsm", "model": model}
        header["model_generate_config"] = {} if seed is None else {"seed": seed}
        samples = [{"id": k, "epoch": 1, "scores": {"match": {"value": "C" if k <= i else "I"}}} for k in range(4)]
        content = {"version": 2, "status": "success", "eval": header, "samples": samples}
        put(f"logs/2026-01-0{i + 1}T10-00-00_gsm_{model[2:]}.json", json.dumps(content))
    if n_runs > 1:
        assert ro.read_scores(tmp_path).to_dict()["a/base"] == {"gsm": [0.25, 0.5, 0.75]}
    else:
        with pytest.raises(ro.DataError, match="4 are left out"):
            ro.read_scores(tmp_path)


def test_the_loss_of_validation_is_offered_before_that_of_training(put, tmp_path):
    for name in ("ours", "base"):
        for part in ("train", "val"):
            put(f"{name}/dvclive/plots/metrics/{part}/loss.tsv", "step\tloss\n1\t2\n2\t1\n")
    with pytest.raises(ro.DataError, match=r"use columns=..score': 'val/loss'.*or columns=..score': 'train/loss'"):
        ro.load(tmp_path)
