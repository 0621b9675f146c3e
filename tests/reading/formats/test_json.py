"""JSON and NDJSON: five shapes, and every way to spoil them."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import runoff as ro

RECORDS = [{"agent": "PPO", "env": "Pong", "seed": s, "return": 10.0 + s} for s in range(3)]
EXPECTED = {"PPO": {"Pong": [10.0, 11.0, 12.0]}}
COLUMNS = {name: [record[name] for record in RECORDS] for name in RECORDS[0]}


@pytest.mark.parametrize(
    "content",
    [RECORDS, COLUMNS, {"Pong": [10, 11, 12]}, {"PPO": {"Pong": [10, 11.0, 12]}}],
    ids=["records", "columns", "by task", "by algorithm"],
)
def test_four_shapes_hold_the_same_runs(put, content):
    assert ro.read_scores(put("PPO.json", json.dumps(content))).to_dict() == EXPECTED


def test_a_dict_of_arrays_has_runs_first_and_tasks_second(put):
    scores = ro.read_scores(put("runs.json", json.dumps({"PPO": [[1, 2], [3, 4], [5, 6]]})))
    assert scores.to_dict() == {"PPO": {"task 1": [1, 3, 5], "task 2": [2, 4, 6]}}


def test_cells_may_be_ragged_and_missing(put):
    content = {"PPO": {"Pong": [1, 2], "Alien": [3]}, "A2C": {"Pong": [4]}}
    scores = ro.read_scores(put("runs.json", json.dumps(content)))
    assert scores.n_runs.tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("suffix", [".ndjson", ".jsonl", "", ".json"])
def test_one_record_a_line_is_read(put, suffix):
    lines = "\n\n".join(json.dumps(record) for record in RECORDS)
    assert ro.read_scores(put(f"runs{suffix}", lines)).to_dict() == EXPECTED


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[]", "holds nothing"),
        ("{", r"not well-formed JSON: .* at line 1, column 2"),
        ('{"a": [1]}\n [{"a": [2]}]', "format='ndjson'"),
        ('{"a": [1]}\n{"a": [2]}', "no column is recognised as the score"),
        ('{"Pong": [1, NaN]}', "algorithm 'PPO', task 'Pong', run '1': the score is nan"),
        ('{"Pong": [1, null]}', "run '1': the score is missing"),
        ('{"Pong": [1, "oops"]}', "the score is 'oops', which is not a number"),
        ('{"Pong": [0.5, true]}', "the score is True, which is not a number"),
        ('{"Pong": [1' + "0" * 400 + "]}", "the score is inf"),
        ('{"Pong": [1' + "0" * 5000 + "]}", "cannot be read"),
        ("[" * 100_000, "nested too deeply"),
        ('{"random": {"Pong": -20.7}}', "none of the shapes"),
        ("3", "none of the shapes"),
        ('{"PPO": [[1, 2], [3]]}', "algorithm 'PPO' must be an array of numbers"),
        ('{"PPO": [[1, 2]], "A2C": [[1]]}', "arrays 'PPO' and 'A2C' differ in tasks"),
        ('{"PPO": {"Pong": []}}', "algorithm 'PPO' has no scores"),
        ('[{"agent": "PPO", "score": 1}, {"agent": "PPO"}]', "record 2: the score .* is missing"),
        ('[{"agent": ["PPO"], "score": 1}]', "record 1: the algorithm .* which is not a name"),
        ('{"agent": ["PPO"], "score": [1, 2]}', "the columns differ in length"),
    ],
)
def test_bad_json_is_refused_in_one_sentence(put, content, sentence):
    with pytest.raises(ro.DataError, match=sentence) as refusal:
        ro.read_scores(put("PPO.json", content))
    assert "PPO.json" in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"agent": "PPO", "score": 1}\n{"agent"', "line 2: this is not well-formed JSON"),
        ('{"agent": "PPO", "score": 1}\n\n{"agent": "PPO", "score": "oops"}', "line 3: the score .*'oops'"),
        ("\n \n", "no rows"),
    ],
)
def test_bad_lines_of_records_are_refused_with_their_line(put, content, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.read_scores(put("runs.ndjson", content))


def test_records_of_unknown_measures_are_asked_about_as_a_wide_table_is(put):
    with pytest.raises(ro.DataError, match="if one run has them all"):
        ro.read_scores(put("CURL.json", '[{"game": "Pong", "seed": 1, "HNS": 0.5, "Max HNS": 0.7}]'))


WIDE = pd.DataFrame(
    {"task": ["Ant", "Ant", "Hop", "Hop"], "seed": [0, 1] * 2, "PPO": [1.5, 2, 3, 4], "SAC": [5.5, 6, 7, 8]}
)


@pytest.mark.parametrize("orient", ["columns", "records", "split", "index", "table"])
def test_a_wide_frame_is_read_in_every_orientation(put, orient):
    expected = {"PPO": {"Ant": [1.5, 2], "Hop": [3, 4]}, "SAC": {"Ant": [5.5, 6], "Hop": [7, 8]}}
    assert ro.read_scores(put("wide.json", WIDE.to_json(orient=orient))).to_dict() == expected


def test_lines_of_a_wide_frame_are_read_but_those_of_several_files_are_logs_of_measures(put):
    lines = WIDE.rename(columns={"PPO": "foo", "SAC": "bar"}).to_json(orient="records", lines=True)
    assert set(ro.read_scores(put("wide.jsonl", lines)).algorithms) == {"foo", "bar"}
    file, *_ = [put(f"{name}/log.jsonl", lines) for name in ("ppo_0", "ppo_1", "sac_0")]
    with pytest.raises(ro.DataError, match="no column is recognised as the score"):
        ro.read_scores(file.parents[1])


def test_choosing_columns_makes_records_of_one_algorithm_readable(put):
    file = put("CURL.json", '[{"game": "Pong", "seed": 1, "HNS": 0.5, "Max HNS": 0.7}]')
    scores = ro.read_scores(file, columns={"task": "game", "run": "seed", "score": "HNS"})
    assert scores.to_dict() == {"CURL": {"Pong": [0.5]}}


def test_columns_mean_nothing_where_no_column_has_a_name(put):
    with pytest.raises(ro.OptionError, match="no named columns"):
        ro.read_scores(put("PPO.json", '{"Pong": [1, 2]}'), columns={"score": "return"})


def test_a_line_of_a_file_of_records_that_is_none_is_shown_by_its_beginning(put):
    with pytest.raises(ro.DataError, match=r"line 2: a record .* not '\[(1, ){13}'\."):
        ro.read_scores(put("runs.ndjson", '{"algorithm": "A", "score": 1}\n' + str([1] * 40)))


@pytest.mark.parametrize(
    ("text", "key"), [('{"a": [1], "b": [2], "a": [3]}', "a"), ('{"a": [1], "b": [2], "b": [3]}', "b")]
)
def test_the_key_that_appears_twice_is_named(put, text, key):
    with pytest.raises(ro.DataError, match=f"the key '{key}' appears twice"):
        ro.read_scores(put("runs.json", text))


@pytest.mark.parametrize(("lines", "format"), [(1, "json"), (2, "ndjson")])
def test_without_a_suffix_one_record_is_json_and_several_lines_are_records(put, lines, format):
    text = (
        '{"PPO": {"x": [1, 2]}}' if lines == 1 else '{"algorithm": "A", "score": 1}\n{"algorithm": "A", "score": 2}\n'
    )
    assert ro.read_scores(put("runs", text)).provenance.format == format


def test_a_task_without_any_score_is_refused_and_a_missing_cell_is_not(put):
    with pytest.raises(ro.DataError, match="task 'u' has no scores of any algorithm"):
        ro.read_scores(put("runs.json", '{"PPO": {"t": [1, 2], "u": []}, "B": {"t": [3, 4]}}'))
    scores = ro.read_scores(put("runs.json", '{"PPO": {"t": [1, 2], "u": []}, "B": {"t": [3, 4], "u": [5]}}'))
    assert scores.n_runs.tolist() == [[2, 1], [2, 0]]


@pytest.mark.parametrize(
    "text",
    [
        '{"PPO": {"x": {"seed_1": 1, "seed_2": 2}}, "SAC": {"x": {"seed_1": 3, "seed_2": 4}}}',
        '{"PPO": {"1": {"x": 1}, "2": {"x": 2}}, "SAC": {"1": {"x": 3}, "2": {"x": 4}}}',
        '{"x": {"PPO": {"1": 1, "2": 2}, "SAC": {"1": 3, "2": 4}}}',
        '{"PPO": {"1": 1, "2": 2}, "SAC": {"1": 3, "2": 4}}',
        '{"PPO/x/seed=1": 1, "PPO/x/seed=2": 2, "SAC/x/seed=1": 3, "SAC/x/seed=2": 4}',
        "{\"('x', 'PPO', 1)\": 1, \"('x', 'PPO', 2)\": 2, \"('x', 'SAC', 1)\": 3, \"('x', 'SAC', 2)\": 4}",
    ],
)
def test_keys_that_name_runs_are_runs_on_any_level(put, text):
    scores = ro.read_scores(put("runs.json", text))
    assert [scores.cell(name, 0).tolist() for name in ("PPO", "SAC")] == [[1, 2], [3, 4]]
    assert any("are taken as runs" in note for note in scores.provenance.notes)


def test_lists_of_lists_below_two_levels_are_curves_whose_axes_are_asked_for(put):
    file = put("runs.json", '{"PPO": {"Pong": [[1, 2, 3], [4, 5, 6]]}}')
    with pytest.raises(ro.DataError, match=r"2 by 3, which are runs of .* dims='run,step' or dims='step,run'"):
        ro.read_curves(file)
    assert ro.read_scores(file, dims="run,step").to_dict() == {"PPO": {"Pong": [3, 6]}}
    assert ro.read_scores(file, dims="step,run").to_dict() == {"PPO": {"Pong": [4, 5, 6]}}


def test_means_and_spreads_below_two_levels_are_no_runs(put):
    with pytest.raises(ro.DataError, match="none of the shapes that hold runs"):
        ro.read_scores(put("runs.json", '{"PPO": {"Pong": {"mean": 1, "std": 2}}}'))


SHAPES = {
    "matrix": [[1.0, 2.0], [3.0, 5.0]],
    "tasks": {"t": [1.0, 2.0], "u": [3.0, 4.0]},
    "matrices": {"t": [[1.0, 2.0], [3.0, 5.0]]},
    "outcomes": {"t": True, "u": False},
}
"""What an algorithm may hold."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("other", ["words", 3, {"about": "words"}])
@pytest.mark.parametrize("first", [True, False])
def test_a_file_of_which_one_value_has_no_shape_of_runs_is_no_runs(put, shape, other, first):
    entries = [("PPO", SHAPES[shape]), ("SAC", SHAPES[shape])]
    content = dict([("n", other), *entries] if first else [*entries, ("n", other)])
    with pytest.raises(ro.DataError, match="none of the shapes that hold runs"):
        ro.read_scores(put("runs.json", json.dumps(content)), dims="run,step")


