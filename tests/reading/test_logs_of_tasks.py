"""Logs of the evaluation of a model: its name, then a line for each task."""

from __future__ import annotations

import pytest

import runoff as ro

pytestmark = pytest.mark.filterwarnings("error::runoff.RunoffWarning")

FORMS = (
    "{t}: accuracy {s:.4f} (936/1319)",
    "{t}: accuracy = {s:.4f}",
    "  {t}: acc {s:.4f}",
    "{t}: success rate: {s:.4f} (n=200)",
    "{t}: score {s:.4f}",
)
HEADS = ("model: {a}\nsampling seed: {r}, temperature 0.7", "model: {a}\nseed: {r}", "# model={a} seed={r}")
ODD = (
    "Loading checkpoint shards: 100%|##########| 4/4 [00:01<00:00]",
    "",
    "WARNING: slow",
    "average: {m} 0.9",
    "----------",
)
SCORES = {"gsm8k": 0.5, "math500": 0.25}


def log(form: str, head: str = HEADS[0], offset: float = 0.0, **names) -> str:
    return "\n".join([head.format(**names), *(form.format(t=t, s=s + offset) for t, s in SCORES.items()), ""])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("head", HEADS)
def test_a_folder_of_models_has_the_scores_of_its_tasks(tmp_path, form, head):
    for i, (a, r) in enumerate([(a, r) for a in ("qwen-sft", "qwen-dpo") for r in (1, 2)]):
        (tmp_path / f"{a}.seed{r}.txt").write_text(log(form, head, 0.01 * i, a=a, r=r))
    assert {
        a: {t: [round(x, 4) for x in own] for t, own in cells.items()}
        for a, cells in ro.load(tmp_path).to_dict().items()
    } == {
        "qwen-dpo": {"gsm8k": [0.52, 0.53], "math500": [0.27, 0.28]},
        "qwen-sft": {"gsm8k": [0.5, 0.51], "math500": [0.25, 0.26]},
    }


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("at", [0, 2, 3, 4])
@pytest.mark.parametrize("form", FORMS[:2])
def test_another_line_changes_no_score(put, form, odd, at):
    lines = log(form, a="qwen", r=1).split("\n")
    path = put("x.txt", "\n".join([*lines[:at], odd.format(m="accuracy"), *lines[at:]]))
    assert ro.load(path).to_dict() == {"qwen": {t: [s] for t, s in SCORES.items()}}


@pytest.mark.parametrize(
    "text",
    [
        "PPO: return 3.5\nSAC: return 2.5\n",  # names of algorithms
        "model: qwen\nfold 1: accuracy 0.5\nfold 2: accuracy 0.6\n",
        "model: qwen\ntrain: accuracy 0.5\ntest: accuracy 0.6\n",
        "model: qwen\ngsm8k: accuracy 0.5\nmath: f1 0.6\n",
        "model: qwen\ngsm8k: accuracy 0.5\nmath: accuracy 60%\n",
        "model: qwen\nmodel: llama\ngsm8k: accuracy 0.5\nmath: accuracy 0.6\n",
        "model: qwen\ngsm8k: accuracy 0.5\n",
    ],
)
def test_what_may_be_no_tasks_of_a_model_is_not_guessed(put, text):
    with pytest.raises(ro.DataError):
        ro.load(put("x.txt", text))


def test_epochs_before_a_colon_are_no_tasks(put):
    read = ro.load(put("x.log", "model: qwen\nepoch 1: accuracy 0.5\nepoch 2: accuracy 0.6\n"))
    assert (read.tasks, read.curve(0)[0].tolist()) == (("task",), [1, 2])


def test_a_last_score_that_was_cut_is_refused_or_left_out(put):
    three = log(FORMS[1], a="qwen", r=1) + "aime: accuracy = 0.12"
    with pytest.warns(ro.RunoffWarning, match="its last value, '0.12', looks cut off"):
        assert ro.load(put("x.txt", three)).tasks == ("gsm8k", "math500")


@pytest.mark.parametrize("line", ["n: 100", "host: gpu7", "best: 3"])
def test_a_line_that_says_neither_a_setting_nor_a_name_stands_beside_no_score(put, line):
    scores = ro.load(put("x.log", f"model: qwen\nshots: 5\n{line}\ngsm8k: accuracy 0.71\nmath: accuracy 0.52\n"))
    assert scores.to_dict() == {"qwen": {"gsm8k": [0.71], "math": [0.52]}}
    assert not any(line.partition(":")[0] in note.split("'") for note in scores.provenance.notes)
