"""Offline experiments of trackers, and results of models: names, values, attempts; what is asked; what is refused."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product

import numpy as np
import pytest

import runoff as ro
from runoff.reading.logs.wire import zips
from tests.reading.logs.kept import (
    KEPT,
    RESULTS,
    N,
    clearml,
    inspect_members,
    neptune_offline,
    right,
    swan_file,
    swan_value,
    zipped,
    zipped_by_zstd,
)
from tests.reading.logs.layouts import STEPS
from tests.reading.logs.test_layouts import ALGORITHMS, TASKS, cells

MODELS = ("base", "tuned-7b")


@pytest.mark.filterwarnings("error::runoff.RunoffWarning")
@pytest.mark.parametrize("kind", KEPT)
def test_what_a_tracker_keeps_has_the_names_and_values_that_were_logged(put, tmp_path, kind):
    for algorithm, task, seed in product(ALGORITHMS, TASKS, (1, 2)):
        KEPT[kind](put, algorithm, task, seed, 0.001)
    curves = ro.read_curves(tmp_path)
    assert cells(curves) == Counter(dict.fromkeys(product(ALGORITHMS, TASKS), 2))
    assert curves.steps.tolist() == list(STEPS) * 12
    assert curves.values.tolist() == pytest.approx([step / 7 for step in STEPS] * 12)
    # A step is logged each second.
    assert curves.time.tolist() == pytest.approx([step - STEPS[0] for step in STEPS] * 12)


@pytest.mark.parametrize("kind", KEPT)
def test_settings_that_a_tracker_keeps_are_configurations(put, tmp_path, kind):
    for seed, lr in ((1, 0.001), (2, 0.001), (3, 0.0003), (4, 0.0003)):
        KEPT[kind](put, "td3", "Hopper-v4", seed, lr)
    assert sorted(cells(ro.read_curves(tmp_path).variants()).values()) == [2, 2]


def test_a_cut_off_file_of_swanlab_is_read_up_to_its_break_with_a_warning(put, tmp_path):
    values = [swan_value("eval/return", step, float(step)) for step in range(1, 4)]
    put("run-1-x/run-x.swanlab", swan_file(*values)[:-5])
    with pytest.warns(ro.RunoffWarning, match="a record is damaged"):
        assert ro.read_curves(tmp_path).values.tolist() == [1.0, 2.0]


def test_records_of_swanlab_that_cross_blocks_are_whole(put, tmp_path):
    values = [swan_value("eval/" + "x" * 999 + "/return", step, float(step)) for step in range(1, 101)]
    put("run-1-x/run-x.swanlab", swan_file(*values))
    assert ro.read_curves(tmp_path).values.tolist() == list(range(1, 101))


def test_a_series_that_was_deleted_in_neptune_is_gone(put, tmp_path):
    for seed in (1, 2):
        neptune_offline(put, "ppo", "Hopper-v4", seed, 0.1)
    first, _ = sorted(tmp_path.rglob("data-1.log"))
    first.write_text(first.read_text() + '{"obj": {"type": "DeleteAttribute", "path": ["eval", "return"]}}\n')
    with pytest.warns(ro.RunoffWarning, match="it has no series"):
        assert ro.read_curves(tmp_path).n_runs.sum() == 1


def test_a_run_that_failed_in_neptune_is_asked_about(put, tmp_path):
    for seed in (1, 2):
        neptune_offline(put, "ppo", "Hopper-v4", seed, 0.1)
    first, _ = sorted(tmp_path.rglob("data-1.log"))
    first.write_text(first.read_text() + '{"obj": {"type": "AssignBool", "path": ["sys", "failed"], "value": true}}\n')
    with pytest.raises(ro.DataError, match="did not finish successfully"):
        ro.read_scores(tmp_path)


# ── results of models ──────────


def test_a_record_that_begins_with_its_time_is_no_simulation_of_agents(put, tmp_path):
    for seed, score in enumerate((1.0, 2.0)):
        record = {"timestamp": "1", "algorithm": "A", "task": "t", "seed": seed, "score": score}
        put(f"runs/{seed}.json", json.dumps(record))
    assert ro.load(tmp_path / "runs").cell("A", "t").tolist() == [1.0, 2.0]


@pytest.mark.parametrize("attempts", [1, 3])
@pytest.mark.parametrize("kind", RESULTS)
def test_items_of_a_model_are_tasks_and_attempts_are_rows_of_one(put, tmp_path, kind, attempts):
    for model in MODELS:
        RESULTS[kind](put, model, "maths", attempts)
    scores = ro.read_scores(tmp_path, unit="episode")
    assert (scores.algorithms, len(scores.tasks)) == (MODELS, N)
    item = {"helm": "maths/id{}", "inspect_packed": "maths/q{}"}.get(kind, "maths/{}")
    for model, k in product(MODELS, range(N)):
        assert sorted(scores.cell(model, item.format(k))) == sorted(right(model, k, i) for i in range(attempts))


@pytest.mark.parametrize("kind", RESULTS)
def test_one_evaluation_of_each_model_is_asked_about_and_one_of_several_trainings_is_a_mean(put, tmp_path, kind):
    for model in MODELS:
        RESULTS[kind](put, model, "maths", 2)
    with pytest.raises(ro.DataError, match=r"2 models has one evaluation on each task.*use unit='episode'"):
        ro.read_scores(tmp_path)
    for model in ("grpo-seed1", "grpo-seed2"):
        RESULTS[kind](put, model, "maths", 2)
    scores = ro.read_scores(tmp_path)
    means = [np.mean([right(m, k, i) for k in range(N) for i in range(2)]) for m in ("grpo-seed1", "grpo-seed2")]
    assert scores.cell("grpo", "maths").tolist() == pytest.approx(means)


def test_perturbed_copies_of_items_of_helm_are_left_out_with_a_note(put, tmp_path):
    for model in MODELS:
        RESULTS["helm"](put, model, "maths", 1)
    notes = ro.read_scores(tmp_path, unit="episode").provenance.notes
    assert any("2 result(s) of perturbed copies" in note for note in notes)


def test_older_packed_logs_without_summaries_have_the_scores_of_their_samples(put, tmp_path):
    for model in MODELS:
        content = inspect_members(model, "maths", 1)
        rows = json.loads(content.pop("summaries.json"))
        samples = {f"samples/{row['id']}_epoch_1.json": json.dumps(row).encode() for row in rows}
        put(f"{model}.eval", zipped({**content, **samples}))
    assert len(ro.read_scores(tmp_path, unit="episode").tasks) == N


def test_a_packed_log_without_a_head_was_broken_off_and_is_left_out(put, tmp_path):
    for model in (*MODELS, "third"):
        content = inspect_members(model, "maths", 1)
        put(
            f"{model}.eval",
            zipped_by_zstd({"summaries.json": content["summaries.json"]} if model == "third" else content),
        )
    with pytest.warns(ro.RunoffWarning, match=r"1 evaluation\(s\) did not finish successfully"):
        assert ro.read_scores(tmp_path, unit="episode").algorithms == MODELS


# ── archives that unpack to much ──────────


@pytest.mark.parametrize("says", ["its size", "too little"])
def test_a_member_that_unpacks_to_much_is_refused_before_it_fills_the_memory(put, tmp_path, monkeypatch, says):
    monkeypatch.setattr(zips, "LARGEST", 100_000)
    content = {**inspect_members("m", "maths", 1), "summaries.json": b"[" + b" " * 1_000_000 + b"]"}
    put("m.eval", zipped_by_zstd(content, claims=None if says == "its size" else 1000))
    with pytest.raises(ro.DataError, match=r"reads at most 100,000|the size that its header states|well-formed"):
        ro.read_scores(tmp_path, unit="episode")


def test_a_bomb_in_an_experiment_of_comet_is_refused(put, tmp_path, monkeypatch):
    monkeypatch.setattr(zips, "LARGEST", 100_000)
    put("x.zip", zipped({"messages.json": b"\n" * 1_000_000, "experiment.json": b"{}"}))
    with pytest.raises(ro.DataError, match="reads at most 100,000"):
        ro.read_scores(tmp_path)


def test_without_the_package_for_zstandard_the_refusal_names_it(put, tmp_path, monkeypatch):
    RESULTS["inspect_packed"](put, "m", "maths", 1)
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(ro.DataError, match=r"pip install zstandard"):
        ro.read_scores(tmp_path, unit="episode")


def test_two_metrics_of_lm_eval_are_one_family_that_is_named_once(put, tmp_path):
    for model, value in (("a", 0.5), ("b", 0.75)):
        results = {"gsm8k": {"exact_match,strict-match": value}, "arc": {"acc,none": value - 0.25}}
        content = {"results": results, "group_subtasks": {}, "model_name": model, "config": {}}
        put(f"{model}/results_2025-01-01T10-00-00.123456.json", json.dumps(content))
    with pytest.raises(
        ro.DataError,
        match=r"columns={'score': '(acc,none\|exact_match,strict-match|exact_match,strict-match\|acc,none)'}",
    ):
        ro.read_scores(tmp_path)
    scores = ro.read_scores(tmp_path, columns={"score": "exact_match,strict-match|acc,none"})
    assert (scores.cell("b", "gsm8k").tolist(), scores.cell("b", "arc").tolist()) == ([0.75], [0.5])


def test_totals_over_items_are_asked_about_without_a_unit_that_they_lack(put, tmp_path):
    for model, value in (("a", 0.5), ("b", 0.75)):
        content = {"results": {"arc": {"acc,none": value}}, "n-samples": {"arc": {"effective": 100}}, "config": {}}
        put(f"{model}/results_2025-01-01T10-00-00.123456.json", json.dumps(content | {"model_name": model}))
    with pytest.raises(
        ro.DataError, match=r"single mean of 100 items .* log the result of each item .lm_eval --log_samples"
    ) as refusal:
        ro.read_scores(tmp_path)
    assert "unit=" not in str(refusal.value)


def test_a_family_by_a_form_takes_the_one_series_of_each_run_and_refuses_two(put, tmp_path):
    clearml(put, "ppo", "Hopper-v4", 1, 0.1)
    assert ro.read_curves(tmp_path, series="eval/*").values.size == len(STEPS)
    values = [swan_value(f"eval/{name}", 1, 2.0) for name in "ab"]
    put("x/run-1-x/run-x.swanlab", swan_file(*values))
    with pytest.raises(ro.OptionError, match=r"'eval/\*' may be 'eval/a', 'eval/b' here"):
        ro.read_curves(tmp_path / "x", series="eval/*")


def test_rollouts_of_verifiers_are_of_items_by_either_name_and_answers_are_no_measures(put, tmp_path):
    for model in MODELS:
        rows = [{"id": k, "answer": 7 * k, "info": 3, "reward": k / 4} for k in range(3)]
        put(f"{model}/results.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        put(f"{model}/metadata.json", json.dumps({"env_id": "maths", "model": model}))
    assert {row.all_series for row in ro.scan(tmp_path).rows} == {("reward",)}
    assert ro.read_scores(tmp_path, unit="episode").tasks == ("maths/0", "maths/1", "maths/2")


def test_statistics_of_helm_are_those_of_the_test_split_as_a_mean_or_a_sum_by_its_count(put, tmp_path):
    def stat(split, **own):
        return {"name": {"name": "exact_match", "split": split}, **own}

    for model in MODELS:
        rows = [{"instance_id": "a", "stats": [stat("test", count=4, sum=3.0), stat("valid", count=1, sum=9.0)]}]
        rows += [
            {"instance_id": "b", "stats": [stat("test", mean=0.5)]},
            {"instance_id": "c", "stats": [stat("valid", mean=8.0)]},
        ]
        put(f"{model}/per_instance_stats.json", json.dumps(rows))
        name = f"maths:model={model},model_deployment=x/{model},level=2"
        put(f"{model}/run_spec.json", json.dumps({"name": name, "adapter_spec": {"model": model}}))
    scores = ro.read_scores(tmp_path, unit="episode")
    assert scores.to_dict() == {model: {"maths:level=2/a": [0.75], "maths:level=2/b": [0.5]} for model in MODELS}


def test_of_two_simulations_of_a_domain_the_later_counts(put, tmp_path):
    info = {"agent_info": {"llm": "m"}, "environment_info": {"domain_name": "air"}}
    for name, time, reward in (("a", "2025-03-02", 1.0), ("b", "2025-03-01", 0.25)):
        rows = [{"task_id": str(k), "reward_info": {"reward": reward}} for k in range(2)]
        put(f"{name}.json", json.dumps({"timestamp": time, "info": info, "simulations": rows}))
    with pytest.warns(ro.RunoffWarning, match=r"the latest is read \(1 left out\)"):
        assert set(ro.read_scores(tmp_path, unit="episode").values.tolist()) == {1.0}
