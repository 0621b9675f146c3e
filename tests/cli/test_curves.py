"""runoff curves, and the section on learning curves in a report."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.data.provenance import Sampling


def table(n_steps=8):
    rng = np.random.default_rng(3)
    rows = [
        (name, run, 10 * s, 5 * s * (name == "A") + rng.normal())
        for name in "AB"
        for run in range(6)
        for s in range(n_steps)
    ]
    return {c: [row[k] for row in rows] for k, c in enumerate(("algorithm", "run", "step", "score"))}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("curves") / "runs.csv"
    ro.Curves.from_frame(table()).to_frame().write_csv(file)
    return str(file)


def test_the_sentence_of_the_pair_and_the_last_step_are_printed(path, capsys):
    assert run(["curves", path]) == 0
    out = capsys.readouterr().out
    assert ro.compare_curves(ro.read_curves(path)).sentences[0] in " ".join(out.split())
    assert "Mean by step, with 95\u00a0% pointwise intervals" in out


def test_json_holds_the_records_of_both_answers(path, capsys):
    assert run(["curves", path, "--json", "--measure", "mean", "--steps", "3", "--band", "simultaneous"]) == 0
    answer = json.loads(capsys.readouterr().out)
    expected = ro.curves(ro.read_curves(path), measure="mean", steps=3, band="simultaneous")
    assert answer["sample_efficiency"] == expected.to_records()
    assert answer["stretches"][0]["ahead"] == "A"


def test_figures_and_tables_are_written(path, tmp_path, capsys):
    assert run(["curves", path, "-o", str(tmp_path / "out"), "--up-to", "40"]) == 0
    written = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"curves.json", "differences.csv", "sample_efficiency.csv", "sample_efficiency.svg", "curves.png"} <= written
    assert (tmp_path / "out" / "differences.csv").read_text().count("\n") == 6
    assert json.loads((tmp_path / "out" / "curves.json").read_text())["schema"] == "runoff.curves/1"


@pytest.mark.slow
def test_a_threshold_adds_times_until_it_is_reached(path, tmp_path, capsys):
    assert run(["curves", path, "--threshold", "12", "-o", str(tmp_path / "out")]) == 0
    reach = ro.time_to_threshold(ro.read_curves(path), 12.0)
    out = " ".join(capsys.readouterr().out.split())
    assert reach.pairs[0].sentence in out
    medians = {name: reach[name, "task"].estimate for name in "AB"}
    assert medians["A"] == 30.0
    assert medians["B"] is None
    assert re.search(r"task A 30 \[[^]]*\] 6 of 6 ", out)
    assert f"task B – {reach['B', 'task'].n_reached} of 6" in out
    written = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"time_to_threshold.csv", "time_to_threshold.svg", "reliability.csv", "reliability.png"} <= written


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--last", "3"], "--last sets the end score of a run"),
        (["--band", "both"], "band must be one of pointwise, simultaneous"),
        (["--correction", "fdr"], "correction must be one of"),
        (["--along", "time"], "the data do not tell 'time'"),
        (["--up-to", "-1"], "was first evaluated after step -1"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(path, words, sentence, capsys):
    assert run(["curves", path, *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in " ".join(captured.err.split())


def test_end_scores_are_no_learning_curves(tmp_path, capsys):
    (tmp_path / "scores.csv").write_text("algorithm,run,score\nA,0,1\nA,1,2\nB,0,1\nB,1,3\n")
    assert run(["curves", str(tmp_path / "scores.csv")]) == 2
    assert "has one score per run, not learning curves" in " ".join(capsys.readouterr().err.split())


def test_the_report_of_curves_has_a_section_on_them(path, tmp_path):
    assert run(["report", path, "-o", str(tmp_path / "out"), "--n-resamples", "200", "--figures", "svg"]) == 0
    page = (tmp_path / "out" / "report.html").read_text()
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert '<section id="curves"' in page
    assert "Learning curves on task" in page
    assert results["curves"]["sentences"][0] in page.replace("&#39;", "'")
    assert (tmp_path / "out" / "figures" / "sample_efficiency.svg").exists()


@pytest.mark.parametrize("declared", ["per_task", "shared"])
def test_a_mean_along_training_of_tasks_in_units_of_their_own_is_told_as_such(declared, tmp_path, undrawn):
    first = table()
    both = {c: [*column, *column] for c, column in first.items()}
    both["task"] = [task for task in ("walk", "hop") for _ in first["score"]]
    curves = replace(ro.Curves.from_frame(both), sampling=Sampling(score_unit=declared))
    ro.report(curves, tmp_path / "out", n_resamples=200)
    own = declared == "per_task"
    note = "Each task has a unit of its own, and the mean over tasks is of scores as they are"
    assert (note in (tmp_path / "out" / "report.html").read_text()) == own
    text = json.loads((tmp_path / "out" / "results.json").read_text())["methods_text"]
    assert ("It is of scores as they are, though each task has a unit of its own" in text) == own


def test_a_report_of_curves_that_are_none_says_why_it_has_no_section(tmp_path, undrawn):
    written = ro.report(ro.Curves.from_frame(table(n_steps=1)), tmp_path / "out", n_resamples=200)
    assert written.answers.curves is None
    assert (
        "there is no section on learning curves: the learning curves share a single"
        in written.answers.scores.provenance.notes[-1]
    )


def test_the_section_says_what_is_not_compared_and_who_has_no_curves(tmp_path, capsys, undrawn):
    rows = table()
    kept = [
        i
        for i, (name, label) in enumerate(zip(rows["algorithm"], rows["run"], strict=True))
        if name == "A" or not label
    ]
    tasks = {"task": ["Pong" if rows["algorithm"][i] == "A" and rows["run"][i] > 3 else "Hero" for i in kept]}
    curves = ro.Curves.from_frame({c: [v[i] for i in kept] for c, v in rows.items()} | tasks)
    more = ro.Scores.from_dict({"A": {"Hero": [1.0, 2.0, 4.0]}, "B": {"Hero": [1.0]}, "C": {"Hero": [2.0, 3.0, 7.0]}})
    written = ro.report(more, tmp_path / "out", curves=curves, n_resamples=200)
    assert written.answers.curves.summary.tasks == ("Hero",)
    left_out = written.answers.curves.left_out
    assert left_out[0].startswith("Pairs are not compared along training: 'A' or 'B' has a single run on task 'Hero'")
    assert left_out[1].startswith("C has no learning curves here; ")
    section = unescape(written.path.read_text()).split('<section id="curves"')[1].split("</section>")[0]
    assert all(sentence in section for sentence in left_out)
    assert json.loads((tmp_path / "out" / "results.json").read_text())["curves"]["left_out"] == list(left_out)
    curves.to_frame().write_csv(tmp_path / "runs.csv")
    assert run(["curves", str(tmp_path / "runs.csv")]) == 0
    assert left_out[0] in " ".join(capsys.readouterr().out.split())


def test_curves_that_are_not_those_of_the_scores_are_refused(tmp_path):
    scores = ro.Scores.from_dict({"X": [1.0, 2.0, 3.0], "Y": [2.0, 3.0, 5.0]})
    with pytest.raises(ro.DesignError, match="the curves are of other algorithms or tasks than the scores"):
        ro.report(scores, tmp_path / "out", curves=ro.Curves.from_frame(table()))
    assert not (tmp_path / "out").exists()


def test_a_report_of_scores_has_no_section_on_curves(tmp_path, undrawn):
    written = ro.report(ro.Curves.from_frame(table()).final(), tmp_path / "out", n_resamples=200)
    assert "curves" not in json.loads((tmp_path / "out" / "results.json").read_text())
    assert "#curves" not in written.path.read_text()


@pytest.fixture(scope="module")
def early(tmp_path_factory):
    """Curves of which one run of B ends at step 60 of 70, at the path of their file."""
    whole = table()
    kept = [i for i in range(96) if (whole["algorithm"][i], whole["run"][i], whole["step"][i]) != ("B", 0, 70)]
    file = tmp_path_factory.mktemp("curves") / "early.csv"
    ro.Curves.from_frame({c: [v[i] for i in kept] for c, v in whole.items()}).to_frame().write_csv(file)
    return str(file)


@pytest.mark.parametrize(
    ("policy", "sentence", "n"),
    [
        ("drop", "1 of 12 runs ended early, and it is left out", 5),
        ("carry", "its last score stands for the end", 6),
        ("worst", "it counts as the worst run of its task", 6),
    ],
)
def test_the_policy_for_runs_that_ended_early_reaches_the_section_on_curves(
    early, tmp_path, undrawn, policy, sentence, n
):
    assert run(["report", early, "-o", str(tmp_path / "out"), "--n-resamples", "200", "--incomplete", policy]) == 0
    page, results = ((tmp_path / "out" / name).read_text() for name in ("report.html", "results.json"))
    records = json.loads(results)["curves"]["sample_efficiency"]
    assert {r["n_scores"] for r in records if r["algorithm"] == "B"} == {n}
    assert sentence in page.split('<section id="curves"')[1].split("</section>")[0]


def test_write_report_hands_the_policy_to_scores_and_section(early, tmp_path, undrawn):
    written = ro.report(ro.read_curves(early), tmp_path / "out", n_resamples=200, incomplete="drop")
    assert written.answers.scores.n_runs.tolist() == [[6], [5]]
    assert written.answers.curves.efficiency.curve("B")[-1].n_scores == 5
    assert "incomplete=" in written.answers.command
    with pytest.raises(ro.OptionError, match="Did you mean 'drop'"):
        ro.report(ro.read_curves(early), tmp_path / "other", incomplete="dropp")


def test_a_policy_that_refuses_the_section_is_told_on_the_page(early, tmp_path, undrawn):
    curves = ro.read_curves(early)
    written = ro.report(curves.at(60), tmp_path / "out", curves=curves, n_resamples=200, incomplete="error")
    assert written.answers.curves is None
    assert any(
        "no section on learning curves: the last score of" in note for note in written.answers.scores.provenance.notes
    )


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_level_of_the_bands_is_that_of_every_answer_about_one_algorithm(path, capsys, level):
    assert run(["curves", path, "--confidence-level", str(level), "--json"]) == 0
    shown, curves = json.loads(capsys.readouterr().out), ro.read_curves(path)
    assert shown["sample_efficiency"] == ro.curves(curves, confidence_level=level).to_records()
    steps = sorted({row["step"] for row in shown["sample_efficiency"]})
    assert shown["reliability"] == ro.reliability(curves, steps=steps, confidence_level=level).to_records()
    # Differences of pairs are those that alpha decides.
    assert shown["comparison"] == ro.compare_curves(curves).to_records()
    assert run(["curves", path, "--confidence-level", str(level)]) == 0
    assert f"Mean by step, with {100 * level:g}\u00a0% pointwise intervals" in capsys.readouterr().out
