"""`diff`: nothing changed where nothing did, its mirror from the other side, every change and no other, and what a file does not tell."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.answer.saved import COMPARE, READABLE, comparison_record
from runoff.base.signed import strict_json
from runoff.page.files.folder import SCHEMA
from runoff.page.files.records import record_of, scores_record
from tests.amount import examples
from tests.exits.methods import design, fewer
from tests.report.made import answers_of

pytestmark = pytest.mark.usefixtures("few_relabellings")
RUNS = {"A": [5.0, 6.0, 7.0, 6.5, 5.5], "B": [4.0, 5.5, 6.2, 4.5, 5.1]}
MORE = RUNS | {"A": [*RUNS["A"], 7.1, 6.8]}
SIDES = {"verdict": "verdict", "numbers": "numbers", "only_old": "only_new", "only_new": "only_old"}
OPTIONS = (
    {},
    {"alpha": 0.2},
    {"margin": 0.3},
    {"correction": "bh", "alpha": 0.1},
    {"test": "mack_skillings"},
    {"measure": "improvement", "rng": 3},
    {"n_resamples": 200},
)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        yield


@pytest.fixture
def compared(monkeypatch):
    """Compare the same scores by the same options once in a test, for `diff` too: that it gives the same twice is another test's law."""
    kept = {}

    def compare(scores, **options):
        key = id(scores), repr(sorted(options.items()))
        if key not in kept:
            kept[key] = scores, ro.compare(scores, **options)
        return kept[key][1]

    monkeypatch.setattr("runoff.methods.diff.compare", compare)
    return compare


def saved(scores, path, **options):
    """Write what `compare --json` prints of scores, and return its place."""
    return written(scores, ro.compare(scores, **options), path)


def written(scores, result, path):
    content = {"schema": COMPARE, "version": ro.__version__, "records": result.to_records()}
    data = {"algorithms": scores.algorithms, "tasks": scores.tasks, "n_runs": scores.n_runs.tolist()}
    data |= {"incomplete": scores.provenance.incomplete}
    content |= comparison_record(result) | {"scores": scores_record(scores), "data": data, "notes": []}
    content |= {"warnings": [], "advice": content["family_advice"]}
    path.write_text(strict_json(content), encoding="utf-8")
    return path


def changes(result):
    """Return everything that an answer lists, as sets."""
    return {name: getattr(result, name) for name in ("pairs", "cautions", "options", "runs")}


def of_large_scores(seed):
    """Return a design of which nothing is relabelled: its tasks have units of their own."""
    cells = design(seed).to_dict()
    return ro.Scores.from_dict({a: {t: [1e9 * x for x in runs] for t, runs in of.items()} for a, of in cells.items()})


NOTHING: dict = {"pairs": (), "cautions": (), "options": (), "runs": ()}


@pytest.mark.parametrize("seed", range(examples(60, 10)))
def test_nothing_changes_between_a_result_and_itself_its_file_and_its_runs(seed, tmp_path, compared):
    scores = of_large_scores(seed)
    own = compared(scores, **OPTIONS[seed % len(OPTIONS)])
    file = written(scores, own, tmp_path / "old.json")
    for old, new in ((file, file), (file, scores), (scores, file), (own, file)):
        result = ro.diff(old, new)
        assert changes(result) == NOTHING
        assert result.sentence.startswith("Nothing changed: runs, options and version are the same")


@pytest.mark.parametrize("seed", range(examples(60, 10)))
def test_seen_from_the_other_side_it_is_its_mirror(seed, compared):
    scores = of_large_scores(seed)
    others = fewer(scores)
    there, back = ro.diff(scores, others), ro.diff(others, scores)
    assert {mirrored(pair) for pair in back.pairs} == {normal(pair) for pair in there.pairs}
    for name, key, own in (("cautions", "code", "severity"), ("runs", "algorithm", "runs"), ("options", "option", "")):
        ends = [f"{side}_{own}".rstrip("_") for side in ("old", "new")]
        here, turned = (
            sorted((getattr(row, key), *(str(getattr(row, end)) for end in order)) for row in getattr(result, name))
            for result, order in ((there, ends), (back, ends[::-1]))
        )
        assert here == turned
    assert (there.old_leader, there.new_leader) == (back.new_leader, back.old_leader)


