"""Laws of folders of one run in which the log of training lies beside evaluations in another file, or beside what is said of saved models."""

from __future__ import annotations

import io
import json
import re
from itertools import product

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.cli.app import run as runoff

STEPS = (1000, 2000, 3000, 4000)
LAST = {"ppo": {"Hopper-v4": [101.0, 102.0]}, "sac": {"Hopper-v4": [201.0, 202.0]}}


def csv_of(values, *heads, mark=","):
    rows = [mark.join(heads), *(f"{step}{mark}{value}" for step, value in zip(STEPS, values, strict=True))]
    return "\n".join(rows) + "\n"


def lines_of(values, *names):
    return "".join(
        json.dumps({"step": t, **dict.fromkeys(names, v)}) + "\n" for t, v in zip(STEPS, values, strict=True)
    )


def npz_of(**arrays):
    np.savez(into := io.BytesIO(), **{name: np.array(values) for name, values in arrays.items()})
    return into.getvalue()


def parquet_of(values):
    pl.DataFrame({"step": STEPS, "return": values}).write_parquet(into := io.BytesIO())
    return into.getvalue()


TRAININGS = {
    "train.csv": lambda v: csv_of(v, "step", "episode_return"),
    "train_log.csv": lambda v: csv_of(v, "step", "reward"),
    "log_train.jsonl": lambda v: lines_of(v, "episode_return"),
    "progress.csv": lambda v: csv_of(v, "time/total_timesteps", "rollout/ep_rew_mean"),
    "monitor.csv": lambda v: '#{"t_start": 1.0}\nr,l,t\n' + "".join(f"{x},100,{i}\n" for i, x in enumerate(v)),
}
CURVES = {
    "eval.csv": lambda v: csv_of(v, "step", "eval_return"),
    "results.csv": lambda v: csv_of(v, "step", "mean_return"),
    "log.tsv": lambda v: csv_of(v, "step", "eval/return", mark="\t"),
    "eval.jsonl": lambda v: lines_of(v, "eval_return"),
    "log.jsonl": lambda v: lines_of(v, "eval/return") + lines_of([0.0] * 4, "train/return"),
    "results.json": lambda v: json.dumps({"step": STEPS, "return": v}),
    "metrics.parquet": parquet_of,
    "results.npz": lambda v: npz_of(steps=STEPS, returns=v),
    "evaluations.npz": lambda v: npz_of(timesteps=STEPS, results=[[x, x] for x in v]),
}
ONCE = {
    "final.json": lambda v: json.dumps({"eval_return": v[-1], "episodes": 20}),
    "results.json": lambda v: json.dumps({"mean_return": v[-1], "n_episodes": 20}),
    "eval/final.json": lambda v: json.dumps({"return": v[-1]}),
}
UNREAD = {
    "returns.json": json.dumps,
    "eval_returns.npy": lambda v: (np.save(into := io.BytesIO(), np.array(v)), into.getvalue())[1],
    "eval.pkl": lambda v: b"\x80\x04" + bytes(len(v)),
}
OTHERS = {
    "timing.json": '{"wall_time": 3600.1, "fps": 812.0}',
    "summary.json": '{"wall_time": 3600.1, "n_params": 140331}',
    "eval_config.json": '{"n_eval_episodes": 10, "deterministic": true}',
    "best.json": '{"best_eval_return": 999.0, "best_step": 3000}',
    "checkpoint_3000.json": '{"step": 3000, "return": 999.0}',
    "losses.csv": "step,actor_loss\n1000,0.5\n2000,0.25\n",
}


@pytest.fixture
def folders(tmp_path):
    """Return a function that writes a folder for each run, with files by name, functions of the last evaluation, and returns their root."""

    def write(files, *, configured=True):
        for algorithm, seed in product(LAST, (0, 1)):
            last = LAST[algorithm]["Hopper-v4"][seed]
            name = f"run_{algorithm}_{seed}" if configured else f"{algorithm}/Hopper-v4/seed_{seed}"
            own = (
                {"config.json": json.dumps({"algo": algorithm, "env": "Hopper-v4", "seed": seed})} if configured else {}
            )
            for file, content in {**own, **files}.items():
                path = tmp_path / "t" / name / file
                path.parent.mkdir(parents=True, exist_ok=True)
                # Training turns the order round.
                high = {**TRAININGS, "log_train.tsv": 0}
                values = [500 - last + i if file in high else last - 3 + i for i in range(4)]
                text = content(values) if callable(content) else content
                path.write_bytes(text.encode() if isinstance(text, str) else text)
        return tmp_path / "t"

    return write


