"""Which series is the score, and which counts the steps."""

from __future__ import annotations

import re

import pytest

import runoff as ro
from runoff.errors import OptionError
from runoff.reading.logs.base import Extent
from runoff.reading.logs.metric import choose, first_of, in_order, order, steps_of, unknown_metric
from runoff.words.speech import in_python
from runoff.words.words import words

ORDERED = [
    ["eval/mean_reward", "rollout/ep_rew_mean", "rollout/ep_len_mean", "train/loss"],
    ["AverageTestEpRet", "AverageEpRet", "StdEpRet", "Epoch"],
    ["evaluation/env_runners/episode_return_mean", "env_runners/episode_return_mean", "env_runners/episode_return_max"],
    ["test_return_mean", "return_mean", "return_std"],
    [
        "eval/reward/episode_reward_mean",
        "eval/agents/reward/episode_reward_mean",
        "collection/reward/episode_reward_mean",
        "collection/reward/reward_mean",
    ],
    [
        "Reward / Total reward (mean)",
        "Reward / Total reward (max)",
        "Reward / Total reward (min)",
        "Loss / Policy loss",
    ],
    ["charts/episodic_return", "charts/episodic_length", "charts/SPS", "losses/value_loss"],
    ["eval/episode_reward", "eval/success_rate", "train/episode_reward", "eval/episode_reward_std"],
    ["rewards/step", "Episode/rew_alive", "rewards/iter", "rewards/time", "losses/a_loss"],
    ["rewards/frame", "shaped_rewards/frame", "Episode/Episode_Reward/alive", "rewards/time"],
    ["test/reward", "train/reward", "test/reward_std"],
    ["Train/mean_reward", "Train/mean_episode_length", "Perf/total_fps", "Loss/value_function"],
    [
        "Train/mean_reward",
        "Episode/rew_torques",
        "Train/mean_reward/time",
        "Rnd/mean_extrinsic_reward",
        "Policy/mean_std",
    ],
    ["Train/mean_reward", "Episode_Reward/alive", "Episode_Termination/time_out", "Curriculum/terrain_levels"],
    [
        "Reward / Total reward (mean)",
        "Reward / Instantaneous reward (mean)",
        "Info / Episode_Reward/alive",
        "Stats / Env stepping time (ms)",
    ],
    [
        "test/returns_stat/mean",
        "test/returns_stat/max",
        "train/returns_stat/mean",
        "test/returns_stat/std",
        "test/lens_stat/mean",
    ],
    ["test/reward", "train/reward", "info/best_reward", "test/reward_std", "test/length", "test/env_step"],
    ["eval/episode_reward", "eval/episode_reward_alive", "eval/episode_reward_ctrl", "eval/walltime"],
]


@pytest.mark.parametrize("names", ORDERED, ids=lambda names: names[0])
def test_the_series_that_people_mean_comes_first(names):
    ranked = in_order(reversed(names))
    assert ranked == [name for name in names if name in ranked]
    assert ranked[0] == names[0]


@pytest.mark.parametrize(
    "name",
    [
        "std_return",
        "reward_loss",
        "time",
        "value_loss",
        "episode_length",
        "StdEpRet",
        "q_values",
        "explained_variance",
        "intrinsic_reward",
        "ep_len",
    ],
)
def test_what_measures_something_else_is_no_score(name):
    assert order(name) is None


def test_names_are_cut_at_separators_and_changes_of_case():
    assert words("eval/AverageEpRet_v2") == ("eval", "average", "ep", "ret", "v", "2")
    assert words("numEnvSTEPSSampled") == ("num", "env", "steps", "sampled")


def logged(*runs: str, points: int = 2):
    return [{name: Extent(points=points, last=1.0) for name in names.split()} for names in runs]


def test_the_score_is_one_that_all_runs_have_and_what_was_passed_over_is_said():
    choice = choose("Tool", logged("eval/return return", "return loss", "loss"), None)
    assert choice.name == "return"
    assert choice.sentence.startswith(
        "Tool: the score is 'return' (preferred: 'eval/return', which only 1 of 2 runs have)"
    )
    assert in_python(choice.sentence).endswith("; there are also 'eval/return'; series= names another")


def test_runs_that_share_no_score_are_not_mixed():
    choice = choose("Tool", logged("eval/return", "eval/return", "return"), None)
    assert (choice.name, choice.sentence) == ("eval/return", "")
    assert "2 of 3 have 'eval/return', others 'return' instead" in choice.mixed


def test_one_value_at_the_end_comes_after_a_series():
    runs = [once | several for once, several in zip(logged("test/return", points=1), logged("return"), strict=True)]
    assert choose("Tool", runs, None).name == "return"
    assert choose("Tool", logged("test/return return", points=1), None).name == "test/return"


