"""How a task finds its reference scores, what the notes say of it, and tasks that have none."""

from __future__ import annotations

import json
from math import isfinite

import pandas as pd
import polars as pl
import pytest

import runoff as ro
from runoff.references import load_reference, registered

NEW = ("babyai", "d4rl", "metaworld", "mujoco", "percent")


def single(task: str, score: float = 700.0) -> ro.Scores:
    return ro.Scores.from_dict({"A": {task: [score]}})


@pytest.mark.parametrize(
    ("reference", "task", "spelled"),
    [
        ("atari", "atari_alien", "Alien"),
        ("atari", "atari-BankHeist", "BankHeist"),
        ("atari", "ALE/Alien-v5", "Alien"),
        ("atari", "AlienNoFrameskip-v4", "Alien"),
        ("procgen_hard", "procgen:procgen-bigfish-v0", "bigfish"),
        ("procgen_easy", "procgen_bigfish", "bigfish"),
        ("mujoco", "Hopper-v4", "Hopper"),
        ("mujoco", "mujoco/inverted_double_pendulum", "InvertedDoublePendulum"),
        ("d4rl", "hopper-medium-replay-v2", "hopper-medium-replay"),
        ("d4rl", "antmaze-umaze-v0", "antmaze-umaze"),
        ("babyai", "BabyAI-GoToRedBall-v0", "GoToRedBall"),
        ("babyai", "babyai-go-to-red-ball", "GoToRedBall"),
        ("metaworld", "metaworld-button-press-v2", "button-press"),
        ("metaworld", "Meta-World/reach", "reach"),
    ],
)
def test_a_task_is_found_by_the_benchmarks_own_spellings_and_the_notes_say_so(reference, task, spelled):
    assert load_reference(reference).known_as(task) == spelled
    notes = single(task).normalize(reference, assume_raw=True).provenance.notes
    assert f"reference scores of {reference!r} are found by name: {task!r} as {spelled!r}" in notes


@pytest.mark.parametrize("task", ["procgen_alien", "atari", "atari_", "mujoco-alien", "dmc_alien"])
def test_a_prefix_of_another_benchmark_is_another_name(task):
    with pytest.raises(ro.DataError, match="has no reference scores in 'atari'"):
        single(task).normalize("atari")


def test_a_task_under_its_own_name_needs_no_note():
    assert not any("found by name" in note for note in single("Alien").normalize("atari").provenance.notes)


def test_a_spelling_of_two_tasks_that_differ_is_refused_with_both():
    pairs = {"Maze-v0": (0.0, 1.0), "Maze-v1": (0.0, 2.0)}
    with pytest.raises(
        ro.DataError, match="task 'maze' could be 'Maze-v0' or 'Maze-v1' of 'given', whose reference scores differ"
    ):
        single("maze").normalize(pairs)
    assert single("Maze-v1", 1.0).normalize(pairs).cell("A", "Maze-v1").tolist() == [0.5]
    same = {"Maze-v0": (0.0, 2.0), "Maze-v1": (0.0, 2.0)}
    assert single("maze", 1.0).normalize(same).cell("A", "maze").tolist() == [0.5]


def test_tasks_without_a_reference_are_left_out_when_asked_counted_and_named():
    scores = ro.Scores.from_dict({"A": {"Alien": [700.0], "Carnival": [3.0], "AirRaid": [5.0]}})
    with pytest.raises(ro.DataError, match="2 of 3 tasks have no reference scores in 'atari': 'Carnival', 'AirRaid'"):
        scores.normalize("atari")
    normalized = scores.normalize("atari", unreferenced="drop")
    assert normalized.tasks == ("Alien",)
    assert len(normalized.provenance.notes) == 1
    assert (
        "2 of 3 tasks have no reference scores in 'atari' and are left out: Carnival, AirRaid"
        in normalized.provenance.notes
    )


def test_an_ambiguous_task_is_not_one_without_a_reference():
    with pytest.raises(ro.DataError, match="could be"):
        single("maze").normalize({"Maze-v0": (0.0, 1.0), "Maze-v1": (0.0, 2.0)}, unreferenced="drop")


def test_something_must_be_left_and_the_policy_known():
    for options in ({}, {"unreferenced": "drop"}):
        with pytest.raises(ro.DataError, match="'Carnival' has no reference scores") as refusal:
            single("Carnival").normalize("atari", **options)
        assert "drop" not in str(refusal.value)
        several = ro.Scores.from_dict({"A": {"hall": [700.0], "maze": [3.0]}})
        with pytest.raises(
            ro.DataError, match=r"none of the 2 tasks \('hall', 'maze'\) has reference scores .*; give references"
        ):
            several.normalize("atari", **options)
    with pytest.raises(ro.OptionError, match="unreferenced must be one of error, drop"):
        single("Alien").normalize("atari", unreferenced="skip")


