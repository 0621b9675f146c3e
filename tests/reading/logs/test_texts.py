"""Settings whose values are names: `controller: mpc` beside `building: office` name algorithms and tasks that nothing else names, or are asked
about."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from itertools import product

import pytest

import runoff as ro
from tests.reading.logs.test_layouts import cells

ROWS = "".join(json.dumps({"step": step, "eval/return": step / 7}) + "\n" for step in (1, 2, 3))


def runs(put, *, seeds=(0, 1, 2), folder="job{number}", **settings):
    """Write a log for each combination of the values of settings, and return the folder of all."""
    for number, (*values, seed) in enumerate(product(*settings.values(), seeds)):
        config = {**dict(zip(settings, values, strict=True)), "seed": seed, "gamma": 0.99}
        name = folder.format(number=number, **config)
        put(f"study/{name}/config.json", json.dumps(config))
        path = put(f"study/{name}/metrics.jsonl", ROWS)
    return path.parents[name.count("/") + 1]


def offered(refused):
    """Return the columns that a refusal names, in order."""
    return [dict(re.findall(r"'(\w+)': '(\w+)'", way)) for way in re.findall(r"columns=(\{.*?\})", str(refused.value))]


@pytest.mark.parametrize("setting", ["policy", "controller", "planner", "variant", "kind", "memory"])
def test_the_only_setting_of_names_that_varies_names_the_algorithms(put, setting):
    curves = ro.load(runs(put, **{setting: ("attention", "gru"), "env": ("harvest", "cleanup")}))
    assert cells(curves) == dict.fromkeys(product(("attention", "gru"), ("harvest", "cleanup")), 3)
    assert any(f"the algorithm: '{setting}'" in note for note in curves.provenance.notes)


def test_settings_called_as_columns_of_algorithms_and_tasks_name_them(put):
    curves = ro.load(runs(put, controller=("rule_based", "sac_hvac"), building=("office", "school")))
    assert cells(curves) == dict.fromkeys(product(("rule_based", "sac_hvac"), ("office", "school")), 3)


@pytest.mark.parametrize("first", [("blue", "red"), ("ours", "ours_no-reg"), ("ppo_x", "sac_x")])
def test_of_two_settings_of_names_the_likelier_is_offered_as_algorithm_first(put, first):
    folder = runs(put, where=("office", "school"), kind=first)
    with pytest.raises(ro.DataError, match="have names as values") as refused:
        ro.load(folder)
    way = offered(refused)[0]
    assert way in ({"algorithm": "kind", "task": "where"}, {"algorithm": "where", "task": "kind"})
    assert first[0] == "blue" or way["algorithm"] == "kind"
    assert {*cells(ro.load(folder, columns=way)).values()} == {3}


@pytest.mark.parametrize(("setting", "n_tasks"), [("level", 2), ("norm", 1)])
def test_a_setting_of_names_beside_known_algorithms_and_no_task_names_tasks_if_it_is_called_so(put, setting, n_tasks):
    curves = ro.load(runs(put, algo=("ppo", "sac"), **{setting: ("a", "b")}))
    assert curves.algorithms == ("ppo", "sac")
    assert (len(curves.tasks), len(curves.sampling.settings)) == (n_tasks, 4 - 2 * n_tasks)


@pytest.mark.parametrize("folder", ["ppo/{number}", "{optimizer}/ppo/{number}"])
def test_settings_of_an_algorithm_that_folders_name_are_its_configurations(put, folder):
    runs(put, optimizer=("adam", "sgd"), folder=folder)
    curves = ro.load(runs(put, optimizer=("adam", "sgd"), folder=folder.replace("ppo", "sac")))
    assert {name.split("/")[-1] for name in curves.algorithms} == {"ppo", "sac"}


@pytest.mark.parametrize("names", [("PPO", "SAC"), ("ours", "theirs")])
def test_settings_that_repeat_folders_change_no_name(put, names):
    for name in names:
        folder = runs(put, kind=(name.lower(),), folder=f"{name}/{{seed}}")
    assert ro.load(folder).algorithms == names


def test_numbers_remarks_and_what_varies_with_the_task_name_no_algorithm(put):
    beside = {"policy": {"Ant": "mlp", "Pong": "cnn"}, "map": {"Ant": "a", "Pong": "b"}}
    for number, (task, size, seed) in enumerate(product(("Ant", "Pong"), ("64", "128"), (0, 1))):
        own = {name: values[task] for name, values in beside.items()}
        put(f"study/{number}/config.json", json.dumps({"env": task, "size": size, "seed": seed, **own}))
        path = put(f"study/{number}/metrics.jsonl", ROWS)
    curves = ro.load(path.parents[1])
    assert curves.algorithms == ("study",)
    assert len(curves.sampling.settings) == 2


def mlflow(put, **settings):
    """Write a store of MLflow with runs named by their settings, `sac_x-office-0`, and return it."""
    put("mlruns/7/meta.yaml", "experiment_id: '7'\nname: hvac-control\nlifecycle_stage: active\n")
    for number, values in enumerate(product(*settings.values(), range(3))):
        folder, own = (
            f"mlruns/7/{sha256(bytes([number])).hexdigest()[:32]}",
            {**dict(zip([*settings, "seed"], values, strict=True))},
        )
        put(f"{folder}/meta.yaml", f"run_id: {number:x}\nlifecycle_stage: active\nstatus: 3\n")
        put(f"{folder}/tags/mlflow.runName", "-".join(map(str, values)))
        put(f"{folder}/metrics/episode_return", f"1700000000000 {number} 1\n")
        for name, value in own.items():
            path = put(f"{folder}/params/{name}", str(value))
    return path.parents[3]


def test_names_of_runs_some_of_which_hold_a_known_algorithm_mix_nothing(put):
    folder = mlflow(put, kind=("rule_based", "sac_x"), where=("office", "school"))
    with pytest.raises(ro.DataError, match="have names as values") as refused:
        ro.load(folder)
    assert offered(refused)[0] == {"algorithm": "kind", "task": "where"}
    curves = ro.load(mlflow(put, controller=("rule_based", "sac_x"), building=("office", "school")))
    assert cells(curves) == dict.fromkeys(product(("rule_based", "sac_x"), ("office", "school")), 3)
