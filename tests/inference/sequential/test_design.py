"""Designs: what is refused, what is noted, what the file holds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.sequential import judge, read_design, write_design

DESIGN = ro.SequentialDesign(
    looks=(5, 10), alpha=0.1, margin=1, effect=2, algorithms=("é", 'a"b'), tasks=("T",), cost_per_run=2, budget=100
)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"looks": (5, 5)}, "looks must increase, for they count runs from the start, not 5, 5"),
        ({"looks": (10, 5)}, "looks must increase"),
        ({"looks": (0, 5)}, "a look must be a whole number of at least 1, not 0"),
        ({"looks": (1,)}, "a look must be a whole number of at least 2, not 1"),
        ({"looks": (5.5,)}, "a look must be a whole number"),
        ({"looks": ()}, "looks must be numbers of runs of each algorithm"),
        ({"looks": "5,10"}, "looks must be numbers of runs of each algorithm"),
        ({"looks": 5}, "looks must be numbers of runs of each algorithm"),
        ({"looks": (5, 1_000_000_000)}, "at most 1,000,000 runs of each algorithm on each task, not 1,000,000,000"),
        ({"looks": tuple(range(2, 300))}, "there may be at most 200 looks, not 298"),
        ({"alpha": 0.0}, "alpha must lie strictly between 0 and 1"),
        ({"alpha": 1.0}, "alpha must lie strictly between 0 and 1"),
        ({"margin": -0.1}, "margin must be a finite number greater than 0, not -0.1"),
        ({"margin": float("nan")}, "margin must be a finite number"),
        ({"effect": 0}, "effect must be a finite number greater than 0, not 0"),
        ({"cost_per_run": None}, "cost_per_run must be a finite number"),
        ({"budget": True}, "budget must be a finite number"),
        ({"futility": 1.5}, "futility must lie strictly between 0 and 1"),
        ({"spending": "pococks"}, "Did you mean 'pocock'?"),
        ({"test": "welch"}, "test must be one of studentized_permutation"),
        ({"n_resamples": 3}, "n_resamples must be a whole number of at least 100"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"algorithms": ("A",)}, "there is one algorithm, 'A'"),
        ({"algorithms": ("A", "A")}, "algorithms names 'A' twice"),
        ({"algorithms": "AB"}, "algorithms must be names"),
        ({"algorithms": tuple("ABCDEFGH")}, "at most 7 algorithms together, not 8"),
        ({"algorithms": ("A", "B"), "tasks": ("T", "U"), "budget": 19}, "does not pay for the first look: 5 runs of 2"),
    ],
)
def test_a_design_that_means_nothing_is_refused_in_a_sentence(wrong, sentence):
    with pytest.raises((ro.OptionError, ro.DesignError), match=sentence.replace("?", r"\?")):
        ro.SequentialDesign(**{"looks": (5, 10)} | wrong)


def test_a_file_of_a_design_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "design.toml"
    write_design(DESIGN, path)
    assert read_design(path) == DESIGN
    assert read_design(path).sha256 == DESIGN.sha256
    assert "# runs of each algorithm on each task" in path.read_text(encoding="utf-8")


def test_a_design_is_never_overwritten(tmp_path):
    path = tmp_path / "design.toml"
    write_design(DESIGN, path)
    with pytest.raises(ro.OutputError, match="exists already; a design may not be changed"):
        write_design(DESIGN, path)
    with pytest.raises(ro.OutputError, match="cannot be written"):
        write_design(DESIGN, tmp_path / "no" / "design.toml")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("looks = [5", "is not valid TOML"),
        ("alpha = 0.05", "lacks looks"),
        ("looks = [5]\nmargins = 1", "unknown key 'margins'"),
        ('looks = [5]\nschema = "runoff.sequential/9"', "is of schema 'runoff.sequential/9'"),
        ('looks = "5,10"', "looks must be numbers"),
    ],
)
def test_a_file_that_is_no_design_is_refused(tmp_path, text, sentence):
    path = tmp_path / "design.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ro.OptionError, match=sentence):
        read_design(path)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path):
    with pytest.raises(ro.OptionError, match="cannot be read"):
        read_design(tmp_path / "none.toml")
    (tmp_path / "design.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ro.OptionError, match="is not a text file"):
        read_design(tmp_path / "design.toml")


def test_every_decision_is_in_the_digest_and_the_kind_of_number_is_not():
    assert ro.SequentialDesign(looks=[5, 10], margin=1).sha256 == ro.SequentialDesign(looks=(5, 10), margin=1.0).sha256
    changes = [{"alpha": 0.01}, {"seed": 1}, {"margin": 2}, {"budget": 9}, {"tasks": ("T",)}, {"looks": (5, 11)}]
    digests = {ro.SequentialDesign(**{"looks": (5, 10)} | change).sha256 for change in [{}, *changes]}
    assert len(digests) == 7


def test_looks_that_can_find_nothing_are_named_and_find_nothing():
    design = ro.SequentialDesign(looks=(3, 6, 9), algorithms=("A", "B"), tasks=("T",), n_resamples=999)
    assert design.never_rejects(1) == (1,)
    assert design.notes[0].startswith("Look 1 can find no difference, whatever the scores")
    looks = [{(a, 0): 100.0 * a + np.arange(3) for a in range(2)} for _ in range(3)]
    assert [[f.decision for f in judged.findings] for judged in judge(design, looks, 2, 1)] == [
        ["go_on"],
        ["b_better"],
        [],
    ]
    assert ro.SequentialDesign(looks=(3, 6, 9)).never_rejects(2) == ()


def test_looks_that_can_find_nothing_on_one_task_are_named_before_tasks_are_known():
    (note,) = ro.SequentialDesign(looks=(1, 2, 3, 4)).notes
    assert note.startswith("Looks 1, 2, 3 and 4 can find no difference, whatever the scores, if there is one task")
    assert ro.SequentialDesign(looks=(1, 20)).notes == ()


def test_the_fewest_relabellings_are_counted_task_by_task_and_look_by_look():
    least = 2 / len(list(combinations(range(6), 3)))
    first, second = (ro.SequentialDesign(looks=(3, 6), alpha=alpha) for alpha in (0.17, 0.16))
    assert (first.spent[0] >= least, first.never_rejects(1)) == (True, ())
    assert (second.spent[0] < least, second.never_rejects(1)) == (True, (1,))
    assert ro.SequentialDesign(looks=(3,), alpha=0.01).never_rejects(1) == ()  # that is compare, which relabels nothing
    assert ro.SequentialDesign(looks=(3, 6), alpha=0.01, spending="pocock").never_rejects(1) == (1,)


def test_draws_that_are_too_few_for_what_may_be_spent_are_noted():
    assert ro.SequentialDesign(looks=(5, 10, 15, 20), spending="obrien_fleming").never_rejects(10) == (1,)
    more = ro.SequentialDesign(looks=(5, 10, 15, 20), spending="obrien_fleming", n_resamples=99_999)
    assert more.never_rejects(10) == ()


def test_a_budget_that_ends_the_looks_early_is_noted():
    assert DESIGN.notes == ()
    short = ro.SequentialDesign(looks=(5, 10, 15), algorithms=("A", "B"), tasks=("T",), budget=10)
    assert short.notes == (
        "The budget of 10 pays for look 1 only as long as no algorithm leaves; what looks 2 and 3 could spend of alpha is then not used.",
    )
