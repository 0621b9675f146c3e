"""The table of evaluations in "Compare with": each command of runoff is run, and prints what its feature says."""

from __future__ import annotations

import json
import re
import shlex

import numpy as np
import pytest

from runoff.cli.app import run
from tests.places import DOCS

TABLE = (DOCS / "compare-with.md").read_text(encoding="utf-8").partition("## Evaluations")[2]
ROWS = dict(re.findall(r"^\| ([^|]+?) \| ● \|.*\| `(runoff [^`]+)` \|$", TABLE, re.MULTILINE))
SHOWS = {
    "Two models paired item by item": "over items like these 200",
    "Which items flipped": '"won_tasks": [',
    "Clustered items": "the scaled score test of 50 clusters",
    "pass@k with an interval": r"Pass@4\n\w+ +0\.\d+ \[0\.\d+, \d\.\d+\]",
    "pass^k with an interval": r"Pass\^4\n\w+ +0\.\d+ \[0\.\d+, \d\.\d+\]",
    "Several benchmarks, each by itself, corrected": "Holm correction over 3 lines",
    "One release decision by a policy file": "The candidate (passes|fails): ",
    "A gate for CI, by its exit code": "the candidate (holds|has improved)",
    "Equivalence": "two one-sided tests",
    "Items needed for a paired comparison": r"It takes \d+ items with 1 attempt of each model",
    "Success rates of rollouts, exact on one task": "ours has a higher success rate",
    "Stopping rollouts at planned looks": r"the experiment has ended: ours is better than base",
    "Any-time claims": "After 2 batches ours is better than base",
    "HTML report, LaTeX, methods paragraph": "Report: page/report.html",
    "JSON of every answer": '"verdict": "(held|improved)"',
    "MCP server or a text for programs": "runoff compare",
}
"""Feature -> what its command prints, a regular expression where it has to be."""


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files that the table names, in the working folder."""
    draw = np.random.default_rng(0)
    for model, rate in (("base", 0.5), ("tuned", 0.62)):
        answers = [
            {"model": model, "question": f"q{i}", "text": f"t{i // 4}", "correct": bool(draw.random() < rate)}
            for i in range(200)
        ]
        lines(tmp_path / f"{model}.jsonl", answers)
        lines(
            tmp_path / f"three_{model}.jsonl",
            [
                {"model": model, "benchmark": name, "question": f"{name}/{i}", "correct": bool(draw.random() < rate)}
                for name in ("arc", "gsm8k", "mmlu")
                for i in range(60)
            ],
        )
    sampled = [
        {"model": "tuned", "question": f"q{i}", "attempt": k, "correct": bool(draw.random() < 0.5)}
        for i in range(40)
        for k in range(6)
    ]
    lines(tmp_path / "sampled.jsonl", sampled)
    rules = "".join(f'[benchmarks.{name}]\nrule = "must not lose"\nmargin = 0.2\n' for name in ("arc", "gsm8k", "mmlu"))
    (tmp_path / "release.toml").write_text(rules, encoding="utf-8")
    (tmp_path / "looks.toml").write_text("looks = [10, 20]\n", encoding="utf-8")
    rollouts(tmp_path, draw)
    monkeypatch.chdir(tmp_path)


def rollouts(folder, draw):
    """Write twenty rollouts of two policies in two batches."""
    rows = [
        f"{policy},{i},{int(draw.random() < rate)}\n"
        for i in range(20)
        for policy, rate in (("ours", 0.95), ("base", 0.2))
    ]
    head = "policy,episode,success\n"
    for name, part in (("batch1", rows[:20]), ("batch2", rows[20:])):
        (folder / f"{name}.csv").write_text(head + "".join(part), encoding="utf-8")


def test_each_feature_that_the_table_claims_has_a_command_and_a_run():
    assert set(ROWS) == set(SHOWS)
    claimed = re.findall(r"^\| ([^|]+?) \| ● \|", TABLE, re.MULTILINE)
    assert sorted(claimed) == sorted(ROWS)


@pytest.mark.parametrize("feature", SHOWS)
def test_the_command_of_a_feature_prints_what_it_says(feature, files, capsys):
    code = run(shlex.split(ROWS[feature])[1:])
    text = capsys.readouterr().out
    assert code in ((0, 1) if " gate " in ROWS[feature] else (0,))
    printed = re.sub(r" {2,}", " ", text)
    assert SHOWS[feature] in printed or re.search(SHOWS[feature], printed), text
