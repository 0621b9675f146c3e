"""Which spellings of a task find its reference scores, and which are refused."""

from __future__ import annotations

import pytest

import runoff as ro

PAIRS = {"Pong": (-20.0, 20.0), "Space Invaders": (100.0, 1100.0), "bigfish": (1.0, 41.0), "Catch22": (0.0, 10.0)}
SPELLINGS = {
    "Pong": (
        "Pong",
        "pong",
        " PONG ",
        "Pong-v0",
        "Pong-v4",
        "Pong-v10",
        "Pong-v123",
        "PongNoFrameskip-v4",
        "PongNoFrameskip-v0",
        "PongNoFrameskip",
        "PongDeterministic-v4",
        "ALE/Pong-v5",
        "ale/pong-v5",
    ),
    "Space Invaders": (
        "SpaceInvaders",
        "space_invaders",
        "space-invaders",
        "ALE/SpaceInvaders-v5",
        "Space_Invaders-v12",
    ),
    "bigfish": ("bigfish", "Big Fish", "big-fish-v0"),
    "Catch22": ("Catch22", "catch22-v1", "Catch-22-v10"),
}
REFUSED = (
    "Pong2",
    "Pon",
    "Pongs",
    "Pong-ram-v4",
    "Pong-v",
    "Pong-v4-extra",
    "Pong-w4",
    "Pongv4",
    "v4",
    "ALE/",
    "NoFrameskip-v4",
    "procgen/Pong",
    "Catch2",
    "Catch-v22",
)


def normalised(task, pairs=PAIRS):
    """One run of 10 on a task, normalised."""
    scores = ro.Scores.from_dict({"A": {task: [10.0]}}).normalize(pairs, assume_raw=True)
    return scores.cell("A", task)[0]


@pytest.mark.parametrize(("name", "task"), [(name, task) for name, tasks in SPELLINGS.items() for task in tasks])
def test_a_task_is_known_with_any_version_wrapper_case_and_space(name, task):
    low, high = PAIRS[name]
    assert normalised(task) == pytest.approx((10 - low) / (high - low))


@pytest.mark.parametrize("task", REFUSED)
def test_what_is_another_name_is_refused_by_name(task):
    with pytest.raises(ro.DataError, match="has no reference scores in 'given' \\(4 tasks known\\)") as refusal:
        normalised(task)
    assert repr(task) in str(refusal.value)


@pytest.mark.parametrize("name", ["PongNoFrameskip-v4", "ALE/Pong-v5", "Pong-v10"])
def test_the_reference_may_be_spelled_as_environments_are_too(name):
    for task in ("Pong", "pong-v0", "PongDeterministic-v4"):
        assert normalised(task, {name: (0.0, 20.0)}) == 0.5


def test_a_name_that_is_there_as_it_stands_comes_before_its_other_spellings():
    pairs = {"Ant-v2": (0.0, 10.0), "Ant-v10": (0.0, 20.0), "Ant": (0.0, 40.0)}
    assert [normalised(task, pairs) for task in ("Ant-v2", "Ant-v10", "Ant")] == [1.0, 0.5, 0.25]


@pytest.mark.parametrize("name", ["atari", "atari_record", "procgen_easy", "procgen_hard"])
def test_no_two_tasks_of_a_shipped_reference_have_one_name(name):
    from runoff.data.reference import stem
    from runoff.references import load_reference

    spellings = load_reference(name).scores
    assert len({stem(task) for task in spellings}) == len(spellings)
