"""Names that are one in several spellings, copies, and heads of more than a name."""

from __future__ import annotations

import io
import unicodedata

import numpy as np
import pytest

import runoff as ro

HEAD = "algorithm,task,seed,score\n"


def rows(*lines: str) -> str:
    return HEAD + "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("role", ["algorithm", "task"])
@pytest.mark.parametrize("other", [unicodedata.normalize("NFD", "Café"), "Café\u200b", "\uff23afé"])
def test_unicode_forms_of_a_name_are_one(put, role, other):
    lines = [
        f"{name},Pong,{i},{i}" if role == "algorithm" else f"PPO,{name},{i},{i}"
        for i, name in enumerate(("Café", other))
    ]
    with pytest.warns(ro.RunoffWarning, match="two spellings"):
        scores = ro.read_scores(put("runs.csv", rows(*lines)))
    assert getattr(scores, f"{role}s") == ("Café",)
    assert scores.n_runs.tolist() == [[2]]


def test_tasks_that_differ_in_case_are_one_where_no_run_is_in_both(put):
    lines = [f"PPO,hopper-v4,{i},1" for i in range(2)] + [f"SAC,Hopper-v4,{i},2" for i in range(3)]
    with pytest.warns(ro.RunoffWarning, match="the task 'hopper-v4' and 'Hopper-v4' are two spellings"):
        scores = ro.read_scores(put("runs.csv", rows(*lines)))
    assert (scores.tasks, scores.n_runs.tolist()) == (("Hopper-v4",), [[2], [3]])


def test_algorithms_that_differ_in_case_are_one_where_no_run_is_in_both(put):
    lines = [f"{name},Pong,{i},{i}" for i, name in enumerate(("PPO", "ppo", '"PPO "'))] + ["SAC,Pong,0,1"]
    with pytest.warns(ro.RunoffWarning, match="the algorithm 'ppo' and 'PPO' are two spellings"):
        scores = ro.read_scores(put("runs.csv", rows(*lines)))
    assert (scores.algorithms, scores.n_runs.tolist()) == (("PPO", "SAC"), [[3], [1]])


@pytest.mark.parametrize(
    "lines",
    [
        ("PPO,hopper,0,1", "PPO,Hopper,0,2"),
        ("PPO,Pong,0,1", "ppo,Pong,0,2"),
        ("PPO,Hopper-v4,0,1", "SAC,Hopper-v5,0,2"),
    ],
)
def test_names_that_may_be_two_stay_two(put, lines):
    scores = ro.read_scores(put("runs.csv", rows(*lines)))
    assert len(scores.algorithms) * len(scores.tasks) > 1


def test_tasks_that_are_nearly_alike_are_pointed_out(put):
    lines = [f"{name},{task},{i},{i}" for name in ("PPO", "SAC") for task in ("hopper", "Hopper") for i in range(3)]
    advice = ro.compare(ro.read_scores(put("runs.csv", rows(*lines))), n_resamples=100).advice
    assert any(entry.code == "R015" and "'Hopper', 'hopper'" in entry.text for entry in advice)


@pytest.mark.parametrize("other", ["\u0420PO", "PP\u041e", "\u03a1\u03a1\u039f"])
def test_letters_of_another_script_that_look_alike_are_shown_for_what_they_are(other):
    advice = ro.compare(ro.Scores.from_dict({"PPO": [1.0, 2.0, 4.0], other: [2.0, 3.0, 7.0]}), n_resamples=100).advice
    assert any(entry.code == "R015" and f"'PPO', {other!a}" in entry.text for entry in advice)


def test_greek_letters_of_a_name_that_look_like_no_other_are_a_name():
    advice = ro.compare(
        ro.Scores.from_dict({"β-VAE": [1.0, 2.0, 4.0], "b-VAE": [2.0, 3.0, 7.0]}), n_resamples=100
    ).advice
    assert not any(entry.code == "R015" for entry in advice)


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\u202e", "\u2066", "\x9b"])
def test_characters_that_a_terminal_obeys_are_spelled_out(sign):
    spelled = repr(sign)[1:-1]
    frame = {"algorithm": [f"P{sign}PO"], "task": [f"a{sign}b"], "score": [1.0]}
    assert ro.Scores.from_frame(frame).algorithms == (f"P{spelled}PO",)
    nested = ro.Scores.from_dict({f"P{sign}PO": {f"a{sign}b": [1.0]}})
    assert (nested.algorithms, nested.tasks) == ((f"P{spelled}PO",), (f"a{spelled}b",))
    assert nested.rename(tasks={f"a{spelled}b": f"c{sign}"}).tasks == (f"c{spelled}",)


# ── copies, pairs, parts, episodes ──────────


@pytest.mark.parametrize("name", ["PPO (1)", "PPO - Copy", "PPO copy 2", "PPO_Kopie"])
def test_a_copy_by_name_and_bytes_is_left_out(put, name):
    for stem in ("PPO", "SAC", name):
        folder = put(f"{stem}.csv", "task,seed,score\nPong,0,1\nPong,1,2\n").parent
    with pytest.warns(ro.RunoffWarning, match="a copy of 'PPO', byte for byte"):
        assert ro.read_scores(folder).algorithms == ("PPO", "SAC")


def test_heads_of_an_algorithm_and_a_task_that_no_mark_parts_are_refused(put):
    with pytest.raises(ro.DataError, match="name an algorithm and a task together; make it one row per score"):
        ro.read_scores(
            put("wide.csv", "seed,PPO_Hopper,PPO_half_cheetah,SAC_Hopper,SAC_half_cheetah\n0,1,2,3,4\n1,2,3,4,5\n")
        )


def test_arrays_of_train_and_test_are_refused_until_one_is_taken(put):
    for path in ("PPO/seed_0.npz", "PPO/seed_1.npz", "SAC/seed_0.npz"):
        buffer = io.BytesIO()
        np.savez(buffer, train=np.array([1.0, 2.0]), test=np.array([3.0, 5.0]))
        folder = put(path, buffer.getvalue()).parents[1]
    with pytest.raises(ro.DataError, match=r"'train', 'test' are kinds of data of the same runs; .*keys='test'"):
        ro.read_scores(folder)
    with pytest.warns(ro.RunoffWarning, match="evaluations"):
        assert ro.read_scores(folder, keys="test").to_dict() == {"PPO": {"task": [5, 5]}, "SAC": {"task": [5]}}


def test_many_episode_returns_without_runs_are_asked_what_they_are(put):
    file = put("runs.csv", "algorithm,episode_return\n" + "".join(f"PPO,{i % 7}\n" for i in range(21)))
    with pytest.raises(
        ro.DataError, match=r"21 rows .* may be episodes .*unit='episode' if they are .* or columns=\{'run': 'row'\}"
    ):
        ro.read_scores(file)
    assert ro.read_scores(file, unit="episode").n_runs.tolist() == [[21]]
    assert ro.read_scores(file, columns={"run": "row"}).n_runs.tolist() == [[21]]
