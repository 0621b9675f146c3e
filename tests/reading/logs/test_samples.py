"""Samples that the tools wrote themselves, against what the tools' own readers find in them (tests/reading/logs/make_logs.py)."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

import runoff as ro
from runoff.reading.logs.tools import TOOLS
from runoff.reading.logs.wire.events import read_events
from tests.places import LOGS
from tests.reading.logs.configured import SAMPLES
from tests.reading.logs.kept import KEPT, RESULTS
from tests.reading.logs.make_logs import MAKERS
from tests.reading.logs.test_older import OLDER

SWEEPS = ("optuna",)
"""Tools whose samples hold one sweep in several forms, which are read one by one (test_optuna.py)."""


def oracle_of(tool: str) -> dict:
    return json.loads((LOGS / f"{tool}.json").read_text())["found"]


def curves_of(tool: str, **options) -> dict[tuple[str, str, str], tuple[np.ndarray, np.ndarray]]:
    """Return the curves of a sample by (algorithm, task, run)."""
    frame = ro.read_curves(LOGS / tool, **options).to_frame()
    groups = frame.group_by("algorithm", "task", "run", maintain_order=True)
    return {key: (part["step"].to_numpy(), part["score"].to_numpy()) for key, part in groups}


def assert_same(curve, steps, values) -> None:
    assert curve[0].tolist() == [float(step) for step in steps]
    assert curve[1] == pytest.approx(np.array(values, dtype=float), rel=1e-12)


def test_every_tool_has_a_sample_made_by_a_script_and_every_sample_is_claimed():
    assert {*MAKERS, *SAMPLES, *KEPT, *RESULTS, *OLDER} - {"clearml_folders", "inspect_packed"} == set(TOOLS)
    for name in MAKERS:
        records = ro.scan(LOGS / name).rows
        assert {record.tool for record in records} == {TOOLS[name].title}


# ── TensorBoard ──────────


def test_every_scalar_of_every_event_file_is_what_tensorboard_finds():
    for name, tags in oracle_of("tensorboard").items():
        read = read_events(LOGS / "tensorboard" / name)
        mine = {tag: [] for tag in read.tags}
        for which, *point in zip(read.which, read.step, read.wall, read.value, strict=True):
            mine[read.tags[which]].append(point)
        assert mine == tags
        assert read.broken_off == ""


def test_folders_of_event_files_name_algorithm_task_and_run():
    curves = curves_of("tensorboard/torch")
    assert set(curves) == {(algorithm, "Hopper-v4", str(seed)) for algorithm in ("PPO", "SAC") for seed in range(3)}
    oracle = oracle_of("tensorboard")["torch/SAC_Hopper-v4_2/events.out.tfevents.1700000000.host.0"][
        "rollout/ep_rew_mean"
    ]
    assert_same(curves["SAC", "Hopper-v4", "2"], [p[0] for p in oracle], [p[2] for p in oracle])


def test_train_and_eval_are_one_run_and_evaluation_is_preferred():
    (record,) = ro.scan(LOGS / "tensorboard" / "tensorboardX").rows
    assert (record.algorithm, record.run, record.series) == ("TD3", "7", "eval/rollout/ep_rew_mean")
    assert "train/rollout/ep_rew_mean" in record.all_series


def test_a_restarted_run_of_two_files_goes_on_where_the_second_begins():
    curves = ro.read_curves(LOGS / "tensorboard" / "restarted")
    assert curves.steps.tolist() == [1000.0 * i for i in range(1, 13)]
    second = oracle_of("tensorboard")["restarted/A2C_1/events.out.tfevents.1700000000.host.1"]["rollout/ep_rew_mean"]
    assert curves.values[5:].tolist() == [point[2] for point in second]
    assert any("go back in steps" in note and "(3 points left out)" in note for note in curves.provenance.notes)


def test_hyperparameters_of_cleanrl_name_the_run_and_episodes_of_one_step_are_averaged():
    curves = ro.read_curves(LOGS / "tensorboard" / "cleanrl")
    assert (curves.algorithms, curves.tasks, curves.run_labels) == (("ddpg",), ("Pendulum-v1",), ("4",))
    (points,) = oracle_of("tensorboard")[
        "cleanrl/Pendulum-v1__ddpg__4__1700000000/events.out.tfevents.1700000000.host.0"
    ].values()
    pairs = np.array([point[2] for point in points]).reshape(-1, 2)
    assert curves.values == pytest.approx(pairs.mean(axis=1))
    assert curves.time.tolist() == [1.0, 3.0, 5.0, 7.0, 9.0, 11.0]


# ── Weights & Biases ──────────


def test_a_wandb_folder_gives_what_the_messages_of_wandb_tell():
    curves = curves_of("wandb")
    for seed in range(2):
        history = oracle_of("wandb")[f"run-run{seed:05d}"]
        steps, texts = ([point[1] for point in history[key]] for key in ("global_step", "eval/mean_return"))
        places = [i for i, text in enumerate(texts) if "NaN" not in text]
        assert len(places) == 148
        assert_same(curves["ppo", "Walker2d-v4", str(seed)], [steps[i] for i in places], [texts[i] for i in places])


def test_large_infinite_and_nested_values_of_wandb_are_series():
    with pytest.raises(ro.DataError, match="score is inf"):
        ro.read_curves(LOGS / "wandb", series="infinite")
    assert ro.read_curves(LOGS / "wandb", series="large").values.tolist() == [1e18, 1e18]
    nested = [float(text) for _, text in oracle_of("wandb")["run-run00000"]["losses.value"]]
    assert ro.read_curves(LOGS / "wandb", series="losses.value").values[:150].tolist() == nested


# ── Stable-Baselines3 ──────────


@pytest.mark.parametrize("metric", ["eval/mean_reward", "monitor/reward", "rollout/ep_rew_mean"])
def test_stable_baselines3_folders_give_what_its_own_readers_find(metric):
    curves = curves_of("stable_baselines3", series=metric)
    assert set(curves) == {(name, "CartPole-v1", run) for name in ("a2c", "ppo") for run in ("1001", "1002")}
    for folder, series in oracle_of("stable_baselines3").items():
        steps, values = series[metric]
        assert_same(curves[folder.split("/")[0], "CartPole-v1", f"100{folder[-1]}"], steps, values)


def test_monitors_of_several_environments_are_one_run_with_time_and_episodes():
    curves = ro.read_curves(LOGS / "stable_baselines3" / "ppo" / "CartPole-v1_1", series="monitor/reward")
    assert curves.episodes.tolist() == list(range(1, len(curves.steps) + 1))
    assert np.all(np.diff(curves.time) >= 0)
    assert curves.tasks == ("CartPole-v1",)


def test_progress_can_be_read_by_another_count_than_timesteps(put):
    rows = "time/iterations,time/total_timesteps,rollout/ep_rew_mean\n1,2048,5\n2,4096,7\n"
    for run in (0, 1):
        folder = put(f"logs/ppo_{run}/progress.csv", rows).parents[1]
    by_default, by_choice = (ro.read_curves(folder, columns=c) for c in (None, {"step": "time/iterations"}))
    assert dict(by_default.provenance.columns)["step"] == "timesteps"
    assert by_default.steps.tolist() == [2048.0, 4096.0] * 2
    assert dict(by_choice.provenance.columns)["step"] == "time/iterations"
    assert by_choice.steps.tolist() == [1.0, 2.0] * 2


MONITOR = '#{"t_start": 1.0, "env_id": "Ant-v4"}\nr,l,t\n'


def episodes(*returns, pace=1.0):
    return "".join(f"{value},100,{pace * (i + 1)}\n" for i, value in enumerate(returns))


def test_a_monitor_that_was_appended_to_goes_on_where_it_ended(put):
    """With override_existing=False Stable-Baselines3 appends rows to the file without a second head, and t begins at 0 again."""
    root = put("one/0/monitor.csv", MONITOR + episodes(1, 2, 3) + episodes(4, 5)).parents[2]
    curves = ro.read_curves(root / "one")
    assert curves.values.tolist() == [1, 2, 3, 4, 5]
    assert curves.steps.tolist() == [100, 200, 300, 400, 500]
    assert curves.time.tolist() == [1, 2, 3, 4, 5]
    assert any("continued in the same monitor" in note for note in curves.provenance.notes)


def test_environments_that_were_continued_together_follow_session_by_session(put):
    put("two/0/0.monitor.csv", MONITOR + episodes(1, 3) + episodes(5, 7))
    root = put("two/0/1.monitor.csv", MONITOR + episodes(2, 4, pace=1.1) + episodes(6, 8, pace=1.1)).parents[1]
    assert ro.read_curves(root).values.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_a_session_follows_the_one_before_whenever_each_environment_began(put):
    heads = (MONITOR.replace("1.0", start) for start in ("100.0", "100.5"))
    for at, (head, rewards) in enumerate(zip(heads, ((1, 3, 5, 7), (2, 4, 6, 8)), strict=True)):
        rows = "".join(f"{reward},10,{t}\n" for reward, t in zip(rewards, (5, 10, 0.2, 10), strict=True))
        root = put(f"two/0/{at}.monitor.csv", head + rows).parents[1]
    assert ro.read_curves(root).values.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_monitors_of_training_and_evaluation_are_parts_of_one_run(put):
    for seed in (0, 1):
        put(f"ppo/s{seed}/train.monitor.csv", MONITOR + episodes(1, 2))
        root = put(f"ppo/s{seed}/eval.monitor.csv", MONITOR + episodes(7 + seed, 8 + seed)).parents[1]
    curves = ro.read_curves(root)
    assert curves.n_runs.tolist() == [[2]]
    assert curves.final().values.tolist() == [8, 9]
    assert ro.read_curves(root, series="train/monitor/reward").final().values.tolist() == [2, 2]


# ── the others ──────────


def test_trials_of_tune_are_read_from_their_json_lines():
    curves = ro.read_curves(LOGS / "rllib")
    assert (curves.algorithms, curves.tasks, curves.run_labels) == (("PPO",), ("CartPole-v1",), ("0", "1"))
    for i, series in enumerate(oracle_of("rllib").values()):
        steps, values = curves.curve(i)
        assert_same(
            (steps, values), series["num_env_steps_sampled_lifetime"][1:], series["env_runners/episode_return_mean"][1:]
        )
    assert curves.episodes[:7].tolist() == series["env_runners/num_episodes_lifetime"][1:]
    assert curves.time[7:].tolist() == series["time_total_s"][1:]


def test_a_trial_whose_json_is_lost_is_read_from_its_table(tmp_path):
    (source,) = (LOGS / "rllib" / "cartpole").glob("*00000*")
    for name in ("progress.csv", "params.json"):
        (tmp_path / name).write_bytes((source / name).read_bytes())
    (series, _) = oracle_of("rllib").values()
    assert_same(
        ro.read_curves(tmp_path).curve(0),
        series["num_env_steps_sampled_lifetime"][1:],
        series["env_runners/episode_return_mean"][1:],
    )


def test_sacred_runs_give_their_metrics_and_seconds():
    curves = curves_of("sacred")
    for seed, series in zip(("11", "12"), oracle_of("sacred").values(), strict=True):
        assert_same(curves["vdn", "3m", seed], *series["test_return_mean"])
    times = ro.read_curves(LOGS / "sacred").time
    assert 0 <= times.min() < times.max() < 60


def test_every_run_of_a_marl_eval_file_is_a_run():
    curves = curves_of("marl_eval")
    assert set(curves) == {(*key.split("/")[:1], "2s3z", key.split("/")[1]) for key in oracle_of("marl_eval")}
    for key, (steps, values) in oracle_of("marl_eval").items():
        algorithm, seed = key.split("/")
        assert_same(curves[algorithm, "2s3z", seed], steps, values)


def test_environments_of_one_marl_eval_file_stand_before_tasks_of_one_name(put):
    run = {"step_1": {"step_count": 100, "return": 3.0}}
    path = put("runs.json", json.dumps({name: {"3m": {"qmix": {"seed_1": run}}} for name in ("smac", "smax")}))
    assert ro.read_curves(path).tasks == ("smac/3m", "smax/3m")


def test_a_number_instead_of_a_list_of_episodes_is_one_episode_of_marl_eval(put):
    run = {f"step_{i}": {"step_count": 100 * i, "return": score} for i, score in ((1, 3.0), (2, [4.0, 6.0]))}
    path = put("runs.json", json.dumps({"smac": {"2s3z": {"qmix": {"seed_1": run, "seed_2": run}}}}))
    curves = ro.read_curves(path)
    assert (curves.steps.tolist(), curves.values.tolist()) == ([100.0, 200.0] * 2, [3.0, 5.0] * 2)


def test_csv_files_of_torchrl_are_series_of_a_run():
    curves = curves_of("scalar_csv")
    for seed in (0, 1):
        assert_same(curves["dqn", "task", str(seed)], *oracle_of("scalar_csv")[f"dqn_seed{seed}"])


def test_progress_of_spinning_up_gives_test_returns_by_interactions():
    curves = curves_of("spinningup")
    for folder, (steps, values) in oracle_of("spinningup").items():
        algorithm, _, seed = folder.split("/")[1].split("_")
        assert_same(curves[algorithm, "ant", seed[1:]], steps, values)


@pytest.mark.parametrize(
    ("tool", "task"),
    [
        ("lightning_csv", "Hopper-v4"),
        ("dvclive", "CartPole-v1"),
        ("hf_trainer", "task"),
        ("verl", "openai/gsm8k"),
        ("neptune", "walker"),
    ],
)
def test_runs_named_by_algorithm_and_seed_give_the_values_that_were_logged(tool, task):
    curves = curves_of(tool)
    assert set(curves) == {(key.split("/")[0], task, key.split("/")[1]) for key in oracle_of(tool)}
    for key, (steps, values) in oracle_of(tool).items():
        assert_same(curves[key.split("/")[0], task, key.split("/")[1]], steps, values)


def test_checkpoints_of_a_trainer_are_one_run_and_a_broken_one_falls_back_to_the_one_before(tmp_path):
    shutil.copytree(LOGS / "hf_trainer" / "grpo_seed0", tmp_path / "grpo_seed0")
    last = tmp_path / "grpo_seed0" / "checkpoint-60" / "trainer_state.json"
    last.write_text(last.read_text()[:500])
    with pytest.warns(ro.RunoffWarning, match="not well-formed JSON"):
        curves = ro.read_curves(tmp_path)
    (steps, values) = oracle_of("hf_trainer")["grpo/0"]
    assert_same(curves.curve(0), steps[:8], values[:8])


@pytest.mark.parametrize("farther", [None, "run", "checkpoint"])
def test_of_a_trainer_the_state_that_went_farthest_is_read_and_of_equal_ones_that_of_the_run_itself(put, farther):
    for place, folder in (("run", "out/seed0"), ("checkpoint", "out/seed0/checkpoint-20")):
        last = 30 if place == farther else 20
        history = [{"step": step, "reward": float(len(place))} for step in range(10, last + 1, 10)]
        put(f"{folder}/trainer_state.json", json.dumps({"global_step": last, "log_history": history}))
    curves = ro.read_curves(put("note.txt", "").parent / "out")
    assert curves.curve(0)[1].tolist()[-1] == len(farther or "run")
    assert curves.curve(0)[0].tolist()[-1] == (20 if farther is None else 30)


# ── evaluations: episodes and questions ──────────


def cells(scores: ro.Scores) -> dict[tuple[str, str], list[float]]:
    return {(a, t): scores.cell(a, t).tolist() for a in scores.algorithms for t in scores.tasks}


def test_a_run_of_lerobot_has_the_mean_of_its_episodes_on_every_task():
    scores = ro.read_scores(LOGS / "lerobot")
    oracle = oracle_of("lerobot")
    for (policy, task), values in cells(scores).items():
        assert values == [float(np.mean(oracle[f"{policy}/{seed}"][task])) for seed in (0, 1)]
    assert any("40 episodes or questions" in note and "unit='episode'" in note for note in scores.provenance.notes)


def test_episodes_of_one_policy_of_lerobot_are_rows_where_they_are_the_unit():
    scores = ro.read_scores(LOGS / "lerobot" / "act_seed0", unit="episode")
    assert scores.sampling.unit == "episode"
    wins = oracle_of("lerobot")["act/0"]
    assert [sorted(values) for values in cells(scores).values()] == [
        sorted(map(float, rewards)) for rewards in wins.values()
    ]


def test_episodes_of_two_trainings_are_not_pooled_as_those_of_one_policy():
    with pytest.raises(ro.DataError, match="two runs are named algorithm 'act'"):
        ro.read_scores(LOGS / "lerobot", unit="episode")


def test_questions_that_are_not_told_are_refused_as_the_unit(tmp_path):
    content = {"results": {"arc": {"acc,none": 0.5}}, "model_name": "m"}
    (tmp_path / "results_2024-01-31T10-20-30.1.json").write_text(json.dumps(content))
    assert ro.read_scores(tmp_path).values.tolist() == [0.5]
    with pytest.raises(ro.DataError, match="unit='episode' needs the result of each"):
        ro.read_scores(tmp_path, unit="episode")


def test_episodes_without_a_value_have_no_mean(tmp_path):
    rows = [{"episode_ix": i, "success": success} for i, success in enumerate([True, None])]
    (tmp_path / "eval_info.json").write_text(json.dumps({"per_episode": rows}))
    with pytest.raises(ro.DataError, match="has a value for every episode"):
        ro.read_scores(tmp_path)


def test_several_sources_of_validation_of_verl_warn_unless_one_is_named(tmp_path):
    values = {"val/a/x/reward/mean@1": 0.25, "val/b/reward/mean@1": 0.75}
    (tmp_path / "grpo_seed0.jsonl").write_text(json.dumps({"step": 1, "data": values}) + "\n")
    with pytest.warns(ro.RunoffWarning, match=r"several data sources: .*; series= names another"):
        ro.read_curves(tmp_path)
    assert ro.read_curves(tmp_path, series="val/a/x/reward/mean@1").values.tolist() == [0.25]


def test_older_files_of_lerobot_have_their_episodes_as_rows(tmp_path):
    rows = [{"episode_ix": i, "sum_reward": 2.0 * i, "max_reward": 1.0, "success": i > 0, "seed": i} for i in range(4)]
    (tmp_path / "eval_info.json").write_text(json.dumps({"per_episode": rows, "aggregated": {"pc_success": 75.0}}))
    assert ro.read_scores(tmp_path).values.tolist() == [0.75]
    assert ro.read_scores(tmp_path, columns={"score": "sum_reward"}, unit="episode").values.tolist() == [
        0.0,
        2.0,
        4.0,
        6.0,
    ]


def test_models_of_lm_eval_are_runs_by_the_seed_in_their_names_and_groups_of_tasks_are_left_out():
    scores = ro.read_scores(LOGS / "lm_eval")
    oracle = oracle_of("lm_eval")
    assert set(scores.algorithms) == {"org/grpo", "org/llama-3"}
    assert scores.tasks == ("arc_easy", "winogrande")
    for task in scores.tasks:
        assert scores.cell("org/grpo", task).tolist() == [np.mean(oracle[f"org/grpo-seed{i}"][task]) for i in (0, 1)]


def test_questions_of_lm_eval_are_tasks_where_they_are_the_unit():
    scores = ro.read_scores(LOGS / "lm_eval", unit="episode")
    assert scores.of_items
    for (model, item), (value,) in cells(scores).items():
        task, question = item.split("/")
        assert value == oracle_of("lm_eval")[model][task][int(question)]


@pytest.mark.parametrize(
    ("filters", "kind", "scores"),
    [
        (("strict", "loose"), "strict", [0.0, 0.0, 1.0]),
        (("strict", "loose"), "loose", [1.0, 1.0, 1.0]),
        ((None,), "none", [0.0, 0.0, 1.0]),  # samples of a version that writes no filter
    ],
)
def test_the_answers_to_questions_are_those_by_the_filter_of_the_score(put, tmp_path, filters, kind, scores):
    named = {"exact_match," + (name or "none"): 0.5 for name in filters}
    date = "2025-01-01T10-00-00.123456"
    put(f"m/results_{date}.json", json.dumps({"results": {"sums": named}, "model_name": "m", "config": {}}))
    rows = [
        {"doc_id": i, "exact_match": float(i == 2 or at)} | ({"filter": name} if name else {})
        for i in range(3)
        for at, name in enumerate(filters)
    ]
    put(f"m/samples_sums_{date}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    read = ro.read_scores(tmp_path, unit="episode", columns={"score": f"exact_match,{kind}"})
    assert read.values.tolist() == scores


def test_models_of_lm_eval_are_paired_question_by_question():
    scores = ro.read_scores(LOGS / "lm_eval", unit="episode")
    with pytest.raises(ro.DesignError, match="over='tasks'"):
        ro.compare(scores, over="runs")
    assert {(pair.test, pair.n_tasks) for pair in ro.compare(scores).pairs} == {("tango", 12)}


def test_an_evaluation_made_twice_is_read_once_with_a_warning(tmp_path):
    shutil.copytree(LOGS / "lm_eval" / "org__llama-3", tmp_path / "org__llama-3")
    (path,) = tmp_path.rglob("results_*")
    later = json.loads(path.read_text())
    later["results"]["arc_easy"]["acc,none"] = 0.125
    path.with_name("results_2024-02-01T00-00-00.000000.json").write_text(json.dumps(later))
    with pytest.warns(ro.RunoffWarning, match="several evaluations of one model on one task"):
        scores = ro.read_scores(tmp_path)
    assert scores.cell("org/llama-3", "arc_easy").tolist() == [0.125]


def put_renamed(folder, name: str, loaded: str, value: float) -> None:
    """Write what lm-eval writes of a model that has no name, in a file that a user named."""
    results = {"arc_easy": {"acc,none": value, "acc_stderr,none": 0.1, "alias": "arc_easy"}}
    content = {"results": results, "config": {"model": "hf", "model_args": f"pretrained={loaded},dtype=bfloat16"}}
    (folder / name).write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("name", "loaded"),
    [
        ("{a}_seed{r}_results.json", "/ckpt/{a}/seed{r}"),
        ("{a}_seed{r}.json", "/ckpt/{a}"),
        ("{a}{r}.json", "./out/{a}-seed{r}/"),
        ("results_{a}-{r}.json", "{a}-seed{r}"),
    ],
)
def test_results_of_lm_eval_that_a_user_named_are_of_what_was_loaded(tmp_path, name, loaded):
    for k, a in enumerate(("dolma", "fineweb")):
        for r in (6, 7):
            put_renamed(tmp_path, name.format(a=a, r=r), loaded.format(a=a, r=r), k + r / 10)
    scores = ro.read_scores(tmp_path)
    assert scores.to_dict() == {"dolma": {"arc_easy": [0.6, 0.7]}, "fineweb": {"arc_easy": [1.6, 1.7]}}


def test_one_place_of_a_model_is_its_whole_name(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        put_renamed(tmp_path / folder, "eval.json", f"/{folder}/final", 0.5)
    assert ro.read_scores(tmp_path).algorithms == ("/a/final", "/b/final")


def test_questions_of_inspect_are_tasks_whose_mean_is_the_accuracy_that_inspect_tells_and_epochs_are_attempts():
    scores = ro.read_scores(LOGS / "inspect_ai", unit="episode")
    assert scores.n_runs.tolist() == [[2] * 4] * 2
    for model, accuracy in oracle_of("inspect_ai").items():
        values = [float(cell.mean()) for cell in scores.cells(model)]
        assert np.mean(values) == pytest.approx(accuracy["accuracy"], rel=1e-12)
        assert sorted(values) == sorted(accuracy["questions"].values())


@pytest.mark.parametrize("model", ["first", "second"])
def test_the_score_of_a_model_of_inspect_is_the_accuracy_that_inspect_tells(tmp_path, model):
    path = sorted((LOGS / "inspect_ai").iterdir())[model == "second"]
    shutil.copy(path, tmp_path)
    scores = ro.read_scores(tmp_path)
    (name,) = scores.algorithms
    assert scores.values.tolist() == pytest.approx([oracle_of("inspect_ai")[name]["accuracy"]], rel=1e-12)


def test_an_evaluation_of_inspect_that_failed_is_left_out_with_a_warning(tmp_path):
    first, second = sorted((LOGS / "inspect_ai").iterdir())
    shutil.copy(first, tmp_path)
    (tmp_path / second.name).write_text(second.read_text().replace('"status": "success"', '"status": "error"', 1))
    with pytest.warns(ro.RunoffWarning, match="1 evaluation.s. did not finish successfully"):
        assert ro.read_scores(tmp_path).n_algorithms == 1


@pytest.mark.sampled(12)
@pytest.mark.parametrize("tool", [name for name in MAKERS if name not in SWEEPS])
def test_a_sample_written_as_parquet_reads_back_as_the_same_curves(tool, tmp_path):
    folder = {"tensorboard": "tensorboard/torch"}.get(tool, tool)
    curves = ro.read_curves(LOGS / folder, unit="episode" if tool == "inspect_ai" else "run")
    ro.reading.write_runs(curves, tmp_path / "runs.parquet")
    again = ro.read_curves(tmp_path / "runs.parquet")
    assert again.to_frame().equals(curves.to_frame(), null_equal=True)
    assert set(again.to_frame().columns) >= {"algorithm", "task", "run", "step", "score"}


def test_the_times_of_agilerl_in_names_of_folders_name_no_algorithm(tmp_path):
    """Its TensorBoard logger appends month, day, year and time to `ALGORITHM-TASK` (agilerl/logger.py of 2.58.0)."""
    for algorithm, source in (("DQN", "PPO"), ("RainbowDQN", "SAC")):
        for seed in range(2):
            target = tmp_path / f"{algorithm}-CartPole-v1-1127202622432{seed}"
            shutil.copytree(LOGS / "tensorboard" / "torch" / f"{source}_Hopper-v4_{seed}", target)
    curves = ro.read_curves(tmp_path)
    assert (curves.algorithms, curves.tasks, curves.n_runs.tolist()) == (
        ("DQN", "RainbowDQN"),
        ("CartPole-v1",),
        [[2], [2]],
    )


def test_evaluations_without_steps_are_no_learning_curves():
    origin = ro.read_scores(LOGS / "inspect_ai", unit="episode").provenance
    assert (origin.score, origin.steps, origin.trained) == (None, (), ())
    assert not any("step" in note or "curve" in note for note in origin.notes)
