"""The forms in which scripts print evaluations, and what else stands in their logs."""

from __future__ import annotations

import time
import warnings

import pytest

import runoff as ro
from runoff.reading.formats.logged import log_in
from runoff.reading.formats.sections import begun_below

pytestmark = pytest.mark.filterwarnings("error::runoff.RunoffWarning")

STEPS = (1000, 2000, 3000, 4000, 5000, 6000)
KEYED, BARS = "step={k} return={r}", "step {k} | return {r}"
FORMS = (
    KEYED,
    BARS,
    "step = {k} return = {r}",
    "step={k} return= {r}",
    "step: {k} return: {r}",
    "step: {k}, return: {r}",
    "step={k}, return={r}",
    "step={k};return={r}",
    "\x1b[32mstep={k} return={r}\x1b[0m",
    "\x1b[1mstep {k}\x1b[0m | return \x1b[92;1m{r}\x1b[0m",
    "INFO:root:step={k} return={r}",
    "INFO:root:step {k} | return {r}",
    "[2024-01-01 10:00:00] step={k} return={r}",
    "2024-01-01 10:00:00,123 - INFO - step={k} return={r}",
    "2024-01-01 10:00:00,123 - train - INFO - step: {k}, return: {r}",
    "[2024-01-01 10:00:00,123][root][INFO] - step={k} return={r}",
    "2024-01-01 10:00:00 DEBUG step={k} return={r}",
    "DEBUG:root:step {k} | return {r}",
    "testing: step={k} return={r}",
    "step {k} | Return (last 100): {r} | loss 3",
    "2024-01-01 10:00:00.123 | INFO     | __main__:main:12 - step {k} | return {r}",
    "I0101 10:00:00.123456 140 train.py:12] step {k} | return {r}",
    "Eval step={k}, return={r} +/- 3.5",
    "Step {k}: return={r}",
    "INFO:root:Step {k}: return={r} loss=0.3",
    "[Step {k}] return: {r}",
    "step {k}/9000 - loss: 0.3 - return: {r}",
    "Step [{k}/9000], Loss: 0.3, return: {r}",
    "step {k} return={r} loss=0.3",
    "step {k}/9000 - return {r} - loss 0.2",
    "INFO:train:step   {k}: train loss 0.3, return {r}, lr 0.001",
    "[step {k}] return {r} | len 200",
    "Step {k}: return {r}",
    "2024-01-01 10:00:00,123 INFO {{'step': {k}, 'eval': {{'return': np.float32({r})}}, 'done': False}}",
    '[INFO] iter={k} metrics={{"eval_return": {r}, "x": NaN}}',
    "step: {k:,}, return: {r}",
    "step={k:,} return={r}",
    "\r  0%|  | 0/9 [00:00<?, ?it/s]\r 99%|##| 9/9 [00:01<00:03, 2.1it/s, return=99]step={k} return={r}",
)
ODD = (
    'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\nValueError: nan',
    "UserWarning: return, score | bar",
    "Saving model…",
    "",
    "----------",
    "+-----+-----+",
    "| rollout/ | |",
    "Namespace(seed=0, lr=0.1, reward_scale=1)",
    '{"lr": 0.1}',
    "  3%|### | 3/100 [00:01<00:20, 2.1it/s]",
    "best return so far: 0.3",
    "step=3 loss=0.4",
    "step 3 | loss 0.4",
    "score, return",
)


def of(slope: float, form: str = KEYED, *, n: int = 6, seed: int = 0) -> list[str]:
    return [form.format(k=k, r=f"{slope * k / 1000 + 0.1 * seed:.2f}") for k in STEPS[:n]]


def written(lines: list[str]) -> str:
    return "\n".join([*lines, ""])


def curve(data: ro.Curves) -> list[tuple[float, float]]:
    return [(float(step), float(score)) for step, score in zip(*data.curve(0), strict=True)]


PLAIN = [(float(k), k / 1000) for k in STEPS]


