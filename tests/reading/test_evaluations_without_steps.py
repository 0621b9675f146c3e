"""Evaluations in a log whose lines have no step: they are the score, at the last step above them, or it is asked."""

from __future__ import annotations

import pytest

import runoff as ro

TRAINED = [f"step={k}000 return={k}.5" for k in range(1, 6)]
pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


def text(*lines: str) -> str:
    return "\n".join([*lines, ""])


def points(curves: ro.Curves) -> list[tuple[float, float]]:
    frame = curves.to_frame()
    return [*zip(frame["step"], frame["score"], strict=True)]


@pytest.mark.parametrize(
    ("lines", "score"),
    [
        (["eval_episode=0, episodic_return=100", "eval_episode=1, episodic_return=104"], 102),
        (["eval_episode=0, episodic_return=[100.]", "eval_episode=1, episodic_return=[104.]"], 102),
        *((["test_return=100"], 100), (["eval: return=100"], 100), (["{'eval_reward': 100.0}"], 100)),
        *((['{"eval_return": 100.0, "eval_len": 20}'], 100), (["Evaluation: mean reward 100 +/- 3.2"], 100)),
        *((["Evaluation (10 episodes): not yet", "[test] reward: 100"], 100), (["Test accuracy: 0.5"], 0.5)),
        (["Eval return over 10 episodes: 100"], 100),
    ],
)
def test_evaluations_at_the_end_are_at_the_last_step_and_training_is_not_read(put, lines, score):
    curves = ro.load(put("a.log", text(*TRAINED, *lines)))
    assert points(curves) == [(5000, score)]
    assert any("is taken at the last step above it" in note for note in curves.provenance.notes)


@pytest.mark.parametrize(
    "form", ["eval: return={}", "Eval return: {}", "{{'eval_reward': {}}}", "Eval: mean reward {} over 10 episodes"]
)
@pytest.mark.parametrize("step", ["step={}000 return=1.5", "step={}000 loss=0.5", "Step {}000: loss=0.5"])
def test_evaluations_between_steps_are_each_at_the_step_above(put, form, step):
    lines = [line for k in range(1, 6) for line in (step.format(k), form.format(100 + k))]
    assert points(ro.load(put("a.log", text(*lines)))) == [(1000 * k, 100 + k) for k in range(1, 6)]


def test_a_step_that_a_line_says_in_words_is_that_of_the_evaluation_below_it(put):
    lines = [
        line
        for k in range(1, 4)
        for line in (f"step={k}0 loss=0.5", f"Evaluating at step {k}5...", f"Eval return: {k}")
    ]
    assert points(ro.load(put("a.log", text(*lines)))) == [(15, 1), (25, 2), (35, 3)]


def test_the_training_is_read_where_its_score_is_named(put):
    path = put("a.log", text(*TRAINED, "test_return=100"))
    assert [score for _, score in points(ro.load(path, columns={"score": "return"}))] == [1.5, 2.5, 3.5, 4.5, 5.5]


def test_an_evaluation_above_the_first_step_and_none_below_the_last_is_asked_about(put):
    lines = [line for k, step in enumerate(TRAINED) for line in (f"eval: return={k}", step)]
    with pytest.raises(ro.DataError, match="before or after what is logged below it"):
        ro.load(put("a.log", text(*lines)))
    assert points(ro.load(put("b.log", text(*lines, "eval: return=5"))))[::5] == [(0, 0), (5000, 5)]


@pytest.mark.parametrize("other", ["eval: env=B return=6", "eval: return=6 length=3"])
def test_evaluations_of_two_kinds_are_refused(put, other):
    with pytest.raises(ro.DataError, match="line 7: this evaluation has other names than that in line 6"):
        ro.load(put("a.log", text(*TRAINED, "eval: env=A return=5", other)))


def test_of_evaluations_with_and_without_steps_it_is_asked_which_counts_and_both_answers_read(put):
    path = put("a.log", text("step=1 eval_return=2", "step=3 eval_return=4", "test_return=9"))
    with pytest.raises(
        ro.DataError, match=r"columns=\{'score': 'test_return'\} for the evaluations, or .*'eval_return'"
    ):
        ro.load(path)
    assert points(ro.load(path, columns={"score": "test_return"})) == [(3, 9)]
    assert points(ro.load(path, columns={"score": "eval_return"})) == [(1, 2), (3, 4)]


@pytest.mark.parametrize(
    "line", ["Best eval return: 100", "best_test_return=100", "eval_reward_scale=2", "test_return_threshold: 195"]
)
def test_what_sums_up_evaluations_or_sets_them_is_none(put, line):
    for lines in ([line, *TRAINED], [*TRAINED, line]):
        assert len(points(ro.load(put("a.log", text(*lines))))) == 5


