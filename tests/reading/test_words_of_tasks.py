"""Laws of words within names that are tasks elsewhere: `reach_baseline` on `push` is another algorithm than `baseline`."""

from __future__ import annotations

import json

import pytest

import runoff as ro

PLACES = ["{a}/{t}/seed_{s}", "{t}/{a}/seed_{s}", "{a}_{t}_seed{s}", "{t}/{a}_seed{s}", "{a}_{t}/seed_{s}"]
NAMES = [
    (("reach_baseline", "baseline"), ("push", "reach")),
    (("math_expert", "expert"), ("gsm8k", "mmlu")),
    (("stack_rnn", "rnn"), ("lift", "door")),
    (("square_loss", "push_loss"), ("can", "square")),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("algorithms", "tasks"), NAMES)
@pytest.mark.parametrize("logged", [False, True])
def test_a_word_of_a_task_in_the_name_of_an_algorithm_stays_part_of_it(tmp_path, place, algorithms, tasks, logged):
    scores = {
        a: {t: [i + 10.0 * j + 100 * s for s in range(3)] for j, t in enumerate(tasks)}
        for i, a in enumerate(algorithms)
    }
    for a, own in scores.items():
        for t, runs in own.items():
            for s, score in enumerate(runs):
                path = tmp_path / (place.format(a=a, t=t, s=s) + ("/progress.csv" if logged else ".json"))
                path.parent.mkdir(parents=True, exist_ok=True)
                log = f"time/total_timesteps,rollout/ep_rew_mean\n100,1.5\n200,{score}\n"
                path.write_text(log if logged else json.dumps({"return": score}))
    loaded = ro.load(tmp_path)
    final = loaded.final(1) if logged else loaded
    assert {a: {t: sorted(runs) for t, runs in own.items()} for a, own in final.to_dict().items()} == scores


def test_a_task_that_is_said_twice_is_still_no_part_of_the_name(tmp_path):
    for a in ("ours", "base"):
        for task in ("Hopper-v4", "Walker2d-v4"):
            path = tmp_path / f"{a}_{task.split('-')[0].lower()}" / task / "seed_0.json"
            path.parent.mkdir(parents=True)
            path.write_text('{"return": 1.5}')
    assert ro.load(tmp_path).algorithms == ("base", "ours")
