"""The command line answers on stdout, talks on stderr, and refuses in one sentence."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

import runoff as ro
from runoff.cli import app as app_module
from runoff.cli.app import command, run
from runoff.cli.compare import show_pairs
from runoff.cli.terminal import open_console
from tests.refusals import n_sentences
from tests.report.made import HOSTILE, answers, scores

FAST = ["--n-resamples", "200"]


def test_report_tells_the_answer_the_data_the_ranking_the_pairs_and_where_it_is(written):
    for part in (
        "Data: ",
        "columns: algorithm = algorithm",
        "Ranking by chance to beat others",
        "pairs differ",
    ):
        assert part in written.printed
    assert f"Report: {written.folder / 'report.html'}" in written.printed
    assert (written.folder / "report.html").is_file()


def test_report_json_is_results_json_and_nothing_else(written, table, tmp_path, undrawn, capsys):
    assert run(["report", table, "-o", str(tmp_path / "rep"), "--json", *FAST]) == 0
    out = capsys.readouterr().out
    assert out == (tmp_path / "rep" / "results.json").read_text() == (written.folder / "results.json").read_text()
    assert json.loads(out)["schema"] == "runoff.report/3"


@pytest.mark.slow
def test_the_command_in_the_report_gives_the_same_report(table, tmp_path, undrawn, capsys):
    run(["report", table, "-o", str(tmp_path / "a"), "--seed", "3", "--alpha", "0.1", *FAST])
    command = json.loads((tmp_path / "a" / "results.json").read_text())["command"]
    assert command == f"runoff report {table} --alpha 0.1 --seed 3 --n-resamples 200"
    assert run([*command.split()[1:], "-o", str(tmp_path / "b")]) == 0
    assert (tmp_path / "a" / "report.html").read_bytes() == (tmp_path / "b" / "report.html").read_bytes()


def test_pairs_are_rows_of_those_that_differ_and_of_the_others(capsys):
    comparison = answers().comparison
    differ, alike = (replace(comparison.pairs[0], verdict=verdict) for verdict in ("a_better", "no_difference_found"))
    show_pairs(open_console(), replace(comparison, pairs=(differ, alike)))
    shown = capsys.readouterr().out
    assert "1 of 2 pairs differs" in shown.splitlines()
    assert "elsewhere two need not be equal" in shown
    assert re.search(r"^First +Second +Difference +Chance", shown, re.MULTILINE)
    assert len(re.findall(r" higher mean | no difference found ", shown)) == 2


def test_a_pair_without_a_difference_shows_the_interval_that_decided_and_none_that_leaves_out_0(capsys):
    comparison = answers().comparison
    ends = {"own_low": 0.1, "own_high": 0.9, "low": -0.2, "high": 1.2, "verdict": "no_difference_found"}
    pairs = tuple(replace(pair, estimate=0.5, **ends) for pair in comparison.pairs[:2])
    show_pairs(open_console(), replace(comparison, pairs=pairs), all_pairs=True)
    shown = capsys.readouterr().out
    assert shown.count("[−1.20, 0.20]") == 2
    assert "[−0.90, −0.10]" not in shown
    assert "difference of means, with the interval at the level of the test" in shown


def test_an_equivalent_pair_shows_the_interval_that_decided_beside_pairs_that_have_none(capsys):
    comparison = answers().comparison
    level = replace(comparison.pairs[0], verdict="equivalent", estimate=0.1, low=-0.1, high=0.3)
    none = replace(level, own_low=None, own_high=None, low=None, high=None)
    show_pairs(open_console(), replace(comparison, pairs=(level, none)))
    shown = capsys.readouterr().out
    assert "[−0.30, 0.10]" in shown
    assert "difference of means, with the interval at the level of the test" in shown


def test_of_a_measure_whose_lower_values_are_better_differences_lie_in_their_intervals_below_0(capsys):
    draws = np.random.default_rng(0).uniform(0, 0.1, (3, 6, 2))
    levels = {name: 0.3 * i + draws[i] for i, name in enumerate("ABC")}
    tasks = {"task 1": (0.0, 1.0), "task 2": (0.0, 1.0)}
    scores = ro.Scores.from_dict(levels).normalize(tasks, assume_raw=True)
    show_pairs(open_console(), ro.compare(scores, measure="optimality_gap"), all_pairs=True)
    # Chances have a % before their interval.
    rows = re.findall(r"(−?[\d.]+) \[(−?[\d.]+), (−?[\d.]+)\]", capsys.readouterr().out)
    assert len(rows) == 3
    for size, low, high in (map(float, (end.replace("−", "-") for end in row)) for row in rows):
        assert low < size < high < 0


def test_a_pair_without_a_deciding_interval_shows_its_own_where_that_agrees_with_its_verdict(capsys):
    comparison = answers().comparison
    ends = {"low": None, "high": None, "verdict": "no_difference_found", "estimate": 0.5, "own_low": 0.1}
    pairs = tuple(replace(comparison.pairs[0], own_high=0.9, **ends | more) for more in ({}, {"own_low": -0.1}))
    show_pairs(open_console(), replace(comparison, pairs=pairs), all_pairs=True)
    shown = capsys.readouterr().out
    assert ("[−0.90, 0.10]" in shown, "[−0.90, −0.10]" in shown) == (True, False)
    assert "with its own 95\u00a0% interval, given where it agrees with the verdict" in shown


@pytest.mark.parametrize("verb", ["compare", "aggregate", "rank", "report"])
def test_the_answer_is_the_first_line_and_the_last(verb, table, tmp_path, undrawn, capsys):
    more = ["-o", str(tmp_path / "rep"), *FAST] if verb == "report" else []
    assert run([verb, table, *more]) == 0
    first, *_, last = capsys.readouterr().out.strip().splitlines()
    assert first == last
    assert first.startswith(("SAC has the ", "A run of SAC beats a run of "))


def test_compare_prints_sentences_or_records(table, capsys):
    assert run(["compare", table, "--control", "PPO", *FAST]) == 0
    assert "over 2 tasks" in capsys.readouterr().out
    assert run(["compare", table, "--control", "PPO", "--json", *FAST]) == 0
    records = json.loads(capsys.readouterr().out)["records"]
    expected = ro.compare(ro.read_scores(table), control="PPO", n_resamples=200).to_records()
    assert records == json.loads(json.dumps(expected))


def test_columns_and_costs_reach_the_reader(tmp_path, capsys):
    path = tmp_path / "odd.csv"
    scores().to_frame().rename({"algorithm": "who", "score": "cost"}).write_csv(path)
    given = ["--columns", "algorithm=who,score=cost", "--lower-is-better", *FAST]
    assert run(["compare", str(path), *given]) == 0
    assert "scores are negated" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["report", "nowhere.csv"], "nowhere.csv"),
        (["report", "TABLE", "--alpha", "5"], "alpha must lie strictly between 0 and 1, not 5.0"),
        (["report", "TABLE", "--alpha", "x"], "--alpha"),
        (["report", "TABLE", "--normalize", "atary"], "Did you mean 'atari'?"),
        (["report", "TABLE", "-o", "TABLE"], "is a file"),
        (["report", "TABLE", "-o", "/proc/none/rep"], "cannot be written"),
        (["report", "TABLE", "--columns", "nonsense"], "ROLE=NAME"),
        (["report", "TABLE", "--bogus"], "--bogus"),
        (["curves", "TABLE", "--cluster", "topic"], "--cluster is an option of runoff "),
        (["report"], "runoff report needs the runs: runoff report atari_100k"),
        (["repor"], "repor"),
        (["compare", "TABLE", "--test", "welsh"], "Did you mean 'welch'?"),
        (["compare", "TABLE", "--control", "Nope"], "'Nope'"),
        (["compare", "TABLE", "--where", "PPO", "SAC", "--margin", "1"], "leave out --margin"),
        (["compare", "TABLE", "--where", "PPO", "SAC", "--single-value", "line"], "leave out --single-value"),
        (["compare", "TABLE", "--where", "PPO", "SAC", "--pairs"], "leave out --pairs"),
        (["plan", "TABLE", "--effect", "1", "--effect-unit", "foe"], "--effect-unit must be one of raw, sd"),
    ],
)
def test_a_refusal_is_one_sentence_on_stderr_and_exit_code_2(arguments, sentence, table, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run([table if word == "TABLE" else word for word in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.startswith("error: ")
    assert n_sentences(captured.err) == 1
    assert [path.name for path in tmp_path.iterdir()] == []


def test_hostile_names_are_text_on_the_terminal(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    names = (*HOSTILE[:5], "[red]x[/red]", "\x1b[31mred")
    scores(names, n_runs=3).to_frame().write_csv(path)
    assert run(["compare", str(path), "--test", "welch", *FAST]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    for name in (*HOSTILE[:5], "[red]x[/red]", r"\x1b[31mred"):
        assert name in out


def test_a_warning_is_a_line_without_a_source_position(tmp_path, undrawn, capsys):
    path = tmp_path / "runs.csv"
    ro.Scores.from_dict({"A": {"t": [1.0, 2.0], "u": [2.0]}, "B": {"t": [1.5, 3.0], "u": [3.0]}}).to_frame().write_csv(
        path
    )
    run(["report", str(path), "-o", str(tmp_path / "rep"), *FAST])
    err = capsys.readouterr().err
    assert all(line.startswith("warning: ") for line in err.splitlines())
    assert err
    assert ".py" not in err


@pytest.mark.parametrize(("raised", "code"), [(KeyboardInterrupt, 130), (ro.DataError("bad."), 2)])
def test_an_interruption_and_a_refusal_end_cleanly(raised, code, monkeypatch, capsys):
    def fail(**_options: object) -> None:
        raise raised

    fail.commands = {}
    monkeypatch.setattr(app_module, "command", lambda: fail)
    assert run([]) == code
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "interrupted; nothing was written; run the same command again." in err or code == 2


def test_version_and_help_are_answers(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"runoff {ro.__version__}\n"
    assert run(["--help"]) == 0
    assert all(verb in capsys.readouterr().out for verb in ("report",))


OF_THE_LIBRARY = [
    "aggregate",
    "check",
    "claims",
    "compare",
    "curves",
    "gate",
    "plan",
    "power",
    "rank",
    "report",
    "sequential",
    "tuning",
]
"""Verbs that are called like a function of the library."""


def options_of(verb):
    return command().commands["plan" if verb == "power" else verb].params


@pytest.mark.parametrize("verb", OF_THE_LIBRARY)
def test_the_defaults_in_the_help_are_the_librarys(verb):
    library = inspect.signature(getattr(ro, verb)).parameters
    for option, name in ((option, {"seed": "rng"}.get(option.name, option.name)) for option in options_of(verb)):
        shown = re.search(r"\(default ([^):,]+)", option.help or "")
        if (
            shown is not None
            and (verb, name) != ("plan", "test")
            and name in library
            and library[name].default is not None
        ):
            assert shown[1] == str(library[name].default), option.name


@pytest.mark.skipif(
    not any(files("runoff").joinpath("data").rglob("*.parquet")), reason="the shipped data are not made yet"
)
def test_demo_reports_on_the_shipped_data(tmp_path, undrawn, monkeypatch, capsys):
    few = ro.load_example("classic_control").select(algorithms=["ARS", "CEM"], tasks=["Pendulum-v1", "Acrobot-v1"])
    monkeypatch.setattr("runoff.reading.load_example", {"classic_control": few}.__getitem__)
    assert run(["demo", "-o", str(tmp_path / "rep"), *FAST]) == 0
    assert "classic_control" in capsys.readouterr().out
    command = json.loads((tmp_path / "rep" / "results.json").read_text())["command"]
    assert command == "runoff demo --n-resamples 200"


def test_a_pair_is_compared_task_by_task(tmp_path, capsys):
    rows = [f"{a},{t},{s + 4 * (a == 'A')}" for a in "AB" for t in "xy" for s in (0.1, 0.5, 0.3, 0.9, 0.2, 0.7)]
    (tmp_path / "runs.csv").write_text("\n".join(["algorithm,task,score", *rows]))
    assert run(["compare", str(tmp_path / "runs.csv"), "--where", "A", "B", "--json"]) == 0
    assert [record["verdict"] for record in json.loads(capsys.readouterr().out)["records"]] == ["a_better", "a_better"]


def test_where_refuses_the_options_of_the_comparison_of_runs(table, capsys):
    assert run(["compare", table, "--where", "A", "B", "--over", "tasks"]) == 2
    assert "leave out --over" in capsys.readouterr().err


def test_a_margin_named_before_the_runs_makes_pairs_equivalent(tmp_path, capsys):
    rows = [f"{a},{t},{s + 0.001 * (a == 'A')}" for a in "AB" for t in "xyz" for s in (0.1, 0.5, 0.3, 0.9, 0.2, 0.7)]
    (tmp_path / "runs.csv").write_text("\n".join(["algorithm,task,score", *rows]))
    verdicts = []
    for margin in ("0.01", "0.9"):
        assert run(["compare", str(tmp_path / "runs.csv"), "--margin", margin, "--json"]) == 0
        verdicts += [record["verdict"] for record in json.loads(capsys.readouterr().out)["records"]]
    assert verdicts == ["no_difference_found", "equivalent"]
