"""What is read of how runs were made: from the names of scores, from configurations, from files."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro
from runoff.archive.protocol import protocol_of, same
from runoff.cli.options import protocol_of as of_texts
from runoff.errors import DataError
from runoff.reading.logs.config import protocol_in


@pytest.fixture
def evaluated(tmp_path):
    for seed in (0, 1):
        folder = tmp_path / "ppo" / f"Hopper-v4_{seed}"
        folder.mkdir(parents=True)
        steps, results = np.arange(1, 4) * 1000, np.arange(15.0).reshape(3, 5) + seed
        np.savez(folder / "evaluations.npz", timesteps=steps, results=results, ep_lengths=results)
        (folder / "config.json").write_text(json.dumps({"env": {"action_repeat": 2, "sticky_actions": False}}))
    return ro.read_scores(tmp_path)


def test_evaluations_tell_their_kind_their_episodes_and_their_end(evaluated):
    own = protocol_of(evaluated, {})
    assert own["score"] == "evaluation return"
    assert (own["episodes"], own["action_repeat"], own["sticky_actions"]) == ("5", "2", "no")
    assert (own["budget"], own["final"]) == ("3000", "the last evaluation")


def test_training_returns_have_no_evaluations():
    frame = {"algorithm": ["a"] * 2, "run": [0, 1], "rollout/ep_rew_mean": [1.0, 2.0]}
    own = protocol_of(ro.Scores.from_frame(frame, score="rollout/ep_rew_mean"), {})
    assert own == {"score": "training return"}


def test_settings_that_differ_from_run_to_run_are_unknown():
    configs = [{"env.frame_skip": 4, "eval.n_eval_episodes": 10}, {"env.frame_skip": 2, "eval.n_eval_episodes": 10}]
    assert protocol_in(configs) == (("episodes", "10"),)


@pytest.mark.parametrize(("value", "sticky"), [(0.25, "yes"), (1, "yes"), (True, "yes"), (0, "no"), (False, "no")])
def test_any_chance_of_a_sticky_action_makes_actions_sticky(value, sticky):
    assert protocol_in([{"env.repeat_action_probability": value}] * 2) == (("sticky_actions", sticky),)


def test_a_name_alone_tells_nothing():
    assert protocol_of(ro.Scores.from_dict({"a": [1.0, 2.0]}), {}) == {}


@pytest.mark.parametrize(
    ("own", "theirs", "equal"),
    [("995000", "1000000", True), ("5e5", "1000000", False), ("1M", "1M to 10M", False), ("10M", "1M to 10M", False)],
)
def test_lengths_of_training_are_about_equal(own, theirs, equal):
    assert same("budget", own, theirs) is equal


def test_a_file_and_texts_tell_a_protocol(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('unit = "raw return"\naction_repeat = 2\ndeterministic = true\n')
    both = {"action_repeat": "4", "unit": "raw return", "deterministic": True}
    assert of_texts(["action_repeat=4", str(file)]) == of_texts([str(file), "action_repeat=4"]) == both
    file.write_text("[protocol]\nunit = 1\n")
    with pytest.raises(DataError, match="protocol is a dict"):
        of_texts([str(file)])
    with pytest.raises(DataError, match="cannot be read"):
        of_texts([str(tmp_path / "none.toml")])


def test_an_unknown_key_is_refused_with_the_nearest():
    with pytest.raises(ro.OptionError, match="Did you mean 'action_repeat'"):
        protocol_of(ro.Scores.from_dict({"a": [1.0, 2.0]}), {"action_repeats": 2})


def test_a_score_at_a_step_is_as_if_training_had_ended_there():
    table = {"algorithm": ["a"] * 4, "run": [0, 0, 1, 1], "step": [0, 2000, 0, 2000], "score": [1.0, 2.0, 3.0, 4.0]}
    own = protocol_of(ro.Curves.from_frame(table).at(1000), {})
    assert own == {"budget": "1000", "final": "the last evaluation"}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("frames", "frames"),
        ("agent_steps", "agent steps"),
        ("env_steps", "environment steps"),
        ("environment step", "environment steps"),
        ("timesteps", None),
    ],
)
def test_the_name_of_a_column_tells_what_its_steps_count(name, counts):
    table = {"algorithm": ["a"] * 2, "run": [0, 0], name: [0, 2000], "score": [1.0, 2.0]}
    assert protocol_of(ro.Curves.from_frame(table, step=name), {}).get("steps") == counts


def test_a_column_of_frames_contradicts_environment_steps():
    table = {"algorithm": ["a"] * 2, "run": [0, 0], "frames": [0, 2000], "score": [1.0, 2.0]}
    curves = ro.Curves.from_frame(table, step="frames")
    with pytest.raises(ro.OptionError, match="the data record steps=frames"):
        protocol_of(curves, {"steps": "environment steps"})


@pytest.mark.parametrize(
    ("own", "theirs", "equal"),
    [
        ("env steps", "environment steps of many parallel environments", True),
        ("environment steps", "env_step of the source", True),
        ("agent steps", "environment steps", False),
        ("frames", "agent steps", False),
        ("Gradient steps", "gradient steps", True),
    ],
)
def test_steps_are_compared_by_what_they_count(own, theirs, equal):
    assert same("steps", own, theirs) is equal


@pytest.mark.parametrize("length", ["2M", "2000k", "2_000_000", "2e6", "2,000,000"])
def test_a_length_of_training_is_read_as_it_is_written(length):
    assert same("budget", length, "2000000")
