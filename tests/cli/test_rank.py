"""runoff rank: the test of all, mean ranks with letters, records."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from runoff.cli.app import run
from tests.refusals import n_sentences


def test_it_tells_the_data_the_ranks_with_letters_and_the_test(table, capsys):
    assert run(["rank", table]) == 0
    out = capsys.readouterr().out
    for part in (
        "Data: ",
        "Average rank",
        "Letters",
        "The Mack-Skillings test of all 3 algorithms over 2 tasks",
    ):
        assert part in out


def test_json_has_the_records_of_the_library(table, capsys):
    assert run(["rank", table, "--json", "--seed", "4", "--n-resamples", "200", "--method", "monte_carlo"]) == 0
    answer = json.loads(capsys.readouterr().out)
    data = ro.read_scores(table)
    expected = ro.rank_test(data, rng=4, n_resamples=200, method="monte_carlo").to_records()
    assert [answer["omnibus"]] == json.loads(json.dumps(expected))
    difference = ro.critical_difference(data)
    assert answer["critical"]["critical_difference"] == difference.critical_difference
    assert answer["critical"]["pairs"] == difference.to_records()


def test_a_control_replaces_the_letters(table, capsys):
    assert run(["rank", table, "--control", "PPO"]) == 0
    out = capsys.readouterr().out
    assert "From control" in out
    assert "Letters" not in out


@pytest.mark.parametrize("test", ["friedman", "skillings_mack", "iman_davenport"])
def test_another_test_has_no_critical_difference_and_says_so(table, test, capsys):
    assert run(["rank", table, "--test", test]) == 0
    out = capsys.readouterr().out
    assert "it belongs to the Mack-Skillings test" in out
    assert "Letters" not in out


def test_unequal_runs_are_told_and_not_refused(tmp_path, capsys):
    data = ro.Scores.from_dict({"A": {"t": [1.0, 2, 3]}, "B": {"t": [2.0, 3]}, "C": {"t": [4.0, 5]}})
    data.to_frame().write_csv(tmp_path / "ragged.csv")
    assert run(["rank", str(tmp_path / "ragged.csv")]) == 0
    assert "No critical difference is given" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--test", "friedmann"], "Did you mean 'friedman'?"),
        (["--method", "exakt"], "Did you mean 'exact'?"),
        (["--control", "PPPO"], "Did you mean 'PPO'?"),
        (["--alpha", "2"], "alpha must lie strictly between 0 and 1"),
        (["--test", "van_elteren"], "two algorithms"),
    ],
)
def test_a_refusal_is_one_sentence(table, arguments, sentence, capsys):
    assert run(["rank", table, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert n_sentences(captured.err) == 1


@pytest.mark.parametrize("correction", ["bonferroni", "holm", "hochberg", "hommel", "bh", "by", "none"])
def test_compare_passes_every_correction_through(table, correction, capsys):
    assert run(["compare", table, "--correction", correction, "--json", "--n-resamples", "200"]) == 0
    assert len(json.loads(capsys.readouterr().out)["records"]) == 3


def test_possible_places_and_the_chance_to_be_best_stand_beside_the_ranks(table, capsys):
    assert run(["rank", table, "--score-unit", "shared", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    best = ro.rank_intervals(ro.read_scores(table, score_unit="shared"), rng=3).best_first[0]
    rows = [
        line.split()[-2:]
        for line in out.splitlines()
        if line.startswith(f"{best.algorithm} ") and "." in line.split()[-1]
    ]
    assert ["1", f"{best.p_best:.2f}"] in rows
    assert "P(best)" in out
    assert "Rank 1 by the mean is possible for one algorithm only: SAC" in " ".join(out.split())


def test_algorithms_on_different_tasks_have_no_places_and_the_reason(tmp_path, capsys):
    cells = {"A": {"t": [1.0, 2, 3]}, "B": {"t": [2.0, 3, 4], "u": [1.0, 2]}, "C": {"t": [4.0, 5, 7], "u": [1.0, 3]}}
    ro.Scores.from_dict(cells).to_frame().write_csv(tmp_path / "gaps.csv")
    assert run(["rank", str(tmp_path / "gaps.csv")]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "P(best)" not in out
    assert (
        "No possible ranks are given: ranks are among algorithms on the same tasks, but 'A' has no scores on 'u'" in out
    )


def test_scores_that_are_all_equal_are_refused_as_compare_refuses_them(tmp_path, capsys):
    rows = [f"{name},{task},{seed},0.5" for name in "ABC" for task in "xy" for seed in range(3)]
    (tmp_path / "runs.csv").write_text("\n".join(["algorithm,task,run,score", *rows]))
    assert [run([verb, str(tmp_path / "runs.csv")]) for verb in ("compare", "rank")] == [2, 2]
    first, second = capsys.readouterr().err.splitlines()
    assert first == second