ROWS = [["PPO", 0, 1], ["SAC", 0, 2]]
BESIDE = [
    {"title": "Ant", "results": {"PPO": {"42": 2.5, "1337": 3.5}, "SAC": {"42": 2.5, "1337": 3.5}}},
    {"columns": ["algo", "seed", "return"], "data": ROWS, "env": "Ant"},
    {"algo": "PPO", "env": "Ant", "seed": 0, "reward": True, "lr": 0.1},
    {"PPO": {"a": True, "b": False}, "SAC": {}},
]
"""A name that would say the task, a measure that a configuration turns on, and an algorithm without outcomes."""


@pytest.mark.parametrize("content", BESIDE)
def test_what_would_be_lost_beside_what_can_be_read_makes_an_object_none_of_runs(put, content):
    with pytest.raises(ro.DataError, match="none of the shapes that hold runs"):
        ro.load(put("runs.json", json.dumps(content)))


@pytest.mark.parametrize(("name", "other"), [("score", "Ant"), ("reward", "mmlu"), ("Performance", "Pong")])
def test_a_list_of_a_task_beside_one_that_is_named_like_a_score_is_not_left_out(put, name, other):
    with pytest.raises(ro.DataError, match=f"'{name}' among the names '{name}', '{other}' are named like metrics"):
        ro.load(put("PPO.json", json.dumps({name: [1, 2, 3], other: [2, 3, 4]})))


