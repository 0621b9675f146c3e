"""Names of folders of jobs beside configurations that name the algorithm: what only numbers or repeats a job is no part of an algorithm."""

from __future__ import annotations

import json
from itertools import product

import pytest

import runoff as ro
from runoff.reading.logs.reruns import alike_configured, without_reruns
from tests.reading.logs.test_layouts import cells

RUNS = [*product(("ppo", "sac"), (0, 1, 2))]
THREE = {("ppo", "Hopper-v4"): 3, ("sac", "Hopper-v4"): 3}


def jobs(put, folders, configs=None, root: str = "jobs"):
    """Write a run into each folder, with the configurations of three seeds of two algorithms, or others."""
    for i, (folder, (algorithm, seed)) in enumerate(zip(folders, RUNS, strict=False)):
        own = {"algo": algorithm, "env": "Hopper-v4", "seed": seed} | (configs[i] if configs else {})
        put(f"{root}/{folder}/config.json", json.dumps(own))
        rows = [{"step": step, "eval_return": step / 10 + i} for step in (100, 200, 300)]
        put(f"{root}/{folder}/log.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return put(f"{root}/README", "").parent


NUMBERS = ("2817", "3649", "4411", "5530", "6042", "9021")
NAMED = [f"{algorithm}_s{seed}" for algorithm, seed in RUNS]
WORDS = (
    "retry",
    "rerun",
    "fixed",
    "fix",
    "redo",
    "again",
    "restart",
    "restarted",
    "resumed",
    "repeat",
    "done",
    "Retry2",
)


def test_a_configuration_with_capitals_in_its_name_is_one(put):
    folder = jobs(put, NUMBERS)
    for number in NUMBERS:
        (folder / number / "config.json").rename(folder / number / "Config.JSON")
    assert cells(ro.read_curves(folder)) == THREE


@pytest.mark.parametrize("at", [0, 4])
@pytest.mark.parametrize("own", ["aca2", "5b", "0f3c", "12f", "c0ffee", "job_aca2"])
def test_ids_among_ids_are_no_algorithms(put, own, at):
    folders = [*NUMBERS[:at], own, *NUMBERS[at + 1 :]]
    assert cells(ro.read_curves(jobs(put, folders))) == THREE


@pytest.mark.parametrize("beside", [(), ("2817", "9021"), ("aca2", "b1b1", "0f3c", "4d5e")])
def test_ids_of_letters_beside_ids_of_that_length_are_no_algorithms(put, beside):
    folders = [*beside, "beef", "1f3a", "c01d", "77ab", "f00d", "ad1e"][:6]
    assert cells(ro.read_curves(jobs(put, folders))) == THREE


@pytest.mark.parametrize("own", ["deadbeef", "b", "7b"])
def test_names_that_look_like_ids_stay_without_a_digit_or_without_ids_beside_them(put, own):
    beside = NAMED if own == "7b" else NUMBERS
    with pytest.warns(ro.RunoffWarning, match=f"'sac' and 'sac {own}'"):
        curves = ro.read_curves(jobs(put, [*beside[:4], own, *beside[5:]]))
    assert curves.algorithms == ("ppo", "sac", f"sac {own}")


@pytest.mark.sampled(41)
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    "shape", ["job_10{}_{}", "{}_s{}_{}", "{}/s{}_{}", "{}/s{}-{}", "{} s{} ({})", "{}"], ids=lambda shape: shape
)
def test_words_that_repeat_a_job_are_no_part_of_an_algorithm(put, shape, word):
    folders = []
    for i, (algorithm, seed) in enumerate(RUNS):
        names = (i, "") if "job" in shape else (algorithm, seed, "")
        again = (i, word) if "job" in shape else (algorithm, seed, word)
        plain = NUMBERS[i] if shape == "{}" else shape.format(*names).rstrip("_-() ")
        folders.append((word if shape == "{}" else shape.format(*again)) if i == 4 else plain)
    curves = ro.read_curves(jobs(put, folders))
    assert cells(curves) == THREE
    assert any("only number or repeat a job" in note for note in curves.provenance.notes)


@pytest.mark.parametrize("above", [("completed", "running"), ("done", "retry"), ("finished", "")])
def test_folders_that_say_what_became_of_jobs_are_no_algorithms(put, above):
    folders = [f"{above[seed == 2]}/{name}".strip("/") for name, (_, seed) in zip(NAMED, RUNS, strict=True)]
    assert cells(ro.read_curves(jobs(put, folders))) == THREE