@pytest.mark.parametrize("form", FORMS)
def test_whatever_the_form_of_their_lines_logs_of_a_folder_are_the_same_curves(tmp_path, form):
    for name, slope in (("PPO", 1.0), ("SAC", 2.0)):
        for seed in range(3):
            path = tmp_path / f"{name}_Ant_seed{seed}.log"
            path.write_text(written(of(slope, form, seed=seed)), encoding="utf-8")
    read = ro.load(tmp_path)
    assert read.final(last=1).to_dict() == {"PPO": {"Ant": [6.0, 6.1, 6.2]}, "SAC": {"Ant": [12.0, 12.1, 12.2]}}
    assert curve(read) == PLAIN


@pytest.mark.parametrize("name", ["PPO.log", "PPO.txt", "PPO.out"])
@pytest.mark.parametrize("form", FORMS[2:8])
def test_lines_of_other_spacing_are_evaluations_beside_the_others(put, name, form):
    assert curve(ro.load(put(name, written([*of(1, n=4), *of(1, form)[4:]])))) == PLAIN


@pytest.mark.sampled(89)
@pytest.mark.parametrize("form", [KEYED, BARS, "step: {k}, return: {r}", "INFO:root:step={k} return={r}"])
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("at", [0, 3, 6])
def test_a_line_that_is_no_evaluation_changes_no_run_wherever_it_stands(put, form, odd, at):
    lines = of(1, form)
    assert curve(ro.load(put("PPO.log", written([*lines[:at], odd, *lines[at:]])))) == PLAIN


@pytest.mark.parametrize("form", [KEYED, BARS, "step: {k}, return: {r}", "step: {k} return: {r}"])
@pytest.mark.parametrize("between", ["", " "])
def test_two_evaluations_in_one_line_are_left_out_with_a_warning(put, form, between):
    lines = of(1, form)
    path = put("PPO.log", written([*lines[:4], lines[4] + between + lines[5]]))
    with pytest.warns(ro.RunoffWarning, match="1 line.* cannot be read, and are left out"):
        assert curve(ro.load(path)) == PLAIN[:4]


@pytest.mark.parametrize("form", [KEYED, BARS, "step: {k}, return: {r}"])
@pytest.mark.parametrize("cut", [2, 3])
def test_a_last_line_that_was_cut_in_its_number_is_left_out_with_a_warning(put, form, cut):
    path = put("PPO.log", "\n".join(of(1, form))[:-cut])
    with pytest.warns(ro.RunoffWarning, match="line 6: the last line has no end, and its last value, '6.?', looks cut"):
        assert curve(ro.load(path)) == PLAIN[:5]


def test_a_step_in_other_letters_is_a_step(put):
    assert curve(ro.load(put("PPO.log", written([*of(1)[:5], "Step 6000 Return 6"])))) == [*PLAIN[:5], (6000, 6)]


def test_a_last_run_that_was_cut_in_its_number_is_left_out_with_a_warning(put):
    runs = [f"algo={a} env=x seed={s} return={s}.25" for a in "AB" for s in range(3)]
    with pytest.warns(ro.RunoffWarning, match=r"line 6: the last line has no end"):
        assert ro.load(put("sweep.log", "\n".join(runs)[:-2])).n_runs.tolist() == [[3], [2]]


def test_of_two_evaluations_the_cut_one_is_refused_where_the_other_is_none_alone(put):
    with pytest.raises(ro.DataError, match=r"line 2: the last line has no end.* end the line with a line end if it is"):
        ro.load(put("PPO.txt", "\n".join(of(1, n=2))[:-1]))


def test_a_whole_last_line_without_an_end_is_read_with_a_note(put):
    read = ro.load(put("PPO.log", "\n".join(of(1))))
    assert curve(read) == PLAIN
    assert "the last line has no end, and is taken as whole" in read.provenance.notes


