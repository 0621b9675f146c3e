"""Laws of words within names that are tasks elsewhere: `reach_baseline` on `push` is another algorithm than `baseline`."""

from __future__ import annotations

import json
import re

import pytest

import runoff as ro
from runoff.reading._configured import names_in_config
from runoff.reading._known import is_task, task_in
from runoff.reading._words_of_tasks import words_within
from runoff.words.words import canonical

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


@pytest.mark.parametrize(
    "tasks", [("walker", "cheetah"), ("hopper", "mine"), ("hopper-v2", "noisy_hopper-v2"), ("imdb", "yelp")]
)
@pytest.mark.parametrize("place", ["ppo/{t}/seed_{s}.json", "ppo/{t}/{s}.json"])
def test_the_tasks_of_a_lone_algorithm_are_no_algorithms(tmp_path, tasks, place):
    for i, t in enumerate(tasks):
        for s in range(3):
            path = tmp_path / place.format(t=t, s=s)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"return": 10.0 * i + s}))
    assert ro.load(tmp_path).to_dict() == {"ppo": {t: [10.0 * i + s for s in range(3)] for i, t in enumerate(tasks)}}


def test_a_noisy_variant_of_a_known_environment_is_a_task(tmp_path):
    for t in ("hopper-v2", "noisy_hopper-v2"):
        (tmp_path / t).mkdir()
        (tmp_path / t / "seed_0.json").write_text('{"return": 1.5}')
    assert ro.load(tmp_path).tasks == ("hopper-v2", "noisy_hopper-v2")


@pytest.mark.parametrize(
    ("files", "algorithms", "tasks"),
    [
        (["imdb_1", "imdb_2", "imdb_3"], 1, ("imdb",)),
        (["bert_imdb_1", "bert_imdb_2", "gpt_imdb_1", "gpt_imdb_2"], 2, ("imdb",)),
        (["imdb/bert_1", "imdb/bert_2", "yelp/bert_1", "yelp/bert_2"], 1, ("imdb", "yelp")),
        (["walker/ppo_0", "walker/ppo_1", "cheetah/ppo_0", "cheetah/ppo_1"], 1, ("cheetah", "walker")),
    ],
)
def test_the_pattern_that_is_offered_for_numbers_behind_names_reads_them(tmp_path, files, algorithms, tasks):
    for at, file in enumerate(files):
        path = tmp_path / f"{file}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"accuracy": at / 10}))
    with pytest.raises(ro.DataError, match="differ only in a number") as refused:
        ro.load(tmp_path)
    pattern = re.search(r"pattern='([^']*)' \(runs\)", str(refused.value))
    scores = ro.load(tmp_path, pattern=pattern[1])
    assert (len(scores.algorithms), scores.tasks, scores.values.size) == (algorithms, tasks, len(files))


@pytest.mark.parametrize("suite", ["dmc", "atari"])
def test_a_group_of_configurations_before_an_algorithm_is_no_part_of_its_name(suite):
    assert names_in_config({"agent": f"{suite}/sac", "seed": 1}) == {"algorithm": "sac", "task": suite, "run": "1"}
    assert names_in_config({"agent": f"{suite}/sac", "env": "Pong"})["task"] == "Pong"
    assert names_in_config({"agent": "org/mine"})["algorithm"] == "org/mine"


CURVE = "time/total_timesteps,rollout/ep_rew_mean\n100,1.5\n200,{}\n"


def grid(root, place, algorithms, tasks):
    for i, (a, t, s) in enumerate((a, t, s) for a in algorithms for t in tasks for s in (1, 2)):
        path = root / place.format(a=a, t=t, s=s) / "progress.csv"
        path.parent.mkdir(parents=True)
        path.write_text(CURVE.format(10 + i))
    return ro.load(root)


@pytest.mark.parametrize("place", ["{a}_{t}_s{s}", "{a}-{t}/seed_{s}", "{t}_{a}_seed{s}"])
@pytest.mark.parametrize(
    ("algorithms", "tasks"),
    [
        (("sac", "td3"), ("ant", "hopper", "walker")),
        (("bert-base", "roberta-base"), ("mrpc", "rte")),
        (("ours", "ours_full"), ("gsm8k", "math", "mmlu")),
    ],
)
def test_a_word_in_the_place_of_tasks_is_one_where_most_are(tmp_path, place, algorithms, tasks):
    loaded = grid(tmp_path, place, algorithms, tasks)
    assert {name.replace(" ", "-").replace("_", "-") for name in loaded.algorithms} == {
        name.replace("_", "-") for name in algorithms
    }
    assert (sorted(loaded.tasks), {*loaded.n_runs.ravel().tolist()}) == (sorted(tasks), {2})