@pytest.mark.parametrize("copy", ["old/{}", "{}_copy", "{}_retry", "backup/{}"])
def test_two_runs_of_one_name_and_seed_are_asked_about(put, copy):
    folders = [*NAMED[:4], copy.format(NAMED[3]), *NAMED[4:]]
    configs = [{"algo": "ppo" if "ppo" in name else "sac", "seed": int(name.partition("_s")[2][0])} for name in folders]
    root = jobs(put, folders[:5], configs)
    with pytest.raises(ro.DataError, match=r"two runs are named algorithm 'sac'.* a copy or a restart"):
        ro.read_curves(root)


@pytest.mark.parametrize(
    ("folders", "algorithms"),
    [
        (
            [f"{who}/{name}" for who, name in zip(("alice", "alice", "bob") * 2, NAMED, strict=True)],
            ("alice/ppo", "alice/sac", "bob/ppo", "bob/sac"),
        ),
        (
            [name.replace("ppo_s2", "ppo_noclip_s2").replace("sac_s2", "sac_large_s2") for name in NAMED],
            ("ppo", "ppo_noclip", "sac", "sac_large"),
        ),
        (
            [f"room_{'fixed' if seed < 2 else 'random'}/{name}" for name, (_, seed) in zip(NAMED, RUNS, strict=True)],
            ("room_fixed/ppo", "room_fixed/sac", "room_random/ppo", "room_random/sac"),
        ),
    ],
    ids=["users", "variants", "fixed and random"],
)
def test_words_of_paths_that_may_be_variants_stay_and_are_warned_of(put, folders, algorithms):
    with pytest.warns(ro.RunoffWarning, match="the path alone tells algorithms apart") as warned:
        curves = ro.read_curves(jobs(put, folders))
    assert curves.algorithms == algorithms
    assert f"'{algorithms[0]}' and '{algorithms[2 if '/' in algorithms[0] else 1]}'" in str(warned[0].message)


@pytest.mark.parametrize(
    "own",
    [lambda seed: {"clip": seed < 2}, lambda seed: {"exp_name": "ppo_noclip" if seed == 2 else "ppo"}],
    ids=["setting", "name"],
)
def test_variants_that_configurations_tell_as_well_are_not_warned_of(put, own):
    folders = [name.replace("_s2", "_noclip_s2") for name in NAMED]
    curves = ro.read_curves(jobs(put, folders, [own(seed) for _, seed in RUNS]))
    assert {"ppo_noclip", "sac_noclip"} <= set(curves.algorithms)


@pytest.mark.parametrize("other", ["hopper", "HOPPER"])
def test_two_names_of_one_task_are_warned_of_and_two_versions_are_not(put, other):
    configs = [{"env": other if seed == 0 else "Hopper-v4"} for _, seed in RUNS]
    with pytest.warns(ro.RunoffWarning, match="may name one task in several ways"):
        ro.read_curves(jobs(put, NUMBERS, configs))
    assert (
        len(ro.read_curves(jobs(put, NUMBERS, [{"env": f"Hopper-v{4 - seed}"} for _, seed in RUNS], "versions")).tasks)
        == 3
    )


def models(put):
    """Write runs of two models whose configurations alone name them."""
    for i, (model, seed) in enumerate(product(("resnet18", "mlp"), (0, 1))):
        put(f"lightning_logs/version_{i}/hparams.yaml", f"model: {model}\ndataset: cifar10\nseed: {seed}\nwidth: 4\n")
        file = put(f"lightning_logs/version_{i}/metrics.csv", f"epoch,step,val_acc\n0,99,{i}\n1,199,{i + 50}\n")
    return file.parents[1]


def test_runs_that_nothing_else_names_are_named_by_the_models_of_their_configurations(put):
    read = ro.read_scores(models(put)).to_dict()
    assert read == {"resnet18": {"cifar10": [50.0, 51.0]}, "mlp": {"cifar10": [52.0, 53.0]}}


def test_a_setting_of_all_configurations_names_the_runs_on_request(put):
    folder = models(put)
    assert ro.read_scores(folder, columns={"algorithm": "dataset", "task": "model"}).to_dict() == {
        "cifar10": {"mlp": [52.0, 53.0], "resnet18": [50.0, 51.0]}
    }
    with pytest.raises(ro.OptionError, match=r"no setting 'modle' to name the algorithm; use .* Did you mean 'model'"):
        ro.read_scores(folder, columns={"algorithm": "modle"})
    with pytest.raises(ro.OptionError, match="both name the algorithm"):
        ro.read_scores(folder, columns={"algorithm": "model"}, pattern="{algorithm}/{run}")


