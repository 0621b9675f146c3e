"""Questions whose first answer reads rightly, and tables that need none."""

from __future__ import annotations

import re

import pytest

import runoff as ro

RUNS = (1, 2, 3)


def command(refusal: Exception, option: str) -> str:
    """Return the first value that a refusal offers for an argument."""
    offered = re.search(rf"{option}=('[^']*'|{{[^}}]*}})", str(refusal))
    assert offered is not None
    return offered.group(1)


@pytest.mark.parametrize("place", ["{}.csv", "results_{}.csv", "{}/results.csv"])
@pytest.mark.parametrize(
    "rows", ["seed,plr,dr\n1,3,4\n2,5,6\n", "algorithm,seed,score\nplr,1,3\nplr,2,5\ndr,1,4\ndr,2,6\n"]
)
def test_files_of_the_same_runs_are_asked_whether_each_is_of_a_task(put, place, rows):
    folder = put(place.format("Labyrinth"), rows)
    put(place.format("Rooms"), rows.replace("3", "7"))
    folder = folder.parent.parent if "/" in place else folder.parent
    with pytest.raises(ro.DataError, match="hold the same runs of the algorithms") as refusal:
        ro.read_scores(folder)
    scores = ro.read_scores(folder, pattern=command(refusal.value, "pattern").strip("'"))
    assert scores.tasks == ("Labyrinth", "Rooms")
    assert scores.to_dict()["plr"] == {"Labyrinth": [3.0, 5.0], "Rooms": [7.0, 5.0]}


@pytest.mark.parametrize("names", [("old", "new"), ("train", "test"), ("s1", "s2")])
def test_files_that_no_task_is_called_like_are_no_tasks(put, names):
    files = [put(f"{name}.csv", f"seed,x1a,y2b\n1,{i},4\n2,5,6\n") for i, name in enumerate(names)]
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(files[0].parent)
    assert "if each is of one task" not in str(refusal.value)


def test_checkpoints_that_have_names_are_offered_as_algorithms_first(put):
    rows = [f"{own},{suite},{run},{run}.5" for own in ("sft", "dpo") for suite in ("arena", "tools") for run in RUNS]
    file = put("rows.csv", "\n".join(["checkpoint,suite,sampling_seed,pass@1", *rows]))
    with pytest.raises(ro.DataError, match=r"columns={'algorithm': 'checkpoint'} if it names algorithms, or"):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"algorithm": "checkpoint"}).n_runs.tolist() == [[3, 3], [3, 3]]


def test_who_made_the_runs_is_offered_as_of_no_account_first(put):
    rows = [f"{'Ana' if run % 2 else 'Bo'},{own},s{run},{run}.5" for own in ("x1a", "y2b") for run in range(6)]
    with pytest.raises(ro.DataError, match=r"pooled; use columns={'unused': 'who'} if it says who made the runs"):
        ro.read_scores(put("rows.csv", "\n".join(["who,algorithm,seed,score", *rows])))


def test_names_of_runs_with_three_parts_are_read_by_keys(put):
    rows = [f"{own}_{task}_s{run},{run}.5" for own in ("sacx", "tdx") for task in ("crane", "loader") for run in RUNS]
    file = put("rows.csv", "\n".join(["run,final_return", *rows]))
    with pytest.raises(ro.DataError, match="use keys='algorithm/task/run' or keys='task/algorithm/run'"):
        ro.read_scores(file)
    scores = ro.read_scores(file, keys="algorithm/task/run")
    own = {"crane": [1.5, 2.5, 3.5], "loader": [1.5, 2.5, 3.5]}
    assert scores.to_dict() == {"sacx": own, "tdx": own}


def test_the_names_of_rows_above_runs_of_tasks_are_the_algorithms(put):
    rows = [f"{own},{task},1,2,{len(own)}" for own in ("wocar", "atla") for task in ("atk", "def")]
    with pytest.warns(ro.RunoffWarning, match="column 'Defense' is taken as the algorithm, because it alone"):
        scores = ro.read_scores(put("rows.csv", "\n".join(["Defense,Env,seed1,seed2,seed3", *rows])))
    assert (scores.algorithms, scores.n_runs.tolist()) == (("atla", "wocar"), [[3, 3], [3, 3]])


def test_tables_with_the_same_rows_below_titles_are_offered_as_tasks_first(put):
    table = "topology,1,2,3\nclique,4,5,6\nring,5,6,7\n"
    file = put("rows.csv", f"foraging\n{table}\npursuit\n{table}")
    with pytest.raises(ro.DataError, match=r"use columns={'task': 'table'} if each is a task, columns={'algorithm'"):
        ro.read_scores(file)
    with pytest.warns(ro.RunoffWarning, match="column 'topology' is taken as the algorithm"):
        assert ro.read_scores(file, columns={"task": "table"}).algorithms == ("clique", "ring")


BLOCKS = "task,system,seed,score\nshort,x1a,1,3\n,,2,4\n,y2b,1,5\n,,2,6\ndialog,x1a,1,7\n,,2,8\n,y2b,1,9\n,,2,1\n"


def test_a_name_in_the_second_column_counts_for_the_empty_cells_below_it(put):
    scores = ro.read_scores(put("rows.csv", BLOCKS), columns={"algorithm": "system"})
    assert scores.to_dict() == {
        "x1a": {"short": [3.0, 4.0], "dialog": [7.0, 8.0]},
        "y2b": {"short": [5.0, 6.0], "dialog": [9.0, 1.0]},
    }
    assert (
        "empty cells of column 'task', 'system' have the label above them, as merged cells have"
        in scores.provenance.notes
    )


@pytest.mark.parametrize("damage", [(",,2,4\n", ""), (",y2b,1,5", ",,1,5"), ("dialog,x1a", "dialog,")])
def test_an_empty_cell_in_blocks_that_differ_is_a_name_that_is_missing(put, damage):
    with pytest.raises(ro.DataError, match="is empty; fill it in"):
        ro.read_scores(put("rows.csv", BLOCKS.replace(*damage)), columns={"algorithm": "system"})


def test_a_bandit_beside_data_sets_is_the_algorithm(put):
    bandits, places = ("greedy", "linucb"), ("ads", "news")
    rows = [f"{b},{d},{s},{s + 10 * places.index(d)}.5" for b in bandits for d in places for s in RUNS]
    scores = ro.read_scores(put("runs.csv", "\n".join(["bandit,dataset,seed,reward", *rows])))
    assert (scores.algorithms, scores.tasks) == (bandits, places)
    assert scores.cell("linucb", "news").tolist() == [11.5, 12.5, 13.5]
