"""The false positive rate of every method, on the study engine: at most 5 % within binomial error, or what docs/tables/atlas.csv states.

The atlas is run again with another seed and fewer repetitions; each rate must agree with the table within 4.5 standard errors (there are 2,000).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import sqrt

import pytest

from runoff.lab import CONTENDERS, find_study, run_study
from tools.site.tables import read

REPEATS, STATED_REPEATS, N_RUNS = 1_000, 5_000, (3, 5, 10, 20)


@cache
def stated():
    """{(scenario, method label, runs): rate} of the table."""
    return {(row[0], row[1], int(row[2])): float(row[3]) for row in read("atlas")[1:]}


@cache
def measured():
    study = find_study("runoff/atlas").study
    return run_study(replace(study, n_runs=N_RUNS, n_repeats=REPEATS, seed=study.seed + 1), workers=2).rows


@pytest.mark.slow
def test_the_table_states_every_method_of_the_package_in_every_world():
    labels = {label for _, label, _ in stated()}
    assert {CONTENDERS[record.contender].label for record in measured()} <= labels
    assert len({world for world, _, _ in stated()}) >= 15


@pytest.mark.slow
def test_rates_are_at_most_alpha_or_as_stated():
    wrong = []
    for record in measured():
        expected = stated()[record.world, CONTENDERS[record.contender].label, record.n_runs]
        spread = sqrt(max(expected * (1 - expected), 0.001) * (1 / REPEATS + 1 / STATED_REPEATS))
        honest = record.rate <= 0.05 + 3 * sqrt(0.05 * 0.95 / REPEATS)
        if not honest and abs(record.rate - expected) > 4.5 * spread:
            wrong.append((record.world, record.contender, record.n_runs, record.rate, expected))
    assert not wrong
