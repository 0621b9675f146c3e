"""Curves that begin late and are evaluated unevenly, against a trapezoid and an interpolation written plainly."""

from __future__ import annotations

from itertools import pairwise

import pytest

import runoff as ro

STEPS = [1000.0, 1010.0, 1100.0, 1400.0, 2000.0]
LATER = [1400.0, 1900.0, 2000.0]
SCORES, OTHERS = [5.0, -1.0, 3.0, 8.0, 2.5], [4.0, 1.0, 9.0]


def curves(*runs):
    """Learning curves of A on one task; each run is (steps, scores)."""
    rows = [(seed, step, score) for seed, run in enumerate(runs) for step, score in zip(*run, strict=True)]
    columns = dict(zip(("seed", "step", "score"), zip(*rows, strict=True), strict=True))
    return ro.Curves.from_frame({"algo": ["A"] * len(rows), "task": ["t"] * len(rows)} | columns)


def reduced(scores):
    return scores.cell("A", "t").tolist()


def height(steps, scores):
    """The area by trapezoids over the span of the steps."""
    parts = zip(pairwise(steps), pairwise(scores), strict=True)
    return sum((s1 - s0) * (v0 + v1) / 2 for (s0, s1), (v0, v1) in parts) / (steps[-1] - steps[0])


def between(step, steps, scores):
    """The height of the line between the evaluations on both sides of a step."""
    i = max(j for j in range(len(steps) - 1) if steps[j] <= step)
    share = (step - steps[i]) / (steps[i + 1] - steps[i])
    return scores[i] + share * (scores[i + 1] - scores[i])


def test_the_area_is_that_of_trapezoids_from_the_first_step_at_which_all_runs_of_the_task_were_evaluated():
    scores = curves((STEPS, SCORES), (LATER, OTHERS)).auc()
    assert reduced(scores) == pytest.approx([height(STEPS[-2:], SCORES[-2:]), height(LATER, OTHERS)])
    note = "training before step 1400, the first evaluation of algorithm 'A', task 't', run '1', is left out"
    assert scores.provenance.notes[-1] == note
    assert "from the first common step" in scores.provenance.score


def test_runs_that_differ_only_in_when_they_were_first_evaluated_have_one_area_and_one_last_half():
    late = [1050.0, *STEPS[2:]], [between(1050.0, STEPS, SCORES), *SCORES[2:]]
    same = curves((STEPS, SCORES), late)
    assert len(set(map(float, reduced(same.auc())))) == 1
    assert reduced(same.final("94%"))[0] == reduced(same.final("94%"))[1] == sum(SCORES[2:]) / 3


def test_first_evaluations_that_differ_by_a_hundredth_of_the_training_change_no_area_and_no_note():
    near = [1009.0, *STEPS[1:]], SCORES
    scores = curves((STEPS, SCORES), near).auc()
    assert reduced(scores) == pytest.approx([height(STEPS, SCORES), height(*near)])
    assert "common" not in " ".join(scores.provenance.notes)


@pytest.mark.parametrize("first", [-500.0, 0.0, 1.0, 1e6])
def test_a_level_curve_has_its_level_as_area_wherever_it_begins(first):
    scores = curves(([first + step for step in STEPS], [7.0] * 5)).auc()
    assert reduced(scores) == pytest.approx([7.0])


@pytest.mark.parametrize(("scale", "shift"), [(1.0, -1000.0), (1.0, 1e5), (1e-3, 0.0), (10.0, 3.0)])
def test_counting_steps_from_elsewhere_or_in_another_unit_changes_no_area(scale, shift):
    moved = [scale * step + shift for step in STEPS]
    assert reduced(curves((moved, SCORES)).auc()) == pytest.approx([height(STEPS, SCORES)])


def test_the_area_of_a_line_is_its_middle_however_unevenly_it_is_evaluated():
    assert reduced(curves((STEPS, [3 * step - 1 for step in STEPS])).auc()) == pytest.approx([3 * 1500 - 1])


@pytest.mark.parametrize("step", [1400.0, 1400.5, 1650.0, 1899.0, 1999.9])
def test_a_score_at_a_step_lies_on_the_line_between_its_neighbours(step):
    scores = curves((STEPS, SCORES), (LATER, OTHERS)).at(step)
    assert reduced(scores) == pytest.approx([between(step, STEPS, SCORES), between(step, LATER, OTHERS)])


def test_at_its_own_steps_a_curve_has_its_own_scores_the_first_and_last_included():
    learning = curves((STEPS, SCORES))
    assert [reduced(learning.at(step))[0] for step in STEPS] == SCORES


@pytest.mark.parametrize(("step", "run"), [(0, 0), (999.9, 0), (1200, 1), (2000.1, 0)])
def test_before_its_first_and_after_its_last_evaluation_a_run_has_no_score(step, run):
    with pytest.raises(ro.DesignError, match=f"run '{run}' was evaluated from step"):
        curves((STEPS, SCORES), (LATER, OTHERS)).at(step)


def test_the_final_score_is_the_mean_of_the_last_evaluations_however_far_apart():
    learning = curves((STEPS, SCORES), (LATER, OTHERS))
    assert reduced(learning.final()) == [2.5, 9.0]
    assert reduced(learning.final(last=3)) == pytest.approx([(3.0 + 8.0 + 2.5) / 3, (4.0 + 1.0 + 9.0) / 3])


def evaluated(**every):
    """Curves of two runs of each algorithm, evaluated every so many of 1,000 steps."""
    rows = [(name, run, step) for name, gap in every.items() for run in range(2) for step in range(0, 1001, gap)]
    return ro.Curves.from_frame(
        {
            "algorithm": [row[0] for row in rows],
            "run": [row[1] for row in rows],
            "step": [row[2] for row in rows],
            "score": [float(row[2] + row[1]) for row in rows],
        }
    )


@pytest.mark.parametrize(
    ("every", "last", "codes"),
    [
        ((10, 50), 10, ["R403"]),
        ((10, 16), 10, ["R403"]),
        ((10, 12), 10, []),  # a fifth more
        ((1, 2), 10, []),  # no more than 2 % of the training
        ((10, 50), 1, []),
        ((10, 50), "10%", []),
    ],
)
def test_last_evaluations_that_cover_unequal_parts_of_training_are_warned_of(every, last, codes):
    scores = evaluated(A=every[0], B=every[1]).final(last)
    assert [caveat.code for caveat in scores.provenance.caveats] == codes


def test_the_warning_says_how_much_of_each_training_counts():
    (caveat,) = evaluated(A=10, B=50).final(10).provenance.caveats
    assert "cover 45% of the training of 'B' on 'task', and 9% of that of 'A'" in caveat.text
    assert caveat.subjects == ("B", "A")


def test_a_share_may_be_a_number_below_1():
    curves = evaluated(A=10, B=50)
    assert curves.final(0.1) == curves.final("10%")


def test_a_run_that_begins_later_and_is_another_from_there_on_is_that_run():
    rows = [("A", "0", s) for s in range(1, 31)] + [("A", "1", s) for s in range(11, 31)]
    names = ("algorithm", "run", "step")
    table = {name: [row[k] for row in rows] for k, name in enumerate(names)} | {"score": [s**0.5 for *_, s in rows]}
    (caveat,) = (c for c in ro.Curves.from_frame(table).final().provenance.caveats if c.code == "R023")
    assert "are one run from step 11 on" in caveat.text