def means_of(root):
    return ro.read_curves(root).final(1).to_dict()


@pytest.mark.sampled(41)
@pytest.mark.parametrize("configured", [True, False])
@pytest.mark.parametrize(("training", "other"), [*product(TRAININGS, CURVES)])
@pytest.mark.filterwarnings("ignore:4 file.s. (are left out|have the names of logs)")
def test_evaluations_are_the_score_whatever_file_logs_training(folders, training, other, configured):
    root = folders({training: TRAININGS[training], other: CURVES[other]}, configured=configured)
    assert [*means_of(root).values()] == [*LAST.values()]


@pytest.mark.parametrize(("training", "other"), [*product(TRAININGS, ONCE)])
def test_one_evaluation_in_a_file_beside_training_is_asked_about_and_either_answer_reads_it(
    folders, capsys, training, other
):
    root = folders({training: TRAININGS[training], other: ONCE[other]})
    assert runoff(["compare", str(root)]) == 2
    evaluated, trained = re.findall(r"^  runoff .*--columns (score=\S+)", capsys.readouterr().err, re.MULTILINE)
    assert ro.read_scores(root, columns=dict([evaluated.split("=")])).to_dict() == LAST
    assert {*ro.read_curves(root, columns=dict([trained.split("=")])).steps[-1:]} <= {4000.0, 400.0}


@pytest.mark.parametrize(("training", "other"), [*product(TRAININGS, UNREAD)])
def test_what_cannot_be_read_and_may_be_evaluations_is_named_beside_training(folders, training, other):
    root = folders({training: TRAININGS[training], other: UNREAD[other]})
    with pytest.raises(ro.DataError, match=f"{training}.*{other}.*step and eval_return.* reads {training}"):
        ro.load(root)
    columns = {
        "score": {"train_log.csv": "reward", "progress.csv": "ep_rew_mean", "monitor.csv": "reward"}.get(
            training, "episode_return"
        )
    }
    assert ro.read_curves(root, columns=columns).final(1).to_dict()["ppo"] == {"Hopper-v4": [402.0, 401.0]}


@pytest.mark.parametrize("training", ["train.csv", "train_log.csv", "log_train.jsonl"])
@pytest.mark.parametrize("other", ["returns.json", "final.json"])
def test_tables_of_training_beside_evaluations_that_cannot_be_read_are_refused(folders, training, other):
    scalar = {"final_return": 5.5, "wall_time": 3.5, "n_params": 7}
    files = {training: TRAININGS[training], other: json.dumps([1.5, 2.5] if other == "returns.json" else scalar)}
    root = folders(files, configured=False)
    with pytest.raises(
        ro.DataError, match=f"{training} is of training by its name, and .*{other} beside it"
    ) as refused:
        ro.load(root)
    ways = re.findall(r"'(.*)'", str(refused.value))
    assert ro.read_curves(ways).final(1).to_dict()["ppo"]["Hopper-v4"] == [402.0, 401.0]


@pytest.mark.parametrize(("training", "other"), [*product(TRAININGS, OTHERS)])
@pytest.mark.filterwarnings(
    "ignore:4 file.s. have (the names of logs|no readable runs)|4 run.s. do not have the series"
)
def test_files_of_saved_models_of_times_and_of_losses_are_no_evaluations(folders, training, other):
    root = folders({training: TRAININGS[training], other: OTHERS[other]})
    assert ro.read_curves(root).final(1).to_dict()["ppo"] == {"Hopper-v4": [402.0, 401.0]}


def test_files_that_the_user_names_are_read_whatever_lies_beside_them(folders):
    root = folders({"train.csv": TRAININGS["train.csv"], "eval_returns.npy": UNREAD["eval_returns.npy"]})
    assert means_of([*root.glob("*/train.csv")])["ppo"] == {"Hopper-v4": [402.0, 401.0]}


def test_the_losses_of_a_run_hide_no_evaluations(folders):
    root = folders({"losses.csv": OTHERS["losses.csv"], "log.jsonl": CURVES["log.jsonl"]})
    assert means_of(root) == LAST


