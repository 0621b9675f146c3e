"""Texts that loggers printed: tables between rules, and lines of TD3's authors."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

import runoff as ro
from tests.reading.logs.consoles import (
    BLOCKS,
    evaluation,
    printed_lines,
    printed_tables,
    spinning_up,
    stable_baselines,
    td3,
    text,
)
from tests.reading.logs.test_layouts import ALGORITHMS, TASKS, cells

pytestmark = pytest.mark.filterwarnings("error::runoff.RunoffWarning")

STEPS = (1000, 2000, 3000, 4000)
ODD = (
    'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\nValueError: nan',
    "Using cuda device",
    "New best mean reward!",
    "----------",
    "+-----+-----+",
    "| a | b | c |",
    "",
    "  3%|### | 3/100 [00:01<00:20, 2.1it/s]",
    "best return so far: 0.3",
    "| remark without a number | |",
)


def curve(data: ro.Curves) -> list[tuple[float, float]]:
    return [(float(step), float(score)) for step, score in zip(*data.curve(0), strict=True)]


def blocks(form: str, slope: float, seed: int = 0) -> list[list[str]]:
    return [BLOCKS[form](step, slope * step / 1000 + 0.1 * seed) for step in STEPS]


PLAIN = [(float(step), step / 1000) for step in STEPS]
CELLS = list(product((("ppo", 1.0), ("sac", 2.0)), ("Ant-v4", "Hopper-v4"), (0, 1)))
TRUTH = {name: {"Ant-v4": last, "Hopper-v4": last} for name, last in (("ppo", [4.0, 4.1]), ("sac", [8.0, 8.1]))}
PLACES = ("{a}/{t}/seed_{s}/log.txt", "{a}_{t}_seed{s}.log", "{t}/{a}/{s}.out", "{a}_{t}/{s}/stdout.txt")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", BLOCKS)
def test_printed_tables_of_a_folder_are_curves_of_their_runs(put, tmp_path, form, place):
    for (algorithm, slope), task, seed in CELLS:
        put(place.format(a=algorithm, t=task, s=seed), text(*blocks(form, slope, seed)))
    read = ro.load(tmp_path)
    assert read.final(last=1).to_dict() == TRUTH
    assert "what a logger printed, with about three digits" in " ".join(read.provenance.notes)


@pytest.mark.parametrize("form", BLOCKS)
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("at", [0, 2, 4])
def test_a_line_that_is_of_no_table_changes_no_run(put, form, odd, at):
    own = blocks(form, 1)
    assert curve(ro.load(put("ppo/run.log", text(*own[:at], odd.split("\n"), *own[at:])))) == PLAIN


@pytest.mark.parametrize("odd", [odd for odd in ODD if not odd.startswith("---")])
def test_a_line_within_a_table_is_none_of_its_rows(put, odd):
    own = [line for lines in blocks("stable_baselines", 1) for line in [*lines[:4], *odd.split("\n"), *lines[4:]]]
    read = ro.load(put("ppo.log", text(own)))
    assert read.values.tolist() == [score for _, score in PLAIN]


def test_evaluations_are_preferred_and_those_of_the_lines_have_more_digits(put):
    own = [
        (stable_baselines(step, 0.5 * step) + (evaluation(step, step + 0.25) if step % 2000 == 0 else []))
        + (
            ["New best mean reward!", *stable_baselines(step, 0.5 * step, **{"eval/mean_reward": f"{step:.3g}"})]
            * (step == 4000)
        )
        for step in STEPS
    ]
    read = ro.load(put("ppo.log", text(*own)))
    assert dict(read.provenance.columns) == {"score": "eval/mean_reward", "step": "time/total_timesteps"}
    assert curve(read) == [(2000.0, 2000.25), (4000.0, 4000.25)]
    training = ro.load(put("ppo.log", text(*own)), columns={"score": "rollout/ep_rew_mean"})
    assert [score for _, score in curve(training)] == [500.0, 1000.0, 1500.0, 2000.0]


def test_evaluations_without_tables_are_a_curve(put):
    assert curve(ro.load(put("ppo.log", text(*(evaluation(step, step / 1000) for step in STEPS))))) == PLAIN


def test_a_table_without_an_end_is_left_out_with_a_warning(put):
    path = put("ppo.log", text(*blocks("stable_baselines", 1), stable_baselines(5000, 9)[:4]))
    with pytest.warns(ro.RunoffWarning, match="cut off"):
        assert curve(ro.load(path)) == PLAIN


def test_what_rl_zoo_prints_first_names_task_and_seed(put, tmp_path):
    for algorithm, seed in product(("ppo", "sac"), (7, 8)):
        first = ["========== CartPole-v1 ==========", f"Seed: {seed}", "OrderedDict([('n_steps', 32)])"]
        put(f"{algorithm}/{algorithm}-{seed}.out", text(first, *blocks("stable_baselines", 1)))
    read = ro.load(tmp_path)
    assert read.final(last=1).to_dict() == {name: {"CartPole-v1": [4.0, 4.0]} for name in ("ppo", "sac")}
    assert {*read.to_frame()["run"]} == {"7", "8"}


def test_evaluations_that_a_script_prints_beside_the_tables_are_its_score(put):
    lines = [
        [*own, f"step={step} return={step / 10:.1f}"]
        for own, step in zip(blocks("stable_baselines", 1), STEPS, strict=True)
    ]
    assert curve(ro.load(put("ppo.log", text(*lines)))) == [(step, 100 * score) for step, score in PLAIN]


def test_other_tables_between_bars_are_no_logs(put):
    path = put(
        "table.txt",
        "-------------------\n| algo | return |\n-------------------\n| PPO | 1.5 |\n| SAC | 2.5 |\n-------------------\n",
    )
    assert ro.load(path).to_dict() == {"PPO": {"task": [1.5]}, "SAC": {"task": [2.5]}}


@pytest.mark.parametrize("other_seeds", [False, True], ids=["same seeds", "other seeds"])
@pytest.mark.parametrize("maker", [printed_tables, printed_lines])
def test_no_text_pools_or_renames_algorithms(put, tmp_path, maker, other_seeds):
    for (i, algorithm), task, seed in product(enumerate(ALGORITHMS), TASKS, (1, 2)):
        maker(put, algorithm, task, seed + 100 * i * other_seeds, 0.001)
    assert cells(ro.read_curves(tmp_path)) == Counter(dict.fromkeys(product(ALGORITHMS, TASKS), 2))


# ── beside other files ──────────


def test_a_printed_log_beside_its_own_files_is_no_second_run(put, tmp_path):
    for algorithm, seed in product(("ppo", "sac"), (0, 1)):
        rows = "".join(f"{step},{step / 500}\n" for step in STEPS)
        put(f"{algorithm}/{seed}/progress.csv", "time/total_timesteps,rollout/ep_rew_mean\n" + rows)
        put(f"{algorithm}/{seed}/log.txt", text(*blocks("stable_baselines", 1)))
    put("nohup.out", text(*blocks("stable_baselines", 1)))
    read = ro.load(tmp_path)
    assert read.n_runs.tolist() == [[2], [2]]
    assert read.final(last=1).to_dict()["ppo"] == {"task": [8.0, 8.0]}
    assert any("5 run(s) were logged by two tools" in note for note in read.provenance.notes)


@pytest.mark.parametrize("name", ["results.csv", "results.json"])
def test_results_beside_printed_logs_are_read_as_before(put, tmp_path, name):
    rows = [(a, s, 3.5 + s) for a in ("ppo", "sac") for s in (0, 1)]
    as_json = "[" + ",".join(f'{{"algo": "{a}", "seed": {s}, "return": {r}}}' for a, s, r in rows) + "]"
    as_csv = "algo,seed,return\n" + "".join(f"{a},{s},{r}\n" for a, s, r in rows)
    put(name, as_csv if name.endswith("csv") else as_json)
    for algorithm, seed in product(("ppo", "sac"), (0, 1)):
        put(f"{algorithm}_{seed}.log", text(*blocks("stable_baselines", 1)))
    assert ro.load(tmp_path).to_dict() == {"ppo": {"task": [3.5, 4.5]}, "sac": {"task": [3.5, 4.5]}}


def test_a_log_without_any_score_beside_others_is_warned_of(put, tmp_path):
    for algorithm, seed in product(("ppo", "sac"), (0, 1)):
        put(f"{algorithm}_{seed}.log", text(*blocks("stable_baselines", 1)))
    put("sac_2.log", "Traceback (most recent call last):\nValueError\n")
    with pytest.warns(ro.RunoffWarning, match=r"sac_2\.log"):
        assert ro.load(tmp_path).n_runs.tolist() == [[2], [2]]


# ── TD3's authors ──────────


@pytest.mark.parametrize("place", ["{a}_{t}_{s}.txt", "{t}/{a}/{s}/log.txt", "logs/job-{n}.out"])
def test_lines_of_td3_name_algorithm_task_and_seed(put, tmp_path, place):
    for n, ((algorithm, slope), task, seed) in enumerate(CELLS):
        scores = {0: 0.5, **{step: slope * step / 1000 + 0.1 * seed for step in STEPS}}
        put(place.format(a=algorithm, t=task, s=seed, n=8123 + 7 * n), text(td3(algorithm, task, seed, scores)))
    read = ro.load(tmp_path)
    assert read.final(last=1).to_dict() == TRUTH
    assert sorted({*read.steps.tolist()}) == [0, *STEPS]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("at", [0, 3, 9])
def test_another_line_changes_no_evaluation(put, odd, at):
    lines = td3("TD3", "Ant-v3", 0, dict(PLAIN_OF_STEPS))
    assert curve(ro.load(put("a.txt", text(lines[:at], odd.split("\n"), lines[at:])))) == PLAIN


PLAIN_OF_STEPS = {step: step / 1000 for step in STEPS}


def test_episodes_of_training_are_read_if_they_are_named(put):
    path = put("a.txt", text(td3("TD3", "Ant-v3", 0, PLAIN_OF_STEPS)))
    read = ro.load(path, columns={"score": "train/return"})
    assert curve(read) == [(step, score / 2) for step, score in PLAIN]


def test_evaluations_without_steps_are_counted_with_a_note(put):
    lines = [line for line in td3("TD3", "Ant-v3", 0, PLAIN_OF_STEPS) if not line.startswith("Total")]
    read = ro.load(put("a.txt", text(lines)))
    assert curve(read) == [(i, score) for i, (_, score) in enumerate(PLAIN, start=1)]
    assert "evaluations are counted" in " ".join(read.provenance.notes)


def test_normalized_scores_of_td3_bc_stand_beside_its_returns(put):
    own = [
        f"Time steps: {step}\n---\nEvaluation over 10 episodes: {step / 1000:.3f}, D4RL score: 50.000" for step in STEPS
    ]
    path = put("a.txt", text(["Policy: TD3_BC, Env: hopper-medium-v0, Seed: 0", *own]))
    assert curve(ro.load(path)) == PLAIN
    assert [score for _, score in curve(ro.load(path, columns={"score": "eval/normalized_score"}))] == [50.0] * 4


def test_runs_one_after_another_in_a_text_are_runs(put):
    path = put("all.txt", text(*(td3("TD3", "Ant-v3", seed, PLAIN_OF_STEPS) for seed in (0, 1, 2))))
    assert ro.load(path).n_runs.tolist() == [[3]]


def test_a_run_that_was_started_again_is_one(put):
    first, again = {1000: 1.0, 2000: 2.0, 3000: 7.0}, {2500: 3.0, 4000: 4.0}
    path = put("a.txt", text(td3("TD3", "Ant-v3", 0, first), td3("TD3", "Ant-v3", 0, again)))
    assert [score for _, score in curve(ro.load(path))] == [1.0, 2.0, 3.0, 4.0]


def test_folders_of_variants_with_one_name_of_the_policy_are_not_pooled(put, tmp_path):
    for folder, seeds in (("td3_small", (0, 1)), ("td3_large", (5, 6))):
        for seed in seeds:
            put(f"{folder}/log_{seed}.txt", text(td3("TD3", "Ant-v3", seed, PLAIN_OF_STEPS)))
    with pytest.warns(ro.RunoffWarning, match="the path alone tells algorithms apart"):
        assert ro.load(tmp_path).algorithms == ("td3_large", "td3_small")


def test_what_looks_like_a_table_of_spinning_up_has_its_evaluations(put):
    own = [[*spinning_up(step, 1.0)[:-1], f"|  AverageTestEpRet | {step / 1000:15} |", "-" * 30] for step in STEPS]
    assert curve(ro.load(put("sac.log", text(*own)))) == PLAIN


def of_td3(*lines, end="\n"):
    return "\n".join(["Policy: TD3, Env: Ant-v3, Seed: 0", *lines]) + end


EPISODES = [f"Total T: {t}000 Episode Num: {t} Episode T: 1000 Reward: 12.{t}" for t in (1, 2)]


def test_an_evaluation_without_the_end_of_its_line_is_left_out_with_a_warning(put):
    lines = [EPISODES[0], "Evaluation over 10 episodes: 37.458", EPISODES[1], "Evaluation over 10 episodes: 60"]
    with pytest.warns(ro.RunoffWarning, match="Evaluation over 10 episodes: 60"):
        cut = ro.read_curves(put("a/x.txt", of_td3(*lines, end="")), columns={"score": "eval/return"})
    assert cut.values.tolist() == [37.458]
    assert ro.read_curves(put("b/x.txt", of_td3(*lines)), columns={"score": "eval/return"}).values.tolist() == [
        37.458,
        60.0,
    ]


def test_two_writes_in_one_line_are_warned_of_and_no_evaluation_gets_the_step_of_another(put):
    glued = f"Evaluation over 10 episodes: 37.4{EPISODES[1]}"
    lines = [
        EPISODES[0],
        glued,
        "Evaluation over 10 episodes: 47.458",
        EPISODES[1].replace("2000", "3000"),
        "Evaluation over 10 episodes: 50",
    ]
    with pytest.warns(ro.RunoffWarning):
        curves = ro.read_curves(put("a/x.txt", of_td3(*lines)), columns={"score": "eval/return"})
    assert (curves.steps.tolist(), curves.values.tolist()) == ([3000.0], [50.0])


def test_an_evaluation_of_stable_baselines3_that_is_cut_off_is_none(put):
    whole = [f"Eval num_timesteps={t}000, episode_reward={t}00.50 +/- 1.25" for t in (1, 2)]
    text = "\n".join([*whole, "Eval num_timesteps=3000, episode_reward=3"])
    with pytest.warns(ro.RunoffWarning, match="has no end"):
        assert ro.read_curves(put("a/x.txt", text)).values.tolist() == [100.5, 200.5]


@pytest.mark.parametrize("form", BLOCKS)
def test_a_table_below_another_without_a_rule_between_is_one_of_its_own(put, form):
    first, *others = blocks(form, 1)
    assert curve(ro.load(put("ppo/run.log", text(first[:-1], others[0][1:], *others[1:])))) == PLAIN


def test_the_zoo_names_environment_and_seed_and_lines_of_bcq_their_iterations(put, tmp_path):
    for seed in (3, 4):
        head = ["========== Hopper-v4 ==========", f"Seed: {seed}"]
        put(f"zoo/ppo-{seed + 100}.log", text(head, *blocks("stable_baselines", 1)))
    assert [(row.task, row.run) for row in ro.scan(tmp_path / "zoo").rows] == [("Hopper-v4", "3"), ("Hopper-v4", "4")]
    own = [f"Training iterations: {step}\nEvaluation over 10 episodes: {step / 1000:.3f}" for step in STEPS]
    assert curve(ro.load(put("a.txt", text(["Policy: BCQ, Env: Hopper-v3, Seed: 0", *own])))) == PLAIN


def test_a_line_that_is_not_whole_before_any_step_loses_no_evaluation_below_it(put):
    lines = ["Evaluation over 10 episodes: 1.5Eval", *(f"Evaluation over 10 episodes: {k}.5" for k in (2, 3))]
    with pytest.warns(ro.RunoffWarning):
        assert ro.read_curves(put("a/x.txt", of_td3(*lines)), columns={"score": "eval/return"}).values.tolist() == [
            2.5,
            3.5,
        ]


def test_evaluations_over_other_numbers_of_episodes_are_a_setting_that_differs(put, tmp_path):
    for seed, n in ((0, 10), (1, 10), (2, 5), (3, 5)):
        lines = td3("TD3", "Ant-v3", seed, PLAIN_OF_STEPS)
        put(f"td3_{seed}.txt", text([line.replace("over 10", f"over {n}") for line in lines]))
    assert len(ro.load(tmp_path).variants().algorithms) == 2


@pytest.mark.parametrize(("name", "run"), [("train.log", "train"), ("run 3.txt", "3"), ("stdout_7.out", "7")])
def test_a_text_alone_is_called_by_what_its_name_says_without_the_ending(put, name, run):
    assert [row.run for row in ro.scan(put(name, text(*blocks("stable_baselines", 1)))).rows] == [run]
