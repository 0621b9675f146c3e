"""Logs that were not written in one go: headers again, in another order or with other columns, newest lines first, trainings in one file."""

from __future__ import annotations

import json
from itertools import permutations, product

import pytest

import runoff as ro

COLUMNS = ("step", "train_return", "eval_return")
ALGORITHMS, SEEDS = ("ppo", "sac"), (0, 1, 2)


def value(name: str, algorithm: str, seed: int, step: int) -> float:
    return step / 100 + seed + 10 * (algorithm == "sac") + 0.5 * (name == "train_return")


def lines(columns, algorithm: str, seed: int, steps) -> list[str]:
    rows = [
        {"step": step, **{name: value(name, algorithm, seed, step) for name in COLUMNS[1:]}, "entropy": 3.0}
        for step in steps
    ]
    return [",".join(columns), *(",".join(str(row[name]) for name in columns) for row in rows)]


def folders(put, root: str, texts, name: str = "metrics.csv"):
    """Write the log of each run beside its configuration; `texts` gives it by (algorithm, seed)."""
    for (algorithm, seed), text in texts.items():
        put(f"{root}/{algorithm}_s{seed}/config.json", json.dumps({"algo": algorithm, "env": "Hopper", "seed": seed}))
        path = put(f"{root}/{algorithm}_s{seed}/{name}", text)
    return path.parents[1]