def normal(pair):
    """Return a changed pair, seen from the name that is first in the alphabet."""
    turned = pair.a > pair.b
    verdicts = tuple(
        {"a_better": "b_better", "b_better": "a_better"}.get(v, v) if turned else v
        for v in (pair.old_verdict, pair.new_verdict)
    )
    pvalues = tuple(p and round(p, 9) for p in (pair.old_pvalue, pair.new_pvalue))
    return (*sorted((pair.a, pair.b)), pair.change, *verdicts, *pvalues, frozenset(pair.why))


def mirrored(pair):
    a, b, change, old, new, p, q, why = normal(pair)
    return a, b, SIDES[change], new, old, q, p, why


@pytest.mark.parametrize("seed", range(examples(200, 10)))
def test_every_changed_verdict_is_listed_and_nothing_else(seed, compared):
    rng = np.random.default_rng(seed)
    sides = [
        ro.Scores.from_dict(
            {n: rng.normal(rng.normal(), 1.0, (6, 3)) for n in rng.permutation(list("ABCD"))[:k]},
            score_unit="shared",
        )
        for k in rng.integers(2, 5, 2)
    ]
    old, new = map(compared, sides)
    listed = {frozenset((row.a, row.b)): row for row in ro.diff(*sides).pairs}
    for both in combinations("ABCD", 2):
        had, has = (winner_of(result, *both) for result in (old, new))
        row = listed.get(frozenset(both))
        if had == has == "absent":
            assert row is None
        elif "absent" in (had, has):
            assert row.change == ("only_new" if had == "absent" else "only_old")
        else:
            assert (row.change == "verdict") == (had != has)


def winner_of(result, a, b):
    """Return who was found ahead, None where nobody was, "absent" where they were not compared."""
    try:
        return result[a, b].winner
    except KeyError:
        return "absent"


def test_runs_are_matched_by_their_scores_then_by_their_labels():
    old = {"A": {"t": [1.0, 2.0, 3.0]}, "B": {"t": [0.0, 0.5, 0.7]}}
    new = {"A": {"t": [3.0, 4.0, 1.0, 5.0]}, "B": {"t": [0.7, 0.5, 0.0]}}
    (row,) = ro.diff(old, new).runs
    assert (row.algorithm, row.old_runs, row.new_runs, row.added, row.removed, row.rescored) == ("A", 3, 4, 1, 0, 1)
    assert (row.old_mean, row.new_mean) == (2.0, 3.25)


def test_the_sentence_says_which_verdict_changed_and_because_of_what():
    result = ro.diff(RUNS, MORE)
    assert result.sentence == (
        "The one verdict on both sides changed: A and B (no difference found, now A better), because 2 runs were added."
    )
    assert [pair.why for pair in result.pairs] == [("runs",)]


def test_where_several_things_differ_none_is_called_the_reason(tmp_path):
    old = saved(ro.Scores.from_dict(RUNS), tmp_path / "old.json")
    content = json.loads(old.read_text()) | {"version": "0.1.9"}
    old.write_text(json.dumps(content))
    result = ro.diff(old, MORE)
    assert f"between the two 2 runs were added and runoff 0.1.9 became {ro.__version__}." in result.sentence
    assert [pair.why for pair in result.pairs] == [("runs", "version")]


def test_a_pair_whose_own_runs_are_the_same_names_the_family():
    runs = {"A": [1.0, 2, 3, 4], "B": [3.0, 4, 5, 6], "C": [1.5, 2.5, 3, 4]}
    rows = ro.diff(runs, runs | {"C": [9.0, 9.5, 10, 11]}).pairs
    assert {(row.a, row.b): row.why for row in rows}["A", "B"] == ("family",)


def test_a_pair_by_another_test_names_it_and_its_family_names_the_family():
    scores = ro.Scores.from_dict({"A": [1.0, 2, 3, 4], "B": [3.0, 4, 5, 7], "C": [5.5, 6.5, 7, 9]})
    old = ro.compare(scores)
    pairs = [replace(pair, test="welch", pvalue_adjusted=0.5) if pair.a == "A" else pair for pair in old.pairs]
    pairs[-1] = replace(pairs[-1], pvalue_adjusted=0.9)
    rows = ro.diff(replace(old, pairs=tuple(pairs)), old).pairs
    assert {(row.a, row.b): row.why for row in rows} == {
        ("A", "B"): ("test", "family"), ("A", "C"): ("test", "family"), ("B", "C"): ("family",),
    }  # fmt: skip