def test_a_file_of_pandas_is_a_table_whatever_its_columns_are_called(put):
    columns = {"algo": ["PPO", "PPO", "SAC", "SAC"], "seed": [0, 1, 0, 1], "regret": [1, 2, 3, 4]}
    text = json.dumps({name: dict(enumerate(values)) for name, values in columns.items()})
    assert ro.load(put("runs.json", text), columns={"score": "regret"}, lower_is_better=False).to_dict() == {
        "PPO": {"task": [1, 2]},
        "SAC": {"task": [3, 4]},
    }


def test_a_number_of_seeds_beside_the_score_of_a_run_in_a_file_of_its_own_is_no_score(put, tmp_path):
    for seed in (0, 1):
        put(f"PPO_seed{seed}.json", json.dumps({"score": 0.5 + seed, "n_seeds": 1}))
    assert ro.load(tmp_path).to_dict() == {"PPO": {"task": [0.5, 1.5]}}


def test_scores_by_name_beside_the_score_of_a_record_are_no_tasks(put):
    records = [
        {"algo": name, "seed": 0, "score": own, "results": {"Ant-v4": 1, "Hopper-v4": 2}}
        for name, own in (("PPO", 9), ("SAC", 8))
    ]
    assert ro.load(put("runs.json", json.dumps(records))).to_dict() == {"PPO": {"task": [9]}, "SAC": {"task": [8]}}