@pytest.mark.parametrize(
    "second",
    [
        *permutations(COLUMNS),
        ("step", "entropy", "train_return", "eval_return"),
        ("eval_return", "entropy", "train_return", "step"),
        ("step", "eval_return"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("spaced", [False, True])
def test_rows_below_a_header_of_a_resumed_log_have_its_columns(put, second, spaced):
    texts = {}
    for algorithm, seed in product(ALGORITHMS, SEEDS):
        before, after = lines(COLUMNS, algorithm, seed, (100, 200)), lines(second, algorithm, seed, (300, 400))
        after = [line.replace(",", ", ") if spaced else line for line in after]
        texts[algorithm, seed] = "\n".join([*before, *after]) + "\n"
    curves = ro.read_curves(folders(put, "runs", texts))
    assert [curve.tolist() for curve in curves.final().cells("sac")] == [
        [value("eval_return", "sac", seed, 400) for seed in SEEDS]
    ]
    assert set(curves.steps) == {100, 200, 300, 400}
    assert any("header line" in note for note in curves.provenance.notes)


def test_a_row_that_fits_no_header_is_counted_and_a_last_header_takes_no_row(put):
    from runoff.reading.logs.wire.lines import table

    rows = table(put("t.csv", "a,b\n1,2\n3\nb,c,a\n4,5,6\n7,8\na,b"), ",")
    assert (rows.names, rows.rows) == (("a", "b", "c"), [["1", "2", ""], ["6", "4", "5"]])
    assert {what.policy: what.count for what in rows.happened} == {"malformed": 2, "other_header": 2}


@pytest.mark.parametrize("head", ["step,train_return,eval_return", "step,train_return", "step,train_return,entropy"])
def test_a_last_header_without_rows_changes_no_column_and_is_noted_alone(put, head):
    texts = {(a, s): "\n".join([*lines(COLUMNS, a, s, (100, 200)), head]) + "\n" for a, s in product(ALGORITHMS, SEEDS)}
    curves = ro.read_curves(folders(put, "runs", texts))
    assert set(curves.steps) == {100, 200}
    (note,) = (note for note in curves.provenance.notes if "header line" in note)
    assert note.startswith("6 log(s) have their header line again, as a run that is resumed writes it (6 times)")


def test_a_table_with_its_header_in_another_order_is_refused(put):
    rows = "algo,seed,score\nA,1,2\nA,2,3\nB,1,4\nB,2,5\n"
    with pytest.raises(ro.DataError, match="line 6: the header line is repeated in another order"):
        ro.load(put("t.csv", rows + "algo,score,seed\nC,7,1\nC,8,2\n"))
    assert ro.load(put("u.csv", rows + "algo,seed,score\nC,1,7\nC,2,8\n")).algorithms == ("A", "B", "C")


def json_rows(algorithm: str, seed: int, steps, names=COLUMNS) -> str:
    rows = [{"step": step, **{n: value(n, algorithm, seed, step) for n in names if n != "step"}} for step in steps]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("name", ["metrics.csv", "log.jsonl"])
@pytest.mark.parametrize("turned", [*product((False, True), repeat=2)])
def test_a_log_that_is_written_newest_first_is_turned_round(put, name, turned):
    read = []
    for root, flags in (("plain", (False, False)), ("turned", turned)):
        texts = {}
        for (algorithm, flag), seed in product(zip(ALGORITHMS, flags, strict=True), SEEDS):
            steps = (400, 300, 300, 200, 100) if flag else (100, 200, 300, 300, 400)
            texts[algorithm, seed] = (
                "\n".join(lines(COLUMNS, algorithm, seed, steps)) + "\n"
                if name == "metrics.csv"
                else json_rows(algorithm, seed, steps)
            )
        read.append(ro.read_curves(folders(put, root, texts, name)))
    assert read[0].to_frame().equals(read[1].to_frame())
    assert any("newest first" in note for note in read[1].provenance.notes) == any(turned)


def test_steps_that_fall_while_time_goes_on_are_not_turned_round(put):
    texts = {
        key: "step,time,eval_return\n" + "".join(f"{300 - i * 100},{i},{i}\n" for i in range(3))
        for key in product(ALGORITHMS, SEEDS)
    }
    with pytest.warns(ro.RunoffWarning, match="go back so far in steps"):
        curves = ro.read_curves(folders(put, "runs", texts))
    assert set(curves.final().values) == {2.0}


@pytest.mark.parametrize(
    ("counted", "refused"),
    [
        ({"num_seeds": 3}, True),
        ({"seeds": [0, 1, 2]}, True),
        ({"train": {"n_seeds": 3}}, True),
        ({"num_seeds": 2}, False),
        ({}, False),
    ],
)
def test_trainings_of_several_seeds_in_one_log_are_refused_or_warned_of(put, counted, refused):
    for algorithm in ALGORITHMS:
        put(f"runs/{algorithm}/config.json", json.dumps({"algo": algorithm, "env": "Hopper", **counted}))
        text = "".join(json_rows(algorithm, seed, (100, 200, 300)) for seed in SEEDS)
        path = put(f"runs/{algorithm}/log.jsonl", text)
    if refused:
        with pytest.raises(ro.DataError, match=r"3 to step 300.* cut the log where its steps begin again"):
            ro.read_curves(path.parents[1])
    else:
        with pytest.warns(ro.RunoffWarning, match=r"several trainings one after another.*\(12 points"):
            ro.read_curves(path.parents[1])


def evaluated(put, root: str, lacking, name: str):
    """Write runs, of which some were trained and never evaluated."""
    for algorithm, seed in product(ALGORITHMS, SEEDS):
        folder, steps = f"{root}/{algorithm}_s{seed}", (100, 200, 300)
        put(f"{folder}/config.json", json.dumps({"algo": algorithm, "env": "Hopper", "seed": seed}))
        kept = COLUMNS[:2] if (algorithm, seed) in lacking else COLUMNS
        if name == "log.jsonl":
            put(f"{folder}/{name}", json_rows(algorithm, seed, steps, kept))
        elif name == "metrics.csv":
            rows = lines(COLUMNS, algorithm, seed, steps)
            put(
                f"{folder}/{name}",
                "".join(
                    (row if len(kept) == 3 or not i else row.rpartition(",")[0] + ",") + "\n"
                    for i, row in enumerate(rows)
                ),
            )
        else:
            for part in ("train", "eval"):
                rows = lines(
                    ("step", f"{part}_return"), algorithm, seed, steps if part == "train" or len(kept) == 3 else ()
                )
                put(f"{folder}/{part}.csv", "\n".join(rows).replace(f"{part}_return", "return") + "\n")
    return put(f"{root}/notes.txt", "").parent


@pytest.mark.parametrize("name", ["log.jsonl", "metrics.csv", "train.csv and eval.csv"])
@pytest.mark.parametrize("lacking", [[("sac", 1)], [("sac", 1), ("ppo", 0)], [("sac", 0), ("sac", 1)]])
def test_runs_that_were_never_evaluated_have_no_score_and_others_keep_theirs(put, name, lacking):
    folder = evaluated(put, "runs", lacking, name)
    with pytest.raises(
        ro.DataError, match=rf"{len(lacking)} run\(s\) have no value of the series that is read .*train"
    ):
        ro.read_scores(folder)
    scores = ro.read_scores(folder, incomplete="drop")
    left = [key for key in product(ALGORITHMS, SEEDS) if key not in lacking]
    assert scores.values.tolist() == [value("eval_return", *key, 300) for key in left]


@pytest.mark.parametrize(
    "lacking", [[("sac", 0), ("sac", 1), ("sac", 2)], [("sac", 0), ("sac", 1), ("ppo", 0), ("ppo", 1)]]
)
def test_training_is_the_score_of_all_where_an_algorithm_or_most_runs_have_no_evaluation(put, lacking):
    folder = evaluated(put, "runs", lacking, "log.jsonl")
    assert dict(ro.read_curves(folder).provenance.columns)["score"] == "train_return"


@pytest.mark.filterwarnings("ignore:.*lack .eval_return.:runoff.RunoffWarning")
@pytest.mark.parametrize(
    ("n_runs", "score"), [({"ppo": 5, "sac": 1}, "train_return"), ({"ppo": 5, "sac": 2}, "eval_return")]
)
def test_training_is_the_score_of_all_where_an_algorithm_has_no_evaluation_beside_a_run_that_crashed(
    put, n_runs, score
):
    for algorithm, seed in ((a, s) for a, n in n_runs.items() for s in range(n)):
        put(f"runs/{algorithm}_s{seed}/config.json", json.dumps({"algo": algorithm, "env": "Hopper", "seed": seed}))
        names = COLUMNS[:2] if seed == 0 else COLUMNS
        path = put(f"runs/{algorithm}_s{seed}/log.jsonl", json_rows(algorithm, seed, (100, 200, 300), names))
    curves = ro.load(path.parents[1], incomplete="drop")
    assert dict(curves.provenance.columns)["score"] == score