@pytest.mark.filterwarnings("ignore:steps are counted|1 run.s. have no value")
def test_a_run_without_the_file_of_evaluations_is_not_read_by_its_training(folders):
    root = folders({"monitor.csv": TRAININGS["monitor.csv"], "eval.csv": CURVES["eval.csv"]})
    whole, first = ro.read_curves(root), root / "run_ppo_0" / "eval.csv"
    first.write_text(first.read_text().replace("98.0", "97.0"))
    assert ro.read_curves(root).provenance.sha256 != whole.provenance.sha256
    first.unlink()
    with pytest.raises(ro.DataError, match="run_ppo_0"):
        ro.read_scores(root)


@pytest.mark.parametrize("other", ["best.json", "checkpoint_3000.json", "checkpoints/last.json"])
@pytest.mark.parametrize("results", ["results.csv", "results.json", "metrics.parquet", "results.npz"])
def test_what_is_said_of_a_saved_model_is_no_algorithm_and_no_score(folders, other, results):
    root = folders({results: CURVES[results], other: '{"step": 3000, "return": 999.0}'}, configured=False)
    with pytest.warns(ro.RunoffWarning, match="4 file.s. are left out .* of a saved model"):
        assert means_of(root) == LAST


def test_of_tables_that_name_their_runs_none_is_left_out(put):
    text = "algorithm,seed,return\n" + "".join(f"{a},{s},{s + 5}\n" for a in ("ppo", "sac") for s in (1, 2))
    for name in ("train", "test"):
        root = put(f"t/{name}.csv", text).parent
    with pytest.raises(ro.DataError, match=r"appears twice, in test.csv line 2 and train.csv line 2"):
        ro.read_scores(root)


@pytest.mark.parametrize("names", [("seed_0", "seed_1"), ("run_0", "run_7"), ("s0", "s1"), ("0", "1")])
@pytest.mark.parametrize("content", [None, "config.json"])
def test_a_folder_without_scores_beside_those_of_runs_is_warned_of(put, names, content):
    for algorithm in ("ppo", "sac"):
        root = put(f"t/{algorithm}/{names[0]}/eval.csv", CURVES["eval.csv"]([1.0, 2.0, 3.0, 4.0])).parents[2]
    empty = root / "ppo" / names[1]
    empty.mkdir()
    if content:
        (empty / content).write_text("{}")
    with pytest.warns(ro.RunoffWarning, match=f"1 folder.* hold no scores.*ppo/{names[1]}"):
        assert ro.read_scores(root).n_runs.sum() == 2


@pytest.mark.parametrize("name", ["videos", "logs", "checkpoints", "plots_1"])
def test_a_folder_that_is_not_called_like_a_run_is_not_warned_of(put, name):
    for algorithm in ("ppo", "sac"):
        root = put(f"t/{algorithm}/seed_0/eval.csv", CURVES["eval.csv"]([1.0, 2.0, 3.0, 4.0])).parents[2]
    (root / "ppo" / name).mkdir()
    assert ro.read_scores(root).n_runs.sum() == 2


def test_a_run_that_left_its_configuration_beside_tables_is_warned_of(folders):
    root = folders({"eval.csv": CURVES["eval.csv"]})
    (root / "run_ppo_1" / "eval.csv").unlink()
    with pytest.warns(
        ro.RunoffWarning, match=r"1 folder.* have the configuration of a run and no scores.*\(run_ppo_1\)"
    ):
        assert ro.read_scores(root).n_runs.sum() == 3


@pytest.mark.parametrize("head", ["wandb_version: 1\n", "_wandb:\n  value:\n    t: {seed}\n"])
def test_the_summary_of_a_run_of_wandb_is_its_score_where_its_log_is_missing(put, tmp_path, head):
    for i, (name, seed) in enumerate(product(("ppo", "sac"), (0, 1))):
        own = {"algo": name, "env_id": "Hopper-v4", "seed": seed, "lr": 0.1}
        settings = "".join(f"{key}:\n  desc: null\n  value: {value}\n" for key, value in own.items())
        folder = f"wandb/run-20240611_12000{i}-0006e32{i}/files"
        put(f"{folder}/config.yaml", head.format(seed=seed) + settings)
        summary = {"eval/return": i + 1.0, "train/loss": 0.1, "_step": 500, "_wandb": {"runtime": 7}}
        put(f"{folder}/wandb-summary.json", json.dumps(summary))
    assert ro.load(tmp_path).final(1).to_dict() == {"ppo": {"Hopper-v4": [1.0, 2.0]}, "sac": {"Hopper-v4": [3.0, 4.0]}}
