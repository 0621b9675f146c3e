"""runoff curves, and the section on learning curves in a report."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run


def table(n_steps=8):
    rng = np.random.default_rng(3)
    rows = [
        (name, run, 10 * s, 5 * s * (name == "A") + rng.normal())
        for name in "AB"
        for run in range(6)
        for s in range(n_steps)
    ]
    return {c: [row[k] for row in rows] for k, c in enumerate(("algorithm", "run", "step", "score"))}


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "runs.csv"
    ro.Curves.from_frame(table()).to_frame().write_csv(file)
    return str(file)


def test_the_sentence_of_the_pair_and_the_last_step_are_printed(path, capsys):
    assert run(["curves", path]) == 0
    out = capsys.readouterr().out
    assert ro.compare_curves(ro.read_curves(path)).sentences[0] in " ".join(out.split())
    assert "IQM by step, with 95 % pointwise intervals" in out


def test_json_holds_the_records_of_both_answers(path, capsys):
    assert run(["curves", path, "--json", "--metric", "mean", "--steps", "3", "--band", "simultaneous"]) == 0
    said = json.loads(capsys.readouterr().out)
    expected = ro.sample_efficiency(ro.read_curves(path), metric="mean", steps=3, band="simultaneous")
    assert said["sample_efficiency"] == expected.to_records()
    assert said["stretches"][0]["ahead"] == "A"


def test_figures_and_tables_are_written(path, tmp_path, capsys):
    assert run(["curves", path, "-o", str(tmp_path / "out"), "--up-to", "40"]) == 0
    written = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"curves.json", "differences.csv", "sample_efficiency.csv", "sample_efficiency.svg", "curves.png"} <= written
    assert (tmp_path / "out" / "differences.csv").read_text().count("\n") == 6


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--last", "3"], "--last says what the end score of a run is"),
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
    assert "holds one score per run, no learning curves" in " ".join(capsys.readouterr().err.split())


def test_the_report_of_curves_has_a_section_on_them(path, tmp_path):
    assert run(["report", path, "-o", str(tmp_path / "out"), "--resamples", "200"]) == 0
    page = (tmp_path / "out" / "report.html").read_text()
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert '<section id="curves"' in page
    assert results["curves"]["sentences"][0] in page.replace("&#39;", "'")
    assert (tmp_path / "out" / "figures" / "sample_efficiency.svg").exists()


def test_a_report_of_curves_that_are_none_says_why_it_has_no_section(tmp_path):
    written = ro.write_report(ro.Curves.from_frame(table(n_steps=1)), tmp_path / "out", n_resamples=200)
    assert written.answers.curves is None
    assert (
        "there is no section on learning curves: the learning curves share a single"
        in written.answers.scores.provenance.notes[-1]
    )


def test_a_report_of_scores_has_no_section_on_curves(tmp_path):
    written = ro.write_report(ro.Curves.from_frame(table()).final(), tmp_path / "out", n_resamples=200)
    assert "curves" not in json.loads((tmp_path / "out" / "results.json").read_text())
    assert "#curves" not in written.path.read_text()
