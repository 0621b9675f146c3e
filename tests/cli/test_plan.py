"""`runoff plan`: the answer in a sentence first, power about it, and every misuse in one sentence."""

from __future__ import annotations

import csv
import json

import pytest

import runoff as ro
from runoff.cli.app import run
from tests.refusals import n_sentences

COLAS = ["plan", "--effect", "1382", "--std", "1341"]


def printed(capsys):
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("spread", [["990"], ["--std", "990"]])
def test_the_runs_come_first_and_power_at_neighbouring_numbers_follows(spread, capsys):
    assert run([*COLAS, *spread]) == 0
    out = printed(capsys)
    assert out.startswith("It takes 13 runs of each to find a true difference of 1 382")
    for n in range(11, 16):
        power = ro.power(effect=1382, std=(1341, 990), n_runs=n).power
        enough = "yes" if n >= 13 else "no"
        assert f"{n} {100 * power:.1f} % {100 * (1 - power):.1f} % {enough}" in out


def test_runs_and_an_effect_ask_for_power_and_runs_alone_for_an_effect(capsys):
    assert run([*COLAS, "990", "--n-runs", "10"]) == 0
    assert "with 69.4 % power" in printed(capsys)
    assert run(["plan", "--std", "2", "--n-runs", "5,10", "--power", "0.9"]) == 0
    effect = ro.detectable_effect(n_runs=(5, 10), std=2.0, power=0.9).effect
    assert f"a true difference of {effect:.6g}" in printed(capsys)


def test_json_is_the_records(capsys):
    options = [
        "--power",
        "0.9",
        "--alpha",
        "0.01",
        "--formula",
        "exact",
        "--alternative",
        "greater",
        "--cost-per-run",
        "1,3",
    ]
    assert run([*COLAS, "990", *options, "--json"]) == 0
    settings = {"power": 0.9, "alpha": 0.01, "formula": "exact", "alternative": "greater", "cost_per_run": (1, 3)}
    expected = ro.runs_needed(effect=1382, std=(1341, 990), **settings).to_records()
    assert json.loads(capsys.readouterr().out)["records"] == expected


def test_ratio_test_and_unit_reach_the_library(capsys):
    assert (
        run(["plan", "--effect", "0.8", "--effect-unit", "improvement", "--test", "student", "--ratio", "2", "--json"])
        == 0
    )
    expected = ro.runs_needed(effect=0.8, effect_unit="improvement", test="student", ratio=2).to_records()
    assert json.loads(capsys.readouterr().out)["records"] == expected


@pytest.mark.slow
def test_out_holds_the_curve_and_the_figures(tmp_path, capsys):
    assert run([*COLAS, "990", "--effect", "2000", "-o", str(tmp_path / "plan")]) == 0
    assert str(tmp_path / "plan") in capsys.readouterr().out
    rows = list(csv.DictReader((tmp_path / "plan" / "power.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["effect"] for row in rows} == {"1382.0", "2000.0"}
    assert float(rows[0]["power"]) == ro.power(effect=1382, std=(1341, 990), n_runs=2).power
    assert all((tmp_path / "plan" / f"{name}.svg").stat().st_size > 1000 for name in ("power", "beta"))
    (tmp_path / "file").write_text("")
    assert run([*COLAS, "990", "-o", str(tmp_path / "file")]) == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["plan"], "state a difference (--effect E) or a number of runs (--n-runs N)"),
        (["plan", "--effect", "1"], "--std is needed"),
        (["plan", "--effect", "1", "--std", "0"], "std must be greater than 0"),
        (["plan", "--effect", "0", "--std", "1"], "effect must not be 0"),
        (["plan", "pilot.csv", "--effect", "1"], "pilot.csv: there is no such file"),
        ([*COLAS, "wide"], "--std takes a number"),
        ([*COLAS, "1", "2"], "--std takes a number, or two for two algorithms"),
        ([*COLAS, "--n-runs", "ten"], "--n-runs takes a whole number"),
        ([*COLAS, "--n-runs", "1"], "n_runs must be a whole number of at least 2"),
        ([*COLAS, "--n-runs", "5", "--power", "0.9"], "--power means nothing with --n-runs and --effect"),
        ([*COLAS, "--n-runs", "5", "--cost-per-run", "1"], "--cost-per-run means nothing with --n-runs"),
        ([*COLAS, "--effect", "3", "--n-runs", "5"], "--effect is given once with --n-runs"),
        (
            ["plan", "--n-runs", "5", "--std", "1", "--effect-unit", "sd"],
            "--effect-unit means nothing with --n-runs alone",
        ),
        ([*COLAS, "--n-runs", "5", "-o", "x"], "--out is for the curve of power"),
    ],
)
def test_misuse_is_one_sentence(arguments, sentence, capsys):
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert (captured.out, n_sentences(captured.err)) == ("", 1)
