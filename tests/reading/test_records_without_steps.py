"""Laws of records of one run of which some have a score and no step, or nothing."""

from __future__ import annotations

import json

import pytest

import runoff as ro


def put_runs(folder, records, *, lines):
    for name in ("ppo_seed0", "ppo_seed1", "sac_seed0", "sac_seed1"):
        text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
        (folder / f"{name}.{'jsonl' if lines else 'json'}").write_text(text)


TRAINED = [{"step": 100 * i, "return": 1.0 + i} for i in range(1, 4)]


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize(
    ("at", "steps"), [((3,), [300.0]), ((2, 4), [200.0, 300.0]), ((1, 3, 5), [100.0, 200.0, 300.0])]
)
def test_evaluations_without_a_step_have_that_of_the_record_before_and_a_note_says_so(tmp_path, lines, at, steps):
    records = list(TRAINED)
    for i in at:
        records.insert(i, {"eval_return": 50.0 + i})
    put_runs(tmp_path, records, lines=lines)
    curves = ro.load(tmp_path)
    assert (curves.steps[: len(steps)].tolist(), curves.values[: len(steps)].tolist()) == (
        steps,
        [50.0 + i for i in at],
    )
    assert "rows with 'eval_return' and without a step have that of the row before" in curves.provenance.notes


@pytest.mark.parametrize("records", [[{"eval_return": 5.0}, *TRAINED], [*TRAINED[::-1], {"eval_return": 5.0}]])
def test_evaluations_before_any_step_or_beside_steps_that_fall_are_refused(tmp_path, records):
    put_runs(tmp_path, records, lines=True)
    with pytest.raises(ro.DataError, match=r"the step \(column 'step'\) is missing"):
        ro.load(tmp_path)


def test_a_return_of_training_without_a_step_is_not_pooled_with_the_one_before(tmp_path):
    put_runs(tmp_path, [*TRAINED, {"return": 50.0}], lines=True)
    with pytest.raises(ro.DataError, match="step 300 appears twice"):
        ro.load(tmp_path)


@pytest.mark.parametrize(
    "empty", ["[]", "{}", "[{}]", "[[]]", "[[], []]", '{"a": []}', '{"a": {}}', '{"a": [{}]}', '{"results": []}']
)
@pytest.mark.parametrize("suffix", ["json", "jsonl", "yaml"])
def test_files_of_nothing_are_refused_in_a_sentence(tmp_path, empty, suffix):
    (tmp_path / f"a.{suffix}").write_text(f"{empty}\n{empty}\n" if suffix == "jsonl" else empty)
    with pytest.raises(ro.DataError, match=rf"a\.{suffix}.*\.$"):
        ro.load(tmp_path / f"a.{suffix}")


@pytest.mark.parametrize("at", [0, 1, 3])
def test_empty_records_beside_others_are_left_out(tmp_path, at):
    put_runs(tmp_path, [*TRAINED[:at], {}, *TRAINED[at:]], lines=True)
    assert ro.load(tmp_path).final().cell("ppo", "task").tolist() == [4.0, 4.0]
