"""Notes in which the scores of runs stand in lists below headings, and methods that are called like a word for runs."""

from __future__ import annotations

import pytest

import runoff as ro
from runoff.errors import DataError

SCORES = {
    a: {t: [10.0 * i + j, 5.0, 7.5] for j, t in enumerate(("walker-run", "hopper-hop"))}
    for i, a in enumerate(("PPO", "SAC"))
}


def notes(
    mark: str, bullet: str = "- ", remark: str = "", about: str = "Final return, seeds 0 / 1 / 2 in this order."
) -> str:
    blocks = ["# Diary, week 19", about]
    for a, by in SCORES.items():
        lines = [f"{bullet}{t}: {mark.join(map(str, own))}" for t, own in by.items()]
        blocks += [f"## {a}", "\n".join(lines) + remark]
    return "\n\n".join([*blocks, "To do: try batch 512, ask Marta."]) + "\n"


@pytest.mark.parametrize("mark", [" / ", ", ", "; ", " | ", " "])
@pytest.mark.parametrize("bullet", ["- ", "* ", ""])
@pytest.mark.parametrize("name", ["diary.md", "diary.txt"])
def test_lists_below_headings_are_the_runs_of_what_these_and_their_bullets_name(put, mark, bullet, name):
    assert ro.load(put(name, notes(mark, bullet))).to_dict() == SCORES


def test_a_remark_in_parentheses_behind_scores_is_left_out_with_a_warning(put):
    with pytest.warns(ro.RunoffWarning, match=r"a remark behind scores is left out, '\(seed 1 again, ok\)'"):
        assert ro.load(put("diary.md", notes(" / ", remark="  (seed 1 again, ok)"))).to_dict() == SCORES


@pytest.mark.parametrize(
    "change",
    [
        {"about": "Walker and hopper, on the new machine."},
        {"remark": " (mean / std / max)"},
        {"remark": "\n- cheetah-run: 810 / 805"},
        {"remark": "\n- cheetah-run: 17 / 20"},
    ],
)
def test_numbers_between_slashes_that_may_be_measures_or_shares_are_no_runs(put, change):
    with pytest.raises(DataError):
        ro.load(put("diary.md", notes(" / ", **change)))


@pytest.mark.parametrize("name", ["SEED", "Trial"])
def test_a_method_is_called_like_a_word_for_runs_where_another_column_names_these(put, name):
    rows = "".join(f"{a},t,{s},{s}\n" for a in ("PPO", name) for s in range(3))
    assert name in ro.load(put("long.csv", f"algorithm,task,seed,score\n{rows}")).algorithms
    steps = "".join(f"{k},{k},{k + 1},{k},{k + 1}\n" for k in range(0, 50, 10))
    curves = ro.load(put("merged.csv", f"algorithm,PPO,,{name},\nseed,s0,s1,s0,s1\nframes,,,,\n{steps}"))
    assert set(curves.algorithms) == {"PPO", name}


def test_a_column_called_seed_beside_algorithms_is_still_none(put):
    wide = "task,run,PPO,SAC,Seed\n" + "".join(f"{t},{s},1.5,2.5,{40 + s}\n" for t in "ab" for s in range(3))
    with pytest.raises(DataError, match="could each be the run"):
        ro.load(put("wide.csv", wide))
