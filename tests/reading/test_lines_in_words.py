"""Lines of logs that say in words and numbers what was measured, bars of progress between them, and ends that may be cut off."""

from __future__ import annotations

import pytest

import runoff as ro

pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
EPISODES = [
    *("Episode {k}: return {x}", "Episode {k} | score {x} | avg score 9"),
    *("episode {k} score {x} average score 9 epsilon 0.5", "Episode {k}\tAverage Score: {x}"),
    *("Episode {k}/100 | Reward: {x} | loss: 0.5", "[2024-01-01 10:00:00,123][root][INFO] - Episode {k} reward {x}"),
]


def numbered(form: str, n: int = 6) -> str:
    return "".join(form.format(k=k, x=k + 0.5) + "\n" for k in range(1, n))


@pytest.mark.parametrize("form", EPISODES)
@pytest.mark.parametrize("suffix", ["log", "out"])
def test_the_lines_of_episodes_are_asked_about_and_are_steps_where_the_user_says_so(put, form, suffix):
    path = put(f"ppo.{suffix}", numbered(form))
    with pytest.raises(
        ro.DataError,
        match=r"use columns=\{'step': '[Ee]pisode'\}|columns=\{'step': '[Ee]pisode'\} if it is the progress",
    ):
        ro.load(path)
    (episode,) = {name for name in ("Episode", "episode") if name in form}
    curves = ro.load(path, columns={"step": episode})
    assert [*curves.to_frame()["step"]] == [1, 2, 3, 4, 5]
    assert [*curves.to_frame()["score"]] == [1.5, 2.5, 3.5, 4.5, 5.5]


@pytest.mark.parametrize("form", EPISODES[:1] + EPISODES[3:])
def test_the_first_line_of_a_log_is_no_head(put, form):
    bare = form.replace("Episode", "Block").replace("return", "bonus")
    with pytest.raises(ro.DataError, match="this log is not read"):
        ro.load(put("ppo.log", numbered(bare)))


def test_names_and_numbers_one_after_the_other_are_a_line_of_a_log(put):
    curves = ro.load(put("ppo.log", numbered("step {k} return {x} loss 0.5")))
    assert [*curves.to_frame()["score"]] == [1.5, 2.5, 3.5, 4.5, 5.5]


@pytest.mark.parametrize("before", ["", "\n", "\r"])
@pytest.mark.parametrize("after", ["", "\n"])
@pytest.mark.parametrize("title", ["", "Training: "])
def test_a_bar_of_progress_ends_no_line_and_joins_none(put, before, after, title):
    bars = [
        f"{before}{title}{10 * k:3d}%|{'#' * k}{' ' * (10 - k)}| {k}/10 [00:0{k}<00:09,  1.0it/s]" for k in range(6)
    ]
    lines = [f"step={k} return={k}.5\n{bars[k]}{after}" for k in range(1, 6)]
    assert [*ro.load(put("ppo.log", "".join([*lines, "\n"]))).to_frame()["score"]] == [1.5, 2.5, 3.5, 4.5, 5.5]


@pytest.mark.parametrize(
    ("texts", "n"),
    [
        *((["42.5", "420", "41"], 3), (["110.5", "120", "98.25", "97"], 4), (["410.5", "420", "398.25", "41"], 3)),
        *((["410", "420", "41"], 2), (["12.25", "13.75", "12"], 2)),
    ],
)
def test_of_mixed_decimals_a_short_end_is_cut_off_only_far_below_all(put, texts, n):
    text = "\n".join(f"step={k} return={own}" for k, own in enumerate(texts))
    assert len(ro.load(put("ppo.log", text)).to_frame()["score"]) == n


# ── beside them ──────────


@pytest.mark.parametrize("name", ["README.md", "README.txt", "README", "notes.txt", "NOTES.md", "LICENSE"])
@pytest.mark.parametrize("place", ["", "ppo/seed_0/"])
@pytest.mark.parametrize(("log", "form"), [("train.log", "step={k} return={x}"), ("progress.csv", "{k},{x}")])
def test_notes_beside_results_are_no_runs(put, name, place, log, form):
    for run in (0, 1):
        head = "step,return\n" if log.endswith("csv") else ""
        folder = put(f"all/ppo/seed_{run}/{log}", head + numbered(form)).parents[2]
    put(f"all/{place}{name}", "# notes\n\nMean reward: 5\n")
    read = ro.load(folder)
    assert read.algorithms == ("ppo",)
    assert any(f"{name}: " in note for note in read.provenance.notes)


