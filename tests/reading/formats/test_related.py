"""Databases of trackers: a table that names the runs, and others of what was measured in each, or set for it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import product

import pytest

import runoff as ro

RUNS = [(f"r{i}", a, t, s) for i, (a, t, s) in enumerate(product(("fast", "slow"), ("lift", "door"), (1, 2, 3)))]
SCORE = {run: (37 * i) % 23 + 0.5 for i, (run, *_) in enumerate(RUNS)}
ENDS = {
    a: {t: [SCORE[run] for run, b, u, _ in RUNS if (b, u) == (a, t)] for t in ("lift", "door")}
    for a in ("fast", "slow")
}
NAMES = "runs", "run_id, algo, env, seed", RUNS
RETURNS = "evals", "run_id, step, return", [(run, k, x * k) for run, x in SCORE.items() for k in (1, 2, 3)]
TAGS = [
    (run, k, *part)
    for run, x in SCORE.items()
    for k in (1, 2, 3)
    for part in (("eval/return", x * k), ("train/loss", 1))
]


@pytest.fixture
def store(tmp_path):
    def write(*tables):
        file = tmp_path / "runs.sqlite"
        file.unlink(missing_ok=True)
        with closing(sqlite3.connect(file)) as database, database:
            for name, columns, rows in tables:
                database.execute(f"CREATE TABLE {name} ({columns})")
                database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        return file

    return write


def ends(file, **options) -> dict:
    runs = ro.load(file, **options)
    return (runs.final() if isinstance(runs, ro.Curves) else runs).to_dict()


@pytest.mark.parametrize("key", ["run_id", "id", "uuid", "Run_ID", "ID"])
@pytest.mark.parametrize(
    ("measured", "times"),
    [
        (("results", "{}, final_return", [*SCORE.items()]), 1),
        (("evals", "{}, step, return", RETURNS[2]), 3),
        (("metrics", "{}, step, name, value", TAGS), 3),
        (("metrics", "{}, epoch, Name, Value", TAGS), 3),
        (("summary", "{}, tag, value", [(run, "return", x) for run, x in SCORE.items()]), 1),
    ],
)
def test_what_was_measured_is_read_beside_the_table_that_names_the_runs(store, key, measured, times):
    name, columns, rows = measured
    beside = key if key.casefold() == "run_id" else f"run_{key}"
    settings = "params", f"{beside}, key, value", [(run, "gamma", "0.95") for run, *_ in RUNS]
    file = store(("runs", f"{key}, algo, env, seed", RUNS), (name, columns.format(beside), rows), settings)
    assert ends(file) == {a: {t: [times * x for x in own] for t, own in by.items()} for a, by in ENDS.items()}


def test_a_setting_that_differs_is_one_of_the_runs(store):
    rates = "params", "run_id, key, value", [(run, "lr", "0.1" if s < 3 else "0.2") for run, _, _, s in RUNS]
    scores = ro.load(store(NAMES, ("results", "run_id, return", [*SCORE.items()]), rates))
    assert any("differ in 'lr'" in note for note in scores.provenance.notes)


def test_losses_at_more_steps_than_evaluations_take_none_away(store):
    more = [(run, 5, "train/loss", 2.0) for run in SCORE]
    assert ends(store(NAMES, ("metrics", "run_id, step, name, value", TAGS + more))) == {
        a: {t: [3 * x for x in own] for t, own in by.items()} for a, by in ENDS.items()
    }


def test_runs_without_anything_measured_are_warned_of(store):
    with pytest.warns(ro.RunoffWarning, match=r"1 of the 12 runs in table 'runs' have nothing in 'results'"):
        runs = ro.load(store(NAMES, ("results", "run_id, return", [*SCORE.items()][1:])))
    assert runs.n_runs.sum() == 11


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        (
            [RETURNS, ("training", "run_id, step, return", RETURNS[2])],
            r"tables 'evals', 'training' may hold the scores",
        ),
        (
            [("results", "run_id, return", [*SCORE.items(), ("r99", 1.0)])],
            r"rows of 1 runs \('r99'\) that table 'runs' does not name",
        ),
    ],
)
def test_two_tables_of_scores_and_runs_that_nothing_names_are_asked_about(store, tables, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.load(store(NAMES, *tables))


def test_the_table_of_scores_that_is_named_stands_beside_that_of_the_runs(store):
    half = "training", "run_id, step, return", [(run, k, x / 2) for run, k, x in RETURNS[2]]
    file = store(NAMES, RETURNS, half)
    assert ends(file, table="evals") == {
        a: {t: [3 * x for x in own] for t, own in by.items()} for a, by in ENDS.items()
    }


def test_a_table_that_names_its_runs_itself_is_read_alone(store):
    rows = [(*run, SCORE[run[0]]) for run in RUNS]
    logs = "log", "run_id, line", [(run, "x") for run in SCORE for _ in range(2)]
    assert ends(store(("runs", "run_id, algo, env, seed, return", rows), logs)) == ENDS


def test_a_column_called_as_the_table_of_runs_holds_their_keys(store):
    assert ends(store(NAMES, ("scores", "run, return", [*SCORE.items()]))) == ENDS


def test_scores_without_a_key_are_never_those_of_an_algorithm_called_as_the_file(store):
    with pytest.raises(ro.DataError, match="no column shows which rows belong together"):
        ro.load(store(NAMES, ("scores", "place, return", [*enumerate(SCORE.values())])))


def test_a_table_of_costs_is_that_of_the_scores_where_no_other_is(store):
    losses = "evals", "run_id, step, loss", RETURNS[2]
    with pytest.warns(ro.RunoffWarning, match="column 'loss' is named like a cost"):
        assert ends(store(NAMES, losses))["fast"]["door"] == [-3 * SCORE[f"r{i}"] for i in (3, 4, 5)]


def test_each_episode_of_a_run_is_not_the_last_of_its_values(store):
    file = store(NAMES, ("metrics", "run_id, episode, name, value", TAGS))
    with pytest.raises(ro.DataError, match=r"has several scores, .* where column 'episode' is '1' and '2'"):
        ro.load(file)


def test_a_run_without_a_key_is_not_left_out(store):
    runs = [(None, *RUNS[0][1:]), *RUNS[1:]]
    with pytest.raises(ro.DataError, match="no column shows which rows belong together"):
        ro.load(store(("runs", "id, algo, env, seed", runs), RETURNS))


@pytest.mark.parametrize("again", ["r0", "r5", "r11"])
def test_a_table_with_several_rows_of_any_run_is_left_out_by_name(store, again):
    hosts = [*((run, "gpu1") for run in SCORE), (again, "gpu2")]
    results = "results", "run_id, return", [*SCORE.items()]
    (whole,), (note,) = (
        [
            note
            for note in ro.load(store(NAMES, results, ("hosts", "run_id, host", rows))).provenance.notes
            if "read together" in note
        ]
        for rows in (hosts[:-1], hosts)
    )
    assert "'runs', 'results', 'hosts' are read together" in whole
    assert note.endswith(
        "'runs', 'results' are read together, by column 'run_id'; left out: 'hosts', with several rows of a run"
    )


def test_what_two_tables_call_alike_keeps_the_name_of_its_table_and_runs_are_found_by_any_usual_key(store):
    names = "runs", "run_uuid, algo, env, seed, status", [(*run, "done") for run in RUNS]
    results = "results", "run_uuid, return, status", [(run, x, "ok" if x > 9 else "late") for run, x in SCORE.items()]
    scores = ro.load(store(names, results))
    assert scores.to_dict() == ENDS
    assert any("'results.status'" in note for note in scores.provenance.notes)


def test_numbers_of_its_own_in_a_table_of_algorithms_are_no_key_of_the_runs(store):
    finals = [(i % 6, a, x) for i, ((_, a, *_), x) in enumerate(zip(RUNS, SCORE.values(), strict=True))]
    runs = "runs", "run_id, algo, env", [(i, *run[1:3]) for i, run in enumerate(RUNS)]
    scores = ro.load(store(runs, ("finals", "run, algo, return", finals)))
    assert scores.to_dict() == {a: {"task": [x for own in by.values() for x in own]} for a, by in ENDS.items()}


def test_a_name_that_stands_twice_at_a_step_of_a_run_is_not_read_from_the_last(store):
    twice = "metrics", "run_id, step, name, value", [*TAGS, ("r0", 3, "eval/return", 99.0)]
    with pytest.raises(ro.DataError, match="no column shows which rows belong together"):
        ro.load(store(NAMES, twice))


def test_of_several_tables_that_may_hold_runs_the_one_that_names_algorithms_is_offered(store):
    file = store(("a", "seed, return", [(1, 2.0)]), ("b", "algo, seed, return", [("fast", 1, 2.0)]))
    with pytest.raises(ro.DataError, match="name the one to read: table='b'"):
        ro.load(file)


def test_a_run_with_losses_and_no_evaluation_is_one_that_has_nothing_measured(store):
    rows = [
        row if row[0] != "r0" else (*row[:2], "train/loss", row[3])
        for row in TAGS
        if row[0] != "r0" or row[2] != "train/loss"
    ]
    with pytest.warns(ro.RunoffWarning, match="1 of the 12 runs in table 'runs' have nothing in 'metrics'"):
        assert ro.load(store(NAMES, ("metrics", "run_id, step, name, value", rows))).n_runs.sum() == 11