def test_lines_of_evaluation_with_steps_beside_those_that_say_nothing_are_the_score(put):
    lines = [line for k in (1, 2, 3) for line in (f"step={k} return={k}", f"eval: step={k} return={k + 7}")]
    assert points(ro.load(put("a.log", text(*lines)))) == [(1, 8), (2, 9), (3, 10)]


@pytest.mark.parametrize("without", ["ppo/seed_1.log", "sac/seed_0.log"])
def test_a_run_without_an_evaluation_beside_runs_with_one_is_refused(put, without):
    for name in ("ppo/seed_0.log", "ppo/seed_1.log", "sac/seed_0.log", "sac/seed_1.log"):
        folder = put(name, text(*TRAINED, *(["test_return=100"] if name != without else []))).parent.parent
    with pytest.raises(ro.DataError, match=r"has evaluations .*'return' alone, which may be of training"):
        ro.load(folder)
    assert ro.load(folder, columns={"score": "return"}).algorithms == ("ppo", "sac")


# ── below lines that are steps alone ──────────

HEADS = ["Epoch {k}/9", "Epoch {k}/9\n----------", "=== Iteration {k} ===", "[Step {k}]"]
WORDS = ["epoch", "Step", "steps", "iteration", "iter", "Update", "Timestep", "ROUND"]
BELOW = [
    *("train loss: 3 acc: 0.5\nval loss: 0.5 acc: 0.{k}", "train Loss: 0.5 Acc: 0.5\nval Loss: 0.4 Acc: 0.{k}"),
    *(
        "loss: 0.5\nTest accuracy: 0.{k}",
        "100/100 [=====] - 1s 10ms/step - loss: 0.5 - accuracy: 0.8 - val_loss: 0.5 - val_accuracy: 0.{k}",
    ),
]


@pytest.mark.parametrize("head", [*HEADS, *(f"{word}: {{k}}" for word in WORDS)])
@pytest.mark.parametrize("below", BELOW)
def test_evaluations_below_lines_that_are_steps_alone_are_at_these(put, head, below):
    lines = [f"{head}\n{below}\n".format(k=k) for k in range(1, 5)]
    assert points(ro.load(put("a.log", text(*lines)))) == [(k, k / 10) for k in range(1, 5)]


@pytest.mark.parametrize(
    "line", ["Eval success rate: 0.5", "Eval success: 50%", "Eval mean: 0.5", "validation | mean reward 0.5"]
)
def test_rates_and_means_of_evaluations_are_their_scores(put, line):
    assert len(points(ro.load(put("a.log", text(*TRAINED, line))))) == 1


@pytest.mark.parametrize(
    "line",
    ["Final evaluation on Hopper: 99.5 +/- 2.1", "eval/door return=1", "Test score of cup: 5", "Mean reward: 9 +/- 1"],
)
def test_a_line_that_may_be_an_evaluation_and_is_not_read_is_asked_about(put, line):
    path = put("a.log", text(*TRAINED, line))
    with pytest.raises(ro.DataError, match="may be an evaluation, which is not read"):
        ro.load(path)
    assert len(points(ro.load(path, columns={"score": "return"}))) == 5


@pytest.mark.parametrize(
    "line", ["eval took 3.5 s", "eval time: 3.5", "Evaluating the policy...", "saved test returns to x.npy"]
)
def test_other_lines_about_evaluations_are_remarks(put, line):
    assert len(points(ro.load(put("a.log", text(*TRAINED, line))))) == 5


@pytest.mark.parametrize(
    "over", ["over 5 games", "across 10 eval episodes", "(20 rollouts)", "on 3 trials", "from 4 eps"]
)
def test_episodes_that_were_averaged_are_no_part_of_the_name_of_an_evaluation(put, over):
    curves = ro.load(put("a.log", text(*TRAINED, f"Test return {over}: 100")))
    assert (points(curves), dict(curves.provenance.columns)["score"]) == ([(5000, 100)], "Test return")


@pytest.mark.parametrize("word", ["Best", "record", "Highest", "peak", "target", "Min"])
def test_a_line_that_sums_evaluations_up_is_none_of_them(put, word):
    lines = [*TRAINED, f"{word} eval return: 100"]
    assert points(ro.load(put("a.log", text(*lines))))[-1] == (5000, 5.5)


def test_lines_that_are_steps_of_two_kinds_are_no_steps_of_what_stands_below_them(put):
    lines = ["Epoch 1", "val acc: 0.5", "Iteration 40", "val acc: 0.75", "Epoch 2", "val acc: 0.25"]
    with pytest.raises(ro.DataError, match="this log is not read"):
        ro.load(put("a.log", text(*lines)))
