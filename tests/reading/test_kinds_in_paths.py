"""Evaluations and training of runs in tables, by words in their paths: evaluations are the score, and no run is judged by its training."""

from __future__ import annotations

import re

import pytest

import runoff as ro

TRAINED = "step,return\n1,1\n2,2\n3,{}\n"
EVALUATED = "step,return\n1,5\n3,{}\n"


@pytest.fixture
def tree(put, tmp_path):
    """Write training and evaluations of two runs of two algorithms, without the evaluations of some."""

    def write(train, evaluation, lacks=()):
        for i, (a, s) in enumerate((a, s) for a in ("ppo", "sac") for s in (0, 1)):
            put(f"tree/{train.format(a=a, s=s)}.csv", TRAINED.format(i))
            if (a, s) not in lacks:
                put(f"tree/{evaluation.format(a=a, s=s)}.csv", EVALUATED.format(10 + i))
        return tmp_path / "tree"

    return write


PLACES = [
    ("{a}/seed_{s}/progress", "{a}/seed_{s}/eval"),
    ("{a}/seed_{s}/log", "{a}/seed_{s}/evaluations"),
    ("{a}/seed_{s}/train/log", "{a}/seed_{s}/test/log"),
    ("train/{a}/seed_{s}", "eval/{a}/seed_{s}"),
    ("{a}/seed_{s}", "eval/{a}/seed_{s}"),
    ("{a}/train_{s}", "{a}/eval_{s}"),
    ("{a}/seed_{s}/rollout", "{a}/seed_{s}/val"),
]


@pytest.mark.parametrize(("train", "evaluation"), PLACES)
def test_evaluations_beside_other_files_of_a_run_are_the_score(tree, train, evaluation):
    with pytest.warns(ro.RunoffWarning, match="4 file.s. are left out for others .* has the evaluations of the run"):
        scores = ro.read_scores(tree(train, evaluation))
    assert scores.to_dict() == {"ppo": {"task": [10.0, 11.0]}, "sac": {"task": [12.0, 13.0]}}


@pytest.mark.parametrize(("train", "evaluation"), PLACES)
@pytest.mark.parametrize("lacks", [[("sac", 1)], [("sac", 0), ("sac", 1)]])
def test_training_is_never_compared_with_evaluations(tree, train, evaluation, lacks):
    with pytest.raises(ro.DataError, match="no evaluations lie beside it"):
        ro.read_scores(tree(train, evaluation, lacks))


@pytest.mark.parametrize(("train", "evaluation"), [PLACES[0], PLACES[2], PLACES[3]])
def test_the_files_of_training_are_offered_where_runs_were_not_evaluated(tree, train, evaluation):
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(tree(train, evaluation, [("sac", 1)]))
    glob = re.search(r"such as '(.*?)'", str(refusal.value))[1]
    assert ro.read_scores(glob).to_dict() == {"ppo": {"task": [0.0, 1.0]}, "sac": {"task": [2.0, 3.0]}}


@pytest.mark.parametrize("others", [("eval_train_env", "eval_test_env"), ("eval_easy", "eval_hard")])
def test_two_evaluations_of_a_run_replace_no_other(put, tmp_path, others):
    for a in ("ppo", "sac"):
        for s in (0, 1):
            for i, name in enumerate(others):
                put(f"tree/{a}/seed_{s}/{name}.csv", EVALUATED.format(i))
    assert ro.read_scores(tmp_path / "tree").tasks == tuple(sorted(others))


@pytest.mark.parametrize(
    "algorithms",
    [("eval_ppo", "ppo"), ("sac", "test_sac")],
)
def test_words_within_names_of_algorithms_leave_no_run_out(put, tmp_path, algorithms):
    for i, folder in enumerate(algorithms):
        for s in (0, 1):
            put(f"tree/{folder}/seed_{s}.csv", EVALUATED.format(i + s))
    assert ro.read_scores(tmp_path / "tree").algorithms == algorithms