@pytest.mark.parametrize(("validated", "tested"), [("val_acc", "test_acc"), ("valid/return", "test/return")])
def test_a_curve_of_validation_beside_one_test_is_said_to_be_that(validated, tested):
    runs = [a | b for a, b in zip(logged(validated), logged(tested, points=1), strict=True)]
    choice = choose("Tool", runs, None)
    assert choice.name == validated
    assert in_python(choice.doubt) == (
        f"Tool: the score is {validated!r}, that of validation; columns={{'score': {tested!r}}} reads that of the test"
    )
    assert choose("Tool", logged(validated), None).doubt == ""


@pytest.mark.parametrize("metric", ["return", "EVAL/Return", " eval/return "])
def test_a_series_is_asked_for_by_its_name_or_the_pieces_behind_a_slash(metric):
    assert choose("Tool", logged("eval/return loss"), metric).name == "eval/return"


def test_a_name_that_fits_two_series_is_refused_unless_it_is_one_of_them():
    assert choose("Tool", logged("a/return return"), "return").name == "return"
    with pytest.raises(OptionError, match=r"may be 'a/return', 'b/return' \(Tool\)"):
        choose("Tool", logged("a/return b/return"), "return")


def test_steps_are_counted_by_the_environment_before_iterations():
    assert steps_of(["Epoch", "TotalEnvInteracts", "Time"], None) == "TotalEnvInteracts"
    assert steps_of(["training_iteration", "timesteps_total"], None) == "timesteps_total"
    assert steps_of(["epoch", "return"], None) == "epoch"
    assert steps_of(["return"], None) is None


def test_the_step_asked_for_counts_and_a_misspelt_one_is_refused():
    assert steps_of(["a/frames", "step"], "frames") == "a/frames"
    with pytest.raises(OptionError, match="Did you mean 'frames'"):
        steps_of(["frames", "step"], "frame")


def test_of_usual_names_the_preferred_and_then_the_shortest_counts():
    assert first_of(["b/steps", "a/b/global_step", "a/global_step"], ("globalstep", "steps")) == "a/global_step"


# ── asked for on real files ──────────


@pytest.fixture
def folder(put):
    for seed in (0, 1):
        rows = "".join(f"{i}\t{i + seed}\t{10 * i}\t{1000 * i}\t{2 * i}\n" for i in range(1, 4))
        put(f"PPO/s{seed}/progress.txt", f"Epoch\tAverageEpRet\tMaxEpRet\tTotalEnvInteracts\tTime\n{rows}")
    return put("PPO/note.md", "hello").parents[1]


def test_metric_and_step_of_the_user_are_read(folder):
    curves = ro.read_curves(folder, series="MaxEpRet", columns={"step": "Epoch"})
    assert (curves.curve(0)[0].tolist(), curves.curve(0)[1].tolist()) == ([1.0, 2.0, 3.0], [10.0, 20.0, 30.0])
    assert dict(curves.provenance.columns) == {"score": "MaxEpRet", "step": "Epoch"}
    assert curves.time.tolist() == [2.0, 4.0, 6.0] * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"series": "AverageEpReturn"}, "no run has a series 'AverageEpReturn'.*Did you mean 'AverageEpRet'"),
        ({"columns": {"step": "Interacts"}}, "no series 'Interacts' to count the steps"),
        ({"columns": {"algorithm": "x"}}, "use pattern="),
    ],
)
def test_what_no_run_has_is_refused_with_what_there_is(folder, options, message):
    with pytest.raises(ro.OptionError, match=message):
        ro.read_curves(folder, **options)


@pytest.mark.parametrize("n_scores", [0, 1, 3, 8, 9, 12])
@pytest.mark.parametrize("n_others", [0, 2, 8, 9, 20])
def test_the_series_that_are_listed_and_those_that_are_counted_are_all(n_scores, n_others):
    names = [f"eval/return_{i}" for i in range(n_scores)] + [f"loss_{i}" for i in range(n_others)]
    words = str(unknown_metric("?", names))
    listed = [name for name in names if repr(name) in words.partition("; there are ")[2].partition(".")[0]]
    more = re.search(r" and (\d+) more", words)
    assert len(listed) <= 8
    assert len(listed) + (0 if more is None else int(more[1])) == len(names)


def test_event_files_can_be_read_against_another_of_their_series(put):
    from tests.reference import logs as twin

    events = [
        twin.event(i, {"Metrics/EnvironmentSteps": 1000.0 * i, "Metrics/AverageReturn": float(i)}) for i in range(3)
    ]
    root = put("run0/events.out.tfevents.1.host", twin.event_file(*events)).parents[1]
    assert ro.read_curves(root).steps.tolist() == [0.0, 1.0, 2.0]
    assert ro.read_curves(root, columns={"step": "EnvironmentSteps"}).steps.tolist() == [0.0, 1000.0, 2000.0]