@pytest.mark.parametrize("name", NEW)
def test_a_reference_says_where_it_is_from_and_what_0_and_1_are(name):
    reference = load_reference(name)
    assert len(reference.source) > 20
    assert reference.low != reference.high
    assert all(isfinite(low) and low < high for low, high in reference.scores.values())


@pytest.mark.parametrize("name", registered())
def test_a_doubtful_entry_is_an_entry(name):
    reference = load_reference(name)
    assert set(reference.doubtful) <= set(reference.scores)


def test_doubtful_entries_are_named_where_they_are_used():
    notes = single("Hopper-v4").normalize("mujoco").provenance.notes
    assert "doubtful entries of 'mujoco': Hopper (D4RL has -20.3 and 3234.3)" in notes
    assert not any("doubtful" in note for note in single("Swimmer-v4").normalize("mujoco").provenance.notes)


def test_what_must_be_known_of_a_reference_is_a_note():
    assert any(
        "500 steps are not comparable" in note for note in single("reach-v2").normalize("metaworld").provenance.notes
    )


def test_sources_that_agree_are_those_of_the_files():
    d4rl, mujoco = load_reference("d4rl"), load_reference("mujoco")
    assert d4rl.pair("hopper-expert-v2") == (-20.272305, 3234.3)
    assert d4rl.pair("pen-human-v1") == (96.262799, 3076.8331017826877)
    assert d4rl.pair("maze2d-large-v1") == (6.7, 273.99)
    assert mujoco.pair("Walker2d-v4") == (2.68, 4631.22)
    assert (len(d4rl.scores), len(mujoco.scores)) == (85, 11)
    assert (len(load_reference("babyai").scores), len(load_reference("metaworld").scores)) == (39, 50)


# ── percent ──────────


def percents(**more: list[float]) -> ro.Scores:
    cells = {
        "hopper-medium-v2": [58.0, 61.0],
        "halfcheetah-medium-v2": [24.0, 23.0],
        "walker2d-medium-v2": [79.0, 72.0],
    }
    return ro.Scores.from_dict({"CQL": cells} | {name: dict.fromkeys(cells, values) for name, values in more.items()})


def test_percentages_of_a_reference_are_recognised_and_the_way_out_is_named():
    with pytest.raises(
        ro.DataError, match=r"'CQL' looks normalised already in percent \(0-100\) on 3 task\(s\).*--normalize percent"
    ):
        percents().normalize("d4rl")
    assert percents().normalize("percent").cell("CQL", "hopper-medium-v2").tolist() == [0.58, 0.61]
    assert percents().normalize("d4rl", assume_raw=True).provenance.reference is not None


def test_percentages_beside_raw_scores_name_both():
    with pytest.raises(
        ro.DataError, match=r"'CQL' looks normalised already in percent .* while algorithm 'BC' is in raw units"
    ) as refusal:
        percents(BC=[2500.0, 1900.0]).normalize("d4rl")
    assert "--normalize percent" not in str(refusal.value)


@pytest.mark.parametrize("values", [[18.0, 2.0, 25.0], [400.0, 90.0, 30.0]])
def test_agents_that_learned_little_are_not_percentages(values):
    poor = ro.Scores.from_dict({"A": {"Hopper": [values[0]], "Walker2d": [values[1]], "Ant": [values[2] - 400]}})
    assert poor.normalize("mujoco").n_tasks == 3


def test_a_file_may_have_prefixes_doubts_and_a_remark(tmp_path):
    entry = {
        "scores": {"Maze": [0, 10]},
        "prefixes": ["Toy"],
        "doubtful": {"Maze": "others say 12"},
        "remark": "short episodes",
    }
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"toys": entry}))
    notes = single("toy-maze", 5.0).normalize(file).provenance.notes
    assert "on 'toys': short episodes" in notes
    assert "doubtful entries of 'toys': Maze (others say 12)" in notes