@pytest.mark.parametrize("form", FORMS)
def test_a_log_may_hold_a_single_evaluation_and_a_text_may_not(put, form):
    text = written(["Using cpu device", *of(1, form, n=1), "done"])
    assert curve(ro.load(put("PPO.log", text))) == PLAIN[:1]
    with pytest.raises(ro.DataError):
        ro.load(put("PPO.md", text))


@pytest.mark.parametrize("name", ["logs.json.txt", "train.log"])
def test_lines_of_nothing_but_json_are_records_and_no_log(put, name):
    text = "".join(f'{{"step": {k}, "loss": 0.5}}\n{{"step": {k}, "test/mean_score": 0.5}}\n' for k in STEPS)
    with pytest.raises(ro.DataError):
        ro.load(put(f"10.02.03_train_unet_pusht_image/{name}", text))


@pytest.mark.parametrize("other", ["algo=A env=x return=5", "Eval | return 7 | length 3", "step=7 success=3 return=4"])
def test_a_single_evaluation_beside_other_scores_is_not_guessed(put, other):
    lines = [f"algo={a} env=x seed={s} return={s}.25" for a in "AB" for s in range(3)]
    with pytest.raises(ro.DataError):
        ro.load(put("PPO.log", written([*lines, "algo=A env=x seed=0 step=9 return=1", other])))


@pytest.mark.parametrize("form", [KEYED, BARS])
@pytest.mark.parametrize("remark", ["WARNING: loss is nan", "val: error 3"])
def test_a_loss_beside_the_returns_is_no_cost_of_what_is_read(put, form, remark):
    losses = of(0.1, form.replace("return", "loss"))
    lines = [line for pair in zip(losses, of(1, form), strict=True) for line in pair]
    assert curve(ro.load(put("PPO.log", written([*lines, remark])))) == PLAIN


def test_a_line_that_says_that_less_is_better_is_warned_of_beside_evaluations(put):
    with pytest.warns(ro.RunoffWarning, match="says that less is better"):
        ro.load(put("PPO.log", written(["scores: lower is better", *of(1)])))


@pytest.mark.parametrize("form", ["step={k} loss={r}", "step {k} | loss {r}", "epoch: {k}, loss: {r}"])
def test_a_loss_alone_is_read_as_a_cost_with_a_warning(put, form):
    with pytest.warns(ro.RunoffWarning, match="column 'loss' is named like a cost, of which less is better"):
        read = ro.load(put("PPO.log", written(of(1, form))))
    assert curve(read) == [(step, -score) for step, score in PLAIN]


COSTS = ("step={k} train_loss=0.3 val_loss={r}", "INFO:train:step   {k}: train loss 0.3, val RMSE {r}, lr 0.001")


@pytest.mark.parametrize("first", ["starting", "INFO:train:{a} on {t}, run {s}"])
@pytest.mark.parametrize("form", COSTS)
def test_of_two_costs_that_of_validation_is_the_score(tmp_path, form, first):
    for name, task, seed in [(a, t, s) for a in ("gru", "lstm") for t in ("load_DE", "load_FR") for s in (1, 2)]:
        path = tmp_path / f"{name}_{task}_run{seed}.log"
        path.write_text(written([first.format(a=name, t=task, s=seed), *of(len(name), form, seed=seed)]))
    with pytest.warns(ro.RunoffWarning, match="named like a cost, of which less is better: it is the score, negated"):
        read = ro.load(tmp_path, pattern=None if "{a}" in first else "{algorithm}_load_{task}_run{run}")
    task = "load_{}" if "{a}" in first else "{}"
    cells = {a: [-6.0 * len(a) - 0.1, -6.0 * len(a) - 0.2] for a in ("gru", "lstm")}
    truth = {a: {task.format(t): own for t in ("DE", "FR")} for a, own in cells.items()}
    assert read.final(last=1).to_dict() == truth
    assert "are not read: 'train" in " ".join(read.provenance.notes)


