"""Verbs on a sweep: answered at equal tuning, unless its configurations are asked about as algorithms."""

from __future__ import annotations

import json
import re
from html import escape

import pytest

import runoff as ro
from runoff import plots
from runoff.cli.app import run
from runoff.page.files.sweep import sweep_page

ROWS = [(a, lr, s, 10 * (a == "sac") * (lr == 0.1) + s) for a in ("sac", "td3") for lr in (0.1, 0.2) for s in (0, 1, 2)]
TABLE = "algorithm,lr,seed,score\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)


@pytest.fixture
def runs(tmp_path):
    (tmp_path / "runs.csv").write_text(TABLE)
    return str(tmp_path / "runs.csv")


def test_compare_of_a_sweep_is_the_answer_at_equal_tuning(runs, capsys):
    assert run(["compare", runs]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "sac has 2 configurations, td3 has 2 configurations ('lr 0.1', 'lr 0.2', …): they are compared at equal"
        in shown
    )
    assert "The best of k configurations" in shown
    assert "sac (lr 0.1)" not in shown


def test_json_of_a_sweep_is_that_of_tuning(runs, capsys):
    assert run(["compare", runs, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["k"] for row in answer["records"]] == [1, 2, 1, 2]


def test_variants_are_compared_as_algorithms_with_the_caution(runs, capsys):
    assert run(["compare", runs, "--variants"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "sac (lr 0.1) has the highest mean of 4" in shown
    assert "chosen by the same runs that judge it" in shown


def test_a_report_of_a_sweep_leaves_the_answer_at_equal_tuning(runs, tmp_path, capsys):
    assert run(["report", runs, "-o", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "report.html").read_text()
    assert "td3 has 2 configurations" in page
    assert "<svg" in page
    assert [part for part in ("<script", "<link", "src=") if part in page] == []
    assert json.loads((tmp_path / "out" / "results.json").read_text())["tuning"]["records"]
    assert "compared at equal tuning" in " ".join(capsys.readouterr().out.split())


def test_settings_that_each_run_draws_anew_are_refused_with_a_repair_that_works(tmp_path, capsys):
    rows = [
        f"{a},{0.001 + 0.01 * s + 0.1 * (a == 'sac')},{s},{s + 10 * (a == 'sac')}"
        for a in ("sac", "td3")
        for s in range(5)
    ]
    (tmp_path / "runs.csv").write_text("\n".join(["algorithm,lr,seed,score", *rows, ""]))
    assert run(["compare", str(tmp_path / "runs.csv")]) == 2
    error = capsys.readouterr().err
    assert "of one run each: a run that selects is no evidence" in error
    assert "…" not in error.replace("', …)", "")
    assert f"runoff compare {tmp_path / 'runs.csv'} --columns unused=lr" in error
    assert run(["compare", str(tmp_path / "runs.csv"), "--columns", "unused=lr"]) == 0


def test_runs_of_one_setting_each_are_said_to_be_no_sweep(tmp_path, capsys):
    rows = [f"{a},{lr},{s},{s}" for a, lr in (("sac", 0.1), ("td3", 0.2)) for s in range(5)]
    (tmp_path / "runs.csv").write_text("\n".join(["algorithm,lr,seed,score", *rows, ""]))
    assert run(["tuning", str(tmp_path / "runs.csv")]) == 2
    assert "no algorithm has runs of two configurations on one task" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["compare", "report"])
def test_options_that_mean_nothing_of_a_sweep_are_refused_and_not_passed_over(verb, runs, tmp_path, capsys):
    place = ["-o", str(tmp_path / "out")] if verb == "report" else []
    assert run([verb, runs, *place, "--measure", "iqm", "--margin", "1"]) == 2
    assert (
        "at equal tuning --measure, --margin mean nothing: leave them out, or use --variants" in capsys.readouterr().err
    )
    assert not (tmp_path / "out").exists()
    assert run([verb, runs, *place, "--alpha", "0.1"]) == 0


@pytest.mark.parametrize("option", [["--figures", "pdf"], ["--width", "icml"]])
def test_a_report_of_a_sweep_refuses_figures_of_algorithms(option, runs, tmp_path, capsys):
    assert run(["report", runs, "-o", str(tmp_path / "out"), *option]) == 2
    assert f"at equal tuning {option[0]} means nothing: leave it out" in capsys.readouterr().err


def test_tuning_of_variants_says_that_these_are_algorithms(runs, capsys):
    assert run(["tuning", runs, "--variants"]) == 2
    assert "--variants treats each configuration as an algorithm" in capsys.readouterr().err


@pytest.mark.parametrize(("seeds", "drawn"), [((0, 0), False), ((0, 1), True)])
def test_settings_of_one_run_each_may_be_drawn_anew_only_where_no_seed_comes_twice(tmp_path, capsys, seeds, drawn):
    rows = [f"{a},{lr},{s},{s + lr}" for a in ("sac", "td3") for lr, s in zip((0.1, 0.2), seeds, strict=True)]
    (tmp_path / "runs.csv").write_text("\n".join(["algorithm,lr,seed,score", *rows]) + "\n")
    assert run(["compare", str(tmp_path / "runs.csv")]) == 2
    assert ("unused=lr" in capsys.readouterr().err) is drawn


@pytest.mark.parametrize("again", ["", "sac", "td3", "sac td3"])
def test_only_where_no_algorithm_has_runs_of_one_setting_are_settings_said_to_be_drawn_anew(again, tmp_path, capsys):
    rows = [
        (a, 0.1 * (i // 2 if a in again else i), i, i + 5 * (a == "sac")) for a in ("sac", "td3") for i in range(1, 9)
    ]
    path = tmp_path / "runs.csv"
    path.write_text("algorithm,lr,seed,score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    run(["compare", str(path)])
    captured = capsys.readouterr()
    assert ("of one run each" in " ".join((captured.out + captured.err).split())) == (not again)


def test_each_figure_of_a_sweep_has_the_caption_of_its_own_answer(tmp_path):
    cells = [(a, t, lr) for a in ("sac", "td3") for t in ("x", "y") for lr in (0.1, 0.2, 0.3)]
    rows = [(a, t, lr, s, (10 * (a == "sac") - 3 * (t == "y")) * lr + s) for a, t, lr in cells for s in range(3)]
    lines = ["algorithm,task,lr,seed,score", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "runs.csv").write_text("\n".join(lines))
    answers = [ro.tuning(tmp_path / "runs.csv", view=view) for view in ("equal", "sensitivity")]
    page = sweep_page(answers, "runoff report", "a sweep")
    captions = re.findall("<figcaption>(.*?)</figcaption>", page, re.DOTALL)
    assert captions == [escape(plots.caption(own)) for own in answers]
    assert captions[0] != captions[1]
