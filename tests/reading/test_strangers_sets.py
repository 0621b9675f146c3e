"""What transcripts keep of strangers' files is what their makers wrote down before they had seen an answer, or a question.

The transcripts are compared with the answers of today elsewhere; here nothing is read anew, so that no misreading can be written into them.
"""

from __future__ import annotations

import ast
import re

import pytest

from tests.golden.transcripts import Entry, entries, kept
from tests.reading.strangers import FEW, Cells, difference, truths

OTHERWISE = {
    "12/30_llm_items_jsonl/outputs": "its items are the tasks",
    "12/38_lr_sweep/sweep.csv": "learning rates are compared at equal tuning, with a note",
    "12/74_lightning_logs/lightning_logs": "the validation is the score, with a warning that names the test",
    "12/78_optuna_hpo/optuna.db": "searches are compared as such",
    "13/b/b59.csv": "of training and test levels the test is read, with a warning",
    "13/b/b60.csv": "of a return and a success rate the return is read, with a note",
    "13/b/b63.csv": "learning rates are compared at equal tuning, with a note",
    "13/b/b65.csv": "a task on which an algorithm was not run is missing, not asked about",
    "13/c/c31.csv": "of a return and a cost the return is read, with a note",
    "13/c/c34.csv": "numbers without an algorithm are settings of one, with a note",
    "13/c/c39.csv": "PPO and ppo are one algorithm, with a warning",
    "13/c/c40.csv": "a star behind a score is a mark, with a note",
    "14/a/15_corl_wandb": "a raw return is read beside a normalised one, with a note",
    "14/b/27_llm_items.csv": "its items are the tasks",
    "14/b/31_sweep.csv": "learning rates are compared at equal tuning, with a note",
    "15/b/49_items.csv": "its items are the tasks",
    "16/b09_generalisation.csv": "of training and test levels the test is read, with a note",
    "16/b49_numbers.txt": "the axes of bare numbers are those of rliable, with a note",
    "16/b78_scores.npy": "the axes of bare numbers are those of rliable, with a note",
    "17/f21_spinup": "returns of training, which all runs have, are read, with a warning that names those of tests",
    "17/t29_two_metrics.csv": "of a return and a success rate the return is read, with a note",
    "15/b/50_lr_sweep.csv": "learning rates are compared at equal tuning, with a note",
    "14/b/78_split.csv": "of training and test rows the test is read, with a warning",
}
"""Files that are read another way than their makers read them, or that they would ask about; each with what is said of it."""


def answers() -> dict[str, Entry]:
    """Return what the transcripts keep of each file."""
    parts = [part for number in (12, 13, 14, 15, 16, 17) for part in entries(kept(f"strangers_{number}"))]
    return {ast.literal_eval(part.prompt.removeprefix("stranger")): part for part in parts if part.sign == ">>>"}


ANSWERS = answers()


def cells(answer: str) -> Cells:
    """Return the scores that a transcript has: none where the file is asked about or refused."""
    lines = [line.split(" | ") for line in answer.split("\n") if line.count(" | ") == 3]
    return {
        algorithm: {task: scores_of(int(n), own) for a, task, n, own in lines if a == algorithm}
        for algorithm in dict.fromkeys(line[0] for line in lines)
    }


def scores_of(n: int, text: str) -> list[float]:
    """Return the scores of a cell; many, of which a transcript has the mean and the ends, as as many equal ones."""
    own = [float(score) for score in text.split()]
    return own if n <= FEW else [own[0]] * n


FAILED = {"15/a/23_inspect_logs", "16/a07_aim_steel", "16/b23_single.tex", "17/t42_compiler.org"}
"""Evaluations that all ended in an error, which their maker did not intend; a store of Aim, single values of a paper, and a table whose caption
speaks of means, each refused with what to do about it."""
READABLE = [
    path for path, truth in truths().items() if truth["verdict"] == "read" and path not in {*OTHERWISE, *FAILED}
]


@pytest.mark.parametrize("path", READABLE)
def test_a_strangers_file_is_read_as_its_maker_reads_it_or_asked_about(path):
    ours = cells(ANSWERS[path].below)
    if ours and "runs" in truths()[path]:
        assert difference(truths()[path], ours) == ""
    elif not ours:
        assert re.search(r"--\w|columns=\{|np\.savez|shapes that hold|write one above", ANSWERS[path].below)


@pytest.mark.parametrize("path", sorted(set(truths()) - set(READABLE) - set(OTHERWISE)))
def test_what_a_stranger_would_ask_about_is_not_read(path):
    assert not cells(ANSWERS[path].below)


@pytest.mark.parametrize("path", OTHERWISE)
def test_what_is_read_otherwise_says_so(path):
    truth, below = truths()[path], ANSWERS[path].below
    assert truth["verdict"] != "read" or difference(truth, cells(below))
    assert re.search("note: |missing cell", below)


def test_three_of_four_readable_files_are_read_without_a_question():
    read = [path for path in READABLE if cells(ANSWERS[path].below)]
    assert len(read) / len(READABLE) > 0.75