def test_a_change_that_nothing_explains_is_another_build_or_machine(tmp_path):
    old = saved(ro.Scores.from_dict(RUNS), tmp_path / "old.json")
    content = json.loads(old.read_text())
    content["records"][0]["low"] -= 1.0
    old.write_text(json.dumps(content))
    result = ro.diff(old, RUNS)
    assert [(row.change, row.why) for row in result.pairs] == [("numbers", ("unknown",))]
    assert result.sentence == (
        "The one verdict on both sides did not change; 1 pair of the same verdict has other numbers; runs, options and version are the "
        "same, so that it is "
        "another build of runoff, or another machine."
    )


def test_a_result_of_before_03_whose_ends_had_other_names_is_read_as_today(tmp_path):
    old = saved(ro.Scores.from_dict(RUNS), tmp_path / "old.json")
    content, names = json.loads(old.read_text()), {"low": "decided_low", "own_low": "low"}
    names |= {key.replace("low", "high"): name.replace("low", "high") for key, name in names.items()}
    content["records"] = [{names.get(key, key): value for key, value in row.items()} for row in content["records"]]
    old.write_text(json.dumps(content))
    assert ro.diff(old, RUNS).pairs == ()


@pytest.mark.parametrize(
    ("options", "tasks"),
    [
        ({"control": "B"}, 6),
        ({"over": "tasks"}, 6),
        ({"over": "tasks", "correction": "none"}, 12),
        ({"test": "welch"}, 1),
        ({"test": "permutation", "n_resamples": 300, "rng": 5}, 1),
        ({"measure": "median", "margin": 2.0}, 6),
        ({"single_value": "tested"}, 1),
    ],
)
def test_runs_are_compared_by_the_options_of_the_other_side(options, tasks, tmp_path):
    rng = np.random.default_rng(1)
    cells = {a: {f"t{t}": rng.random(1 if a == "line" else 6) for t in range(tasks)} for a in ("A", "B", "C", "line")}
    scores = ro.Scores.from_dict(cells)
    old = saved(scores, tmp_path / "old.json", **options)
    result = ro.diff(old, scores)
    assert changes(result) == NOTHING
    assert any(note.startswith("the new runs are compared as the other side was: ") for note in result.notes)
    assert changes(ro.diff(old, saved(scores, tmp_path / "plain.json"))) != NOTHING


def test_advice_on_a_measure_that_the_design_chose_is_given_again(tmp_path):
    rng = np.random.default_rng(2)
    cells = {a: {t: np.append(rng.random(9), 1.2 if t == "u" else 0.5) for t in "uvwx"} for a in "AB"}
    old = saved(ro.Scores.from_dict(cells), tmp_path / "old.json")
    assert '"R029"' in old.read_text()
    assert changes(ro.diff(old, cells)) == NOTHING


def test_pairs_that_were_named_are_compared_again_and_no_others(tmp_path):
    others = {"C": [5.2, 5.1, 6.0, 5.5, 5.9], "D": [4.9, 5.2, 5.8, 5.0, 6.1], "line": [2.0]}
    scores = ro.Scores.from_dict(RUNS | others)
    named = saved(scores, tmp_path / "named.json", pairs=[("B", "A")])
    assert changes(ro.diff(named, scores)) == NOTHING
    every = saved(scores, tmp_path / "every.json")
    assert changes(ro.diff(every, scores)) == NOTHING
    result = ro.diff(named, every)
    assert {(row.change, row.why) for row in result.pairs} == {("numbers", ("family",)), ("only_new", ())}
    assert "5 pairs are only in the new result" in result.sentence
    assert result.sentence.endswith("runs, options and version are the same.")


