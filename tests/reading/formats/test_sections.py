"""Rows that hold a name alone above the rows of a section: read where known names say what they are, asked otherwise."""

from __future__ import annotations

import pytest

import runoff as ro

TWO = {"PPO": {"Ant": [3, 4], "Hopper": [1, 2]}, "SAC": {"Ant": [5, 6], "Hopper": [3, 4]}}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("env,seed1,seed2\nPPO,,\nHopper,1,2\nAnt,3,4\nSAC,,\nHopper,3,4\nAnt,5,6\n", "algorithm"),
        ("algo,seed1,seed2\nHopper,,\nPPO,1,2\nSAC,3,4\nAnt,,\nPPO,3,4\nSAC,5,6\n", "task"),
        (
            "algo,env,seed,score\nPPO,,,\n,Hopper,0,1\n,Hopper,1,2\n,Ant,0,3\n,Ant,1,4\nSAC,,,\n,Hopper,0,3\n,Hopper,1,4\n"
            ",Ant,0,5\n,Ant,1,6\n",
            "algo",
        ),
    ],
)
def test_sections_that_say_so_name_the_algorithms_or_tasks_of_their_rows(put, text, what):
    scores = ro.load(put("sections.csv", text))
    assert scores.to_dict() == TWO
    assert any("that hold a name alone" in note and f"name the {what} of" in note for note in scores.provenance.notes)


def test_sections_of_seeds_are_algorithms(put):
    scores = ro.load(put("sections.csv", "seed,score\nPPO,\n1,3.5\n2,5.5\nSAC,\n1,3.25\n2,4.5\n"))
    assert scores.to_dict() == {"PPO": {"task": [3.5, 5.5]}, "SAC": {"task": [3.25, 4.5]}}


@pytest.mark.parametrize("mean", ["", "Mean,2,3\n"])
@pytest.mark.filterwarnings("ignore:.*of task 'Mean', which summarise")
def test_sections_of_known_tasks_are_left_out_with_a_note(put, mean):
    text = f"task,PPO,SAC\nAtari,,\nPong,1,2\nBoxing,3,4\n{mean}MuJoCo,,\nHopper,5,6\n{mean}"
    scores = ro.load(put("sections.csv", text))
    assert scores.to_dict()["SAC"] == {"Boxing": [4], "Hopper": [6], "Pong": [2]}
    assert (
        "left out: 2 rows that hold a name alone ('Atari', 'MuJoCo') above those of a section"
        in scores.provenance.notes
    )


def test_groups_of_known_algorithms_are_left_out_with_a_note(put):
    text = "algo,Pong,Boxing\nModel-free,,\nPPO,1,2\nSAC,3,4\nModel-based,,\nDreamer,5,6\n"
    assert ro.load(put("sections.csv", text)).algorithms == ("Dreamer", "PPO", "SAC")


@pytest.mark.parametrize(
    "text",
    [
        "task,Foo,Bar\nEasy,,\na,1,2\nb,3,4\nHard,,\na,5,6\n",
        "seed,score\nFoo,\n1,3.5\n2,5.5\nBar,\n1,3.25\n2,4.5\n",
        "seed,score\nFoo,\n1,3.5\n2,5.5\nBar,\n3,3.25\n4,4.5\n",
    ],
)
@pytest.mark.parametrize("incomplete", [None, "drop"])
def test_sections_that_nothing_tells_are_never_pooled(put, text, incomplete):
    with pytest.raises(ro.DataError, match=r"line 2: rows that hold a name alone .* nothing says what they name"):
        ro.load(put("sections.csv", text), incomplete=incomplete)


@pytest.mark.parametrize("names", ["Pong Boxing Hopper", "x y z", "Easy a b"])
@pytest.mark.parametrize("empty", [0, 1])
def test_a_task_without_scores_is_no_section(put, names, empty):
    rows = [f"{name},{'' if i == empty else i},{'' if i == empty else i + 1}" for i, name in enumerate(names.split())]
    file = put("gaps.csv", "\n".join(["task,PPO,SAC", *rows, ""]))
    with pytest.raises(ro.DataError, match="the score is missing"):
        ro.load(file)
    assert len(ro.load(file, incomplete="drop").tasks) == 2


@pytest.mark.parametrize("row", ["  * a note,,", " note,,", "\tthese are four words,,", "PPO mean,,1.5\nSAC mean,,3.5"])
@pytest.mark.parametrize("label", ["{}", " {} ", "{} "])
@pytest.mark.filterwarnings("ignore:.*left out:")
def test_blanks_around_labels_and_remarks_change_no_row(put, row, label):
    rows = "".join(f"{label.format(a)},{s},{2 * k + s + 1}\n" for k, a in enumerate(("PPO", "SAC")) for s in (0, 1))
    scores = ro.load(put("runs.csv", f"algo,seed,return\n{rows}{row}\n"))
    assert scores.to_dict() == {"PPO": {"task": [1, 2]}, "SAC": {"task": [3, 4]}}


@pytest.mark.parametrize("head", ["Average of return", "Sum of regret"])
@pytest.mark.filterwarnings("ignore:.*is named like a cost")
def test_numbers_in_the_rows_of_a_pivot_are_runs(put, head):
    rows = "".join(f"{name},{sum(own)}\n0,{own[0]}\n1,{own[1]}\n" for name, own in (("PPO", (1, 2)), ("SAC", (3, 4))))
    sign = -1 if "regret" in head else 1
    text = f"Row Labels,{head}\n{rows if sign < 0 else rows.replace('PPO,3', 'PPO,1.5').replace('SAC,7', 'SAC,3.5')}"
    assert ro.load(put("pivot.csv", text)).to_dict() == {
        "PPO": {"task": [sign * 1, sign * 2]},
        "SAC": {"task": [sign * 3, sign * 4]},
    }
