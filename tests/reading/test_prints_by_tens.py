"""Prints of every tenth, or hundredth, episode are curves by these; a mean's window and units are no part of names."""

from __future__ import annotations

import pytest

import runoff as ro

FORMS = [
    "Episode {k}\tAverage reward: {x}\tLoss: 1.000",
    "Episode   {k} | Avg Reward (last 100):  {x} | Epsilon: 1.00",
    "Episode {k}/300, Total Reward (over 20 episodes) = {x}, Epsilon: 0.5",
    "episode:{k}/300 reward:{x} fps:12ms",
]


@pytest.mark.parametrize("form", FORMS)
def test_every_hundredth_episode_is_a_step(put, tmp_path, form):
    for a in ("dqn", "ddqn"):
        for s in range(2):
            lines = [form.format(k=k, x=k + s + 0.5) for k in (100, 200, 300)]
            put(f"logs/{a}_seed{s}.log", "Using cpu device\n" + "\n".join(lines) + "\n")
    curves = ro.load(tmp_path / "logs")
    assert (curves.algorithms, curves.n_runs.tolist()) == (("ddqn", "dqn"), [[2], [2]])
    frame = curves.to_frame()
    assert [*frame["step"]] == [100, 200, 300] * 4
    assert sorted(frame["score"]) == sorted([k + s + 0.5 for k in (100, 200, 300) for s in (0, 1)] * 2)


@pytest.mark.parametrize("episodes", [(1, 2, 3, 4), (10, 20, 35), (2, 4, 6, 2, 4, 5)])
def test_episodes_counted_by_one_or_unevenly_are_asked_about(put, episodes):
    rows = "".join(f"ppo,{k},{k}.5\n" for k in episodes)
    with pytest.raises(ro.DataError, match="episode"):
        ro.load(put("runs.csv", f"algorithm,episode,return\n{rows}"))


def test_words_before_the_first_key_stay_names_of_the_line(put):
    lines = "PPO Pong seed=0 return=1\nDQN Pong seed=0 return=2\n"
    assert ro.load(put("runs.log", lines)).algorithms == ("DQN", "PPO")


@pytest.mark.parametrize("again", [True, False])
def test_runs_below_each_other_begin_again_at_the_first_episode(put, again):
    episodes = (10, 20, 30, 10, 20, 30) if again else (10, 20, 30, 20, 30, 40)
    path = put("runs.csv", "algorithm,episode,return\n" + "".join(f"ppo,{k},{k}.5\n" for k in episodes))
    if again:
        assert ro.load(path).n_runs.tolist() == [[2]]
    else:
        with pytest.raises(ro.DataError, match="episode"):
            ro.load(path)