def test_options_that_differ_are_told():
    scores = ro.Scores.from_dict(RUNS)
    result = ro.diff(ro.compare(scores, alpha=0.2), ro.compare(scores))
    assert [(row.option, row.old, row.new) for row in result.options] == [("alpha", "0.2", "0.05")]
    assert "alpha was 0.2 and is 0.05" in result.sentence
    assert set(result.notes) >= {f"nothing is known of the runs of the {side} side" for side in ("old", "new")}


def test_runs_that_were_left_out_are_told_from_runs_that_are_new():
    rows = [(a, str(i), step, step * x) for a in RUNS for i, x in enumerate(RUNS[a]) for step in (0, 1, 2)]
    rows.remove(("A", "0", 2, 10.0))
    frame = {
        name: list(column)
        for name, column in zip(("algorithm", "run", "step", "score"), zip(*rows, strict=True), strict=True)
    }
    curves = ro.Curves.from_frame(pl.DataFrame(frame))
    result = ro.diff(curves.final(incomplete="drop"), curves.final(incomplete="carry"))
    assert [(row.option, row.old, row.new) for row in result.options] == [("incomplete", "drop", "carry")]
    assert result.pairs[0].why == ("runs", "options")
    assert "between the two 1 run was added and incomplete was drop and is carry" in result.sentence
    assert "incomplete" not in ro.diff(curves.final(incomplete="carry"), curves.final()).sentence


def test_runs_of_another_unit_are_not_called_other_runs():
    scores = ro.Scores.from_dict(RUNS)
    result = ro.diff(scores, scores.normalize({"task 1": (0.0, 10.0)}))
    assert result.runs == ()
    assert "normalize" in [row.option for row in result.options]
    assert any("scores of the two sides are other numbers" in note for note in result.notes)


def test_new_runs_are_normalised_as_the_old_ones_were(tmp_path):
    raw = ro.Scores.from_dict({a: {"Pong": x} for a, x in RUNS.items()})
    old = saved_report(raw.normalize("atari"), tmp_path)
    assert changes(ro.diff(old, raw)) == NOTHING
    given = saved_report(raw.normalize({"Pong": (0.0, 10.0)}), tmp_path)
    with pytest.raises(ro.DesignError, match="normalised by given reference scores, and the new runs are not"):
        ro.diff(given, raw)


def saved_report(scores, folder):
    """Write results.json of a report, and return its folder."""
    (folder / "results.json").write_text(strict_json(record_of(answers_of(scores))), encoding="utf-8")
    return folder


@pytest.mark.parametrize("seed", range(examples(20, 4)))
def test_a_report_and_its_runs_are_the_same(seed, tmp_path):
    scores = of_large_scores(seed)
    folder = saved_report(scores, tmp_path)
    assert changes(ro.diff(folder, scores)) == NOTHING
    assert changes(ro.diff(folder / "results.json", folder)) == NOTHING


def test_a_report_of_0_2_is_compared_as_far_as_it_goes(tmp_path):
    scores = ro.Scores.from_dict(RUNS)
    content = record_of(answers_of(scores)) | {"schema": "runoff.report/2"}
    for key in ("confidence_level", "control", "n_resamples", "family_advice", "scores"):
        del content[key]
    (tmp_path / "results.json").write_text(strict_json(content), encoding="utf-8")
    result = ro.diff(tmp_path, scores)
    assert changes(result) == NOTHING
    assert result.sentence.endswith("as far as both sides record them.")
    assert "the old side does not state its control and n_resamples" in result.notes
    assert any("the old side holds no scores" in note for note in result.notes)
    assert any("those of single pairs are compared" in note for note in result.notes)


def test_an_algorithm_of_another_name_is_told_and_its_pairs_are_not_dropped():
    result = ro.diff(RUNS, {"A": RUNS["A"], "C": RUNS["B"]})
    assert {(row.b, row.change) for row in result.pairs} == {("B", "only_old"), ("C", "only_new")}
    assert [note for note in result.notes if "B" in note] == [
        "only the old side has the algorithm B",
        "C has the scores of B: if it is the same algorithm, call both alike (rename(algorithms={'B': 'C'}))",
    ]
    assert "no pair is on both sides" not in result.sentence