def test_where_as_many_words_are_unknown_as_tasks_it_is_asked(tmp_path):
    with pytest.raises(ro.DataError, match="may be tasks, settings or runs"):
        grid(tmp_path, "{a}_{t}_s{s}", ("ours", "base"), ("hopper", "wavy"))


@pytest.mark.parametrize("place", ["{t}/{a}/seed-{s}", "{a}/{t}/seed-{s}"])
def test_a_version_within_the_name_of_a_model_is_no_id_and_whole_names_of_data_sets_are_tasks(tmp_path, place):
    loaded = grid(tmp_path, place, ("deberta-v3-base", "roberta-base"), ("cola", "rte"))
    assert (loaded.algorithms, loaded.tasks) == (("deberta-v3-base", "roberta-base"), ("cola", "rte"))


def test_the_prefix_of_an_atari_game_is_no_part_of_an_algorithm(tmp_path):
    loaded = grid(tmp_path, "{a}_{t}_seed{s}", ("dqn", "ppo"), ("ALE_Pong-v5", "CartPole-v1"))
    assert (loaded.algorithms, loaded.tasks) == (("dqn", "ppo"), ("ALE_Pong-v5", "CartPole-v1"))


@pytest.mark.parametrize("algorithms", [("qwen_math", "qwen_base"), ("llama", "qwen"), ("math_tuned", "code_tuned")])
@pytest.mark.parametrize("tasks", [("gsm8k", "math"), ("adult", "higgs")])
@pytest.mark.parametrize("name", ["{a}_{t}_seed{s}", "{t}_{a}_seed{s}"])
def test_words_that_are_others_elsewhere_are_tasks_where_all_names_have_one_at_an_end(
    tmp_path, algorithms, tasks, name
):
    for a in algorithms:
        for t in tasks:
            for s in range(2):
                (tmp_path / f"{name.format(a=a, t=t, s=s)}.json").write_text(json.dumps({"accuracy": 0.5}))
    scores = ro.load(tmp_path)
    assert (scores.algorithms, scores.tasks) == (tuple(sorted(algorithms)), tuple(sorted(tasks)))


@pytest.mark.parametrize(("algorithms", "counts"), [(("sac", "td3"), True), (("sac",), False)])
def test_one_name_alone_says_nothing_of_the_words_behind_it(algorithms, counts):
    paths = [(f"{a}_{t}",) for a in algorithms for t in ("ant", "hopper", "maze")]
    assert ("maze" in words_within(paths).more) == counts


@pytest.mark.parametrize(("name", "task"), [("MyMaze-v0-ppo", "MyMaze-v0"), ("deberta-v3-base", None)])
def test_an_id_in_capitals_is_one_before_another_name(name, task):
    span = task_in(name, numbered=False)
    assert (span and name[span[0] : span[1]]) == task


@pytest.mark.parametrize("name", ["bench_ppo_halfcheetah-v2", "HalfCheetah-v2/bench_ppo", "bench_ppo_halfcheetahv2"])
def test_the_name_of_an_experiment_holds_no_task_that_the_configuration_names(name):
    config = {"exp_name": name, "env_name": "HalfCheetah-v2", "seed": 0}
    assert canonical(names_in_config(config)["algorithm"]) == "benchppo"


def test_what_rl_games_calls_every_environment_is_no_task():
    assert names_in_config({"task_name": "Ant", "config.env_name": "rlgpu"}) == {"task": "Ant"}


@pytest.mark.parametrize("name", ["robosuite_lift", "minigrid/DoorKey-5x5", "smac_3m", "dm_control/walker-walk"])
def test_a_task_behind_the_name_of_any_suite_is_one(name):
    assert is_task(name)


@pytest.mark.parametrize("place", ["{t}/{s}/{a}/eval.csv", "{a}_{t}_s{s}.csv"])
def test_names_behind_marks_of_metaworld_and_myosuite_are_tasks_though_nobody_knows_them(tmp_path, place):
    tasks, own = ("mw-hammer-nail", "myo-pen-twirl"), ("default", "no_simnorm")
    for k, (a, t, s) in enumerate((a, t, s) for a in own for t in tasks for s in (1, 2, 3)):
        path = tmp_path / place.format(a=a, t=t, s=s)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"step,episode_reward\n0,1.5\n1000,{k}.25\n", encoding="utf-8")
    scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.tasks) == (own, tasks)
    assert scores.cell("no_simnorm", "myo-pen-twirl").tolist() == [9.25, 10.25, 11.25]
    assert not any(map(is_task, ("mymw-hammer", "mw-2", "mw")))
    assert task_in("warmmw-twirl", numbered=True) is None
