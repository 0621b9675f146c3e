"""One results file a model: texts asked and answered are no algorithms, items are tasks of their own, and attempts are no trainings."""

from __future__ import annotations

import csv
import io
import json

import pytest

import runoff as ro

N = 12
MODELS = ("base-7b", "tuned-7b")


def right(model: str, k: int) -> int:
    return int((7 * k + 3 * MODELS.index(model)) % 10 < 4 + 2 * MODELS.index(model))


def rows_of(model, attempts=1, **texts):
    return [
        {
            "id": k,
            "category": "ab"[k % 2],
            **{name: f"{text} {k}" for name, text in texts.items()},
            "score": right(model, k),
        }
        for k in range(N)
        for _ in range(attempts)
    ]


def as_csv(rows) -> str:
    with io.StringIO() as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        return stream.getvalue()


def as_lines(rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


FORMS = {"{}.csv": as_csv, "{}.jsonl": as_lines, "{}/results.jsonl": as_lines}


@pytest.mark.parametrize("form", FORMS)
def test_a_file_of_answers_is_of_the_model_that_its_path_names_and_its_items_are_tasks(put, tmp_path, form):
    for model in MODELS:
        put(form.format(model), FORMS[form](rows_of(model, prompt="what is", response=model)))
    scores = ro.read_scores(tmp_path, unit="episode")
    assert (scores.algorithms, len(scores.tasks), scores.of_items) == (MODELS, N, True)
    assert all(scores.cell(model, str(k)).tolist() == [right(model, k)] for model in MODELS for k in range(N))


def test_the_pattern_names_the_model_of_such_a_file(put, tmp_path):
    for model in MODELS:
        put(f"{model}/2024/out.jsonl", as_lines(rows_of(model, prompt="what is", response=model)))
    assert ro.read_scores(tmp_path, unit="episode", pattern="{algorithm}/*/*").algorithms == MODELS


@pytest.mark.parametrize("attempts", [1, 2])
def test_items_are_no_trainings_unless_the_user_says_so(put, tmp_path, attempts):
    for model in MODELS:
        put(f"{model}.jsonl", as_lines(rows_of(model, attempts, prompt="what is", response=model)))
    with pytest.raises(
        ro.DataError, match=r"column 'id' names items, whose answers are not trainings: use unit='episode'"
    ):
        ro.read_scores(tmp_path)
    assert ro.read_scores(tmp_path, unit="episode").n_runs.max() == attempts


def test_a_long_question_is_named_by_its_beginning_and_two_that_begin_alike_stay_two(put, tmp_path):
    for model in MODELS:
        rows = [{**row, "prompt": f"{'x' * 90}{row['id']}"} for row in rows_of(model, response="r")]
        put(f"{model}.csv", as_csv([{name: row[name] for name in ("prompt", "response", "score")} for row in rows]))
    tasks = ro.read_scores(tmp_path, unit="episode").tasks
    assert len(tasks) == N
    assert all(task.startswith("x" * 60 + "… ") and len(task) == 70 for task in tasks)


def test_problems_and_repeats_of_nemo_evaluator_are_items_and_attempts(put, tmp_path):
    for model in MODELS:
        rows = [{"problem_idx": k, "reward": right(model, k + r), "repeat": r} for k in range(N) for r in range(3)]
        put(f"{model}/results.jsonl", as_lines(rows))
    with pytest.raises(ro.DataError, match="column 'problem_idx' names items"):
        ro.read_scores(tmp_path)
    scores = ro.read_scores(tmp_path, unit="episode")
    assert scores.cell("base-7b", "3").tolist() == [right("base-7b", 3 + r) for r in range(3)]


def test_a_text_that_may_be_the_algorithm_is_still_asked_about_where_nothing_was_asked_of_a_model(put, tmp_path):
    for name in ("one", "two"):
        put(f"{name}.csv", "flavour,score\nours,1\ntheirs,2\nours,2\ntheirs,3\n")
    with pytest.raises(ro.DataError, match="column 'flavour' holds text: is it the algorithm"):
        ro.read_scores(tmp_path)
