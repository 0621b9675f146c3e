"""Tasks with a measure of their own, settings of JSON below the name of what they set, and scores that were written again."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from runoff.errors import DataError

OWN = {"arc": "acc_norm,none", "boolq": "acc,none", "gsm8k": "exact_match,strict-match"}


def runs(**measures):
    """Return a record for each run of two models, with the measure of each task."""
    return [
        {"model": a, "seed": s, "results": {t: {name: s + 10 * (a == "b"), f"{name}_stderr": 0.1} for t, name in measures.items()}}
        for a in "ab"
        for s in range(3)
    ]  # fmt: skip


def as_csv(rows):
    heads = [*dict.fromkeys(name for row in rows for own in row["results"].values() for name in own)]
    lines = [
        ",".join([row["model"], t, str(row["seed"]), *(str(own.get(name, "")) for name in heads)])
        for row in rows
        for t, own in row["results"].items()
    ]
    return "\n".join([",".join(["model", "task", "seed", *(f'"{name}"' for name in heads)]), *lines])


@pytest.mark.parametrize(
    "own", [OWN, {"x": "accuracy", "y": "F1"}, {"x": "mean_return", "y": "success_rate", "z": "success_rate"}]
)
@pytest.mark.parametrize("write", [json.dumps, as_csv])
def test_the_only_measure_of_each_task_is_its_score(put, own, write):
    scores = ro.load(put("runs.json" if write is json.dumps else "runs.csv", write(runs(**own))))
    assert scores.to_dict() == {a: {t: [b, b + 1, b + 2] for t in own} for a, b in (("a", 0.0), ("b", 10.0))}
    assert any("each task has one measure, which is its score" in note for note in scores.provenance.notes)


def both(rows):
    rows[0]["results"]["arc"]["acc,none"] = 0.5


def another(rows):
    rows[0]["results"]["arc"] = {"acc,none": 0.5}


def a_cost(rows):
    for row in rows:
        row["results"]["boolq"] = {"score (lower is better)": 0.5}


@pytest.mark.parametrize("change", [both, another, a_cost])
def test_tasks_of_several_measures_and_one_whose_measure_changes_or_is_a_cost_are_asked_about(put, change):
    change(rows := runs(**OWN))
    with pytest.raises(DataError, match=r"could each be the score|score is missing"):
        ro.load(put("runs.json", json.dumps(rows)))


@pytest.mark.parametrize("measures", [("accuracy", "acc ↓"), ("acc ↓", "accuracy"), ("score", "return ↓")])
@pytest.mark.parametrize("lower", [False, True])
def test_a_measure_that_is_a_cost_by_its_name_joins_no_others(put, measures, lower):
    own = dict(zip("xy", measures, strict=True))
    with pytest.raises(DataError, match=r"could each be the score|is missing|like a score of which more is better"):
        ro.load(put("runs.csv", as_csv(runs(**own))), lower_is_better=lower)


@pytest.mark.parametrize("measures", [("acc ↓", "accuracy ↓"), ("reward ↓", "score ↓")])
def test_costs_of_each_task_are_its_score_by_request(put, measures):
    own = dict(zip("xy", measures, strict=True))
    scores = ro.load(put("runs.csv", as_csv(runs(**own))), lower_is_better=True)
    assert scores.to_dict() == {a: {t: [-b, -b - 1, -b - 2] for t in own} for a, b in (("a", 0.0), ("b", 10.0))}


@pytest.mark.parametrize("key", ["name", "id"])
@pytest.mark.parametrize("wrap", [lambda own: own, lambda own: {"value": own, "desc": None}])
def test_what_has_a_name_and_settings_of_its_own_in_a_configuration_is_called_by_it(put, key, wrap):
    rows = [
        {"config": {"algo": wrap({key: a, "lr": 0.1}), "env": wrap({key: "Ant-v4", "limit": 9}), "seed": s}, "summary": {"return": s}}
        for a in ("PPO", "SAC")
        for s in range(3)
    ]  # fmt: skip
    lines = "\n".join(map(json.dumps, rows))
    assert ro.load(put("runs.jsonl", lines)).to_dict() == {a: {"Ant-v4": [0.0, 1.0, 2.0]} for a in ("PPO", "SAC")}
    with pytest.raises(DataError, match="which is not a name"):
        ro.load(put("two.jsonl", lines.replace('"limit": 9', f'"{"id" if key == "name" else "name"}": "gym"')))


def test_the_settings_beside_such_a_name_tell_runs_apart(put):
    rows = [
        {"config": {"algo": {"name": "PPO", "lr": lr}, "seed": s}, "score": s} for lr in (0.1, 0.2) for s in range(3)
    ]
    notes = ro.load(put("runs.jsonl", "\n".join(map(json.dumps, rows)))).provenance.notes
    assert "the runs of 'PPO' differ in 'config.algo.lr': each value is of a configuration" in notes
