"""What looks like runs of one kind and is none: columns that are no algorithm, copies, stacked tables, cut files, other units."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import runoff as ro

RNG = np.random.default_rng(5)


def table(algorithm: str, *, score: str = "score", scale: float = 1.0, digits: int = 2) -> str:
    rows = "".join(
        f"{algorithm},{t},{i},{scale * (40 + 7 * i + len(t)) + 0.01:.{digits}f}\n" for t in "xy" for i in range(5)
    )
    return f"algorithm,task,seed,{score}\n{rows}"


def wide(head: str, values: str) -> str:
    rows = "".join(f"{i},{50 + i}.25,{60 + i}.75,{v}\n" for i, v in enumerate(values.split()))
    return f"seed,PPO,SAC,{head}\n{rows}"


@pytest.mark.parametrize(
    ("head", "values"),
    [
        ("gpu_hours", "3.1 3.2 3.3"),
        ("n", "10 10 10"),
        ("rank", "1 2 1"),
        ("memory_gb", "8.1 8.0 8.2"),
    ],
)
def test_what_is_no_algorithm_by_its_name_is_left_out_of_a_wide_table(put, head, values):
    scores = ro.read_scores(put("runs.csv", wide(head, values)))
    assert scores.algorithms == ("PPO", "SAC")
    assert any(note.startswith("columns not used") and head in note for note in scores.provenance.notes)


@pytest.mark.parametrize(("head", "values"), [("random", "1.2 1.2 1.2"), ("human", "90.1 91.2 88.0")])
def test_references_beside_algorithms_are_left_out_with_the_option_that_takes_them(put, head, values):
    file = put("runs.csv", wide(head, values))
    with pytest.warns(ro.RunoffWarning, match=f"left out: columns '{head}', .*reference scores; use keys='algorithm'"):
        assert ro.read_scores(file).algorithms == ("PPO", "SAC")
    assert set(ro.read_scores(file, keys="algorithm").algorithms) == {"PPO", "SAC", head}


def test_a_column_that_repeats_another_is_left_out_and_a_second_of_its_name_is_asked_for(put):
    lines = table("PPO").splitlines()
    same = "\n".join([f"{lines[0]},score.1", *(f"{line},{line.rpartition(',')[2]}" for line in lines[1:])]) + "\n"
    scores = ro.read_scores(put("same.csv", same))
    assert "left out: columns 'score.1', which repeat other columns" in scores.provenance.notes
    other = put("other.csv", same.replace("61.01\n", "61.02\n"))
    with pytest.raises(ro.DataError, match=r"'score' and 'score.1' have one name.*columns=\{'score': 'score'\}"):
        ro.read_scores(
            put(
                "other.csv",
                "\n".join(line + ("" if at == 0 else "9") for at, line in enumerate(same.splitlines())) + "\n",
            )
        )
    assert ro.read_scores(other, columns={"score": "score"}).n_runs.sum() == 10


def test_copies_of_heads_of_a_wide_table_are_asked_for(put):
    with pytest.raises(ro.DataError, match=r"'PPO' and 'PPO.1' have one name"):
        ro.read_scores(put("runs.csv", "PPO,SAC,PPO.1\n1.5,2,3\n2.5,3,5\n"))


def test_tables_below_one_another_are_told(put):
    with pytest.raises(
        ro.DataError, match=r"line 12: another line of column names stands here \(algorithm, task, seed, success\)"
    ):
        ro.read_scores(put("runs.csv", table("PPO") + table("SAC", score="success")))


@pytest.mark.parametrize(("content", "ends"), [("61.2", False), ("6", False), ("6", True), ("61.25", False)])
def test_a_last_line_that_looks_cut_off_is_told(put, content, ends, recwarn):
    text = table("PPO")
    cut = text[: text.rindex(",") + 1] + content + ("\n" if ends else "")
    notes = ro.read_scores(put("runs.csv", cut)).provenance.notes
    short = not ends and len(content) < 5
    assert any("was cut off here" in note for note in notes) == short
    assert any("was cut off here" in str(warning.message) for warning in recwarn) == short


def test_a_name_that_begins_another_at_the_end_of_a_file_looks_cut_off(put):
    rows = "".join(f"{i},{50 + i},{task}\n" for task in ("walker", "hopper") for i in range(4))
    with pytest.warns(ro.RunoffWarning, match="its last value, 'hopp'"):
        ro.read_scores(put("PPO.csv", ("seed,score,task\n" + rows)[:-3]))


def test_fractions_beside_percent_are_asked_for(put):
    put("ppo.csv", table("PPO", score="success_rate", scale=0.01, digits=4))
    folder = put("sac.csv", table("SAC", score="success_rate")).parent
    with pytest.raises(
        ro.DataError, match=r"'success_rate' of 'PPO' in ppo.csv \(0.4\d*\) is a fraction and that of 'SAC' in sac.csv"
    ):
        ro.read_scores(folder)
    assert ro.read_scores(folder, columns={"score": "success_rate"}).algorithms == ("PPO", "SAC")


@pytest.mark.parametrize("never", ["ppo", "sac"])
def test_who_never_succeeds_has_no_unit_and_is_read_beside_percent(put, never):
    for name in ("ppo", "sac"):
        folder = put(
            f"{name}.csv", table(name, score="success_rate", scale=float(name != never)).replace("0.01\n", "0\n")
        ).parent
    scores = ro.read_scores(folder)
    assert {name: max(scores.cell(name, "x")) > 1 for name in scores.algorithms} == {
        "ppo": never != "ppo",
        "sac": never != "sac",
    }


def test_rates_beside_scores_of_another_kind_are_asked_for(put):
    put("ppo.csv", table("PPO", score="success_rate", scale=0.01))
    folder = put("sac.csv", table("SAC", score="return")).parent
    with pytest.raises(
        ro.DataError, match=r"ppo.csv has rates \('success_rate'\) and .*sac.csv other scores \('return'\)"
    ):
        ro.read_scores(folder)


@pytest.mark.parametrize(("k", "told_of"), [(4, True), (1, False), (7, False)])
def test_steps_that_are_a_multiple_of_another_algorithms_are_told(put, k, told_of, recwarn):
    rows = "".join(
        f"{a},{s},{times * 1000 * j},{j + s}.5\n"
        for a, times in (("PPO", 1), ("SAC", k))
        for s in range(3)
        for j in range(1, 6)
    )
    notes = ro.read_curves(put("runs.csv", "algorithm,seed,step,return\n" + rows)).provenance.notes
    assert any(f"the steps of 'SAC' are {k} times those of 'PPO'" in note for note in notes) == told_of


def test_an_array_whose_first_axis_is_a_benchmark_is_asked_for(put):
    file = put("runs.npz", b"")
    np.savez(file, PPO=RNG.normal(size=(26, 5)), SAC=RNG.normal(size=(26, 5)))
    with pytest.raises(ro.DataError, match=r"shape \(26, 5\).*dims='task,run'"):
        ro.read_scores(file)
    assert ro.read_scores(file, dims="task,run").n_runs.tolist() == [[5] * 26] * 2
    np.savez(file, PPO=RNG.normal(size=(10, 26)))
    assert ro.read_scores(file).n_runs.tolist() == [[10] * 26]


def test_rewards_of_steps_beside_the_ends_of_episodes_are_asked_for(put):
    rows = "".join(f"PPO,0,{i},{i % 5},{int(i % 50 == 49)}\n" for i in range(100))
    file = put("runs.csv", "algorithm,seed,step,reward,done\n" + rows)
    with pytest.raises(ro.DataError, match="'reward' may hold the rewards of single steps, because column 'done'"):
        ro.read_curves(file)
    assert ro.read_curves(file, columns={"score": "reward"}).algorithms == ("PPO",)
    put("runs.csv", "algorithm,seed,step,reward,done\n" + rows.replace(",0\n", ",1\n"))
    assert ro.read_curves(file).algorithms == ("PPO",)


CURVE = {
    "ints": (45, 120, 180, 218),
    "one": (20.5, 57.5, 79.5, 98.5),
    "three": (20.125, 57.25, 79.375, 98.125),
    "costs": (-90, -60, -50, -48),
}


@pytest.mark.parametrize(
    ("curve", "last", "left"),
    [
        *(
            ("ints", "21", True),
            ("ints", "2", True),
            ("one", "1", True),
            ("one", "1.", True),
            ("three", "9", True),
            ("costs", "-5", True),
        ),
        # What a policy that fails leaves has as many digits as before, or is no beginning of what was there.
        *(
            ("one", "1.5", False),
            ("three", "9.125", False),
            ("ints", "0", False),
            ("ints", "50", False),
            ("costs", "-48", False),
        ),
        *(("one", "98", False), ("ints", "200", False)),
    ],
)
@pytest.mark.parametrize("ends", ["", "\n"])
def test_a_last_evaluation_that_looks_cut_off_is_no_score(put, curve, last, left, ends):
    rows = [f"{1000 * (i + 1)},{value}" for i, value in enumerate(CURVE[curve])]
    text = "\n".join(["step,eval_return", *rows, f"5000,{last}"]) + ends
    path = put("ppo/seed_0.csv", text)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = ro.read_scores(path.parent).to_frame()["score"]
    assert scores[0] == (CURVE[curve][-1] if left and not ends else float(last))
    assert any("ppo/seed_0.csv: the last line, 6, has no end" in str(w.message) for w in caught) == (left and not ends)


@pytest.mark.parametrize(
    "text",
    [
        "algorithm,seed,score\n" + "".join(f"PPO,{i},{90 + i}\n" for i in range(5)) + "PPO,5,9",
        "step,return,seconds\n1,90,88\n2,91,89\n3,92,90\n4,93,90\n5,94,9",
        "seed,step,score\n" + "".join(f"0,{t},{90 + t}\n" for t in range(5)) + "1,0,9",
    ],
    ids=["runs", "another measure", "the next run"],
)
def test_a_last_line_that_is_no_evaluation_of_a_curve_stays(put, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = ro.load(put("runs.csv", text)).to_frame()
    assert read["score"][-1] in (9.0, 94.0)
