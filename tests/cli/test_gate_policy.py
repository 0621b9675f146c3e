"""`runoff gate` over items and with a policy: one command for each layout, the exit code, every exit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run

SIZES = {"aime": 14, "gpqa": 80, "gsm8k": 160}
POLICY = """
alpha = 0.05

[benchmarks.aime]
rule = "must not lose"
margin = 0.5

[benchmarks.gpqa]
rule = "must not lose"
margin = 0.1

[benchmarks.gsm8k]
rule = "must win"
"""


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def three(tmp_path):
    """Three benchmarks of 14, 80 and 160 items, of two models, and a policy."""
    draw = np.random.default_rng(0)

    def rows(model, gain):
        return [
            {"model": model, "benchmark": name, "question": f"{name}/{i}", "correct": bool(draw.random() < 0.6 + gain)}
            for name, n in SIZES.items()
            for i in range(n)
        ]

    files = [written(tmp_path / f"{model}.jsonl", rows(model, gain)) for model, gain in (("base", 0.0), ("new", 0.2))]
    (tmp_path / "release.toml").write_text(POLICY, encoding="utf-8")
    return [*files, "--strata", "benchmark", "--policy", str(tmp_path / "release.toml")]


@pytest.fixture
def passages(tmp_path):
    """300 items of 40 passages, of two models in one file."""
    draw = np.random.default_rng(1)
    rows = [
        {"model": model, "question": f"q{i}", "passage": f"p{i % 40}", "correct": bool(draw.random() < rate)}
        for model, rate in (("base", 0.6), ("new", 0.62))
        for i in range(300)
    ]
    return written(tmp_path / "both.jsonl", rows)


def test_a_file_of_each_model_needs_no_column_of_models(three, tmp_path, capsys):
    for name, path in (("old", three[0]), ("new", three[1])):
        rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        written(tmp_path / f"{name}.jsonl", [{key: row[key] for key in row if key != "model"} for row in rows])
    assert run(["gate", str(tmp_path / "old.jsonl"), str(tmp_path / "new.jsonl"), *three[2:]]) == 0
    assert "The candidate is 'new', the baseline 'old'." in capsys.readouterr().out


def test_three_benchmarks_pass_in_a_command_and_fail_the_other_way_round(three, capsys):
    assert run(["gate", *three]) == 0
    assert capsys.readouterr().out.startswith(
        "The candidate passes: all 3 rules hold (aime and gpqa must not lose; gsm8k"
    )
    assert run(["gate", three[1], three[0], *three[2:]]) == 1
    assert "gsm8k must win" in capsys.readouterr().out


def test_json_of_a_policy_is_what_python_says(three, capsys):
    assert run(["gate", *three, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    strata = {task: task.split("/")[0] for task in ro.load(three[0]).tasks}
    result = ro.gate(three[0], three[1], strata=strata, policy=three[-1])
    assert (answer["verdict"], answer["records"]) == ("passed", result.to_records())
    assert [record["rule"] for record in answer["records"]] == ["must not lose", "must not lose", "must win"]


def test_markdown_of_a_policy_has_the_decision_the_picture_and_the_rules(three, capsys):
    assert run(["gate", *three, "--markdown", "-"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("### runoff gate: passed\n")
    assert "┃; a required win in interval widths @@" in text.replace("(┃)", "┃")
    assert "| gsm8k | must win | 160 |" in text


def test_passages_are_clusters_in_a_file_of_both_models(passages, capsys):
    gate = ["gate", passages, passages, "--algorithm", "base", "--candidate-algorithm", "new", "--margin", "0.02"]
    assert run([*gate, "--cluster", "passage", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["records"][0]
    assert run(["compare", passages, "--cluster", "passage", "--alpha", "0.1", "--json"]) == 0
    pair = json.loads(capsys.readouterr().out)["records"][0]
    ends = pair["own_low"], pair["own_high"]
    high = -ends[0] if pair["a"] == "new" else ends[1]
    assert (row["n_items"], row["drop_high"]) == (300, pytest.approx(max(high, 0.02), abs=1e-9))


def test_five_attempts_at_each_item_are_judged_in_a_command(tmp_path, capsys):
    draw = np.random.default_rng(2)
    rows = [
        {"model": model, "question": f"q{i}", "attempt": k, "correct": bool(draw.random() < rate)}
        for model, rate in (("base", 0.4), ("new", 0.7))
        for i in range(60)
        for k in range(5)
    ]
    path = written(tmp_path / "both.jsonl", rows)
    names = ["--algorithm", "base", "--candidate-algorithm", "new"]
    assert run(["gate", path, path, *names, "--unit", "episode", "--over", "tasks", "--margin", "0.05"]) == 0
    out = capsys.readouterr().out
    assert "Over items like these 60 the candidate has improved: its accuracy is " in out
    assert "60 × 5" in out


def test_counts_are_rollouts_by_a_policy(tmp_path, capsys):
    for name, counts in (("base", (12, 15)), ("new", (18, 16))):
        lines = [f"{name},{task},{k},20\n" for task, k in zip(("door", "drawer"), counts, strict=True)]
        (tmp_path / f"{name}.csv").write_text("policy,task,successes,n\n" + "".join(lines), encoding="utf-8")
    (tmp_path / "p.toml").write_text(
        '[benchmarks.door]\nrule = "must win"\n[benchmarks.drawer]\nrule = "must not lose"\nmargin = 0.3\n'
    )
    files = [str(tmp_path / f"{name}.csv") for name in ("base", "new")]
    assert run(["gate", *files, "--unit", "episode", "--policy", str(tmp_path / "p.toml")]) == 0
    out = capsys.readouterr().out
    assert "Rollouts" in out
    assert "Success rates: each rule by itself at α = 0.05, one-sided, and all of them for a pass." in out


def test_a_benchmark_that_is_left_out_of_the_data_needs_no_rule(three, tmp_path, capsys):
    policy = tmp_path / "two.toml"
    policy.write_text(
        '[benchmarks.gpqa]\nrule = "must not lose"\nmargin = 0.1\n[benchmarks.gsm8k]\nrule = "must win"\n'
    )
    gate = ["gate", *three[:-1], str(policy)]
    assert run(gate) == 2
    assert "the policy has no rule for the benchmark 'aime'" in capsys.readouterr().err
    assert run([*gate, "--exclude", "aime"]) == 0


def test_a_policy_is_refused_where_a_baseline_is_saved(three, capsys):
    assert run(["gate", three[0], "--save", "x.json", "--policy", three[-1]]) == 2
    assert "--policy judges a candidate, and --save judges none" in capsys.readouterr().err


def test_saved_items_are_judged_with_the_columns_of_the_candidate(three, tmp_path, capsys):
    kept = str(tmp_path / "kept.json")
    assert run(["gate", three[0], "--save", kept]) == 0
    assert run(["gate", kept, *three[1:]]) == 0
    assert "The candidate passes: all 3 rules hold" in capsys.readouterr().out


def test_a_level_of_the_project_leaves_that_of_the_policy(three, tmp_path, monkeypatch, capsys):
    (tmp_path / "runoff.toml").write_text("alpha = 0.01\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["gate", *three, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["alpha"] == 0.05


def test_verdicts_that_a_policy_does_not_have_fail_nothing(three, capsys):
    assert run(["gate", *three, "--fail-on", "suspect"]) == 2
    assert "--fail-on names verdicts of a gate without a policy" in capsys.readouterr().err
