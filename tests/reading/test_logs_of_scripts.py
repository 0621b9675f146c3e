"""Logs that scripts print: a file a run, with names and values in its lines, or a line a run."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro
from tests.reading.test_tables_of_a_stranger import RUNS, TIDY, rows

pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


def log(
    algo: str, task: str, run_: int, head: str, line: str = "epoch {k:3d} | loss 0.{k} | avg_return {s} | fps 90"
) -> str:
    """Return the log of a run, whose score is that of `RUNS` in its last line."""
    lines = [line.format(k=k, s=RUNS[algo][task][run_] * k / 3) for k in (1, 2, 3)]
    return "\n".join(["Using cpu device", head.format(a=algo, t=task, r=run_), *lines, "training finished", ""])


def logs(folder, head: str, name: str, **more: str) -> None:
    """Write the logs of all runs."""
    for a, t, r, _ in TIDY:
        folder.joinpath(name.format(a=a, t=t, r=r)).write_text(log(a, t, int(r), head, **more))


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("env: {t}  algo: {a}  seed: {r}", "{a}{t}{r}.log"),
        ("# algo: {a}\n# env: {t}\n# seed: {r}", "{a}{t}{r}.txt"),
        ("started", "{a}_{t}_seed{r}.log"),
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        "epoch {k:3d} | loss 0.{k} | avg_return {s} | fps 90",
        "2024-03-01 10:00:00,120 INFO Epoch: {k}/3, avg_return: {s}, time: 1.5s",
        "[INFO] iter={k} | avg_return={s}",
    ],
)
def test_logs_of_runs_are_curves_by_what_their_lines_or_names_say(tmp_path, head, name, line):
    logs(tmp_path, head, name, line=line)
    read = ro.load(tmp_path)
    assert isinstance(read, ro.Curves)
    assert read.final(last=1).to_dict() == RUNS


def test_a_log_of_two_runs_is_none_of_one(put):
    with pytest.raises(ro.DataError, match="this log is not read"):
        ro.load(put("t.log", log("PPO", "Ant", 0, "algo: {a}") + log("SAC", "Ant", 0, "algo: {a}")))


def test_a_log_with_two_scores_in_a_line_is_not_guessed(put):
    line = "epoch {k} | avg_return {s} | avg_success {s}"
    with pytest.raises(ro.DataError):
        ro.load(put("t.log", log("PPO", "Ant", 0, "algo: {a}", line=line)))


@pytest.mark.parametrize(("head", "foot"), [(" lr: {lr}", ""), ("", "lr: {lr}\n")])
def test_settings_in_the_head_of_a_log_part_its_runs_and_what_stands_below_does_not(tmp_path, head, foot):
    for i, lr in enumerate(("0.1", "0.1", "0.2", "0.2")):
        text = log("PPO", "Ant", i % 2, f"algo: {{a}} seed: {i}{head.format(lr=lr)}") + foot.format(lr=lr)
        tmp_path.joinpath(f"{i}.log").write_text(text)
    curves = ro.load(tmp_path)
    assert (
        any("'lr' are settings" in note for note in curves.provenance.notes)
        == bool(curves.sampling.configs)
        == bool(head)
    )


def test_a_log_beside_a_table_is_left_out(tmp_path):
    logs(tmp_path, "env: {t}  algo: {a}  seed: {r}", "{a}{t}{r}.log")
    tmp_path.joinpath("all.csv").write_text(rows())
    read = ro.load(tmp_path)
    assert read.to_dict() == RUNS
    assert any("a log beside files of results" in note for note in read.provenance.notes)


def test_settings_beside_logs_are_no_results(tmp_path):
    for a, t, r, _ in TIDY:
        (folder := tmp_path / f"{a}-{t}-{r}").mkdir()
        (folder / "train.log").write_text(log(a, t, int(r), "env: {t}  algo: {a}  seed: {r}"))
        (folder / "config.json").write_text('{"lr": 0.1}')
    assert ro.load(tmp_path).final(last=1).to_dict() == RUNS


def test_runs_in_lines_of_a_log_are_read_with_their_win_rate(put):
    lines = [f"2023-11-02 09:11:40,120 INFO arena: done game={t} agent={a} seed={r} winrate={s}" for a, t, r, s in TIDY]
    assert ro.load(put("t.log", "\n".join(["loading 64 opponents", *lines, ""]))).to_dict() == RUNS


def logs_of(folder, line, tail=(), last="", stray=""):
    """Logs of two algorithms, three runs each, of which the first of B breaks off with a tail."""
    folder.mkdir()
    for name, slope in (("A", 1.0), ("B", 2.0)):
        for run in range(3):
            lines = [line.format(step, slope * step + 0.1 * run) for step in (0, 5, 10)]
            lines = [*lines[:2], *tail] if (name, run) == ("B", 0) and tail else [*lines[:-1], lines[-1] + last]
            text = "\n".join([*lines[:1], *([stray] if stray else []), *lines[1:]])
            (folder / f"{name}_pong_s{run}.log").write_text(text + "\n")
    return folder


KEYED, BARS = "step={} return={:.2f}", "step {} | return {:.2f}"
CRASH = ("Traceback (most recent call last):", '  File "x.py", line 3', "ValueError: nan")


@pytest.mark.parametrize("line", [KEYED, BARS])
@pytest.mark.parametrize("stray", ["", "WARNING: lr too high", "saved checkpoint epoch=3", "checkpoint=foo.pt"])
def test_a_run_that_crashed_is_read_as_far_as_it_goes(tmp_path, line, stray):
    with pytest.warns(ro.RunoffWarning, match="1 of 6 runs ended early"):
        scores = ro.load(logs_of(tmp_path / "logs", line, CRASH, stray=stray)).final()
    assert scores.n_runs.tolist() == [[3], [3]]
    assert scores.cell("B", "pong").min() == 10.0


@pytest.mark.parametrize(("line", "last"), [(BARS, " (new best)"), (BARS, " | saved model"), (KEYED, " best=True")])
def test_words_behind_an_evaluation_leave_it_an_evaluation(tmp_path, line, last):
    curves = ro.load(logs_of(tmp_path / "logs", line, last=last))
    assert np.allclose(np.sort(curves.final().cell("B", "pong")), [20.0, 20.1, 20.2])
    assert {tuple(curves.curve(i)[0]) for i in range(6)} == {(0.0, 5.0, 10.0)}


def test_a_log_that_is_left_out_beside_those_of_other_runs_is_warned_of(tmp_path):
    folder = logs_of(tmp_path / "logs", "{} {:.2f}", CRASH)
    for file in folder.iterdir():
        file.write_text("step return\n" + file.read_text())
    (folder / "notes.log").write_text("nothing of note\n")
    with pytest.warns(
        ro.RunoffWarning, match=r"1 file\(s\) have no readable runs and are left out, for example .*B_pong_s0.log"
    ):
        ro.load(folder)


@pytest.mark.parametrize(
    ("read", "lost"),
    [("A_pong_s{}.log", "old_B7.log"), ("A/pong/s{}/train.log", "A/pong/s9/train.log")],
    ids=["beside them, under another name", "under their name, elsewhere"],
)
def test_whatever_its_place_a_lost_log_of_a_run_is_warned_of(tmp_path, read, lost):
    for path, text in [
        *((read.format(k), f"step return\n0 1.5\n5 {k}.5\n") for k in range(3)),
        (lost, "step return\n0 1.5\n" + "\n".join(CRASH)),
    ]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    with pytest.warns(
        ro.RunoffWarning, match=rf"1 file\(s\) have no readable runs and are left out, for example .*{lost}"
    ):
        ro.load(tmp_path)


def test_a_log_whose_lines_name_algorithms_is_no_run_of_one(put):
    lines = "".join(f"step={k} return={k}.5 algo={a}\n" for k in (1, 2, 3) for a in "AB")
    with pytest.raises(ro.DataError):
        ro.load(put("train.log", "loading data\n" + lines))


STYLES = ("step={k} return={s}", "step {k} | return {s}", "2024-03-01 10:00:00 INFO step={k} return={s}")


def run_of(line: str, *, cut: int = 4, more: str = "", at: int = 4) -> str:
    """Return a log of four evaluations, the first `cut` of them, with a line after the first `at`."""
    lines = [line.format(k=k, s=k / 10) for k in (1, 2, 3, 4)][:cut]
    return "\n".join([*lines[:at], *([more] if more else []), *lines[at:], ""])


@pytest.mark.parametrize("line", STYLES)
@pytest.mark.parametrize(
    "remark",
    [
        "Traceback (most recent call last):",
        "WARNING: lr too high",
        "saved checkpoint epoch=3",
        "checkpoint=foo.pt",
        "step=4 ret",
    ],
)
@pytest.mark.parametrize("at", [2, 4])
def test_a_line_without_an_evaluation_changes_no_run(tmp_path, line, remark, at):
    for run in (0, 1, 2):
        tmp_path.joinpath(f"ppo_ant_s{run}.log").write_text(run_of(line, more=remark if run else "", at=at))
    assert ro.load(tmp_path).final(last=1).to_dict() == {"ppo": {"ant": [0.4, 0.4, 0.4]}}


@pytest.mark.parametrize("line", STYLES)
@pytest.mark.parametrize("words", [" (new best)", "  saved model", " | saved model_7.pt", " best=True", " | best 7"])
@pytest.mark.parametrize("everywhere", [False, True])
def test_an_evaluation_may_be_followed_by_words(put, line, words, everywhere):
    text = run_of(line + words if everywhere else line)
    text = text if everywhere else text.removesuffix("\n") + words + "\n"
    assert ro.load(put("ppo.log", text)).final(last=1).values.tolist() == [0.4]


@pytest.mark.filterwarnings("default::runoff.RunoffWarning")
@pytest.mark.parametrize("score", ["0.9k", "?", "None", "1,5k", "1,234"])
def test_a_line_that_names_a_score_and_cannot_be_read_is_warned_of(put, score):
    with pytest.warns(ro.RunoffWarning, match="1 line.* cannot be read, and are left out"):
        ro.load(put("ppo.log", run_of(STYLES[1], more=f"step 5 | return {score}")))


def test_a_refusal_of_a_log_names_the_line_of_the_file(put):
    text = "hello\n\n" + run_of(STYLES[1]).replace("return 0.3", "return nan")
    with pytest.raises(ro.DataError, match="line 5"):
        ro.load(put("ppo.log", text)).final(last=1)


@pytest.mark.parametrize(("kind", "other"), [("eval", "train"), ("train", "eval"), ("test", "val"), ("val", "test")])
@pytest.mark.parametrize("line", ["{} | step {} | return {}", "[{}] step={} return={}", "{}: step {}; return {}"])
def test_lines_of_training_are_not_taken_for_evaluations(put, kind, other, line):
    pairs = [line.format(own, k, k if own in ("eval", "test") else 9) for k in (1, 2, 3) for own in (kind, other)]
    curves = ro.load(put("ppo.log", "\n".join([*pairs, ""])))
    assert curves.final(last=1).values.tolist() == [3]
    assert any("split" in note for note in curves.provenance.notes)


@pytest.mark.parametrize("score", ["nan", "CRASHED"])
@pytest.mark.parametrize("line", ["algo=A env=x seed={} return={}", "step={} return={}", "[A] env=x seed={} return={}"])
def test_a_refusal_of_pairs_of_keys_and_values_names_the_line_of_the_file(put, line, score):
    remark = "hello" if line[0] == "a" or line[0] == "s" else ""
    lines = [remark, "", line.format(0, 2.5), remark, "", line.format(1, score), line.format(2, 3.5), ""]
    with pytest.raises(ro.DataError, match="line 6"):
        ro.load(put("sweep.log", "\n".join(lines)))


def test_a_run_that_a_log_begins_and_does_not_end_is_named_by_the_line_that_begins_it(put):
    with pytest.raises(ro.DataError, match="line 1: the score"):
        ro.load(put("l.log", "start algo=A env=x seed=1\nalgo=A env=x seed=0 return=2\nalgo=B env=x seed=0 return=2\n"))


SETTINGS = ("gamma", "batch_size", "beta", "weight_decay", "alpha")


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_a_setting_beside_a_cost_is_no_other_measure(put, name):
    text = "".join(f"step={k} loss={4.5 - k} {name}=0.9\n" for k in (1, 2, 3))
    assert ro.load(put("ppo_s0.log", text)).final().to_dict() == {"ppo": {"task": [-1.5]}}


@pytest.mark.parametrize(
    "form", ["{} seed={} t={} return={}", "algo={} seed={} t={} return={}", "[{}] seed={} t={} return={}"]
)
def test_a_clock_of_lines_that_are_a_run_each_is_no_step(put, form):
    runs = [("PPO", 0), ("PPO", 1), ("SAC", 0), ("SAC", 1)]
    text = "".join(form.format(*run, t, t + 0.5) + "\n" for t, run in enumerate(runs, start=1))
    assert ro.load(put("runs.log", text)).to_dict() == {"PPO": {"task": [1.5, 2.5]}, "SAC": {"task": [3.5, 4.5]}}


@pytest.mark.parametrize("mark", ["²", "②"])
def test_a_clock_in_other_digits_is_no_step(put, mark):
    with pytest.raises(ro.DataError, match="no column is recognised as the algorithm"):
        ro.load(put("runs.log", f"t=1 return=1.5\nt={mark} return=2.5\nt=3 return=2.5\n"))


@pytest.mark.parametrize("form", ["{} seed={} return={}", "INFO {} seed={} return={}", "{} | seed={} return={}"])
@pytest.mark.parametrize("names", [("foo", "bar"), ("ours", "baseline")])
def test_one_word_before_the_keys_of_runs_names_their_algorithm_whatever_it_is(put, form, names):
    text = "".join(form.format(name, seed, seed + 0.5) + "\n" for name in names for seed in (0, 1))
    assert ro.load(put("runs.log", text)).to_dict() == {name: {"task": [0.5, 1.5]} for name in names}


def test_lists_of_a_history_of_keras_are_epochs(put):
    for a, r in [(a, r) for a in ("ours", "base") for r in (1, 2, 3)]:
        history = {
            "loss": [3, 2, 1],
            "accuracy": [0.1, 0.2, 0.3],
            "val_loss": [3, 2, 2],
            "val_accuracy": [0.1, 0.2, r / 8],
        }
        root = put(f"histories/{a}-run{r}_history.json", json.dumps(history)).parent
    assert ro.read_scores(root).to_dict() == {a: {"task": [0.125, 0.25, 0.375]} for a in ("base", "ours")}
    assert {*ro.load(root).to_pandas()["step"]} == {1, 2, 3}


def test_lines_of_training_with_names_of_their_own_stand_beside_those_of_validation(put):
    line = "iter {k}: loss 9.5, time 132.11ms, mfu 21.01%\nstep {k}: train loss 0.5, val loss {loss}\n"
    for a, r in [(a, r) for a in ("adamw", "muon") for r in (1, 2, 3)]:
        text = "".join(line.format(k=k, loss=k / 8 + r) for k in (1, 2))
        root = put(f"logs/{a}_shakespeare_seed{r}.log", f"number of parameters: 29.94M\n{text}").parent
    assert ro.read_scores(root).to_dict() == {a: {"shakespeare": [-1.25, -2.25, -3.25]} for a in ("adamw", "muon")}


@pytest.mark.parametrize(
    "head",
    [
        "Namespace(algo='{}', env='yard', seed={}, lr=0.1)",
        "+ srun python train.py --algo {} --env yard --seed {}",
        "args: --algo {} --env=yard --seed {}",
        "--algo {} --env yard --seed {}",
    ],
)
def test_the_arguments_of_a_script_name_its_run_above_its_lines(put, head):
    lines = "[eval] step={k} return={score} len=3\n[train] step={k} loss=0.1 return=9\n"
    for i, (a, r) in enumerate((a, r) for a in ("ours", "base") for r in (0, 1)):
        text = "".join(lines.format(k=k, score=k + i) for k in (1, 2))
        root = put(f"slurm/slurm-81_{i}.out", f"{head.format(a, r)}\n 0%|#   | 0/8 [00:00<01:11]\n{text}").parent
    assert ro.read_scores(root).to_dict() == {"ours": {"yard": [2.0, 3.0]}, "base": {"yard": [4.0, 5.0]}}


MEANS = (
    "Mean reward: {} +/- 1.5",
    "mean_return={}",
    "Average return over 10 episodes: {}",
    "INFO:root:Success rate: {}",
)


@pytest.mark.parametrize("mean", MEANS)
def test_the_mean_at_the_end_of_an_evaluation_is_the_score_of_its_run(tmp_path, mean):
    for name, score in (("ddpg", 2.5), ("td3", 3.5)):
        text = f"Loading {name}.zip\nEpisode Reward: 9\n{mean.format(score)}\nMean episode length: 50 +/- 0\n"
        (tmp_path / f"{name}_FetchPush_seed0.txt").write_text(text)
    assert ro.load(tmp_path).to_dict() == {"ddpg": {"FetchPush": [2.5]}, "td3": {"FetchPush": [3.5]}}


@pytest.mark.parametrize("other", ["Mean reward: 3", "Mean eval reward: 3", "# Results", "step 5 | reward 3"])
def test_a_mean_beside_another_of_headings_and_of_steps_is_not_guessed(tmp_path, other):
    (tmp_path / "ddpg_FetchPush_seed0.txt").write_text(f"{other}\nMean reward: 2.5 +/- 1.5\n")
    with pytest.raises(ro.DataError):
        ro.load(tmp_path)