@pytest.mark.parametrize("form", COSTS)
def test_the_cost_of_training_is_read_if_it_is_named(put, form):
    name = "train_loss" if "train_loss" in form else "train loss"
    read = ro.load(put("PPO.log", written(of(1, form))), columns={"score": name}, lower_is_better=True)
    assert {score for _, score in curve(read)} == {-0.3}


@pytest.mark.parametrize(
    "form", ["step={k} policy_loss=0.3 value_loss={r}", "step {k} | policy loss 0.3 | value loss {r}"]
)
def test_which_of_two_losses_of_training_is_the_score_is_asked(put, form):
    with pytest.raises(ro.DataError, match=r"several costs.*value.loss.*lower_is_better=True.*whichever is the score"):
        ro.load(put("PPO.log", written(of(1, form))))


def test_a_loss_beside_another_measure_is_not_guessed(put):
    with pytest.raises(ro.DataError):
        ro.load(put("PPO.log", written(of(1, "step={k} loss={r} entropy=0.3"))))


NAMES = [
    ("gru on load_DE, run 1", {("gru", "load_DE", "1")}),
    ("INFO:train:PPO on Pong, seed 1", {("PPO", "Pong", "1")}),
    ("training on Pong, seed 1", {("x", "task", "0")}),
    ("Pong on cuda:0, run 1", {("x", "task", "1")}),
    ("a lot of it depends on luck, run 1", {("x", "task", "0")}),
    ("gru on load_DE, run 1\ngru on load_DE, run 2", {("x", "task", "0")}),
]


@pytest.mark.parametrize(("line", "names"), NAMES)
def test_a_line_names_the_run_in_words_or_does_not(put, line, names):
    frame = ro.load(put("x.log", written([line, *of(1)]))).to_frame()
    assert {*zip(frame["algorithm"], frame["task"], frame["run"], strict=True)} == names


def test_a_log_of_losses_beside_logs_of_returns_is_warned_of(tmp_path):
    for seed in range(3):
        text = written(of(1, seed=seed))
        tmp_path.joinpath(f"PPO_Ant_seed{seed}.log").write_text(text if seed else text.replace("return", "loss"))
    with pytest.warns(ro.RunoffWarning, match=r"1 file.* left out, .*PPO_Ant_seed0.log: .*lower_is_better=True"):
        assert ro.load(tmp_path).n_runs.tolist() == [[2]]


@pytest.mark.parametrize("form", [KEYED, BARS])
def test_evaluations_of_several_names_in_brackets_are_no_run_of_one(put, form):
    lines = [f"[{name}] {line}" for name in ("PPO", "SAC") for line in of(1, form)]
    with pytest.raises(ro.DataError):
        ro.load(put("t.log", written(["loading data", *lines])))


def test_a_log_that_is_a_table_stays_one(put):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in ("step,return\n1,2.5\n2,3.5\n", "step return\n1 2.5\n2 3.5\n", '{"step": 1, "return": 2.5}\n' * 2):
            assert "each line has names" not in " ".join(ro.load(put("PPO.log", text)).provenance.notes)


def test_remarks_above_the_evaluations_name_the_run(put):
    for algorithm, task, seed in [(a, t, s) for a in ("sac", "ours") for t in ("maze", "hall") for s in (1, 2)]:
        lines = [
            f"2024-05-02 10:00:01 INFO start training algo={algorithm} env={task} seed={seed} on 2 devices",
            "2024-05-02 10:03:07 INFO step=2000 return=1.5",
            f"2024-05-02 10:06:07 INFO step=4000 return={seed}.5",
            "WARNING: env=gone cannot be closed",
        ]
        root = put(f"logs/{seed}{algorithm}{task}.log", "\n".join(lines) + "\n").parent
    final = ro.read_curves(root).final()
    assert final.to_dict()["ours"] == {"hall": [1.5, 2.5], "maze": [1.5, 2.5]}


CLOCKED = (
    "t={k} ret={r} cost=25.02",
    "t={k}, ret={r}",
    "t {k} | ret {r} | len 3",
    "INFO:root:t: {k} ret: {r}",
    "ret {r}; t {k}",
)


