"""`runoff sequential` of batches: the answer first, each pair in a sentence, every misuse in one."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest

from runoff.cli.app import run
from tests.refusals import n_sentences


@pytest.fixture
def batches(tmp_path):
    rng, paths = np.random.default_rng(1), []
    for k in range(2):
        rows = [(a, t, f"{k}-{i}", 3 * (a == "B") + rng.normal()) for a in "AB" for t in "xy" for i in range(5)]
        paths.append(tmp_path / f"batch{k}.csv")
        with paths[-1].open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("algorithm", "task", "seed", "score"), *rows])
    return [str(path) for path in paths]


def test_the_answer_comes_first(batches, capsys):
    assert run(["sequential", *batches]) == 0
    out = capsys.readouterr().out
    assert out.startswith("After 2 batches B is better than A.")
    assert re.search(r"A +B +−[\d.]+ \[.*\] +< 0.001 +lower mean +10 +2", out)


def test_an_open_answer_names_planned_looks_as_the_shell_calls_them(batches, capsys):
    assert run(["sequential", batches[0], "--alpha", "0.000001"]) == 0
    assert "Note: Planned looks (runoff sequential design.toml --new --looks 5,10,15,20) find more" in " ".join(
        capsys.readouterr().out.split()
    )


def test_json_has_the_records(batches, capsys):
    assert run(["sequential", *batches, "--margin", "0.5", "--seed", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["records"][0]["decision"] == "b_better"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--margin", "-1"], "margin, the smallest difference that matters, must be a finite number above 0"),
        (["--alpha", "2"], "alpha"),
        (["--n-resamples", "2"], "n_resamples"),
    ],
)
def test_misuse_is_one_sentence(batches, options, words, capsys):
    assert run(["sequential", *batches, *options]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert n_sentences(error) == 1


def test_one_file_twice_is_refused(batches, capsys):
    assert run(["sequential", batches[0], batches[0]]) == 2
    assert "a run counts once" in capsys.readouterr().err