def test_a_record_without_results_is_not_left_out_beside_others(put):
    results = {"Ant-v4": 1, "Hopper-v4": 2}, {}
    records = [{"algo": a, "seed": 0, "results": own} for a, own in zip(("PPO", "SAC"), results, strict=True)]
    with pytest.raises(ro.DataError, match="are tasks, use keys='task'"):
        ro.load(put("runs.json", json.dumps(records)))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            {a: {"Ants": [{"run": 0, "return": 1}]} for a in ("ppo", "sac")},
            {"ppo": {"Ants": [1]}, "sac": {"Ants": [1]}},
        ),
        (
            {"algorithms": {"data": {a: [{"seed": 0, "return": 1}] for a in ("foo", "bar")}}},
            {"foo": {"task": [1]}, "bar": {"task": [1]}},
        ),
    ],
)
def test_names_in_the_plural_above_others_say_what_these_are_and_a_task_may_end_so(put, content, expected):
    assert ro.load(put("runs.json", json.dumps(content))).to_dict() == expected


def test_an_empty_argument_of_a_loader_names_no_model(put, tmp_path):
    for name, arguments in (("a", "peft=,pretrained=org/base"), ("b", "pretrained=org/other")):
        results = {"gsm8k": {"acc,none": 0.5}, "mmlu": {"acc,none": 0.4}}
        content = {"results": results, "config": {"model": "hf", "model_args": arguments}, "versions": {}}
        put(f"results_{name}.json", json.dumps(content))
    assert ro.load(tmp_path).final().algorithms == ("org/base", "org/other")


@pytest.mark.parametrize("name", ["seed_{}.json", "results_seed{}.json"])
def test_numbers_of_known_algorithms_below_tasks_in_a_file_for_each_run_are_scores(put, name):
    for seed in (0, 1):
        scores = {task: {"PPO": 1 + seed, "SAC": 2} for task in ("river-6", "river-12")}
        folder = put(f"runs/{name.format(seed)}", json.dumps(scores)).parent
    assert ro.load(folder).to_dict()["PPO"] == {"river-12": [1.0, 2.0], "river-6": [1.0, 2.0]}
    for other in (
        {"river-6": {"clean": 1, "noisy": 2}},
        {"PPO": {"clean": 1, "noisy": 2}, "SAC": {"clean": 1, "noisy": 2}},
    ):
        with pytest.raises(ro.DataError, match="none of the shapes"):
            ro.load(put(name.format(2), json.dumps(other)))


@pytest.mark.parametrize("kind", ["video-file", "table-file", "histogram"])
def test_pictures_and_tables_in_what_wandb_keeps_of_a_run_are_no_measures(put, kind):
    own = {"accuracy": 0.5, "_step": 9, "clip": {"_type": kind, "size": 7, "path": "x"}}
    assert ro.load(put("ppo.json", json.dumps(own))).to_dict() == {"ppo": {"task": [0.5]}}
    named = {"algo": "ppo", "env": "Hop", "seed": 1, "return": 5.0, "clip": {"_type": kind, "return": 7.0}}
    scores = ro.load(put("run.json", json.dumps(named)))
    assert scores.to_dict() == {"ppo": {"Hop": [5.0]}}
    assert not any("clip" in note for note in scores.provenance.notes)