def test_dates_beside_scores_are_no_algorithms(put):
    rows = [f"2024-01-01 10:0{k}:00,{k}.5" for k in range(5)]
    for run in (0, 1):
        folder = put(f"all/ppo/seed_{run}.csv", "\n".join(["timestamp,return", *rows, ""])).parents[1]
    assert ro.load(folder).final(last=1).to_dict() == {"ppo": {"task": [4.5, 4.5]}}


def test_rows_that_dates_alone_tell_apart_are_asked_about_and_the_first_answer_reads_the_last(put):
    rows = [f"{a},{s},2024-01-01 10:0{k}:00,{k + s}.5" for a in ("ppo", "sac") for s in (0, 1) for k in range(5)]
    path = put("t.csv", "\n".join(["algo,seed,timestamp,return", *rows, ""]))
    with pytest.raises(ro.DataError, match="use duplicates='last' if the rows are evaluations one after another"):
        ro.load(path)
    assert ro.load(path, duplicates="last").to_dict()["ppo"]["task"] == [4.5, 5.5]


@pytest.mark.parametrize(
    "form",
    [
        *(
            "step {k} -> return {x}",
            "(step {k}) return={x}",
            "return {x} @ step {k}",
            "Evaluation at step {k}: mean return {x}",
        ),
        *(
            "step {k} return tensor({x}, device='cuda:0')",
            "step {k} return np.float32({x})",
            "[00:0{k}] step {k} return {x}",
        ),
        *(
            '{{"step": {k}, "return": {x}}}',
            "step={k} return={x} time=0h{k}m",
            "step={k}, return=[{x}]",
            "t={k} | return {x}",
        ),
    ],
)
def test_a_step_and_a_score_are_read_however_a_script_puts_them(put, form):
    curves = ro.load(put("ppo.log", f"start\n{numbered(form)}done\n"))
    assert [*zip(curves.to_frame()["step"], curves.to_frame()["score"], strict=True)] == [
        (k, k + 0.5) for k in range(1, 6)
    ]


@pytest.mark.parametrize("form", ["step={k} return={x} reward={x}", "t={k} | reward_agent_0 {x} | reward_agent_1 {x}"])
def test_which_of_several_scores_in_a_line_counts_is_asked_and_the_first_answer_reads(put, form):
    path = put("ppo.log", numbered(form))
    with pytest.raises(ro.DataError, match="could each be the score; name the right one") as refusal:
        ro.load(path)
    score = str(refusal.value).partition("{'score': '")[2].partition("'")[0]
    assert len(ro.load(path, columns={"score": score}).to_frame()["score"]) == 5


def test_the_rounds_of_a_bandit_are_the_steps_of_its_regret(put):
    assert [*ro.load(put("ucb.log", numbered("t={k} regret={x}"))).to_frame()["score"]] == [
        -1.5,
        -2.5,
        -3.5,
        -4.5,
        -5.5,
    ]


def test_one_evaluation_beside_losses_is_the_score(put):
    losses = numbered("{{'loss': {x}, 'learning_rate': 1e-05, 'epoch': {k}}}")
    curves = ro.load(put("bert.log", losses + "{'eval_loss': 0.5, 'eval_accuracy': 0.75, 'epoch': 5}\n"))
    assert [*curves.to_frame()["score"]] == [0.75]


def test_the_accuracy_of_a_test_set_below_each_epoch_is_the_score(put):
    form = "Train Epoch: {k} [0/60000 (0%)]\tLoss: 2.5\nTest set: Average loss: 0.5, Accuracy: 98{k}/1000 (98%)"
    assert [*ro.load(put("cnn.log", numbered(form))).to_frame()["score"]] == [981, 982, 983, 984, 985]


@pytest.mark.parametrize(
    "form",
    ["Schritt: {k}, Belohnung: {x}", "étape={k} récompense={x}", "шаг={k} награда={x}", "Paso {k}, recompensa: {x}"],
)
def test_steps_in_other_languages_are_steps(put, form):
    assert [*ro.load(put("ppo.log", numbered(form))).to_frame()["step"]] == [1, 2, 3, 4, 5]


def test_an_evaluation_in_chinese_is_the_score_and_one_in_german_words_is_asked_about(put):
    chinese = ro.load(put("a.log", numbered("step={k} return=1\n评估奖励: {x}")))
    assert [*chinese.to_frame()["score"]] == [1.5, 2.5, 3.5, 4.5, 5.5]
    with pytest.raises(ro.DataError, match="may be an evaluation, which is not read"):
        ro.load(put("b.log", numbered("step={k} return=1\nAuswertung: Belohnung {x}")))
