"""Frames that W&B and MLflow hand to the user: names by the configuration, no run that failed, no settings pooled, gaps between evaluations."""

from __future__ import annotations

import pandas as pd
import pytest

import runoff as ro


def searched(**columns: object) -> pd.DataFrame:
    """Return what `mlflow.search_runs()` does: two algorithms, three runs each."""
    n = range(6)
    return pd.DataFrame(
        {
            "run_id": [f"{i:032x}" for i in n],
            "experiment_id": "1",
            "status": "FINISHED",
            "artifact_uri": "",
            "start_time": pd.Timestamp("2026-01-01", tz="UTC"),
            "metrics.eval_return": [float(i) for i in n],
            "metrics.train_return": 7.0,
            "params.algo": ["sac"] * 3 + ["td3"] * 3,
            "params.env": "Hopper-v4",
            "params.seed": ["1", "2", "3"] * 2,
            "tags.mlflow.runName": [f"bold-{i}" for i in n],
        }
        | columns
    )


def history(*, gaps: bool = True, **columns: object) -> pd.DataFrame:
    """Return what `run.history()` of four runs does: a row a call of `wandb.log`, NaN where the return was not logged."""
    calls = [(algo, seed, step) for algo in ("sac", "td3") for seed in (1, 2) for step in range(0, 1000, 10)]
    return pd.DataFrame(
        {
            "_step": [step for *_, step in calls],
            "_runtime": 1.5,
            "_timestamp": 1.7e9,
            "losses/value_loss": 0.5,
            "episodic_return": [
                float(seed + step) if not (gaps and step % 30) else float("nan") for _, seed, step in calls
            ],
            "name": [f"{algo}-{seed}" for algo, seed, _ in calls],
            "state": "finished",
            "algo": [algo for algo, *_ in calls],
            "env_id": "Hopper-v4",
            "seed": [seed for _, seed, _ in calls],
        }
        | columns
    )


def test_an_mlflow_search_is_named_by_its_parameters_and_scored_by_its_evaluation():
    scores = ro.Scores.from_frame(searched())
    assert (scores.algorithms, scores.tasks, scores.run_labels) == (("sac", "td3"), ("Hopper-v4",), ("1", "2", "3") * 2)
    assert scores.values.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_table_of_configurations_and_summaries_is_read():
    frame = searched().rename(columns=lambda name: name.replace("params.", "config.").replace("metrics.", "summary."))
    assert ro.Scores.from_frame(frame) == ro.Scores.from_frame(searched())


def test_a_seed_that_was_trained_twice_is_refused_though_its_ids_differ():
    with pytest.raises(ro.DataError, match="run '1' appears twice, in row 0 and row 2"):
        ro.Scores.from_frame(searched(**{"params.seed": ["1", "2", "1"] * 2}))
    assert ro.Scores.from_frame(searched(), run="run_id").run_labels[0] == "0" * 32


@pytest.mark.parametrize("status", ["FAILED", "RUNNING", "KILLED", "SCHEDULED"])
def test_a_run_that_did_not_finish_is_no_score_of_a_frame(status):
    frame = searched(status=["FINISHED"] * 5 + [status])
    with pytest.raises(
        ro.DataError, match=rf"1 of 6 rows .* \(column 'status': '{status}'\); choose how they count: incomplete='drop'"
    ):
        ro.compare(frame)
    assert ro.load(frame, incomplete="drop").n_runs.tolist() == [[3], [2]]
    assert ro.Scores.from_frame(frame[frame.status == "FINISHED"]).n_runs.tolist() == [[3], [2]]
    assert ro.Scores.from_frame(frame.drop(columns="status")).n_runs.tolist() == [[3], [3]]


def test_episodes_of_a_run_that_did_not_finish_are_not_averaged():
    with pytest.raises(ro.DataError, match=r"1 of 6 rows .* 'KILLED'"):
        ro.Scores.from_episodes(searched(status=["FINISHED"] * 5 + ["KILLED"]))


@pytest.mark.parametrize("state", ["crashed", "running", "preempting"])
def test_a_history_of_a_run_that_did_not_finish_is_refused(state):
    frame = history()
    frame.loc[frame.name == "td3-2", "state"] = state
    with pytest.raises(ro.DataError, match=f"100 of 400 rows .* 'state': '{state}'"):
        ro.Curves.from_frame(frame)


def test_settings_of_a_frame_are_configurations_as_those_of_a_file_are():
    frame = searched(**{"params.lr": ["0.1", "0.1", "0.2"] * 2})
    scores = ro.Scores.from_frame(frame).variants()
    assert scores.algorithms[:2] == ("sac (params.lr 0.1)", "sac (params.lr 0.2)")


def test_a_setting_that_differs_between_tasks_alone_makes_no_variants_of_an_algorithm():
    tasks = {"params.env": ["Hopper", "Hopper", "Ant"] * 2, "params.seed": ["1", "2", "1"] * 2}
    frame = searched(**tasks, **{"params.lr": ["0.1", "0.1", "0.2", "0.1", "0.2", "0.2"]})
    scores = ro.Scores.from_frame(frame).variants()
    assert scores.algorithms == ("sac", "td3 (params.lr 0.1)", "td3 (params.lr 0.2)")


def test_curves_of_a_file_have_variants_though_a_setting_changes_from_run_to_run(tmp_path):
    frame = history(gaps=False)
    frame["lr"] = [0.1 if seed == 1 else 0.2 for seed in frame["seed"]]
    frame.to_csv(tmp_path / "runs.csv", index=False)
    curves = ro.read_curves(tmp_path / "runs.csv").variants()
    assert curves.algorithms == ("sac (lr 0.1)", "sac (lr 0.2)", "td3 (lr 0.1)", "td3 (lr 0.2)")


def test_a_column_of_trials_is_not_passed_over_for_a_seed_of_the_configuration():
    with pytest.raises(ro.DataError, match="the columns 'trial', 'run_id' could each be the run"):
        ro.Scores.from_frame(searched(trial=["7", "8", "9"] * 2))


def test_a_missing_metric_of_an_mlflow_search_is_refused():
    with pytest.raises(ro.DataError, match=r"row 5: the score \(column 'metrics\.eval_return'\) is nan"):
        ro.Scores.from_frame(searched(**{"metrics.eval_return": [1.0, 2, 3, 4, 5, float("nan")]}))


def test_rows_of_a_history_between_evaluations_are_left_out_and_counted():
    curves = ro.Curves.from_frame(history())
    assert [steps.size for steps, _ in map(curves.curve, range(4))] == [34] * 4
    assert any("left out: 264 row(s) between evaluations" in note for note in curves.provenance.notes)


def test_a_history_that_ends_with_nan_is_of_a_run_that_ended_early():
    frame = history(gaps=False)
    frame.loc[(frame.name == "td3-2") & (frame["_step"] > 300), "episodic_return"] = float("nan")
    with pytest.raises(ro.DesignError, match="algorithm 'td3', task 'Hopper-v4', run '2' at step 300 of 990"):
        ro.Curves.from_frame(frame).final()


def test_a_history_without_any_return_is_refused():
    frame = history()
    frame.loc[frame.name == "td3-2", "episodic_return"] = float("nan")
    with pytest.raises(ro.DataError, match=r"'episodic_return'\) is nan"):
        ro.Curves.from_frame(frame)


def test_histories_of_one_run_twice_are_refused():
    with pytest.raises(ro.DataError, match="run '1', step 0 appears twice"):
        ro.Curves.from_frame(pd.concat([history(), history()]))