@pytest.mark.parametrize("form", CLOCKED)
def test_a_clock_that_rises_from_line_to_line_is_the_step(tmp_path, form):
    for name, task, seed in [(a, t, s) for a in ("CPO", "PPO") for t in ("Goal", "Button") for s in (10, 20)]:
        path = tmp_path / name / task / f"s{seed}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(["starting", *of(len(name + task), form, seed=seed)]))
    read = ro.load(tmp_path)
    assert read.final(last=1).to_dict() == {
        a: {t: [6.0 * len(a + t) + 1, 6.0 * len(a + t) + 2] for t in ("Button", "Goal")} for a in ("CPO", "PPO")
    }
    assert [step for step, _ in curve(read)] == [*STEPS]
    assert "'t' rises from line to line, and is read as the step" in " ".join(read.provenance.notes)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("at", [0, 3, 6])
def test_a_line_without_a_clock_changes_no_run(put, odd, at):
    lines = of(1, CLOCKED[2])
    assert curve(ro.load(put("PPO.log", written([*lines[:at], odd, *lines[at:]])))) == PLAIN


@pytest.mark.parametrize("form", CLOCKED[:2])
def test_a_clock_that_falls_is_no_step(put, form):
    lines = of(1, form)
    with pytest.warns(ro.RunoffWarning, match="at steps 1, 2, …"):
        read = ro.load(put("PPO_Ant_seed1.log", written([*lines[:3], lines[5], *lines[3:5]])))
    assert read.steps.tolist() == [1, 2, 3, 4, 5, 6]


def test_a_clock_beside_a_step_is_none(put):
    read = ro.load(put("PPO.log", written(of(1, "t=3{k} step={k} return={r}"))))
    assert curve(read) == PLAIN


@pytest.mark.parametrize("start", ["", "rollout 1: ", "| a", "model: a"])
def test_lines_of_blanks_take_no_time(start):
    began = time.perf_counter()
    log_in([start + " " * 1980] * 300)
    assert time.perf_counter() - began < 3


@pytest.mark.parametrize("second", ["algo=ppo env=X seed=1", "algo=sac env=Y seed=1", "algo=sac env=X seed=2"])
@pytest.mark.parametrize("steps", [(3000, 4000), (1500, 2500), (1000, 2000)])
def test_a_log_whose_remarks_name_two_runs_is_not_read_as_one(put, second, steps):
    lines = [
        "start training algo=sac env=X seed=1",
        "step=1000 return=1",
        "step=2000 return=2",
        f"start training {second}",
    ]
    lines += [f"step={step} return={at}0" for at, step in enumerate(steps)]
    with pytest.raises(ro.DataError):
        ro.read_curves(put("a.log", "\n".join([*lines, ""])))


@pytest.mark.parametrize(
    ("line", "runs"),
    [
        (
            "{a:5}{t:9}seed={r}  mean_reward={x} +/- 3.25",
            {"PPO": {"Pong": [0, 1], "Qbert": [2, 3]}, "mine": {"Pong": [4, 5], "Qbert": [6, 7]}},
        ),
        (
            "10:0{r} {a} | env={t} seed={r} score={x}",
            {"PPO": {"Pong": [0, 1], "Qbert": [2, 3]}, "mine": {"Pong": [4, 5], "Qbert": [6, 7]}},
        ),
    ],
)
def test_words_before_the_keys_of_each_run_are_names(put, line, runs):
    cells = [(a, t, r) for a in ("PPO", "mine") for t in ("Pong", "Qbert") for r in (0, 1)]
    text = "".join(f"{line.format(a=a, t=t, r=r, x=x)}\n" for x, (a, t, r) in enumerate(cells))
    assert ro.load(put("runs.txt", text)).to_dict() == runs


