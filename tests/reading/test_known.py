"""The vocabulary: what is an algorithm, a task, a run, a setting, a date, and what says nothing."""

from __future__ import annotations

import pytest

from runoff.reading._known import (
    has_algorithm,
    is_algorithm,
    is_environment_id,
    is_setting,
    is_task,
    meaning_of,
    named_run,
    number_in,
    run_in,
    says_nothing,
    without_noise,
)


@pytest.mark.parametrize("name", ["Custom-v0", "lab/Maze-Large-v12", "Hopper-v4", "Maze-8x8-2p-v1"])
def test_ids_of_environments_are_known_by_their_spelling(name):
    assert is_environment_id(name)


@pytest.mark.parametrize("name", ["PPO-v2", "sac-v0", "Custom", "v0", "maze_a", "ours-2-v1"])
def test_versions_of_an_algorithm_and_plain_names_are_no_ids(name):
    assert not is_environment_id(name)


@pytest.mark.parametrize(
    "name",
    [
        "Pong",
        "ALE/Pong-v5",
        "dmc_walker_walk",
        "swimmer_swimmer6",
        "env_2",
        "maze a",
        "HalfCheetah-v4",
        "brax_ant",
        "pusht",
        "Go1Getup",
    ],
)
def test_tasks_are_known_by_their_names(name):
    assert is_task(name)
    assert not is_algorithm(name)


@pytest.mark.parametrize("name", ["hopper_2", "PPO", "agent_1", "walker_easy", "room", "grpo"])
def test_what_is_no_known_task_is_none(name):
    assert not is_task(name)


def test_an_algorithm_may_stand_first_or_last_in_a_name():
    assert is_algorithm("sac_lr0.1")
    assert not is_algorithm("tuned_ppo")
    assert has_algorithm("tuned_ppo")
    assert not has_algorithm("tuned")


@pytest.mark.parametrize(
    ("name", "setting"), [("lr0.1", True), ("sac_lr1", True), ("td3", False), ("td3_big", False), ("x=y", True)]
)
def test_a_number_is_a_setting_unless_an_algorithm_is_called_so(name, setting):
    assert is_setting(name) is setting


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("PPO_seed3", "3"),
        ("s-07", "07"),
        ("ppoSeed1", "1"),
        ("repetition 4", "4"),
        ("rng=5", "5"),
        ("PPO_3", None),
        ("2s3z", None),
    ],
)
def test_a_name_says_that_it_is_a_run(name, run):
    assert (run_in(name) or (None,))[0] == run


def test_a_number_at_the_end_of_a_name_may_be_a_run():
    assert number_in("PPO_3") == ("3", "PPO_")
    assert number_in("lr0.1") is None


@pytest.mark.parametrize(
    "noise",
    [
        "2024-01-31_10-20-30",
        "240131-102030",
        "5b1d6a02-11ee-8c99-aaaa-0242ac120002",
        "1700000000",
        "2dbd397c95644ac7b020ff30d312ae5a",
    ],
)
def test_dates_and_hashes_are_passed_over(noise):
    assert without_noise(f"PPO_{noise}").split() == ["PPO_"]


def test_a_long_number_that_is_no_date_stays():
    assert run_in(without_noise("seed_12345678")) is not None


@pytest.mark.parametrize(
    ("name", "nothing"), [("TensorBoard", True), ("lightning_logs", True), ("default", True), ("results_ppo", False)]
)
def test_some_words_say_nothing_where_they_stand_alone(name, nothing):
    assert says_nothing(name) is nothing


def test_heads_that_hold_a_run_at_their_end_name_runs_of_something():
    assert meaning_of(["PPO_s1", "PPO_s2"]) == "runs_of"
    assert meaning_of(["PPO", "SAC"]) == "algorithm"


@pytest.mark.parametrize("mark", ["/", "|", "_", "-", " ", ".", " / ", " | "])
def test_what_parts_a_name_from_its_run_is_no_letter_of_the_name(mark):
    assert named_run(f"PPO{mark}seed3") == named_run(f"seed3{mark}PPO") == ("PPO", "3")