@pytest.mark.parametrize(("failed", "refused"), [(0.0144, False), (1.2, False), (0.8, True)])
def test_one_algorithm_that_failed_is_not_taken_for_a_share_among_percentages(failed, refused):
    scores = ro.Scores.from_dict(
        {"A": {"Pick": [83.0, 88.0], "Place": [71.0, 64.0]}, "B": {"Pick": [failed], "Place": [failed / 2]}}
    )
    if refused:
        with pytest.raises(ro.DataError, match=r"'B' looks normalised already .* while algorithm 'A' is in raw units"):
            scores.normalize("percent")
    else:
        assert scores.normalize("percent").cell("B", "Pick").tolist() == [failed / 100]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("low_high.csv", "task,low,high\nPong,-20,20\nHero,0,100\n"),
        ("swapped.csv", "Expert,Env,Random\n20,Pong,-20\n100,Hero,0\n"),
        ("marked.csv", "\ufefftask,min,max\nPong,-20,20\nHero,0,100\n"),
        ("ids.csv", "env_id,random,expert\nPong,-20,20\nHero,0,100\n"),
        ("sides.json", '{"expert": {"Pong": 20, "Hero": 100}, "random": {"Pong": -20, "Hero": 0}}'),
        ("pairs.json", '{"Pong": [-20, 20], "Hero": [0, 100]}'),
    ],
)
def test_reference_scores_of_a_file_are_those_that_are_written_there(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    raw = ro.Scores.from_dict({"A": {"Pong": [0.0, 10.0], "Hero": [25.0, 50.0]}})
    scaled = raw.normalize(tmp_path / name)
    assert scaled.cell("A", "Pong").tolist() == [0.5, 0.75]
    assert scaled.cell("A", "Hero").tolist() == [0.25, 0.5]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("task,low\nPong,1\n", "have the columns task, low and high (or random and human, min and max), not task, low"),
        ("task,low,high\nPong,1,2\nPong,1,3\n", "task 'Pong' has two rows"),
        ("task,low,high\nPong,one,2\n", "own.csv: the low score of task 'Pong' must be a number, not 'one'"),
        ("task,low,high\nPong,1\n", "own.csv: the high score of task 'Pong' is missing"),
        ("", "not no columns"),
    ],
)
def test_a_table_that_holds_no_reference_scores_is_refused_in_a_sentence(tmp_path, text, words):
    (tmp_path / "own.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ro.DataError) as refusal:
        ro.Scores.from_dict({"A": {"Pong": [0.0, 10.0]}}).normalize(tmp_path / "own.csv")
    assert words in str(refusal.value)


@pytest.mark.parametrize("gap", ["", " "])
def test_gaps_after_commas_in_a_file_of_reference_scores_say_nothing(gap, tmp_path):
    rows = ["task,low,high", "Pong,-20,15", "Qbert,100,9000"]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(row.replace(",", f",{gap}") for row in rows) + "\n", encoding="utf-8")
    runs = {"A": {"Pong": [15.0, -20.0], "Qbert": [100.0, 9000.0]}}
    normalized = ro.Scores.from_dict(runs).normalize(path)
    assert [normalized.cell("A", task).tolist() for task in normalized.tasks] == [[1, 0], [0, 1]]


def test_what_is_wrong_with_a_table_of_references_is_said_once(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("place,random,expert\nPong,-20,20\n")
    with pytest.raises(ro.DataError, match="reference scores in CSV have the columns") as refusal:
        ro.Scores.from_dict({"A": {"Pong": [0.0, 10.0]}}).normalize(path)
    assert str(refusal.value).count("reference scores") == 1


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy polars": pl.LazyFrame,
    "a dictionary of columns": dict,
    "pandas with tasks as labels": lambda columns: pd.DataFrame(columns).set_index("env_id"),
    "two objects by task": lambda columns: {
        side: dict(zip(columns["env_id"], columns[side], strict=True)) for side in ("random", "human")
    },
}


@pytest.mark.parametrize("frame_of", FRAMES.values(), ids=FRAMES)
def test_a_frame_of_reference_scores_does_what_a_file_with_its_columns_does(frame_of, tmp_path):
    columns = {"env_id": ["Pong", "Hero"], "random": [-20.0, 0.0], "human": [20, 100]}
    pd.DataFrame(columns).to_csv(tmp_path / "own.csv", index=False)
    runs = {"A": {"Pong": [0.0, 10.0], "Hero": [25.0, 50.0]}, "B": {"Pong": [5.0, 1.0], "Hero": [2.0, 50.0]}}
    for data in (ro.Scores.from_dict(runs), ro.Curves.from_frame(STEPS)):
        assert data.normalize(frame_of(columns)).values.tolist() == data.normalize(tmp_path / "own.csv").values.tolist()
    of_file = ro.aggregate(runs, normalize=tmp_path / "own.csv")
    assert ro.aggregate(runs, normalize=frame_of(columns)).rows == of_file.rows
    other = ro.robustness(runs, other_references=[frame_of(columns)], other_measures=[])
    assert "given" in str(other.to_records())


STEPS = {"algorithm": ["A"] * 4, "task": ["Pong", "Pong", "Hero", "Hero"], "step": [1, 2] * 2, "score": [0, 9, 10, 50]}


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"task": ["Pong"], "low": [1.0]}, "reference scores in a frame have the columns task, low and high"),
        ({"task": ["Pong", "Pong"], "low": [1.0, 1.0], "high": [2.0, 3.0]}, "task 'Pong' has two rows"),
        ({"task": ["Pong"], "low": ["one"], "high": [2.0]}, "the low score of task 'Pong' must be a number, not 'one'"),
        ({"task": ["Pong"], "low": [1.0], "high": [None]}, "the high score of task 'Pong' is missing"),
    ],
)
@pytest.mark.parametrize("frame_of", [pd.DataFrame, pl.DataFrame])
def test_a_frame_that_holds_no_reference_scores_is_refused_as_a_file_is(frame_of, columns, words):
    with pytest.raises(ro.DataError) as refusal:
        ro.Scores.from_dict({"A": {"Pong": [0.0, 10.0]}}).normalize(frame_of(columns))
    assert words in str(refusal.value)