def test_baselines_are_compared_by_their_runs_and_options(tmp_path):
    runs = {"PPO": {"Pong": [18.0, 20, 19], "Qbert": [1.0, 2, 3]}}
    ro.save_baseline(runs, tmp_path / "a.json", margin=1.0)
    more = {"PPO": {"Pong": [18.0, 20, 19, 21], "Qbert": [1.0, 2, 3]}}
    ro.save_baseline(more, tmp_path / "b.json", margin=2.0)
    result = ro.diff(tmp_path / "a.json", tmp_path / "b.json")
    assert [(row.task, row.added) for row in result.runs] == [("Pong", 1)]
    assert [(row.option, row.old, row.new) for row in result.options] == [("margin", "1", "2")]
    assert (result.n_verdicts, result.pairs) == (0, ())
    assert any("of one algorithm, PPO: no verdict is of them" in note for note in result.notes)


def test_the_schema_that_is_written_is_read():
    assert {SCHEMA, COMPARE} <= set(READABLE)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "runoff.report/9"}, "its schema is 'runoff.report/9', and .* are read; install the version"),
        ({"records": None}, "holds no pairs; take a copy that is whole"),
        ({"records": [{"a": "A"}]}, "pair 1 is not what runoff writes there"),
        ({"alpha": [1]}, "alpha is not what runoff writes there"),
        ({"alpha": float("nan")}, "alpha is not what runoff writes there"),
        ({"alpha": 10**400}, "alpha is not what runoff writes there"),
        ({"seed": 0.5}, "seed is not what runoff writes there"),
        ({"scores": {"A": [1.0]}}, "scores are not what runoff writes there"),
        ({"scores": {"A": {"task 1": {"0": None}}}}, "scores of A on task 1 is not what"),
        ({"data": {"algorithms": ["A"], "tasks": ["t"], "n_runs": []}}, "n_runs has no number for each"),
        ({"data": []}, "data is not what"),
        ({"version": 3}, "version is not what"),
    ],
)
def test_what_runoff_does_not_write_is_refused_with_its_place(change, words, tmp_path):
    path = saved(ro.Scores.from_dict(RUNS), tmp_path / "old.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ro.DataError, match=words) as refusal:
        ro.diff(path, RUNS)
    assert "old.json" in str(refusal.value)


def test_runs_are_counted_by_their_scores_where_there_are_scores(tmp_path):
    path = saved(ro.Scores.from_dict(RUNS), tmp_path / "old.json")
    content = json.loads(path.read_text())
    content["data"]["n_runs"] = [[9], [5]]
    path.write_text(json.dumps(content))
    assert changes(ro.diff(path, RUNS)) == NOTHING


def test_a_pair_that_stands_twice_is_refused(tmp_path):
    path = saved(ro.Scores.from_dict(RUNS), tmp_path / "old.json")
    content = json.loads(path.read_text())
    (pair,) = content["records"]
    path.write_text(json.dumps(content | {"records": [pair, pair | {"a": pair["b"], "b": pair["a"]}]}))
    with pytest.raises(ro.DataError, match="pair 2 is of 'B' and 'A', as pair 1 is"):
        ro.diff(path, RUNS)


def test_a_turned_pair_is_the_same_pair(tmp_path):
    result = ro.compare(MORE)
    turned = replace(result, pairs=tuple(pair.turned() for pair in result.pairs))
    assert changes(ro.diff(result, turned)) == NOTHING


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ('{"results": {"arc": {"acc": 0.5}}}', "nor is it a comparison: results.json of runoff report"),
        ('{"schema": "runoff.report/3", "comparisons": [', "damaged and cannot be read as JSON"),
        ("[1, 2", "not well-formed JSON"),
        ('{"schema": "runoff.report/3", "x": ' + "[" * 100_000, "nested too deep"),
    ],
)
def test_files_of_others_and_damaged_ones_are_refused_in_a_sentence(text, words, tmp_path):
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(ro.DataError, match=words):
        ro.diff(path, RUNS)


def test_two_baselines_of_which_all_runs_changed_are_not_said_to_be_unchanged():
    result = ro.diff({"A": {"t": [1.0, 2.0, 3.5]}}, {"A": {"t": [0.5, 1.5, 3.0]}})
    assert result.sentence == "No pair is on both sides; between the two 3 runs were given another score."