@pytest.mark.parametrize("words", ["fast blue", "slow"])
def test_words_that_nobody_knows_before_the_keys_of_runs_are_refused(put, words):
    file = put("runs.txt", f"{words} seed=0 return=1\nslow red seed=0 return=2\n")
    with pytest.raises(ro.DataError, match=f"line 1: nothing says what the words '{words}' name"):
        ro.load(file)


@pytest.mark.parametrize("words", [("done", "finished"), ("run1", "run2"), ("worker1", "worker2")])
def test_words_before_keys_that_name_no_algorithm_part_none(put, words):
    file = put("runs.txt", "".join(f"{word} seed={s} return={s}.5\n" for s, word in enumerate(words)))
    assert ro.load(file).to_dict() == {"runs": {"task": [0.5, 1.5]}}


def test_folders_of_what_slurm_writes_are_read(put):
    for a, s in (("ppo", 0), ("ppo", 1), ("sac", 0)):
        put(f"logs/{a}_seed{s}.out", f"step=1 return=1.5\nstep=2 return={s}.5\n")
    assert ro.load(put("logs/notes.md", "-").parent).final().to_dict() == {
        "ppo": {"task": [0.5, 1.5]},
        "sac": {"task": [0.5]},
    }


@pytest.mark.parametrize("form", [KEYED, BARS])
@pytest.mark.parametrize("behind", ["", " ", "\t", " |", ","])
def test_what_stands_behind_a_number_that_was_cut_leaves_it_cut(put, form, behind):
    text = "".join(form.format(k=k, r=f"{k / 100 + 2}5") + "\n" for k in STEPS[:3]) + form.format(k=STEPS[3], r=1)
    with pytest.warns(ro.RunoffWarning, match="its last value, '1', looks cut off"):
        assert ro.load(put("ppo_s0.log", text + behind)).steps.tolist() == [*STEPS[:3]]


def test_a_step_that_is_printed_twice_begins_no_run_and_an_earlier_one_does():
    lines = ["Training PPO", "step=1 return=2", "Training SAC", "step=1 return=3", "Training DQN", "step=0 return=4"]
    assert begun_below(lines[:4], [2, 4], ["1", "1"]) == ""
    assert begun_below(lines, [2, 4, 6], ["1", "1", "0"]).startswith(
        "line 5: the steps begin again below 'Training DQN'"
    )
    assert begun_below([*lines[:4], "Resumed from x", lines[5]], [2, 4, 6], ["1", "1", "0"]) == ""


@pytest.mark.parametrize(("word", "other"), [("testing", "test"), ("valid", "validation"), ("evaluation", "eval")])
def test_a_kind_of_data_is_one_however_it_is_written(put, word, other):
    for own in (word, other):
        lines = [f"{split}: step={k} return={k + more}.5" for split, more in (("train", 4), (own, 0)) for k in (1, 2)]
        with pytest.warns(ro.RunoffWarning, match=f"left out: 2 row.s. whose column 'split' is not '{other}'"):
            assert curve(ro.load(put(f"{own}/PPO.log", written(lines)))) == [(1, 1.5), (2, 2.5)]


def logs_with(put, name):
    for run in ("dapo_seed1", "dapo_seed2", "grpo_seed1", "grpo_seed2"):
        lines = (f"step:{i} - {name}:0.{i % 7 + 2} - actor/pg_loss:0.1\n" for i in range(0, 60, 10))
        file = put(f"logs/{run}.log", "".join(lines))
    return file.parent


def test_names_with_at_signs_are_not_lost_beside_losses(put):
    with pytest.raises(
        ro.DataError, match=r"'actor/pg_loss' stands beside the algorithms 'val-core/math500/acc/mean@8'"
    ):
        ro.load(logs_with(put, "val-core/math500/acc/mean@8"))


def test_a_quality_with_an_at_sign_is_the_score_beside_losses(put):
    curves = ro.load(logs_with(put, "eval/pass@1"))
    assert curves.final(1).to_dict()["dapo"] == {"task": [0.3, 0.3]}
