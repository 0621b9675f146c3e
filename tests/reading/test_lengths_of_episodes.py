"""Steps that are the lengths of episodes: they are no progress of training."""

from __future__ import annotations

import json

import pytest

import runoff as ro

LENGTHS = {"falling": [200, 150, 180, 99, 120], "rising": [9, 15, 18, 29, 120], "equal": [200] * 5}
pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


def rows(lengths: list[int]) -> list[dict[str, float]]:
    return [{"episode": k, "steps": n, "reward": k + 0.5} for k, n in enumerate(lengths, start=1)]


WAYS = {
    "csv": lambda own: "\n".join(["episode,steps,reward", *(",".join(map(str, row.values())) for row in own), ""]),
    "log": lambda own: "".join(" ".join(f"{k}={v}" for k, v in row.items()) + "\n" for row in own),
    "out": lambda own: "".join(f"{row}\n" for row in own),
    "jsonl": lambda own: "".join(f"{json.dumps(row)}\n" for row in own),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("second", LENGTHS)
def test_steps_that_do_not_rise_where_episodes_do_are_not_read_in_any_file(put, way, second):
    for algorithm in ("ppo", "sac"):
        for run, lengths in enumerate(("falling", second)):
            folder = put(f"{algorithm}/seed_{run}.{way}", WAYS[way](rows(LENGTHS[lengths]))).parent.parent
    curves = ro.load(folder)
    assert {*curves.to_frame()["step"]} == {1, 2, 3, 4, 5}
    assert any("'steps' does not rise where 'episode' does" in note for note in curves.provenance.notes)


def test_steps_that_rise_with_episodes_are_those_of_training(put):
    total = [200, 350, 530, 629, 749]
    assert [*ro.load(put("ppo.csv", WAYS["csv"](rows(total)))).to_frame()["step"]] == total


@pytest.mark.parametrize("way", ["csv", "log", "jsonl"])
def test_a_lone_file_is_asked_about_as_one_without_steps(put, way):
    path = put(f"ppo.{way}", WAYS[way](rows(LENGTHS["falling"])))
    with pytest.raises(ro.DataError, match="column 'episode' may number attempts"):
        ro.load(path)
    assert [*ro.load(path, columns={"step": "episode"}).to_frame()["step"]] == [1, 2, 3, 4, 5]


def test_a_script_s_records_are_counted_by_their_episodes(put):
    for run in (0, 1):
        put(f"runs/seed_{run}/config.json", json.dumps({"algo": "ppo", "seed": run}))
        path = put(f"runs/seed_{run}/metrics.jsonl", WAYS["jsonl"](rows(LENGTHS["falling"])))
    assert [*ro.load(path.parent.parent).to_frame()["step"]] == [1, 2, 3, 4, 5] * 2


@pytest.mark.parametrize("head", ["fes", "FEs", "NFEs", "nfe", "n_evaluations", "fevals", "num evals"])
def test_evaluations_of_an_optimiser_are_steps_where_they_rise(put, head):
    rows = [(a, s, 100 * k, f"{s}.5") for a in "AB" for s in range(2) for k in (1, 2, 3)]
    path = put("r.csv", f"algo,seed,{head},score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    assert ro.load(path).steps.tolist() == [100, 200, 300] * 4


@pytest.mark.parametrize(
    ("budget", "head"), [("total_steps", "env_steps"), ("frames", "env_steps"), ("env_steps", "frames")]
)
def test_a_budget_that_is_the_same_in_all_rows_is_no_step_beside_steps(put, budget, head):
    rows = [(a, s, 900, k, f"{s}.5") for a in "AB" for s in range(2) for k in (1, 2, 3)]
    path = put("r.csv", f"algo,Seed,{budget},{head},score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    assert ro.load(path).steps.tolist() == [1, 2, 3] * 4
