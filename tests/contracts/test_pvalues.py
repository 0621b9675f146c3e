"""Every p-value of every public function: never 0, and the same whatever the threads of the linear algebra."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import get_args

import numpy as np
import pytest

import runoff as ro
from runoff.words.names import BlockedTestName, PairTestName, TwoSampleTestName

FAR = {
    "A": {f"t{i}": (1e6 + np.arange(15.0) + 100 * (i % 2)).tolist() for i in range(40)},
    "B": {f"t{i}": (2e5 + np.arange(15.0)).tolist() for i in range(40)},
}
"""Separated by 800,000 on forty tasks: the chance of it, 1 in 10³²⁷, is no double."""


LAWS = [(test, method) for test in get_args(BlockedTestName) for method in ("auto", "asymptotic")]
LAWS.remove(("stratified_permutation", "asymptotic"))


@pytest.mark.parametrize(("test", "method"), LAWS)
def test_no_test_over_tasks_says_that_separation_is_impossible(test, method):
    assert 0 < ro.rank_test(ro.Scores.from_dict(FAR), test=test, method=method, n_resamples=100).pvalue < 0.05


@pytest.mark.usefixtures("few_relabellings")
@pytest.mark.parametrize("test", get_args(PairTestName))
def test_no_comparison_says_that_separation_is_impossible(test):
    over_tasks = test in ("auto", "welch", *get_args(BlockedTestName))
    data = FAR if over_tasks else {name: cells["t0"] for name, cells in FAR.items()}
    if test == "boschloo":  # of scores 0 and 1
        data = {"A": [1.0] * 20, "B": [0.0] * 20}
    if test == "miettinen_nurminen":
        data = {"A": np.ones((20, 3)), "B": np.zeros((20, 3))}
    pair = ro.compare(ro.Scores.from_dict(data), test=test, n_resamples=100).pairs[0]
    assert 0 < pair.pvalue <= pair.pvalue_adjusted < 0.05


@pytest.mark.parametrize("test", get_args(TwoSampleTestName))
def test_no_test_of_two_samples_says_that_separation_is_impossible(test):
    assert 0 < ro.two_sample_test(FAR["A"]["t0"], FAR["B"]["t0"], test=test, n_resamples=100).pvalue < 0.05


@pytest.mark.parametrize("control", [None, "A"])
def test_no_critical_difference_says_that_separation_is_impossible(control):
    diagram = ro.critical_difference(ro.Scores.from_dict(FAR), control=control)
    assert all(0 < pair.pvalue_adjusted < 1e-9 for pair in diagram.pairs)


def test_equivalence_beyond_doubt_has_a_p_value_above_0():
    runs = np.linspace(0, 1e-9, 200)
    (pair,) = ro.equivalence(ro.Scores.from_dict({"A": runs, "B": [*runs[1:], 2e-9]}), margin=1e9).pairs
    assert 0 < pair.pvalue_equivalence < 1e-300


MANY = """
import numpy as np, runoff as ro
for seed in range(4):
    rng = np.random.default_rng(seed)
    data = {a: {f"t{i}": rng.normal(m, 1, 20) for i in range(55)} for a, m in (("A", 0), ("B", .2))}
    print(ro.rank_test(ro.Scores.from_dict(data)).pvalue.hex())
"""


@pytest.mark.slow
def test_the_threads_of_the_linear_algebra_change_no_digit(capsys):
    """This process has as many as there are processors, if nothing sets their number."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    alone = {**os.environ, **dict.fromkeys(names, "1")}
    digits = subprocess.run([sys.executable, "-c", MANY], env=alone, capture_output=True, check=True, text=True).stdout
    exec(MANY, {})
    assert capsys.readouterr().out == digits
    assert len(digits.split()) == 4
