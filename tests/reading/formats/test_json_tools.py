"""Laws of JSON and texts that tools of benchmarks write: SWE-bench, IOHprofiler, COCO, Ultralytics."""

from __future__ import annotations

import json

import pytest

import runoff as ro


def report(resolved, unresolved, **more):
    return {"resolved_ids": resolved, "unresolved_ids": unresolved, "error_ids": [], "schema_version": 2, **more}


def test_a_report_of_swe_bench_without_the_submitted_instances_names_them_in_its_parts(tmp_path):
    (tmp_path / "a.run.json").write_text(json.dumps(report(["x", "y"], ["z"], submitted_instances=3)))
    (tmp_path / "b.run.json").write_text(json.dumps(report(["x"], ["z"], empty_patch_ids=["y"])))
    scores = ro.load(tmp_path)
    assert scores.to_dict() == {"a": {"x": [1], "y": [1], "z": [0]}, "b": {"x": [1], "y": [0], "z": [0]}}


def test_a_report_of_swe_bench_that_lacks_instances_is_refused(tmp_path):
    (tmp_path / "a.run.json").write_text(json.dumps(report(["x"], ["z"], submitted_instances=5)))
    with pytest.raises(ro.DataError, match="5 instances were submitted, and the report names 2 of them"):
        ro.load(tmp_path / "a.run.json")


def test_what_the_leaderboard_of_swe_bench_keeps_is_refused_with_the_way_out(tmp_path):
    (tmp_path / "results.json").write_text(json.dumps({"resolved": ["x"], "no_generation": [], "no_logs": ["y"]}))
    with pytest.raises(ro.DataError, match=r"read the reports of the models, MODEL\.RUN\.json"):
        ro.load(tmp_path / "results.json")


@pytest.mark.parametrize("maximised", [False, True])
def test_the_best_values_of_ioh_are_those_of_its_runs(tmp_path, maximised):
    for name, best in (("cma", [1.5, 2.5]), ("de", [3.5, 4.5])):
        runs = [{"instance": 1, "evals": 10, "best": {"evals": 9, "y": y}} for y in best]
        own = {"function_name": "Sphere", "maximization": maximised, "algorithm": {"name": name}}
        own["scenarios"] = [{"dimension": 5, "path": "x.dat", "runs": runs}, {"dimension": 20, "runs": runs}]
        (tmp_path / f"{name}.json").write_text(json.dumps(own))
    if maximised:
        scores = ro.load(tmp_path)
    else:
        with pytest.warns(ro.RunoffWarning, match="less is better"):
            scores = ro.load(tmp_path)
    assert scores.cell("cma", "Sphere 20D").tolist() == [y if maximised else -y for y in (1.5, 2.5)]


def test_logs_of_coco_are_refused_with_the_way_out(tmp_path):
    (tmp_path / "bbob.txt").write_text("% function evaluation | noise-free fitness\n1 +1.5e+01 +1.5e+01\n")
    with pytest.raises(ro.DataError, match=r"a log of COCO's experiments; write one row for each run"):
        ro.load(tmp_path / "bbob.txt")


def test_series_of_a_trainer_are_no_algorithms_and_heads_are_read_without_the_blanks_around_them(tmp_path):
    heads = ["epoch", "train/box_loss", "metrics/recall(B)", "metrics/mAP50(B)", "val/box_loss", "lr/pg0"]
    for name in ("nano_seed0", "small_seed0"):
        rows = [heads, *([f"{e}", "1.5", f"0.{e}", f"0.2{e}", "1.25", "0.1"] for e in (1, 2))]
        (tmp_path / f"{name}.csv").write_text("\n".join(",".join(f"{cell:>25}" for cell in row) for row in rows))
    with pytest.raises(ro.DataError, match="no column is recognised as the score"):
        ro.load(tmp_path)
    curves = ro.load(tmp_path, columns={"score": "metrics/mAP50(B)"})
    assert curves.final(1).to_dict() == {name: {"task": [0.22]} for name in ("nano", "small")}


@pytest.mark.parametrize("number", [int, str])
def test_instances_that_have_numbers_for_names_are_resolved_by_them(tmp_path, number):
    content = {"submitted_ids": [*map(number, (11, 12, 13))], "resolved_ids": [11, number(13)], "schema_version": 2}
    (tmp_path / "a.run.json").write_text(json.dumps(content))
    assert [*ro.load(tmp_path).to_dict().values()] == [{"11": [1], "12": [0], "13": [1]}]


def test_an_experiment_of_ioh_that_does_not_say_what_is_better_is_minimised(tmp_path):
    runs = [{"instance": 1, "evals": 10, "best": {"evals": 9, "y": y}} for y in (1.5, 2.5)]
    own = {"function_name": "Sphere", "algorithm": {"name": "cma"}, "scenarios": [{"dimension": 5, "runs": runs}]}
    (tmp_path / "cma.json").write_text(json.dumps(own))
    with pytest.warns(ro.RunoffWarning, match="less is better"):
        assert ro.load(tmp_path).values.tolist() == [-1.5, -2.5]


def test_instances_whose_patch_failed_count_as_submitted_and_a_report_on_one_alone_is_refused(tmp_path):
    (tmp_path / "a.run.json").write_text(
        json.dumps({**report(["x"], ["z"]), "error_ids": ["y"], "empty_patch_ids": ["w"]})
    )
    assert [*ro.load(tmp_path).to_dict().values()] == [{"w": [0], "x": [1], "y": [0], "z": [0]}]
    alone = {"repo__1": {"patch_is_None": False, "patch_exists": True, "resolved": True, "tests_status": {}}}
    (tmp_path / "report.json").write_text(json.dumps(alone))
    with pytest.raises(ro.DataError, match=r"a report of SWE-bench on one instance; .* read the reports of the models"):
        ro.load(tmp_path / "report.json")