def test_a_setting_that_names_runs_is_the_one_called_so_or_the_only_one_that_ends_so(put):
    configs = [{"data": {"name": "D", "kind": "d"}, "net": {"name": algorithm, "kind": "d"}} for algorithm, _ in RUNS]
    with pytest.raises(ro.OptionError, match=r"2 settings that end in 'name'; name one of 'data\.name', 'net\.name'"):
        ro.read_curves(jobs(put, NUMBERS, configs), columns={"algorithm": "name"})
    for wanted, algorithms in (("net.name", ("ppo", "sac")), ("kind", ("d",))):
        columns = {"algorithm": wanted, "run": "number"}
        numbers = [{**own, "number": i} for i, own in enumerate(configs)]
        assert ro.read_curves(jobs(put, NUMBERS, numbers), columns=columns).algorithms == algorithms
    named = [{**own, "name": algorithm.upper()} for own, (algorithm, _) in zip(configs, RUNS, strict=True)]
    assert ro.read_curves(jobs(put, NUMBERS, named), columns={"algorithm": "name"}).algorithms == ("PPO", "SAC")


@pytest.mark.parametrize(
    ("key", "place"), [("ArrayTaskID", "results/out_{}.json"), ("job_id", "{:03d}.json"), ("index", "job-{}.json")]
)
@pytest.mark.parametrize("beside", [{}, {"task_id": 0}])
def test_a_table_that_names_the_jobs_of_an_array_by_their_numbers_names_their_files(put, tmp_path, key, place, beside):
    jobs = [(a, s) for a in ("hiro", "director") for s in (0, 1)]
    put("params.txt", f"{key} algo env seed\n" + "".join(f"{i} {a} maze {s}\n" for i, (a, s) in enumerate(jobs, 1)))
    for i in range(1, 5):
        put(place.format(i), json.dumps({**dict.fromkeys(beside, i), "final_success": float(i)}))
    assert ro.load(tmp_path).to_dict() == {"director": {"maze": [3.0, 4.0]}, "hiro": {"maze": [1.0, 2.0]}}
    (tmp_path / place.format(4)).unlink()
    with pytest.warns(ro.RunoffWarning, match="1 of its 4 jobs have no file"):
        assert ro.load(tmp_path).to_dict()["director"] == {"maze": [3.0]}


def test_files_of_other_numbers_than_those_of_the_table_are_not_named_by_it(put, tmp_path):
    put("params.txt", "id algo env seed\n1 hiro maze 0\n2 hiro maze 1\n")
    for i in (1, 2, 7):
        put(f"out_{i}.json", json.dumps({"return": float(i)}))
    with pytest.raises(ro.DataError, match="differ only in a number"):
        ro.load(tmp_path)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        ((("5b", "x"), ("6", "x"), ("x",)), ["run/x", "6/x", "x"]),
        # A path that lacks the level is no id of it.
        ((("5b", "x"), ("6", "x"), ("maze", "x"), ("x",)), ["5b/x", "6/x", "maze/x", "x"]),
        ((("5b",), ("maze",), ("6",)), ["5b", "maze", "6"]),
        ((("5b",), ("aaa",), ("6",), ("7",)), ["run", "aaa", "6", "7"]),
        ((("job_5b",), ("job_6",), ("job_7",)), ["run", "job_6", "job_7"]),
        ((("beef",), ("1f3a",), ("0c2d",)), ["run", "run", "run"]),
        ((("beef",), ("2817",), ("1234",)), ["beef", "2817", "1234"]),
        ((("done",), ("old",)), ["run", "run"]),
        ((("maze (retry)",), ("maze",)), ["maze", "maze"]),
        ((("maze_fixed",), ("maze_random",)), ["maze_fixed", "maze_random"]),
    ],
)
def test_ids_and_words_of_jobs_are_no_names_only_beside_others(paths, names):
    assert ["/".join(path) for path in without_reruns(paths, ["ppo"] * len(paths))] == names


@pytest.mark.parametrize(
    ("own", "other", "alike"),
    [
        ({"lr": 1, "seed": 2}, {"lr": 1, "seed": 3}, True),
        ({"lr": 1}, {"lr": 2}, False),
        ({"lr": 1, "data": "/x/a"}, {"lr": 1, "data": "/y/b"}, True),
        ({"lr": 1, "tag": "a"}, {"lr": 1, "tag": "a"}, False),
        ({"lr": 1, "tag": "b"}, {"lr": 1, "tag": "b"}, False),
    ],
)
def test_configurations_are_alike_that_differ_in_nothing_but_runs_and_places_and_name_neither(own, other, alike):
    assert [*alike_configured({"b": other, "a": own})] == [("a", "b")] * alike
