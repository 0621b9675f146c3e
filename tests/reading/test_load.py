"""`load` reads whatever holds runs: a frame is read as its table in a file is, and options for something else are refused."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import runoff as ro

RNG = np.random.default_rng(0)
TIDY = pd.DataFrame(
    [(a, t, s, float(RNG.normal())) for a in ("ppo", "mine") for t in ("Ant", "Hopper") for s in range(4)],
    columns=["algo", "env", "seed", "return"],
)
CURVES = pd.DataFrame(
    [(a, s, step, float(RNG.normal())) for a in ("ppo", "sac") for s in range(3) for step in (1000, 2000, 3000)],
    columns=["algo", "seed", "step", "score"],
)
TABLES = {
    "tidy": TIDY,
    "curves": CURVES,
    "wide": TIDY.pivot(index=["env", "seed"], columns="algo", values="return").reset_index(),
    "wide, tasks as heads": TIDY.pivot(index=["algo", "seed"], columns="env", values="return").reset_index(),
    "counts": pd.DataFrame({"algorithm": ["a", "b"], "task": ["t", "t"], "successes": [7, 9], "episodes": [10, 10]}),
    "yes and no": pd.DataFrame({"algorithm": ["a"] * 3 + ["b"] * 3, "success": ["yes", "no", "yes"] * 2}),
}
OPTIONS = {"counts": {"unit": "episode"}}
FRAMES = {"pandas": lambda frame: frame, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas, "columns": dict}


def content(runs):
    kind = type(runs).__name__
    return kind, runs.algorithms, runs.tasks, runs.n_runs.tolist(), runs.values.tolist(), runs.run_labels


@pytest.mark.parametrize("name", TABLES)
def test_a_frame_is_read_as_its_table_in_a_file_is(name, tmp_path):
    table, file = TABLES[name], tmp_path / "runs.csv"
    file.write_text(table.to_csv(index=False))
    options = OPTIONS.get(name, {})
    read = ro.load(file, **options)
    for kind, framed in FRAMES.items():
        # A dictionary without a column of scores is one of algorithms.
        if kind != "columns" or "wide" not in name:
            assert content(ro.load(framed(table), **options)) == content(read), kind
    assert content(ro.read_scores(table, **options)) == content(ro.read_scores(file, **options))
    assert ro.load(table, **options).origin.frame == "pandas"


@pytest.mark.parametrize("table", [TIDY, CURVES], ids=["scores", "curves"])
def test_methods_read_a_frame_as_they_read_its_file(table, tmp_path):
    table.to_csv(tmp_path / "runs.csv", index=False)
    assert ro.compare(table).to_records() == ro.compare(tmp_path / "runs.csv").to_records()


DEEP = TIDY.pivot(index="seed", columns=["algo", "env"], values="return")


@pytest.mark.parametrize(
    "table",
    [TIDY.set_index(["algo", "env"]), DEEP, TIDY.pivot(index=["env", "seed"], columns="algo", values="return")],
    ids=["labels of rows", "levels of columns", "both"],
)
def test_levels_of_columns_and_labels_of_rows_are_columns(table):
    loaded = ro.load(table)
    assert sorted(loaded.algorithms) == ["mine", "ppo"]
    for a in loaded.algorithms:
        assert loaded.cell(a, "Ant").tolist() == TIDY[(TIDY.algo == a) & (TIDY.env == "Ant")]["return"].tolist()


def test_levels_without_names_are_decided_as_keys_are():
    bare = DEEP.copy()
    bare.columns = pd.MultiIndex.from_tuples(list(bare.columns.swaplevel()))
    assert set(ro.load(bare).algorithms) == set(ro.load(bare, keys="task/algorithm").algorithms) == {"ppo", "mine"}
    with pytest.raises(ro.OptionError, match="keys='task' does not name the 2 levels"):
        ro.load(bare, keys="task")
    with pytest.raises(ro.DataError, match="labelled in 3 levels without names"):
        ro.load(pd.concat({"x": bare}, axis=1))
    with pytest.raises(ro.DataError, match="of which not all have a name"):
        ro.Scores.from_frame(DEEP.rename_axis(columns=[None, "env"]))


@pytest.mark.parametrize("columns", [["algo", "env"], "algo"], ids=["levels", "wide"])
@pytest.mark.parametrize("lost", [[3], [0], [1, 3]])
def test_a_cell_that_a_pivot_left_empty_is_a_score_that_is_missing(columns, lost):
    ant = TIDY[TIDY.env == "Ant"]
    few = ant[(ant.algo != "ppo") | ~ant.seed.isin(lost)]
    assert ro.load(few).n_runs.tolist() == [[4], [4 - len(lost)]]  # mine, ppo
    with pytest.raises(ro.DataError, match="if this run failed, enter the score"):
        ro.load(few.pivot(index="seed", columns=columns, values="return"))


def test_a_column_without_any_score_is_not_left_out():
    with pytest.raises(ro.DataError, match="if this run failed, enter the score"):
        ro.load(DEEP.where(np.tile(DEEP.columns.get_level_values(0) != "ppo", (4, 1))))


def test_columns_without_names_are_called_by_their_numbers():
    bare = pd.DataFrame([["ppo", 0, 1.0], ["ppo", 1, 2.0], ["sac", 0, 3.0]])
    roles = {"algorithm": "0", "run": "1", "score": "2"}
    assert ro.load(bare, columns=roles).to_dict() == {"ppo": {"task": [1.0, 2.0]}, "sac": {"task": [3.0]}}
    with pytest.raises(ro.DataError, match="no column is recognised as"):
        ro.compare(bare)


def test_dictionaries_arrays_and_what_is_loaded_already():
    arrays = {"A": RNG.normal(size=(3, 2)), "B": RNG.normal(size=(3, 2))}
    loaded = ro.load(arrays, score_unit="shared")
    assert content(loaded) == content(ro.Scores.from_dict(arrays))
    assert loaded.sampling.score_unit == "shared"
    assert ro.load(loaded) is loaded
    assert isinstance(ro.load(ro.load(CURVES)), ro.Curves)
    assert (
        ro.load(TIDY, lower_is_better=True).cell("ppo", "Ant").tolist() == (-ro.load(TIDY).cell("ppo", "Ant")).tolist()
    )


def test_costs_in_arrays_are_negated_as_those_of_a_table():
    costs = {"A": [1.0, 0.0, 2.5], "B": [3.0, 4.0, 4.5]}
    table = pd.DataFrame([{"algorithm": a, "score": cost} for a, own in costs.items() for cost in own])
    scores = ro.load(costs, lower_is_better=True)
    assert scores.values.tolist() == [-1.0, 0.0, -2.5, -3.0, -4.0, -4.5]
    assert not np.signbit(scores.values[1])
    of_arrays, of_table = (ro.compare(given, lower_is_better=True, measure="mean") for given in (costs, table))
    assert of_arrays["A", "B"].estimate == of_table["A", "B"].estimate > 0
    assert of_arrays["A", "B"].pvalue == of_table["A", "B"].pvalue
    assert scores.provenance.notes[-1].startswith("scores are negated")


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (TIDY, {"format": "csv"}, "format= cannot be used for a DataFrame"),
        (TIDY, {"pattern": "{run}", "dims": "run"}, "pattern=, dims= cannot be used for a DataFrame"),
        ({"A": [1.0], "B": [2.0]}, {"keys": "task"}, "keys= cannot be used for a dict"),
        (ro.Scores.from_dict({"A": [1.0]}), {"unit": "episode"}, "unit= cannot be used for a Scores"),
        (TIDY, {"series": "a", "columns": {"score": "b"}}, "named for one role, the score"),
    ],
)
def test_options_for_something_else_are_refused(data, options, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.load(data, **options)


@pytest.mark.parametrize(
    "data", [3, None, io.StringIO("a"), TIDY["return"]], ids=["number", "nothing", "stream", "series"]
)
def test_what_holds_no_runs_is_refused_in_a_sentence(data):
    with pytest.raises(ro.DataError, match=r"expected a pandas|a Series is one column"):
        ro.load(data)


def test_a_logged_series_is_the_score():
    table = CURVES.assign(loss=1.0)
    assert ro.load(table, series="loss").values.tolist() == [1.0] * 18


def test_two_arrays_are_the_runs_of_x_and_y():
    x, y = [1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 6.0, 9.0]
    result = ro.compare(x, y)
    assert result.to_records() == ro.compare({"x": x, "y": y}).to_records()
    assert result.pvalue == result["x", "y"].pvalue
    assert ro.probability_of_improvement(x, y)["y", "x"].estimate == 1 - ro.probability_of_improvement(x, y)[0].estimate
    assert ro.effect_sizes(np.array(x), y, effect_size=["difference"])["x", "y"].estimate == -3.0
    with pytest.raises(ro.OptionError, match="the first argument is a dict"):
        ro.compare({"A": x}, y)


def test_one_name_selects_one():
    scores = ro.load(TIDY)
    assert scores.select(tasks="Ant", algorithms="ppo").n_runs.tolist() == [[4]]


ODD = TIDY.set_axis(["Agent Name", "domain", "trial #", "eval/ep_rew"], axis=1)
ROLES = {"algorithm": "Agent Name", "task": "domain", "run": "trial #", "score": "eval/ep_rew"}


@pytest.mark.parametrize(
    "named",
    [
        ROLES,
        {"seed": "trial #", **{role: name for role, name in ROLES.items() if role != "run"}},
        {"task": "domain", "columns": {"algorithm": "Agent Name", "seed": "trial #", "score": "eval/ep_rew"}},
        {**ROLES, "columns": ROLES},
    ],
    ids=["roles", "seed", "both", "twice the same"],
)
def test_columns_are_named_by_the_names_of_their_roles(named, tmp_path):
    ODD.to_csv(tmp_path / "runs.csv", index=False)
    for given in (ODD, tmp_path / "runs.csv"):
        assert content(ro.load(given, **named)) == content(ro.load(TIDY))


def test_steps_are_named_by_the_name_of_their_role():
    other = CURVES.rename(columns={"step": "k"})
    assert content(ro.load(other, step="k")) == content(ro.load(CURVES))


def test_a_role_of_two_columns_is_refused():
    for named in ({"run": "seed", "seed": "env"}, {"task": "env", "columns": {"task": "algo"}}):
        with pytest.raises(ro.OptionError, match=r"are named for one role, the (run|task): name one of them"):
            ro.load(TIDY, **named)
